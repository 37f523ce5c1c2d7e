"""Bands as files and programs: read back as they were, refused where changed, the same answers everywhere."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pytest
from openpyxl.utils import get_column_letter
from tests.adversary.tally import count
from tests.classifier.test_bands import ORDER, QUICK, loans
from tests.exporting.mutations import mutated
from tests.exporting.test_onnx import answers
from tests.governance.test_records import verdicts, written_checkers
from tests.governance.test_workbook import Calculated, by_libreoffice

from idnf import DNFBands, DNFClassifier, exporting
from idnf.exporting import model_json
from idnf.exporting.band_files import to_plain
from idnf.exporting.documents import DocumentError
from idnf.governance import append_records, correct_record, make_records, to_excel
from idnf.governance.letters import letter_fields
from idnf.governance.records import record_line

NAMES = ["approve", "refer", "decline"]


@pytest.fixture(scope="module")
def bands():
    X, y, _ = loans(1)
    fitted = DNFBands(k=2, boundaries=[0.3, 0.7], names=NAMES, **ORDER, **QUICK).fit(X, y)
    return fitted.with_settings(immutable=["job"])


@pytest.fixture(scope="module")
def rows():
    return loans(9)[0]


def plain_rows(table):
    return table.astype(object).where(table.notna(), None).to_dict("records")


def expected(bands, table):
    """The explanations as plain data, without their sentence."""
    found = [one.to_dict() for one in bands.explain(table)]
    return [{name: value for name, value in one.items() if name != "text"} for one in found]


def test_files_are_read_back_as_they_were(bands, rows, tmp_path):
    exporting.to_json(bands, tmp_path / "bands.json")
    read = exporting.from_json(tmp_path / "bands.json")
    assert isinstance(read, DNFBands)
    assert read.explain(rows).columns() == bands.explain(rows).columns()
    assert read.predict(rows).tolist() == bands.predict(rows).tolist()
    assert read.bands_.columns() == bands.bands_.columns()
    assert str(read.verify()) == str(bands.verify())
    assert read.explain(rows)[0].to_dict() == bands.explain(rows)[0].to_dict()
    exporting.to_json(read, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "bands.json").read_bytes()


def test_ordered_targets_and_weights_are_read_back(tmp_path):
    X, y, score = loans(4)
    levels = pd.cut(score, [-99, -1, 1, 99], labels=["low", "mid", "top"])
    weighed = DNFBands(k=2, boundaries=2, class_weight={"bad": 4.0}, **ORDER, **QUICK).fit(X, y)
    for fitted in (DNFBands(k=2, **QUICK).fit(X, pd.Series(levels)), weighed):
        exporting.to_json(fitted, tmp_path / "bands.json")
        read = exporting.from_json(tmp_path / "bands.json")
        assert read.predict(X).tolist() == fitted.predict(X).tolist()
        assert read.predict_proba(X).tolist() == fitted.predict_proba(X).tolist()


def test_the_decision_is_read_back_with_its_boundary_or_beside_the_bands(bands, tmp_path):
    assert bands.fitted_.classifier is not None
    X, y, _ = loans(4)
    through = DNFBands(k=2, **ORDER, **QUICK).fit(X, y)
    assert through.fitted_.decisive is not None
    exporting.to_json(through, tmp_path / "through.json")
    read = exporting.from_json(tmp_path / "through.json")
    assert read.predict(X).tolist() == through.predict(X).tolist()
    assert read.predict_proba(X).tolist() == through.predict_proba(X).tolist()
    for change, message in (
        (lambda plain: plain.update(decisive=99), "decisive must be an integer from 0 to"),
        (lambda plain: plain.update(classifier=to_plain(bands)["classifier"]), "decisive must be left out of a file"),
    ):
        with pytest.raises(DocumentError, match=message):
            exporting.from_json(changed(through, tmp_path / "false.json", change))
    for change, message in (
        (lambda plain: plain["classifier"].update(k=0), r"classifier must be a model; k must be an integer"),
        (lambda plain: plain["classifier"].update(classes=["a", "b"]), "classifier must be a model of the labels of"),
    ):
        with pytest.raises(DocumentError, match=message):
            exporting.from_json(changed(bands, tmp_path / "false.json", change))


def test_a_classifier_is_not_read_from_bands(bands, tmp_path):
    exporting.to_json(bands, tmp_path / "bands.json")
    with pytest.raises(DocumentError, match="must hold one classifier; it holds bands, which are not taken here"):
        model_json.from_json(tmp_path / "bands.json")
    exporting.to_json(DNFClassifier.from_dnf("a & b"), tmp_path / "one.json")
    assert isinstance(exporting.from_json(tmp_path / "one.json"), DNFClassifier)


def changed(bands, path, change):
    plain = json.loads(json.dumps(to_plain(bands)))
    change(plain)
    path.write_text(json.dumps(plain), "utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda plain: plain.update(models=plain["models"][::-1]),
            "models must be nested; each boundary must lie within",
        ),
        (lambda plain: plain.update(kind="one"), "kind must be one of bands; got 'one'"),
        (lambda plain: plain.update(boundaries=[0.7, 0.3]), "boundaries must be ascending"),
        (lambda plain: plain.update(boundaries=[0.3]), "names must be a list of 2 to 2 entries"),
        (lambda plain: plain.update(names=["a", "b", "a"]), "names must be names that differ"),
        (lambda plain: plain.update(order=[0, 0]), "order must be the numbers of the labels, each once"),
        (lambda plain: plain["counts"].pop(), "counts must be a list of 3 to 3 entries"),
        (lambda plain: plain["counts"][0].__setitem__(0, -1.0), r"counts\[0\]\[0\] must be a weight from 0"),
        (lambda plain: plain.update(costs=[1.0]), "costs must be 2 numbers or none"),
        (
            lambda plain: plain["models"][1].update(model=None),
            r"models\[1\] must be a model with what all share; model",
        ),
        (lambda plain: plain.update(k=0), "k must be an integer from 1 to 100"),
        (lambda plain: plain.pop("names"), "must have 'names'; it is not there"),
        (lambda plain: plain.update(more=1), "must have no more than"),
    ],
)
def test_false_files_are_refused(bands, tmp_path, change, message):
    path = changed(bands, tmp_path / "bands.json", change)
    with pytest.raises(DocumentError, match=message):
        exporting.from_json(path)


def read_or_refused(path):
    try:
        return exporting.from_json(path), ""
    except DocumentError as error:
        return None, str(error)


def test_mutated_files_give_nested_bands_or_a_clear_error(bands, tmp_path):
    rng, taken = random.Random(0), 0
    text = model_json.document_text(to_plain(bands))
    for _ in range(150):
        (tmp_path / "bands.json").write_bytes(mutated(text, rng))
        read, message = read_or_refused(tmp_path / "bands.json")
        assert read is not None or "is not a model file" in message
        taken += read is not None
        if isinstance(read, DNFBands):
            read.verify()
    assert 0 < taken < 75


def test_programs_answer_as_the_bands_do(bands, rows, tmp_path):
    wanted = expected(bands, rows)
    module: dict[str, object] = {}
    exec(exporting.to_python(bands), module)
    assert [module["explain"](row) for row in plain_rows(rows)] == wanted
    assert [module["predict"](row) for row in plain_rows(rows)] == bands.band(rows).tolist()
    program = shutil.which("node")
    assert program is not None, "this test needs node: apt-get install nodejs (or put node on PATH)"
    (tmp_path / "bands.js").write_text(exporting.to_javascript(bands), "utf-8")
    ask = "const m = require(process.argv[1]), rows = JSON.parse(require('fs').readFileSync(0));"
    ask += "process.stdout.write(JSON.stringify(rows.map((row) => [m.predict(row), m.explain(row)])))"
    command = [program, "-e", ask, str(tmp_path / "bands.js")]
    done = subprocess.run(command, input=json.dumps(plain_rows(rows)).encode(), capture_output=True, check=True)
    assert json.loads(done.stdout) == [[one["band"], one] for one in json.loads(json.dumps(wanted))]
    assert exporting.to_javascript(bands, module=True).endswith("export default idnf;\n")


def test_sql_answers_as_the_bands_do(bands, rows):
    connection = duckdb.connect()
    connection.register("loans", rows)
    found = connection.execute(exporting.to_sql(bands, dialect="duckdb", table="loans", reasons=True)).df()
    said = bands.explain(rows).columns()
    assert found["band"].tolist() == said["band"]
    for name, column in (("at_least", "at least"), ("below", "below")):
        assert [None if pd.isna(text) else text for text in found[name]] == said[column]
    alone = connection.execute(f"SELECT {exporting.to_sql(bands, dialect='duckdb')} AS band FROM loans").df()
    assert alone["band"].tolist() == said["band"]
    connection.register("odd", rows.head(3).assign(income=float("inf")))
    odd = connection.execute(exporting.to_sql(bands, dialect="duckdb", table="odd", reasons=True)).df()
    assert odd[["band", "at_least", "below"]].isna().all().all()


def test_onnx_gives_the_number_of_the_band(bands, rows):
    table, (low, high) = pl.from_pandas(rows), bands.fitted_.models
    assert answers(bands, table) == bands.band(rows).tolist()
    # A boundary whose higher side is the longer one is written by its terms all the same.
    assert {low.sides.default, high.sides.default} <= {0, 1}


def banded(bands, rows):
    """The name of the band and the two reasons of each row."""
    said = bands.explain(rows).columns()
    return list(zip(said["name"], [one or "" for one in said["at least"]], [one or "" for one in said["below"]]))


def answered(sheet, value, count):
    """The three answers of each row of a sheet, by a function from the name of a cell to its value."""
    first = [cell.value for cell in sheet[1]].index("Band") + 1
    letters = [get_column_letter(first + place) for place in range(3)]
    return [tuple(value(f"{letter}{row + 2}") or "" for letter in letters) for row in range(count)]


def test_workbooks_give_the_band_and_both_reasons(bands, rows, tmp_path):
    asked = rows.head(12)
    to_excel(bands, tmp_path / "bands.xlsx", asked)
    book = Calculated(tmp_path / "bands.xlsx")
    assert answered(book.book["Rows"], book.value, len(asked)) == banded(bands, asked)
    written = openpyxl.load_workbook(tmp_path / "bands.xlsx", data_only=True)["Rows"]
    assert answered(written, lambda cell: written[cell].value, len(asked)) == banded(bands, asked)


@pytest.mark.slow
def test_libreoffice_gives_the_band_and_both_reasons(bands, rows, tmp_path):
    to_excel(bands, tmp_path / "bands.xlsx", rows)
    (book,) = by_libreoffice(tmp_path, [tmp_path / "bands.xlsx"])
    assert answered(book["Rows"], lambda cell: book["Rows"][cell].value, len(rows)) == banded(bands, rows)
    count("rows put in bands by LibreOffice", len(rows))


@pytest.fixture(scope="module")
def checkers(tmp_path_factory):
    return written_checkers(tmp_path_factory.mktemp("checkers"))


@pytest.fixture(scope="module")
def recorded(bands, tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    exporting.to_json(bands, folder / "bands.json")
    return folder, make_records(bands, loans(9, rows=30)[0])


def test_records_of_bands_follow_from_the_file(bands, recorded, checkers):
    folder, made = recorded
    assert made[0]["model"] == hashlib.sha256((folder / "bands.json").read_bytes()).hexdigest()
    for record, one in zip(made, bands.explain(loans(9, rows=30)[0]), strict=True):
        assert record["decision"] == one.name
        assert [reason["gives"] for reason in record["reasons"]] == [part.label for part in one.claims]
        assert len(record["changes"]) == len(one.claims)
        assert bool(record["principal"]) == (one.band > 0)
    for command in checkers:
        assert all(verdicts(command, folder, map(record_line, made), folder / "bands.json"))


def false_bands(record):
    """Yield records that differ from a true one in something that cannot hold."""
    for name in {*NAMES, "no such band"} - {record["decision"]}:
        yield {**record, "decision": name}
    reasons, changes = record["reasons"], record["changes"]
    yield {**record, "reasons": reasons[:-1], "changes": changes[:-1]}
    yield {**record, "reasons": [*reasons, reasons[0]], "changes": [*changes, changes[0]]}
    yield {**record, "changes": changes[0]}
    yield {**record, "reasons": [{**one, "gives": record["decision"]} for one in reasons]}
    if len(reasons) == 2:
        yield {**record, "reasons": reasons[::-1]}
        yield {**record, "changes": changes[::-1]}
    for place, one in enumerate(reasons):
        if one["conditions"]:
            yield {**record, "reasons": [*reasons[:place], {**one, "conditions": []}, *reasons[place + 1 :]]}
        if changes[place] is not None:
            yield {**record, "changes": [*changes[:place], None, *changes[place + 1 :]]}


def test_false_records_of_bands_are_refused(recorded, checkers):
    folder, made = recorded
    false = [dict(one) for record in made for one in false_bands(record)]
    for place, one in enumerate(false):
        one["id"] = f"{one['id']}.{place}"
    for command in checkers:
        held = verdicts(command, folder, map(record_line, false), folder / "bands.json")
        assert not any(held), [one for one, is_held in zip(false, held) if is_held][:1]


def test_a_false_file_of_bands_is_refused_by_the_checkers(bands, recorded, checkers, tmp_path):
    folder, made = recorded
    for change in (
        lambda plain: plain.update(names=NAMES[:2]),
        lambda plain: plain.update(kind="score"),
        lambda plain: plain.update(names=["a", "a", "b"]),
        lambda plain: plain["models"].clear(),
    ):
        path = changed(bands, tmp_path / "false.json", change)
        for command in checkers:
            assert not any(verdicts(command, folder, map(record_line, made), path))


def test_a_record_of_a_band_is_corrected(bands, recorded, checkers, tmp_path):
    folder, made = recorded
    path = tmp_path / "decisions.jsonl"
    append_records(path, made)
    old = next(record for record in made if record["decision"] == "decline")
    _, new = correct_record(bands, path, old["id"], {"income": "8.5", "late": "0"})
    assert new["decision"] == bands.explain({"job": "clerk", **old["values"], "income": 8.5, "late": 0})[0].name
    for command in checkers:
        assert all(verdicts(command, folder, path.read_bytes().splitlines(), folder / "bands.json"))


def test_letters_say_why_no_lower_band(recorded):
    record = next(one for one in recorded[1] if one["decision"] == "refer")
    fields = letter_fields(record)
    assert fields["decision"] == "refer"
    assert fields["reasons"] == [one["said"] for one in record["reasons"][0]["conditions"]]
    assert fields["changed decision"] in ("below refer", "")
