"""Workbooks decide as the classifier does: by a library that evaluates formulas, and by LibreOffice in `make slow`."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest
from formulas import Parser
from openpyxl.utils import get_column_letter
from schedula import EMPTY
from tests.adversary.tally import count
from tests.exporting.cases import HOSTILE, learned_case, random_case, several_case
from tests.strategies import seeds

from idnf import DNFClassifier
from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.groups import OneHotGroup
from idnf.columns.intervals import NumberColumn
from idnf.governance import to_excel
from idnf.logic.dnf import DNF

INJECTED = ("=1+1", "@SUM(A1)", "+1", "-1", "=cmd|' /C calc'!A0", "_x0041_", 'a"&B1&"', "<r>a & b</r>", *HOSTILE)
# Signs that XML holds in no way: a workbook has escapes for them.
UNFIT = ("a\x00b", "a\x07b", "a\ufffeb", "a\uffffb", "<r><t>z</t></r>", "<r>a & b</r>", "_x0007_")
FORMULA = re.compile(
    r"=(IF|IFERROR|AND|OR|NOT|SUM|INT|EXACT|ISBLANK|ISNUMBER|MATCH|INDEX|MIN|COUNTA|SUMPRODUCT|N|TRUE|FALSE|Cuts!|Reasons!"
    r'|"check the values"|""|\$?[A-Z]{1,3}\$?\d+|[-+]?[\d.]+(e[-+]\d+)?|[-+(),:<>=])*',
)
# Calculates every formula anew when a file is opened.
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>"""  # noqa: E501


def some_cases(rows):
    return [*(random_case(seed, rows) for seed in seeds(2, 20)), *(several_case(seed, rows) for seed in seeds(2, 10))]


def expected(clf, frame):
    said = clf.explain(frame).columns()
    return list(zip(clf.predict(frame).tolist(), said["reason id"], said["reason"]))


def answers(sheet, value, rows):
    """The decision, the number of its reason and the reason of each row, by a function from cells to values."""
    first = [cell.value for cell in sheet[1]].index("Decision") + 1
    letters = [get_column_letter(first + i) for i in range(3)]
    return [tuple(value(f"{letter}{row + 2}") for letter in letters) for row in range(rows)]


