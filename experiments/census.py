"""Small functions counted: how many of four features lie in each class, and the least ones that tell classes apart.

    python experiments/census.py              four features, about a minute; writes census/*.csv
    python experiments/census.py --five       what can be counted of five features, about an hour; with torch and a GPU
                                              a few minutes

Functions are the same up to symmetry if exchanging or negating features turns one into the other. A class is decided
for one function of each such orbit, by the library; what it could not decide would be an error here.
"""

import argparse
import csv
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np

from idnf import DNF, NestedDNF
from idnf.logic.function_counts import tree_functions
from idnf.logic.literals import cofactors, feature_of, full_table, term_table
from idnf.logic.small_matchings import with_small_matchings
from idnf.logic.tree_depth import is_tree

FOLDER = Path(__file__).parent / "census"
NAMES = ("a", "b", "c", "d")


def dnf(table, names=NAMES):
    return DNF.from_truth_table(names, [table >> p & 1 for p in range(1 << len(names))])


@cache
def movements(n):
    """Return where exchanging and negating features moves each point, one line a symmetry."""
    points = np.arange(1 << n)
    turned = [sum(((points >> j) & 1) << order[j] for j in range(n)) for order in permutations(range(n))]
    return np.array([point ^ signs for point in turned for signs in range(1 << n)])


def orbit(table, n):
    """Return the functions that are the same up to symmetry, as tables."""
    points = np.arange(1 << n)
    return np.unique(((table >> points & 1)[movements(n)] << points).sum(axis=1))


def orbits(n):
    """Yield the least table of each orbit and the number of functions in it."""
    seen = np.zeros(1 << (1 << n), dtype=bool)
    for table in range(1 << (1 << n)):
        if not seen[table]:
            found = orbit(table, n)
            seen[found] = True
            yield table, len(found)


@cache
def plainest(table):
    """Return the prime implicants of the function of an orbit that has the fewest negations."""
    found = (dnf(other).prime_implicants() for other in orbit(table, 4).tolist())
    return min(map(str, found), key=lambda text: (text.count("~"), text))


@dataclass(frozen=True)
class Function:
    """The least function of an orbit."""

    table: int
    size: int
    dnf: DNF
    complexity: int

    @property
    def n_features(self):
        return len({feature_of(code) for code in self.dnf.literals()})


def functions_of_four():
    for table, size in orbits(4):
        f = dnf(table).prime_implicants()
        yield Function(table, size, f, f.certificate_complexity())


def is_pair_tree(table, order):
    """Return whether a function of four features is a pair tree: 2-AXp-interpretable, or a split over smaller ones."""
    if dnf(table).certificate_complexity() <= min(order, 2):
        return True
    if order <= 2:
        return False
    return any(all(is_pair_tree(half, order - 1) for half in cofactors(table, j, 4)) for j in range(4))


def classes(f, k):
    """Return the classes of order k that hold a k-AXp-interpretable function."""
    sides = [list(f.dnf.masks), list(f.dnf.complement().masks)]
    nested = [NestedDNF.recognise(DNF.from_masks(NAMES, side), k) is not None for side in sides]
    pair_tree = is_pair_tree(f.table, k)
    found = {
        "function of k features": f.n_features <= k,
        "tree of depth k": is_tree(sides[0], k),
        "nested k-DNF": nested[0],
        "nested k-DNF or complement of one": any(nested),
        "pair tree of order k": pair_tree,
        # With four features and k <= 3 a nested tree of order k is a pair tree or a nested DNF, complemented or not.
        "nested tree of order k": pair_tree or any(nested),
        "k-DNF or complement with matchings of at most k": any(with_small_matchings(s, k) is not None for s in sides),
        "k-AXp-interpretable": True,
    }
    return {name for name, holds in found.items() if holds}


def save(name, head, rows):
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
    for row in rows:
        print(*row, sep="  ", flush=True)


