"""Excel files that ask for more memory than there is, or are broken, are refused before they are read."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from idnf.cli import main
from idnf.commands.excel_sizes import excel_size

SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
MOST = 10**9
FAR = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
ODS = "<office:x xmlns:office='o' xmlns:table='t'><table:table>{}</table:table></office:x>"
FAR_ODS = """<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="float"
office:value="1" table:number-columns-repeated="16384"/></table:table-row>"""


def parts() -> dict[str, bytes]:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("people")
        for row, cells in enumerate([("age", "y"), *((i, ("no", "yes")[i > 30]) for i in range(60))]):
            sheet.write_row(row, 0, cells)
    with zipfile.ZipFile(out) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def write(path: Path, found: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in found.items():
            book.writestr(name, content)
    return path


def refusal(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    model = str(path.with_suffix(".json"))
    code = main(["fit", str(path), "--target", "y", "--k", "1", "--learner", "greedy", "-q", "-o", model, *options])
    said = capsys.readouterr().err
    assert code == (2 if said else 0), said
    return said


@pytest.mark.parametrize(
    ("far", "large"),
    [
        (FAR, True),
        (FAR.replace(b'"', b"'"), True),
        (FAR.replace(b"<c r", b"<c\n r"), True),
        (b'<row r="4294967295"><c r="B4294967295"><v>1</v></c></row></sheetData>', True),
        (b'<x:row xmlns:x="x" r="1048576"><x:c r="xfd1048576"><x:is/></x:c></x:row></sheetData>', True),
        (b'<row r="1048576">' + b"<c><v>1</v></c>" * 400 + b"</row></sheetData>", True),
        (FAR.replace(b"XFD", b"C"), False),
        (FAR.replace(b"<v>1</v>", b""), False),
    ],
)
def test_one_cell_far_out_makes_a_sheet_large(tmp_path: Path, far: bytes, large: bool) -> None:  # noqa: FBT001
    found = parts()
    plain = excel_size(write(tmp_path / "plain.xlsx", found), MOST)
    found[SHEET] = found[SHEET].replace(b"</sheetData>", far)
    assert plain < 100_000
    assert (excel_size(write(tmp_path / "far.xlsx", found), MOST) > MOST) == large


def test_a_file_that_would_take_too_much_is_refused_and_so_is_a_broken_one(tmp_path, capsys) -> None:
    found = parts()
    assert not refusal(write(tmp_path / "plain.xlsx", found), capsys)
    far = write(tmp_path / "far.xlsx", {**found, SHEET: found[SHEET].replace(b"</sheetData>", FAR)})
    assert "table must take at most 1 gigabytes unpacked; " in refusal(far, capsys)
    for name, part in ((SHEET, found[SHEET][: len(found[SHEET]) // 2]), (TEXTS, b"<sst/>")):
        broken = write(tmp_path / "broken.xlsx", {**found, name: part})
        assert f"{broken} cannot be read as a table: " in refusal(broken, capsys)
    (tmp_path / "text.xlsx").write_text("age,y\n1,no\n", "utf-8")
    assert "text.xlsx cannot be read as a table: " in refusal(tmp_path / "text.xlsx", capsys)


def test_the_size_is_what_is_unpacked_not_what_the_archive_claims(tmp_path: Path) -> None:
    found = parts()
    found[TEXTS] = found[TEXTS].replace(b"</sst>", b"<si><t>" + b"a" * 3_000_000 + b"</t></si></sst>")
    path = write(tmp_path / "bomb.xlsx", found)
    assert excel_size(path, MOST) > 3_000_000
    assert excel_size(path, 10**6) > 10**6
    data = bytearray(path.read_bytes())
    place = data.rindex(TEXTS.encode()) - 46
    assert struct.unpack("<I", data[place + 24 : place + 28])[0] > 3_000_000
    data[place + 24 : place + 28] = struct.pack("<I", 1000)
    path.write_bytes(data)
    assert excel_size(path, 10**6) > 10**6


def test_repeated_cells_of_open_document_sheets_count(tmp_path: Path) -> None:
    assert excel_size(write(tmp_path / "far.ods", {"content.xml": ODS.format(FAR_ODS).encode()}), MOST) > MOST
    empty = FAR_ODS.replace('office:value-type="float"', "")
    assert excel_size(write(tmp_path / "empty.ods", {"content.xml": ODS.format(empty).encode()}), MOST) < 1000
