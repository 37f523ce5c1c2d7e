"""Decision tables in DMN, Excel and CSV, audited as by brute force; and files that attack their reader."""

from __future__ import annotations

import datetime
import io
import zipfile
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pytest
from tests.governance import naive_policies as naive

from idnf import InvalidArgument
from idnf.governance import audit

HITS = {"U": "UNIQUE", "A": "ANY", "F": "FIRST"}
TYPES = {"text": "string"}


def csv_of(table):
    """The table as separated text."""
    head = [table.hit, *(f"{name}: {kind}" for name, kind in table.inputs), "-> outcome"]
    lines = [head, *([str(i), *rule] for i, rule in enumerate(table.rules, 1))]
    if table.otherwise:
        lines.append(["", *["otherwise"] * len(table.inputs), table.otherwise])
    return "\n".join(";".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines) + "\n"


def dmn_of(table):
    """The table as DMN 1.3."""

    def entry(kind, text):
        return f"<{kind}><text>{escape(text)}</text></{kind}>"

    parts = []
    for name, kind in table.inputs:
        values = ",".join(f'"{v}"' for v in table.allowed.get(name, ()))
        stated = f"<inputValues><text>{escape(values)}</text></inputValues>" if values else ""
        expression = (
            f"<inputExpression typeRef={quoteattr(TYPES.get(kind, kind))}><text>{name}</text></inputExpression>"
        )
        parts.append(f"<input>{expression}{stated}</input>")
    default = f'<defaultOutputEntry><text>"{table.otherwise}"</text></defaultOutputEntry>' if table.otherwise else ""
    parts.append(f'<output name="outcome" typeRef="string">{default}</output>')
    for *tests, outcome in table.rules:
        entries = [entry("inputEntry", "" if test == "-" else test) for test in tests]
        parts.append(f"<rule>{''.join(entries)}{entry('outputEntry', f'{chr(34)}{outcome}{chr(34)}')}</rule>")
    inner = f'<decisionTable hitPolicy="{HITS[table.hit]}">{"".join(parts)}</decisionTable>'
    space = "https://www.omg.org/spec/DMN/20191111/MODEL/"
    decision = f"<decision name={quoteattr(table.name)}>{inner}</decision>"
    return f'<?xml version="1.0"?><definitions xmlns="{space}">{decision}</definitions>'


def write(table, form, folder):
    """The table in a file of some form."""
    path = folder / f"policy.{form}"
    if form == "xlsx":
        book = openpyxl.Workbook()
        book.active.append([table.hit, *(f"{name}: {kind}" for name, kind in table.inputs), "-> outcome"])
        for i, rule in enumerate(table.rules, 1):
            book.active.append([i, *rule])
        if table.otherwise:
            book.active.append([None, *["otherwise"] * len(table.inputs), table.otherwise])
        book.save(path)
    else:
        path.write_text(csv_of(table) if form == "csv" else dmn_of(table), "utf-8")
    return path


# Only DMN states the values that are allowed.
CASES = [
    (table, form) for table in naive.TABLES for form in ("csv", "dmn", "xlsx") if form == "dmn" or not table.allowed
]


@pytest.mark.parametrize(("table", "form"), CASES, ids=[f"{table.name}-{form}" for table, form in CASES])
def test_tables_are_audited_as_by_brute_force(table, form, tmp_path):
    found, expected = audit(write(table, form, tmp_path)), naive.audit(table)
    rules = found.rules
    assert {(i, j) for i, j, _ in rules.meetings} == expected.meetings
    assert {(i, j) for i, j, _ in rules.contradictions} == expected.contradictions
    assert len(found.contradictions) == len(expected.contradictions)
    assert bool(found.gaps) == expected.gap
    assert {i for i in range(len(rules.rules)) if not rules.decides(i)} == expected.idle
    assert found.sizes == expected.sizes
    assert "every row has exactly one class" in found.check() or expected.gap or expected.contradictions
    names = [name for name, _ in table.inputs]
    for i, j, row in rules.meetings:
        values = [row.get(name) for name in names]
        for place in (i, j):
            assert all(v is None or naive.holds(cell, v) for cell, v in zip(table.rules[place], values))
    for row in found.gap_rows:
        values = [row.get(name) for name in names]
        assert not any(all(v is None or naive.holds(c, v) for c, v in zip(rule, values)) for rule in table.rules)
    for label, row in found.hardest().items():
        assert {label} == {
            outcome
            for probe, outcome in expected.outcomes.items()
            if all(row.get(name) == v for name, v in zip(names, probe))
        } or not any(all(row.get(n) == v for n, v in zip(names, probe)) for probe in expected.outcomes)


