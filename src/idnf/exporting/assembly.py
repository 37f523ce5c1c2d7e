"""One self-contained program from modules of this library: the definitions that it needs, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# Where the part of a docstring begins that is for this library's own readers.
_SECTIONS = ("Parameters", "Attributes", "Examples", "Returns")


def assembled(sources: Sequence[str], roots: Sequence[str]) -> str:
    r"""Return a program with the named definitions and all that they use.

    Parameters
    ----------
    sources : sequence of str
        Modules, lower ones first; a name must be defined in one of them only. What they import from each other is
        put together, what they import from elsewhere is imported again. Annotations are not followed.
    roots : sequence of str
        The classes and functions wanted.

    Examples
    --------
    >>> low = "from math import floor, sqrt\ndef half(x):\n    return floor(x / 2)\ndef root(x):\n    return sqrt(x)\n"
    >>> print(assembled([low, "from idnf import half\ndef quarter(x):\n    return half(half(x))\n"], ["quarter"]))
    from math import floor
    <BLANKLINE>
    <BLANKLINE>
    def half(x):
        return floor(x / 2)
    <BLANKLINE>
    <BLANKLINE>
    def quarter(x):
        return half(half(x))
    <BLANKLINE>
    """
    modules = [_Module.of(source) for source in sources]
    needed, wanted = set[str](), list(roots)
    while wanted:
        name = wanted.pop()
        if name not in needed:
            needed.add(name)
            wanted += [used for module in modules if name in module.texts for used in module.uses[name]]
    imported = {name: source for module in modules for name, source in module.imports.items() if name in needed}
    texts = [text for module in modules for name, text in module.texts.items() if name in needed]
    defined = [name for module in modules for name in module.texts if name in needed]
    assert len(defined) == len(set(defined)), "every name is defined once"
    # Constants stand together, classes and functions apart.
    apart = ["\n\n" + text if "\n" in text else text for text in texts]
    return "\n".join([*_import_lines(imported), *apart, ""]).replace("\n\n\n\n", "\n\n\n")


def _import_lines(imported: Mapping[str, str | None]) -> Iterator[str]:
    """Yield the lines that import names, each from a module or, where that is None, as the module it is."""
    yield from (f"import {name}" for name in sorted(imported) if imported[name] is None)
    for source in sorted({source for source in imported.values() if source is not None}):
        yield f"from {source} import {', '.join(sorted(name for name in imported if imported[name] == source))}"


@dataclass
class _Module:
    """The definitions of a module: their text and the names they use; and what it imports, name by name."""

    texts: dict[str, str] = field(default_factory=dict)
    uses: dict[str, set[str]] = field(default_factory=dict)
    imports: dict[str, str | None] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str) -> _Module:
        module = cls()
        lines = source.splitlines()
        for node in ast.parse(source).body:
            if isinstance(node, ast.Import):
                module.imports |= {alias.name: None for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not str(node.module).startswith("idnf"):
                module.imports |= {alias.name: node.module for alias in node.names}
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                module._add(node.name, node, lines)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                module._add(node.targets[0].id, node, lines)
        return module

    def _add(self, name: str, node: ast.FunctionDef | ast.ClassDef | ast.Assign, lines: Sequence[str]) -> None:
        cut = {number for inner in ast.walk(node) for number in _left_out(inner, lines)}
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        kept = [lines[i - 1] for i in range(first, (node.end_lineno or first) + 1) if i not in cut]
        # A docstring of one line ends on it.
        self.texts[name] = re.sub(r'^( *""".*)\n *"""$', r'\1"""', "\n".join(kept), flags=re.MULTILINE)
        self.uses[name] = set(_names(node))


def _left_out(node: ast.AST, lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of a docstring that are for this library's own readers."""
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or ast.get_docstring(node) is None:
        return
    docstring = node.body[0]
    start, end = docstring.lineno, docstring.end_lineno or docstring.lineno
    for number in range(start + 1, end):
        text = lines[number - 1].strip()
        if text in _SECTIONS or text.startswith(">>>"):
            # The blank line before goes too; the closing quotes stay.
            yield from range(number - (not lines[number - 2].strip()), end)
            return


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a definition uses when it runs; annotations do not run."""
    if isinstance(node, ast.Name):
        yield node.id
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for inner in value if isinstance(value, list) else [value]:
                if isinstance(inner, ast.AST):
                    yield from _names(inner)
