"""What broke later, the smallest case of each, through the public interface alone: every test fails at 7426759."""

from __future__ import annotations

import gzip
import json
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.commands.command_server import Ended

from idnf import DNFBands, DNFClassifier, auditing, exporting
from idnf.cli import main
from idnf.governance import audit, monitor

COMMAND = "import sys; from idnf.cli import main; sys.exit(main(sys.argv[1:]))"
ROWS = 60
LABELS = np.array(["yes" if row > 30 else "no" for row in range(ROWS)])


def alone(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python that has imported and allocated nothing yet."""
    return subprocess.run([sys.executable, "-c", program, *words], check=False, capture_output=True, text=True)


@contextmanager
def after(seconds: float, error: type[BaseException] = TimeoutError) -> Iterator[None]:
    """Raise an error after seconds of the processor: a commit at which something does not end fails all the same."""

    def stop(*_: object) -> None:
        raise error

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def test_one_press_ends_an_exact_fit_of_several_classes() -> None:
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.random((200, 10)) < 0.5, columns=[f"x{j}" for j in range(10)]), rng.integers(0, 3, 200)
    clf = DNFClassifier(3, learner="exact", tune=False).fit(X[:60], y[:60])
    began = time.process_time()
    whole = -began + (clf.fit(X, y) and time.process_time())
    with after(0.5 * whole, KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.optimal_ is None
    assert time.process_time() - began < 1.7 * whole


def test_a_price_is_refused_if_the_proof_knows_none() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((60, 3)) < 0.5, columns=list("abc"))
    with pytest.raises(ValueError, match="price must be "):
        DNFClassifier(2, learner="exact", price=0.01).fit(X, rng.integers(0, 3, 60))


def test_a_necessary_column_comes_before_all_others() -> None:
    clf = DNFClassifier.from_dnf("x & p & q | ~x & r & s")
    (reasons,) = auditing.principal_reasons(clf, pd.DataFrame({name: [True] for name in "xpqrs"}), count=2)
    assert {column for reason in reasons for column in reason.columns} == {"p", "q"}


def test_padded_cells_are_refused_at_once(ended: Ended) -> None:
    program = """
import pandas as pd, idnf
clf = idnf.DNFClassifier.from_dnf("'age <= 40'", columns={"age": [40]})
for text in ("1" + " " * 400 + "!", "(" + " " * 400 + "x", "1" * 400_000 + "x"):
    try:
        clf.predict(pd.DataFrame({"age": ["12", text]}))
    except ValueError as error:
        print(str(error)[:30])
"""
    assert ended(program).stdout.splitlines() == ["column 'age' must hold numbers"] * 3


@pytest.mark.parametrize(
    ("dialect", "names"),
    [("duckdb", ("A", "a")), ("sqlite", ("income", "Income")), ("postgres", ("x" * 63 + "1", "x" * 63 + "2"))],
)
def test_names_that_a_database_cannot_tell_apart_are_refused(dialect: str, names: tuple[str, str]) -> None:
    columns = {name: [30 + i] for i, name in enumerate(names)}
    clf = DNFClassifier.from_dnf(f"'{names[1]} <= 31'", columns=columns)
    with pytest.raises(ValueError, match=f"names of columns must differ .*{names[0]}.*{names[1]}"):
        exporting.to_sql(clf, dialect=dialect)


@pytest.mark.parametrize("name", ["prediction", "Prediction"])
def test_a_query_gives_each_column_a_name_of_its_own(name: str) -> None:
    clf = DNFClassifier.from_dnf(f"'{name} <= 30'", columns={name: [30]}, classes=("no", "yes"))
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f"create table t ({name})")
        base.execute("insert into t values (7)")
        found = base.execute(exporting.to_sql(clf, dialect="sqlite", table="t"))
        assert [column[0] for column in found.description] == [name, "idnf prediction"]
        assert found.fetchall() == [(7, "yes")]


def test_principal_reasons_in_sql_take_no_name_of_theirs_for_a_column() -> None:
    clf = DNFClassifier.from_dnf("'n0 <= 30' | 'n1 <= 5'", columns={"n0": [30], "n1": [5]}, classes=("no", "yes"))
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table t (n0, n1)")
        base.executemany("insert into t values (?, ?)", [(7, 9), (None, 3)])
        found = base.execute(exporting.to_sql(clf, dialect="sqlite", table="t", principal=1)).fetchall()
    assert found == [(7, 9, "yes", "n0"), (None, 3, None, None)]


def test_a_number_is_read_alike_whatever_text_stands_beside_it() -> None:
    clf = DNFClassifier(1, learner="greedy").fit(pd.DataFrame({"x": [f"{row},5" for row in range(ROWS)]}), LABELS)
    assert clf.predict(pd.DataFrame({"x": [1.234]})).tolist() == ["no"]
    assert clf.predict(pd.DataFrame({"x": [1.234, "2,50"]})).tolist() == ["no", "no"]


def test_numbers_among_texts_are_learned_as_they_are() -> None:
    mixed = [row + 0.125 if row % 2 else f"{row},50" for row in range(ROWS)]
    clf = DNFClassifier(1, learner="greedy").fit(pd.DataFrame({"x": mixed}), LABELS)
    assert (clf.predict(pd.DataFrame({"x": np.arange(ROWS) + 0.125})) == LABELS).all()


@pytest.mark.parametrize("first", [pd.Timestamp.min, pd.Timedelta.min])
def test_the_first_moment_comes_first(first: object) -> None:
    later = pd.Series([first + pd.Timedelta(days=100 * row) for row in range(ROWS)])
    clf = DNFClassifier(1, learner="greedy").fit(pd.DataFrame({"t": later}), LABELS)
    assert clf.predict(pd.DataFrame({"t": later[:1]})).tolist() == ["no"]


def test_durations_of_numpy_among_objects_are_durations() -> None:
    waits = pd.Series([np.timedelta64(row, "h") for row in range(ROWS)], dtype=object)
    clf = DNFClassifier(1, learner="greedy").fit(pd.DataFrame({"wait": waits}), LABELS)
    assert clf.predict(pd.DataFrame({"wait": pd.to_timedelta(waits)})).tolist() == LABELS.tolist()


def test_a_model_that_cannot_be_read_again_is_not_written(tmp_path: Path) -> None:
    X = pd.DataFrame({"x": pd.Series(["half \ud800" if label == "no" else "whole" for label in LABELS], dtype=object)})
    (tmp_path / "model.json").write_text("older", encoding="utf-8")
    with pytest.raises(ValueError, match="Unicode"):
        exporting.to_json(DNFClassifier(1, learner="greedy").fit(X, LABELS), tmp_path / "model.json")
    assert (tmp_path / "model.json").read_text(encoding="utf-8") == "older"


@pytest.mark.parametrize("labels", [(2**53 - 2, 2**53 - 1), (1, 2**53 - 1), (1 - 2**53, 2**53 - 1)])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_long_labels_are_read_as_they_were(labels: tuple[int, int], dtype: type, tmp_path: Path) -> None:
    y = np.array([labels[label == "yes"] for label in LABELS]).astype(dtype if labels[0] >= 0 else np.int64)
    exporting.to_json(DNFClassifier(1, learner="greedy").fit(np.arange(ROWS)[:, None], y), tmp_path / "model.json")
    assert exporting.from_json(tmp_path / "model.json").classes_.tolist() == list(labels)


@pytest.mark.parametrize("labels", [(2**64 - 2, 2**64 - 1), (1, 2**63), (1 - 2**63, 2**63 - 1), (2**53, 2**53 + 1)])
def test_labels_that_pages_and_javascript_would_change_are_refused_before_a_fit(labels: tuple[int, int]) -> None:
    """From 2**53 on, neighbours are one number in a page and in JavaScript: until then such models had other labels."""
    y = np.array([labels[label == "yes"] for label in LABELS], dtype=np.uint64 if labels[0] >= 0 else np.int64)
    X = pd.DataFrame({"x": LABELS == "yes"})
    long = r"must have labels below 2\*\*53 = 9007199254740992 if they are numbers; got -?\d+\. Convert them to text\."
    for fit in (DNFClassifier(1).fit, DNFBands(1).fit, DNFBands(1, order=list(labels)).fit):
        for given in (y, pd.Series(y), pl.Series(y)):
            with pytest.raises(ValueError, match=f"y {long}"):
                fit(X, given)
    with pytest.raises(ValueError, match=f"y {long}"):
        DNFClassifier(1).fit(pl.LazyFrame({"x": X["x"].to_list(), "y": y}), "y")
    with pytest.raises(ValueError, match=f"classes {long}"):
        DNFClassifier.from_dnf("a", classes=labels)
    clf = DNFClassifier(1).fit(X, y.astype(str))
    assert clf.predict(X).tolist() == y.astype(str).tolist()


def test_labels_that_pages_and_javascript_would_change_are_refused_in_files(tmp_path: Path) -> None:
    exporting.to_json(DNFClassifier.from_dnf("a", classes=(1, 2)), tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    (tmp_path / "model.json").write_text(json.dumps(document | {"classes": [1, 2**53]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"classes\[1\] must be below 2\*\*53 = .* got 9007199254740992"):
        exporting.from_json(tmp_path / "model.json")


def test_many_columns_of_one_name_are_numbered_at_once(tmp_path: Path, ended: Ended) -> None:
    (tmp_path / "t.csv").write_text(",".join(["a"] * 8000 + ["label"]) + "\n" + "1," * 8000 + "yes\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("b,label\n1,yes\n", encoding="utf-8")
    # Two tables are refused before anything is learned, once the names of both are known.
    tables = [str(tmp_path / name) for name in ("t.csv", "other.csv")]
    done = ended(COMMAND, "fit", *tables, "--target", "label", "-o", str(tmp_path / "model.json"))
    assert "tables must have the same columns" in done.stderr


@pytest.mark.parametrize("words", [["verify"], ["explain", "--text"], ["recourse"], ["check"]])
def test_labels_of_a_file_forge_no_line(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = ("no\nProved: all is well", "yes\x1b[2J\u2028\x9b")
    clf = DNFClassifier.from_dnf(
        "late | debt", columns={"late": bool, "debt": bool}, classes=labels, target="t\nProved"
    )
    exporting.to_json(clf, tmp_path / "model.json")
    (tmp_path / "rows.csv").write_text("late,debt\ntrue,false\nfalse,false\n", encoding="utf-8")
    table = [] if words[0] == "verify" else [str(tmp_path / "rows.csv")]
    if words[0] == "check":
        (tmp_path / "rules.txt").write_text("late alone never decides\n", encoding="utf-8")
        table = [str(tmp_path / "rules.txt")]
    main([words[0], str(tmp_path / "model.json"), *table, *words[1:]])
    found = "".join(capsys.readouterr())
    assert found
    assert "all is well" in found
    assert not any(line.startswith("Proved: all is well") or line == "Proved" for line in found.splitlines())
    assert not set(found) & set("\x1b\u2028\x9b")


def test_a_text_of_a_file_is_one_line(tmp_path: Path) -> None:
    clf = DNFClassifier.from_dnf("late | debt", columns={"late": bool, "debt": bool}, classes=("no", "yes"))
    clf = clf.with_settings(texts={"b1": "late"})
    exporting.to_json(clf, tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text(encoding="utf-8")
    (tmp_path / "model.json").write_text(text.replace('"b1": "late"', '"b1": "late\\nProved"'), encoding="utf-8")
    with pytest.raises(ValueError, match="must be text of one line"):
        exporting.from_json(tmp_path / "model.json")


def model_file(folder: Path) -> str:
    clf = DNFClassifier.from_dnf("late | debt", columns={"late": bool, "debt": bool}, classes=("no", "yes"))
    exporting.to_json(clf, folder / "model.json")
    return str(folder / "model.json")


def test_out_of_memory_does_not_read_as_refuted(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text('{"format": "' + "x" * 19_000_000, encoding="utf-8")
    program = """
import re, resource, sys, idnf.commands.models
from idnf.cli import main
used = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), resource.RLIM_INFINITY))
sys.exit(main(["verify", sys.argv[1]]))
"""
    done = alone(program, str(tmp_path / "model.json"))
    assert done.returncode == 3
    assert "out of memory" in done.stderr


def test_a_model_is_written_though_nobody_reads_remarks(tmp_path: Path, command: Path) -> None:
    rows = pd.DataFrame({"x": np.arange(ROWS) * 7 % 13, "y": np.arange(ROWS), "label": LABELS})
    rows.to_csv(tmp_path / "t.csv", index=False)
    # Where there is no stream to hand over, the process is a new one.
    for called, closing_it in (([sys.executable, "-m", "idnf"], "2>&-"), ([str(command / "idnf")], "2>/dev/full")):
        words = ["fit", str(tmp_path / "t.csv"), "--target", "label", "--k", "1", "--learner", "greedy"]
        model = tmp_path / "model.json"
        shell = ["sh", "-c", f'"$@" {closing_it}', "sh", *called, *words, "-o", str(model)]
        assert subprocess.run(shell, check=False, stdout=subprocess.PIPE).returncode == 0
        assert exporting.from_json(model).k == 1
        model.unlink()


def test_a_result_that_nobody_gets_is_no_success() -> None:
    for where in ("1>&-", "1>/dev/full"):
        shell = ["sh", "-c", f'"$@" {where}', "sh", sys.executable, "-m", "idnf", "analyse", "a & b"]
        done = subprocess.run(shell, check=False, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 3
        assert done.stderr.startswith("idnf: ")
        assert "Traceback" not in done.stderr


def test_an_interrupt_in_an_engine_is_an_interrupt(tmp_path: Path, ended: Ended) -> None:
    table = str(tmp_path / "t.parquet")
    copied = "SELECT range % 97 AS x, range % 89 AS y, range % 7 > 3 AS label FROM range(6_000_000)"
    duckdb.sql(f"COPY ({copied}) TO '{table}'")
    program = """
