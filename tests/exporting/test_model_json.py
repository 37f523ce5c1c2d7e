from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.exporting.cases import HOSTILE, cases
from tests.exporting.mutations import mutated

from idnf import DNFClassifier, TableBinariser, choose_k, exporting
from idnf.columns.groups import Ordered
from idnf.exporting import documents, json_text
from idnf.exporting.model_json import from_document

Document = dict[str, object]


def round_trip(clf: DNFClassifier, folder: Path) -> DNFClassifier:
    exporting.to_json(clf, folder / "model.json")
    return exporting.from_json(folder / "model.json")


def test_round_trip_loses_nothing(tmp_path: Path) -> None:
    for case in cases():
        read = round_trip(case.clf, tmp_path)
        assert json_text(case.clf) == json_text(read)
        assert read.training_data_ == "not recorded in the model file"
        assert case.labels == read.predict(case.frame).tolist()
        assert np.array_equal(case.clf.predict_proba(case.frame), read.predict_proba(case.frame))
        expected = [e.to_dict() for e in case.clf.explain(case.frame[:50])]
        assert expected == [e.to_dict() for e in read.explain(case.frame[:50])]


def test_recourse_texts_and_settings_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {"income": rng.normal(50, 20, 300), "a": rng.integers(0, 2, 300), "b": rng.integers(0, 2, 300)}
    )
    table = table.with_columns(c=pl.max_horizontal("a", "b"))
    y = np.where((table["income"] > 45).to_numpy() & (table["a"] == 1).to_numpy(), "yes", "no")
    binariser = TableBinariser(cuts="quantile", max_literals_per_column=5, groups={"code": Ordered(["a", "c"])})
    clf = DNFClassifier(
        k=2,
        family="nested",
        learner="greedy",
        binariser=binariser,
        class_weight={"no": 1.0, "yes": 2.0},
        monotonic_cst={"income": 1},
        random_state=7,
    ).fit(table, y)
    clf = clf.with_settings(texts={"b1": "they earn enough"})
    read = round_trip(clf, tmp_path)
    row = dict(zip(table.columns, table.row(int(np.flatnonzero(y == "no")[0]))))
    assert clf.recourse(row).to_text() == read.recourse(row).to_text()
    assert read.explain(table)[int(np.flatnonzero(y == "yes")[0])].to_text().startswith("Yes because they earn enough.")
    theirs = read.get_params()
    for name, value in clf.get_params().items():
        if name not in ("binariser", "binariser__cut_points"):
            assert value == theirs[name], name


def test_arrays_without_names_come_back(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(200, 3))
    clf = DNFClassifier(k=2, learner="greedy").fit(X, X[:, 0] > X[:, 1])
    read = round_trip(clf, tmp_path)
    assert not hasattr(read, "feature_names_in_")
    assert read.predict(X).dtype == bool
    assert np.array_equal(clf.predict_proba(X), read.predict_proba(X))


def small_model() -> Document:
    clf = DNFClassifier.from_dnf("'age <= 5' & late", columns={"age": [5, 9], "late": bool, "job": ["x", "y"]})
    return json.loads(json_text(clf))


def refused(document: object) -> str:
    with pytest.raises(documents.DocumentError) as caught:
        from_document(documents.parse_document(json.dumps(document).encode()))
    return str(caught.value)


