"""A classifier as a program that needs nothing but its language: a JavaScript script, a Python module.

Both read the classifier as plain data, with small engines in row_engine.py and engine.js: only what decisions and
reasons need, the columns the model looks at with merged cells (its frame), the boxes of each class, the words for
conditions. A box is a list of pairs of a column and a mask of merged cells; columns that it does not constrain are left
out. Tests and words of columns are plain data too, the same for every kind of column. The Python module is put together
from modules of this library, so that what is exported is what is tested here.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache, reduce, singledispatch
from importlib import import_module
from importlib.resources import files
from operator import or_

from idnf.classifier.bands import single_classifier
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.columns.column import TableColumn
from idnf.columns.predicates import IsMissing, to_plain
from idnf.explaining.training_facts import ColumnValues
from idnf.exporting.plain_labels import plain_classes
from idnf.logic.boxes import Box, Column, cells_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import TooManyBoxes, maximal_boxes_within
from idnf.logic.sides import LARGE, ClassBoxes

Plain = dict[str, object]
Boxes = list[list[list[int | str]]]

# Where the part of a docstring begins that is for this library's own readers.
_SECTIONS = ("Parameters", "Attributes", "Examples", "Returns")
# Lower ones first.
_MODULES = (
    "idnf.logic.literals",
    "idnf.logic.transversals",
    "idnf.logic.boxes",
    "idnf.columns.phrases",
    "idnf.logic.regions",
    "idnf.exporting.row_engine",
)
_HEAD = '''"""Decisions{reasons} from a model held as plain data; depends on nothing but Python 3.10 or later."""

from __future__ import annotations

'''


def compiled(clf: DNFClassifier, *, reasons: bool = True) -> Plain:
    """Return what decisions need as plain data and, with ``reasons``, what explanations need."""
    classes = plain_classes(clf)
    sides = clf.fitted_.sides
    columns = clf.binariser_.columns_
    plain: Plain = {
        "k": clf.k,
        "classes": list(classes),
        "columns": [portable_column(columns[j], sides.frame.groups[i]) for i, j in enumerate(sides.frame.columns)],
        "default": sides.default,
        "boxes": [
            None if label == sides.default and not reasons else _boxes(sides, sides.inner[label])
            for label in sides.labels
        ],
    }
    if not reasons:
        return plain
    said = clf.fitted_.explainer.outcomes
    words = [
        portable_words(columns[j], sides.frame.inner.columns[i], sides.frame.members[i])
        for i, j in enumerate(sides.frame.columns)
    ]
    return {
        **plain,
        "target": said[0].target,
        "given": [one.given for one in said],
        "would_be": [one.would_be for one in said],
        "to_be": [one.to_be for one in said],
        "fixed": list(clf.fitted_.explainer.fixed),
        "favourable": clf.fitted_.explainer.favourable,
        "maximal": [_maximal(sides, label, classes) for label in sides.labels],
        "words": words,
        "texts": dict(clf.fitted_.texts),
        "catalogue": [_catalogue(sides, label) for label in sides.labels],
        "values": [_values(clf, i) for i in range(len(words))],
        "scores": _scores(clf),
    }


def script_json(plain: object) -> str:
    r"""Return plain data as JSON that is inert inside a script element and inside source code.

    >>> print(script_json("</script>\u2028é"))
    "\u003c/script\u003e\u2028\u00e9"
    """
    text = json.dumps(plain, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _boxes(sides: ClassBoxes, boxes: Sequence[Box] | None) -> Boxes | None:
    if boxes is None:
        return None
    full = sides.frame.inner.full
    return [[[j, _exact(mask)] for j, mask in enumerate(box) if mask != full[j]] for box in boxes]


def _exact(mask: int) -> int | str:
    """Return a mask as a number, or as text where JavaScript would round it."""
    return mask if mask < 1 << 53 else str(mask)


def _maximal(sides: ClassBoxes, label: int, classes: Sequence[object]) -> Boxes | None:
    """Return the maximal boxes of a class where another is not written down; they explain it then."""
    if all(sides.terms[other] is not None for other in sides.others(label)):
        return None
    try:
        return _boxes(sides, maximal_boxes_within(sides.inner[label] or (), sides.frame.inner.full, limit=LARGE))
    except TooManyBoxes as error:
        raise ValueError(
            f"class {classes[label]!r} has too many reasons to be exported; export with reasons=False."
        ) from error


def _catalogue(sides: ClassBoxes, label: int) -> Boxes | None:
    # A side that is not written down has too many reasons to list.
    return None if sides.terms[label] is None else _boxes(sides, sides.reasons[label])


def _scores(clf: DNFClassifier) -> Plain | None:
    """Return the shares of two classes by the reasons that hold, each given by class and place in the catalogue."""
    table = clf.fitted_.scores
    if table is None:
        return None
    catalogue = [{box: place for place, box in enumerate(boxes or ())} for boxes in clf.fitted_.sides.reasons]
    return {
        "reasons": [[label, catalogue[label][box]] for label, box in table.sets.reasons],
        "exact": table.exact,
        "listed": [[list(held), share] for held, share in table.listed],
        "otherwise": list(table.otherwise),
    }


def _values(clf: DNFClassifier, i: int) -> Plain | None:
    """Return the training values of a column of the frame, those that may be proposed also in words."""
    explainer = clf.fitted_.explainer
    j = explainer.sides.frame.columns[i]
    known: ColumnValues | None = explainer.values[j] if explainer.values else None
    wording = explainer.wordings[j]
    labels = [wording.phrase(1 << cell).instead for cell in range(explainer.space.columns[j].size)]
    if known is None:
        return {"labels": labels, "seen": None}
    words = wording.proposed_words
    seen = [
        None if pair is None else [*pair, words(cell, pair[0], upwards=True), words(cell, pair[1], upwards=False)]
        for cell, pair in enumerate(known.seen)
    ]
    return {"labels": labels, "seen": seen, "shares": list(known.shares), "quantiles": list(known.quantiles)}


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
    """Yield the lines that import names, each from a module or, if that is None, as the module it is."""
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
        self.uses[name] = set(_used_names(node))


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


def _used_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a definition uses when it runs; annotations do not run."""
    if isinstance(node, ast.Name):
        yield node.id
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for inner in value if isinstance(value, list) else [value]:
                if isinstance(inner, ast.AST):
                    yield from _used_names(inner)


