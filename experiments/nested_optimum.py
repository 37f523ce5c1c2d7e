"""Optimal nested 3-DNFs: the least training errors, by a sum over the cells that the first literals of the rows make.

Let p, q and s be the rows of the matrix. Their first literals divide the examples into eight cells. Where only p1 holds, the
model is a conjunction of two literals (p2 and p3) or nothing; where p1 and q1 hold, a union of what p and q give, each
p2 & p3, p2, or nothing, or everything; where all three hold, a union of three, or everything. So the examples that a
model gets right are a sum over cells of functions of one, two or three rows, and once the first literals are chosen,
the best other literals follow from tables over pairs of rows. Bounds by row, then by pairs of rows, leave little to try.

What a row gives to others is a pair of sets of examples: T, where p2 & p3 holds, and X, which is T or where p2 holds.
A row whose X is used in one cell only, or in none, is such a pair as well; only a model that uses X just where all three
rows meet is none (its term would have four literals), so candidates are counted again as models.

Runs on a GPU if CuPy is there, else on numpy; experiments/closing.py calls it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from time import perf_counter

import numpy as np

try:
    import cupy as xp
except ModuleNotFoundError:
    xp = np

# Triples of first literals bounded at once, numbers of a table at once, and pairs of rows completed at once.
BATCH_BYTES, PAIRS = 2**31, 2**14


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
    search.run(perf_counter() + seconds)
    return total - search.best, total - max(search.best, search.open)


class Search:
    """The most by which the positives that a model covers outnumber the negatives, if it is above `best`."""

    def __init__(self, rows, best):
        self.best, self.open = best, -(10**9)
        self.rows = rows
        candidates = Candidates(rows.literals)
        self.literals = xp.asarray(rows.literals)
        self.sets = xp.asarray(candidates.sets.astype(np.float32))
        self.t, self.x = (xp.asarray(part) for part in candidates.pairs.T)
        self.positive, self.negative = (xp.asarray(part, dtype=xp.float32) for part in (rows.positive, rows.negative))
        self.weight = self.positive - self.negative

    def run(self, stop):
        n = len(self.literals)
        triples = np.array(list(combinations_with_replacement(range(n), 3)))
        bounds = self.bounds_by_cell(triples)
        triples, bounds = sorted_by(triples, bounds, self.best)
        refined = self.bounds_by_pairs(triples, stop)
        triples, bounds = sorted_by(triples, np.minimum(bounds, refined), self.best)
        self.tried = len(triples)
        for triple, bound in zip(triples, bounds, strict=True):
            if bound <= self.best:
                return
            if perf_counter() > stop:
                self.open = int(bound)
                return
            self.solve(triple)

    def cells(self, triples):
        """Of each triple the examples in which one, two or three of its literals hold: seven lists of truths."""
        held = [self.literals[xp.asarray(triples[:, i])] for i in range(3)]
        return {
            which: xp.all(xp.stack([h if i in which else ~h for i, h in enumerate(held)]), axis=0)
            for which in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
        }

    def bounds_by_cell(self, triples):
        """Bounds that let each cell of one row choose for itself, and take all positives of the others."""
        found = []
        size = max(1, BATCH_BYTES // (4 * max(len(self.sets), 7 * len(self.weight))))
        for start in range(0, len(triples), size):
            cells = self.cells(triples[start : start + size])
            bound = sum(cells[which].astype(xp.float32) @ self.positive for which in cells if len(which) > 1)
            for i in range(3):
                bound = bound + ((cells[(i,)] * self.weight) @ self.sets.T).max(axis=1)
            found.append(host(bound))
        return np.concatenate(found)

    def bounds_by_pairs(self, triples, stop):
        """The same, with the best union of two sets in the cells of two rows."""
        found = np.full(len(triples), np.inf)
        size = max(1, BATCH_BYTES // (4 * len(self.sets) * (len(self.sets) + len(self.weight))))
        for start in range(0, len(triples), size):
            if perf_counter() > stop:
                break
            cells = self.cells(triples[start : start + size])
            bound = cells[(0, 1, 2)].astype(xp.float32) @ self.positive
            for i in range(3):
                bound = bound + ((cells[(i,)] * self.weight) @ self.sets.T).max(axis=1)
            for which in [(0, 1), (0, 2), (1, 2)]:
                weight = cells[which] * self.weight
                bound = bound + xp.maximum(self.unions(weight).max(axis=(1, 2)), weight.sum(axis=1))
            found[start : start + size] = host(bound)
        return found

    def unions(self, weights):
        """Of each list of weights, that of the union of any two sets."""
        alone = weights @ self.sets.T
        both = (weights[:, None, :] * self.sets) @ self.sets.T
        return alone[:, :, None] + alone[:, None, :] - both

    def solve(self, triple):
        """Look for a better model whose rows begin with these literals."""
        cells = {which: cell[0] for which, cell in self.cells(triple[None]).items()}
        here = {which: xp.flatnonzero(cell) for which, cell in cells.items()}
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
            self.missed = search.sets[:, deep] @ search.negative[deep]
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
        """What the examples of all three cells can give to a row's pair: all positives, less the negatives it covers."""
        return 0.0 if self.full else -self.missed[x]

    def narrow(self):
        """Keep the pairs of each row that could be part of a better model, from the largest value of each table row."""
        search, best = self.search, self.search.best
        top = {}
        for (i, j), table in self.tables.items():
            whole = self.everything[i, j] if self.full else -xp.inf
            top[i, j], top[j, i] = (xp.maximum(table.max(axis=axis), whole) for axis in (1, 0))
        whole = [float(value.max()) for value in self.alone]
        self.t, self.x = [], []
        for i in range(3):
            j, l = (other for other in range(3) if other != i)
            rest = whole[j] + whole[l] + float(top[j, l].max()) + self.most
            bound = self.alone[i][search.t] + rest + self.most_deep(search.x)
            for other in (j, l):
                bound = bound + xp.maximum(top[i, other][search.t], top[i, other][search.x])
            kept = xp.flatnonzero(bound > best)
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
                value = part if value is None else xp.maximum(value, part)
            self.values[i, j] = xp.maximum(value, self.everything[i, j]) if self.full else value
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
            kept.append(xp.flatnonzero(bound > self.search.best))
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
            sets, negative = search.sets[:, self.deep], search.negative[self.deep]
            x, x2 = sets[self.x[i]], sets[self.x[j]]
            bound = bound - self.missed[self.x[i]][:, None] - self.missed[self.x[j]][None, :] + (x * negative) @ x2.T
        one, two = xp.nonzero(bound > search.best)
        order = xp.argsort(-bound[one, two])
        one, two = one[order], two[order]
        size = max(1, min(PAIRS, BATCH_BYTES // (16 * (len(self.t[last]) + len(self.deep)))))
        for start in range(0, len(one), size):
            self.complete(one[start : start + size], two[start : start + size], (i, j, last), first, second)

    def complete(self, one, two, order, first, second):
        search, (i, j, last) = self.search, order
        value = first[one] + second[two] + self.own[last]
        value += (self.values[i, j][one, two] + self.own[i][one] + self.own[j][two])[:, None]
        if self.full:
            value += self.most
        else:
            sets, weight = search.sets[:, self.deep], search.weight[self.deep]
            union = xp.maximum(sets[self.x[i][one]], sets[self.x[j][two]])
            value += (union @ weight)[:, None] + (weight * (1 - union)) @ sets[self.x[last]].T
        rows, columns = xp.nonzero(value > search.best)
        for row, column in zip(host(rows), host(columns), strict=True):
            if float(value[row, column]) > search.best:
                at = {i: int(one[row]), j: int(two[row]), last: int(column)}
                search.best = max(search.best, self.counted([(int(self.t[a][at[a]]), int(self.x[a][at[a]])) for a in range(3)]))

    def counted(self, pairs):
        """The value of the best model of these rows: for each, which of the others its second literal is used with."""
        search = self.search
        held = [host(search.literals[int(code)]).astype(bool) for code in self.triple]
        sets = [[host(search.sets[number]).astype(bool) for number in pair] for pair in pairs]
        weight, most = host(search.weight), -np.inf
        base = np.any([held[i] & sets[i][0] for i in range(3)], axis=0)
        wide = [held[i] & sets[i][1] & held[j] for i in range(3) for j in range(3) if i != j]
        wide += [held[0] & held[1] & held[2], *(held[i] & held[j] for i, j in ((0, 1), (0, 2), (1, 2)))]
        for chosen in product((False, True), repeat=len(wide)):
            union = base.copy()
            for use, part in zip(chosen, wide, strict=True):
                if use:
                    union |= part
            most = max(most, float(weight[union].sum()))
        return int(most)


def sorted_by(triples, bounds, best):
    """The triples that could do better, the most promising first."""
    order = np.argsort(-bounds, kind="stable")
    order = order[bounds[order] > best]
    return triples[order], bounds[order]


def host(array):
    return array if isinstance(array, np.ndarray) else array.get()