def put(document: Document, path: str, value: object) -> Document:
    """Set the value at a path such as ``space.columns.0.cuts``."""
    *way, last = path.split(".")
    here: object = document
    for key in way:
        here = here[int(key) if isinstance(here, list) else key]
    here[int(last) if isinstance(here, list) else last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "other", "the document must be an object with format 'idnf-model'."),
        ("version", 1, "version must be 2; got 1. Fit the model again with this idnf."),
        ("version", "2", "version must be 2; got '2'. Fit the model again with this idnf."),
        ("k", 0, "k must be an integer from 1 to 100; got 0."),
        ("classes", [1, 1], "classes must be two different labels of one type; got 1, 1."),
        ("space.columns.0.cuts", [9, 5], "space.columns[0]: cuts of column 'age' must ascend; got [9.0, 5.0]."),
        ("space.columns.0.cuts.1", "five", "space.columns[0].cuts[1] must be a number; got 'five'."),
        ("space.columns.1.name", "age", "space.columns: names of columns must differ; got 'age' twice."),
        ("space.columns.1.kind", "soup", "space.columns[1].kind must be one of number, date, "),
        ("space.columns.2.values", ["x", "x"], "space.columns[2]: values of column 'job' must be distinct"),
        ("space.columns.2.values.0", "\ud800", "space.columns[2].values[0] must be Unicode text; got '\\ud800'."),
        (
            "space.columns.0.extra",
            1,
            "space.columns[0] must have no more than kind, name, missing, cuts, seen, whole, unit, inner; got 'extra'.",
        ),
        ("space.literals.0", "age > 5", "space.literals[0] must be what the columns give, 'age <= 5'; got 'age > 5'."),
        ("inputs.names.0", "aged", "inputs.names must be the columns read from the table; 'age' is not on both lists."),
        ("model.k", 9, "model.k must be an integer from 0 to 2; got 9."),
        ("model.positive.0.0", 99, "model.positive[0][0] must be an integer from 0 to 9; got 99."),
        ("model.positive.0", [0, 1], "model.positive[0] must be a term without a literal and its negation"),
        (
            "model.positive.0",
            [0],
            "model must keep its promise: terms of different classes must exclude each other; got 'age <= 5' in class",
        ),
        ("model.negative", [[1]], "model must keep its promise: every row must meet a term; got none under "),
        ("model.negative.0", [0, 4, 6], "every term must have at most 2 columns; got"),
        (
            "settings.family",
            "big",
            "settings.family must be one of any, column-tree, tree, nested, checklist; got",
        ),
        ("settings.monotonic_cst", {"job": 1}, "settings.monotonic_cst: monotonic_cst['job'] must be 0"),
        ("settings.monotonic_cst", {"age": 1}, "settings.monotonic_cst['age'] must hold for the model; it does not."),
        ("texts", {"7.7": "so"}, "texts: texts must name reasons of the catalogue; got '7.7'."),
        ("training.cells", [[9, 9]], "training.cells[0][0] must be an integer from 0 to 1; got 9."),
        ("result.objective", "low", "result.objective must be a number; got 'low'."),
    ],
)
def test_what_is_wrong_is_said_and_where(path: str, value: object, message: str) -> None:
    assert message in refused(put(small_model(), path, value))


def test_a_monotone_constraint_that_holds_is_taken() -> None:
    document = put(small_model(), "settings.monotonic_cst", {"age": -1, "late": 1})
    assert from_document(documents.Place(document)).monotonic_cst == {"age": -1, "late": 1}


def test_a_matrix_cannot_promise_more_than_it_keeps() -> None:
    model = {"kind": "nested", "k": 1, "matrix": [[0], [2]], "prefixes": [[1, 0]]}
    assert "model.matrix must be a list of 0 to 1 entries" in refused(put(small_model(), "model", model))
    model = {"kind": "nested", "k": 2, "matrix": [[0, 2], [4]], "prefixes": [[2, 1]]}
    assert "model: prefixes must give each of the 2 rows a prefix" in refused(put(small_model(), "model", model))


def test_a_tree_cannot_be_deeper_than_k() -> None:
    leaf = {"label": 1, "otherwise": 0, "k": 0, "matrix": [], "prefixes": [[]]}
    root = leaf
    for feature in (0, 2, 3):
        root = {"feature": feature, "if_false": leaf, "if_true": root}
    document = put(small_model(), "model", {"kind": "tree", "k": 2, "root": root})
    assert "model: a leaf below 3 columns must have reasons of at most -1 literals; got 0" in refused(document)
    for _ in range(200):
        root = {"feature": 0, "if_false": leaf, "if_true": root}
    document["model"]["root"] = root
    assert "model must have at most 200 splits above each leaf; got more" in refused(document)


def of_three(root: Document) -> Document:
    """Return a file of three classes over the truths a, b and c, which is a tree."""
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    clf = DNFClassifier(k=2, learner="greedy").fit(pl.DataFrame(X, schema=["a", "b", "c"]), X.sum(axis=1) % 3)
    nothing = {"cells": [], "class 0": [], "class 1": [], "class 2": [], "costs": []}
    return {**json.loads(json_text(clf)), "model": {"kind": "tree", "k": 2, "root": root}, "training": nothing}


