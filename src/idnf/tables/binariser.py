"""TableBinariser: a scikit-learn transformer from a table of the user's columns to Boolean features."""

# scikit-learn has no types: its base classes and decorators are opaque to mypy.
# mypy: disallow-subclassing-any=False, disallow-untyped-decorators=False

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral, Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.columns.column import RowProblem, TableColumn, literal_names, space_of, without_problems
from idnf.columns.eager_frames import as_frame, refuse_empty, refuse_unknown, select_columns
from idnf.columns.groups import Groups, allowed_literals, fit_group, members_of
from idnf.columns.phrases import BLANKS, brief, whole_text
from idnf.columns.predicates import OneOf
from idnf.columns.raw import RawColumn, RawTable, is_record_array, read_array, read_records
from idnf.logic.boxes import Space
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.tables.column_check import (
    ColumnDecision,
    ColumnsReport,
    UnreadValuesWarning,
    category_decisions,
    check_columns,
)
from idnf.tables.column_fitting import (
    OFFERS,
    ColumnPlan,
    CutValue,
    Examples,
    Offer,
    Settings,
    fit_column,
    fit_plans,
)
from idnf.tables.column_reading import KINDS, ColumnReader, read_as, reading_for
from idnf.tables.cuts import TimeSlices
from idnf.tables.estimator_bases import BaseEstimator, TransformerMixin, checks_parameters
from idnf.tables.targets import checked_weights, in_range, sorted_labels
from idnf.tables.text_values import Decimal, TextReading

if TYPE_CHECKING:
    from sklearn.utils import Tags

MOST_RARE = 200
"""Categories without a cell of their own that are remembered, so that new ones can be told from them."""


# Rows that are turned into columns at a time.
_BLOCK = 256
# About how long it takes to cut a column, twice if there are many.
_SECONDS_A_COLUMN = 5e-3

_NUMERIC = ("number", "digit", "truth")
"""How fields are read that an array of numbers can hold."""


class _FittedColumns:
    """What a binariser knows once it is fitted."""

    columns_: tuple[TableColumn, ...]
    space_: Space
    literals_: tuple[str, ...]
    n_features_in_: int
    readings_: Mapping[str, TextReading] = MappingProxyType({})
    missing_texts_: tuple[str, ...] = ()
    rare_values_: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    report_: ColumnsReport = ColumnsReport()


