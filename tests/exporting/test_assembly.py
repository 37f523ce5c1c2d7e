"""Programs put together from modules: what is needed, once, and no more."""

from __future__ import annotations

import ast
import sys

import pytest

from idnf import DNFClassifier, exporting
from idnf.exporting.programs import assembled

LOW = """
import json
from math import ceil, floor, sqrt

_STEP = 2
_UNUSED = 3


def half(x: Annotated) -> Also:
    \"\"\"Return a half.

    >>> half(4)
    2
    \"\"\"
    return floor(x / _STEP)


class Halves(dict):
    \"\"\"Halves of numbers.

    And nothing else.

    Parameters
    ----------
    none
    \"\"\"

    def of(self, x):
        return json.dumps(half(x))


def root(x):
    return sqrt(x)
"""


def test_a_program_has_what_it_uses_and_its_docstrings_without_examples() -> None:
    assert (
        assembled([LOW], ["Halves"])
        == """import json
from math import floor
_STEP = 2


def half(x: Annotated) -> Also:
    \"\"\"Return a half.\"\"\"
    return floor(x / _STEP)


class Halves(dict):
    \"\"\"Halves of numbers.

    And nothing else.
    \"\"\"

    def of(self, x):
        return json.dumps(half(x))
"""
    )


def test_two_definitions_of_a_name_are_refused() -> None:
    with pytest.raises(AssertionError, match="every name is defined once"):
        assembled([LOW, "def half(x):\n    return x\n"], ["half"])


@pytest.mark.parametrize("reasons", [False, True])
def test_an_exported_module_imports_the_standard_library_and_has_no_stray_definition(reasons: bool) -> None:
    source = exporting.to_python(DNFClassifier.from_dnf("a & b | c"), reasons=reasons)
    tree = ast.parse(source)
    imported = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
    imported += [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    bases = {"predict", "explain"}
    defined = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert defined <= used | bases
    assert ("def widen" in source) == reasons
    assert ">>>" not in source
