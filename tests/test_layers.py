"""Imports go downward only, and importing idnf loads nothing it does not need."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.mutants import MUTANTS, ROOT

import idnf
from idnf.columns.column import TableColumn
from idnf.commands.registry import COMMANDS, imported

SOURCE = Path(idnf.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))

# Lowest first. A module imports from its own package and from layers below, never from one beside or above it.
LAYERS = [
    {"atomic_files", "logic"},
    {"engines"},
    {"columns"},
    {"result_frames"},
    {"tables", "counting"},
    {"datasets", "learning"},
    {"proving"},
    {"explaining"},
    {"pictures"},
    {"auditing"},
    {"classifier"},
    {"choosing"},
    {"exporting"},
    {"reporting", "versions"},
    {"__init__"},
    {"commands"},
    {"governance"},
    {"cli"},
    {"__main__"},
]
HEIGHT = {package: height for height, layer in enumerate(LAYERS) for package in layer}
WITHOUT_SCIKIT_LEARN = {"logic", "counting", "proving", "explaining"}
OPTIONAL = {
    *(
        "duckdb",
        "ibis",
        "onnx",
        "onnxruntime",
        "pandas",
        "playwright",
        "polars",
        "psycopg",
    ),
    *("docx", "pyarrow", "pyspark", "pysat", "sqlglot", "torch", "xlsxwriter"),
}


def package_of(path):
    return path.relative_to(SOURCE).with_suffix("").parts[0]


@cache
def nodes(path):
    """The nodes of a file's syntax tree, the module first."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imports(path):
    """The full names of the modules a file imports, anywhere in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} must import by full names"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_module_has_its_layer():
    assert {package_of(path) for path in MODULES} <= set(HEIGHT)


def test_module_names_are_unique():
    names = [path.stem for path in MODULES if path.stem != "__init__"]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("package", ["auditing", "choosing", "governance"])
def test_names_imported_when_asked_for_are_no_modules(package):
    # A module that is imported first would take the name in its package.
    modules = {path.stem for path in (SOURCE / package).glob("*.py")}
    assert not modules & set(importlib.import_module(f"idnf.{package}")._HOMES)


def test_names_of_public_classes_are_unique():
    bodies = [nodes(path)[0].body for path in MODULES]
    names = [node.name for body in bodies for node in body if isinstance(node, ast.ClassDef)]
    public = [name for name in names if not name.startswith("_")]
    assert sorted(public) == sorted(set(public))


def test_imports_go_downward_only():
    upward = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in MODULES
        for name in imports(path)
        if name.split(".")[0] == "idnf" and not is_below(name.split(".")[1], package_of(path))
    ]
    assert not upward


def is_below(name, package):
    """Whether a package may import from what is called so: a package, or a name of idnf itself."""
    there = name if name in HEIGHT else "__init__"
    return there == package or HEIGHT[there] < HEIGHT[package]


def documented():
    """The public names: those of the doors, and all that the pages of the reference name with their modules."""
    doors = ("idnf", "idnf.auditing", "idnf.exporting", "idnf.reporting")
    found = {f"{door}.{name}" for door in doors for name in importlib.import_module(door).__all__} | set(doors)
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        found |= set(
            re.findall(r"^\.\. auto(?:class|function|data):: (idnf\.\S+)$", page.read_text("utf-8"), re.MULTILINE)
        )
    return found


def test_governance_imports_public_names_alone():
    """Its commands stand beside those of idnf and share their tools."""
    public = documented()
    private = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for path in MODULES
        if package_of(path) == "governance"
        for name in imports(path)
        if name.split(".")[0] == "idnf" and not name.startswith("idnf.governance.") and name not in public
        if path.stem not in ("commands", "options") or not name.startswith("idnf.commands.")
    ]
    assert not private


def test_governance_touches_no_private_attribute():
    private = [
        f"{path.relative_to(SOURCE)}:{node.lineno} reads {node.attr}"
        for path in MODULES
        if package_of(path) == "governance" and path.parent.name != "templates"
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and (node.attr in INSIDES or is_private(node))
    ]
    assert not private


# What the fitted state is made of, besides what docs/reference/reading.md shows of it.
INSIDES = {"binariser", "learned", "explainer", "training", "sides", "table_model", "confidence", "verdict", "frame"}


def is_private(node):
    """Whether an attribute of something else than the object itself begins with an underscore."""
    of_itself = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    return node.attr.startswith("_") and not node.attr.startswith("__") and not of_itself and node.attr not in OF_DOCX


# What python-docx has no public name for.
OF_DOCX = {"_p", "_parent"}


def test_the_core_knows_nothing_of_governance():
    below = {package_of(path) for path in MODULES} - {"governance"}
    knowing = [
        f"{path.relative_to(SOURCE)} names {name}"
        for path in MODULES
        if package_of(path) in below
        for name in imports(path)
        if name.startswith("idnf.governance")
    ]
    assert not knowing


def test_logic_imports_the_standard_library_only():
    assert outside("logic") <= sys.stdlib_module_names


def test_scikit_learn_stays_above():
    assert not {package for package in WITHOUT_SCIKIT_LEARN if "sklearn" in outside(package)}


def test_learners_know_nothing_of_pages():
    shown = {"html", "idnf.result_frames", "idnf.pictures"}
    learners = [path for path in MODULES if package_of(path) in ("learning", "counting")]
    assert not [(path, name) for path in learners for name in imports(path) if any(map(name.startswith, shown))]


def outside(package):
    """The packages from elsewhere that the modules of one of ours import."""
    found = {name.split(".")[0] for path in MODULES if package_of(path) == package for name in imports(path)}
    return found - {"idnf"}


def kinds_of_columns():
    """The names of all classes below TableColumn, wherever they are."""
    modules = [path.relative_to(SOURCE.parent).with_suffix("").as_posix().replace("/", ".") for path in MODULES]
    for module in modules:
        if module.startswith("idnf.columns.") and not module.endswith("__init__"):
            importlib.import_module(module)
    found, open_classes = set(), [TableColumn]
    while open_classes:
        below = open_classes.pop().__subclasses__()
        found.update(kind.__name__ for kind in below)
        open_classes += below
    return found


def asked_classes(path):
    """The names of classes that a module asks for, by isinstance or in a pattern, with their lines."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
            parts = [part for part in ast.walk(node.args[1]) if isinstance(part, ast.Name | ast.Attribute)]
            yield from ((ast.unparse(part).rpartition(".")[2], node.lineno) for part in parts)
        elif isinstance(node, ast.MatchClass):
            yield ast.unparse(node.cls).rpartition(".")[2], node.cls.lineno


