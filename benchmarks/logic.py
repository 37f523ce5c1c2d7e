"""Processor time of the exact logic on one core, beside what it is meant to take."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from random import Random
from statistics import median
from time import process_time

from idnf import DNF, NestedDNF
from idnf.logic.example_functions import majority, sharp

NAMES = tuple(f"x{j + 1}" for j in range(40))


def seconds(work):
    start = process_time()
    work()
    return process_time() - start


def report(name, times, target):
    print(f"  {name:<62} median {median(times):8.4f} s  worst {max(times):8.4f} s  (target {target})")


def random_dnf(rng, features, terms, size):
    """Random terms of one size over the first features."""
    chosen = ([2 * j + rng.randint(0, 1) for j in rng.sample(range(features), size)] for _ in range(terms))
    return DNF.from_codes(NAMES[:features], chosen)


def nested(rng, k, features, terms, *, repeated=True):
    """A random nested DNF; without repeated literals its matrix needs k * k features."""
    order = rng.sample(range(features), k * k) if not repeated else []
    rows = [order[k * i : k * i + k] if order else rng.sample(range(features), k) for i in range(k)]
    matrix = tuple(tuple(2 * j + rng.randint(0, 1) for j in row) for row in rows)
    vectors = [r for r in product(range(k + 1), repeat=k) if sum(r) == k]
    return NestedDNF(NAMES[:features], matrix, tuple(rng.sample(vectors, min(terms, len(vectors)))), k)


def random_tree(rng, features, depth):
    """The paths to the positive leaves of a random tree, as masks of literals."""
    if depth == 0:
        return [0] if rng.random() < 0.5 else []
    feature = rng.choice(features)
    rest = [f for f in features if f != feature]
    return [path | 1 << 2 * feature + side for side in (0, 1) for path in random_tree(rng, rest, depth - 1)]


def complements():
    for k, target in ((5, "0.5 s"), (6, "10 s")):
        f = sharp(k).to_dnf()
        report(f"complement of the sharp formula, k = {k}", [seconds(f.complement) for _ in range(5)], target)
    rng = Random(0)
    models = [nested(rng, 6, 36, 40) for _ in range(5)]
    report("both sides of nested 6-DNFs of 40 terms", [seconds(lambda m=m: m.side(False)) for m in models], "none")
    times = [seconds(lambda k=k: sharp(k).double().verify()) for k in (4, 5)]
    report("proof that the sharp formulas keep their promise, k = 4, 5", times, "none")


def implicants():
    rng = Random(0)
    formulas = [random_dnf(rng, 20, 20, 4) for _ in range(10)]
    report(
        "prime implicants of 20-term 4-DNFs over 20 features", [seconds(f.prime_implicants) for f in formulas], "2 s"
    )
    times = [seconds(f.certificate_complexity) for f in formulas]
    report("certificate complexity of the same", times, "2 s")


def matchings():
    rng = Random(0)
    for features in (12, 20, 40):
        formulas = [random_dnf(rng, features, 35, 4) for _ in range(10)]
        times = [seconds(f.maximum_induced_matching) for f in formulas]
        report(f"mim of 35-term 4-DNFs over {features} features", times, "1 s")
    report("mim of majority of seven", [seconds(majority(4).maximum_induced_matching)], "1 s")


def recognition():
    rng = Random(0)
    for k in range(2, 7):
        formulas = [nested(rng, k, k * k, 3 * k, repeated=False).to_dnf() for _ in range(10)]
        times = [seconds(lambda f=f, k=k: NestedDNF.recognise(f, k)) for f in formulas]
        report(f"recognition of written nested {k}-DNFs", times, "milliseconds")
    found: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(60):
        trees = DNF.from_masks(NAMES[:6], random_tree(rng, range(6), 3))
        for f in (trees, nested(rng, 3, 6, 7).side(False), nested(rng, 3, 6, 7).to_dnf().prime_implicants()):
            start = process_time()
            is_nested = NestedDNF.recognise(f, 3) is not None
            found[is_nested].append(process_time() - start)
    report(f"recognition at k = 3, six features: {len(found[True])} nested", found[True], "1 s")
    report(f"recognition at k = 3, six features: {len(found[False])} proofs of None", found[False], "1 s")
    report(
        "proof that majority of seven is no nested 4-DNF",
        [seconds(lambda: NestedDNF.recognise(majority(4), 4))],
        "none",
    )


def importing():
    code = "import sklearn.tree, narwhals, time; t = time.process_time(); import idnf; print(time.process_time() - t)"
    run = [sys.executable, "-c", code]
    times = [float(subprocess.run(run, check=True, capture_output=True, text=True).stdout) for _ in range(5)]
    report("import idnf, after numpy and scikit-learn", times, "well under 0.5 s")


def main():
    complements()
    implicants()
    matchings()
    recognition()
    importing()


if __name__ == "__main__":
    main()
