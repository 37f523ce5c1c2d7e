"""Numbers of more digits than doubles have: no categories; others are taken for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from idnf import DNFClassifier, TableBinariser, exporting
from idnf.cli import main

LONG, NEXT = 2**53, 2**53 + 1
CODES = [LONG, NEXT, 5] * 20
LABELS = ["no", "yes", "no"] * 20
RULE = "column 'c' must have categories below 2**53 = 9007199254740992 if they are numbers; got "
FORMS: dict[str, Callable[[list[int]], object]] = {
    "categories": lambda codes: pd.DataFrame({"c": pd.Categorical(codes)}),
    "ordered categories": lambda codes: pd.DataFrame({"c": pd.Categorical(codes, ordered=True)}),
    "missing categories": lambda codes: pd.DataFrame({"c": pd.Categorical([*codes[:-1], None])}),
    "int64": lambda codes: pd.DataFrame({"c": codes}),
    "Int64": lambda codes: pd.DataFrame({"c": pd.array([*codes[:-1], None], dtype="Int64")}),
    "uint64": lambda codes: pd.DataFrame({"c": pd.Series(codes, dtype="uint64")}),
    "objects": lambda codes: pd.DataFrame({"c": pd.Series(codes, dtype=object)}),
    "decimals": lambda codes: pd.DataFrame({"c": list(map(Decimal, codes))}),
    "polars": lambda codes: pl.DataFrame({"c": codes}),
    "pyarrow": lambda codes: pa.table({"c": codes}),
}


@pytest.mark.parametrize("unseen", ["allow", "refuse"])
@pytest.mark.parametrize("form", FORMS)
def test_no_categories(form: str, unseen: str) -> None:
    binariser = TableBinariser(kinds={"c": "category"}, unseen=unseen)
    for codes in (CODES, [10**17 + 1, 10**17 + 2, 10**17 + 3] * 20):
        with pytest.raises(ValueError, match=re.escape(RULE)):
            DNFClassifier(k=1, binariser=binariser).fit(FORMS[form](codes), LABELS)
    shorter = FORMS[form]([LONG - 1, LONG - 2, 5] * 20)
    assert DNFClassifier(k=1, binariser=binariser).fit(shorter, LABELS).score(shorter, LABELS) == 1


def test_as_texts_they_are_exact() -> None:
    table = pd.DataFrame({"c": pd.Categorical(list(map(str, CODES)))})
    clf = DNFClassifier(k=1).fit(table, LABELS)
    assert clf.predict(table).tolist() == LABELS
    assert "c is 9007199254740993 " in clf.to_text()


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [123456789012345671, 123456789012345672, 5] * 20
    pl.DataFrame({"c": codes, "y": LABELS}).write_parquet(tmp_path / "codes.parquet")
    pl.DataFrame({"c": codes, "y": LABELS}).write_csv(tmp_path / "codes.csv")
    fit = ["--target", "y", "--as", "c=category", "--k", "1", "--test-size", "0", "-o", str(tmp_path / "model.json")]
    assert main(["fit", str(tmp_path / "codes.parquet"), *fit]) == 2
    assert RULE in capsys.readouterr().err
    assert main(["fit", str(tmp_path / "codes.csv"), *fit]) == 0
    clf = exporting.from_json(tmp_path / "model.json")
    assert clf.predict(pl.DataFrame({"c": list(map(str, codes))})).tolist() == LABELS


def test_a_lazy_table_is_not_declared_to_be_what_it_is_not() -> None:
    table = pl.LazyFrame({"c": [1, 2, 3] * 20, "y": LABELS})
    with pytest.raises(ValueError, match=r"kinds\['c'\] must be 'keep', 'ignore' or .* numbers; got 'category'"):
        DNFClassifier(k=1, binariser=TableBinariser(kinds={"c": "category"})).fit(table, "y")
    for kind in ("keep", "number"):
        DNFClassifier(k=1, binariser=TableBinariser(kinds={"c": kind})).fit(table, "y")
    as_text = table.with_columns(pl.col("c").cast(pl.String))
    clf = DNFClassifier(k=1, binariser=TableBinariser(kinds={"c": "category"})).fit(as_text, "y")
    assert clf.predict(pl.DataFrame({"c": ["1", "2", "3"]})).tolist() == ["no", "yes", "no"]
