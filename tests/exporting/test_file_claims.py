"""Model files that claim what is not so: refused when read, refuted by `idnf verify`, or said to be a claim."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import count, product
from pathlib import Path
from types import FrameType

import numpy as np
import polars as pl
import pytest

from idnf import DNFClassifier, exporting, reporting
from idnf.choosing import Fairness, fit_fairly
from idnf.cli import main
from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import OneHotGroup, OrderedGroup
from idnf.columns.intervals import NumberColumn
from idnf.exporting import function_json, json_text
from idnf.exporting.documents import DocumentError, parse_document
from idnf.exporting.file_checks import check_file
from idnf.exporting.model_json import from_document
from idnf.governance import model_card
from idnf.logic.verification import VerificationError
from idnf.proving.guarantee import Unproved
from idnf.tables.binariser import declared_binariser

Document = dict[str, object]


def examples() -> tuple[pl.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"income": rng.integers(0, 100, 400) * 1.0, "debt": rng.random(400) < 0.5})
    return table, np.where((table["income"] > 45).to_numpy() & ~table["debt"].to_numpy(), "yes", "no")


def trained(**settings: object) -> DNFClassifier:
    return DNFClassifier(**{"k": 2, "learner": "exact", **settings}).fit(*examples())


def document(clf: DNFClassifier) -> Document:
    return json.loads(json_text(clf))


def read(given: Document) -> DNFClassifier:
    return from_document(parse_document(json.dumps(given).encode()))


def seen_cell(given: Document) -> tuple[dict[str, list[object]], int]:
    """Return the training values of the income and the place of its last cell."""
    values = next(value for value in given["values"] if value is not None)
    return values, len(values["seen"]) - 1


def test_values_seen_lie_in_their_cells() -> None:
    given = document(trained())
    values, last = seen_cell(given)
    assert read(given).recourse({"income": 10.0, "debt": False}).to_text()
    values["seen"][last] = [3.0, values["seen"][last][1]]
    with pytest.raises(DocumentError, match=r"seen\[\d+\] must lie in its cell, '> \d+' of 'income'; got 3"):
        read(given)


def test_a_column_without_an_order_has_no_values_between() -> None:
    given = document(trained())
    debt = given["values"][1]
    assert debt is not None
    debt["seen"][0] = [0.0, 0.0]
    with pytest.raises(DocumentError, match="must lie in its cell, 'false' of 'debt'"):
        read(given)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("shares", [0.9, 0.9, 0.0], "must be a list of shares that add up to 1, not to 1.8"),
        ("shares", [1.0, 0.0, 0.0], "must be null if the share of its cell is 0"),
        ("quantiles", [-5.0, 99.0], "must be a list of numbers within the values seen"),
    ],
)
def test_shares_and_quantiles_agree_with_the_values_seen(field: str, value: object, message: str) -> None:
    given = document(DNFClassifier(k=1, learner="greedy").fit(pl.DataFrame({"x": [1.5, 2.5, 3.5]}), [0, 1, 1]))
    given["values"][0][field] = value
    with pytest.raises(DocumentError, match=message):
        read(given)


def test_a_column_of_whole_numbers_has_seen_whole_ones() -> None:
    given = document(DNFClassifier(k=1, learner="greedy").fit(pl.DataFrame({"x": [1, 2, 3]}), [0, 1, 1]))
    assert given["space"]["columns"][0]["whole"]
    given["space"]["columns"][0]["seen"][0][0] = 0.5
    with pytest.raises(DocumentError, match="seen of column 'x', of whole numbers, must be whole"):
        read(given)


def optimal(given: Document, **changes: object) -> Document:
    given["result"] = {**given["result"], **changes}
    return given


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"optimal": "the whole world"}, "result.optimal must be one of any, any-literals, pair-tree"),
        ({"optimal": "tree"}, "result.optimal must be null if there is no bound for that family"),
        ({"bound": None, "bound_family": None}, "must be null if there is no bound for that family"),
        ({"bound": 0.0, "objective": 0.2}, "must be null if the objective 0.2 is not the bound 0"),
        ({"bound": 2.0, "objective": 0.2}, "must be null if the objective 0.2 is not the bound 2"),
        ({"bound": -1.0}, "result.bound must be 0 or more"),
        ({"objective": -1.0}, "result.objective must be 0 or more"),
        ({"bound_family": None}, "result.bound_family must be given if bound is"),
    ],
)
def test_a_claim_to_be_optimal_must_not_contradict_itself(changes: Document, message: str) -> None:
    given = document(trained())
    assert given["result"]["optimal"] == "any"
    with pytest.raises(DocumentError, match=message):
        read(optimal(given, **changes))


def test_beyond_two_conditions_no_file_is_optimal_among_all_functions() -> None:
    given = document(trained(learner="greedy", k=3))
    claim = {"objective": 0.1, "optimal": "any", "bound": 0.1, "bound_family": "any"}
    message = "bound_family must be a family of which a bound can be proved for k = 3 and 2 classes; got 'any'"
    with pytest.raises(DocumentError, match=message):
        read(optimal(given, **claim))
    with pytest.raises(DocumentError, match=message):
        read(optimal(given, **claim | {"optimal": None}))


def test_nothing_is_claimed_of_column_trees() -> None:
    """One column with `x is 2` says all; trees of one literal err on a third, which is what a tree's proof shows."""
    X = pl.DataFrame({"x": [1, 2, 3] * 4})
    given = document(DNFClassifier(1, family="tree", learner="exact").fit(X, (X["x"] == 2).to_numpy()))
    assert given["result"]["objective"] == pytest.approx(1 / 3)
    for claim in ({"optimal": "column-tree"}, {"optimal": None}):
        with pytest.raises(DocumentError, match=r"must be one of any, .*; got 'column-tree'"):
            read(optimal(given, **claim, bound_family="column-tree"))