def inclusions(held, k):
    """Return for every two classes the least function in the first and not in the second, or that there is none."""
    names = list(dict.fromkeys(name for found in held.values() for name in sorted(found)))
    for small, large in permutations(names, 2):
        apart = [f for f, found in held.items() if small in found and large not in found]
        least = min(apart, key=lambda f: (f.n_features, f.dnf.length, f.table), default=None)
        yield [k, small, large, sum(f.size for f in apart), "" if least is None else plainest(least.table)]


def four():
    functions = list(functions_of_four())
    by_complexity = [[f for f in functions if f.complexity == c] for c in range(5)]
    rows = [[c, sum(f.size for f in part), len(part)] for c, part in enumerate(by_complexity)]
    save("complexity", ["certificate complexity", "functions", "up to symmetry"], rows)
    counts, apart = [], []
    for k in (2, 3):
        held = {f: classes(f, k) for f in functions if f.complexity <= k}
        for name in dict.fromkeys(name for found in held.values() for name in sorted(found)):
            inside = [f for f, found in held.items() if name in found]
            counts.append([k, name, sum(f.size for f in inside), len(inside)])
        apart += inclusions(held, k)
    save("classes", ["k", "class", "functions", "up to symmetry"], sorted(counts, key=lambda row: (row[0], row[2])))
    save("apart", ["k", "in", "not in", "functions", "least of them"], [row for row in apart if row[3]])
    save("inclusions", ["k", "every", "is a"], [row[:3] for row in apart if not row[3]])


def namespace():
    """Return torch and its GPU where there is one, else numpy."""
    try:
        import torch
    except ModuleNotFoundError:
        return np, {}
    return (torch, {"device": "cuda"}) if torch.cuda.is_available() else (np, {})


def terms_of_size(k, n):
    for features in combinations(range(n), k):
        for signs in product((0, 1), repeat=k):
            yield term_table(sum(1 << 2 * j + sign for j, sign in zip(features, signs)), n)


def covered(xp, function, tables):
    """Return the points of each function that a term inside it covers."""
    cover = function & 0
    for table in tables:
        cover |= xp.where((table & ~function) == 0, table, 0)
    return cover


def five():
    """Count the functions of five features by certificate complexity, and trees and pair trees of order 3."""
    xp, place = namespace()
    full, block = full_table(5), 1 << 22 if xp is np else 1 << 25
    counts = [2] + [0] * 5
    tables = {k: list(terms_of_size(k, 5)) for k in range(1, 5)}
    # A function and its complement have the same complexity: those that are 0 at the last point stand for all.
    for start in range(0, 1 << 31, block):
        functions = xp.arange(start, start + block, dtype=xp.int64, **place)
        left = functions[functions > 0]
        for k in range(1, 5):
            done = (covered(xp, left, tables[k]) == left) & (covered(xp, full ^ left, tables[k]) == full ^ left)
            counts[k] += 2 * int(done.sum())
            left = left[~done]
        counts[5] += 2 * len(left)
    save("five-complexity", ["certificate complexity", "functions"], list(enumerate(counts)))


def five_trees():
    two = {f for f in range(1 << 16) if dnf(f).certificate_complexity() <= 2}
    pair_trees, trees = set(), set()
    for j in range(5):
        # A function of the other four features, spread over the five.
        spread = np.array([(p & (1 << j) - 1) | (p >> 1 & ~((1 << j) - 1)) for p in range(32)])
        high = np.array([p >> j & 1 for p in range(32)], dtype=np.int64)
        for found, halves in ((pair_trees, two), (trees, tree_functions(2, 4))):
            values = np.array(sorted(halves))[:, None] >> spread & 1
            ones, zeros = ((values * side << np.arange(32)).sum(axis=1) for side in (high, 1 - high))
            found.update(np.unique(ones[:, None] | zeros[None, :]).tolist())
    # A 2-AXp-interpretable function depends on four features at most, so it is a split over a feature it ignores.
    rows = [["tree of depth 3", len(trees)], ["pair tree of order 3", len(pair_trees)]]
    save("five-trees", ["class", "functions"], rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--five", action="store_true")
    if parser.parse_args().five:
        five_trees()
        five()
    else:
        four()
