"""Whether a change leaves models of two classes as they were: the same fits by two commits.

    python experiments/two_classes.py 421a233~1 421a233

The second commit named here is the one by which the classifier takes any number of classes. Tables of two classes are
generated, with numbers, categories and missing values, and fitted by every family and learner with two seeds; a model
is its terms of both classes. Times are processor seconds of all fits, the two commits taking turns. Search runs in
numpy, so that nothing has to be compiled.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from tarfile import open as open_archive

ROOT = Path(__file__).parent.parent
ROUNDS = 2

FITS = """
import json, time
import numpy as np
import pandas as pd
from idnf import DNFClassifier

def table(seed):
    rng = np.random.default_rng(seed)
    n = 250
    X = pd.DataFrame({
        "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(18, 80, n)),
        "income": rng.normal(3000, 800, n).round(),
        "job": rng.choice(["clerk", "nurse", "smith"], n),
        "late": rng.random(n) < 0.3,
    })
    y = (X.income > 2800) & ~X.late | (X.job == "nurse") & (X.age < 50)
    return X, np.where(y ^ (rng.random(n) < 0.05), "granted", "refused")

families = {"greedy": ["nested", "tree", "any"], "search": ["nested", "tree", "nested-tree", "any"], "exact": ["tree"]}
models, start = [], time.process_time()
for seed in range(2):
    X, y = table(seed)
    for learner, names in families.items():
        for family in names:
            for k in (2, 3):
                clf = DNFClassifier(k=k, family=family, learner=learner, effort=0.1, random_state=seed).fit(X, y)
                double = clf.double_dnf_
                models.append([str(double.positive), str(double.negative), clf.predict(X).tolist()])
print(json.dumps({"models": models, "seconds": time.process_time() - start}))
"""


def extracted(commit, folder):
    """The sources of a commit in a folder."""
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
    with open_archive(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder) / "src"


def fitted(source):
    settings = os.environ | {"PYTHONPATH": str(source), "IDNF_KERNELS": "numpy", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "ignore", "-c", FITS]
    done = subprocess.run(command, env=settings, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commits", nargs=2)
    commits = parser.parse_args().commits
    with tempfile.TemporaryDirectory() as folder:
        sources = [extracted(commit, Path(folder) / str(i)) for i, commit in enumerate(commits)]
        rounds = [[fitted(source) for source in sources] for _ in range(ROUNDS)]
    before, after = rounds[0]
    same = sum(a == b for a, b in zip(before["models"], after["models"], strict=True))
    seconds = [min(one[i]["seconds"] for one in rounds) for i in (0, 1)]
    print(f"{same} of {len(before['models'])} models of two classes are the same")
    print(f"processor seconds {seconds[0]:.2f} and {seconds[1]:.2f}, ratio {seconds[1] / seconds[0]:.3f}")
