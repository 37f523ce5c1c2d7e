"""What once broke, the smallest case of each, through the public interface alone.

Nothing here knows how the library is built, so these tests run against any commit: tests/README.md says how.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.commands.command_server import Ended
from threadpoolctl import threadpool_info

from idnf import DNFClassifier, exporting
from idnf.cli import main

ROWS = 60
LABELS = np.array(["yes" if row > 30 else "no" for row in range(ROWS)])
SECRET = "hunter2secret"

_COMMAND = "import sys; from idnf.cli import main; sys.exit(main(sys.argv[1:]))"
# A second after learning has begun, the process, in a group of its own, gets a signal.
_STOPPED = """
import os, pathlib, sys, threading, idnf
os.setsid()
pathlib.Path(sys.argv[2]).write_text(str(os.getpid()))
from idnf.cli import main
begin = idnf.DNFClassifier.fit
def fit(*arguments, **options):
    threading.Timer(1.0, os.kill, (os.getpid(), int(sys.argv[1]))).start()
    return begin(*arguments, **options)
idnf.DNFClassifier.fit = fit
sys.exit(main(sys.argv[3:]))
"""
# Killed outright at the moment when the file is to get its name.
_KILLED = """
import os, signal, sys
from idnf.cli import main
os.replace = os.rename = lambda *names, **options: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(main(sys.argv[1:]))
"""


def written(path: Path, table: pd.DataFrame, **options: object) -> str:
    table.to_csv(path, **options)
    return str(path)


def numbers(**columns: object) -> pd.DataFrame:
    return pd.DataFrame({"n": (np.arange(ROWS) * 7 % 13) / 2, **columns})


def fitted(path: str, model: str, *options: str) -> int:
    return main(["fit", path, "--target", "label", "--k", "1", "-o", model, "--learner", "greedy", *options])


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_fit_leaves_the_older_model_and_no_process(
    sent: signal.Signals, tmp_path: Path, ended: Ended
) -> None:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.integers(0, 50, (3000, 12)), columns=[f"x{j}" for j in range(12)])
    table = written(tmp_path / "t.csv", rows.assign(label=rng.integers(0, 2, 3000)), index=False)
    model = tmp_path / "model.json"
    model.write_text("older", encoding="utf-8")
    options = ["--target", "label", "--k", "4", "-o", str(model), "--effort", "100", "--jobs", "2"]
    group = tmp_path / "group"
    try:
        assert ended(_STOPPED, str(int(sent)), str(group), "fit", table, *options, seconds=60).returncode == 130
        assert model.read_text(encoding="utf-8") == "older"
        with pytest.raises(ProcessLookupError):
            os.killpg(int(group.read_text()), 0)
    finally:
        _end_group(int(group.read_text()))


def _end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_what_a_killed_process_left_goes_with_the_next_run(tmp_path: Path, ended: Ended) -> None:
    table = written(tmp_path / "t.csv", numbers(label=LABELS, x=np.arange(ROWS) * 1.5), index=False)
    model = str(tmp_path / "model.json")
    assert fitted(table, model) == 0
    predict = ["predict", model, table, "-o", str(tmp_path / "out.csv")]
    assert ended(_KILLED, *predict).returncode == 128 + signal.SIGKILL
    assert main(predict) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "out.csv", "t.csv"]


def test_a_table_as_pandas_writes_it_is_read_by_every_command(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", numbers(label=LABELS, x=np.arange(ROWS) * 1.5))
    model = str(tmp_path / "model.json")
    assert fitted(table, model) == 0
    for command in ("predict", "explain"):
        assert main([command, model, table, "-o", str(tmp_path / "out.csv")]) == 0
    assert main(["report", model, table, "--target", "label", "-o", str(tmp_path / "page.html")]) == 0


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%d-%m-%Y", "%Y/%m/%d"])
def test_dates_that_fit_reads_predict_reads(form: str, tmp_path: Path) -> None:
    days = pd.date_range("2020-11-20", periods=ROWS).strftime(form)
    table = written(tmp_path / "t.csv", numbers(day=days, label=LABELS), index=False)
    model = str(tmp_path / "model.json")
    assert fitted(table, model, "--quiet") == 0
    assert main(["predict", model, table, "-o", str(tmp_path / "out.csv")]) == 0
    assert pl.read_csv(tmp_path / "out.csv").height == ROWS


def test_times_with_a_zone_are_read_in_lazy_tables() -> None:
    times = pl.datetime_range(pl.datetime(2020, 1, 1), pl.datetime(2020, 2, 29), "1d", eager=True, time_zone="UTC")
    table = pl.DataFrame({"t": times.dt.convert_time_zone("Europe/Berlin"), "label": LABELS})
    clf = DNFClassifier(1, learner="greedy").fit(table.lazy(), "label")
    assert (clf.predict(table.drop("label")) == LABELS).all()


def edited(tmp_path: Path, change: Callable[[dict], None], **settings: object) -> Path:
    """Return a model file that was changed by hand."""
    table = pl.DataFrame({"income": np.arange(ROWS) * 1.0 % 17, "debt": np.arange(ROWS) % 3 == 0})
    y = np.where((table["income"] > 8).to_numpy() & ~table["debt"].to_numpy(), "yes", "no")
    exporting.to_json(DNFClassifier(2, **settings).fit(table, y), tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    change(document)
    (tmp_path / "model.json").write_text(json.dumps(document), encoding="utf-8")
    return tmp_path / "model.json"


def test_values_seen_in_training_lie_in_their_cells(tmp_path: Path) -> None:
    def change(document: dict) -> None:
        seen = next(values["seen"] for values in document["values"] if values is not None)
        seen[-1 if seen[-1] is not None else -2] = [3.0, 3.0]

    path = edited(tmp_path, change, learner="greedy")
    with pytest.raises(ValueError, match="must lie in its cell"):
        exporting.from_json(path)


def test_a_file_cannot_claim_any_optimum(tmp_path: Path) -> None:
    def change(document: dict) -> None:
        document["result"]["optimal"] = "the whole world"

    path = edited(tmp_path, change, learner="exact")
    with pytest.raises(ValueError, match="optimal"):
        exporting.from_json(path)


def test_verify_refutes_a_false_monotone_constraint(tmp_path: Path) -> None:
    def change(document: dict) -> None:
        document["settings"]["monotonic_cst"] = {"income": -1}

    assert main(["verify", str(edited(tmp_path, change, learner="greedy", family="nested"))]) == 1


def test_reading_a_small_file_ends(tmp_path: Path, ended: Ended) -> None:
    (tmp_path / "model.json").write_text('{"format": "' + '\\"' * 60_000, encoding="utf-8")
    assert ended(_COMMAND, "verify", str(tmp_path / "model.json")).returncode == 2


def test_sqlite_gives_no_label_where_the_classifier_refuses() -> None:
    clf = DNFClassifier.from_dnf("'age <= 40'", columns={"age": [40]}, classes=("no", "yes"))
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table people (age)")
        base.executemany("insert into people values (?)", [("",), ("NA",), (float("inf"),), (30,)])
        found = base.execute(exporting.to_sql(clf, dialect="sqlite", table="people")).fetchall()
    assert [row[-1] for row in found] == [None, None, None, "yes"]


@pytest.mark.parametrize(
    "words",
    [
        [f"postgresql://host/bank?user=me&password={SECRET}"],
        [f"postgresql//me:{SECRET}@host/bank"],
        [f"postgresql://me:{SECRET}@host/bank.parquet"],
        [f"postgressql://me:{SECRET}@host/bank", "--table-name", "loans"],
        [f"postgresql://me:{SECRET}/more@host/bank", "--table-name", "loans"],
    ],
)
def test_a_mistyped_address_tells_no_secret(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", *words, "--target", "y", "-o", "unused.json"]) == 2
    assert SECRET not in "".join(capsys.readouterr())


@pytest.mark.parametrize("rows", [2, 4, 8, 10])
def test_a_column_that_is_the_label_is_learned_from_few_rows(rows: int) -> None:
    for seed in range(12):
        y = np.arange(rows) % 2
        X = np.column_stack([y, np.random.default_rng(seed).random((rows, 2))])
        assert (DNFClassifier().fit(X, y).predict(X) == y).all()


def test_search_multiplies_in_one_thread() -> None:
    threads: list[int] = []

    def note(_: float) -> None:
        threads.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    DNFClassifier(3, progress=note).fit(X, X[:, 0] + X[:, 1] + rng.normal(size=300) > 0)
    assert set(threads) == {1}


def test_integers_beyond_64_bits_in_a_file_are_numbers(tmp_path: Path) -> None:
    large = [2**63 + 10**15 * row for row in range(ROWS)]
    table = written(tmp_path / "t.csv", numbers(a=large, label=LABELS), index=False)
    model = str(tmp_path / "model.json")
    assert fitted(table, model) == 0
    assert main(["predict", model, table, "-o", str(tmp_path / "out.csv")]) == 0


def test_dates_beyond_the_calendar_are_refused_in_words() -> None:
    days = pl.Series("d", range(4_000_000, 4_000_000 + ROWS)).cast(pl.Date).to_frame()
    with pytest.raises(ValueError, match="column 'd' must hold dates"):
        DNFClassifier(1, learner="greedy").fit(days, LABELS)


def test_sentences_of_a_csv_are_no_formulas(tmp_path: Path) -> None:
    words = np.where(LABELS == "yes", "=1+1", "@x")
    table = written(tmp_path / "t.csv", pd.DataFrame({"+cmd": words, "label": LABELS}), index=False)
    model, out = str(tmp_path / "model.json"), str(tmp_path / "out.csv")
    assert fitted(table, model, "--quiet") == 0
    assert main(["explain", model, table, "-o", out]) == 0
    ours = pl.read_csv(out).drop("+cmd", "label", strict=False)
    texts = [text for name, kind in ours.schema.items() if kind == pl.String for text in ours[name].drop_nulls()]
    assert texts
    assert not any(text[0] in "=+@" for text in texts)


@pytest.mark.parametrize("name", ["idnf class", "idnf cell 0"])
def test_a_column_may_be_named_as_our_queries_once_were(name: str) -> None:
    table = pl.DataFrame({name: np.arange(ROWS) * 1.5, "label": LABELS})
    clf = DNFClassifier(1, learner="greedy").fit(table.lazy(), "label")
    assert (clf.predict(table.drop("label")) == LABELS).all()
    assert clf.predict(table.drop("label").lazy()).collect().height == ROWS


@pytest.mark.parametrize("command", ["fit", "report"])
def test_a_table_is_never_overwritten(command: str, tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", numbers(x=np.arange(ROWS) * 1.5, label=LABELS), index=False)
    before = Path(table).read_text(encoding="utf-8")
    model = str(tmp_path / "model.json")
    if command == "fit":
        assert fitted(table, table) == 2
    else:
        assert fitted(table, model) == 0
        assert main(["report", model, table, "--target", "label", "-o", table]) == 2
    assert Path(table).read_text(encoding="utf-8") == before


def test_weights_beyond_all_bounds_give_no_wrong_shares() -> None:
    X, y = np.arange(ROWS)[:, None] > 30, np.arange(ROWS) > 30
    with pytest.raises(ValueError, match="sample_weight"):
        DNFClassifier(1, learner="greedy").fit(X, y, sample_weight=np.full(ROWS, 1e308))