POINTS = pl.DataFrame(list(product((False, True), repeat=4)), schema=list("abcd"), orient="row")
EITHER = (POINTS["a"] & POINTS["b"] | POINTS["c"] & POINTS["d"]).to_numpy()
THREE = np.where(POINTS["a"].to_numpy(), 2, POINTS[:, 1:].to_numpy().sum(axis=1) >= 2)


@pytest.mark.parametrize(
    ("y", "settings", "family"),
    [
        (EITHER, {}, "tree"),  # the best tree of depth 2 errs on 3 of 16
        (EITHER, {"family": "nested"}, "tree"),
        (EITHER, {"k": 3, "learner": "search", "price": 0}, "tree"),
        (THREE, {"k": 3}, "tree"),
    ],
)
def test_no_model_is_optimal_in_a_family_that_it_is_not_of(y: np.ndarray, settings: Document, family: str) -> None:
    given = document(DNFClassifier(**{"k": 2, "learner": "exact", **settings}).fit(POINTS, y))
    assert given["result"]["objective"] == 0
    with pytest.raises(DocumentError, match="result.optimal must be a family that the model is of"):
        read(optimal(given, optimal=family, bound=0.0, bound_family=family))


@pytest.mark.parametrize("kind", ["double", "tree"])
def test_a_model_of_one_column_and_two_literals_is_of_no_family_that_counts_literals(kind: str) -> None:
    X = pl.DataFrame({"x": [1, 2, 3] * 4})
    given = document(DNFClassifier(1, family="column-tree", price=0).fit(X, (X["x"] == 2).to_numpy()))
    assert given["model"] == {"kind": "double", "k": 1, "positive": [[1, 2]], "negative": [[0], [3]]}
    if kind == "tree":
        no, yes = ({"label": 1, "otherwise": 0, "k": 0, "matrix": [], "prefixes": [[]] * one} for one in (0, 1))
        below = {"feature": 1, "if_false": no, "if_true": yes}
        given["model"] = {"kind": "tree", "k": 1, "root": {"feature": 0, "if_false": below, "if_true": no}}
        assert read(given).score(X, (X["x"] == 2).to_numpy()) == 1
    for family in ("tree", "any-literals", "pair-tree"):
        with pytest.raises(DocumentError, match=r"result.optimal must be a family that the model is of"):
            read(optimal(given, optimal=family, bound=0.0, bound_family=family))


