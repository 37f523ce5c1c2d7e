"""The size of the house: lines of code, modules, Cython, JavaScript, questions of kind, and what users meet.

    python benchmarks/house.py              the counts
    python benchmarks/house.py --asked      with the place of every question of kind
    python benchmarks/house.py --bands      with the place of every question about bands
    python benchmarks/house.py --rooms      with the lines and modules of every folder

Lines of code are those with a token that is neither a comment nor part of a docstring. A question of kind is a call of
`isinstance` outside `logic` that names a class defined in `logic`, errors not counted: whoever asks which kind of model
it holds has to be written again for the next kind. The core is everything but `choosing` and `governance`. Methods are
the public ones that a class of ours defines; options are counted in each command that takes them, `--help` left out.

A question about bands is asked outside the modules that are their home: an `isinstance` that names a class of bands or
one of those that a classifier has in its place, a comparison with "band" or "bands", a call of `is_bands`; and a
function that is dispatched by kind (`singledispatch`), wherever the version for bands is registered. A line that names
a class of bands there, in an import or an annotation, is counted apart.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from idnf import DNFBands, DNFClassifier
from idnf.commands.arguments import CommandParser
from idnf.commands.registry import COMMANDS, imported

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "idnf"
HOME = re.compile(r"band|/chain")
"""What the path of a module says whose home bands are."""

INSTEAD = {"DNFClassifier", "Fitted", "ExaminedTable", "Explanation", "Explanations"}
"""What a classifier has in place of the classes of bands."""

APART = ("choosing", "governance")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
BLANK = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def docstring_lines(tree: ast.AST) -> set[int]:
    """Return the lines that docstrings take.

    >>> sorted(docstring_lines(ast.parse("def f():\\n    '''Say\\n    it.'''\\n    return 'it'")))
    [2, 3]
    """
    found: set[int] = set()
    for node in ast.walk(tree):
        first = node.body[0] if isinstance(node, DOCUMENTED) and node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            found.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return found


def code_lines(text: str) -> int:
    """Return how many lines hold code.

    >>> code_lines("'''About.'''\\n\\nx = 1  # one\\n# no code\\ny = (\\n    2\\n)\\n")
    4
    """
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    spans = (range(token.start[0], token.end[0] + 1) for token in tokens if token.type not in BLANK)
    return len({line for span in spans for line in span} - docstring_lines(ast.parse(text)))


def kinds() -> set[str]:
    """Return the names of the classes defined in `logic`."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / "logic").rglob("*.py"))
    classes = (node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return {name for name in classes if not name.endswith("Error")}


def questions(text: str, names: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of every question about one of some classes.

    >>> list(questions("isinstance(x, (A, int)) or isinstance(x, int)", {"A"}))
    [(1, 'isinstance(x, (A, int))')]
    """
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "isinstance":
            continue
        if names & {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)}:
            yield node.lineno, ast.unparse(node)


def asked() -> list[str]:
    """Return every question of kind outside `logic`, with its place."""
    names, found = kinds(), []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] != "logic":
            text = path.read_text(encoding="utf-8")
            found += [f"{path.relative_to(ROOT)}:{line}: {words}" for line, words in questions(text, names)]
    return found


def bands_classes() -> set[str]:
    """Return the names of the classes defined in the modules that are the home of bands, the learner's left out."""
    paths = (path for path in PACKAGE.rglob("*.py") if "band" in path.name)
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def bands_questions(text: str, names: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of every question about bands.

    >>> list(bands_questions("isinstance(x, A) or kind == 'bands' or is_bands(path)", {"A"}))
    [(1, 'isinstance(x, A)'), (1, "kind == 'bands'"), (1, 'is_bands(path)')]
    """
    yield from questions(text, names | INSTEAD)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            constants = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
            if constants & {"band", "bands"}:
                yield node.lineno, ast.unparse(node)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "is_bands":
            yield node.lineno, ast.unparse(node)


def dispatched(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of every version of a function that is registered for a class.

    >>> list(dispatched("@to_sql.register\\ndef bands_to_sql(bands): ..."))
    [(1, '@to_sql.register')]
    """
    for node in ast.walk(ast.parse(text)):
        for decorator in getattr(node, "decorator_list", ()):
            if "register" in ast.unparse(decorator):
                yield decorator.lineno, f"@{ast.unparse(decorator)}"


def bands_asked() -> tuple[list[str], list[str]]:
    """Return every question about bands, and every line outside their home that names one of their classes."""
    names, found, named = bands_classes(), [], []
    any_name = re.compile(rf"\b({'|'.join(sorted(names))})\b")
    for path in sorted(PACKAGE.rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        if HOME.search(place.as_posix()):
            found += [f"{place}:{line}: {words}" for line, words in dispatched(text)]
            continue
        found += [f"{place}:{line}: {words}" for line, words in bands_questions(text, names)]
        said = docstring_lines(ast.parse(text))
        lines = ((number, line) for number, line in enumerate(text.splitlines(), 1) if number not in said)
        named += [f"{place}:{number}: {line.strip()}" for number, line in lines if any_name.search(line)]
    return found, named


def all_lines(*endings: str) -> int:
    """Return how many lines the files with some endings have."""
    paths = (path for path in PACKAGE.rglob("*") if path.suffix in endings)
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def script_lines() -> int:
    """Return how many lines of JavaScript hold code, comments that take whole lines left out."""
    lines = [line.strip() for path in PACKAGE.rglob("*.js") for line in path.read_text("utf-8").splitlines()]
    return sum(bool(line) and not line.startswith(("//", "/*", "*")) for line in lines)


def parts(sources: Mapping[Path, str]) -> dict[str, int]:
    """Return the lines of code of the core and of the rooms apart from it."""
    sizes = dict.fromkeys(("the core", *APART), 0)
    for path, text in sources.items():
        room = path.relative_to(PACKAGE).parts[0]
        sizes[room if room in APART else "the core"] += code_lines(text)
    return sizes


def methods(kind: type) -> list[str]:
    """Return the names of the public methods that our classes give a class.

    >>> "fit" in methods(DNFClassifier), "get_params" in methods(DNFClassifier)
    (True, False)
    """
    ours = [each for each in kind.__mro__ if each.__module__.startswith("idnf.")]
    found = {name for each in ours for name, value in vars(each).items() if inspect.isroutine(value)}
    return sorted(name for name in found if not name.startswith("_"))


def options() -> dict[str, int]:
    """Return how many options each command takes."""
    counts = {}
    for command in COMMANDS:
        parser = CommandParser(command.name, "")
        imported(command.add_arguments)(parser)
        counts[command.name] = sum(
            bool(action.option_strings) and "--help" not in action.option_strings for action in parser._actions
        )
    return counts


def rooms(sources: Mapping[Path, str]) -> Iterator[str]:
    """Yield a line for each folder: how many lines of code and modules it holds."""
    folders = sorted({path.parent for path in sources})
    for folder in folders:
        held = [code_lines(text) for path, text in sources.items() if path.parent == folder]
        yield f"{sum(held):7,} in {len(held):3} modules of {folder.relative_to(PACKAGE.parent)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asked", action="store_true", help="list the questions of kind")
    parser.add_argument("--rooms", action="store_true", help="list the folders")
    parser.add_argument("--bands", action="store_true", help="list the questions about bands")
    chosen = parser.parse_args()
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    places = asked()
    print(f"{sum(map(code_lines, sources.values())):7,} lines of code in src, without blanks, comments and docstrings")
    for name, size in parts(sources).items():
        print(f"{size:7,} of them in {name}")
    empty = sum(not code_lines(text) for text in sources.values())
    print(f"{len(sources):7,} modules, {empty} of them without code")
    print(f"{all_lines('.pyx', '.pxd', '.pxi'):7,} lines of Cython, all counted, with what they include")
    print(f"{all_lines('.h'):7,} lines of C headers, all counted")
    print(f"{script_lines():7,} lines of JavaScript with code")
    print(f"{len(places):7,} questions of kind outside logic, in {len({p.split(':')[0] for p in places})} modules")
    about_bands, named = bands_asked()
    print(f"{len(about_bands):7,} questions about bands outside their home")
    print(f"{len(named):7,} lines there that name their classes, in {len({p.split(':')[0] for p in named})} modules")
    if chosen.bands:
        print(*about_bands, sep="\n")
    for kind in (DNFClassifier, DNFBands):
        print(f"{len(inspect.signature(kind).parameters):7,} parameters of {kind.__name__}")
        print(f"{len(methods(kind)):7,} methods of {kind.__name__}")
    counts = options()
    print(f"{sum(counts.values()):7,} options in {len(counts)} commands")
    if chosen.asked:
        print(*places, sep="\n")
    if chosen.rooms:
        print(*rooms(sources), sep="\n")


if __name__ == "__main__":
    main()
