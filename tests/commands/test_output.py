"""What a command never overwrites."""

from __future__ import annotations

from idnf.cli import main


def test_a_table_is_never_overwritten(tmp_path, capsys):
    table = tmp_path / "rows.csv"
    table.write_text("x,y\n1,0\n2,1\n", encoding="utf-8")
    before = table.read_bytes()
    link = tmp_path / "link.json"
    link.symlink_to(table)
    for output in (table, link):
        assert main(["fit", str(table), "--target", "y", "-o", str(output)]) == 2
        assert "--output must not be a table that is read" in capsys.readouterr().err
    assert table.read_bytes() == before
