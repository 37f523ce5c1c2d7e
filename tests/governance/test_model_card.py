"""The model card says what the classifier says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from idnf import DNFClassifier, reporting
from idnf.governance import model_card


def rows(classes):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {"age": rng.integers(18, 80, 120), "member": rng.random(120) < 0.5, "g": rng.choice(["x", "y"], 120)}
    )
    return X, np.array(["low", "mid", "high"])[np.digitize(X["age"], [40, 60][: classes - 1])]


@pytest.mark.parametrize("classes", [2, 3])
def test_figures_and_proofs_are_those_of_the_classifier(classes):
    X, y = rows(classes)
    clf = DNFClassifier(k=2, family="tree", learner="greedy").fit(X, y)
    summary = reporting.summarise(clf, X, y, subgroup="g")
    card = model_card(
        clf, summary, title="Ages", intended="Tests.", limitations=["None known."], authors="A", citation="C"
    )
    text = card.to_markdown()
    assert text.startswith("# Ages\n\n## Model description\n")
    for part in ("Tests.", "None known.", "## Authors", "## Citation", str(clf.verify()), clf.to_text()):
        assert part in text
    for group in ("x", "y"):
        chosen = (X["g"] == group).to_numpy()
        share = np.mean(clf.predict(X)[chosen] == y[chosen])
        assert f"| g = {group} | {chosen.sum()} | {share:.1%} |" in text
    assert text.count("idnf verify model.json") == 1


def test_a_policy_without_rows_has_a_card():
    policy = DNFClassifier.from_dnf("a | b")
    assert "## Evaluation results" not in model_card(policy).to_markdown()
    with pytest.raises(ValueError, match="subgroup must name a column of X"):
        reporting.summarise(policy, [[1, 0]], [1], subgroup="g")
