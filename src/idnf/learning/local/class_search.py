"""Local search for several classes: trees first, then what may stand in place of each of their branches.

A branch at depth d is a function of the examples that reach it, with reasons of at most k - d literals left. From the
lowest branches up it is replaced where that is better: by a nested DNF that tells the two heaviest classes apart, and
for ``family="any"`` by the best state of a labelled search (:mod:`idnf.learning.local.labelled_search`), started from
the branch as it is and from nothing, with every class as default. At the root that is a search over all functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.cart import cart_in_time
from idnf.learning.exact.class_optimum import ClassTreeOptions, optimal_class_tree, proof_has_time
from idnf.learning.local.labelled_search import (
    MOST_IMPLICANTS,
    LabelledMasks,
    LabelledSearch,
    LabelledState,
    LabelledTask,
)
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.lookahead import lookahead_tree
from idnf.learning.objective import Objective
from idnf.learning.one_against_rest import one_against_rest, one_against_rest_has_time
from idnf.learning.result import Learned
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.model import Model
from idnf.logic.trees import Leaf, NestedTree, Node, Split, TermsLeaf, joined

# Moves of labelled searches from one start, all classes together, and the fewest for each class tried as default.
_MOVES = 450
_LEAST_MOVES = 20
# Moves of the best of them after that.
_MORE_MOVES = 150
# Sweeps of the search for a nested leaf as a part of the usual effort, and its largest order.
_LEAF_EFFORT = 0.1
_MOST_ORDER = 4
# Examples that a branch must have for a search to be worth its time.
_LEAST_ROWS = 4
# Seconds for the proof of the best tree where literals are free, at effort 1.
_PROOF_SECONDS = 20.0
# What a literal costs unless its price is given, in examples.
_LEAST_PRICE = 0.05
# Of the time left, the share after which trees look ahead no more: what is begun is still to be finished.
_LOOKING_AHEAD = 0.7
# Rows times features that a second prepares a search for.
_CELLS_A_SECOND = 3_000_000


def class_search(rows: DistinctRows, names: Sequence[str], k: int, *, options: SearchOptions) -> Learned:
    """Learn a model of several classes that is never worse, on the training objective, than what it starts from.

    Every family starts from CART and a look-ahead tree, "any" from one nested DNF for each class against the rest as
    well. Where no price is given, a literal costs a small part of an example. At price 0 the tree is the best of depth
    k that can be proved in time.

    Parameters
    ----------
    rows : DistinctRows
        The training examples with their weights.
    names : sequence of str
        The features.
    k : int
        The largest size of an explanation.
    options : SearchOptions
        How to search; `family` is "tree", "pair-tree", "nested-tree" or "any".
    """
    return _ClassSearch(rows, tuple(names), k, options).run()


class _ClassSearch:
    def __init__(self, rows: DistinctRows, names: tuple[str, ...], k: int, options: SearchOptions) -> None:
        self.rows, self.names, self.k = rows, names, k
        self.options = options
        self.deadline = options.deadline
        self.seeds = iter(range(1, 1 << 31))
        price = options.price
        self.price = _LEAST_PRICE * rows.unit if price is None else price * rows.total
        self.objective = Objective(rows, self.price / rows.total)

    def run(self) -> Learned:
        """Return the best model of the family."""
        models: list[Model] = [self._constant()]
        try:
            for model in self._models(models):
                models.append(model)
        except KeyboardInterrupt:
            # The best model so far is what the user gets.
            self.deadline.stop()
        self._report(1.0)
        best = min(models, key=self.objective)
        return Learned(best, self.objective(best), price=self.objective.price)

    def _models(self, known: list[Model]) -> Iterator[Model]:
        """Yield models, each better or of a wider family; those yielded before are known."""
        yield from self._trees()
        if self.options.family == "tree":
            return
        best = min(known, key=self.objective)
        yield self._improved(best, self.rows, self.price, self._nested)
        if self.options.family == "any":
            yield from self._searched(min(known, key=self.objective))

    def _constant(self) -> NestedTree:
        heaviest = int(self.rows.weights.sum(axis=0).argmax())
        return NestedTree(self.names, Leaf.constant(self.names, heaviest), self.k, self.rows.n_classes)

    def _trees(self) -> Iterator[Model]:
        """Yield what no family may be worse than."""
        k, price = self.k, self.price
        seed = self.options.random_state
        yield cart_in_time(self.rows, self.names, k, random_state=seed, deadline=self.deadline.part(0.5))
        early = self.deadline.part(_LOOKING_AHEAD)
        ahead = lookahead_tree(self.rows, self.names, k, price=self.objective.price, is_over=early.is_over)
        yield ahead
        if not price and proof_has_time(self.rows, self.deadline):
            soon = self.deadline.within(_PROOF_SECONDS * self.options.effort)
            found = optimal_class_tree(self.rows, self.names, k, options=ClassTreeOptions(start=ahead, deadline=soon))
            yield found.model
        self._report(0.4)

    def _searched(self, best: Model) -> Iterator[Model]:
        """Yield what labelled searches find from the best model and from one class against the rest."""
        yield self._improved(best, self.rows, self.price, self._labelled)
        if not one_against_rest_has_time(self.rows, self.deadline):
            return
        rest = one_against_rest(self.rows, self.names, self.k, random_state=self.options.random_state)
        if rest is not None:
            yield rest
            branch = _Branch(TermsLeaf(rest), self.rows, self.k, self.price)
            yield NestedTree(self.names, self._labelled(branch), self.k, self.rows.n_classes)

    def _improved(
        self, model: Model, rows: DistinctRows, price: float, replaced: Callable[[_Branch], Node]
    ) -> NestedTree:
        """Return a model as a tree with every branch, lowest first, replaced by something better if there is any."""

        def node(part: Node, rows: DistinctRows, bound: int) -> Node:
            if isinstance(part, Split):
                right = rows.features[:, part.feature]
                low = node(part.if_false, rows.part(~right), bound - 1)
                high = node(part.if_true, rows.part(right), bound - 1)
                part = joined(part.feature, low, high)
            if bound < 2 or len(rows.features) < _LEAST_ROWS or self._is_late():
                return part
            if not (rows.weights.argmax(axis=1) != rows.weights[0].argmax()).any():
                return part
            return replaced(_Branch(part, rows, bound, price))

        return NestedTree(self.names, node(model.node(), rows, model.k), model.k, model.n_classes)

    def _nested(self, branch: _Branch) -> Node:
        """Return a branch, or a nested DNF of its two heaviest classes if that is better."""
        totals = branch.rows.weights.sum(axis=0)
        label, otherwise = np.argsort(-totals, kind="stable")[:2].tolist()
        pair = branch.rows.of_pair(label, otherwise)
        order = min(self.options.order(branch.bound), _MOST_ORDER)
        options = replace(
            self.options,
            family="nested",
            polarity="auto",
            price=branch.price / float(totals[[label, otherwise]].sum()),
            effort=self.options.effort * _LEAF_EFFORT,
            n_jobs=None,
            random_state=self.options.random_state + next(self.seeds),
            progress=None,
        )
        model = search(pair, self.names, order, options=options).model
        return self._better(branch, [model.node().relabelled((otherwise, label), self.rows.n_classes)])

    def _labelled(self, branch: _Branch) -> Node:
        """Return a branch, or the best state of labelled searches if that is better."""
        if branch.rows.features.size > _CELLS_A_SECOND * self.deadline.left:
            return branch.node
        totals = branch.rows.weights.sum(axis=0)
        present = [label for label in np.argsort(-totals, kind="stable").tolist() if totals[label] > 0]
        effort = self.options.effort
        moves = max(1, round(effort * max(_LEAST_MOVES, _MOVES // len(present))))
        found = list(self._states(branch, present, moves))
        if found and not self._is_late():
            best = max(found, key=lambda one: one.value)
            found.append(self._state(branch, best.default, best.state, max(1, round(effort * _MORE_MOVES))))
        return self._better(branch, [TermsLeaf(one.dnfs) for one in found])

    def _states(self, branch: _Branch, defaults: Sequence[int], moves: int) -> Iterator[_Found]:
        """Yield the best state of a search with each of some classes as default, from nothing and from the branch."""
        for default in defaults:
            for state in self._starts(branch, default):
                if self._is_late():
                    return
                yield self._state(branch, default, state, moves)

    def _state(self, branch: _Branch, default: int, state: LabelledState, moves: int) -> _Found:
        generator = np.random.default_rng([self.options.random_state, next(self.seeds)])
        task = LabelledTask(branch.masks, default, branch.bound, branch.price)
        searching = LabelledSearch(task, state, generator)
        searching.run(moves, self.deadline.is_over)
        best = searching.best
        right = float(branch.rows.weights[:, default].sum()) + searching.best_value
        dnfs = best.to_class_dnfs(self.names, branch.bound, default, self.rows.n_classes)
        return _Found(default, best, right, dnfs)

    def _starts(self, branch: _Branch, default: int) -> Iterator[LabelledState]:
        yield LabelledState.empty()
        whole = NestedTree(self.names, branch.node, branch.bound, self.rows.n_classes)
        pairs = [
            (mask, label)
            for label in range(self.rows.n_classes)
            if label != default
            for mask in whole.side(label).masks
        ]
        state = LabelledState.of(pairs, MOST_IMPLICANTS)
        if state is not None and state.terms:
            yield state

    def _better(self, branch: _Branch, others: Sequence[Node]) -> Node:
        """Return the branch, or the best of others where it costs less on the examples of the branch."""
        cost = Objective(branch.rows, branch.price / branch.rows.total)

        def worth(node: Node) -> float:
            return cost(NestedTree(self.names, node, branch.bound, self.rows.n_classes))

        best = min(others, key=worth, default=branch.node)
        return best if worth(best) < worth(branch.node) - 1e-12 else branch.node

    def _is_late(self) -> bool:
        return self.deadline.is_over()

    def _report(self, share: float) -> None:
        progress: Callable[[float], None] | None = self.options.progress
        if progress is not None:
            progress(share)


@dataclass(frozen=True)
class _Branch:
    """A part of a tree, the examples that reach it, the literals that reasons have left there, and their price."""

    node: Node
    rows: DistinctRows
    bound: int
    price: float

    @cached_property
    def masks(self) -> LabelledMasks:
        """The examples as searches read them."""
        return LabelledMasks(self.rows)


@dataclass(frozen=True)
class _Found:
    """The best state of a search: the class that was the default, what it gets right less its price, its DNFs."""

    default: int
    state: LabelledState
    value: float
    dnfs: ClassDNFs