@dataclass(frozen=True)
class Program:
    """A model as plain data, and the engine that reads it in each language.

    Parameters
    ----------
    engine : str
        The class of ``row_engine.py`` that answers.
    plain : dict
    script : callable
        Puts a model, as JSON, into the JavaScript of the engine of one classifier.
    """

    engine: str
    plain: Plain
    script: Callable[[str, str], str]


@singledispatch
def program_of(clf: AnyClassifier, *, reasons: bool) -> Program:
    """Return a model as a program, which can explain if `reasons` is true."""
    plain = compiled(single_classifier(clf, "clf"), reasons=reasons)
    return Program("Reasoner" if reasons else "Decider", plain, _script_of_one)


def _script_of_one(engine: str, model: str) -> str:
    return engine.replace("const MODEL = {};", f"const MODEL = {model};", 1)


def to_javascript(clf: AnyClassifier, *, reasons: bool = True, module: bool = False) -> str:
    """Return a script that defines ``idnf`` with ``predict(row)``, ``explain(row)`` and ``recourse(row)``.

    Of two labels ``probability(row)`` is the share of the second, as in ``predict_proba``. A row is an object from the
    names of columns to values; null and NaN are missing, dates are ISO text or a Date, durations are seconds. The text
    may stand inside a script element: no name or category of the table becomes code.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
        Of bands ``predict`` gives the band and ``explain`` its two reasons.
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
    program = program_of(clf, reasons=reasons)
    script = program.script(source, script_json(program.plain))
    if not module:
        return script
    return script.replace('if (typeof module !== "undefined") module.exports = idnf;', "export default idnf;")


def to_python(clf: AnyClassifier, *, reasons: bool = True) -> str:
    """Return the source of a module with ``predict(row)`` and, with ``reasons``, ``explain(row)``.

    With ``reasons``, ``probability(row)`` is the share of the second of two labels, as in ``predict_proba``, if the
    reasons can be listed. Of bands ``predict`` gives the band and ``explain`` its two reasons. A row is a mapping from
    the names of columns to values. The model is JSON text in the source: no name or category of the table becomes code.

    >>> clf = DNFClassifier(k=2, learner="greedy").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["predict"]({"x0": 1, "x1": 0}), module["explain"]({"x0": 1, "x1": 0})["reason"]
    (0, 'a2')
    """
    program = program_of(clf, reasons=reasons)
    functions = ["predict", *["explain"] * reasons, *["probability"] * (program.plain.get("scores") is not None)]
    model = f"\n\n_MODEL = {program.engine}(loads(\n    {ascii(script_json(program.plain))}\n))"
    lines = [model, *(f"{name} = _MODEL.{name}" for name in functions), ""]
    return _HEAD.format(reasons=" and their reasons" * reasons) + _engine(program.engine) + "\n".join(lines)


@cache
def _engine(root: str) -> str:
    """Return what a module has whatever its model is."""
    sources = [inspect.getsource(import_module(name)) for name in _MODULES]
    return assembled([*sources, "from json import loads\n"], [root, "loads"])


MOST_PHRASES = 4096
"""The most sets of cells of an unordered column that are worded one by one."""


def portable_column(column: TableColumn, merged: Sequence[int]) -> dict[str, object]:
    """Return how the values of a column are read: a value lies in the first cell whose test holds.

    Parameters
    ----------
    column : TableColumn
    merged : sequence of int
        The number of each cell among those that a model distinguishes.

    >>> from idnf.columns.intervals import NumberColumn
    >>> portable_column(NumberColumn("age", "refused", cuts=(30.0,)), (0, 1))["tests"]
    [['compare', ['age'], None, 30.0], ['compare', ['age'], 30.0, None]]
    """
    # Programs refuse missing values as they read them.
    refusals = [r for r in column.refusals if not isinstance(r.test, IsMissing)]
    return {
        "name": column.name,
        "fields": [[field.name, field.kind] for field in column.fields],
        "missing": column.has_missing_cell,
        "takes missing": column.takes_missing,
        "ordered": column.ordered,
        "merged": list(merged),
        "tests": [to_plain(column.test(1 << cell)) for cell in range(len(column.labels))],
        "refusals": [[to_plain(refusal.test), refusal.rule] for refusal in refusals],
        **column.portable(),
    }


def portable_words(column: TableColumn, merged: Column, members: Sequence[int]) -> dict[str, object]:
    """Return how sets of merged cells are said: as lists of labels, or each of them in words.

    Parameters
    ----------
    column : TableColumn
    merged : Column
        The cells that a model distinguishes.
    members : sequence of int
        The cells of the column in each of those.
    """
    listed = column.listed()
    if listed is not None:
        return listed
    said = {}
    for mask in _intervals(merged) if merged.ordered else _sets(merged):
        said[str(mask)] = list(astuple(column.phrase(reduce(or_, (members[cell] for cell in cells_of(mask))))))
    return {"said": said}


def _sets(column: Column) -> range:
    if column.full > MOST_PHRASES:
        raise InvalidArgument(
            f"column {column.name!r}",
            "have few cells to be written elsewhere, or be ordered, or be said by a list of labels",
            f"{column.size} cells that the model distinguishes",
        )
    return range(1, column.full)


def _intervals(column: Column) -> Iterator[int]:
    missing = 1 << column.size - 1 if column.missing else 0
    known = column.size - column.missing
    for low in range(known):
        for high in range(low, known):
            run = (1 << high + 1) - (1 << low)
            if run != column.full:
                yield run
            if missing and run | missing != column.full:
                yield run | missing
    if missing:
        yield missing
