"""The inner loops of search, compiled if that was built, else in numpy; both give the same results.

The environment variable ``IDNF_KERNELS`` chooses: ``compiled`` or ``numpy``; without it, compiled ones if there are.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.annealing_task import Annealed, AnnealTask
from idnf.learning.local.berge_task import BergeTask, Repaired, check_terms
from idnf.learning.local.masks import Cells
from idnf.learning.local.schedules import Schedule
from idnf.learning.local.specification import repairing, tree_search, voting
from idnf.learning.local.specification.split_worths import short_tree, split_worths
from idnf.learning.local.split_task import Grown, Integers, Places, SplitTask
from idnf.learning.local.voting_task import VotingTask
from idnf.logic.errors import InvalidArgument

IsOver = Callable[[], bool]
Repair = Callable[[BergeTask, Sequence[tuple[int, int]], Schedule, int, IsOver], Repaired]

_NAMES = ("compiled", "numpy")
_COMPILED = tuple(
    f"idnf.learning.local.compiled.{name}" for name in ("tree_search", "repairing", "voting", "split_worths", "cubes")
)


@dataclass(frozen=True)
class Kernels:
    """One implementation of the inner loops.

    Parameters
    ----------
    name : str
        "compiled" or "numpy".
    anneal : callable
        As :func:`idnf.learning.local.specification.tree_search.anneal`.
    repair : callable
        As :func:`idnf.learning.local.specification.repairing.repair`, of terms that are checked.
    vote : callable
        As :func:`idnf.learning.local.specification.voting.vote`.
    split_worths : callable
        As :func:`idnf.learning.local.specification.split_worths.split_worths`.
    short_tree : callable
        As :func:`idnf.learning.local.specification.split_worths.short_tree`.
    implicants : callable
        As :func:`idnf.learning.local.specification.repairing.implicants`.
    """

    name: str
    anneal: Callable[[AnnealTask, Schedule, int, IsOver], Annealed]
    repair: Repair
    vote: Callable[[VotingTask, int, IsOver], NDArray[np.int64]]
    split_worths: Callable[[SplitTask, Places, int], Integers]
    short_tree: Callable[[SplitTask, Places, int, int], Grown]
    implicants: Callable[[Cells, Sequence[int], int], list[int] | None]


def kernels() -> Kernels:
    """Return the implementation that the environment asks for.

    >>> kernels().name in ("compiled", "numpy")
    True
    """
    asked = os.environ.get("IDNF_KERNELS")
    if not asked and not is_compiled():
        _say_once()
    return named_kernels(asked or ("compiled" if is_compiled() else "numpy"))


@cache
def is_compiled() -> bool:
    """Return whether there are compiled kernels."""
    return all(find_spec(module) is not None for module in _COMPILED)


@cache
def _say_once() -> None:
    warnings.warn(
        "search runs in numpy, with the same results but many times slower: idnf was installed without its compiled "
        "inner loops. Reinstall it with a C compiler (pip install --force-reinstall --no-deps --no-cache-dir idnf), or "
        "set IDNF_KERNELS=numpy to silence this warning.",
        stacklevel=2,
    )


@cache
def named_kernels(name: str) -> Kernels:
    """Return the compiled implementation or the one in numpy."""
    if name not in _NAMES:
        raise InvalidArgument("IDNF_KERNELS", f"be one of {', '.join(_NAMES)}", f"{name!r}")
    if name == "numpy":
        anneal, repair, vote = tree_search.anneal, _checked(repairing.repair), voting.vote
        return Kernels(name, anneal, repair, vote, split_worths, short_tree, repairing.implicants)
    if not is_compiled():
        raise ImportError("IDNF_KERNELS=compiled needs the compiled kernels: reinstall idnf with a C compiler.")
    trees, berge, votes, splits, cubes = (import_module(module) for module in _COMPILED)
    of_trees = votes.vote, splits.split_worths, splits.short_tree
    return Kernels(name, trees.anneal, _checked(berge.repair), *of_trees, cubes.implicants)


def _checked(repair: Repair) -> Repair:
    """Return what makes Berge steps from terms that are checked first."""

    def checked(
        task: BergeTask, terms: Sequence[tuple[int, int]], cooling: Schedule, seed: int, is_over: IsOver
    ) -> Repaired:
        check_terms(task, terms)
        return repair(task, terms, cooling, seed, is_over)

    return checked
