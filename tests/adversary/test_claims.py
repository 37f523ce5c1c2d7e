"""False claims offered to the independent checker, and false models offered as files: none may be accepted."""

from __future__ import annotations

import json
import random
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests.adversary.plain_model import PlainModel
from tests.adversary.tally import count
from tests.explaining import naive_explanations as naive

from idnf import DNFClassifier
from idnf.exporting import documents, json_text
from idnf.exporting.file_checks import check_file
from idnf.exporting.model_json import from_document
from idnf.logic.verification import VerificationError
from idnf.proving.independent_check import CheckError, DecisionClaim, check_decision


def random_claim(world: naive.World, point, rng: random.Random) -> DecisionClaim:
    """A reason with its conditions and a change, each drawn at random or nearly right."""
    n = len(point)
    axp = tuple(j for j in range(n) if rng.random() < 0.4)
    cxp = tuple(j for j in range(n) if rng.random() < 0.4)
    if rng.random() < 0.6:
        axp = rng.choice(naive.minimal(world, point, naive.is_weak_axp))
    if rng.random() < 0.6:
        cxp = rng.choice(naive.minimal(world, point, naive.is_weak_cxp) or [()])
    box = [1 << point[j] if j in axp else full for j, full in enumerate(world.space.full)]
    for _ in range(rng.randrange(3)):
        j = rng.randrange(n)
        box[j] ^= 1 << rng.randrange(world.space.columns[j].size)
    return DecisionClaim(point, axp, tuple(box), cxp)


def is_true(world: naive.World, claim: DecisionClaim) -> bool:
    label = world.table[claim.point]
    constrained = {j for j, full in enumerate(world.space.full) if claim.box[j] != full}
    axps = naive.minimal(world, claim.point, naive.is_weak_axp)
    cxps = naive.minimal(world, claim.point, naive.is_weak_cxp) or [()]
    meets = all(claim.box) and naive.holds(claim.box, claim.point) and naive.is_inside(world, claim.box, label)
    return claim.axp in axps and claim.cxp in cxps and meets and constrained <= set(claim.axp)


def is_accepted(world: naive.World, claim: DecisionClaim) -> bool:
    sides = (world.negative, world.positive)
    try:
        check_decision(sides, world.space, claim)
    except CheckError:
        return False
    return True


def test_a_claim_is_accepted_iff_it_is_true(rounds) -> None:
    for seed in rounds(4, 1700):
        rng, world = random.Random(seed), naive.random_world(seed)
        for _ in range(80):
            claim = random_claim(world, rng.choice(world.points), rng)
            true = is_true(world, claim)
            assert is_accepted(world, claim) == true, (seed, claim)
            count(f"claims about decisions that are {'true: accepted' if true else 'false: refused'}")


def spoiled(terms: list[list[int]], features: int, rng: random.Random) -> None:
    """Change one thing in a list of terms."""
    kind = rng.randrange(4)
    term = rng.choice(terms) if terms else []
    if kind == 0 and terms:
        terms.remove(term)
    elif kind == 1 and term:
        term.remove(rng.choice(term))
    elif kind == 2 and term:
        place = rng.randrange(len(term))
        term[place] ^= 1
    else:
        chosen = rng.sample(range(features), rng.randint(1, 2))
        terms.append([2 * feature + rng.randrange(2) for feature in chosen])


def partitions(sides: list[list[list[int]]], features: int, k: int) -> bool:
    """Whether every point meets terms of exactly one side, and no term is longer than k."""
    if any(len(term) > k for terms in sides for term in terms):
        return False
    for values in product((0, 1), repeat=features):
        met = [any(all(values[code // 2] != code % 2 for code in term) for term in terms) for terms in sides]
        if sum(met) != 1:
            return False
    return True


def test_a_model_file_is_accepted_iff_its_classes_share_out_all_points(rounds) -> None:
    for seed in rounds(20, 20_000):
        rng = random.Random(seed)
        features = rng.randint(2, 5)
        names = "abcde"[:features]
        terms = [[2 * f + rng.randrange(2) for f in rng.sample(range(features), rng.randint(1, 2))] for _ in range(3)]
        formula = " | ".join(" & ".join("~" * (code % 2) + names[code // 2] for code in term) for term in terms)
        clf = DNFClassifier.from_dnf(formula, columns=dict.fromkeys(names, bool))
        document = json.loads(json_text(clf))
        model = document["model"]
        for _ in range(rng.randrange(3)):
            spoiled(model[rng.choice(["positive", "negative"])], features, rng)
        true = partitions([model["negative"], model["positive"]], features, model["k"])
        try:
            from_document(documents.parse_document(json.dumps(document).encode()))
            accepted = True
        except documents.DocumentError:
            accepted = False
        assert accepted == true, (seed, model)
        count(f"model files that are {'true: read' if true else 'false: refused'}")


def test_what_a_file_says_of_its_training_is_confirmed_iff_it_is_so(rounds, tmp_path) -> None:
    """True files and files with another optimum, objective, labels or counts, each with its training table."""
    for seed in rounds(3, 120):
        rng, n_classes = random.Random(seed), 2 + seed % 2
        points = [[rng.random() < 0.5 for _ in range(4)] for _ in range(40)]
        y = [(point[0] + point[1] * point[2] + (rng.random() < 0.2)) % n_classes for point in points]
        if len(set(y)) < n_classes:
            continue
        X, path = pd.DataFrame(points, columns=list("abcd")), tmp_path / "model.json"
        family = rng.choice(["tree", "any"])
        document = json.loads(json_text(DNFClassifier(2, family=family, learner="exact").fit(X, np.array(y) * 7)))
        path.write_text(json.dumps(document), encoding="utf-8")
        found = check_file(path, X, np.array(y) * 7)
        model = PlainModel(document)
        errors = sum(model.label(point) != 7 * label for point, label in zip(X.to_dict("records"), y)) / len(y)
        assert found.proved_again
        assert document["result"]["objective"] == pytest.approx(errors)
        count("files with their training table: confirmed")
        reasons = zip(*(counts for key, counts in document["training"].items() if key not in ("cells", "costs")))
        turned = ["labels"] if any(counts != counts[::-1] for counts in reasons) else []
        for lie in ("objective", "counts", "rows", *turned):
            false, rows = json.loads(json.dumps(document)), len(y) - (lie == "rows")
            if lie == "objective":
                false["result"] |= {"objective": errors / 2 + 0.01, "bound": errors / 2 + 0.01}
            elif lie == "counts":
                key = next(key for key, value in false["training"].items() if key != "cells" and any(value))
                false["training"][key][0] += 1
            elif lie == "labels":
                false["classes"] = false["classes"][::-1]
            path.write_text(json.dumps(false), encoding="utf-8")
            assert is_refuted(path, X[:rows], np.array(y)[:rows] * 7), (seed, lie)
            count("files with a training table that is not as they say: refuted")


def is_refuted(path, X, y) -> bool:
    try:
        check_file(path, X, y)
    except VerificationError:
        return True
    return False