def test_bounds_within_a_limit_are_of_families_with_proofs() -> None:
    X = POINTS.with_columns(pl.Series("sex", ["f", "m"] * 8))
    given = document(fit_fairly(DNFClassifier(3, effort=0.1), X, EITHER, Fairness("sex", limit=0.5)))
    assert read(given).fairness_.bounds
    given["fairness"]["bounds"] = {"any": 0.0}
    with pytest.raises(DocumentError, match="fairness.bounds must be on families of which a bound can be proved for k"):
        read(given)


def test_a_bound_at_a_price_stays_a_claim_for_several_classes(tmp_path: Path) -> None:
    X, y = noisy(3)
    given = document(DNFClassifier(2, learner="search", price=0.02, effort=0.1).fit(X, y))
    claim = {"optimal": None, "bound": 0.01, "bound_family": "tree"}
    (tmp_path / "model.json").write_text(json.dumps(optimal(given, **claim)), encoding="utf-8")
    found = check_file(tmp_path / "model.json", X, y)
    assert not found.proved_again
    assert found.claims[0].endswith("(which cannot be proved at this price)")


def test_what_a_file_says_of_its_optimum_is_said_to_be_a_claim(tmp_path: Path) -> None:
    clf = trained()
    exporting.to_json(clf, tmp_path / "model.json")
    same = exporting.from_json(tmp_path / "model.json")
    X = pl.DataFrame({"income": [10.0, 60.0], "debt": [False, False]})
    assert not clf.fitted_.learned.claimed
    assert same.fitted_.learned.claimed
    own, theirs = (reporting.summarise(one, X, ["no", "yes"]) for one in (clf, same))
    assert (own.optimal, own.claimed, theirs.optimal, theirs.claimed) == ("any", False, "any", True)
    reporting.to_html(same, tmp_path / "page.html", X, ["no", "yes"])
    page = (tmp_path / "page.html").read_text()
    assert "The model file says that its training objective is least in the family any;" in page
    assert "cannot be proved again without the training table" in page
    assert "as the model file says; not proved again" in model_card(same).to_markdown()
    assert "not proved again" not in model_card(clf).to_markdown()
    assert any(
        "least in the family any (every function with reasons of at most k columns" in claim
        for claim in check_file(tmp_path / "model.json").claims
    )


def test_verify_refutes_a_false_monotone_constraint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(given := document(trained(learner="greedy", family="nested", monotonic_cst=None))))
    assert main(["verify", str(path)]) == 0
    given["settings"]["monotonic_cst"] = {"income": -1}
    path.write_text(json.dumps(given))
    capsys.readouterr()
    assert main(["verify", str(path)]) == 1
    assert "Refuted: settings.monotonic_cst['income'] must hold for the model; it does not." in capsys.readouterr().out
    given["settings"]["monotonic_cst"] = {"income": 1}
    path.write_text(json.dumps(given))
    assert main(["verify", str(path), "--json"]) == 0
    assert "the model is monotone in income" in json.loads(capsys.readouterr().out)["checked"]


def test_several_classes_have_no_monotone_constraints() -> None:
    X, y = np.arange(30.0)[:, None], np.repeat([0, 1, 2], 10)
    given = document(DNFClassifier(k=2, learner="greedy").fit(X, y))
    given["settings"]["monotonic_cst"] = {"x0": 1}
    with pytest.raises(DocumentError, match="must be null for more than two classes"):
        read(given)


def pigeons(holes: int) -> Document:
    """Return a file that is true, and takes for ever to prove: more pigeons than holes."""
    names = [f"p{p}h{h}" for p in range(holes + 1) for h in range(holes)]
    feature = {name: j for j, name in enumerate(names)}
    given = document(DNFClassifier.from_dnf("p0h0", columns=dict.fromkeys(names, bool), k=holes))
    homeless = [[2 * feature[f"p{p}h{h}"] + 1 for h in range(holes)] for p in range(holes + 1)]
    crowded = [
        [2 * feature[f"p{p}h{h}"], 2 * feature[f"p{q}h{h}"]]
        for h in range(holes)
        for p in range(holes + 1)
        for q in range(p)
    ]
    given["model"] = {"kind": "double", "k": holes, "positive": [*homeless, *crowded], "negative": []}
    return given


