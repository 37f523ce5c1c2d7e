"""How a model was made, as sections: training, what is proved of it, settings, versions."""

from __future__ import annotations

import sys
from importlib.metadata import version

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fairness_report import FairnessReport
from idnf.reporting.sections import Section


def making_sections(classifier: DNFClassifier) -> list[Section]:
    """Return how a classifier was made: its training, how its size was chosen, its parameters, versions.

    >>> [section.heading for section in making_sections(DNFClassifier.from_dnf("late"))]
    ['Training procedure', 'Hyperparameters', 'Versions']
    """
    fitted = classifier.fitted_
    weight = float(fitted.training.weights.sum())
    rows = f"Training examples of total weight {weight:,.10g}. " if weight else ""
    said = ", as the model file says; not proved again" if fitted.learned.claimed else ""
    bound = "none" if classifier.bound_ is None else f"{classifier.bound_:.6g} ({classifier.bound_family_}){said}"
    proved = [
        ("objective", f"{classifier.objective_:.6g}{said}"),
        ("proved optimal in", "nothing proved" if classifier.optimal_ is None else f"{classifier.optimal_}{said}"),
        ("bound", bound),
    ]
    training = Section("Training procedure").paragraph(f"{rows}Training table: {fitted.training_data}.")
    settings = [(name, repr(value)) for name, value in sorted(classifier.get_params(deep=False).items())]
    found = [("python", sys.version.split()[0])]
    found += [(name, version(name)) for name in ("idnf", "numpy", "scikit-learn", "narwhals")]
    return [
        training.table(("result", "value"), proved),
        *(Section(one.heading).table(("edit", "note"), one.changes) for one in fitted.edits),
        *_choice_of_size(classifier),
        *([] if fitted.fairness is None else [_alternatives(fitted.fairness)]),
        Section("Hyperparameters").table(("parameter", "value"), settings),
        Section("Versions").table(("package", "version"), found),
    ]


def _choice_of_size(classifier: DNFClassifier) -> list[Section]:
    """Return what cross-validation said, if the size was chosen by it."""
    if classifier.path_ is None:
        return []
    head, *lines = classifier.path_.cells()
    words = (
        "the smallest models of those nearly as good as the best were chosen."
        if len(classifier.classes_) == 2
        else "these are trees, and what the best of size k minimise was chosen."
    )
    text = f"Accuracy on training examples held out, by how much of k a model uses and what it minimises; {words}"
    return [Section("How its size was chosen").paragraph(text).table(head, lines)]


def _alternatives(report: FairnessReport) -> Section:
    """Return the models considered under a limit on the gap between groups."""
    head, *rows = report.cells()
    text = f"{report.request} Figures are on the training rows."
    section = Section("Alternatives considered").paragraph(text).table(head, rows)
    for proof in report.proofs or ("No bound is proved; a better model may exist.",):
        section = section.paragraph(proof)
    return section