def test_the_report_begins_with_what_is_wrong(tmp_path):
    table = naive.t(
        "x", "U", "age:integer|late:boolean", "<= 18|-|no", ">= 18|true|yes", "> 30|false|yes", "20|true|yes"
    )
    lines = audit(write(table, "csv", tmp_path)).to_text().splitlines()
    assert lines[0] == "4 rules over 2 columns, hit policy UNIQUE."
    assert lines[1] == "Contradictions between outcomes: 1."
    assert lines[2] == (
        "- rule 1: age <= 18 then no / rule 2: age >= 18 and late is true then yes, for example age = 18, late = true"
    )
    assert lines[3] == "Rows that get no class: 1."
    assert lines[4].endswith("for example age = 19, late = false")
    assert lines[5] == "Rules that never decide: none."
    assert lines[6].startswith("Every no can be explained by at most ")


def test_cells_of_spreadsheets_hold_numbers_truths_and_dates(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["A", "rooms", "late", "opened", "job", "outcome"],
        [1, 2, True, datetime.date(2024, 6, 30), "chief nurse", "a"],
    ):
        sheet.append(row)
    sheet.append([2, None, False, "< 2024-06-30", "cook, clerk", 7])
    sheet.append([3, None, None, None, "not(cook)", 7.5])
    sheet.merge_cells("B3:B4")
    sheet["B3"] = "> 3"
    book.save(tmp_path / "p.xlsx")
    found = audit(tmp_path / "p.xlsx")
    assert [rule.text for rule in found.rules.rules] == [
        "rule 1: rooms = 2 and late is true and opened is 2024-06-30 and job is chief nurse then a",
        "rule 2: rooms > 3 and late is false and opened <= 2024-06-29 and job is cook or clerk then 7",
        "rule 3: rooms > 3 and job is not cook then 7.5",
    ] or [rule.label for rule in found.rules.rules] == ["a", 7, 7.5]
    assert {column.name for column in found.rules.columns} == {"rooms", "late", "opened", "job"}


def test_several_sheets_or_decisions_are_chosen_by_name(tmp_path):
    one, two = naive.TABLES[0], naive.TABLES[1]
    both = dmn_of(one).replace("</definitions>", dmn_of(two).partition('MODEL/">')[2])
    (tmp_path / "p.dmn").write_text(both, "utf-8")
    with pytest.raises(
        InvalidArgument, match=r"table must name one of the tables of p.dmn \('complete, gapped'\); got none"
    ):
        audit(tmp_path / "p.dmn")
    assert audit(tmp_path / "p.dmn", table="gapped").gaps
    with pytest.raises(InvalidArgument, match=r"table must be one of 'complete, gapped'; got 'other'\."):
        audit(tmp_path / "p.dmn", table="other")
    book = openpyxl.Workbook()
    for name in ("A", "B"):
        sheet = book.create_sheet(name)
        sheet.append(["age", "out"])
        sheet.append(["< 3", "no"])
    book.save(tmp_path / "p.xlsx")
    with pytest.raises(InvalidArgument, match=r"table must name one of the sheets of p.xlsx \(A, B\); got none\."):
        audit(tmp_path / "p.xlsx")
    assert audit(str(tmp_path / "p.xlsx"), table="B").gaps


def test_a_complete_table_is_a_model(tmp_path):
    table = naive.TABLES[6]
    model = audit(write(table, "dmn", tmp_path)).to_classifier()
    assert model.predict([[20.0, False], [20.0, True], [10.0, False]]).tolist() == ["yes", "no", "no"]
    with pytest.raises(ValueError, match="rules must give every row a class; none is given if"):
        audit(write(naive.TABLES[1], "dmn", tmp_path)).to_classifier()
    with pytest.raises(ValueError, match="rules must not contradict each other"):
        audit(write(naive.TABLES[2], "dmn", tmp_path)).to_classifier()


BAD_CELLS = [
    ("age + 1", r"line 2, column 1 must hold unary tests; got 'age \+ 1'"),
    ("[1..", r"line 2, column 1 must hold unary tests; got '\[1\.\.'"),
    ("not(1", "line 2, column 1 must hold unary tests"),
    ('< "a"', "compare numbers or dates with <; got '< \"a\"'"),
    ("< 1e999", "line 2, column 1 must hold unary tests; got '< 1e999'"),
    ('date("2024-13-01")', "hold dates as in 2024-06-30; got '2024-13-01'"),
    ('"unclosed', "must be text with separators and closed quotes|must hold unary tests"),
]


