"""TableBinariser: the same meaning from every library, scikit-learn's checks, and bad input in words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.strategies import few, seeds
from tests.tables.generated import SIZES, MixedTable, mixed_tables
from tests.tables.naive_wording import holds

from idnf.columns.categories import BooleanColumn
from idnf.columns.column import box_phrases
from idnf.columns.groups import Ordered
from idnf.columns.phrases import BLANKS
from idnf.datasets.loans import loan_table
from idnf.exporting.column_json import COLUMNS
from idnf.exporting.documents import Place
from idnf.logic.boxes import contains
from idnf.logic.literals import Term, feature_of, is_negated
from idnf.tables.binariser import TableBinariser

FRAMES = (pd.DataFrame, pl.DataFrame)


@parametrize_with_checks(
    [
        TableBinariser(),
        *(TableBinariser(cuts="quantile") for _ in seeds(0, 1)),
        *(TableBinariser(missing="allow", max_literals_per_column=3, max_literals=40) for _ in seeds(0, 1)),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def said(words: str, name: str, table: MixedTable, row: int) -> bool:
    order = SIZES if table.kinds[name] == "size" else ()
    tidy = [value.strip(BLANKS) if isinstance(value, str) else value for value in table.values[name]]
    return holds(words, name, tidy[row], order, tidy)


@few(15)
@given(mixed_tables(), st.sampled_from(["refuse", "allow"]), st.integers(1, 6))
def test_pandas_and_polars_give_the_same_model(table, missing, most):
    binariser = TableBinariser(missing=missing, max_literals_per_column=most + 3)
    from_pandas = clone(binariser).fit(table.pandas, table.classes)
    from_polars = clone(binariser).fit(table.polars, table.classes)
    assert from_pandas.columns_ == from_polars.columns_
    assert from_pandas.literals_ == from_polars.literals_
    assert (from_pandas.transform(table.polars) == from_polars.transform(table.pandas)).all()
    assert (from_pandas.cells(table.polars) == from_polars.cells(table.pandas)).all()


@pytest.mark.parametrize("values", [["3", "4", "3", "4"], ["3", None, None, None]])
@pytest.mark.parametrize(
    ("dtype", "polars", "kind"), [(object, pl.String, "number"), ("category", pl.Categorical, "category")]
)
def test_texts_that_are_all_numbers_are_read_by_the_type_of_their_column(values, dtype, polars, kind):
    tables = [pd.DataFrame({"a": pd.Series(values, dtype=dtype)}), pl.DataFrame({"a": pl.Series(values, dtype=polars)})]
    first, second = (TableBinariser(missing="allow").fit(table, [0, 1, 0, 1]).columns_ for table in tables)
    assert first == second
    assert first[0].kind == kind


@few(15)
@given(mixed_tables(), st.sampled_from(["refuse", "allow"]))
def test_literals_cells_and_words_agree_on_every_row(table, missing):
    binariser = TableBinariser(missing=missing).fit(table.polars, table.classes)
    features, cells = binariser.transform(table.polars), binariser.cells(table.polars)
    for feature, (j, mask) in enumerate(binariser.space_.literals):
        column = binariser.columns_[j]
        negation = column.full & ~mask
        for row, held in enumerate(features[:, feature].tolist()):
            assert held == bool(mask >> int(cells[row, j]) & 1)
            assert held == said(column.words(mask), column.name, table, row)
            assert held != said(column.words(negation), column.name, table, row)
            assert not held or table.values[column.name][row] is not None or "is missing" in column.words(mask)


@few(15)
@given(mixed_tables(), st.data())
def test_any_set_of_cells_means_what_its_words_say(table, data):
    binariser = TableBinariser().fit(table.pandas, table.classes)
    cells = binariser.cells(table.pandas)
    for j, column in enumerate(binariser.columns_):
        mask = data.draw(st.integers(1, column.full))
        for row, cell in enumerate(cells[:, j].tolist()):
            assert bool(mask >> cell & 1) == said(column.words(mask), column.name, table, row)


@few(15)
@given(mixed_tables(), st.data())
def test_a_term_its_box_and_its_words_agree_on_every_row(table, data):
    binariser = TableBinariser().fit(table.pandas, table.classes)
    n_codes = 2 * len(binariser.literals_)
    if n_codes == 0:
        return
    term = Term.of(data.draw(st.sets(st.integers(0, n_codes - 1), min_size=1, max_size=4)))
    features, cells = binariser.transform(table.pandas), binariser.cells(table.pandas)
    box = binariser.space_.box(term)
    for row in range(len(features)):
        expected = all(features[row, feature_of(code)] != is_negated(code) for code in term.codes)
        assert expected == (box is not None and contains(box, cells[row].tolist()))
        if box is not None:
            constrained = [j for j, mask in enumerate(box) if mask != binariser.columns_[j].full]
            words = [phrase.condition for phrase in box_phrases(binariser.columns_, box)]
            names = [binariser.columns_[j].name for j in constrained]
            assert expected == all(said(w, name, table, row) for w, name in zip(words, names, strict=True))


@few(15)
@given(mixed_tables(), st.integers(1, 6))
def test_no_column_offers_more_literals_than_it_may(table, most):
    for column in TableBinariser(max_literals_per_column=most).fit(table.pandas, table.classes).columns_:
        assert isinstance(column, BooleanColumn) or len(column.literals) <= most
        assert all(0 < literal.mask < column.full for literal in column.literals)


@few(15)
@given(mixed_tables())
def test_columns_survive_json(table):
    binariser = TableBinariser().fit(table.pandas, table.classes)
    plain = json.loads(json.dumps(COLUMNS.write(binariser.columns_)))
    assert COLUMNS.read(Place(plain)) == binariser.columns_


@few(15)
@given(mixed_tables(), st.data())
def test_integer_weights_are_repeated_rows(table, data):
    n_rows = len(table.classes)
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows)))
    rows = np.repeat(np.arange(n_rows), weights)
    repeated = table.pandas.iloc[rows]
    if len(rows) == 0 or repeated.isna().all().any():
        return
    binariser = TableBinariser(missing="allow", max_literals_per_column=3)
    weighted = clone(binariser).fit(table.pandas, table.classes, sample_weight=weights)
    expected = clone(binariser).fit(repeated, np.array(table.classes)[rows])
    # Without the rows of weight zero all texts that are left may be numbers.
    assume(weighted.readings_ == expected.readings_)
    assert weighted.columns_ == expected.columns_


def test_weights_beyond_the_fine_bins_are_repeated_rows():
    generator = np.random.default_rng(0)
    X, weights = generator.normal(size=(3000, 2)), generator.integers(0, 3, 3000)
    y = (X[:, 0] + generator.normal(size=3000) > 0).astype(int)
    for cuts in ("tree", "quantile"):
        weighted = TableBinariser(cuts=cuts).fit(X, y, sample_weight=weights)
        assert weighted.columns_ == TableBinariser(cuts=cuts).fit(X.repeat(weights, axis=0), y.repeat(weights)).columns_


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_built_in_tables_give_the_same_model_from_pandas_and_polars(load):
    X, y = load(return_X_y=True, as_frame=True)
    one_class = (y == 0).to_numpy()
    from_pandas = TableBinariser().fit(X, one_class)
    from_polars = TableBinariser().fit(pl.DataFrame(X.to_dict("list")), one_class)
    assert from_pandas.columns_ == from_polars.columns_
    assert (from_pandas.transform(X) == from_pandas.transform(X[X.columns[::-1]])).all()


def test_the_loan_table_gives_the_same_model_from_pandas_and_polars():
    table = loan_table(500)
    from_pandas = TableBinariser().fit(table.to_pandas(), table.approved)
    from_polars = TableBinariser().fit(table.to_polars(), table.approved)
    assert from_pandas.columns_ == from_polars.columns_
    assert "income is missing" in from_pandas.literals_
    assert "region is Île-de-France" in from_pandas.literals_


def test_an_array_of_zeros_and_ones_keeps_its_columns_as_features():
    X = np.array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])
    for array in (X, X.astype(bool), X.astype(float), X.tolist()):
        binariser = TableBinariser().fit(array, [0, 1, 0])
        assert list(binariser.get_feature_names_out()) == ["x0", "x1", "x2"]
        assert (binariser.transform(array) == X.astype(bool)).all()


def test_missing_values_make_both_thresholds_literals():
    table = pd.DataFrame({"age": [20.0, 30, 40, None]})
    binariser = TableBinariser(cut_points={"age": [30]}).fit(table, [0, 0, 1, 1])
    assert list(binariser.get_feature_names_out()) == ["age <= 30", "age > 30", "age is missing"]
    assert binariser.transform(table).tolist() == [
        [True, False, False],
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


def test_missing_values_may_be_allowed_before_they_are_seen():
    binariser = TableBinariser(missing="allow", cut_points={"age": [30]})
    binariser.fit(pd.DataFrame({"age": [20, 40]}), [0, 1])
    assert list(binariser.get_feature_names_out()) == ["age <= 30"]
    assert binariser.cells(pd.DataFrame({"age": [None]})).tolist() == [[1]]
    assert binariser.columns_[0].words(0b10) == "age > 30"
    assert binariser.transform(pd.DataFrame({"age": [None]})).tolist() == [[False]]


@pytest.mark.parametrize("frame", FRAMES)
def test_columns_are_matched_by_name(frame):
    table = frame({"age": [20, 30, 40], "colour": ["red", "blue", "red"]})
    binariser = TableBinariser().fit(table, [0, 1, 1])
    shuffled = frame({"extra": [1, 2, 3], "colour": ["red", "blue", "red"], "age": [20, 30, 40]})
    assert (binariser.transform(shuffled) == binariser.transform(table)).all()


@pytest.mark.parametrize("frame", FRAMES)
def test_unseen_categories_and_numbers_out_of_range_have_a_cell(frame):
    table = frame({"age": [20, 30, 40], "colour": ["red", "blue", "red"]})
    binariser = TableBinariser().fit(table, [0, 1, 1])
    assert binariser.cells(frame({"age": [-1e9, 1e9], "colour": ["mauve", "red"]})).tolist() == [[0, 2], [2, 1]]


def test_rows_of_a_table_may_come_as_an_array():
    table = pd.DataFrame({"age": [20, 30, 40], "colour": ["red", "blue", None]})
    binariser = TableBinariser().fit(table, [0, 1, 1])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        features = binariser.transform(np.array([[20, "red"], [40, None]], dtype=object))
    assert (features == binariser.transform(table)[[0, 2]]).all()


def test_columns_without_names_are_numbered():
    table = pd.DataFrame([[1.5, "a"], [2.5, "b"]])
    assert list(TableBinariser().fit(table, [0, 1]).get_feature_names_out()) == ["x0 <= 2", "x1 is a", "x1 is b"]


def test_a_constant_column_offers_nothing():
    table = pd.DataFrame({"same": [3, 3, 3], "word": ["a", "a", "a"], "age": [1, 2, 3]})
    binariser = TableBinariser().fit(table, [0, 1, 1])
    assert list(binariser.get_feature_names_out()) == ["age <= 1", "age <= 2"]
    assert binariser.cells(pd.DataFrame({"same": [9], "word": ["b"], "age": [3]})).tolist() == [[0, 0, 2]]


def test_a_name_that_needs_quoting_is_quoted():
    table = pd.DataFrame({"a <= 3": [1, 2, 3]})
    assert list(TableBinariser().fit(table, [0, 1, 1]).get_feature_names_out()) == ['"a <= 3" <= 1', '"a <= 3" <= 2']


def test_literals_are_capped_in_all():
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(200, 5)), generator.integers(0, 2, 200)
    binariser = TableBinariser(max_literals=17, max_literals_per_column=9).fit(X, y)
    assert [len(column.literals) for column in binariser.columns_] == [3] * 5


def test_without_a_target_columns_are_cut_by_quantiles():
    assert TableBinariser(cuts="quantile", max_literals_per_column=1).fit([[1.0], [2], [3], [8]]).literals_ == (
        "x0 <= 2",
    )


def test_groups_become_one_column_whose_literals_are_their_columns():
    X = pd.DataFrame({"red": [1, 0, 0], "few": [0, 1, 1], "age": [1, 5, 9], "blue": [0, 1, 0], "none": [0, 0, 1]})
    binariser = TableBinariser(groups={"colour": ["red", "blue"], "priors": Ordered(["none", "few"])})
    binariser.fit(X, [0, 1, 1])
    assert [column.name for column in binariser.columns_] == ["colour", "priors", "age"]
    assert binariser.literals_ == ("red", "blue", "none", "few", "age <= 3", "age <= 7")
    assert binariser.cells(X).tolist() == [[0, 2, 0], [1, 1, 1], [2, 0, 2]]
    assert (binariser.transform(X)[:, :4] == X[["red", "blue", "none", "few"]].to_numpy().astype(bool)).all()


BAD_TABLES = {
    r"X must have a column to learn from; got none\. age: no value in any of 2 rows, left out": {"age": [None, None]},
    r"column 'age' must hold finite numbers; got inf in row 2. Replace infinity": {"age": [1.0, np.inf]},
    r"column 'age' must hold one type of value; got numbers \(1\) and categories \('a'\)": {"age": [1, "a"]},
    r"column 'age' must hold numbers, Booleans, categories, dates or durations; got tuple": {"age": [(1,), (2,)]},
    r"X must have at least one row; got 0": {"age": []},
    r"X must have at least one column; got 0": {},
}


@pytest.mark.parametrize(("message", "columns"), BAD_TABLES.items(), ids=str)
def test_bad_tables_are_refused_in_words(message, columns):
    table = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    with pytest.raises(ValueError, match=message):
        TableBinariser().fit(table, [0, 1][: len(table)])


def test_declared_categories_of_several_types_are_refused():
    table = pd.DataFrame({"c": pd.Categorical([1, "a", 1])})
    with pytest.raises(ValueError, match=r"column 'c' must hold one type of value; got numbers \(1\) and categories"):
        TableBinariser().fit(table, [0, 1, 0])


def test_ordered_categories_may_be_cut_by_the_user():
    table = pd.DataFrame({"c": pd.Categorical([1, 2, 3], [1, 2, 3], ordered=True)})
    assert TableBinariser(cut_points={"c": [2]}).fit(table, [0, 1, 1]).literals_ == ("c <= 2",)
    with pytest.raises(ValueError, match=r"cut_points\['c'\] must be categories of the column; got 9"):
        TableBinariser(cut_points={"c": [9]}).fit(table, [0, 1, 1])


@pytest.mark.parametrize(("output", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_features_can_be_a_table_again(output, frame):
    binariser = TableBinariser(cut_points={"age": [35]}).set_output(transform=output)
    features = binariser.fit_transform(pd.DataFrame({"age": [20, 30, 40]}), [0, 0, 1])
    assert isinstance(features, frame)
    assert features["age <= 35"].to_list() == [True, True, False]


def test_nested_values_are_refused():
    with pytest.raises(ValueError, match=r"column 'u' must hold numbers, .* got List\(Int64\)"):
        TableBinariser().fit(pl.DataFrame({"u": [[1], [2]]}), [0, 1])


def test_duplicate_names_are_refused():
    with pytest.raises(ValueError, match="X must have distinct column names.*'a' 2 times"):
        TableBinariser().fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), [0, 1])


def test_a_lazy_table_is_refused():
    with pytest.raises(TypeError, match="X must be a table in memory; got a lazy one. Collect it first"):
        TableBinariser().fit(pl.LazyFrame({"a": [1, 2]}), [0, 1])


def test_rare_categories_are_others():
    colours = pd.DataFrame({"colour": ["red"] * 120 + ["blue"] * 100 + ["mauve", "ochre"]})
    binariser = TableBinariser().fit(colours, [0, 1] * 111)
    assert binariser.literals_ == ("colour is blue", "colour is red", "colour is neither blue nor red")
    assert binariser.transform(pd.DataFrame({"colour": ["ochre", "teal"]})).tolist() == [[False, False, True]] * 2
    # Each code has three rows of one label and two of the other.
    all_rare = pd.DataFrame({"code": [f"c{i % 200}" for i in range(1000)], "n": range(1000)})
    unused = TableBinariser().fit(all_rare, [(i // 200 + i) % 2 for i in range(1000)])
    assert unused.columns_[0].literals == ()
    assert "code: 200 values, all rare, which tell no more of the label than chance would: not used" in str(
        unused.report_
    )


def test_texts_that_never_recur_are_left_out():
    names = pd.DataFrame({"name": [f"person {i}" for i in range(50)], "age": list(range(20, 45)) * 2})
    binariser = TableBinariser().fit(names, [0, 1] * 25)
    assert [column.name for column in binariser.columns_] == ["age"]
    assert str(binariser.report_) == "name: left out: 50 different values in 50 rows, probably names or comments"
    with pytest.raises(ValueError, match="column 'name' must hold categories that recur; got 50 texts, all different"):
        TableBinariser(kinds={"name": "keep"}).fit(names, [0, 1] * 25)


def test_infinity_in_an_array_is_refused():
    with pytest.raises(ValueError, match="Input X contains infinity"):
        TableBinariser().fit([[1.0], [np.inf]], [0, 1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cut_points": {"size": [1]}}, "cut_points must name columns of the table; got 'size'"),
        ({"cut_points": {"colour": [1]}}, "cut_points must name columns of numbers or dates; got 'colour'"),
        ({"cut_points": {"age": ["old"]}}, r"cut_points\['age'\] must be finite numbers; got 'old'"),
        (
            {"cut_points": {"born": ["soon"]}},
            r"cut_points\['born'\]: a date must be written like 1970-02-15; got 'soon'",
        ),
        ({"cut_points": {"born": [3]}}, r"cut_points\['born'\] must be date values; got 3"),
        ({"groups": {"g": ["age", "height"]}}, r"groups\['g'\] must list columns of the table; got 'height'"),
        ({"groups": {"g": ["age"]}}, r"groups\['g'\] must list at least two columns"),
        ({"groups": {"g": ["a", "b"], "h": ["b", "age"]}}, "groups must not share columns; got 'b' in 'g' and 'h'"),
        ({"groups": {"age": ["a", "b"]}}, "groups must not bear the name of another column; got 'age'"),
        ({"groups": {"g": ["a", "b"]}}, r"group 'g' must have at most one column set; got \['a', 'b'\] in row 2"),
        (
            {"groups": {"g": Ordered(["a", "c"])}},
            r"group 'g' must have every column imply the next; got \['a'\] in row 2",
        ),
        ({"groups": {"g": ["age", "a"]}}, "column 'age' must be true or false"),
        ({"max_literals": 1}, "max_literals must be at least 3"),
        ({"cuts": "best"}, "The 'cuts' parameter of TableBinariser must be a str among"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused_in_words(parameters, message):
    table = pd.DataFrame({"age": [1, 2], "colour": ["red", "blue"], "a": [0, 1], "b": [1, 1], "c": [1, 0]})
    table["born"] = pd.to_datetime(["2000-01-01", "2001-01-01"])
    with pytest.raises(ValueError, match=message):
        TableBinariser(**parameters).fit(table, [0, 1])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"age": [None]},
            "column 'age' must have no missing values, as in training; got one in row 1.*missing='allow'",
        ),
        ({"age": ["old"]}, "column 'age' must hold numbers such as 1234.5, as in training; got 'old' in row 1"),
        ({"colour": [3]}, r"column 'colour' must hold categories, as in training; got numbers \(3"),
        ({"born": [3]}, r"column 'born' must hold dates, as in training; got numbers \(3"),
        ({"a": [2]}, "column 'a' must be true or false, or 1 or 0, as in training; got 2 in row 1"),
        ({"size": ["huge"]}, "column 'size' must be one of small, large; got 'huge' in row 1"),
    ],
    ids=str,
)
def test_bad_values_after_training_are_refused_in_words(changed, message):
    table = pd.DataFrame({"age": [1, 2], "colour": ["red", "blue"], "a": [False, True]})
    table["born"] = pd.to_datetime(["2000-01-01", "2001-01-01"])
    table["size"] = pd.Categorical(["small", "large"], ["small", "large"], ordered=True)
    binariser = TableBinariser(missing="refuse").fit(table, [0, 1])
    row = {"age": [1], "colour": ["red"], "a": [0], "born": [pd.Timestamp("2000-01-01")], "size": ["small"], **changed}
    with pytest.raises(ValueError, match=message):
        binariser.transform(pd.DataFrame(row))


@pytest.mark.parametrize("frame", FRAMES)
def test_a_column_that_is_not_there_is_named(frame):
    binariser = TableBinariser().fit(frame({"age": [1, 2], "size": [3, 4]}), [0, 1])
    with pytest.raises(ValueError, match=r"X must have the columns seen in training; 'size' is not among \['age'\]"):
        binariser.transform(frame({"age": [1]}))


def test_a_tree_needs_a_target():
    with pytest.raises(ValueError, match="requires y to be passed.*Column 'x0'.*cuts='quantile'"):
        TableBinariser().fit(np.arange(40.0)[:, None])


@pytest.mark.parametrize("missing", [[], [np.nan]])
def test_intervals_between_cuts_are_literals_where_they_are_asked_for(missing):
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, *missing], "job": [*"abab", *["a"] * len(missing)]})
    y = [0, 1, 1, 0, *[0] * len(missing)]
    plain = TableBinariser(cut_points={"x": [1, 2, 3]}).fit(X, y)
    binariser = TableBinariser(cut_points={"x": [1, 2, 3]}, conditions="intervals").fit(X, y)
    further = [name for name in binariser.literals_ if name not in plain.literals_]
    assert further == ["1 < x <= 3"]
    truths = dict(zip(binariser.literals_, binariser.transform(X).T.tolist()))
    assert truths["1 < x <= 3"] == [False, True, True, False, *[False] * len(missing)]
    of_cells = np.array([binariser.space_.features(point) for point in binariser.cells(X).tolist()], dtype=bool)
    assert of_cells.T.tolist() == list(truths.values())
