"""How much work the folds of cross-validation need, on the data to choose on.

Accuracy of the default on splits 1 to 3 of the data sets to choose on and on the concepts, for several efforts of a
search in the folds and numbers of voters there; in brackets the mean difference to the first line with its
standard error over data sets, and the geometric mean of the ratios of time. `--variants` picks some lines.
"""

import argparse
import warnings
from time import process_time

import numpy as np
from collection import division, names

from idnf import DNFClassifier
from idnf.learning import path

# The effort of a search, trees that vote, rounds of logistic regression.
VARIANTS = {
    "0.12 of the effort, 160 trees, four rounds": (0.12, 160, 4),
    "0.06": (0.06, 160, 4),
    "0.03": (0.03, 160, 4),
    "0.01": (0.01, 160, 4),
    "0.04, 40 trees, one round": (0.04, 40, 1),
    "0.02, 40 trees, one round": (0.02, 40, 1),
}
SPLITS = {"choosing": (1, 2, 3), "concepts": (0,)}


def fitted(name, split, k):
    """Accuracy in percent and processor seconds."""
    train, test, target, truth = division(name, split)
    start = process_time()
    model = DNFClassifier(k, random_state=0).fit(train, target)
    seconds = process_time() - start
    return 100 * np.mean(model.predict(test) == truth), seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--splits", type=int, nargs="+", default=SPLITS["choosing"])
    parser.add_argument("--variants", type=int, nargs="+", default=range(len(VARIANTS)), help="lines, from 0")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen = [list(VARIANTS)[place] for place in options.variants]
    for part, splits in (("choosing", options.splits), ("concepts", SPLITS["concepts"])):
        for k in options.k:
            first = None
            for variant in chosen:
                path._QUICK, path._QUICK_TREES, path._QUICK_ROUNDS = VARIANTS[variant]
                found = np.array([[fitted(name, split, k) for split in splits] for name in names(part)])
                first = found if first is None else first
                differs = (found - first)[..., 0].mean(axis=1)
                error = differs.std(ddof=1) / np.sqrt(len(differs))
                ratio = np.exp(np.log(found / first)[..., 1].mean())
                said = f"{differs.mean():+.2f} ± {error:.2f}, time {ratio:.2f}"
                print(f"{part}, k = {k}, {variant}: {found[..., 0].mean():.2f} ({said})", flush=True)
