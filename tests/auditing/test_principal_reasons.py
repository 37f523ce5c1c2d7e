"""Principal reasons: ranked shares of the reasons, codes, texts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.auditing.naive_audits import CHUNKS, axps, holds, worlds

from idnf import DNFClassifier, auditing
from idnf.auditing.reason_shares import PrincipalReasons
from idnf.auditing.reason_texts import HMDA, ReasonText, ReasonTexts


def said(column, mask):
    return f"c{column} in {mask:b}"


@pytest.mark.parametrize("chunk", CHUNKS)
def test_factors_are_ranked_by_their_share_of_the_reasons(chunk):
    for world in worlds(chunk):
        names = [column.name for column in world.space.columns]
        texts = ReasonTexts({name: ReasonText("first", "x") for name in names[:2]}) if world.seed % 2 else None
        groups = [[0, 1], *([j] for j in range(2, len(names)))] if texts else [[j] for j in range(len(names))]
        found = PrincipalReasons(world.model, np.array(world.points), said, count=3, texts=texts)
        for row, point in enumerate(world.points):
            reasons = [reason for reason in axps(world, point) if len(reason) <= world.model.k]
            shares = [Fraction(sum(any(j in r for j in g) for r in reasons), len(reasons)) for g in groups]
            necessary = set.intersection(*map(set, axps(world, point)))
            order = sorted(range(len(groups)), key=lambda g: (not necessary & {*groups[g]}, -shares[g], g))
            expected = [g for g in order if shares[g] > 0][:3]
            assert [reason.share for reason in found[row]] == [float(shares[g]) for g in expected]
            coded = ["first" if texts and g == 0 else names[groups[g][0]] for g in expected]
            assert [code for code in found.codes[row] if code] == coded
            for reason, g in zip(found[row], expected):
                assert set(reason.columns) <= {names[j] for j in groups[g]}
                for name, words in zip(reason.columns, reason.conditions):
                    mask = int(words.split()[-1], 2)
                    assert mask >> point[names.index(name)] & 1


@pytest.mark.parametrize("chunk", CHUNKS[:2])
def test_conditions_of_a_single_reason_suffice(chunk):
    for world in worlds(chunk):
        found = PrincipalReasons(world.model, np.array(world.points), said, count=9)
        for row, point in enumerate(world.points):
            if len([reason for reason in axps(world, point) if len(reason) <= world.model.k]) == 1:
                box = list(world.space.full)
                for reason in found[row]:
                    box[int(reason.columns[0][1:])] = int(reason.conditions[0].split()[-1], 2)
                assert {world.table[p] for p in world.points if holds(box, p)} == {world.table[point]}


def test_a_necessary_column_comes_before_others_in_all_reasons_of_at_most_k_columns():
    """The longer reason p, q, r and s does without x, so p and q alone are necessary."""
    policy = DNFClassifier.from_dnf("x & p & q | ~x & r & s")
    assert policy.k == 3
    rows = pd.DataFrame({name: [True] for name in "xpqrs"})
    assert auditing.principal_reasons(policy, rows, count=2).codes.tolist() == [["p", "q"]]


def test_texts_are_read_from_a_file(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("column,code,text\nincome,R1,Income too low\n,R9,Other\n", encoding="utf-8")
    texts = ReasonTexts.of_given(path)
    assert texts.of("income") == ReasonText("R1", "Income too low")
    assert texts.of("age") == ReasonText("R9", "Other")
    assert ReasonTexts.from_rows(texts.to_rows()) == texts
    path.write_text("column,code\nincome,1\n", encoding="utf-8")
    assert ReasonTexts.of_given(str(path)).of("income") == ReasonText("1", HMDA["1"])


def test_bad_texts_are_refused(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("name,code\nincome,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="texts must have the columns column, code and text; got name, code"):
        ReasonTexts.of_given(path)
    path.write_text("column,code\nincome,12\n", encoding="utf-8")
    with pytest.raises(ValueError, match="code must be a HMDA code, 1 to 9, if no text is given; got '12'"):
        ReasonTexts.of_given(path)
    with pytest.raises(ValueError, match="texts must name each column once; got 'a' twice"):
        ReasonTexts.from_rows([("a", "1", None), ("a", "2", None)])
    with pytest.raises(ValueError, match=r"texts must name columns of the model \(age\); got 'income'"):
        ReasonTexts.of_given({"income": "low"}).checked(["age"], ["no", "yes"])
    with pytest.raises(ValueError, match="must be a text, or a code and a text"):
        ReasonTexts.of_given({"income": (1, "low")})


def test_count_must_be_positive():
    world = worlds(0)[0]
    with pytest.raises(ValueError, match="count must be at least 1; got 0"):
        PrincipalReasons(world.model, np.array(world.points), said, count=0)
