"""Many labels, categories in an order and leaks that are left out, from the command line."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from idnf import exporting
from idnf.cli import main

QUICK = ("--k", "2", "--learner", "greedy", "--no-tune", "--json")


def run(capsys, *words):
    code = main([str(word) for word in words])
    printed, remarks = capsys.readouterr()
    return code, json.loads(printed) if printed else None, remarks


def table(tmp_path, **columns):
    pl.DataFrame(columns).write_csv(tmp_path / "rows.csv")
    return tmp_path / "rows.csv"


def test_32_labels_are_learned_and_none_is_rare(tmp_path, capsys):
    rng = np.random.default_rng(0)
    leaf = rng.integers(0, 32, 960)
    path = table(tmp_path, length=leaf + rng.random(960) / 2, species=[f"kind {i}" for i in leaf])
    code, found, remarks = run(capsys, "fit", path, "--target", "species", *QUICK)
    assert (code, len(found["labels"])) == (0, 32)
    assert "rare" not in remarks


def test_many_numbers_are_labels_with_a_remark_and_fractions_are_refused(tmp_path, capsys):
    rng = np.random.default_rng(1)
    path = table(tmp_path, a=rng.random(600), score=rng.integers(0, 12, 600))
    code, found, remarks = run(capsys, "fit", path, "--target", "score", *QUICK)
    assert (code, len(found["labels"])) == (0, 12)
    assert "score: each of 12 numbers is a label of its own (--positive '> 6' sets those above a limit" in remarks
    path = table(tmp_path, a=rng.random(600), score=rng.integers(0, 30, 600) / 4)
    code, _, remarks = run(capsys, "fit", path, "--target", "score", *QUICK)
    assert code == 2
    assert "be a column of at most 100 labels; got score with 30" in remarks
    path = table(tmp_path, a=rng.random(600), name=[f"n{i % 150}" for i in range(600)])
    code, _, remarks = run(capsys, "fit", path, "--target", "name", *QUICK)
    assert (code, "be a column of at most 100 labels; got name with 150" in remarks) == (2, True)


def test_an_order_is_declared(tmp_path, capsys):
    rng = np.random.default_rng(2)
    risk = np.array(["low", "medium", "high"])[rng.integers(0, 3, 600)]
    late = np.where((risk != "low") ^ (rng.random(600) < 0.1), "yes", "no")
    path = table(tmp_path, risk=risk, n=rng.random(600), late=late)
    _, _, remarks = run(capsys, "fit", path, "--target", "late", *QUICK)
    assert 'risk: low, medium, high: in order? (--as "risk=low<medium<high")' in remarks
    model = tmp_path / "model.json"
    asked = ("fit", path, "--target", "late", "--as", "risk=low<medium<high", "-o", model, *QUICK)
    assert run(capsys, *asked)[0] == 0
    assert exporting.from_json(model).binariser_.columns_[0].kind == "ordered"
    code, _, remarks = run(capsys, "fit", path, "--target", "late", "--as", "risk=tall", *QUICK)
    assert code == 2
    assert "be COLUMN=number, category, date, boolean, keep, or categories in order such as 'low<high'" in remarks


@pytest.mark.parametrize("engine", [(), ("--engine", "polars")])
def test_leaks_are_left_out(tmp_path, capsys, engine):
    rng = np.random.default_rng(3)
    paid = rng.random(900)
    X = {"paid": paid, "n": rng.random(900), "status": np.where(paid > 0.4, "good", "bad")}
    pl.DataFrame(X).write_parquet(tmp_path / "rows.parquet")
    model = tmp_path / "model.json"
    asked = ("fit", tmp_path / "rows.parquet", "--target", "status", "--drop-leaks", "-o", model, *engine, *QUICK)
    code, _, remarks = run(capsys, *asked)
    assert (code, "paid: alone gives every label: a leak? left out (--as paid=keep)" in remarks) == (0, True)
    assert [column.name for column in exporting.from_json(model).binariser_.columns_] == ["n"]
