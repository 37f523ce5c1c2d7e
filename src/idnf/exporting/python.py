"""A classifier as a Python module that needs nothing but Python."""

from __future__ import annotations

import ast
from importlib.resources import files

from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.compiled import compiled, script_json

_EMPTY = 'MODEL = loads("{}")'


def to_python(clf: DNFClassifier, *, reasons: bool = True) -> str:
    """Return the source of a module with ``predict(row)`` and, with ``reasons``, ``explain(row)``.

    A row is a mapping from the names of columns to values. The model is JSON text in the source: no name or category
    of the table becomes code.

    >>> clf = DNFClassifier(k=2, learner="greedy").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["predict"]({"x0": 1, "x1": 0}), module["explain"]({"x0": 1, "x1": 0})["reason"]
    (0, '0.2')
    """
    source = (files("idnf.exporting") / "templates" / "engine.py.txt").read_text("utf-8")
    if not reasons:
        source = _without_reasons(source)
    model = f"MODEL = loads(\n    {ascii(script_json(compiled(clf, reasons=reasons)))}\n)"
    return source.replace(_EMPTY, model, 1)


def _without_reasons(source: str) -> str:
    """Return the engine with only what `predict` calls."""
    tree = ast.parse(source)
    bodies = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    needed, open_names = set(), ["predict"]
    while open_names:
        name = open_names.pop()
        if name in bodies and name not in needed:
            needed.add(name)
            open_names += [node.id for node in ast.walk(bodies[name]) if isinstance(node, ast.Name)]
    lines = source.splitlines()
    for name, node in sorted(bodies.items(), key=lambda item: -item[1].lineno):
        if name not in needed:
            del lines[node.lineno - 1 : (node.end_lineno or node.lineno) + 2]
    return "\n".join(lines).rstrip() + "\n"