def test_verify_gives_up_when_its_time_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(pigeons(9)))
    ticks = count(0.0, 0.001)
    with pytest.raises(Unproved, match="must be provable within 5 s; the proof takes longer, or too much memory"):
        check_file(path, time_limit=5.0, clock=lambda: next(ticks))
    assert next(ticks) < 6, "the clock is asked again and again"
    assert main(["verify", str(path), "--time-limit", "0.05"]) == 2
    assert "--time-limit gives the proof more time" in capsys.readouterr().err
    path.write_text(json.dumps(pigeons(4)))
    assert main(["verify", str(path)]) == 0
    with pytest.raises(ValueError, match="time_limit must be positive; got -1"):
        check_file(path, time_limit=-1)


def test_terms_that_would_take_too_much_room_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function_json, "mask_of", lambda *_: pytest.fail("a term was read"))
    wide = [CategoryColumn(f"c{j}", "refused", values=tuple(f"v{i}" for i in range(2000))) for j in range(6)]
    given = document(DNFClassifier.from_dnf("'c0 is v0'", columns=wide))
    given["model"]["positive"] = [[0]] * 25_000
    with pytest.raises(DocumentError, match="model must have fewer terms over 12000 literals; got 25001"):
        read(given)


def columns_of(kind: str, size: int) -> list[TableColumn]:
    """Return columns that take more and more of a file."""
    names = tuple(f"v{i}" for i in range(size))
    several: dict[str, TableColumn] = {
        "categories": CategoryColumn("c", "seen", values=names, rare=True),
        "cuts": NumberColumn("x", "seen", cuts=tuple(map(float, range(size)))),
        "ordered": OrderedColumn("x", "seen", values=names, cuts=tuple(range(size - 1))),
        "one-hot": OneHotGroup("g", "refused", names, none=True),
        "ordered group": OrderedGroup("g", "refused", names),
    }
    return [BooleanColumn(name, "refused") for name in names] if kind == "truths" else [several[kind]]


def large_file(kind: str, size: int) -> bytes:
    """Return a model file whose terms name every literal of its columns."""
    columns = columns_of(kind, size)
    names = declared_binariser(tuple(columns)).literals_
    clf = DNFClassifier.from_dnf(f"'{names[0]}'", columns=columns, k=2)
    given = document(clf)
    terms = [[0], *([0, 2 * j] for j in range(1, len(names)))]
    given["model"] = {"kind": "double", "k": 2, "positive": terms, "negative": [[1]]}
    given["training"] = {"cells": [], "negative": [], "positive": [], "costs": []}
    return json.dumps(given).encode()


def steps_of(work: Callable[[], object]) -> int:
    """Return how many instructions of Python some work takes."""
    steps = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal steps
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        steps += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize("kind", ["truths", "categories", "cuts", "ordered", "one-hot", "ordered group"])
def test_reading_takes_steps_in_proportion_to_the_file(kind: str) -> None:
    small, large = (large_file(kind, size) for size in (40, 160))
    few, many = (steps_of(lambda data=data: from_document(parse_document(data))) for data in (small, large))
    assert many < 1.4 * few * len(large) / len(small)


def test_a_long_text_that_is_not_closed_is_given_up_at_its_end() -> None:
    def refused(size: int) -> None:
        with pytest.raises(DocumentError):
            parse_document(b'{"format": "' + rb"\"" * size)

    assert steps_of(lambda: refused(40_000)) < 2 * steps_of(lambda: refused(10))


def noisy(classes: int) -> tuple[pl.DataFrame, np.ndarray]:
    rng = np.random.default_rng(classes)
    table = pl.DataFrame({name: rng.integers(0, 3, 60) for name in "abc"})
    y = (table["a"].to_numpy() > 0) + (table["b"].to_numpy() > 1) * (table["c"].to_numpy() > 0)
    y = np.where(rng.random(60) < 0.2, rng.integers(0, classes, 60), y % classes)
    return table, np.array(["gold", "iron", "tin"])[y]


