"""The checker of optima finds what enumeration finds, accepts what exact learners prove, and refuses false files."""

from __future__ import annotations

import csv
import importlib.util
import json
import subprocess
import sys
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random

import numpy as np
import pytest
from tests import naive
from tests.adversary.tally import count
from tests.strategies import seeds

from idnf import DNFClassifier, exporting
from idnf.cli import main as idnf_command

N = 4
FULL = (1 << 2**N) - 1
FEATURES = [sum(1 << p for p in range(2**N) if p >> j & 1) for j in range(N)]
LITERALS = [table for feature in FEATURES for table in (feature, FULL & ~feature)]


@pytest.fixture(scope="module")
def checker():
    """The checker as a module, so that a thousand files need no thousand processes."""
    path = files("idnf.exporting") / "templates" / "check_optimum.py"
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("check_optimum", path))
    module.__spec__.loader.exec_module(module)
    return module


# Families of functions of four features, as sets of truth tables.


@cache
def trees(depth):
    return {0, FULL} if depth == 0 else split(trees(depth - 1))


def split(functions):
    functions = np.array(sorted(functions), dtype=np.int64)
    return {int(f) for x in FEATURES for f in np.unique((functions & x)[:, None] | (functions & ~x)[None, :])}


@cache
def interpretable(k):
    """All functions with reasons of at most k literals: unions of boxes of at most k literals, on both sides."""
    boxes = [FULL & term_table(codes) for size in range(k + 1) for codes in product(range(2 * N), repeat=size)]
    covered = dict.fromkeys(range(FULL + 1), 0)
    boxes = sorted(set(boxes))
    for f in covered:
        for box in boxes:
            if not box & ~f:
                covered[f] |= box
    return {f for f in covered if covered[f] == f and covered[FULL & ~f] == FULL & ~f}


def term_table(codes):
    table = FULL
    for code in codes:
        table &= LITERALS[code]
    return table


@cache
def nested_pairs():
    found = set()
    for a, b, c, d in product(LITERALS, repeat=4):
        found |= {a & b | c & d, a & b | b & c | c & d}
    return found


FAMILIES = {
    ("any", 1): lambda: interpretable(1),
    ("any", 2): lambda: interpretable(2),
    ("any-literals", 2): lambda: interpretable(2),
    ("nested", 1): lambda: interpretable(1),
    ("nested", 2): lambda: nested_pairs() | {FULL & ~f for f in nested_pairs()},
    ("tree", 1): lambda: trees(1),
    ("tree", 2): lambda: trees(2),
    ("tree", 3): lambda: trees(3),
    ("pair-tree", 2): lambda: interpretable(2),
    ("pair-tree", 3): lambda: split(interpretable(2)),
}


def write_table(path, X, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(X.shape[1])), "label"])
        writer.writerows([*map(int, row), int(label)] for row, label in zip(X, y, strict=True))
    return str(path)


def random_table(rng, n, rows):
    X = np.array([[rng.random() < 0.5 for _ in range(n)] for _ in range(rows)])
    noisy = (X[:, 0] & X[:, 1]) | (X[:, 2] ^ X[:, 3])
    return X, noisy ^ np.array([rng.random() < 0.2 for _ in range(rows)])


def least_error(functions, X, y):
    points = X.astype(int) @ (1 << np.arange(N))
    return min(sum((f >> int(p) & 1) != label for p, label in zip(points, y, strict=True)) for f in functions)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_the_optimum_is_the_least_error_of_all_functions_of_the_family(checker, tmp_path, seed):
    rng = Random(seed)
    X, y = random_table(rng, N, rng.randrange(10, 60))
    clf = DNFClassifier(k=2, learner="greedy").fit(X, y.astype(int))
    plain = json.loads(exporting.json_text(clf))
    table = checker.CheckedTable(plain, write_table(tmp_path / "table.csv", X, y), None)
    for (family, k), functions in FAMILIES.items():
        search, _ = checker.searched(table, family, k)
        found = checker.best_column(table) if search is None else search.best()
        assert found == least_error(functions(), X, y), (family, k)
        count("optima of the checker: equal to enumeration")


def as_double(f, k):
    """A function of four features as the double DNF of a model file, with all its shortest terms."""
    values = [f >> p & 1 for p in range(2**N)]
    sides = [list(map(list, naive.prime_implicants(v, N))) for v in (values, [1 - v for v in values])]
    return {"kind": "double", "k": k, "positive": sides[0], "negative": sides[1]}


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_a_model_is_a_member_of_a_family_as_enumeration_says(checker, seed):
    rng = Random(seed)
    for (family, k), functions in FAMILIES.items():
        drawn = [*rng.sample(sorted(functions()), 6), *(rng.randrange(FULL + 1) for _ in range(6))]
        for f in drawn:
            table = type("Columns", (), {"column_of": list(range(N))})
            assert checker.is_member(table, as_double(f, k), family, k) == (f in functions()), (family, k, f)


