"""What one may ask of a fitted classifier beside its predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from idnf.explaining.catalogue import Reason
from idnf.explaining.explainer import Explainer
from idnf.explaining.explanation import Explanations
from idnf.explaining.sides import LARGE, Model
from idnf.explaining.wording import FeatureWording, TableWording
from idnf.logic.boxes import Box, Point, Space, is_within
from idnf.tables.binariser import TableBinariser
from idnf.tables.columns import box_words
from idnf.tables.frames import as_frame

SpaceName = Literal["columns", "boolean"]

# Terms of a class printed one by one; more are counted.
_MOST_TERMS = 40


class ExplainerMixin:
    """Questions answered from the boxes of the two classes; mixed into :class:`DNFClassifier`."""

    classes_: NDArray[np.generic]
    binariser_: TableBinariser
    _model: Model
    _explainer: Explainer

    def explain(self, X: object, *, space: SpaceName = "columns") -> Explanations:
        """Return an explanation for each row: its label, a smallest reason and a smallest change.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
        space : {"columns", "boolean"}, default="columns"
            Whether reasons speak of the columns of the table, or of Boolean features that could each change alone.

        Returns
        -------
        Explanations
            A sequence, computed for all rows at once.
        """
        check_is_fitted(self)
        if self._is_boolean(space):
            return self._boolean_explainer().explain(self.binariser_.transform(X).astype(np.intp))
        return self._explainer.explain(self.binariser_.cells(X), values=self._values_of(X))

    def axps(self, x: object, *, space: SpaceName = "columns") -> Iterator[tuple[str, ...]]:
        """Yield all AXps of one row as names of columns, smallest first."""
        explainer, point = self._asked(x, space)
        return explainer.axps(point)

    def cxps(self, x: object, *, space: SpaceName = "columns") -> list[tuple[str, ...]]:
        """Return all CXps of one row as names of columns, smallest first."""
        explainer, point = self._asked(x, space)
        return explainer.cxps(point)

    def reasons(
        self, X: object = None, y: ArrayLike | None = None, *, texts: Mapping[str, str] | None = None
    ) -> list[Reason]:
        """Return the catalogue of all reasons for both classes.

        Parameters
        ----------
        X : table or array, optional
            Rows on which the coverage of each reason is measured.
        y : array-like, optional
            Their true labels, to measure precision.
        texts : dict of str to str, optional
            The user's own wording of reasons, by identifier; explanations given later use it too.
        """
        check_is_fitted(self)
        if texts is not None:
            self._explainer = replace(self._explainer, texts=dict(texts))
        cells = None if X is None else self.binariser_.cells(X)
        positive = None if y is None else np.asarray(y) == self.classes_[1]
        return self._explainer.reasons(cells, positive)

    def to_text(self, *, first: object = None) -> str:
        """Return the model in the words of the table: the terms of each class, joined by "or".

        Parameters
        ----------
        first : label, optional
            The class to begin with; ``classes_[1]`` if not given.
        """
        check_is_fitted(self)
        labels = self.classes_.tolist()
        order = (0, 1) if first == labels[0] else (1, 0)
        k = self._explainer.sides.k
        head = f"Every decision has a reason of at most {k} condition{'s' * (k != 1)}."
        return "\n".join([head, *(self._side_text(label) for label in order)])

    def _side_text(self, label: int) -> str:
        name = self.classes_.tolist()[label]
        boxes = self._explainer.sides.terms[label]
        if boxes is None:
            return f"\n{name} otherwise"
        if not boxes:
            return f"\n{name}: never"
        columns = self.binariser_.columns_
        shown = _not_implied(boxes)
        texts = [" and ".join(box_words(columns, box)) or "always" for box in shown[:_MOST_TERMS]]
        if len(shown) > _MOST_TERMS:
            texts.append(f"one of {len(shown) - _MOST_TERMS} further terms holds")
        return f"\n{name} if\n     " + "\n  or ".join(texts)

    def _is_boolean(self, space: str) -> bool:
        if space not in ("columns", "boolean"):
            raise ValueError(f'space must be "columns" or "boolean"; got {space!r}.')
        return space == "boolean"

    def _asked(self, x: object, space: SpaceName) -> tuple[Explainer, Point]:
        """Return who answers about one row, and the row as a point."""
        check_is_fitted(self)
        point = self._point(x)
        if self._is_boolean(space):
            return self._boolean_explainer(), self.binariser_.space_.features(point)
        return self._explainer, point

    def _point(self, x: object) -> Point:
        """Return one row, given as a mapping from columns to values, a table or an array, as cells."""
        columns = self.binariser_.columns_
        if isinstance(x, Mapping):
            absent = [name for column in columns for name in column.sources if name not in x]
            if absent:
                raise ValueError(f"x must have a value for every column; got none for {absent[0]!r}.")
            return tuple(int(column.cells(*([x[name]] for name in column.sources))[0]) for column in columns)
        rows = x if as_frame(x) is not None else np.atleast_2d(np.asarray(x))
        cells = self.binariser_.cells(rows)
        if len(cells) != 1:
            raise ValueError(f"x must be one row; got {len(cells)}.")
        return tuple(cells[0].tolist())

    def _boolean_explainer(self) -> Explainer:
        names = self.binariser_.literals_
        wordings = [FeatureWording(name) for name in names]
        return Explainer.of(
            self._model,
            Space.boolean(names),
            classes=self._explainer.classes,
            wordings=wordings,
        )

    def _values_of(self, X: object) -> Callable[[int, int], str]:
        """Return a function that writes the value of a row in a column of the model as the table has it."""
        frame = as_frame(X)
        columns = self.binariser_.columns_
        if frame is not None and hasattr(self.binariser_, "feature_names_in_"):
            return lambda row, j: columns[j].value_words(*(frame.get_column(name)[row] for name in columns[j].sources))
        rows = frame.to_numpy() if frame is not None else np.asarray(X)
        place = {name: i for i, name in enumerate(self.binariser_._input_names())}
        return lambda row, j: columns[j].value_words(*(rows[row, place[name]] for name in columns[j].sources))


def _not_implied(boxes: Sequence[Box]) -> list[Box]:
    """Return the boxes that lie in no other one; of very many, all."""
    if len(boxes) > LARGE:
        return list(boxes)
    return [box for box in boxes if not any(other != box and is_within(box, other) for other in boxes)]


def table_explainer(model: Model, binariser: TableBinariser, classes: Sequence[object]) -> Explainer:
    """Return the explainer of a model over the columns of a table."""
    wordings = [TableWording(column) for column in binariser.columns_]
    return Explainer.of(model, binariser.space_, classes=(classes[0], classes[1]), wordings=wordings)
