"""A classifier as a JavaScript program that needs nothing but JavaScript."""

from __future__ import annotations

from importlib.resources import files

from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.compiled import compiled, script_json


def to_javascript(clf: DNFClassifier, *, reasons: bool = True, module: bool = False) -> str:
    """Return a script that defines ``idnf`` with ``predict(row)``, ``explain(row)`` and ``recourse(row)``.

    A row is an object from the names of columns to values; null and NaN are missing, dates are ISO text or a Date,
    durations are seconds. The text may stand inside a script element: no name or category of the table becomes code.

    Parameters
    ----------
    clf : DNFClassifier
    reasons : bool
        Whether the script can explain; without it only ``predict`` answers, and the script is smaller.
    module : bool
        Whether to write an ES module, whose default export is ``idnf``.

    Examples
    --------
    >>> clf = DNFClassifier(k=2, learner="greedy").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> print(to_javascript(clf)[:20])
    // Decisions, reason
    """
    source = (files("idnf.exporting") / "templates" / "engine.js").read_text("utf-8")
    model = script_json(compiled(clf, reasons=reasons))
    script = source.replace("const MODEL = {};", f"const MODEL = {model};", 1)
    if not module:
        return script
    return script.replace('if (typeof module !== "undefined") module.exports = idnf;', "export default idnf;")