def exact_models(X, y):
    asked = [(1, "any"), (2, "any"), (2, "nested"), (1, "tree"), (2, "tree"), (3, "tree")]
    for k, family in asked:
        yield DNFClassifier(k=k, family=family, learner="exact").fit(X, y)


def check(checker, folder, plain, table):
    (folder / "model.json").write_text(json.dumps(plain))
    return checker.main([str(folder / "model.json"), table])


@pytest.mark.filterwarnings("ignore::idnf.TableWarning")
@pytest.mark.parametrize("seed", seeds(2, 30))
def test_what_exact_learners_prove_is_found_again(checker, tmp_path, seed):
    X, y = random_table(Random(seed), 6, 50)
    table = write_table(tmp_path / "table.csv", X, y)
    for clf in exact_models(X, y.astype(int)):
        assert clf.optimal_ is not None
        assert check(checker, tmp_path, json.loads(exporting.json_text(clf)), table) == 0
        count("proved optima: found again by the checker")


def errors(checker, plain, X, y):
    root = plain["model"].get("root", plain["model"])
    return sum(checker.label_at(root, row) != label for row, label in zip(X, y, strict=True)) / len(y)


def false_files(rng, checker, plain, X, y):
    """Model files, each with a claim that does not hold, and what was changed."""
    rows, result, k = len(y), plain["result"], plain["k"]
    step = rng.randrange(1, 4) / rows
    for sign in (-1, 1):
        shifted = result["objective"] + sign * step
        yield "another objective", {**plain, "result": {**result, "objective": shifted}}
        yield "another objective and bound", {**plain, "result": {**result, "objective": shifted, "bound": shifted}}
    yield "too high a bound", {**plain, "result": {**result, "bound": result["bound"] + step, "optimal": None}}
    for _ in range(4):
        f = rng.choice(sorted(interpretable(min(k, 2))))
        other = {**plain, "model": as_double(f, k)}
        objective = errors(checker, other, X, y)
        if objective > result["objective"]:
            claimed = {**result, "objective": objective, "bound": objective}
            yield "a worse model", {**other, "result": claimed}
            yield "a worse model's bound", {**other, "result": {**claimed, "optimal": None}}
    points = X[:, :N].astype(int) @ (1 << np.arange(N))
    majority = sum(1 << p for p in range(2**N) if 2 * y[points == p].sum() > (points == p).sum())
    wide = as_double(majority, k)
    other = {**plain, "model": wide}
    objective = errors(checker, other, X, y)
    if objective < result["objective"]:
        yield "outside the family", {**other, "result": {**result, "objective": objective, "bound": objective}}
    wrong = {**plain, "classes": plain["classes"][::-1]}
    if 2 * result["objective"] != 1:
        yield "exchanged classes", wrong


@pytest.mark.filterwarnings("ignore::idnf.TableWarning")
@pytest.mark.parametrize("seed", seeds(1, 15))
def test_false_files_are_refused(checker, tmp_path, seed):
    rng = Random(seed)
    X, y = random_table(rng, 6, 50)
    table = write_table(tmp_path / "table.csv", X, y)
    for clf in exact_models(X, y.astype(int)):
        plain = json.loads(exporting.json_text(clf))
        for what, false in false_files(rng, checker, plain, X, y):
            assert check(checker, tmp_path, false, table) == 1, (what, false["result"], clf)
            count(f"false optima refused: {what}")


def test_a_model_that_is_best_but_not_of_the_family_is_refused(checker, tmp_path, capsys):
    """Parity of three gets none of these points wrong, and has no reasons of two literals."""
    points = np.array([(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 0, 1)])
    labels = points[:, 0] | points[:, 1]
    clf = DNFClassifier(k=2, learner="exact").fit(points, labels)
    plain = json.loads(exporting.json_text(clf))
    assert plain["result"]["objective"] == 0
    parity = sum(1 << p for p in range(16) if (p & 7).bit_count() % 2)
    table = write_table(tmp_path / "table.csv", points, labels)
    assert check(checker, tmp_path, plain, table) == 0
    assert check(checker, tmp_path, {**plain, "model": as_double(parity, 2)}, table) == 1
    assert "the model is none of the functions with reasons of two literals" in capsys.readouterr().out