def leaf_of_two(label: int, otherwise: int, codes: list[int]) -> Document:
    """Return a leaf that gives one label where all literals hold, and another one elsewhere."""
    size = len(codes)
    return {"label": label, "otherwise": otherwise, "k": size, "matrix": [[c] for c in codes], "prefixes": [[1] * size]}


def test_trees_of_several_classes_come_back() -> None:
    # Class 2 where a holds and b does not, class 1 where a and b hold; where a fails, c tells classes 0 and 1 apart.
    terms = {"k": 1, "dnfs": [[[5]], [[4]], []]}
    document = of_three({"feature": 0, "if_false": terms, "if_true": leaf_of_two(2, 1, [3])})
    clf = from_document(documents.Place(document))
    X = pl.DataFrame({"a": [False, False, True, True], "b": [True, True, True, False], "c": [False, True, True, True]})
    assert clf.predict(X).tolist() == [0, 1, 1, 2]
    assert json.loads(json_text(clf))["model"] == document["model"]
    terms = {label: set(str(dnf).split(" | ")) for label, dnf in clf.dnfs_.items()}
    assert terms == {0: {"~a & ~c"}, 1: {"~a & c", "a & b"}, 2: {"a & ~b"}}


@pytest.mark.parametrize(
    ("leaf", "message"),
    [
        ({"k": 1, "dnfs": [[[5]], [[4]]]}, "model.root.if_false.dnfs must be a list of 3 to 3 entries"),
        ({"k": 1, "dnfs": [[[5]], [], []]}, "every row must meet a term; got none under"),
        ({"k": 1, "dnfs": [[[5]], [[4]], [[2]]]}, "terms of different classes must exclude each other"),
        (
            {"k": 2, "dnfs": [[[3, 5]], [[2], [4]], []]},
            "a leaf below 1 column must have reasons of at most 1 literals; got 2",
        ),
        (leaf_of_two(0, 3, [2]), "model.root.if_false.otherwise must be an integer from 0 to 2; got 3."),
        (leaf_of_two(0, 1, [2, 4]), "a leaf below 1 column must have reasons of at most 1 literals; got 2."),
        ({"k": 0, "matrix": [], "prefixes": [[]]}, "model.root.if_false must be an object with"),
    ],
)
def test_a_tree_of_several_classes_cannot_promise_more_than_it_keeps(leaf: Document, message: str) -> None:
    assert message in refused(of_three({"feature": 0, "if_false": leaf, "if_true": leaf_of_two(2, 1, [3])}))


def test_a_complement_that_would_take_for_ever_is_refused() -> None:
    columns = [{"kind": "boolean", "name": f"x{i}", "missing": "refused", "digits": False} for i in range(400)]
    names = [f"x{i}" for i in range(400)]
    matrix = [[2 * (20 * i + j) for j in range(20)] for i in range(20)]
    prefixes = [[20 if i == row else 0 for i in range(20)] for row in range(20)]
    document = {
        **small_model(),
        "k": 20,
        "space": {"columns": columns, "literals": names},
        "inputs": {"named": True, "names": names},
        "model": {"kind": "nested", "k": 20, "matrix": matrix, "prefixes": prefixes},
    }
    assert "model must have sides that can be written down" in refused(document)


