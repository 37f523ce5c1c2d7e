"""Least objectives by going through whole families of models as they are defined, on truth tables of a few features."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import product

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
Codes = frozenset[int]
Costs = dict[int, int]


def points(n: int) -> NDArray[np.bool_]:
    return np.array([[p >> j & 1 for j in range(n)] for p in range(1 << n)], dtype=np.bool_).reshape(1 << n, n)


def literal_table(code: int, n: int) -> int:
    return sum(1 << p for p in range(1 << n) if (p >> (code >> 1) & 1) != code & 1)


def opposite(codes: Iterable[int]) -> Codes:
    return frozenset(code ^ 1 for code in codes)


def cheaper(one: Costs, other: Costs) -> Costs:
    return {f: min(one.get(f, 99), other.get(f, 99)) for f in one.keys() | other.keys()}


def complemented(costs: Costs, n: int) -> Costs:
    return {f ^ (1 << (1 << n)) - 1: cost for f, cost in costs.items()}


@cache
def nested_costs(n: int, order: int, codes: Codes) -> Costs:
    """Return the literals in the shortest nested DNF of order 0, 1 or 2 over some literals, for each function."""
    full = (1 << (1 << n)) - 1
    found = {0: 0, full: 0}
    tables = {code: literal_table(code, n) for code in codes}
    if order:
        found = cheaper(found, dict.fromkeys(tables.values(), 1))
    if order < 2:
        return found
    for b, a, c, d in product(tables.values(), repeat=4):
        terms = ((b, 1), (c, 1), (b & a, 2), (c & d, 2), (b & c, 2))
        for chosen in product((False, True), repeat=5):
            function = cost = 0
            for (table, length), taken in zip(terms, chosen, strict=True):
                function, cost = function | taken * table, cost + taken * length
            found[function] = min(cost, found.get(function, 99))
    return found


@cache
def dnf_costs(n: int, width: int, codes: Codes) -> Costs:
    """Return the length of the shortest DNF of each function that has one with terms of at most 2 of these literals."""
    full = (1 << (1 << n)) - 1
    tables = [literal_table(code, n) for code in codes]
    terms = [(full, 0), *((table, 1) for table in tables)]
    if width > 1:
        terms += [(one & other, 2) for one, other in product(tables, repeat=2)]
    found, queue = {0: 0}, [(0, 0)]
    while queue:
        cost, function = heappop(queue)
        if cost > found[function]:
            continue
        for table, length in terms:
            union = function | table
            if cost + length < found.get(union, 99):
                found[union] = cost + length
                heappush(queue, (cost + length, union))
    return found


@dataclass(frozen=True)
class Task:
    """Weights of all points of n features, the price of a literal in the same unit, and the literals allowed."""

    n: int
    positive: Weights
    negative: Weights
    price: float
    allowed: Codes

    def least(self, costs: Costs) -> float:
        """Return the least cost over some functions, each with its literals."""
        functions = np.array(list(costs), dtype=object)
        values = np.array([[f >> p & 1 for p in range(1 << self.n)] for f in functions], dtype=np.bool_)
        errors = values @ self.negative + ~values @ self.positive
        return float((errors + self.price * np.array(list(costs.values()))).min())

    def leaf_costs(self, order: int) -> Costs:
        one, zero = nested_costs(self.n, order, self.allowed), nested_costs(self.n, order, opposite(self.allowed))
        return cheaper(one, complemented(zero, self.n))

    @property
    def free(self) -> list[int]:
        return [j for j in range(self.n) if {2 * j, 2 * j + 1} <= self.allowed]

    def half(self, feature: int, value: bool) -> "Task":
        side = points(self.n)[:, feature] == value
        return Task(self.n, self.positive * side, self.negative * side, self.price, self.allowed)

    def best_tree(self, budget: int, *, leaf_order: int) -> float:
        """Return the least cost of a nested tree of order `budget` whose leaves have order at most `leaf_order`."""
        best = self.least(self.leaf_costs(min(budget, leaf_order)))
        if not budget or best <= 0:
            return best
        halves = ([self.half(j, value) for value in (False, True)] for j in self.free)
        below = (sum(half.best_tree(budget - 1, leaf_order=leaf_order) for half in pair) for pair in halves)
        return min([best, *(self.price + cost for cost in below)])

    def best_nested(self, polarity: str) -> float:
        one = nested_costs(self.n, 2, self.allowed)
        zero = complemented(nested_costs(self.n, 2, opposite(self.allowed)), self.n)
        return self.least({"positive": one, "negative": zero, "auto": cheaper(one, zero)}[polarity])

    def best_of_any(self, k: int) -> float:
        """Return the least cost of a double DNF of width k <= 2, its shorter side counted, or of a nested tree."""
        one = dnf_costs(self.n, k, self.allowed)
        zero = complemented(dnf_costs(self.n, k, opposite(self.allowed)), self.n)
        double = {f: min(one[f], zero[f]) for f in one.keys() & zero.keys()}
        return min(self.least(double), self.best_tree(k, leaf_order=k))
