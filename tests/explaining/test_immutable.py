"""Columns that no proposed change touches, and the name of the target: stored with a model, kept by all that speaks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.exporting.cases import random_case

from idnf import DNFClassifier, exporting

ROWS = pd.DataFrame({"age": [25, 60], "debt": [True, True], "city": ["Bonn", "Ulm"]})


def policy(**options: object) -> DNFClassifier:
    columns = {"age": [40], "debt": bool, "city": ["Bonn", "Ulm"]}
    formula = "~debt | 'age <= 40' & 'city is Ulm'"
    return DNFClassifier.from_dnf(formula, columns=columns, classes=("No", "Yes"), **options)


@pytest.mark.parametrize("seed", range(30))
def test_explanations_with_fixed_columns_are_proved_again(seed: int) -> None:
    case = random_case(seed, 30)
    used = [case.clf.fitted_.columns[j].name for j in case.clf.fitted_.used]
    clf = case.clf.with_settings(immutable=used[::2])
    for one in clf.explain(case.frame):
        assert not {*one.cxp_columns} & {*used[::2]}
        one.check()


def test_the_sentence_names_the_target() -> None:
    one = policy(target="loan").explain(ROWS)[0]
    assert one.to_text() == (
        "Loan: No, because debt is true and city is Bonn (not Ulm). If debt were false, loan would be Yes."
    )
    assert policy(target="loan").recourse(ROWS[:1]).to_text() == "For loan to be Yes: change debt from true to false."
    assert policy(target="loan").recourse(ROWS[:1], to="No").to_text() == "Loan is No already: nothing has to change."
    blocked = policy(target="loan").recourse(ROWS[:1], immutable=["debt", "city"])
    assert blocked.to_text() == "No change leads to loan: Yes; blocked by debt (immutable)."
    assert "loan is Yes if" in policy(target="loan").to_text()
    assert "<b>Loan: No,</b> because" in one._repr_html_()


@pytest.mark.parametrize("target", [None, ""])
def test_without_a_name_the_label_speaks_alone(target: str | None) -> None:
    assert policy(target=target).explain(ROWS)[0].to_text().startswith("No because debt is true")


def test_changes_spare_immutable_columns_and_all_switches_them_off() -> None:
    clf = policy().with_settings(immutable=["debt"])
    assert clf.explain(ROWS)[0].otherwise == "If city were Ulm, it would be Yes."
    assert clf.recourse(ROWS[:1]).to_text() == "To be Yes: change city from Bonn to Ulm."
    blocked = clf.recourse(ROWS[:1], immutable=["city"])
    assert blocked.to_text() == "No change leads to Yes; blocked by debt (immutable)."
    none = clf.with_settings(immutable="all")
    assert none.explain(ROWS)[0].to_text() == "No because debt is true and city is Bonn (not Ulm)."
    assert list(none.explain(ROWS).to_frame().columns) == ["predicted", "reason", "reason id"]
    assert len(none.recourse(ROWS[:1])) == 0
    assert policy().explain(ROWS)[0].to_text() == clf.with_settings(immutable=[]).explain(ROWS)[0].to_text()


def test_the_model_file_keeps_both(tmp_path: Path) -> None:
    clf = policy(target="loan").with_settings(immutable=["debt"])
    exporting.to_json(clf, tmp_path / "model.json")
    read = exporting.from_json(tmp_path / "model.json")
    assert (read.fitted_.target, read.fitted_.immutable) == ("loan", ("debt",))
    assert [str(one) for one in read.explain(ROWS)] == [str(one) for one in clf.explain(ROWS)]


def test_unknown_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="immutable must be \"all\" or name columns of the table .*; got 'debts'"):
        policy().with_settings(immutable=["debts"])
    with pytest.raises(TypeError, match="immutable must be a list of column names"):
        policy().with_settings(immutable="debt")


def fitted(y: object, **options: object) -> DNFClassifier:
    X = pd.DataFrame({"a": [0, 1] * 20, "b": np.arange(40) % 7, "row": np.arange(40)})
    return DNFClassifier(1, learner="greedy", **options).fit(X, y)


@pytest.mark.filterwarnings("ignore::idnf.TableWarning")
def test_fit_takes_the_name_from_the_labels() -> None:
    values = ["no", "yes"] * 20
    assert fitted(pd.Series(values, name="late")).fitted_.target == "late"
    assert fitted(pl.Series("late", values)).fitted_.target == "late"
    assert fitted(pl.Series(values)).fitted_.target is None
    assert fitted(pd.Series(values, name=0)).fitted_.target is None
    assert fitted(values).fitted_.target is None
    assert fitted(pd.Series(values, name="late")).with_settings(target="overdue").fitted_.target == "overdue"
    lazy = pl.LazyFrame({"a": [0, 1] * 20, "late": values})
    assert DNFClassifier(1, learner="greedy").fit(lazy, "late").fitted_.target == "late"


@pytest.mark.filterwarnings("ignore::idnf.TableWarning")
def test_a_column_left_out_may_be_called_immutable() -> None:
    clf = fitted(["no", "yes"] * 20)
    assert clf.with_settings(immutable=["row", "a"]).fitted_.immutable == ("a",)
    assert clf.with_settings(immutable="all").fitted_.immutable == ("a", "b")
