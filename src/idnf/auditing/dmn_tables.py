"""Decision tables of DMN 1.1 to 1.5 files, as the OMG's Decision Model and Notation writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from idnf.auditing.cell_grids import MOST_COLUMNS, MOST_ROWS, GridCell
from idnf.auditing.hardened_xml import XmlNode, parse_xml
from idnf.auditing.policy_tables import InputKind, PolicyInput, PolicyRow, PolicyTable, hit_policy
from idnf.columns.phrases import brief
from idnf.logic.errors import InvalidArgument

_KINDS: Mapping[str, InputKind] = {
    "number": "number",
    "double": "number",
    "integer": "integer",
    "long": "integer",
    "string": "text",
    "boolean": "boolean",
    "date": "date",
    "dateTime": "date",
    "date and time": "date",
}
"""Kinds of inputs by the type that a file names; those of other types are read off the tests."""

_NAMES = re.compile(r"[^\W\d][\w.' ]*+(?:\s*+[-+*/]\s*+[^\W\d][\w.' ]*+)?")
_FEEL = ("", "feel", "http://www.omg.org/spec/feel/20140401", "https://www.omg.org/spec/dmn/20191111/feel/")


def dmn_tables(data: bytes, name: str) -> list[PolicyTable]:
    """Return the decision tables of a file, in the order of their decisions.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call the file.

    Examples
    --------
    >>> text = '''<definitions><decision name="Age"><decisionTable hitPolicy="FIRST">
    ...   <input><inputExpression typeRef="number"><text>age</text></inputExpression></input><output name="out"/>
    ...   <rule><inputEntry><text>&lt; 18</text></inputEntry><outputEntry><text>"no"</text></outputEntry></rule>
    ... </decisionTable></decision></definitions>'''
    >>> (table,) = dmn_tables(text.encode(), "age.dmn")
    >>> table.name, table.hit, table.inputs[0].name, table.rows[0].tests[0].text
    ('Age', 'first', 'age', '< 18')
    """
    root = parse_xml(data, name)
    if root.name != "definitions":
        raise InvalidArgument(name, "be a DMN file, whose first element is definitions", brief(root.name))
    found = []
    for decision in root.all("decision"):
        title = decision.attributes.get("name") or decision.attributes.get("id") or "decision"
        found += [_table(node, title) for node in decision.all("decisionTable")]
    return found


def _table(node: XmlNode, title: str) -> PolicyTable:
    hit = hit_policy(
        node.attributes.get("hitPolicy", "UNIQUE"), f"table {title}", aggregation=node.attributes.get("aggregation", "")
    )
    inputs, outputs, rules = (list(node.all(name)) for name in ("input", "output", "rule"))
    if len(rules) > MOST_ROWS or len(inputs) + len(outputs) > MOST_COLUMNS:
        size = f"{len(rules):,} and {len(inputs) + len(outputs)}"
        raise InvalidArgument(f"table {title}", f"have at most {MOST_ROWS:,} rules and {MOST_COLUMNS} columns", size)
    if not outputs:
        raise InvalidArgument(f"table {title}", "have an output", "none")
    rows = tuple(_row(rule, place, title, len(inputs), len(outputs)) for place, rule in enumerate(rules, 1))
    default = [output.first("defaultOutputEntry") for output in outputs]
    otherwise = tuple(
        GridCell(each.words("text"), f"table {title}, default outcome") for each in default if each is not None
    )
    if 0 < len(otherwise) < len(outputs):
        raise InvalidArgument(f"table {title}", "have a default for every output or for none", len(otherwise))
    return PolicyTable(
        title, hit, tuple(_input(each, place, title) for place, each in enumerate(inputs, 1)), rows, otherwise
    )


def _input(node: XmlNode, number: int, title: str) -> PolicyInput:
    place = f"table {title}, input {number}"
    expression = node.first("inputExpression")
    words = "" if expression is None else expression.words("text")
    words = words or node.attributes.get("label", "")
    if not _NAMES.fullmatch(words):
        raise InvalidArgument(
            place, "be a name, or two names joined by + - * or /", brief(words) if words else "nothing"
        )
    _refuse_languages(expression, place)
    stated = "" if expression is None else expression.attributes.get("typeRef", "").rpartition(":")[2]
    values = node.first("inputValues")
    allowed = None if values is None or not values.words("text") else GridCell(values.words("text"), f"{place}, values")
    return PolicyInput(" ".join(words.split()), _KINDS.get(stated), allowed)


def _row(rule: XmlNode, number: int, title: str, inputs: int, outputs: int) -> PolicyRow:
    place = f"table {title}, rule {number}"
    tests, outcomes = list(rule.all("inputEntry")), list(rule.all("outputEntry"))
    if len(tests) != inputs or len(outcomes) != outputs:
        got = f"{len(tests)} and {len(outcomes)}"
        raise InvalidArgument(place, f"have {inputs} tests and {outputs} outcomes, as the table has", got)
    for entry in (*tests, *outcomes):
        _refuse_languages(entry, place)
    return PolicyRow(
        place,
        tuple(GridCell(node.words("text"), f"{place}, input {j}") for j, node in enumerate(tests, 1)),
        tuple(GridCell(node.words("text"), f"{place}, output {j}") for j, node in enumerate(outcomes, 1)),
    )


def _refuse_languages(node: XmlNode | None, place: str) -> None:
    """Refuse expressions in other languages than FEEL."""
    language = "" if node is None else node.attributes.get("expressionLanguage", "")
    if language.strip().lower() not in _FEEL:
        raise InvalidArgument(place, "be written in FEEL", brief(language))