def test_columns_of_cuts_and_categories_are_read(checker, tmp_path):
    """At k = 1 'any' is of one column: 1 < x <= 2 needs two literals of it."""
    import polars as pl

    rng = Random(0)
    rows = [(rng.choice([1, 2, 3, None]), rng.choice("abc"), rng.choice([True, False])) for _ in range(40)]
    X = pl.DataFrame(rows, schema=["x", "kind", "late"], orient="row")
    y = np.where([x == 2 for x, _, _ in rows], "yes", "no")
    X.with_columns(pl.Series("label", y)).write_csv(tmp_path / "table.csv")
    clf = DNFClassifier(k=1, learner="exact").fit(X, y)
    assert (clf.optimal_, clf.objective_) == ("any", 0.0)
    plain = json.loads(exporting.json_text(clf))
    assert check(checker, tmp_path, plain, str(tmp_path / "table.csv")) == 0
    for k in (2, 3):
        clf = DNFClassifier(k=k, family="tree", learner="exact").fit(X, np.where(X["late"], y, "no"))
        X.with_columns(pl.Series("label", np.where(X["late"], y, "no"))).write_csv(tmp_path / "table.csv")
        plain = json.loads(exporting.json_text(clf))
        assert (plain["result"]["optimal"], check(checker, tmp_path, plain, str(tmp_path / "table.csv"))) == ("tree", 0)


@pytest.mark.parametrize(("cell", "code"), [("2021-03-31", 0), ("31.03.2021", 2)])
def test_columns_of_days_are_read(checker, tmp_path, capsys, cell, code):
    rng = Random(1)
    days = [f"2021-{rng.randrange(1, 13):02d}-{rng.randrange(10, 29)}" for _ in range(40)]
    lines = [f"{day},{'yes' if '2021-03-15' < day <= '2021-08-20' else 'no'}" for day in days]
    (tmp_path / "table.csv").write_text("\n".join(["opened,label", *lines, "2021-03-31,yes"]))
    made, table = tmp_path / "model.json", tmp_path / "table.csv"
    options = ["--target", "label", "--k", "1", "--learner", "exact", "--test-size", "0", "-o", str(made), "-q"]
    assert idnf_command(["fit", str(table), *options]) == 0
    plain = json.loads(made.read_text())
    assert (plain["space"]["columns"][0]["kind"], plain["result"]["optimal"]) == ("date", "any")
    table.write_text("\n".join(["opened,label", *lines, f"{cell},yes"]))
    assert check(checker, tmp_path, plain, str(table)) == code
    assert code == 0 or "'opened' must have days such as 2021-12-31" in capsys.readouterr().out


@pytest.mark.parametrize("k", [2, 3])
def test_trees_of_three_classes_are_found_again(checker, tmp_path, k):
    rng = Random(k)
    X, y = random_table(rng, 5, 60)
    labels = y + X[:, 4] * 1
    table = write_table(tmp_path / "table.csv", X, labels)
    clf = DNFClassifier(k=k, family="tree", learner="exact").fit(X, labels)
    plain = json.loads(exporting.json_text(clf))
    assert check(checker, tmp_path, plain, table) == 0
    claimed = {**plain["result"], "objective": plain["result"]["objective"] + 1 / 60}
    assert check(checker, tmp_path, {**plain, "result": claimed}, table) == 1


def test_it_runs_alone_and_says_how_long_it_takes_first(tmp_path):
    (tmp_path / "check_optimum.py").write_text(exporting.optimum_checker(), "utf-8")
    X, y = random_table(Random(0), 6, 50)
    exporting.to_json(DNFClassifier(k=2, learner="exact").fit(X, y.astype(int)), tmp_path / "model.json")
    table = write_table(tmp_path / "table.csv", X, y)
    command = [sys.executable, "-I", "check_optimum.py", "model.json"]
    done = subprocess.run([*command, table], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done
    assert done.stdout.startswith("About ")
    assert "\nHolds: " in done.stdout
    assert subprocess.run(command, capture_output=True, cwd=tmp_path).returncode == 2
    assert subprocess.run([*command, "none.csv"], capture_output=True, cwd=tmp_path).returncode == 2
    assert "idnf" not in {
        line.split()[1].split(".")[0]
        for line in exporting.optimum_checker().splitlines()
        if line.startswith(("import ", "from "))
    }


@pytest.mark.parametrize("given", [{"price": 0.1}, {"class_weight": "balanced"}])
def test_other_objectives_are_not_checked(checker, tmp_path, given):
    X, y = random_table(Random(0), 6, 50)
    clf = DNFClassifier(k=2, learner="exact", **given).fit(X, y.astype(int))
    table = write_table(tmp_path / "table.csv", X, y)
    assert check(checker, tmp_path, json.loads(exporting.json_text(clf)), table) == 2