@pytest.mark.parametrize(
    ("classes", "settings", "claim"),
    [
        (2, {}, "is least in the family any"),
        (2, {"k": 3, "price": 0.01, "class_weight": "balanced"}, "is least in the family pair-tree"),
        (2, {"family": "nested"}, "is least in the family nested"),
        (2, {"monotonic_cst": {"a": 1}}, "is least in the family any"),
        (3, {}, "is least in the family pair-tree"),
        (3, {"family": "tree", "class_weight": {"gold": 3, "iron": 1, "tin": 2}}, "is least in the family tree"),
        (2, {"learner": "greedy", "class_weight": "balanced"}, None),
        (3, {"learner": "greedy"}, None),
        (2, {"learner": "search", "price": 0.02, "effort": 0.1}, None),
    ],
)
def test_the_training_table_confirms_what_is_so(
    classes: int, settings: Document, claim: str | None, tmp_path: Path
) -> None:
    X, y = noisy(classes)
    clf = DNFClassifier(**{"k": 2, "learner": "exact", **settings}).fit(X, y)
    exporting.to_json(clf, tmp_path / "model.json")
    found = check_file(tmp_path / "model.json", X, y)
    assert f"its training objective, {clf.objective_:.6g}" in found.recounted
    lines = [line.partition(":")[0] for line in str(found).splitlines()[1:]]
    proved = ["Proved again on it (without idnf"] * (claim is not None)
    stated = "Stated in the file but not checked"
    assert lines == ["Checked", "Recounted on the training table", *proved, stated]
    assert [claim is not None and claim in one for one in found.proved_again] == [True] * (claim is not None)
    assert found.claims == ("how it was learned and what was decided about its columns",)


def test_what_search_weighed_itself_is_not_recounted(tmp_path: Path) -> None:
    X, y = noisy(2)
    exporting.to_json(DNFClassifier(2, effort=0.1).fit(X, y, sample_weight=np.arange(60) % 4), tmp_path / "model.json")
    found = check_file(tmp_path / "model.json", X, y, sample_weight=np.arange(60) % 4)
    assert (
        found.recounted[0]
        == f"the training examples that probabilities come from, of total weight {sum(range(4)) * 15}"
    )
    assert found.claims[0].startswith("the score that search optimised ")


def lying(given: Document, name: str) -> Document:
    """Change a true file, whose model is a constant that no literal was worth its price in, so that it lies."""
    training = given["training"]
    training_class = training["positive"] if sum(training["positive"]) else training["negative"]
    if name == "optimum":
        given["settings"]["price"] = 0.0
    if name == "bound":
        given["settings"]["price"] = 0.0
        given["result"] |= {"optimal": None, "bound": given["result"]["objective"] - 0.01}
    if name == "objective":
        given["result"] |= {"objective": 0.01, "bound": 0.01}
    if name == "examples":
        training_class[0] += 1
    if name == "examples moved":
        training["positive"], training["negative"] = training["negative"], training["positive"]
    if name == "labels":
        given["classes"] = given["classes"][::-1]
    return given


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "optimum",
            r"no model of the family any-literals must have an objective below 0.3\d+, .* one has 0.0833333",
        ),
        (
            "bound",
            r"no model of the family any-literals must have an objective below 0.3\d+, .* one has 0.0833333",
        ),
        ("objective", r"the training objective must be 0.366667; the file says 0.01"),
        ("examples", "the table must hold training examples of total weight 61, as the file says; got 60"),
        ("examples moved", r"the examples given a reason for 'iron' must be (\d+, \d+), class by class; got (?!\1)"),
        ("labels", r"the examples given a reason for 'gold' must be (\d+, \d+), class by class; got (?!\1)"),
    ],
)
def test_the_training_table_refutes_what_is_not_so(name: str, message: str, tmp_path: Path) -> None:
    X, y = noisy(2)
    clf = DNFClassifier(2, learner="exact", price=1.0).fit(X, y)
    given = document(clf)
    (tmp_path / "model.json").write_text(json.dumps(given), encoding="utf-8")
    assert check_file(tmp_path / "model.json", X, y).proved_again
    (tmp_path / "model.json").write_text(json.dumps(lying(given, name)), encoding="utf-8")
    check_file(tmp_path / "model.json")
    with pytest.raises(VerificationError, match=message):
        check_file(tmp_path / "model.json", X, y)