@pytest.mark.parametrize(("cell", "words"), BAD_CELLS)
def test_cells_that_cannot_be_read_are_named(cell, words, tmp_path):
    quoted = cell.replace('"', '""')
    (tmp_path / "p.csv").write_text(f'age,out\n"{quoted}",no\n', "utf-8")
    with pytest.raises(InvalidArgument, match=words):
        audit(tmp_path / "p.csv")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age,out\n", "p.csv must have a row of names and a row for each rule; got 1 rows"),
        ("age,out\n< 3,a\n< 4,\n", r"line 3, column 2 must hold one outcome: .*; got nothing"),
        ('age,out\n< 3,"a""b"\n', r"line 2, column 2 must hold one outcome: .*; got 'a"),
        ('age,out\n< 3,"""a"",""b"""\n', r"line 2, column 2 must hold one outcome"),
        ("age,out\n< 3,a\nnurse,b\n", "line 3, column 1 must be compared as a number, like the other cells"),
        ("age,age,out\n1,2,a\n", "must have inputs of different names; got age more than once"),
        ("out\na\n", "columns of inputs; got no inputs"),
        ("age,,out\n1,2,a\n", "line 1, column 2 must name its column, which has tests"),
        ("age,out\n-,a\n", "must have a rule that tests something; got none"),
        ('age,out\n"[5..1]",a\n', "line 2 must have tests that some value allowed can meet"),
    ],
)
def test_tables_that_are_none_are_refused(text, words, tmp_path):
    (tmp_path / "p.csv").write_text(text, "utf-8")
    with pytest.raises(InvalidArgument, match=words):
        audit(tmp_path / "p.csv")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'hitPolicy="UNIQUE"',
            'hitPolicy="COLLECT" aggregation="SUM"',
            "hit policy UNIQUE, ANY or FIRST; got 'COLLECT SUM'",
        ),
        ('hitPolicy="UNIQUE"', 'hitPolicy="RULE ORDER"', "hit policy UNIQUE, ANY or FIRST; got 'RULE ORDER'"),
        ("<text>age</text>", "<text>count(list)</text>", "input 1 must be a name, or two names joined"),
        ("<outputEntry><text>", "<outputEntry><text>upper case(", "rule 1, output 1 must hold one outcome"),
        ("<inputEntry>", '<inputEntry expressionLanguage="juel">', "rule 1 must be written in FEEL; got 'juel'"),
        (
            "</inputEntry>",
            "</inputEntry><inputEntry/>",
            "rule 1 must have 1 tests and 1 outcomes, as the table has; got 2 and 1",
        ),
        ("<definitions", "<html", "must be well-formed XML"),
    ],
)
def test_dmn_beyond_unary_tests_is_refused(old, new, words, tmp_path):
    path = tmp_path / "p.dmn"
    path.write_text(dmn_of(naive.TABLES[0]).replace(old, new, 1), "utf-8")
    with pytest.raises(InvalidArgument, match=words):
        audit(path)


LAUGHS = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><definitions>&b;</definitions>'
FOREIGN = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><definitions>&x;</definitions>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LAUGHS, "must be XML without a document type, which may hold entities"),
        (FOREIGN, "must be XML without a document type, which may hold entities"),
        ("<definitions>" + "<a>" * 100 + "</a>" * 100 + "</definitions>", "must be nested at most 64 deep"),
        ("<definitions>" + "<a/>" * 500_001 + "</definitions>", "must have at most 500,000 elements"),
        ("<definitions>", "must be well-formed XML; got no element found in line 1"),
        ("", "must be well-formed XML"),
        ('<?xml version="1.0" encoding="utf-7"?><a/>', "must be well-formed XML; got multi-byte encodings"),
        ('<?xml version="1.0" encoding="runes"?><a/>', "must be well-formed XML; got unknown encoding"),
        ("<svg/>", "must be a DMN file, whose first element is definitions; got 'svg'"),
        ("<definitions>" + " " * 20_000_001 + "</definitions>", "must have at most 20,000,000 bytes"),
    ],
    ids=["laughs", "foreign", "deep", "many", "open", "empty", "utf-7", "runes", "svg", "large"],
)
def test_xml_that_attacks_its_reader_is_refused(text, words, tmp_path):
    (tmp_path / "p.dmn").write_text(text, "utf-8")
    with pytest.raises(InvalidArgument, match=words):
        audit(tmp_path / "p.dmn")


