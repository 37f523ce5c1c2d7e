"""A classifier as a program that needs nothing but its language: a JavaScript script, a Python module.

The Python module is put together from modules of this library, so that what is exported is what is tested here.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.resources import files

from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.assembly import assembled
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


# Lower ones first.
_MODULES = (
    "idnf.logic.literals",
    "idnf.logic.transversals",
    "idnf.logic.boxes",
    "idnf.columns.phrases",
    "idnf.explaining.regions",
    "idnf.explaining.widening",
    "idnf.exporting.row_values",
    "idnf.exporting.row_engine",
)

_HEAD = '''"""Decisions{reasons} from a model held as plain data; depends on nothing but Python 3.10 or later."""

from __future__ import annotations

'''


def to_python(clf: DNFClassifier, *, reasons: bool = True) -> str:
    """Return the source of a module with ``predict(row)`` and, with ``reasons``, ``explain(row)``.

    A row is a mapping from the names of columns to values. The model is JSON text in the source: no name or category
    of the table becomes code.

    >>> clf = DNFClassifier(k=2, learner="greedy").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["predict"]({"x0": 1, "x1": 0}), module["explain"]({"x0": 1, "x1": 0})["reason"]
    (0, 'a2')
    """
    root, head = ("Reasoner", " and their reasons") if reasons else ("Decider", "")
    sources = [inspect.getsource(import_module(name)) for name in _MODULES]
    engine = assembled([*sources, "from json import loads\n"], [root, "loads"])
    model = ascii(script_json(compiled(clf, reasons=reasons)))
    lines = [f"\n\n_MODEL = {root}(loads(\n    {model}\n))", "predict = _MODEL.predict"]
    return _HEAD.format(reasons=head) + engine + "\n".join([*lines, *["explain = _MODEL.explain"] * reasons, ""])
