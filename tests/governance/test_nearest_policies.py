"""The nearest policy of short reasons, held to the enumeration of all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.choosing.test_retraining import POINTS, functions
from tests.strategies import seeds

import idnf
from idnf import InvalidArgument, exporting
from idnf.governance import audit, make_records
from idnf.reporting import to_html


def parity(seed, rows=80):
    """A policy that needs three columns, and rows that meet its cases unevenly."""
    rng = np.random.default_rng(seed)
    lines = [
        "F,a,b,c,out",
        *(
            f"{i},{','.join(str(bool(v)).lower() for v in point)},{'yes' if sum(point) % 2 else 'no'}"
            for i, point in enumerate(POINTS)
        ),
    ]
    place = rng.choice(8, rows, p=rng.dirichlet(np.ones(8)))
    return "\n".join(lines), pd.DataFrame(POINTS[place], columns=list("abc")), place


@pytest.mark.parametrize("learner", ["search", "exact"])
@pytest.mark.parametrize("seed", seeds(3, 40))
def test_no_policy_of_two_columns_differs_on_fewer_rows(seed, learner, tmp_path):
    text, X, place = parity(seed)
    (tmp_path / "p.csv").write_text(text)
    found, given = audit(tmp_path / "p.csv"), POINTS[place].sum(axis=1) % 2
    assert found.sizes == {"no": 3, "yes": 3}
    if len(set(given)) < 2:
        return
    nearest = found.within(2, X, learner=learner)
    least = (functions()[:, place] != given).mean(axis=1).min()
    assert nearest.changed == pytest.approx(least)
    assert nearest.model.verify().k <= 2
    assert nearest.changes.rows == int((nearest.model.predict(X) != np.where(given, "yes", "no")).sum())
    nearest.changes.check()


def test_with_labels_the_policy_that_errs_least_is_found(tmp_path):
    text, X, _ = parity(0)
    (tmp_path / "p.csv").write_text(text)
    y = np.where(X.a & X.b, "yes", "no")
    found = audit(tmp_path / "p.csv").within(2, pl.from_pandas(X), y)
    assert (found.after, found.before) == (
        1.0,
        pytest.approx(np.mean(audit(text_rules(text)).to_classifier().predict(X) == y)),
    )
    assert found.to_text().splitlines()[1].startswith("Accuracy ")
    assert all(region.before is not None or not region.rows for region in found.changes.regions)


def text_rules(text):
    """The same policy as if-then lines."""
    lines = []
    for line in text.splitlines()[1:]:
        _, a, b, c, out = line.split(",")
        lines.append(f"if a is {a} and b is {b} and c is {c} then {out}")
    return "\n".join(lines)


def test_a_policy_that_is_short_stays_as_it_is_and_is_a_model_as_any_other(tmp_path):
    rules = audit("if debt > 9 and late then no\notherwise yes")
    X = pd.DataFrame({"debt": [4.0, 11, 12], "late": [False, True, False], "name": ["x", "y", "z"]})
    found = rules.within(2, X)
    assert found.changes.equal
    assert idnf.difference(rules.to_classifier(), found.model).equal
    exporting.to_json(found.model, tmp_path / "model.json")
    assert len(make_records(found.model, X, sha256="0" * 64)) == 3
    to_html(found.model, tmp_path / "page.html", X, ["yes", "no", "yes"])
    assert "CASE" in exporting.to_sql(found.model)


def test_bad_input_is_refused():
    rules = audit("if debt > 9 and late then no\notherwise yes")
    X = pd.DataFrame({"debt": [4.0, 5.0], "late": [False, True]})
    with pytest.raises(InvalidArgument, match=r"k must be at least 1; got 0\."):
        rules.within(0, X)
    with pytest.raises(InvalidArgument, match=r"X must hold rows of at least two outcomes; got only 'yes'\."):
        rules.within(1, X)
    with pytest.raises(TypeError, match="X must be a pandas or polars table with the columns debt, late"):
        rules.within(1, [[1, 2]])
