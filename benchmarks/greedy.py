"""The paper's learner against scikit-learn's CART on the same tables, as ratios measured side by side."""

import time
import tracemalloc
from statistics import median

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from idnf.classifier.estimator import DNFClassifier
from idnf.counting.packed import PackedTable
from idnf.datasets.loading import load_paper
from idnf.learning.greedy import learn_greedy

K = 4


def seconds(first, second, repeats):
    """Median seconds of two calls, taken in turns so that both see the same machine."""
    times = [[], []]
    for _ in range(repeats):
        for call, taken in zip((first, second), times, strict=True):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return median(times[0]), median(times[1])


def report(what, ours, theirs, target):
    print(f"  {what:<52} {ours:9.4f} s  {theirs:9.4f} s  ratio {theirs / ours:7.2f}  (target {target})")


def table(examples, features, *, seed=0):
    generator = np.random.default_rng(seed)
    X = generator.random((examples, features), dtype=np.float32) < 0.4
    return X, (((X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])) ^ (generator.random(examples) < 0.1)).astype(int)


def learn(X, y):
    """Pack and learn, without the estimator's checks."""
    return learn_greedy(PackedTable.from_arrays(X, y == 1), tuple(f"x{j}" for j in range(X.shape[1])), K)


def against_cart(name, X, y, repeats, target):
    ours, cart = (
        DNFClassifier(K, family="nested", learner="greedy"),
        DecisionTreeClassifier(max_depth=K),
    )
    report(f"{name}: learner", *seconds(lambda: learn(X, y), lambda: cart.fit(X, y), repeats), target)
    report(f"{name}: fit", *seconds(lambda: ours.fit(X, y), lambda: cart.fit(X, y), repeats), target)
    report(f"{name}: predict", *seconds(lambda: ours.predict(X), lambda: cart.predict(X), repeats), ">= 1")


def scaling():
    times = {}
    for examples in (1_000_000, 4_000_000):
        X, y = table(examples, 50)
        times[examples], _ = seconds(lambda X=X, y=y: learn(X, y), lambda: None, 3)
    print(f"  1M -> 4M examples: time x {times[4_000_000] / times[1_000_000]:.2f}  (target about 4)")
    tracemalloc.start()
    learn(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"  4M x 50: peak memory {peak / (X.size / 8):.2f} times the packed table  (target <= 3)")


if __name__ == "__main__":
    print(f"  {'k = 4':<52} {'ours':>11}  {'CART':>11}")
    against_cart("compas", *load_paper("compas"), 30, ">= 1")
    against_cart("1M x 50", *table(1_000_000, 50), 3, ">= 15 (fit)")
    scaling()