def without_formats(path):
    """A workbook as bytes whose dates are the numbers that they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            data = given.read(name)
            made.writestr(name, re.sub(rb'(<c r="[A-Z]+\d+") s="\d+"', rb"\1", data) if "worksheets" in name else data)
    return out


class Calculated:
    """A workbook whose formulas are evaluated by the library formulas, from what was typed alone."""

    def __init__(self, path):
        self.book, self.compiled, self.known = openpyxl.load_workbook(without_formats(path)), {}, {}

    def value(self, name, home="Rows"):
        """Return the value of a cell, or those of a range."""
        sheet, _, cells = name.replace("$", "").replace("'", "").rpartition("!")
        sheet = self.book[next((one for one in self.book.sheetnames if one.lower() == sheet.lower()), home)]
        found = sheet[cells]
        if isinstance(found, tuple):
            return np.array([[self._one(sheet, cell) for cell in row] for row in found], dtype=object)
        return self._one(sheet, found)

    def _one(self, sheet, cell):
        key = (sheet.title, cell.coordinate)
        if key not in self.known:
            formula = cell.data_type == "f"
            self.known[key] = self._run(sheet, cell) if formula else EMPTY if cell.value is None else cell.value
        return self.known[key]

    def _run(self, sheet, cell):
        # Formulas of one column are the same but for the number of their row.
        text = re.sub(rf"(\$[A-Z]+){cell.row}\b", r"\g<1>2", cell.value)
        if text not in self.compiled:
            self.compiled[text] = Parser().ast(text)[1].compile()
        own = re.compile(r"^(\$?[A-Z]+)2(?::(\$?[A-Z]+)2)?$")
        names = [
            own.sub(lambda m: ":".join(f"{one}{cell.row}" for one in m.groups() if one), n)
            for n in self.compiled[text].inputs
        ]
        given = (np.array(self.value(name, sheet.title), dtype=object, ndmin=2) for name in names)
        return np.asarray(self.compiled[text](*given), dtype=object).ravel()[0]

    def typed(self, cells):
        """Type values into cells of the first sheet."""
        self.known.clear()
        for cell, value in cells.items():
            self.book["Cases"][cell].value = value


def test_formulas_decide_as_the_classifier_does(tmp_path):
    for case in some_cases(8):
        to_excel(case.clf, tmp_path / "model.xlsx", case.frame)
        found, want = Calculated(tmp_path / "model.xlsx"), expected(case.clf, case.frame)
        assert answers(found.book["Rows"], found.value, 8) == want
        inputs = [cell.value for cell in found.book["Rows"][1]].index("Decision")
        letters = [get_column_letter(i + 1) for i in range(inputs)]
        for row in range(2):
            given = {f"{letter}2": found.book["Rows"][f"{letter}{row + 2}"].value for letter in letters}
            if any(value is not None for value in given.values()):
                found.typed(given)
                assert answers(found.book["Cases"], lambda cell, f=found: f.value(cell, "Cases"), 1) == [want[row]]


def test_results_are_there_before_anything_is_calculated(tmp_path):
    for case in some_cases(6):
        to_excel(case.clf, tmp_path / "model.xlsx", case.frame)
        kept = openpyxl.load_workbook(tmp_path / "model.xlsx", data_only=True)
        found = answers(kept["Rows"], lambda cell, kept=kept: kept["Rows"][cell].value, 6)
        assert [one[1:] for one in found] == [one[1:] for one in expected(case.clf, case.frame)]


def hostile_policy():
    columns = [
        CategoryColumn("=1+1", "seen", values=tuple(sorted(INJECTED)), rare=True),
        NumberColumn("@SUM(A1)", "refused", cuts=(0.1 + 0.2,)),
        BooleanColumn('"&HYPERLINK("http://evil")&"', "refused"),
    ]
    literals = DNFClassifier.from_dnf("0", columns=columns).binariser_.literals_
    n = len(literals)
    policy = DNF.from_codes(literals, [[0, 2 * (n - 2)], [2 * (n - 1)], [2, 2 * (n - 1) + 1]])
    return DNFClassifier.from_dnf(policy, columns=columns, classes=("=no", "+yes"))


def test_no_name_and_no_value_becomes_a_formula(tmp_path):
    clf = hostile_policy()
    n = len(INJECTED)
    rows = {
        "=1+1": [*INJECTED, None],
        "@SUM(A1)": [0.1 + 0.2, 0.3, 1.0] * n,
        '"&HYPERLINK("http://evil")&"': [True, False] * n,
    }
    frame = pl.DataFrame({name: values[: n + 1] for name, values in rows.items()})
    to_excel(clf, tmp_path / "model.xlsx", frame)
    book = openpyxl.load_workbook(tmp_path / "model.xlsx")
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    formulas = [cell.value for cell in cells if cell.data_type == "f"]
    assert formulas
    assert [one for one in formulas if not FORMULA.fullmatch(one)] == []
    texts = {cell.value for cell in cells if cell.data_type == "s"}
    assert {"=1+1", "@SUM(A1)", "=no", "+yes"} <= texts
    assert answers(book["Rows"], Calculated(tmp_path / "model.xlsx").value, n + 1) == expected(clf, frame)


def test_values_that_cannot_be_read_get_no_decision(tmp_path):
    columns = [NumberColumn("income", "refused", cuts=(1000.0,)), BooleanColumn("late", "refused")]
    clf = DNFClassifier.from_dnf("'income <= 1000' | late", columns=columns, classes=("yes", "no"))
    to_excel(clf, tmp_path / "model.xlsx")
    found = Calculated(tmp_path / "model.xlsx")
    wrong = "check the values"
    for income, late, decision in [(900, False, "no"), (2000, 0, "yes"), ("much", True, wrong), (5, None, wrong)]:
        found.typed({"A2": income, "B2": late})
        assert found.value("C2", "Cases") == decision


def test_what_no_workbook_holds_is_refused(tmp_path):
    column = OneHotGroup("code", "refused", members=tuple(f"code_{i:05}" for i in range(410)))
    literals = DNFClassifier.from_dnf("0", columns=[column]).binariser_.literals_
    half = DNFClassifier.from_dnf(DNF.from_codes(literals, [[2 * i] for i in range(205)]), columns=[column])
    with pytest.raises(ValueError, match="a formula must have at most 8000 characters in a workbook; got"):
        to_excel(half, tmp_path / "model.xlsx")
    with pytest.raises(ValueError, match="text must have at most 32767 characters in a workbook; got 40000"):
        to_excel(DNFClassifier.from_dnf("a", classes=("no", "y" * 40_000)), tmp_path / "model.xlsx")


def by_libreoffice(folder, workbooks):
    """Return workbooks as LibreOffice saves them when it has calculated every formula again."""
    office = shutil.which("soffice")
    assert office, "needs LibreOffice: apt-get install libreoffice-calc-nogui"
    (folder / "profile" / "user").mkdir(parents=True)
    (folder / "profile" / "user" / "registrymodifications.xcu").write_text(PROFILE, "utf-8")
    command = [office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to"]
    subprocess.run(
        [*command, "xlsx", "--outdir", str(folder / "out"), *map(str, workbooks)], check=True, capture_output=True
    )
    return [openpyxl.load_workbook(folder / "out" / path.name, data_only=True) for path in workbooks]


@pytest.mark.slow
def test_libreoffice_decides_as_the_classifier_does(tmp_path):
    cases = [*some_cases(300), learned_case(0, 300), learned_case(1, 300)]
    paths = [tmp_path / f"{number}.xlsx" for number in range(len(cases))]
    for path, case in zip(paths, cases):
        to_excel(case.clf, path, case.frame)
    for case, book in zip(cases, by_libreoffice(tmp_path, paths), strict=True):
        found = answers(book["Rows"], lambda cell, book=book: book["Rows"][cell].value, 300)
        assert found == expected(case.clf, case.frame)
        count("rows decided by LibreOffice", len(found))


def test_every_text_is_stored_as_itself_in_well_formed_parts(tmp_path):
    for text in UNFIT:
        column = CategoryColumn(text, "refused", values=tuple(sorted((text, "z"))), rare=False)
        (name,) = DNFClassifier.from_dnf("0", columns=[column]).binariser_.literals_[:1]
        clf = DNFClassifier.from_dnf(DNF.from_codes([name], [[0]]), columns=[column], classes=("no", text))
        to_excel(clf, tmp_path / "policy.xlsx", pl.DataFrame({text: [text, "z"]}))
        with zipfile.ZipFile(tmp_path / "policy.xlsx") as book:
            parts = {name: ElementTree.fromstring(book.read(name)) for name in book.namelist()}
        main = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
        shared = ["".join(one.itertext()) for one in parts["xl/sharedStrings.xml"].findall("m:si", main)]
        assert text in map(unescaped, shared), "as a value, a class and what values are compared with"
        results = [one.text for one in parts["xl/worksheets/sheet2.xml"].findall(".//m:c[@t='str']/m:v", main)]
        assert text in map(unescaped, results), "as a decision"


def unescaped(text):
    """A text of a workbook's part as a spreadsheet reads it."""
    return re.sub("_x([0-9A-F]{4})_", lambda sign: chr(int(sign[1], 16)), text)


def test_half_a_sign_is_refused_in_words(tmp_path):
    clf = DNFClassifier.from_dnf("'b is red'", columns={"b": ["blue", "red"]})
    rows = pd.DataFrame({"b": pd.Series(["a\ud800"], dtype=object)})
    with pytest.raises(ValueError, match="a workbook must hold whole characters; got half of one, '.ud800'"):
        to_excel(clf, tmp_path / "policy.xlsx", rows)
    assert not (tmp_path / "policy.xlsx").exists()