def workbook(**parts):
    """A workbook with some parts in place of its own."""
    book, out, done = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["age", "out"])
    book.active.append(["< 3", "no"])
    book.save(out)
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(done, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name.rpartition("/")[2], old.read(name)))
    return done.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"not a workbook", r"p.xlsx must be an Excel workbook \(.xlsx\); got a file of another kind"),
        (workbook(**{"sheet1.xml": b"<a>" + b" " * 30_000_000 + b"</a>"}), "must unpack to at most 20,000,000 bytes"),
        (workbook(**{"sheet1.xml": LAUGHS.encode()}), "must be XML without a document type"),
        (workbook(**{"sheet1.xml": b"<w><sheetData><row><c r='A1'><f>1+1</f></c></row></sheetData></w>"}), "a formula"),
        (
            workbook(**{"sheet1.xml": b"<w><sheetData><row><c r='A1' t='s'><v>99</v></c></row></sheetData></w>"}),
            "name one of the texts",
        ),
        (
            workbook(**{"sheet1.xml": b"<w><sheetData><row><c r='ZZZ1'><v>9</v></c></row></sheetData></w>"}),
            "1,000 rows and 200 columns",
        ),
        (
            workbook(**{"sheet1.xml": b"<w><sheetData><row><c r='x'><v>9</v></c></row></sheetData></w>"}),
            "name its cells as in B3; got 'x'",
        ),
        (
            workbook(**{"sheet1.xml": b"<w><sheetData><row><c r='A1' t='e'><v>#REF!</v></c></row></sheetData></w>"}),
            "the error '#REF!'",
        ),
    ],
    ids=["other", "bomb", "entities", "formula", "text", "wide", "address", "error"],
)
def test_workbooks_that_attack_their_reader_are_refused(data, words, tmp_path):
    (tmp_path / "p.xlsx").write_bytes(data)
    with pytest.raises(InvalidArgument, match=words):
        audit(tmp_path / "p.xlsx")


def test_files_that_are_not_there_or_not_text_are_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="path must name a file; got nowhere.dmn"):
        audit("nowhere.dmn")
    (tmp_path / "p.csv").write_bytes(b"age,out\n\xff,no\n")
    with pytest.raises(InvalidArgument, match="p.csv must be text in UTF-8; got byte 8 of another encoding"):
        audit(tmp_path / "p.csv")


def test_columns_made_of_two_count_as_both(tmp_path):
    (tmp_path / "p.csv").write_text(
        "U;debt / income;late;out\n1;<= 0.4;false;yes\n2;<= 0.4;true;no\n3;> 0.4;-;no\n4;null;-;no\n", "utf-8"
    )
    found = audit(tmp_path / "p.csv")
    assert (found.gaps, found.contradictions, found.sizes) == ([], [], {"no": 2, "yes": 3})
    with pytest.raises(
        ValueError, match="look at columns of the table alone to be a model; 'debt / income' is made of two"
    ):
        found.to_classifier()
    text = "if debt / income > 0.4 then no\nif end - start <= 30 then no\notherwise yes"
    assert audit(text).sizes == {"no": 2, "yes": 4}
    lacking = "if debt / income > 0.4 then no\nif debt / income <= 0.4 then yes"
    assert audit(lacking).gaps == []
    (tmp_path / "q.csv").write_text("U;debt / income;out\n1;<= 0.4;yes\n2;> 0.4;no\n", "utf-8")
    assert audit(tmp_path / "q.csv").gaps == ["debt / income is missing"]


def test_rows_that_derived_columns_bar_are_no_gaps(tmp_path):
    lines = ["U;debt;income;debt - income;out", "1;> 100;<= 50;> 50;no", "2;<= 100;-;-;yes", "3;> 100;> 50;-;yes"]
    (tmp_path / "p.csv").write_text("\n".join(lines), "utf-8")
    assert audit(tmp_path / "p.csv").gaps == [], "over 100 less at most 50 is over 50"
    (tmp_path / "p.csv").write_text("\n".join(lines).replace("> 50;no", "> 60;no"), "utf-8")
    found = audit(tmp_path / "p.csv")
    (row,) = found.gap_rows
    assert row["debt"] - row["income"] == row["debt - income"] <= 60
    assert row["debt"] > 100
    assert row["income"] <= 50
    (tmp_path / "p.csv").write_text("U;a;a / b;out\n1;<= 0;> 0;x\n2;<= 0;> 0;y\n", "utf-8")
    assert audit(tmp_path / "p.csv").contradictions, "0 over a negative number, or both negative"
    (tmp_path / "p.csv").write_text("U;a;b;a * b;out\n1;> 1;> 1;< 1;x\n2;> 1;> 1;< 1;y\n", "utf-8")
    assert not audit(tmp_path / "p.csv").contradictions, "no two numbers over 1 have a product below 1"