def test_a_proof_that_would_take_for_ever_is_given_up() -> None:
    rng = random.Random(0)
    n = 300
    names = [f"x{i}" for i in range(n)]
    terms = [sorted({2 * rng.randrange(n) + rng.randrange(2) for _ in range(3)}) for _ in range(4000)]
    document = {
        **small_model(),
        "k": 3,
        "space": {
            "columns": [{"kind": "boolean", "name": name, "missing": "refused", "digits": False} for name in names],
            "literals": names,
        },
        "inputs": {"named": True, "names": names},
        "model": {
            "kind": "double",
            "k": 3,
            "positive": [t for t in terms if len({c // 2 for c in t}) == len(t)],
            "negative": [],
        },
        "training": {"cells": [], "positive": [], "negative": []},
        "values": [],
    }
    with pytest.raises(documents.DocumentError, match="the proof takes too long|every point must meet a term"):
        from_document(documents.Place(document))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the document must be JSON; Expecting value"),
        (b"\xff", "the document must be UTF-8 text; byte 0 is not."),
        (b'{"k": NaN}', "numbers must be finite; got NaN."),
        (b'{"k": 1e999}', "numbers must be finite; got '1e999'."),
        (b'{"k": -Infinity}', "numbers must be finite; got -Infinity."),
        (b'{"k": 1, "k": 1}', "keys must differ; got 'k' twice."),
        (b'{"k": ' + b"9" * 5000 + b"}", "numbers must have at most 400 digits; got 5000."),
        (b"[" * 100_000, "the document must be nested at most 400 deep; it is nested deeper."),
        (b"[1, 2]", "the document must be an object with format 'idnf-model'."),
    ],
)
def test_what_is_no_model_file_is_refused(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes(data)
    with pytest.raises(documents.DocumentError, match=re.escape(message)):
        exporting.from_json(tmp_path / "model.json")


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_BYTES", 1000)
    (tmp_path / "model.json").write_bytes(b" " * 1001)
    with pytest.raises(documents.DocumentError, match="at most 1000 bytes"):
        exporting.from_json(tmp_path / "model.json")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"absent.json cannot be read \(No such file or directory\)"):
        exporting.from_json(tmp_path / "absent.json")
    with pytest.raises(IsADirectoryError, match="cannot be read"):
        exporting.from_json(tmp_path)


def test_labels_that_json_cannot_hold_are_refused(tmp_path: Path) -> None:
    clf = DNFClassifier.from_dnf("a", classes=(1 + 2j, 3 + 4j))
    with pytest.raises(ValueError, match="classes must be text, numbers or Booleans to be exported"):
        exporting.to_json(clf, tmp_path / "model.json")


def test_hostile_names_and_labels_come_back(tmp_path: Path) -> None:
    for text in (*HOSTILE, "__proto__", "\u2028", "null\0 inside"):
        clf = DNFClassifier.from_dnf("0", columns={text: bool, "colour": [text, "red"]}, classes=(text, text + "!"))
        read = round_trip(clf, tmp_path)
        assert read.predict(pl.DataFrame({text: [True], "colour": ["red"]})).tolist() == [text]
        assert read.binariser_.columns_ == clf.binariser_.columns_


def test_mutated_files_give_a_model_or_a_clear_error(request: pytest.FixtureRequest) -> None:
    texts = [json_text(case.clf) for case in cases()]
    rng = random.Random(0)
    read = 0
    for i in range(10_000 if request.config.getoption("--slow") else 500):
        data = mutated(texts[i % len(texts)], rng)
        clf, message = read_or_refused(data)
        if clf is None:
            assert re.search(r" must | is ", message), message
        else:
            read += 1
            assert json_text(from_document(documents.parse_document(json_text(clf).encode()))) == json_text(clf)
    assert read > 0


def read_or_refused(data: bytes) -> tuple[DNFClassifier | None, str]:
    try:
        return from_document(documents.parse_document(data)), ""
    except documents.DocumentError as error:
        return None, str(error)


def test_reading_calls_nothing_that_runs_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a model file must not run code")

    text = json_text(cases()[0].clf)
    for name in ("builtins.eval", "builtins.exec", "pickle.loads", "pickle.load"):
        monkeypatch.setattr(name, forbidden)
    read: Callable[[documents.Place], DNFClassifier] = from_document
    assert read(documents.parse_document(text.encode())).k == cases()[0].clf.k


def test_the_choice_of_k_is_kept(tmp_path: Path) -> None:
    X = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 20)
    y = X[:, 0] & X[:, 1]
    clf = DNFClassifier(k=2, learner="greedy").fit(X, y)
    found = choose_k(X, y, [1, 2], cv=3, estimator=clf)
    clf.fitted_ = replace(clf.fitted_, choices=found)
    exporting.to_json(clf, tmp_path / "model.json")
    kept = exporting.from_json(tmp_path / "model.json").fitted_.choices
    assert kept == replace(found, library=None)
    assert kept.plot().svg == found.plot().svg
