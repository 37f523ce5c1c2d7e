"""The same rows give the same model: whatever the hashes, threads and kernels, in any order, weighted or repeated."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache

import numpy as np
import pandas as pd
import pytest
from tests.adversary.tally import count
from tests.adversary.test_questions import random_table

from idnf import DNFBands, DNFClassifier
from idnf.exporting import json_text

pytestmark = pytest.mark.filterwarnings("ignore::idnf.TableWarning")

TABLES = 20
FITS = """
import sys, warnings
warnings.simplefilter("ignore")
from tests.adversary.test_determinism import fitted
print("".join(fitted(seed, n_jobs=int(sys.argv[2]))[0] for seed in range(int(sys.argv[1]))))
"""


def drawn(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = random.Random(seed)
    table = random_table(rng)
    codes = np.column_stack([pd.factorize(table[name], use_na_sentinel=False)[0] for name in table])
    n_classes = rng.choice([2, 2, 3])
    y = codes @ np.array([rng.choice([-3, 1, 2]) for _ in table.columns]) % (n_classes + 1) % n_classes
    noise = np.random.default_rng(seed).random(len(y)) < 0.1
    y = np.where(noise, 0, y)
    y[:n_classes] = range(n_classes)
    return table, np.array(["bad", "fair", "good"])[y]


def model(seed: int, n_jobs: int | None = None) -> DNFClassifier | DNFBands:
    rng = random.Random(seed)
    k = rng.randint(2, 4)
    if seed % 5 == 4:
        return DNFBands(2, effort=0.1, random_state=seed)
    learner = rng.choice(["search", "search", "greedy"])
    return DNFClassifier(k, learner=learner, effort=0.1, random_state=seed, n_jobs=n_jobs)


def fitted(seed: int, n_jobs: int | None = None) -> tuple[str, DNFClassifier | DNFBands]:
    table, y = drawn(seed)
    clf = model(seed, n_jobs)
    if isinstance(clf, DNFBands):
        y = np.where(y == "bad", "bad", "good")
    clf.fit(table, y)
    return json_text(clf), clf


@cache
def all_models() -> str:
    return "".join(fitted(seed)[0] for seed in range(TABLES)) + "\n"


def meaning(clf: DNFClassifier | DNFBands) -> object:
    """What a model file says but for its example rows, which are the first of their kind."""
    document = json.loads(json_text(clf))
    return document.get("model", document.get("models")), document["space"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting",
    [
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2"},
        {"OMP_NUM_THREADS": "2"},
        {"IDNF_KERNELS": "numpy"},
        {"jobs": "2"},
    ],
    ids=str,
)
def test_models_do_not_depend_on_hashes_threads_or_kernels(setting: dict[str, str]) -> None:
    expected = all_models()
    jobs = setting.get("jobs", "1")
    environment = {"OMP_NUM_THREADS": "1", **os.environ, **setting}
    command = [sys.executable, "-c", FITS, str(TABLES), jobs]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert found == expected
    count("tables learned from with other hashes, threads or kernels", TABLES)


def test_models_do_not_depend_on_the_order_of_rows_or_on_how_rows_are_repeated(rounds) -> None:
    for seed in rounds(2, TABLES):
        table, y = drawn(seed)
        clf = model(seed)
        if isinstance(clf, DNFBands):
            y = np.where(y == "bad", "bad", "good")
        expected = meaning(clf.fit(table, y))
        order = np.random.default_rng(seed).permutation(len(y))
        assert meaning(model(seed).fit(table.iloc[order], y[order])) == expected, seed
        weights = np.random.default_rng(seed).integers(1, 4, len(y))
        weighted = model(seed).fit(table, y, sample_weight=weights)
        repeated = np.repeat(np.arange(len(y)), weights)
        assert meaning(model(seed).fit(table.iloc[repeated], y[repeated])) == meaning(weighted), seed
        count("tables learned from in another order, and with weights for repeated rows")
