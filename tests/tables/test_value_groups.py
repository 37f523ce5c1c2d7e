"""Groups of values: what chance would do, drawn shares, cells and words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import naive_groups

from idnf import DNFClassifier, TableBinariser, check_rules, difference
from idnf.columns.predicates import field_values, holds
from idnf.columns.raw import read_values
from idnf.columns.value_groups import MOST_GROUPS, GroupedColumn, groups_of
from idnf.tables.value_grouping import (
    CHANCE,
    CountedCategories,
    chance_moments,
    chance_of,
    drawn_shares,
    grouped_column,
)

EXAMPLES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=4, max_size=7)


def counted(values, labels):
    kinds = sorted(set(values))
    rows = np.zeros((len(kinds), max(labels) + 1), dtype=np.intp)
    np.add.at(rows, ([kinds.index(value) for value in values], labels), 1)
    return kinds, rows


@settings(max_examples=40, deadline=None)
@given(EXAMPLES)
def test_chance_has_the_moments_of_all_orders_of_the_labels(examples):
    values, labels = map(list, zip(*examples))
    rows = counted(values, labels)[1]
    table = rows[:, rows.any(axis=0)]
    if min(table.shape) < 2:
        assert chance_of(rows) == 1
        return
    assert chance_moments(table) == pytest.approx(naive_groups.chance_moments(values, labels))


def test_noise_is_chance_and_shops_are_not():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 300, (400, 4000))
    noise = [counted(list(line), list((rng.random(4000) < 0.3) * 1))[1] for line in values[:60]]
    found = [chance_of(rows) for rows in noise]
    assert sum(one < CHANCE for one in found) == 0
    assert 0.3 < np.mean(found) < 0.7
    fraud = (values[0] < 90) * 1
    assert chance_of(counted(list(values[0]), list(fraud))[1]) < CHANCE


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1)), min_size=2, max_size=40))
def test_shares_are_drawn_to_the_mean_as_defined(examples):
    values, labels = map(list, zip(*examples))
    kinds, rows = counted(values, labels)
    sizes = rows.sum(axis=1).astype(float)
    shares = rows[:, 1] / sizes if rows.shape[1] > 1 else np.zeros(len(sizes))
    found, mean = drawn_shares(sizes, shares)
    assert found == pytest.approx([naive_groups.drawn_share(kind, values, labels) for kind in kinds], abs=1e-9)
    assert mean == pytest.approx(sum(labels) / len(labels))
    # A rare value never lies beyond a frequent one of the same share.
    assert ((found - mean) * (shares - mean) >= -1e-9).all()


@st.composite
def tables(draw):
    """Counts of 12 to 30 values by two to four labels, some of them of one label mostly."""
    labels, size = draw(st.integers(2, 4)), draw(st.integers(12, 30))
    rows = [[draw(st.integers(0, 3)) for _ in range(labels)] for _ in range(size)]
    for line in rows:
        line[draw(st.integers(0, labels - 1))] += draw(st.integers(1, 30))
    return np.array(rows, dtype=np.intp)


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["refused", "counted", "allowed", "seen"]))
def test_cells_are_groups_of_all_values(rows, missing):
    names = [f"v{i:02}" for i in range(len(rows))]
    column = grouped_column("shop", CountedCategories(names, rows, rows * 1.0), missing, most=10)
    if column is None:
        assert chance_of(rows) >= CHANCE or rows.shape[1] > 2
        return
    assert sorted(value for group in column.groups for value in group) == names
    assert 2 <= len(column.groups) <= MOST_GROUPS
    assert len(column.literals) <= 10
    assert column.one_order == (rows.shape[1] == 2) or len(set(column.orders)) == 1
    # Two values of one group meet the same literals, two of different groups do not.
    held = column.features([value for group in column.groups for value in group[:1]])
    assert len({tuple(line) for line in held.T.tolist()}) == len(column.groups)
    # A value never seen meets the literals that a value of the mean share would.
    if rows.shape[1] == 2:
        shares = rows[:, 1] / rows.sum(axis=1)
        mean = rows[:, 1].sum() / rows.sum()
        unseen = column.features(["new"])[:, 0]
        for mask, own in zip(column.sets, unseen.tolist()):
            inside = [names.index(v) for cell, group in enumerate(column.groups) if mask >> cell & 1 for v in group]
            outside = sorted(set(range(len(names))) - set(inside))
            is_above = shares[inside].mean() >= shares[outside].mean()
            assert own == (is_above == (mean > _border(rows, inside if is_above else outside)))


def _border(rows, above):
    """Half way between the highest drawn share below and the lowest above."""
    sizes = rows.sum(axis=1).astype(float)
    drawn, _ = drawn_shares(sizes, rows[:, 1] / sizes)
    below = sorted(set(range(len(rows))) - set(above))
    return (drawn[below].max() + drawn[above].min()) / 2


def column_of(**given):
    groups = (tuple(f"a{i}" for i in range(7)), ("b", "c"), tuple(f"d{i}" for i in range(9)))
    settings = {"groups": groups, "sets": (0b100, 0b001), "orders": (1, 1), "one_order": True, **given}
    return GroupedColumn("shop", settings.pop("missing", "refused"), **settings)


def test_every_set_of_groups_is_a_test_of_its_values():
    for missing in ("refused", "counted", "allowed", "seen"):
        column = column_of(missing=missing)
        values = ["a0", "a6", "b", "c", "d0", " d8 ", "new", *([] if missing == "refused" else [None])]
        cells = column.cells(values)
        read = {"shop": field_values(column.fields[0], read_values("shop", values))}
        for mask in range(1, column.full):
            assert holds(column.test(mask), read).tolist() == [bool(mask >> cell & 1) for cell in cells.tolist()]


def test_words_name_few_values_and_count_many():
    column = column_of(missing="seen")
    assert column.words(0b00010) == "shop is b or c"
    assert column.words(0b00100) == "shop is in group high (9 values)"
    assert column.words(0b00110) == "shop is in group middle or above (11 values)"
    assert column.words(0b00011) == "shop is in group middle or below (9 values)"
    assert column.words(0b00101) == "shop is in group low or high (16 values)"
    assert column.words(0b11011) == "shop is not in group high (9 values), or missing"
    assert column.words(0b01011) == "shop is neither in group high (9 values) nor missing"
    assert column.words(0b01000) == "shop is a value never seen"
    assert column.words(0b00111) == "shop is a value seen in training"
    assert column.words(0b10000) == "shop is missing"
    assert column.phrase(0b00100).because("shop", "d7") == "shop is d7 (one of 9 in group high)"
    assert column.phrase(0b11011).because("shop", "a1") == "shop is a1 (not one of 9 in group high)"
    assert column.phrase(0b01011).because("shop", "x") == "shop is x (not one of 9 in group high)"
    assert column.phrase(0b00100).change("shop") == "shop were one of 9 in group high"
    several = column_of(one_order=False)
    assert several.words(0b0101) == "shop is in groups 1 or 3 (16 values)"


def test_values_never_seen_are_refused_if_asked():
    column = column_of(closed=True)
    assert column.cells(["a0", "d3"]).tolist() == [0, 2]
    with pytest.raises(ValueError, match="column 'shop' must be a category seen in training; got 'new' in row 1"):
        column.cells(["new"])


def shops(seed=0, n=5000):
    rng = np.random.default_rng(seed)
    shop, amount = rng.integers(0, 100, n), rng.integers(1, 500, n)
    late = ((shop < 30) & (amount > 200)) ^ (rng.random(n) < 0.03)
    return pl.DataFrame({"shop": [f"s{i}" for i in shop], "amount": amount}), np.where(late, "yes", "no")


def test_a_column_of_many_values_is_used_and_listed():
    X, y = shops()
    clf = DNFClassifier(2).fit(X[:4000], y[:4000])
    bad = {f"s{i}" for i in range(30)}
    high = {value for name, values in clf.groups_["shop"].items() for value in values if value in bad}
    assert high == bad
    assert clf.score(X[4000:], y[4000:]) > 0.95
    assert "Groups of shop" in clf.to_text()
    assert "shop: 100 values in " in str(clf.columns_report_)
    assert groups_of(clf.binariser_.columns_) == clf.groups_
    why = str(clf.explain(pl.DataFrame({"shop": ["s7"], "amount": [300]}))[0])
    assert "shop is s7 (one of 30 in group " in why
    clf.verify()


def test_pandas_and_polars_and_spellings_give_the_same_groups():
    X, y = shops()
    one = TableBinariser().fit(X, y).columns_[0]
    assert TableBinariser().fit(X.to_pandas(), y).columns_[0] == one
    written = X.with_columns(
        pl.when(pl.int_range(pl.len()) % 2 == 0).then("shop").otherwise(pl.col("shop").str.to_uppercase())
    )
    merged = TableBinariser(merge_spellings=True).fit(written, y).columns_[0]
    assert {frozenset(map(str.casefold, values)) for values in merged.groups} == set(map(frozenset, one.groups))


def test_without_labels_values_are_named():
    X, _ = shops()
    column = TableBinariser(cuts="quantile").fit(X).columns_[0]
    assert (column.kind, len(column.values)) == ("category", 9)


def test_what_is_cut_has_a_line():
    table = pd.DataFrame({"colour": ["red"] * 120 + ["blue"] * 100 + ["mauve", "ochre"]})
    said = str(TableBinariser().fit(table, [0, 1] * 111).report_)
    assert "colour: 2 of 4 values have no condition of their own and count together as other" in said


def test_models_with_other_groups_are_compared_and_rules_about_single_values_are_checked():
    X, y = shops()
    now = X.with_columns(shop=pl.when(pl.col("shop") == "s90").then(pl.lit("s91")).otherwise("shop"))
    later = np.where((X["shop"] == "s40").to_numpy() & (X["amount"] > 200).to_numpy(), "yes", y)
    old, new = DNFClassifier(2).fit(X, y), DNFClassifier(2).fit(now, later)
    found = difference(old, new, X)
    changed = old.predict(X) != new.predict(X)
    assert changed.any()
    assert found.rows == changed.sum()
    few = X.with_columns(shop=pl.when(pl.col("shop").is_in(["s1", "s2", "s50"])).then("shop").otherwise(pl.lit("rest")))
    assert difference(old, DNFClassifier(2).fit(few, y)).regions
    held, broken = check_rules(old, ["if shop = s50 then no", "if shop = s3 then no"])
    assert (held.holds, broken.holds) == (True, False)