def asking(package, kinds):
    """Where modules outside a package ask for classes of these names."""
    return [
        f"{path.relative_to(SOURCE)}:{line} asks for {name}"
        for path in MODULES
        if package_of(path) != package
        for name, line in asked_classes(path)
        if name in kinds
    ]


def test_kinds_of_columns_are_asked_for_among_columns_only():
    kinds = kinds_of_columns()
    assert {"NumberColumn", "CategoryColumn", "OneHotGroup"} <= kinds
    assert not asking("columns", kinds)


# Files write a nested DNF or terms at each leaf.
ASKED_OF_MODELS = {"exporting/function_json.py"}


def test_kinds_of_models_are_asked_for_in_logic_only():
    kinds = {"ClassDNFs", "DoubleDNF", "NestedDNF", "NestedTree", "Leaf", "Split"}
    asked = [place.split(":")[0] for place in asking("logic", kinds)]
    assert sorted(asked) == sorted(ASKED_OF_MODELS)


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True
    ).stdout.split()


HEAVY = {"narwhals", "numpy", "scipy", "sklearn", *OPTIONAL}


def test_import_waits_for_what_is_asked():
    first = "first = [name for name in sys.modules if name.startswith('idnf')]"
    count, *loaded = run(f"import idnf, sys; {first}; idnf.DNF; print(len(first), *sys.modules)")
    assert count == "1", "the package itself"
    assert not HEAVY & {name.split(".")[0] for name in loaded}
    assert len([getattr(idnf, name) for name in idnf.__all__]) == len(set(idnf.__all__) & set(dir(idnf)))
    # What type checkers are told is what is imported.
    homes = {f"{home}.{name}" for name, home in idnf._HOMES.items()}
    assert {name for name in imports(SOURCE / "__init__.py") if name.startswith("idnf.")} == homes


def test_commands_load_what_they_run():
    code = """
import sys
from idnf.cli import main
sys.stdout = sys.stderr
try:
    sys.exit(main(sys.argv[1:]))
except SystemExit as end:
    print(*sys.modules, end.code, file=sys.__stdout__)
"""
    cases = {("--version",): 0, ("--help",): 0, ("fit", "--help"): 0, ("fit", "--no-such"): 2, ("analyse", "a & b"): 0}
    for words, status in cases.items():
        *loaded, ended = run(code, *words)
        assert int(ended) == status
        assert not HEAVY & {name.split(".")[0] for name in loaded}, words
        assert words[0] == "analyse" or len([name for name in loaded if name.startswith("idnf")]) <= 14, words


def test_a_plain_fit_loads_no_other_learner():
    code = """
import sys
import numpy as np
from idnf import DNFClassifier
X = np.arange(40.0).reshape(20, 2)
DNFClassifier(1).fit(X, X[:, 0] > 15)
print(*sys.modules)
"""
    others = {
        *("idnf.choosing.fair_training", "idnf.classifier.lazy_source", "idnf.exporting", "idnf.reporting"),
        "idnf.learning.exact.optimum",
    }
    assert all(importlib.util.find_spec(name) for name in others)
    loaded = run(code)
    assert not others & set(loaded)
    # Of audits, what the fitted state is made of.
    audits = {name.rpartition(".")[2] for name in loaded if name.startswith("idnf.auditing.")}
    assert audits == {"example_rows", "reason_texts", "table_models"}


def test_every_command_has_what_it_runs():
    for command in COMMANDS:
        assert callable(imported(command.add_arguments)), command.name
        assert callable(imported(command.run)), command.name


def test_every_mutant_breaks_a_line_that_is_there():
    for mutant in MUTANTS:
        text = (ROOT / mutant.path).read_text("utf-8")
        assert text.count(mutant.old) == 1, f"tests/mutants.py names a line of {mutant.path} that moved: {mutant.old}"