import os, signal, sys, threading, idnf
from idnf.cli import main
begin = idnf.DNFClassifier.fit
def fit(*arguments, **options):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    return begin(*arguments, **options)
idnf.DNFClassifier.fit = fit
sys.exit(main(sys.argv[1:]))
"""
    done = ended(
        program, "fit", table, "--engine", "duckdb", "--target", "label", "-o", str(tmp_path / "m"), seconds=60
    )
    assert done.returncode == 130, done.stderr
    assert "SELECT" not in done.stderr


@pytest.mark.parametrize("column", ["number", "category", "date"])
def test_a_message_does_not_repeat_a_whole_cell(column: str) -> None:
    words = {"category": ["a", "b"] * 30, "date": [f"2020-01-{1 + row % 28:02}" for row in range(ROWS)]}
    X = pd.DataFrame({"x": words[column] if column in words else np.arange(ROWS) * 7 % 13})
    clf = DNFClassifier(1, learner="greedy").fit(X, np.arange(ROWS) % 2)
    wrong = pd.DataFrame({"x": pd.Series(["z" * 100_000, 1 if column == "category" else "1"], dtype=object)})
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            clf.predict(wrong)
            said = [str(one.message) for one in warned]  # odd texts among dates count as missing
        except ValueError as error:
            said = [str(error)]
    assert any("zzz" in one for one in said)
    assert max(map(len, said)) < 500


def test_a_packed_table_is_not_unpacked_beyond_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"late,debt\n" + b"true,false\n" * 300_000))
    words = ["predict", model_file(tmp_path), str(tmp_path / "t.csv.gz"), "-o", str(tmp_path / "out.csv")]
    assert main([*words, "--read", "unpacked=0.003"]) == 2
    assert "--read unpacked=GIGABYTES sets another limit" in capsys.readouterr().err
    assert main([*words, "--read", "unpacked=0.004"]) == 0


def test_columns_that_have_no_single_name_get_one_or_are_refused_at_fit() -> None:
    X = pd.DataFrame(np.column_stack([np.arange(ROWS) * 7 % 13, np.arange(ROWS) % 2]))
    X.columns = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    assert DNFClassifier(1, learner="greedy").fit(X, LABELS).feature_names_in_.tolist() == ["a b", "a c"]
    X.columns = [np.nan, np.nan]
    with pytest.raises(ValueError, match=r"X must have a name for each column; got NaN\. Rename the column\."):
        DNFClassifier(1, learner="greedy").fit(X, LABELS)


def test_a_device_that_a_learner_does_not_use_is_refused() -> None:
    with pytest.raises(ValueError, match='device must be "cpu" for learner'):
        DNFClassifier(1, learner="greedy", device="cuda").fit([[0], [1]] * 10, [0, 1] * 10)


def test_a_missing_package_is_named_with_its_extra(tmp_path: Path) -> None:
    program = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "polars":
            raise ModuleNotFoundError("No module named 'polars'", name="polars")
sys.meta_path.insert(0, Without())
from idnf.cli import main
sys.exit(main(sys.argv[1:]))
"""
    done = alone(program, "datasets", "--load", "loans", "-o", str(tmp_path / "t.csv"))
    assert (done.returncode, done.stderr) == (2, "idnf: No module named 'polars': pip install 'idnf[cli]'\n")


