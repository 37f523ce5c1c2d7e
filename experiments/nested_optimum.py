"""Optimal nested 3-DNFs: the least training errors, as a sum over the cells that the first literals of the rows make.

Let p, q and s be the rows of the matrix. Their first literals divide the examples into eight cells. If only p1 holds,
the model is a conjunction p2 & p3 or nothing. If p1 and q1 hold, it is a union of what p and q give, each p2 & p3, p2
or nothing, or it is everything. If all three hold, it is a union of three, or everything. So the value of a model is a
sum over cells of functions of one, two or three rows, and once the first literals are chosen the best others follow
from tables over pairs of rows. Bounds by row, then by pairs of rows, leave little to try.

What a row gives to the others is a pair of sets of examples: T, in which p2 & p3 holds, and X, which is T, or in which
p2 holds. A pair with X = p2 may use it in the cells of two rows or not. If it does not, but uses it in the cell of all
three, the term would have four literals; so candidates are counted again as models.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from time import process_time

import numpy as np

# Memory for triples of first literals that are bounded at once, and pairs of rows completed at once.
BATCH_BYTES, PAIRS = 2**26, 2**10


@dataclass
class Rows:
    """Distinct examples: the literals as rows of truths, and by how many positives outnumber negatives."""

    literals: np.ndarray
    positive: np.ndarray
    negative: np.ndarray

    @classmethod
    def of(cls, X, y):
        points, which = np.unique(np.asarray(X, dtype=bool), axis=0, return_inverse=True)
        counts = [np.bincount(which.ravel()[np.asarray(y) == label], minlength=len(points)) for label in (1, 0)]
        both = np.unique(np.concatenate([points.T, ~points.T]), axis=0)
        return cls(both[both.any(axis=1) & ~both.all(axis=1)], *counts)


class Candidates:
    """What a row can give: sets of examples, and pairs (T, X) of their numbers."""

    def __init__(self, literals):
        n = len(literals)
        one, two = np.triu_indices(n)
        sets, number = np.unique(np.concatenate([literals[one] & literals[two], literals[:1] & False]), axis=0,
                                 return_inverse=True)  # fmt: skip
        number = number.ravel()
        of = np.zeros((n, n), dtype=int)
        of[one, two] = of[two, one] = number[:-1]
        wide = {(int(t), int(of[a, a])) for a in range(n) for t in {*of[a], number[-1]}}
        self.sets = sets
        self.pairs = np.array(sorted(wide | {(t, t) for t in range(len(sets))}))


def least_errors(X, y, known, *, seconds=float("inf")):
    """The errors of an optimal nested 3-DNF of class 1 if they are below `known`, else `known`, and a bound on them.

    The bound is `known` or what was found if the search ended, lower if time ran out.
    """
    rows = Rows.of(X, y)
    total = int(rows.positive.sum())
    known = min(known, total, len(y) - total)
    if not len(rows.literals):
        return known, known
    search = Search(rows, total - known)
    search.run(process_time() + seconds)
    return total - search.best, total - max(search.best, search.open)


class Search:
    """The most by which the positives that a model covers outnumber the negatives, if it is above `best`."""

    def __init__(self, rows, best):
        self.best, self.open = best, -(10**9)
        self.rows = rows
        candidates = Candidates(rows.literals)
        self.literals = rows.literals
        self.sets = candidates.sets.astype(np.float32)
        self.t, self.x = candidates.pairs.T
        self.positive, self.negative = (part.astype(np.float32) for part in (rows.positive, rows.negative))
        self.weight = self.positive - self.negative

    def run(self, stop):
        n = len(self.literals)
        triples = np.array(list(combinations_with_replacement(range(n), 3)))
        bounds = self.bounds_by_cell(triples)
        for number in np.argsort(-bounds, kind="stable"):
            triple, bound = triples[number], bounds[number]
            if bound <= self.best:
                return
            if process_time() > stop:
                self.open = int(bound)
                return
            self.solve(triple)

    def cells(self, triples):
        """Of each triple the examples in which one, two or three of its literals hold: seven lists of truths."""
        held = [self.literals[triples[:, i]] for i in range(3)]
        return {
            which: np.all(np.stack([h if i in which else ~h for i, h in enumerate(held)]), axis=0)
            for which in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
        }

    def bounds_by_cell(self, triples):
        """Bounds that let each cell of one row choose for itself, and take all positives of the others."""
        found = []
        size = max(1, BATCH_BYTES // (4 * max(len(self.sets), 7 * len(self.weight))))
        for start in range(0, len(triples), size):
            cells = self.cells(triples[start : start + size])
            bound = sum(cells[which].astype(np.float32) @ self.positive for which in cells if len(which) > 1)
            for i in range(3):
                bound = bound + ((cells[(i,)] * self.weight) @ self.sets.T).max(axis=1)
            found.append(bound)
        return np.concatenate(found)

    def solve(self, triple):
        """Look for a better model whose rows begin with these literals."""
        cells = {which: cell[0] for which, cell in self.cells(triple[None]).items()}
        here = {which: np.flatnonzero(cell) for which, cell in cells.items()}
        alone = [self.sets[:, here[(i,)]] @ self.weight[here[(i,)]] for i in range(3)]
        tables = {}
        for which in [(0, 1), (0, 2), (1, 2)]:
            sets, weight = self.sets[:, here[which]], self.weight[here[which]]
            value = sets @ weight
            tables[which] = value[:, None] + value[None, :] - (sets * weight) @ sets.T
        deep = here[(0, 1, 2)]
        everything = {which: float(self.weight[here[which]].sum()) for which in here}
        Attempt(self, triple, alone, tables, everything, deep, full=True).run()
        Attempt(self, triple, alone, tables, everything, deep, full=False).run()


class Attempt:
    """The search below three first literals; `full` if the model covers all examples in which they hold."""

    def __init__(self, search, triple, alone, tables, everything, deep, *, full):
        self.search, self.triple, self.full = search, triple, full
        self.alone, self.tables, self.everything, self.deep = alone, tables, everything, deep
        if full:
            self.most = everything[(0, 1, 2)]
        else:
            self.deep_sets = search.sets[:, deep]
            self.missed = self.deep_sets @ search.negative[deep]
            self.most = float(search.positive[deep].sum())

    def run(self):
        search = self.search
        if not self.narrow():
            return
        for _ in range(3):
            before = [len(t) for t in self.t]
            self.expand()
            if not self.prune():
                return
            if sum(len(t) for t in self.t) > 0.9 * sum(before):
                break
        self.expand()
        self.finish(search)

    def most_deep(self, x):
        """What the cell of all three rows can add, given a row's pair: the positives, less negatives covered."""
        return 0.0 if self.full else -self.missed[x]

    def narrow(self):
        """Keep the pairs of each row that could be part of a better model, from the largest value of each table row."""
        search, best = self.search, self.search.best
        top = {}
        for (i, j), table in self.tables.items():
            whole = self.everything[i, j] if self.full else -np.inf
            top[i, j], top[j, i] = (np.maximum(table.max(axis=axis), whole) for axis in (1, 0))
        whole = [float(value.max()) for value in self.alone]
        self.t, self.x = [], []
        for i in range(3):
            j, l = (other for other in range(3) if other != i)
            rest = whole[j] + whole[l] + float(top[j, l].max()) + self.most
            bound = self.alone[i][search.t] + rest + self.most_deep(search.x)
            for other in (j, l):
                bound = bound + np.maximum(top[i, other][search.t], top[i, other][search.x])
            kept = np.flatnonzero(bound > best)
            if not len(kept):
                return False
            self.t.append(search.t[kept])
            self.x.append(search.x[kept])
        return True

    def expand(self):
        """The tables over the pairs that are kept."""
        self.values = {}
        for (i, j), table in self.tables.items():
            value = None
            for one, two in product((self.t[i], self.x[i]), (self.t[j], self.x[j])):
                part = table[one][:, two]
                value = part if value is None else np.maximum(value, part)
            self.values[i, j] = np.maximum(value, self.everything[i, j]) if self.full else value
        self.own = [self.alone[i][self.t[i]] for i in range(3)]

    def prune(self):
        """Keep the pairs of rows that a bound by the other two tables allows, half of the third each."""
        kept = []
        for i in range(3):
            j, l = (other for other in range(3) if other != i)
            third = self.values[min(j, l), max(j, l)]
            third = third if j < l else third.T
            bound = self.own[i] + self.most + self.most_deep(self.x[i])
            for other, half in ((j, third.max(axis=1) / 2), (l, third.max(axis=0) / 2)):
                table = self.values[i, other] if i < other else self.values[other, i].T
                bound = bound + (table + (self.own[other] + half)[None, :]).max(axis=1)
            kept.append(np.flatnonzero(bound > self.search.best))
            if not len(kept[-1]):
                return False
        self.t, self.x = ([part[index] for part, index in zip(parts, kept, strict=True)] for parts in (self.t, self.x))
        return True

    def finish(self, search):
        """Try every third row for the two rows that a bound allows."""
        last = max(range(3), key=lambda i: len(self.t[i]))
        i, j = (other for other in range(3) if other != last)
        first, second = (
            self.values[a, last] if a < last else self.values[last, a].T for a in (i, j)
        )  # tables of each row with the last
        half = self.own[last] / 2
        bound = self.values[i, j] + (self.own[i] + (first + half).max(axis=1))[:, None]
        bound = bound + (self.own[j] + (second + half).max(axis=1))[None, :] + self.most
        if not self.full:
            sets, negative = self.deep_sets, search.negative[self.deep]
            x, x2 = sets[self.x[i]], sets[self.x[j]]
            bound = bound - self.missed[self.x[i]][:, None] - self.missed[self.x[j]][None, :] + (x * negative) @ x2.T
        one, two = np.nonzero(bound > search.best)
        order = np.argsort(-bound[one, two])
        one, two = one[order], two[order]
        size = max(1, min(PAIRS, BATCH_BYTES // (16 * (len(self.t[last]) + len(self.deep)))))
        first = first + self.own[last]
        for start in range(0, len(one), size):
            self.complete(one[start : start + size], two[start : start + size], (i, j, last), first, second)

    def complete(self, one, two, order, first, second):
        search, (i, j, last) = self.search, order
        value = first[one]
        value += second[two]
        value += (self.values[i, j][one, two] + self.own[i][one] + self.own[j][two])[:, None]
        if self.full:
            value += self.most
        else:
            sets, weight = self.deep_sets, search.weight[self.deep]
            union = np.maximum(sets[self.x[i][one]], sets[self.x[j][two]])
            value += (union @ weight)[:, None]
            value += (weight * (1 - union)) @ sets[self.x[last]].T
        if value.max() <= search.best:
            return
        rows, columns = np.nonzero(value > search.best)
        for row, column in zip(rows, columns, strict=True):
            if float(value[row, column]) > search.best:
                at = {i: one[row], j: two[row], last: column}
                search.best = max(search.best, self.counted([(self.t[a][at[a]], self.x[a][at[a]]) for a in range(3)]))

    def counted(self, pairs):
        """The value of the best model of these rows: of each, which others its second literal is used with."""
        held = self.search.literals[self.triple]
        sets = [[self.search.sets[number].astype(bool) for number in pair] for pair in pairs]
        base = np.any([held[i] & sets[i][0] for i in range(3)], axis=0)
        wide = [held[i] & sets[i][1] & held[j] for i in range(3) for j in range(3) if i != j]
        wide += [held.all(axis=0), *(held[i] & held[j] for i, j in ((0, 1), (0, 2), (1, 2)))]
        unions = np.array(base)[None, :]
        for part in wide:
            unions = np.unique(np.concatenate([unions, unions | part]), axis=0)
        return int((unions @ self.search.weight).max())
