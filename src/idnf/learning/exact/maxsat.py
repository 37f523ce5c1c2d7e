"""Core-guided weighted MaxSAT that can stop at any time with a lower bound (the OLL algorithm).

Each round asks a SAT solver to satisfy all soft literals. A core (soft literals that cannot all hold) raises the
bound by its least weight; a totaliser over the core then allows one of them to fail for free. A. Morgado, C. Dodaro,
J. Marques-Silva, Core-guided MaxSAT with soft cardinality constraints, CP 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

# Conflicts between two looks at the clock, a fraction of a second.
_CONFLICTS = 1000


@dataclass(frozen=True)
class Outcome:
    """A lower bound on the weight of the soft literals that fail, and the true variables of a model that reaches it."""

    cost: int
    model: frozenset[int] | None


class MaxSat:
    """A set of clauses and soft literals, numbered as in DIMACS.

    Examples
    --------
    >>> problem = MaxSat()
    >>> a, b = problem.new(), problem.new()
    >>> problem.add([-a, -b])
    >>> problem.prefer(a, 3)
    >>> problem.prefer(b, 2)
    >>> outcome = problem.solve(lambda cost: False)
    >>> outcome.cost, a in outcome.model
    (2, True)
    """

    def __init__(self) -> None:
        if find_spec("pysat") is None:
            raise ModuleNotFoundError("exact nested DNFs for k > 2 need python-sat: pip install 'idnf[sat]'")
        self._solver = import_module("pysat.solvers").Solver(name="g4")
        self._top = 0
        self._weights: dict[int, int] = {}
        # What a soft literal on the failures of a core gives way to.
        self._further: dict[int, list[int]] = {}

    def new(self) -> int:
        """Return a fresh variable."""
        self._top += 1
        return self._top

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause that must hold."""
        self._solver.add_clause(list(clause))

    def prefer(self, literal: int, weight: int) -> None:
        """Charge a weight where the literal fails."""
        self._weights[literal] = self._weights.get(literal, 0) + weight

    def solve(self, stop: Callable[[int], bool]) -> Outcome:
        """Raise the bound until a model reaches it or `stop`, asked with the bound from time to time, says so."""
        cost, level = 0, max(self._weights.values(), default=0)
        while not stop(cost):
            # Heavy literals first: their cores raise the bound most.
            active = [literal for literal, weight in self._weights.items() if weight >= level]
            self._solver.conf_budget(_CONFLICTS)
            status = self._solver.solve_limited(assumptions=active)
            if status is None:
                continue
            if status:
                lighter = [weight for weight in self._weights.values() if weight < level]
                if not lighter:
                    return Outcome(cost, frozenset(v for v in self._solver.get_model() if v > 0))
                level = max(lighter)
                continue
            cost += self._relax(self._reduce(self._solver.get_core() or []))
        return Outcome(cost, None)

    def _reduce(self, core: list[int]) -> list[int]:
        """Drop literals from a core while a short run shows that it stays one."""
        while len(core) > 1:
            self._solver.conf_budget(_CONFLICTS)
            if self._solver.solve_limited(assumptions=core) is not False:
                return core
            smaller = self._solver.get_core() or []
            if len(smaller) >= len(core):
                return core
            core = smaller
        return core

    def _relax(self, core: list[int]) -> int:
        """Let one literal of the core fail, and return what that costs."""
        assert core, "the clauses themselves can be satisfied"
        weight = min(self._weights[literal] for literal in core)
        for literal in core:
            self._weights[literal] -= weight
            if not self._weights[literal]:
                del self._weights[literal]
            for further in self._further.get(literal, [])[:1]:
                self.prefer(further, weight)
        if len(core) == 1:
            self.add([-core[0]])
            return weight
        # At most one of the core may fail; should that be in a core again, at most two, and so on.
        at_most = [-count for count in self._counters([-literal for literal in core])[1:]]
        self._further.update((literal, at_most[i + 1 :]) for i, literal in enumerate(at_most))
        self.prefer(at_most[0], weight)
        return weight

    def _counters(self, literals: list[int]) -> list[int]:
        """Return variables of which the j-th holds where more than j of the literals do: a totaliser."""
        if len(literals) == 1:
            return literals
        half = len(literals) // 2
        left, right = self._counters(literals[:half]), self._counters(literals[half:])
        counters = [self.new() for _ in literals]
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                if i + j:
                    held = [*(left[i - 1 : i] if i else []), *(right[j - 1 : j] if j else [])]
                    self.add([*(-count for count in held), counters[i + j - 1]])
        return counters