def test_a_table_of_very_many_columns_is_read(tmp_path: Path) -> None:
    names = [f"column_{place}" for place in range(40_000)]
    text = ",".join(["late", "debt", *names]) + "\n" + ("true,false" + ",1" * len(names) + "\n") * 3
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    words = ["predict", model_file(tmp_path), str(tmp_path / "t.csv"), "--json", "-o", str(tmp_path / "out.json")]
    assert main(words) == 0
    assert len((tmp_path / "out.json").read_text(encoding="utf-8").splitlines()) == 3


def test_an_index_of_few_rows_is_judged_by_what_chance_gives() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.integers(0, 9, 400) for name in "abc"})
    clf = DNFClassifier(3, learner="greedy").fit(X, (X["a"] + X["b"] > X["c"] + 5).to_numpy())
    found = monitor(clf, {"a few": X[:30]})
    assert "(no more than chance, which gives " in found.to_text()


def test_a_bound_that_the_model_beats_is_refused(tmp_path: Path) -> None:
    X = np.array([[row >> bit & 1 for bit in range(3)] for row in range(8)] * 4)
    clf = DNFClassifier(2, learner="exact", family="tree").fit(X, X[:, 0] & X[:, 1])
    exporting.to_json(clf, tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    document["result"] |= {"optimal": None, "bound": 0.9, "bound_family": "tree"}
    (tmp_path / "model.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match="bound must be at most the objective"):
        exporting.from_json(tmp_path / "model.json")


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("(" * 2_000 + "x > 1" + ")" * 2_000, "conditions must be nested at most 100 deep"),
        ("not " * 2_000 + "x > 1", "conditions must be nested at most 100 deep"),
        (
            " and ".join(f"x{i} > 1" for i in range(9_000)),
            "conditions must have at most 1000 tests of columns; got 9000",
        ),
        (" and ".join(f"(a{i} or b{i})" for i in range(30)), "conditions must be at most 4000 cases when written out"),
        ("x > 1 " + "y" * 100_000, "must go on with"),
    ],
    ids=["brackets", "negations", "tests", "cases", "a long word"],
)
def test_rules_of_strangers_are_refused_at_once(condition: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised, after(10):
        audit(f"if {condition} then yes")
    assert len(str(raised.value)) < 1_000


def test_messages_repeat_neither_a_long_formula_nor_all_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", "x" * 50_000 + " &"]) == 2
    (tmp_path / "t.csv").write_text(",".join(f"column_{i}" for i in range(20_000)) + "\n", encoding="utf-8")
    assert main(["fit", str(tmp_path / "t.csv"), "--target", "label", "-o", str(tmp_path / "m.json")]) == 2
    assert len(capsys.readouterr().err) < 10_000
