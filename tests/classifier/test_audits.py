"""The auditor's questions asked of classifiers: whole tables, learned models, bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.tree import DecisionTreeClassifier
from tests.auditing import naive_tables as naive
from tests.auditing.test_rules import is_met, random_text
from tests.governance.test_rule_audits import first_label
from tests.strategies import seeds

from idnf import DNFClassifier, ReasonTexts, auditing, check_rules, difference, exporting
from idnf.auditing.conditions import ConditionError, parse_condition
from idnf.datasets.loans import loan_table
from idnf.governance import audit


@pytest.fixture(scope="module")
def loans():
    table = loan_table(400)
    X = table.to_pandas()
    return DNFClassifier(k=3, learner="greedy").fit(X, table.approved), X


def test_answers_agree_with_the_explainer(loans):
    clf, X = loans
    few = X.iloc[:60]
    relevances, shares = auditing.relevance(clf, few), auditing.attribution(clf, few)
    for row in range(len(few)):
        reasons = list(clf.axps(few.iloc[[row]]))
        short = [reason for reason in reasons if len(reason) <= clf.k]
        assert set(relevances[row].necessary) == set.intersection(*map(set, reasons))
        assert set(relevances[row].relevant) == set().union(*reasons)
        assert dict(shares[row]) == {
            name: sum(name in r for r in short) / len(short) for name in {n for r in short for n in r}
        }
        assert set(clf.explain(few.iloc[[row]])[0].axp_columns) <= set(relevances[row].relevant)


def test_other_names_are_no_audits():
    with pytest.raises(AttributeError, match="module 'idnf.auditing' has no attribute 'relevances'"):
        auditing.relevances  # noqa: B018


def test_witnesses_are_rows_that_the_model_takes(loans):
    clf, X = loans
    for column in [c.name for c in clf.fitted_.columns]:
        found = auditing.can_decide(clf, column, X)
        assert found.check() in ("proved by truth table", "refuted by truth table", "proved by SAT", "refuted by SAT")
        assert (found.count == 0) or found.answer
        if found:
            rows = pd.concat([X.iloc[:0], pd.DataFrame(list(found.witness))])[X.columns]
            rows = rows.astype({name: X[name].dtype for name in X.columns if X[name].dtype == bool})
            assert clf.predict(rows).tolist() == list(found.labels)


def test_models_of_other_learners_are_compared(loans):
    clf, X = loans
    other = DNFClassifier(k=2, learner="greedy", family="nested").fit(X, clf.predict(X) == clf.classes_[1])
    found = difference(clf, other, X)
    assert found.rows == int((clf.predict(X) != other.predict(X)).sum())
    found.check()


def test_texts_stay_with_the_model(loans, tmp_path):
    clf, X = loans
    names = [column.name for column in clf.fitted_.columns]
    hmda = ReasonTexts.hmda({names[0]: 1})
    given = auditing.principal_reasons(clf, X[:5], texts=hmda).codes.tolist()
    assert clf.fitted_.reason_texts is None
    exporting.to_json(clf.with_settings(notice_codes=hmda), tmp_path / "model.json")
    read = exporting.from_json(tmp_path / "model.json")
    assert read.fitted_.reason_texts == hmda
    assert auditing.principal_reasons(read, X[:5]).codes.tolist() == given


def test_bad_input_is_refused(loans):
    clf, X = loans
    with pytest.raises(ValueError, match="columns must name columns of the model .*; got 'sex'"):
        auditing.can_decide(clf, "sex")
    with pytest.raises(ValueError, match="columns must name at least one column; got none"):
        auditing.can_decide(clf, [])
    with pytest.raises(ValueError, match="texts must name columns of the model .*; got 'sex'"):
        auditing.principal_reasons(clf, X, texts={"sex": "Sex"})
    with pytest.raises(ValueError, match="texts must name columns of the model .*; got 'sex'"):
        clf.with_settings(notice_codes={"sex": "Sex"})
    with pytest.raises(TypeError, match="X must be in memory for this question; got a lazy table"):
        auditing.relevance(clf, pl.LazyFrame({"a": [1]}))
    with pytest.raises(ConditionError, match="must name a class"):
        check_rules(clf, "if income > 3 then maybe")
    with pytest.raises(TypeError, match="tree_or_rules must be text, pairs, or a fitted tree or forest; got int"):
        audit(3)
    with pytest.raises(ValueError, match="a policy must give every row a class"):
        difference(clf, "if income > 3 then True")
    with pytest.raises(ValueError, match="k must be at least 2, the number of columns that some reason needs; got 1"):
        audit("if a then x\nif b then y\notherwise z").to_classifier(k=1)


@pytest.mark.parametrize("seed", seeds(15, 1000))
def test_audited_rules_as_models_decide_alike(seed):
    rng = naive.seeded(seed)
    kinds = naive.random_kinds(rng)
    columns = naive.random_columns(rng, kinds=kinds)
    texts = [(random_text(rng, columns, 1), rng.choice("abc")) for _ in range(rng.randint(1, 3))]
    rows = naive.rows(naive.probes(columns))
    texts = [(text, label) for text, label in texts if any(is_met(parse_condition(text), row) for row in rows)]
    if not texts:
        return
    found = audit([*texts, (texts[0][0], "a"), "b"], columns=columns)
    if len(found.rules.function.classes) == 1:
        with pytest.raises(ValueError, match="rules must have two classes to be a model; got 1"):
            found.to_classifier()
        return
    made = found.to_classifier()
    assert made.k == max(found.k, 1) == made.verify().k
    table = pd.DataFrame(rows)
    expected = []
    for row in rows:
        point = tuple(int(c.cells([row[c.name]])[0]) for c in found.rules.columns)
        expected.append(first_label(found.rules, point))
    assert made.predict(table).tolist() == expected


def test_trees_are_audited_with_their_own_names():
    X = pd.DataFrame({"age": [1.0, 2, 3, 4], "size": [1.0, 1, 2, 2]})
    tree = DecisionTreeClassifier(random_state=0).fit(X, [0, 0, 1, 1])
    assert audit(tree).rules.columns[0].name in ("age", "size")
    assert audit(DecisionTreeClassifier(random_state=0).fit(X.to_numpy(), [0, 0, 1, 1])).rules.columns[0].name[0] == "x"
    with pytest.raises(ValueError, match="names must have 2 entries, one per column; got 1"):
        audit(tree, names=["age"])
    assert np.array_equal(audit(tree).to_classifier(k=1).predict(X), tree.predict(X))


def test_an_interval_is_one_condition():
    found = audit("if x > 1 and x <= 2 then yes\notherwise no")
    assert found.k == 1
    made = found.to_classifier(k=1)
    assert made.predict(pd.DataFrame({"x": [1.0, 1.5, 2.0, 2.5]})).tolist() == ["no", "yes", "yes", "no"]
    assert made.verify().widths == (1, 1)
