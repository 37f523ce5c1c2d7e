"""The nearest model that obeys rules: a patch if short reasons allow it, else found by a search under the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.auditing.conditions import columns_needed
from idnf.auditing.example_rows import row_values, row_words
from idnf.auditing.patching import Nearest, OutOfReach, TooManyPieces, out_of_reach, patch_model, required_regions
from idnf.auditing.rules import (
    InvarianceRule,
    MonotoneRule,
    RegionRule,
    Rule,
    RuleAnswer,
    check_rules_of,
    label_index,
    read_rules,
    refuse_contradictions,
)
from idnf.auditing.table_models import TableModel
from idnf.classifier.counted_examples import CountedExamples
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import Fitted
from idnf.classifier.learning_task import task_of
from idnf.classifier.memory_source import MemoryTraining
from idnf.columns.column import TableColumn, literal_names, space_of
from idnf.columns.predicates import Value
from idnf.columns.refinement import common_ground
from idnf.counting.packed import PackedTable
from idnf.learning.dispatch import LearningResult, learn_model
from idnf.learning.objective import Learned
from idnf.logic.boxes import Box, contains
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import TooManyBoxes
from idnf.proving.independent_check import CheckError
from idnf.tables.binariser import declared_binariser
from idnf.tables.targets import class_numbers

_ROUNDS = 12
"""How often the search is run again with the rows on which its last model broke a rule."""


_DRAWN = 500
"""Points drawn from the regions of rules before the first round."""


@dataclass(frozen=True)
class Rectified:
    """The nearest model found that obeys rules.

    Attributes
    ----------
    classifier : DNFClassifier or None
        The model, which is proved to obey; None if none was found.
    nearest : bool
        Whether it is proved that no model that obeys decides fewer rows differently, over all values.
    impossible : dict or None
        A row that shows that no model with reasons of at most k conditions can obey; None if that is not proved.
    changed : int or None
        How many rows of the table it decides differently.
    rows : int
        How many rows the table has.
    before, after : float or None
        The accuracy on the table of the model that was given, and of the one found.
    rules : tuple of str
    proof : Nearest, OutOfReach or None
        Why no model that obeys is nearer, or why there is none.
    columns : tuple of TableColumn
        Those of the model that was given, cut as the rules need. The model found may do without some of them.
    """

    classifier: DNFClassifier | None
    nearest: bool
    impossible: dict[str, Value] | None
    changed: int | None
    rows: int
    before: float
    after: float | None
    rules: tuple[str, ...] = ()
    proof: Nearest | OutOfReach | None = None
    columns: tuple[TableColumn, ...] = field(default=(), repr=False)

    def check(self) -> str:
        """Prove again, by other means, all that is said: that the model obeys, is nearest, or cannot exist.

        Raises
        ------
        CheckError
            When something of it is wrong.
        """
        said = [] if self.proof is None else [self.proof.check()]
        if self.classifier is not None:
            self.classifier.verify()
            answers = check_rules_of(self.classifier.fitted_.table_model.over(self.columns), self.rules)
            if not all(answer.holds for answer in answers):
                raise CheckError("the model must obey all rules; it does not.")
            said += [answer.check() for answer in answers]
        return ", ".join(dict.fromkeys(said)) or "nothing is claimed"

    def to_text(self) -> str:
        """Return the answer in words."""
        if self.impossible is not None:
            return f"Proved: no model with reasons this short obeys the rules; see {row_words(self.impossible)}."
        if self.classifier is None or self.after is None:
            return "No model that obeys the rules was found."
        proof = " No model that obeys is nearer: proved." if self.nearest else ""
        return (
            f"A model that obeys was found: it decides {self.changed} of {self.rows} rows differently, accuracy "
            f"{self.before:.1%} before and {self.after:.1%} after.{proof}"
        )

    __str__ = to_text


def rectify(clf: DNFClassifier, rule: str | Sequence[str], X: object, y: ArrayLike) -> Rectified:
    """Return the nearest model, with reasons of at most k conditions, that obeys rules.

    Where the model with the wanted class on the regions of the rules, and unchanged elsewhere, has reasons this
    short, it is the answer, and no model that obeys is nearer. Otherwise the learner is run under the rules, on the
    rows of a table with the classes this model gives them.

    Parameters
    ----------
    clf : DNFClassifier
    rule : str or sequence of str
        As in :func:`idnf.check_rules`.
    X : table of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        The true labels, for accuracy and probabilities.

    Returns
    -------
    Rectified
        ``.classifier``, which is proved to obey; or a proof that there is none; or neither.

    Examples
    --------
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("~'age <= 30'", columns={"age": [30], "late": bool},
    ...                                 classes=("no", "yes"), k=2)
    >>> X = pd.DataFrame({"age": [20, 40, 50], "late": [False, False, True]})
    >>> print(rectify(policy, "if late then no", X, ["no", "yes", "no"]))
    A model that obeys was found: it decides 1 of 3 rows differently, accuracy 66.7% before and 100.0% after. No
    model that obeys is nearer: proved.
    """
    task = _Task.of(clf, read_rules(rule), X, y)
    impossible = task.out_of_reach()
    if impossible is not None:
        return task.result(None, proof=impossible)
    if all(answer.holds for answer in check_rules_of(clf.fitted_.table_model, rule)):
        return task.result(clf, proof=task.nearest(task.model))
    if all(isinstance(rule, RegionRule) for rule in task.rules):
        found = task.patch(task.model)
        if found is not None:
            return task.result(found, proof=task.nearest(found.fitted_.table_model))
    return task.result(task.search())


@dataclass(frozen=True)
class _Task:
    """A model, rules, and the rows near which it should stay."""

    clf: DNFClassifier
    rules: list[Rule]
    model: TableModel
    regions: list[list[Box]]
    X: object
    labels: NDArray[np.intp]

    @classmethod
    def of(cls, clf: DNFClassifier, rules: list[Rule], X: object, y: ArrayLike) -> _Task:
        own = clf.fitted_.table_model
        region_rules = [rule for rule in rules if isinstance(rule, RegionRule)]
        needed = columns_needed([rule.condition for rule in region_rules], {c.name: c for c in own.columns})
        ground, _ = common_ground([own.columns, needed])
        model = own.over(tuple(column.with_all_literals() for column in ground))
        refuse_contradictions(rules, model)
        labels = clf.fitted_.numbers_of(np.asarray(y))
        if (labels < 0).any():
            known = ", ".join(map(str, clf.classes_.tolist()))
            raise InvalidArgument(
                "y", f"hold labels of the model ({known})", f"{np.asarray(y)[labels < 0].tolist()[0]!r}"
            )
        return cls(clf, rules, model, required_regions(model, region_rules), X, labels)

    def nearest(self, new: TableModel) -> Nearest:
        """Return the claim that a model differs from the original only where rules require it."""
        sizes = [len(column.labels) for column in self.model.columns]
        return Nearest(sizes, self.model.boxes, new.over(self.model.columns).boxes, self.regions)

    def out_of_reach(self) -> OutOfReach | None:
        """Return a point that no model of reasons this short can give the class wanted there."""
        try:
            point = out_of_reach(self.model, self.regions, self.clf.k)
        except (TooManyBoxes, TooManyPieces):
            return None
        if point is None:
            return None
        label = next(c for c in (0, 1) if any(contains(box, point) for box in self.regions[c]))
        return OutOfReach(point, self.regions[label], self.regions[1 - label], self.clf.k)

    def result(self, found: DNFClassifier | None, *, proof: Nearest | OutOfReach | None = None) -> Rectified:
        given = self.clf.predict(self.X)
        truth = self.clf.classes_[self.labels]
        decided = None if found is None else found.predict(self.X)
        return Rectified(
            found,
            isinstance(proof, Nearest),
            row_values(self.model.columns, tuple(proof.point)) if isinstance(proof, OutOfReach) else None,
            None if decided is None else int((decided != given).sum()),
            len(truth),
            float(np.mean(given == truth)),
            None if decided is None else float(np.mean(decided == truth)),
            tuple(rule.text for rule in self.rules),
            proof,
            self.model.columns,
        )

    def answers(self, model: TableModel, rules: Iterable[Rule]) -> list[RuleAnswer]:
        """Return whether rules hold for a model, which may do without some of the columns they name."""
        texts = [rule.text for rule in rules]
        return check_rules_of(model.over(self.model.columns), texts) if texts else []

    def patch(self, model: TableModel) -> DNFClassifier | None:
        """Return the model with the wanted classes on all regions, None if its reasons are too long."""
        literals, space = literal_names(model.columns), space_of(model.columns)
        try:
            double = DoubleDNF.from_boxes(literals, patch_model(model, self.regions).boxes, space)
        except (TooManyBoxes, TooManyPieces):
            return None
        if double.k > self.clf.k:
            return None
        learned = Learned(double.within(self.clf.k), float("nan"))
        return self._obeying(model.columns, LearningResult(learned, "none: a model was patched"))

    def search(self) -> DNFClassifier | None:
        """Return a model found by search among those that obey, None if there is none."""
        barred = {name for rule in self.rules if isinstance(rule, InvarianceRule) for name in rule.columns}
        monotone = [rule for rule in self.rules if isinstance(rule, MonotoneRule) and rule.column not in barred]
        settings = {rule.column: self._way(rule) for rule in monotone}
        columns = tuple(column for column in self.model.columns if column.name not in barred)
        training = self._training(columns)
        given = self.clf.predict(self.X)
        near = class_numbers(given)[1] if len(set(given.tolist())) == 2 else self.labels
        asked = type(self.clf)(**{**self.clf.get_params(deep=False), "monotonic_cst": settings or None})
        if settings:
            asked.set_params(learner="search")
        task = task_of(asked, training)
        task = replace(task, learner="exact" if asked.learner == "exact" else "search")
        features = training.binariser.features_of(training.table)
        points, wanted = self._draw()
        for _ in range(_ROUNDS):
            extra = np.array([self._features(columns, point) for point in points], dtype=bool)
            both = np.vstack([features, extra]) if len(points) else features
            truth = np.concatenate([near, wanted]).astype(bool)
            weights = np.concatenate([np.ones(len(near)), np.full(len(wanted), max(1.0, len(near) / 20))])
            counts = PackedTable.from_arrays(both, truth, weights)
            found = learn_model(counts, task)
            made = self._obeying(columns, found) or self._patch(columns, found)
            if made is not None:
                return made
            points, wanted = self._with_failures(columns, found, points, wanted)
        return None

    def _way(self, rule: MonotoneRule) -> int:
        return 1 if (label_index(self.model, rule.label) == 1) == rule.rising else -1

    def _training(self, columns: Sequence[TableColumn]) -> MemoryTraining:
        binariser = declared_binariser(columns)
        progress = self.clf.progress if callable(self.clf.progress) else None
        table, examples = binariser.read(self.X), CountedExamples(self.labels)
        return MemoryTraining(binariser, self.clf.classes_, table, self.labels, examples, progress)

    def _fit(self, columns: Sequence[TableColumn], found: LearningResult) -> Fitted:
        return Fitted.trained(self._training(columns), found)

    def _obeying(self, columns: Sequence[TableColumn], found: LearningResult) -> DNFClassifier | None:
        """Return a model as a classifier if it is proved to obey all rules."""
        own = self.clf.fitted_
        state = replace(self._fit(columns, found), reason_texts=own.reason_texts)
        kept = [name for name in own.immutable if name in {column.name for column in columns}]
        made = self.clf.with_state(state.with_settings(target=own.target, favourable=own.favourable, immutable=kept))
        return made if all(answer.holds for answer in self.answers(made.fitted_.table_model, self.rules)) else None

    def _patch(self, columns: Sequence[TableColumn], found: LearningResult) -> DNFClassifier | None:
        if len(columns) != len(self.model.columns) or any(isinstance(rule, MonotoneRule) for rule in self.rules):
            return None
        return self.patch(self._fit(columns, found).table_model)

    def _draw(self) -> tuple[list[tuple[int, ...]], NDArray[np.intp]]:
        """Return points drawn from the regions, rows of the table moved into them, and the classes wanted there."""
        rng = np.random.default_rng(0)
        cells = declared_binariser(self.model.columns).cells(self.X).astype(int)
        pairs = [(box, label) for label in (0, 1) for box in self.regions[label]]
        points, wanted = [], []
        for _ in range(_DRAWN if pairs else 0):
            box, label = pairs[int(rng.integers(len(pairs)))]
            row = cells[int(rng.integers(len(cells)))].tolist()
            points.append(tuple(_move_into(mask, cell, rng) for mask, cell in zip(box, row, strict=True)))
            wanted.append(label)
        return points, np.array(wanted, dtype=np.intp)

    def _with_failures(
        self,
        columns: Sequence[TableColumn],
        found: LearningResult,
        points: list[tuple[int, ...]],
        wanted: NDArray[np.intp],
    ) -> tuple[list[tuple[int, ...]], NDArray[np.intp]]:
        """Return the points with rows on which a model breaks a rule about a region, several times each."""
        rules = [rule for rule in self.rules if isinstance(rule, RegionRule)]
        new, labels = list(points), wanted.tolist()
        answers = self.answers(self._fit(columns, found).table_model, rules)
        for rule, answer in zip(rules, answers, strict=True):
            if not answer.holds:
                label = label_index(self.model, rule.label)
                row = {**row_values(self.model.columns, (0,) * len(self.model.columns)), **answer.witness[0]}
                point = tuple(int(c.cells(*([row[name]] for name in c.sources))[0]) for c in self.model.columns)
                new += [point] * 5
                labels += [label if rule.wanted else 1 - label] * 5
        return new, np.array(labels, dtype=np.intp)

    def _features(self, columns: Sequence[TableColumn], point: tuple[int, ...]) -> list[bool]:
        cell_of = {c.name: cell for c, cell in zip(self.model.columns, point, strict=True)}
        return [bool(literal.mask >> cell_of[column.name] & 1) for column in columns for literal in column.literals]


def _move_into(mask: int, cell: int, rng: np.random.Generator) -> int:
    """Return a cell if it is allowed, else one of those that are."""
    if mask >> cell & 1:
        return cell
    allowed = [c for c in range(mask.bit_length()) if mask >> c & 1]
    return allowed[int(rng.integers(len(allowed)))]
