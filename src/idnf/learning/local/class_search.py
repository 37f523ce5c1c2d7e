"""Local search for several classes: trees first, then what may stand in place of each of their branches.

A branch at depth d is a function of the examples that reach it, with reasons of at most k - d literals left. From the
lowest branches up it is replaced where that is better: by a nested DNF that tells the two heaviest classes apart, and
for ``family="any"`` by the best state of a labelled search (:mod:`idnf.learning.local.labelled_search`), started from
the branch as it is and from nothing, with every class as default. At the root that is a search over all functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from idnf.counting.labelled_rows import LabelledRows
from idnf.learning.class_cart import class_cart
from idnf.learning.class_lookahead import class_lookahead_tree
from idnf.learning.class_objective import ClassModel, ClassObjective, LearnedClasses
from idnf.learning.class_price import PRICES, Choice, chosen_price
from idnf.learning.exact.class_optimum import ClassTreeOptions, optimal_class_tree
from idnf.learning.local.labelled_search import (
    MOST_IMPLICANTS,
    LabelledMasks,
    LabelledSearch,
    LabelledState,
    LabelledTask,
)
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.one_against_rest import one_against_rest
from idnf.logic.class_trees import ClassLeaf, ClassNode, ClassTree, DNFLeaf
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Split, joined

# Moves of one labelled search, and sweeps of the search for a nested leaf as a part of the usual effort.
_MOVES = 150
_LEAF_EFFORT = 0.1
# Classes tried as default where there are more, heaviest first; orders of a nested leaf.
_MOST_DEFAULTS = 4
_MOST_ORDER = 4
# Examples that a branch must have for a search to be worth its time.
_LEAST_ROWS = 4
# Seconds for the proof of the best tree where literals are free, at effort 1.
_PROOF_SECONDS = 20.0
_MOST_FEATURES = 60


def class_search(rows: LabelledRows, names: Sequence[str], k: int, *, options: SearchOptions) -> LearnedClasses:
    """Learn a model of several classes that is never worse, on the training objective, than what it starts from.

    Every family starts from CART and a look-ahead tree, "any" from one nested DNF for each class against the rest as
    well. Where no price is given, a literal costs a small part of an example; with `tune`, price and how much of k to
    use are chosen by cross-validation (:mod:`idnf.learning.class_price`). At price 0 the tree is the best of depth k
    that can be proved in time.

    Parameters
    ----------
    rows : LabelledRows
        The training examples with their weights.
    names : sequence of str
        The features.
    k : int
        The largest size of an explanation.
    options : SearchOptions
        How to search; `family` is "tree", "nested-tree" or "any".
    """
    return _ClassSearch(rows, tuple(names), k, options).run()


class _ClassSearch:
    def __init__(self, rows: LabelledRows, names: tuple[str, ...], k: int, options: SearchOptions) -> None:
        self.rows, self.names, self.k = rows, names, k
        self.options = options
        self.deadline = None if options.time_limit is None else monotonic() + options.time_limit
        self.seeds = iter(range(1, 1 << 31))
        self.choice = self._chosen()
        self.objective = ClassObjective(rows, self.choice.price / rows.total)

    def run(self) -> LearnedClasses:
        """Return the best model of the family."""
        models: list[ClassModel] = list(self._trees())
        if self.options.family != "tree":
            best = min(models, key=self.objective)
            assert isinstance(best, ClassTree), "only trees so far"
            models.append(self._improved(best, nested_only=True))
            if self.options.family == "any":
                models += self._searched(min(models, key=self.objective))
        self._report(1.0)
        best = min(models, key=self.objective)
        return LearnedClasses(best, self.objective(best), price=self.objective.price)

    def _chosen(self) -> Choice:
        price = self.options.price
        if price is not None:
            return Choice(self.k, price * self.rows.total)
        if not self.options.tune:
            return Choice(self.k, PRICES[0] * self.rows.unit)
        choice = chosen_price(
            self.rows, self.names, self.k, random_state=self.options.random_state, deadline=self.deadline
        )
        self._report(0.2)
        return choice

    def _trees(self) -> Iterator[ClassTree]:
        """Yield what no family may be worse than."""
        k, price = self.choice.k, self.choice.price
        yield ClassTree(
            self.names,
            ClassLeaf.constant(self.names, int(self.rows.weights.sum(axis=0).argmax())),
            k,
            self.rows.n_classes,
        )
        yield class_cart(self.rows, self.names, k, random_state=self.options.random_state)
        ahead = class_lookahead_tree(
            self.rows, self.names, k, price=price, most_features=_MOST_FEATURES, deadline=self.deadline
        )
        yield ahead
        if not price:
            seconds = _PROOF_SECONDS * self.options.effort
            limit = seconds if self.deadline is None else max(0.0, min(seconds, self.deadline - monotonic()))
            found = optimal_class_tree(
                self.rows, self.names, k, options=ClassTreeOptions(start=ahead, time_limit=limit)
            )
            assert isinstance(found.model, ClassTree), "the optimal tree is a tree"
            yield found.model
        self._report(0.4)

    def _searched(self, best: ClassModel) -> Iterator[ClassModel]:
        """Yield what labelled searches find from the best model and from one class against the rest."""
        assert isinstance(best, ClassTree), "only trees so far"
        yield self._improved(best, nested_only=False)
        rest = one_against_rest(self.rows, self.names, self.choice.k, random_state=self.options.random_state)
        if rest is not None:
            yield rest
            start = ClassTree(self.names, DNFLeaf(rest), self.choice.k, self.rows.n_classes)
            branch = _Branch(start.root, self.rows, self.choice.k)
            yield ClassTree(self.names, self._labelled(branch), self.choice.k, self.rows.n_classes)

    def _improved(self, tree: ClassTree, *, nested_only: bool) -> ClassTree:
        """Return a tree in which every branch, lowest first, is replaced by something better where there is any."""
        replaced = self._nested if nested_only else self._labelled

        def node(part: ClassNode, rows: LabelledRows, bound: int) -> ClassNode:
            if isinstance(part, Split):
                right = rows.features[:, part.feature]
                low = node(part.if_false, rows.part(~right), bound - 1)
                high = node(part.if_true, rows.part(right), bound - 1)
                part = joined(part.feature, low, high)
            if bound < 2 or len(rows.features) < _LEAST_ROWS or self._is_late():
                return part
            if not (rows.weights.argmax(axis=1) != rows.weights[0].argmax()).any():
                return part
            return replaced(_Branch(part, rows, bound))

        return ClassTree(self.names, node(tree.root, self.rows, self.choice.k), self.choice.k, self.rows.n_classes)

    def _nested(self, branch: _Branch) -> ClassNode:
        """Return a branch, or a nested DNF of its two heaviest classes if that is better."""
        totals = branch.rows.weights.sum(axis=0)
        label, otherwise = np.argsort(-totals, kind="stable")[:2].tolist()
        pair = branch.rows.of_pair(label, otherwise)
        order = min(branch.bound, _MOST_ORDER)
        options = replace(
            self.options,
            family="nested",
            polarity="auto",
            price=self.choice.price / float(totals[[label, otherwise]].sum()),
            effort=self.options.effort * _LEAF_EFFORT,
            time_limit=None if self.deadline is None else max(1e-3, self.deadline - monotonic()),
            n_jobs=None,
            random_state=self.options.random_state + next(self.seeds),
            progress=None,
        )
        model = search(pair, self.names, order, options=options).model
        if isinstance(model, NestedDNF):
            leaf = ClassLeaf(model, label, otherwise)
        else:
            nested = model.root.nested  # type: ignore[union-attr] # the complement of a nested DNF is a tree of depth 0
            leaf = ClassLeaf(nested, otherwise, label)
        return self._better(branch, [leaf])

    def _labelled(self, branch: _Branch) -> ClassNode:
        """Return a branch, or the best state of labelled searches if that is better."""
        masks = LabelledMasks(branch.rows)
        totals = branch.rows.weights.sum(axis=0)
        heaviest = np.argsort(-totals, kind="stable").tolist()
        present = [label for label in heaviest if totals[label] > 0][:_MOST_DEFAULTS]
        moves = max(1, round(_MOVES * self.options.effort))
        found: list[ClassNode] = []
        for default in present:
            task = LabelledTask(masks, default, branch.bound, self.choice.price)
            for state in self._starts(branch, default):
                if self._is_late():
                    break
                generator = np.random.default_rng([self.options.random_state, next(self.seeds)])
                searching = LabelledSearch(task, state, generator)
                searching.run(moves, self.deadline)
                dnfs = searching.best.to_class_dnfs(self.names, branch.bound, default, self.rows.n_classes)
                found.append(DNFLeaf(dnfs))
        return self._better(branch, found)

    def _starts(self, branch: _Branch, default: int) -> Iterator[LabelledState]:
        yield LabelledState.empty()
        whole = ClassTree(self.names, branch.node, branch.bound, self.rows.n_classes)
        pairs = [
            (mask, label)
            for label in range(self.rows.n_classes)
            if label != default
            for mask in whole.side(label).masks
        ]
        state = LabelledState.of(pairs, MOST_IMPLICANTS)
        if state is not None and state.terms:
            yield state

    def _better(self, branch: _Branch, others: Sequence[ClassNode]) -> ClassNode:
        """Return the branch, or the best of others where it costs less on the examples of the branch."""
        cost = ClassObjective(branch.rows, self.choice.price / branch.rows.total)

        def worth(node: ClassNode) -> float:
            return cost(ClassTree(self.names, node, branch.bound, self.rows.n_classes))

        best = min(others, key=worth, default=branch.node)
        return best if worth(best) < worth(branch.node) - 1e-12 else branch.node

    def _is_late(self) -> bool:
        return self.deadline is not None and monotonic() > self.deadline

    def _report(self, share: float) -> None:
        progress: Callable[[float], None] | None = self.options.progress
        if progress is not None:
            progress(share)


@dataclass(frozen=True)
class _Branch:
    """A part of a tree, the examples that reach it, and the literals that reasons have left there."""

    node: ClassNode
    rows: LabelledRows
    bound: int
