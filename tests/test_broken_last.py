"""What broke last, the smallest case of each, through the public interface alone: every test fails at a681589c."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.test_broken_later import after

import idnf
from idnf import DNFBands, DNFClassifier, exporting
from idnf.exporting.file_checks import check_file

near_optimal_models = getattr(getattr(idnf, "choosing", None), "near_optimal_models", None) or idnf.near_equals
THREE = pd.DataFrame({"x": [1, 2, 3] * 40})
CORNERS = pd.DataFrame([[point >> j & 1 for j in range(4)] for point in range(16)], columns=list("abcd")).astype(bool)


def edited(clf: DNFClassifier, folder: Path, **claims: object) -> str:
    """Return a model file that claims something else of its training."""
    exporting.to_json(clf, folder / "model.json")
    document = json.loads((folder / "model.json").read_text(encoding="utf-8"))

    def put(part: object) -> None:
        for name, value in list(part.items()) if isinstance(part, dict) else []:
            if name in claims:
                part[name] = claims[name]
            put(value)

    put(document)
    (folder / "model.json").write_text(json.dumps(document), encoding="utf-8")
    return str(folder / "model.json")


def test_a_claim_of_column_trees_is_refused(tmp_path: Path) -> None:
    y = np.where(THREE["x"] == 2, "yes", "no")
    clf = DNFClassifier(1, learner="exact", family="tree").fit(THREE, y)
    model = edited(clf, tmp_path, optimal="column-tree", bound_family="column-tree")
    with pytest.raises(ValueError, match="optimal"):
        check_file(model, THREE, y)


def test_an_optimum_in_a_family_that_the_model_is_not_of_is_refused(tmp_path: Path) -> None:
    y = np.where(CORNERS["a"] & CORNERS["b"] | CORNERS["c"] & CORNERS["d"], "yes", "no")
    clf = DNFClassifier(2, learner="exact").fit(CORNERS, y)
    model = edited(clf, tmp_path, optimal="tree", bound_family="tree")
    with pytest.raises(ValueError, match="optimal"):
        check_file(model, CORNERS, y)


def test_a_list_without_the_fitted_model_is_not_complete() -> None:
    y = (THREE["x"] == 2).to_numpy()
    clf = DNFClassifier(1, price=0).fit(THREE, y)
    near = near_optimal_models(clf, THREE, y, within=0.1)
    assert not near.complete
    assert max(one.model.score(THREE, y) for one in near.models) == 1


def test_no_model_over_the_caps_is_as_good() -> None:
    y = (CORNERS["a"] ^ CORNERS["b"]).to_numpy()
    clf = DNFClassifier(2, max_terms=1, price=0).fit(CORNERS, y)
    near = near_optimal_models(clf, CORNERS, y, within=0.5)
    assert not near.complete
    assert all(one.model.size_.terms <= 1 for one in near.models)


@pytest.mark.parametrize("kind", ["category", "int64"])
def test_no_categories_are_long_numbers(kind: str) -> None:
    X = pd.DataFrame({"c": pd.Series([2**53, 2**53 + 1, 5] * 20).astype(kind)})
    binariser = idnf.TableBinariser(kinds={"c": "category"})
    with pytest.raises(ValueError, match="'c' must have categories below"):
        DNFClassifier(1, binariser=binariser).fit(X, ["no", "yes", "no"] * 20)


def test_the_text_says_that_fractions_are_rounded_up() -> None:
    X = pd.DataFrame({"x": [1, 2, 3, 4] * 20})
    assert "ounded up" in DNFClassifier(1).fit(X, X["x"] >= 3).to_text()


@pytest.mark.parametrize("options", [{"max_terms": 2, "price": 0.0}, {"max_reasons": 20, "price": 0.001}])
def test_caps_end_in_time(options: dict[str, float]) -> None:
    rng = np.random.default_rng(0)
    values = np.array([0.0, 1, 2, np.nan])
    columns = {"a": rng.integers(0, 4, 300), "b": rng.choice(["red", "blue", "lime"], 300)}
    X = pd.DataFrame({**columns, "c": values[rng.integers(0, 4, 300)], "d": values[rng.integers(0, 4, 300)]})
    with after(10):
        clf = DNFClassifier(3, time_limit=1, **options).fit(X, rng.random(300) < 0.5)
    assert len(clf.dnfs_) == 2


@pytest.mark.parametrize("options", [{"k": 10**9}, {"k": 1000}, {"effort": 1e5}])
def test_large_numbers_end_in_time(options: dict[str, float]) -> None:
    X = pd.DataFrame({"x": [*range(9)] * 2})
    began = time.process_time()
    with after(10):
        DNFClassifier(**{"k": 2, "time_limit": 1, **options}).fit(X, X["x"] % 2)
    assert time.process_time() - began < 3


@pytest.mark.parametrize("k", [7, 8, 10])
def test_more_than_six_conditions_are_learned(k: int) -> None:
    X = pd.DataFrame(np.random.default_rng(0).random((400, 14)) < 0.5, columns=[f"x{j}" for j in range(14)])
    y = (X.iloc[:, :13].sum(axis=1) >= 7).to_numpy()
    DNFClassifier(k, price=0, effort=0.05).fit(X, y).verify()


def test_a_text_of_one_value_stops_nothing() -> None:
    X = pd.DataFrame({"c": ["a"] * 200, "z": np.arange(200) % 7})
    options = {"conditions": "auto"} if hasattr(DNFClassifier(), "conditions") else {}
    clf = DNFClassifier(1, **options).fit(X, X["z"] >= 3)
    assert clf.score(X, X["z"] >= 3) == 1


def test_many_conditions_of_few_columns_take_little_memory() -> None:
    program = """
import resource
import numpy as np
from idnf import DNFClassifier
rng = np.random.default_rng(0)
X, y = rng.random((400, 9)) < 0.5, rng.random(400) < 0.5
resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30,) * 2)
DNFClassifier(10, learner="exact", tune=False, time_limit=2).fit(X, y)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "options",
    [{"class_weight": {"maybe": 2}}, {"class_weight": {"no": -1}}, {"class_weight": {"no": 0, "yes": 0}}],
)
def test_bands_check_weights_as_classifiers_do(options: dict[str, object]) -> None:
    y = np.where(THREE["x"] == 2, "yes", "no")
    refused = []
    for kind in (DNFClassifier, DNFBands):
        with pytest.raises(ValueError, match="class_weight must") as error:
            kind(1, **options).fit(THREE, y)
        refused.append(str(error.value))
    assert refused[0] == refused[1]


def test_bands_say_what_order_must_be() -> None:
    with pytest.raises(ValueError, match=r"order must list the labels of y \(0, 1\)"):
        DNFBands(1, order=["0", "1"]).fit(THREE, (THREE["x"] == 2).astype(int))


@pytest.mark.parametrize("value", ["half\ud800", "na\ud83d"])
def test_half_a_surrogate_pair_names_its_column(value: str) -> None:
    X = pd.DataFrame({"c": pd.Series(["a", value, "b"] * 20, dtype=object)})
    with pytest.raises(ValueError, match="'c'"):
        DNFClassifier(1).fit(X, [0, 1, 0] * 20)


def test_too_many_threads_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"n_jobs.* must be .*1000000"):
        DNFClassifier(1, n_jobs=10**6).fit(THREE, THREE["x"] == 2)
