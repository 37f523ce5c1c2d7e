"""TableBinariser: a scikit-learn transformer from a table of the user's columns to Boolean features."""

# scikit-learn has no types: its base classes and decorators are opaque to mypy.
# mypy: disallow-subclassing-any=False, disallow-untyped-decorators=False

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Integral
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, _fit_context
from sklearn.utils import Tags, assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_feature_names_in,
    _check_sample_weight,
    check_is_fitted,
    validate_data,
)

from idnf.columns.column import TableColumn, literal_names, space_of
from idnf.columns.eager_frames import as_frame, refuse_empty, refuse_unknown, select_columns
from idnf.columns.groups import Groups, fit_group, members_of
from idnf.columns.monotone import allowed_literals
from idnf.columns.raw import RawColumn, RawTable, read_array, read_series
from idnf.logic.boxes import Space
from idnf.tables.column_fitting import CutValue, Examples, Settings, fit_column, literals_each

_NUMERIC = ("number", "digit", "truth")
"""How fields are read that an array of numbers can hold."""


class TableBinariser(TransformerMixin, BaseEstimator):
    """Turn the columns of a table into Boolean features that keep their meaning.

    Numbers, dates and ordered categories give thresholds, unordered categories one feature per frequent value,
    Booleans and 0/1 columns themselves. Columns are matched by name: order and extra columns do not matter.

    Parameters
    ----------
    cuts : {"tree", "quantile"}, default="tree"
        Where to cut ordered columns: where a decision tree on that column alone does, or into equal weights.
    cut_points : dict of str to list, default=None
        The user's own cuts, by column; they are taken as they are.
    max_literals_per_column : int, default=10
        The most literals one column may offer; cut points of the user are not counted.
    max_literals : int, default=2000
        The most literals all columns together may offer, Booleans and the user's cut points not counted.
    missing : {"error", "allow"}, default="error"
        Whether a column that had no missing value in training refuses one later.
    groups : dict of str to list or Ordered, default=None
        0/1 columns that belong together: a list for a one-hot code, ``Ordered([...])`` where each implies the next.

    Attributes
    ----------
    columns_ : tuple of TableColumn
        The columns with their cells and literals.
    space_ : Space
        The same columns as the core sees them; one literal for each feature.
    literals_ : tuple of str
        The name of each feature.

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

    _parameter_constraints = {
        "cuts": [StrOptions({"tree", "quantile"})],
        "cut_points": [dict, None],
        "max_literals_per_column": [Interval(Integral, 1, None, closed="left")],
        "max_literals": [Interval(Integral, 1, None, closed="left")],
        "missing": [StrOptions({"error", "allow"})],
        "groups": [dict, None],
    }

    columns_: tuple[TableColumn, ...]
    space_: Space
    literals_: tuple[str, ...]
    n_features_in_: int

    def __init__(
        self,
        *,
        cuts: Literal["tree", "quantile"] = "tree",
        cut_points: Mapping[str, Sequence[CutValue]] | None = None,
        max_literals_per_column: int = 10,
        max_literals: int = 2000,
        missing: Literal["error", "allow"] = "error",
        groups: Groups | None = None,
    ) -> None:
        self.cuts = cuts
        self.cut_points = cut_points
        self.max_literals_per_column = max_literals_per_column
        self.max_literals = max_literals
        self.missing = missing
        self.groups = groups

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: object, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the cells and literals of each column.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            The classes; ``cuts="tree"`` needs them to cut ordered columns.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights count in the choice of cuts and categories; examples of weight zero are not seen at all.
        """
        self.fit_read(X, y, sample_weight)
        return self

    def fit_read(self, X: object, y: ArrayLike | None, sample_weight: ArrayLike | None) -> RawTable:
        """Learn the cells and literals of each column, and return the table as it was read."""
        table = self._read(X, reset=True)
        examples = self._examples(len(table), y, sample_weight)
        held = examples.weights > 0
        seen = table if held.all() else table.at(held)
        self.columns_ = self._fit_columns(seen.columns, examples if seen is table else examples.at(held))
        self.space_ = space_of(self.columns_)
        self.literals_ = literal_names(self.columns_)
        return table

    def transform(self, X: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each row, shape (n_samples, n_literals)."""
        return self.features_of(self.read(X))

    def cells(self, X: object) -> NDArray[np.integer]:
        """Return the cell of each row in each column of `columns_`, shape (n_samples, n_columns).

        >>> TableBinariser().fit([[1.5, 0], [2.5, 1]], [0, 1]).cells([[9, 1], [0, 0]]).tolist()
        [[1, 1], [0, 0]]
        """
        return self.cells_of(self.read(X))

    def read(self, X: object) -> RawTable:
        """Return the columns of a table in one neutral form, by name."""
        check_is_fitted(self)
        return self._read(X, reset=False)

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
        most = max((len(column.labels) for column in self.columns_), default=1)
        cells = np.zeros((len(self.columns_), len(table)), dtype=np.uint8 if most <= 256 else np.intp)
        for j in range(len(self.columns_)) if columns is None else columns:
            column = self.columns_[j]
            cells[j] = column.cells(*table.of(column.sources))
        return cells.T

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the names of the literals."""
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array(self.literals_, dtype=object)

    def allowed_literals(self, monotonic_cst: Mapping[str, int] | Sequence[int]) -> frozenset[int]:
        """Return the codes of the literals that class 1 may use under monotone constraints.

        Parameters
        ----------
        monotonic_cst : dict of str to int, or sequence of int
            1, 0 or -1 by name of a column (or group), or for each column of the table in order.
        """
        check_is_fitted(self)
        if isinstance(monotonic_cst, Mapping):
            return allowed_literals(self.columns_, monotonic_cst)
        names = self.input_names
        if len(monotonic_cst) != len(names):
            raise ValueError(f"monotonic_cst must have {len(names)} entries, one a column; got {len(monotonic_cst)}.")
        given = {name: int(way) for name, way in zip(names, monotonic_cst, strict=True)}
        return allowed_literals(self.columns_, {name: way for name, way in given.items() if way != 0})

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what this transformer takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = self.cuts == "tree"
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _examples(self, n_rows: int, y: ArrayLike | None, sample_weight: ArrayLike | None) -> Examples:
        weights = np.ones(n_rows)
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, weights, dtype=np.float64, ensure_non_negative=True)
        if y is None:
            return Examples(None, weights)
        if isinstance(y, np.ndarray) and y.dtype == np.bool_ and y.shape == (n_rows,):
            return Examples(y.astype(np.intp), weights)
        target = column_or_1d(y, warn=True)
        assert_all_finite(target, input_name="y")
        check_consistent_length(weights, target)
        check_classification_targets(target)
        return Examples(np.unique(target, return_inverse=True)[1], weights)

    def _fit_columns(self, raws: dict[str, RawColumn], examples: Examples) -> tuple[TableColumn, ...]:
        groups, cut_points = self.groups or {}, self.cut_points or {}
        refuse_unknown("cut_points", cut_points, raws)
        group_of = members_of(groups, raws)
        columns: dict[str, TableColumn] = {}
        counts = {}
        for name, raw in raws.items():
            if name in group_of:
                group = group_of[name]
                columns.setdefault(group, fit_group(group, groups[group], raws))
                continue
            settings = Settings(self.cuts, self.max_literals_per_column, self.missing, cut_points.get(name))
            columns[name] = fit_column(raw, examples, settings)
            if name not in cut_points and not columns[name].fixed:
                counts[name] = len(columns[name].literals)
        most = literals_each(list(counts.values()), self.max_literals)
        for name, count in counts.items():
            if count > most:
                columns[name] = fit_column(raws[name], examples, Settings(self.cuts, most, self.missing))
        return tuple(columns.values())

    @property
    def input_names(self) -> list[str]:
        """The names of the columns, as given or x0, x1, ..."""
        return [str(name) for name in _check_feature_names_in(self)]

    def _read(self, X: object, *, reset: bool) -> RawTable:
        frame = as_frame(X)
        if frame is None:
            return self._read_array(X, reset=reset)
        if reset:
            refuse_empty(frame)
        if reset or not hasattr(self, "feature_names_in_"):
            validate_data(self, frame.to_native(), reset=reset, skip_check_array=True)
        else:
            frame = select_columns(frame, self.input_names)
        names = self.input_names
        series = map(frame.get_column, frame.columns)
        columns = zip(names, series, strict=True)
        return RawTable({name: read_series(column.alias(name)) for name, column in columns})

    def _read_array(self, X: object, *, reset: bool) -> RawTable:
        numeric = reset or all(field.kind in _NUMERIC for column in self.columns_ for field in column.fields)
        checks = {"dtype": "numeric", "ensure_all_finite": "allow-nan"} if numeric else {"dtype": None}
        array = validate_data(self, X, reset=reset, **checks)
        is_boolean = array.dtype == np.bool_
        # Booleans are used as they are; other values are read column by column, more than once.
        by_column = zip(self.input_names, array.T if is_boolean else np.ascontiguousarray(array.T), strict=True)
        return RawTable({name: read_array(name, values) for name, values in by_column}, array if is_boolean else None)