@dataclass(eq=False, repr=False, kw_only=True)
class TableBinariser(_FittedColumns, TransformerMixin, BaseEstimator):
    """Turn the columns of a table into Boolean features that keep their meaning.

    Numbers, dates and ordered categories give thresholds, unordered categories one feature per frequent value,
    Booleans and 0/1 columns themselves. Columns are matched by name: order and extra columns do not matter.

    Parameters
    ----------
    cuts : {"tree", "quantile"}, default="tree"
        Where to cut ordered columns: where a decision tree on that column alone does, or into equal weights.
    conditions : {"cuts", "intervals", "sets", "all"}, default="cuts"
        What columns offer besides comparisons with one cut and single categories: intervals between two cuts, sets of
        categories, or both. Those that separate the classes best are taken, at most half as many as
        ``max_literals_per_column`` for each column; they do not count towards the limits below.
    cut_points : dict of str to list or TableColumn, default=None
        The user's own cuts, by column, or the whole column; they are taken as they are.
    max_literals_per_column : int, default=10
        The most literals one column may offer, not counting the user's cut points.
    max_literals : int, default=2000
        The most literals all columns together may offer, not counting Booleans and the user's cut points.
    missing : {"allow", "refuse"}, default="allow"
        What becomes of a missing value in a column that had none in training: it counts as the cell in which no
        condition on the column holds (above all cuts, false, "other"), with a warning; or it is refused with the names
        of its column and row.
    unseen : {"allow", "refuse"}, default="allow"
        What becomes of a category never seen in training: it counts as "other"; or it is refused with the names of its
        column and row, so that a person can decide.
    merge_spellings : bool, default=False
        Whether categories that differ in capitals only, or are words for yes and no, are taken as one.
    drop_leaks : bool, default=False
        Whether columns that give the label away, alone or two together, are left out; otherwise they are reported.
    groups : dict of str to list or Ordered, default=None
        0/1 columns that belong together: a list for a one-hot code, ``Ordered([...])`` if each implies the next.
    kinds : dict of str to str, default=None
        What columns are, if it should not be detected: "number", "category", "date" or "boolean"; the categories of a
        column of text in order, as in "low<medium<high"; "keep" for a column that would be left out as an identifier,
        "ignore" for one to be left out.
    missing_values : sequence of str, default=None
        Texts that stand for a missing value in every column; without it, blanks, "NA", "?" and the like do so among
        numbers and dates only.
    decimal : {".", ","}, default=None
        The decimal mark of numbers written as text; detected by default.

    Attributes
    ----------
    columns_ : tuple of TableColumn
        The columns with their cells and literals.
    space_ : Space
        The same columns as the core sees them; one literal for each feature.
    literals_ : tuple of str
        The name of each feature.
    readings_ : dict of str to TextReading
        How the columns that came as text are read.
    rare_values_ : dict of str to tuple of str
        Categories seen in training that fall in "other".
    report_ : ColumnsReport
        What was decided about the columns of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [20, 30, 40, 50], "colour": ["red", "blue", "red", None]})
    >>> binariser = TableBinariser(cut_points={"age": [35]}).fit(table, [0, 0, 1, 1])
    >>> list(binariser.get_feature_names_out())
    ['age <= 35', 'colour is blue', 'colour is red', 'colour is missing']
    >>> binariser.transform(table[["colour", "age"]]).astype(int)[3]
    array([0, 0, 0, 1])
    """

    cuts: Literal["tree", "quantile"] = "tree"
    conditions: Offer = "cuts"
    cut_points: Mapping[str, Sequence[CutValue] | TableColumn] | None = None
    max_literals_per_column: int = 10
    max_literals: int = 2000
    missing: Literal["allow", "refuse"] = "allow"
    unseen: Literal["allow", "refuse"] = "allow"
    merge_spellings: bool = False
    drop_leaks: bool = False
    groups: Groups | None = None
    kinds: Mapping[str, str] | None = None
    missing_values: Sequence[str] | None = None
    decimal: Decimal | None = None

    @property
    def _parameter_constraints(self) -> dict[str, Any]:
        from sklearn.utils._param_validation import Interval, StrOptions

        return {
            "cuts": [StrOptions({"tree", "quantile"})],
            "conditions": [StrOptions({*OFFERS})],
            "cut_points": [dict, None],
            "max_literals_per_column": [Interval(Integral, 1, None, closed="left")],
            "max_literals": [Interval(Integral, 1, None, closed="left")],
            "missing": [StrOptions({"allow", "refuse"})],
            "unseen": [StrOptions({"allow", "refuse"})],
            "merge_spellings": ["boolean"],
            "drop_leaks": ["boolean"],
            "groups": [dict, None],
            "kinds": [dict, None],
            "missing_values": ["array-like", None],
            "decimal": [StrOptions({".", ","}), None],
        }

    @checks_parameters
    def fit(self, X: object, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the cells and literals of each column.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            The classes; ``cuts="tree"`` needs them to cut ordered columns.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights count in the choice of cuts and categories. Examples of weight zero are seen only where it is asked
            whether all texts of a column are numbers.
        """
        self.fit_read(X, y, sample_weight)
        return self

    def fit_read(
        self, X: object, y: ArrayLike | None, sample_weight: ArrayLike | None, deadline: Deadline | None = None
    ) -> RawTable:
        """Learn the cells and literals of each column, and return the table as it was read.

        Where the deadline is near, cuts are chosen from fewer rows.
        """
        table = self._read_training(X).stripped()
        examples = self._examples(len(table), y, sample_weight)
        held = examples.weights > 0
        seen = table if held.all() else table.at(held)
        if as_frame(X) is not None:
            seen = self._drop_useless(seen, examples if held.all() else examples.at(held))
        own = examples if seen is table else examples.at(held)
        columns = self._fit_columns(seen.columns, own, deadline or Deadline())
        self.take([column.with_unit(self._unit(column.name)) for column in columns])
        self.rare_values_ = {
            column.name: found
            for column in self.columns_
            if column.unlisted is not None and (found := _rare_values(column.unlisted, seen.columns[column.name]))
        }
        self.report_ = ColumnsReport((*self.report_, *self._category_decisions(seen)))
        return table

    def _category_decisions(self, seen: RawTable) -> list[ColumnDecision]:
        """Return what became of categories that have no cell of their own."""
        raws = [seen.columns[column.name] for column in self.columns_ if column.name in seen.columns]
        different = {raw.name: len(set(raw.known.tolist())) for raw in raws if raw.kind == "category"}
        return category_decisions(self.columns_, different)

    def without_rows(self) -> Self:
        """Return the same binariser without values of rows: the least and the greatest, rare categories, quotations."""
        other = copy(self)
        other.columns_ = tuple(column.without_rows() for column in self.columns_)
        other.rare_values_ = MappingProxyType({})
        other.report_ = ColumnsReport(one for one in self.report_ if "'" not in one.text)
        return other

    def take(self, columns: Sequence[TableColumn], names: Sequence[str] | None = None) -> None:
        """Take columns as those that were fitted and, if they are given, the names of the columns of the table."""
        for name in names or [column.name for column in columns]:
            whole_text("the name of a column", name)
        self.columns_ = tuple(columns)
        self.space_ = space_of(columns)
        self.literals_ = literal_names(columns)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
            self.n_features_in_ = len(names)

    def transform(self, X: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each row, shape (n_samples, n_literals)."""
        return self.features_of(self.read(X))

    def cells(self, X: object) -> NDArray[np.integer]:
        """Return the cell of each row in each column of `columns_`, shape (n_samples, n_columns).

        >>> TableBinariser().fit([[1.5, 0], [2.5, 1]], [0, 1]).cells([[9, 1], [0, 0]]).tolist()
        [[1, 1], [0, 0]]
        """
        return self.cells_of(self.read(X))

    def read(self, X: object, columns: Collection[int] | None = None) -> RawTable:
        """Return the columns of a table in one neutral form, by name; those asked for, where not all are needed.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
        columns : collection of int, optional
            Which of `columns_` are needed; a table may lack the others.
        """
        return without_problems(*self.read_rows(X, columns))

    def read_rows(self, X: object, columns: Collection[int] | None = None) -> tuple[RawTable, list[RowProblem]]:
        """Read a table, and return every value that cannot be read, which is then missing: text that is not a number.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
        columns : collection of int, optional
            Which of `columns_` are needed; a table may lack the others.

        Examples
        --------
        >>> import pandas as pd
        >>> binariser = TableBinariser().fit(pd.DataFrame({"age": [20, 30, 40]}), [0, 1, 1])
        >>> for one in binariser.read_rows(pd.DataFrame({"age": ["31", "old", None]}))[1]:
        ...     print(one.row, one.why)
        1 column 'age' must hold numbers such as 1234.5, as in training; got 'old'
        """
        self._refuse_unfitted()
        frame = as_frame(X)
        needed = self.columns_ if columns is None else [self.columns_[j] for j in sorted(columns)]
        if is_record_array(X):
            return read_records(X, [name for column in needed for name in column.sources]), []
        if frame is None:
            return self._read_array(X, reset=False), []
        if not hasattr(self, "feature_names_in_"):
            from sklearn.utils.validation import validate_data

            validate_data(self, frame.to_native(), reset=False, skip_check_array=True)
            frame = frame.rename(dict(zip(frame.columns, self.input_names, strict=True)))
        column_of = {name: column for column in needed for name in column.sources}
        rows = len(frame)
        frame = select_columns(frame, list(column_of))
        raws: dict[str, RawColumn] = {}
        problems = []
        for name, column in column_of.items():
            series = frame.get_column(name).alias(name)
            raws[name], bad = read_as(series, column, self.readings_.get(name), self.missing_texts_)
            unread = np.flatnonzero(bad).tolist()
            odd = [i for i in unread if isinstance(series[i], str) and self._takes_odd(name, column)]
            if odd:
                self._count_as_missing(name, [series[i] for i in odd])
            refused = sorted(set(unread) - set(odd))
            problems += [RowProblem.at(i, name, self._refusal(name, series[i])) for i in refused]
        return RawTable(raws, rows=rows), sorted(problems, key=lambda one: one.row)

    def features_of(self, table: RawTable) -> NDArray[np.bool_]:
        """Return the truth of each literal on each row of a table that was read."""
        if table.booleans is not None and all(
            c.fixed and len(c.literals) == len(c.sources) == 1 for c in self.columns_
        ):
            return table.booleans
        features = np.empty((len(self.literals_), len(table)), dtype=bool)
        start = 0
        for column in self.columns_:
            stop = start + len(column.literals)
            features[start:stop] = column.features(*table.of(column.sources))
            start = stop
        return features.T

    def cells_of(self, table: RawTable, columns: Collection[int] | None = None) -> NDArray[np.integer]:
        """Return the cells of a table that was read; 0 in columns not asked for, which then cost nothing."""
        return without_problems(*self.examined(table, columns))

    def examined(
        self, table: RawTable, columns: Collection[int] | None = None
    ) -> tuple[NDArray[np.integer], list[RowProblem]]:
        """Return the same with -1 if a value has no cell, and why it has none, column by column."""
        most = max((len(column.labels) for column in self.columns_), default=1)
        cells = np.zeros((len(self.columns_), len(table)), dtype=np.int8 if most <= 128 else np.intp)
        problems: list[RowProblem] = []
        for j in range(len(self.columns_)) if columns is None else columns:
            column = self.columns_[j]
            cells[j], found = column.examined(*table.of(column.sources))
            problems += found
        return cells.T, problems

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the names of the literals."""
        from sklearn.utils.validation import _check_feature_names_in

        self._refuse_unfitted()
        _check_feature_names_in(self, input_features)
        return np.array(self.literals_, dtype=object)

    def allowed_literals(self, monotonic_cst: Mapping[str, int] | Sequence[int]) -> frozenset[int]:
        """Return the codes of the literals that class 1 may use under monotone constraints.

        Parameters
        ----------
        monotonic_cst : dict of str to int, or sequence of int
            1, 0 or -1 by name of a column (or group), or for each column of the table in order.
        """
        self._refuse_unfitted()
        if isinstance(monotonic_cst, Mapping):
            return allowed_literals(self.columns_, monotonic_cst)
        names = self.input_names
        ways = list(monotonic_cst if isinstance(monotonic_cst, Sequence) else np.atleast_1d(monotonic_cst))
        if len(ways) != len(names):
            raise InvalidArgument("monotonic_cst", f"have {len(names)} entries, one per column", len(ways))
        # A column that was left out may have a place and no constraint.
        given = {name: way for name, way in zip(names, ways) if not isinstance(way, Real) or way}
        return allowed_literals(self.columns_, given)

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what this transformer takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = self.cuts == "tree"
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _refuse_unfitted(self) -> None:
        if not hasattr(self, "columns_"):
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(self)

    def _examples(self, n_rows: int, y: ArrayLike | None, sample_weight: ArrayLike | None) -> Examples:
        from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
        from sklearn.utils.multiclass import check_classification_targets

        weights = np.broadcast_to(np.float64(1), n_rows)
        if sample_weight is not None:
            weights = in_range(checked_weights(sample_weight, n_rows))
        if y is None:
            return Examples(None, weights)
        if isinstance(y, np.ndarray) and y.dtype == np.bool_ and y.shape == (n_rows,):
            return Examples(y.astype(np.intp), weights)
        target = column_or_1d(y, warn=True)
        assert_all_finite(target, input_name="y")
        check_consistent_length(weights, target)
        if target.dtype.kind not in "biu":
            check_classification_targets(target)
        return Examples(sorted_labels(target)[1], weights)

    def _drop_useless(self, table: RawTable, examples: Examples) -> RawTable:
        """Leave out the columns that nothing can be learned from, and note what was decided."""
        in_groups = dict.fromkeys(members_of(self.groups or {}, table.columns), "keep")
        declared = {**dict.fromkeys(self.cut_points or (), "keep"), **in_groups, **(self.kinds or {})}
        found = check_columns(
            table.columns, examples.classes, declared, merged=self.merge_spellings, drop_leaks=self.drop_leaks
        )
        self.report_ = ColumnsReport((*self.report_, *found.decisions))
        if not found.kept:
            raise InvalidArgument("X", "have a column to learn from", "none", self.report_)
        return RawTable(found.kept)

    def _fit_columns(
        self, raws: dict[str, RawColumn], examples: Examples, deadline: Deadline
    ) -> tuple[TableColumn, ...]:
        groups, cut_points = self.groups or {}, self.cut_points or {}
        # If there are very many columns, most are cut twice: when all are known, each may have fewer literals.
        # In a hurry each may have as many from the first as all could have together.
        most, together = self.max_literals_per_column, self.max_literals // max(1, len(raws))
        in_hurry = deadline.left < _SECONDS_A_COLUMN * len(raws)
        if in_hurry:
            most = max(1, min(most, together))
        hurry = TimeSlices(deadline, len(raws) * (2 if most > together else 1))
        refuse_unknown("cut_points", "name columns of the table", cut_points, raws)
        group_of = members_of(groups, raws)

        def cut(raw: RawColumn, settings: Settings, most: int) -> TableColumn:
            with hurry.column(len(raw)) as rows:
                return fit_column(raw, examples, replace(settings, max_literals=most, most_rows=rows))

        plans: dict[str, ColumnPlan] = {}
        for name, raw in raws.items():
            group, given = group_of.get(name), cut_points.get(name)
            if group is not None:
                plans[group] = plans.get(group) or ColumnPlan.of(fit_group(group, groups[group], raws))
            elif isinstance(given, TableColumn):
                given.cells(raw)
                plans[name] = ColumnPlan.of(given)
            else:
                settings = replace(self.settings_for(most), cut_points=given)
                plans[name] = ColumnPlan(partial(cut, raw, settings), settled=name in cut_points)
        return fit_plans(plans, most, self.max_literals)

    def _unit(self, name: str) -> str:
        return self.readings_[name].unit if name in self.readings_ else ""

    def settings_for(self, most: int) -> Settings:
        """Return how columns are made, with the most literals of each."""
        return Settings(
            self.cuts,
            most,
            self.missing,
            unseen=self.unseen,
            merge=self.merge_spellings,
            conditions=self.conditions,
            most_wide=self.max_literals_per_column // 2,
        )

    @property
    def input_names(self) -> list[str]:
        """The names of the columns, as given or x0, x1, ..."""
        given = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if given is None else [str(name) for name in given]

    @property
    def source_names(self) -> list[str]:
        """The names of the columns that are read, without those left out in training."""
        return [name for column in self.columns_ for name in column.sources]

    def read_row(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the values of one row, text read as what it stands for.

        >>> import pandas as pd
        >>> TableBinariser().fit(pd.DataFrame({"age": [20, 30]}), [0, 1]).read_row({"age": "31"})
        {'age': 31.0}
        """
        column_of = {name: column for column in self.columns_ for name in column.sources}
        return {name: self._read_value(column_of, name, value) for name, value in values.items()}

    def _read_value(self, column_of: Mapping[str, TableColumn], name: str, value: object) -> object:
        if not isinstance(value, str) or name not in column_of:
            return value
        reading = self.readings_.get(name) or reading_for(column_of[name])
        if value.strip(BLANKS) in self.missing_texts_:
            return None
        if reading.kind == "category":
            return value.strip(BLANKS) if name in self.readings_ else value  # a column says itself what blanks are
        try:
            found = reading.value(value)
        except ValueError:
            if isinstance(value, str) and self._takes_odd(name, column_of[name]):
                return None
            raise ValueError(f"{self._refusal(name, value)}.") from None
        if found is None or reading.kind in ("number", "boolean"):
            return found
        return np.timedelta64(int(found), "us") if reading.kind == "duration" else np.datetime64(int(found), "us")

    def _takes_odd(self, name: str, column: TableColumn) -> bool:
        """Return whether a text among texts of numbers or dates, such as "other", counts as missing: never seen."""
        return name in self.readings_ and column.takes_missing and self.missing == self.unseen == "allow"

    def _count_as_missing(self, name: str, texts: Sequence[str]) -> None:
        shown = ", ".join(map(brief, dict.fromkeys(texts)))
        how = f"cannot be read as in training ({self.readings_[name].expected})"
        words = f"1 value {how} and counts" if len(texts) == 1 else f"{len(texts):,} values {how} and count"
        warnings.warn(f"{name}: {words} as missing: {shown[:200]}", UnreadValuesWarning, stacklevel=4)

    def _refusal(self, name: str, value: object) -> str:
        column = next(column for column in self.columns_ if name in column.sources)
        reading = self.readings_.get(name) or reading_for(column)
        return f"column {name!r} must hold {reading.expected}, as in training; got {brief(value)}"

    def _read_training(self, X: object) -> RawTable:
        """Read a training table, and note how its texts are read."""
        from sklearn.utils.validation import validate_data

        frame = as_frame(X)
        if is_record_array(X):
            table = read_records(X, X.dtype.names or ())
            self.feature_names_in_ = np.array(X.dtype.names, dtype=object)
            self.n_features_in_ = len(self.feature_names_in_)
            return table
        if frame is None:
            return self._read_array(X, reset=True)
        refuse_empty(frame)
        validate_data(self, frame.to_native(), reset=True, skip_check_array=True)
        names = self.input_names
        kinds = self.kinds or {}
        refuse_unknown("kinds", "name columns of the table", kinds, names)
        for name, kind in kinds.items():
            if kind not in KINDS and "<" not in kind:
                rule = f"be one of {', '.join(KINDS)}, or categories in order such as 'low<high'"
                raise InvalidArgument(f"kinds[{name!r}]", rule, f"{kind!r}")
        self.missing_texts_ = tuple(self.missing_values or ())
        reader = ColumnReader(kinds, self.missing_texts_, self.decimal)
        series = {name: frame.get_column(given).alias(name) for name, given in zip(names, frame.columns, strict=True)}
        found = reader.read_all(series)
        self.readings_ = {name: one.reading for name, one in found.items() if one.reading is not None}
        self.report_ = ColumnsReport([decision for one in found.values() for decision in one.decisions])
        return RawTable({name: one.raw for name, one in found.items()})

    def _read_array(self, X: object, *, reset: bool) -> RawTable:
        from sklearn.utils.validation import validate_data

        numeric = reset or all(field.kind in _NUMERIC for column in self.columns_ for field in column.fields)
        # What a column takes beside numbers is its own to say.
        some = {"dtype": None, "ensure_all_finite": False}
        checks = {"dtype": "numeric", "ensure_all_finite": "allow-nan"} if numeric else some
        try:
            array = validate_data(self, X, reset=reset, **checks)
        except ValueError as error:
            _, words, text = str(error).partition("could not convert string to float: ")
            if not words:
                raise
            raise InvalidArgument(
                "X", "hold numbers if it is an array", text, "Texts are read in a table of pandas or polars."
            ) from None
        is_boolean = array.dtype == np.bool_
        # Booleans are used as they are; other values are read column by column, more than once.
        by_column = zip(self.input_names, array.T if is_boolean else _copy_columns(array), strict=True)
        return RawTable({name: read_array(name, values) for name, values in by_column}, array if is_boolean else None)


def declared_binariser(columns: Sequence[TableColumn]) -> TableBinariser:
    """Return a binariser of the given columns, as if it had been fitted."""
    binariser = TableBinariser()
    binariser.take(columns, [name for column in columns for name in column.sources])
    return binariser


def _copy_columns(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the columns of an array one after the other, copied block by block: many times faster than all at once."""
    columns = np.empty(array.shape[::-1], dtype=array.dtype)
    for start in range(0, len(array), _BLOCK):
        columns[:, start : start + _BLOCK] = array[start : start + _BLOCK].T
    return columns


def _rare_values(unlisted: OneOf, raw: RawColumn) -> tuple[str, ...]:
    """Return the texts of a column that have no cell of their own; none if there are too many to keep."""
    others = {value for value in set(raw.known.tolist()) if isinstance(value, str)} - set(unlisted.constants)
    return tuple(sorted(others)) if len(others) <= MOST_RARE else ()
