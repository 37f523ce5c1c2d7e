"""What the package declares: every import is a dependency, and the conda recipe says what pyproject.toml says."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(TEXT)["project"]
BUILD = tomllib.loads(TEXT)["build-system"]

# Distributions whose name is not that of the module they install.
DISTRIBUTIONS = {
    **{"docx": "python-docx", "ibis": "ibis-framework", "pysat": "python-sat"},
    "sklearn": "scikit-learn",
}


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=! ]", requirement)[0]


def declared(*extras: str) -> set[str]:
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in PROJECT["optional-dependencies"][extra])]
    return {name_of(line) for line in lines}


def imported(nodes: list[ast.AST]) -> set[str]:
    """Return the distributions of the modules that these nodes import."""
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    names += [
        str(node.args[0].value)
        for node in nodes
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "import_module"
        and isinstance(node.args[0], ast.Constant)
    ]
    outside = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"idnf"}
    return {DISTRIBUTIONS.get(name, name).replace("_", "-") for name in outside}


def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.glob("src/idnf/**/*.py"))}


def test_every_import_is_declared() -> None:
    users = [extra for extra in PROJECT["optional-dependencies"] if extra not in ("bench", "docs", "test")]
    found = set().union(*(imported(list(ast.walk(tree))) for tree in trees().values()))
    assert {"joblib", "threadpoolctl", "scikit-learn", "array-api-compat"} <= found
    assert found <= declared(*users)


def test_modules_import_at_once_only_what_every_installation_has() -> None:
    assert set().union(*(imported(list(tree.body)) for tree in trees().values())) <= declared()


def test_every_dependency_is_imported() -> None:
    assert declared() <= set().union(*(imported(list(ast.walk(tree))) for tree in trees().values()))


@pytest.fixture(scope="module")
def recipe() -> dict:
    """The recipe, with its templates filled in."""
    text = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    taken, pattern = re.search(r'load_file="(.*?)", regex_pattern=\'(.*?)\'', text).groups()
    version = re.search(pattern, (ROOT / taken).read_text(encoding="utf-8"))[1]
    text = re.sub(r"(?m)^\{%.*\n", "", text).replace("{{ version }}", version)
    return yaml.safe_load(re.sub(r"\{\{ .*? \}\}", "template", text))


def test_the_conda_recipe_requires_what_pyproject_requires(recipe: dict) -> None:
    def joined(requirements: list[str]) -> list[str]:
        return sorted(line.replace(" ", "") for line in requirements)

    assert joined(recipe["requirements"]["run"]) == joined(
        ["python" + PROJECT["requires-python"], *PROJECT["dependencies"]]
    )
    assert joined(recipe["requirements"]["host"]) == joined(["pip", "python", *BUILD["requires"]])


def test_the_conda_recipe_describes_the_same_package(recipe: dict) -> None:
    assert recipe["package"] == {"name": PROJECT["name"], "version": PROJECT["version"]}
    assert recipe["build"]["entry_points"] == [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert [recipe["about"]["license_file"]] == PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert citation["abstract"] == PROJECT["description"]
    assert PROJECT["urls"]["Paper"] == f"https://doi.org/{citation['references'][0]['doi']}"


def test_pull_requests_are_tested_from_the_lowest_python_on() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    runs = yaml.safe_load(text)["jobs"]["test"]["strategy"]["matrix"]["include"]
    for system in ("ubuntu", "macos"):
        pythons = [tuple(map(int, run["python"].split("."))) for run in runs if run["system"].startswith(system)]
        assert ">=" + ".".join(map(str, min(pythons))) == PROJECT["requires-python"]
        assert min(pythons) < max(pythons)
    targets = re.findall(r"(?m)^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert {run["target"] for run in runs} <= set(targets)


def test_the_makefile_names_no_folder_outside_the_repository() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    outside = set(re.findall(r"[\s'\"(>=]((?:\.\.)?/[\w.*/-]+)", text))
    inside = {"../.venv-wheel/bin/python", "../tests/smoke.py"}  # from dist
    assert outside == inside | {"/dev/null", "/usr/lib/postgresql/*/bin/initdb"}


def wheel(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel of the files that git knows, from a copy of them."""
    copy = folder / "source"
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in filter(None, files):
        if name.startswith("src/") or "/" not in name:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(folder), str(copy)]
    return subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_an_installation_without_a_compiler_says_what_to_do(tmp_path: Path) -> None:
    done = wheel(tmp_path, CC="false")
    output = done.stdout + done.stderr
    assert done.returncode
    assert re.search("idnf needs a C compiler for the inner loops of search.*apt install gcc", output)
    assert "Or install it without: IDNF_KERNELS=numpy pip install idnf." in output


@pytest.mark.slow
def test_an_installation_may_do_without_compiled_kernels(tmp_path: Path) -> None:
    done = wheel(tmp_path, IDNF_KERNELS="numpy")
    assert not done.returncode, done.stderr
    assert [path.name.split("-", 2)[2] for path in tmp_path.glob("*.whl")] == ["py3-none-any.whl"]