def test_values_that_nobody_had_are_refuted(tmp_path: Path) -> None:
    given = document(trained())
    values, last = seen_cell(given)
    values["seen"][last][0] += 0.5
    (tmp_path / "model.json").write_text(json.dumps(given), encoding="utf-8")
    with pytest.raises(VerificationError, match=r"column 'income' of the table must hold \d+\.5, which the file says"):
        check_file(tmp_path / "model.json", *examples())


def test_an_optimum_that_takes_longer_stays_a_claim(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 12)) < 0.5, rng.random(60) < 0.5
    exporting.to_json(DNFClassifier(2, learner="exact").fit(X, y), tmp_path / "model.json")
    ticks = count(0.0, 1.0)
    found = check_file(tmp_path / "model.json", X, y, time_limit=30.0, clock=lambda: next(ticks))
    assert not found.proved_again
    assert "is least in the family any (every function with" in found.claims[0]
    assert "(proved within the time: no" in found.claims[0]


def test_a_policy_has_no_training_table(tmp_path: Path) -> None:
    exporting.to_json(DNFClassifier.from_dnf("a"), tmp_path / "model.json")
    with pytest.raises(ValueError, match="model must come from a training table to be checked against one"):
        check_file(tmp_path / "model.json", pl.DataFrame({"a": [True, False]}), [0, 1])
    with pytest.raises(ValueError, match=r"y must hold the labels of the model \(0, 1\); got 1, 2"):
        check_file(tmp_path / "model.json", pl.DataFrame({"a": [True, False]}), [1, 2])


def test_verify_reads_the_table_as_fit_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    X, y = noisy(2)
    path, model = str(tmp_path / "t.csv"), str(tmp_path / "model.json")
    X.with_columns(pl.Series("sales", np.where(y == "gold", 70, 30))).write_csv(path)
    fit = ["fit", path, "--target", "sales", "--positive", "> 50", "--k", "2", "--learner", "exact", "-o", model]
    assert main([*fit, "--seed", "7", "-q"]) == 0
    verify = ["verify", model, path]
    capsys.readouterr()
    assert main([*verify, "--json"]) == 0
    assert "the family any" in json.loads(capsys.readouterr().out)["proved_again"][0]
    X.with_columns(pl.Series("sales", np.where(y == "gold", 70, 30)))[:50].write_csv(path)
    assert main(verify) == 1
    assert capsys.readouterr().out.startswith("Refuted: the table must hold training examples of total weight 45")
    assert main(["verify", model]) == 0
    assert "to check more, add the training table" in capsys.readouterr().err
    assert main(["verify", model, path, "--target", "nothing"]) == 2


def test_a_fit_that_saw_a_sample_says_its_objective_on_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idnf.classifier.memory_source.rows_in_time", lambda *_: np.arange(0, 60, 2))
    X, y = noisy(2)
    clf = DNFClassifier(2, learner="greedy", time_limit=60).fit(X, y)
    assert clf.training_data_.startswith("sample of 30 of 60 rows")
    assert clf.objective_ == pytest.approx(np.mean(clf.predict(X) != y))


def test_verify_counts_the_reasons_that_are_printed(tmp_path: Path) -> None:
    """Of a & b or ~a & c the reason b & c follows, and ~b & ~c of the other class."""
    model = DNFClassifier.from_dnf("a & b | ~a & c", classes=("no", "yes"))
    exporting.to_json(model, tmp_path / "model.json")
    assert "The lines imply 1 more reason, 6 in all." in str(check_file(tmp_path / "model.json"))
    assert model.size_.reasons == 6
