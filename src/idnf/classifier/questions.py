"""What one may ask of a fitted classifier besides its predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from types import EllipsisType
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from idnf.auditing.reason_texts import GivenTexts
from idnf.classifier.fitted import Fitted
from idnf.classifier.parameters import SpaceName
from idnf.classifier.plots import drawn_points
from idnf.classifier.table_input import examined
from idnf.columns.column import TableColumn
from idnf.columns.eager_frames import named_values, refuse_unknown, single_rows
from idnf.explaining.explainer import Explainer, NextColumn
from idnf.explaining.explanation import Explanations
from idnf.explaining.printing import ChecklistWords, checklist
from idnf.explaining.reading import ModelSize, Reason, Reasons
from idnf.explaining.recourse import Constraints, Cost, Recourses, Start
from idnf.logic.boxes import Point
from idnf.logic.errors import InvalidArgument
from idnf.logic.forms import FormName
from idnf.logic.verification import Certificate
from idnf.pictures.drawing import model_svg
from idnf.pictures.picture import Picture
from idnf.result_frames import library_of


class ExplainerMixin:
    """Questions answered from the boxes of the classes, those of auditors too; mixed into :class:`DNFClassifier`."""

    fitted_: Fitted
    favourable: object

    def explain(self, X: object, *, space: SpaceName = "columns") -> Explanations:
        """Return an explanation for each row: its label, a smallest reason and a smallest change.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features), or mapping
            A mapping from the names of the columns to values is one row.
        space : {"columns", "boolean"}, default="columns"
            Whether reasons are about the columns of the table, or about Boolean features that could each change alone.

        Returns
        -------
        Explanations
            A sequence, computed for all rows at once. A lazy table comes back with the columns `predicted`, `reason`
            (the conditions in words) and `reason id`.
        """
        _refuse_other_spaces(space)
        if isinstance(X, Mapping) and space == "boolean":
            explainer, point = self._explainer_and_point(X, space)
            return explainer.explain(np.array([point]))
        if isinstance(X, Mapping):
            start = self._start(X)
            return self.fitted_.explainer.explain(np.array([start.point]), values=lambda j, _rows: [start.words[j]])
        return examined(self.fitted_, X).explained(space)

    def axps(self, x: object, *, space: SpaceName = "columns") -> Iterator[tuple[str, ...]]:
        """Yield all AXps of one row as names of columns, smallest first."""
        explainer, point = self._explainer_and_point(x, space)
        return explainer.axps(point)

    def cxps(self, x: object, *, space: SpaceName = "columns") -> list[tuple[str, ...]]:
        """Return all CXps of one row as names of columns, smallest first."""
        explainer, point = self._explainer_and_point(x, space)
        return explainer.cxps(point)

    def reasons(self, X: object = None, y: ArrayLike | None = None) -> list[Reason]:
        """Return the catalogue of all reasons for every class.

        Parameters
        ----------
        X : table or array, optional
            Rows on which the coverage of each reason is measured.
        y : array-like, optional
            Their true labels, to measure precision.
        """
        fitted = self.fitted_
        cells = None if X is None else fitted.read(X).cells
        labels = None if y is None else fitted.numbers_of(np.asarray(y))
        found = Reasons(fitted.explainer.reasons(cells, labels))
        found.library = None if X is None else library_of(X)
        return found

    def recourse(  # noqa: PLR0913 - each constraint is a word of its own
        self,
        x: object,
        *,
        to: object = None,
        immutable: Iterable[str] = (),
        increase_only: Iterable[str] = (),
        decrease_only: Iterable[str] = (),
        costs: Mapping[str, Cost] | None = None,
        count: int = 1,
    ) -> Recourses | list[Recourses]:
        """Return the cheapest changes into another class, cheapest first: of a row, or of each row of a table.

        Parameters
        ----------
        x : mapping, table or array
            One row; or a table of several, for which there is a list with an answer for each.
        to : label, optional
            The wanted class; by default the favourable one, or any that the row is not given if none is known.
        immutable, increase_only, decrease_only : iterable of str
            Columns that cannot change, beside those that the model says cannot, or only in one direction.
        costs : mapping of str to number or callable, optional
            What changing a column costs, as a number or a function of the old and the new value; 1 by default.
        count : int, default=1
            The most ways to return; they change different sets of columns.

        Returns
        -------
        Recourses
            A sequence. An empty one is a proof that there is no way; ``blocked_by`` then says why.
        """
        constraints = Constraints(immutable, increase_only, decrease_only, costs or {})
        ask = partial(self.fitted_.explainer.recourse, to=to, constraints=constraints, count=count)
        rows = single_rows(x)
        return ask(self._start(x)) if rows is None else [ask(self._start(row)) for row in rows]

    def with_state(self, fitted: Fitted) -> Self:
        """Return a classifier of the same parameters and another fitted state.

        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("young & ~debt", classes=("no", "yes"))
        >>> policy.with_state(policy.fitted_.with_settings(target="loan")).fitted_.target, policy.fitted_.target
        ('loan', None)
        """
        other = copy(self)
        other.fitted_ = fitted
        return other

    def with_settings(
        self,
        *,
        target: str | None | EllipsisType = ...,
        favourable: object = ...,
        immutable: Iterable[str] | Literal["all"] | EllipsisType = ...,
        texts: Mapping[str, str] | EllipsisType = ...,
        notice_codes: GivenTexts | EllipsisType = ...,
    ) -> Self:
        """Return the same model with other settings of what it says and proposes; what is left out stays as it is.

        They apply to explanations, recourse, reports, model files and programs.

        Parameters
        ----------
        target : str or None
            What sentences call the target; at a fit it is the name of `y`.
        favourable : label or None
            The outcome that people want: changes are proposed only to those who do not get it. With None there is none.
        immutable : "all" or iterable of str
            The columns that no proposed change touches; with "all" none is proposed. After a fit these are the columns
            of dates; an empty list allows changes of all columns.
        texts : mapping of str to str
            The user's own wording of reasons, by their identifier, beside those that the model has.
        notice_codes : mapping, path of a CSV file or ReasonTexts
            Codes and texts of factors by column, as in :func:`idnf.auditing.principal_reasons`, for notices.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("young & ~debt", classes=("no", "yes"), target="loan")
        >>> print(policy.explain({"young": False, "debt": True})[0])
        Loan: no, because young is false. If young were true and debt were false, loan would be yes.
        >>> print(policy.with_settings(immutable=["young"]).explain({"young": True, "debt": True})[0])
        Loan: no, because debt is true. If debt were false, loan would be yes.
        >>> print(policy.with_settings(favourable="yes").explain({"young": True, "debt": False})[0])
        Loan: yes, because young is true and debt is false.
        >>> texts = {"b1": "you have time and no debt"}
        >>> print(policy.with_settings(texts=texts, target=None).explain({"young": True, "debt": False})[0].why)
        Yes because you have time and no debt.
        """
        other = self.with_state(
            self.fitted_.with_settings(
                target=target, favourable=favourable, immutable=immutable, texts=texts, notice_codes=notice_codes
            )
        )
        other.favourable = other.fitted_.favourable
        return other

    def without_rows(self) -> Self:
        """Return the same model without values of training rows, for files that leave the house.

        It decides and explains as before. Left out are the least and the greatest value seen of each column and between
        cuts, quantiles, categories too rare for a cell, and remarks that quote values. What stays: cuts, the categories
        that conditions name, shares of the cells, and counts of training rows by reason. Changes are then proposed as
        conditions ("over 2390") and measured in cells.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> clf = DNFClassifier(k=1, learner="greedy").fit([[1.5], [2.5], [3.25], [4.5]], ["no", "no", "yes", "yes"])
        >>> print(clf.recourse([[1.5]])[0])
        To be yes: change x0 from 1.5 to 3.1.
        >>> print(clf.without_rows().recourse([[1.5]])[0])
        To be yes: change x0 from 1.5 to over 3 and at most 4.
        """
        return self.with_state(self.fitted_.without_rows())

    def decided(self, known: Mapping[str, object]) -> object:
        """Return the class if the values known so far decide it, else None.

        Parameters
        ----------
        known : mapping of str to value
            The columns known so far. A column left out is not known yet; None says that its value is missing.
        """
        label = self.fitted_.explainer.decided(self._known_cells(known))
        return None if label is None else self.fitted_.classes.tolist()[label]

    def next_column(self, known: Mapping[str, object]) -> NextColumn | None:
        """Return the column to ask for next, for the fewest questions in the worst case; None if it is decided."""
        return self.fitted_.explainer.next_column(self._known_cells(known))

    def to_text(
        self,
        *,
        first: object = None,
        both: bool = False,
        form: FormName = "auto",
    ) -> str:
        """Return the model in the words of the table.

        Parameters
        ----------
        first : label, optional
            The class to begin with; if not given the one that needs fewer lines, or ``classes_[1]`` if all are listed.
        both : bool, default=False
            Whether to list every reason of both classes.
        form : {"auto", "lines", "checklist", "factored", "tree"}, default="auto"
            How to write it: lines of the class that needs fewer and the other one otherwise, a checklist if it is one,
            lines with what they share written once, or a tree of questions; "auto" is the one with the fewest
            conditions.
        """
        listed = "(both=True lists them)"
        return self.fitted_.to_text(first=first, both=both, form=form, place=listed, always=first is not None)

    @property
    def models_(self) -> tuple[Self]:
        """The classifier itself, whose labels are what is claimed."""
        return (self,)

    @property
    def checklist_(self) -> ChecklistWords | None:
        """The model as a checklist, "at least m of these", if it is one; else None.

        >>> from idnf import DNFClassifier
        >>> clf = DNFClassifier.from_dnf("a & b | a & c | b & c", classes=("no", "yes"))
        >>> clf.checklist_.least, clf.checklist_.conditions, clf.checklist_.label
        (2, ('a is true', 'b is true', 'c is true'), 'yes')
        """
        return checklist(self.fitted_.explainer)

    def verify(self) -> Certificate:
        """Prove over all rows that can exist that the classes exclude each other, leave none out and keep to k columns.

        Raises
        ------
        VerificationError
            Names the term that is too wide, the pair of terms that overlaps or the point that is left out.
        """
        return self.fitted_.class_dnfs.verify(self.fitted_.classes.tolist())

    def plot(self, X: object = None, y: ArrayLike | None = None, *, case: object = None) -> Picture:
        """Return a picture of the reasons by columns, which notebooks show.

        Each row is a reason, each column one of the table; a square shows the values that the reason allows.

        Parameters
        ----------
        X : table or array, optional
            Rows to draw the histograms from; by default what is known of the training values.
        y : array-like, optional
            Their true labels, by which the histograms are coloured.
        case : mapping, table or array, optional
            One row to mark; the reasons that hold for it are lit.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("young & ~debt", classes=("no", "yes"))
        >>> policy.plot(case={"young": True, "debt": False}).svg.count('class="idnf-mark"')
        2
        """
        fitted = self.fitted_
        points = None
        if X is not None:
            points = drawn_points(fitted.read(X), None if y is None else fitted.numbers_of(np.asarray(y)))
        start = None if case is None else self._start(case)
        marks = () if start is None else [(start.point[j], start.positions[j]) for j in fitted.used]
        return Picture(model_svg(fitted.explainer, points, marks))

    @property
    def size_(self) -> ModelSize:
        """How much there is to read: terms and conditions of the class that needs fewer, reasons in all."""
        return self.fitted_.size

    def _explainer_and_point(self, x: object, space: SpaceName) -> tuple[Explainer, Point]:
        """Return who answers about one row, and the row as a point."""
        _refuse_other_spaces(space)
        point = self._start(x).point
        if space == "boolean":
            return self.fitted_.feature_explainer, self.fitted_.binariser.space_.features(point)
        return self.fitted_.explainer, point

    def _start(self, x: object) -> Start:
        """Return one row, given as a mapping from columns to values, a table or an array."""
        columns = self.fitted_.columns
        given = self.fitted_.binariser.read_row(named_values(x, self.fitted_.binariser.input_names))
        absent = [name for column in columns for name in column.sources if name not in given]
        if absent:
            raise InvalidArgument("x", "have a value for every column", f"none for {absent[0]!r}")
        values = [[given[name] for name in column.sources] for column in columns]
        return Start(
            tuple(int(column.cells(*([v] for v in row))[0]) for column, row in zip(columns, values)),
            tuple(_position(column, row) for column, row in zip(columns, values)),
            tuple(column.value_words(*row) for column, row in zip(columns, values)),
        )

    def _known_cells(self, known: Mapping[str, object]) -> dict[int, int]:
        names = self.fitted_.binariser.input_names
        refuse_unknown("known", f"name columns of the table ({', '.join(names)})", known, names)
        return {
            j: int(column.cells(*([known[name]] for name in column.sources))[0])
            for j, column in enumerate(self.fitted_.columns)
            if all(name in known for name in column.sources)
        }


def _refuse_other_spaces(space: str) -> None:
    if space not in ("columns", "boolean"):
        raise InvalidArgument("space", 'be "columns" or "boolean"', f"{space!r}")


def _position(column: TableColumn, values: Sequence[object]) -> float | None:
    """Return a value as the number that orders it; None if there is no order or no value."""
    found = column.positions(*([value] for value in values))
    if found is None:
        return None
    (number,), (missing,) = found
    return None if missing else float(number)
