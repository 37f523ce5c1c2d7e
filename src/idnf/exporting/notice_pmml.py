"""Principal reasons as derived fields of a PMML model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, SubElement

from idnf.exporting.notices import Notice

Condition = Callable[[int, int], Element]
"""Writes a condition on a column, given its cells, as a predicate."""


def add_notice(model: Element, output: Element, notice: Notice, count: int, condition: Condition) -> None:
    """Add an output for each place of the list of principal reasons, and the derived fields they come from."""
    fields = SubElement(model, "LocalTransformations")
    for i, boxes in enumerate(notice.boxes):
        met = [_applied("and", [_expression(condition(j, mask)) for j, mask in box]) for box in boxes]
        _add_field(fields, f"idnf met {i}", _flag(_applied("or", met)))
    for i, smaller in enumerate(notice.smaller):
        parts = [_equal(f"idnf met {i}", 1), *(_equal(f"idnf met {j}", 0) for j in smaller)]
        _add_field(fields, f"idnf least {i}", _flag(_applied("and", parts)))
    for factor, sets in enumerate(notice.weights):
        terms = [_reference(f"idnf least {i}") for i in sets]
        _add_field(fields, f"idnf weight {factor}", _apply("sum", [_constant(0), *terms]))
    for factor in range(len(notice.codes)):
        _add_field(fields, f"idnf rank {factor}", _rank(factor, len(notice.codes)))
    for place in range(1, count + 1):
        name = f"principal reason {place}"
        field = SubElement(fields, "DerivedField", name=f"idnf {name}", optype="categorical", dataType="string")
        field.append(_chosen(notice.codes, place))
        given = SubElement(output, "OutputField", name=name, feature="transformedValue")
        given.attrib.update(optype="categorical", dataType="string")
        given.append(_reference(f"idnf {name}"))


def _rank(factor: int, count: int) -> Element:
    """Return the place of a factor: one more than how many are heavier, or as heavy and earlier."""
    ahead = [
        _flag(_apply("greaterOrEqual" if i < factor else "greaterThan", [_weight(i), _weight(factor)]))
        for i in range(count)
        if i != factor
    ]
    return _apply("sum", [_constant(1), *ahead])


def _weight(factor: int) -> Element:
    return _reference(f"idnf weight {factor}")


def _chosen(codes: Sequence[str], place: int) -> Element:
    """Return the code of the factor at a place; missing where there is none of any weight."""
    chosen: Element | None = None
    for factor in reversed(range(len(codes))):
        here = _apply(
            "and", [_apply("greaterThan", [_weight(factor), _constant(0)]), _equal(f"idnf rank {factor}", place)]
        )
        code = Element("Constant", dataType="string")
        code.text = codes[factor]
        chosen = _apply("if", [here, code, *([] if chosen is None else [chosen])])
    return Element("Constant", dataType="string", missing="true") if chosen is None else chosen


def _expression(predicate: Element) -> Element:
    """Return a predicate as an expression that is false where a value is missing."""
    if predicate.tag == "CompoundPredicate":
        return _applied(predicate.attrib["booleanOperator"], [_expression(part) for part in predicate])
    if predicate.tag in ("True", "False"):
        return _constant(1 if predicate.tag == "True" else 0, "boolean")
    operator, field = predicate.attrib["operator"], _reference(predicate.attrib["field"])
    if operator in ("isMissing", "isNotMissing"):
        return _apply(operator, [field])
    value = Element("Constant")
    value.text = predicate.attrib["value"]
    compared = _apply(operator, [field, value])
    compared.set("mapMissingTo", "false")
    return compared


def _add_field(fields: Element, name: str, expression: Element) -> None:
    SubElement(fields, "DerivedField", name=name, optype="continuous", dataType="integer").append(expression)


def _applied(function: str, parts: Sequence[Element]) -> Element:
    """Return "and" or "or" of parts, a single part as it is."""
    return parts[0] if len(parts) == 1 else _apply(function, parts)


def _apply(function: str, arguments: Sequence[Element]) -> Element:
    applied = Element("Apply", function=function)
    applied.extend(arguments)
    return applied


def _flag(condition: Element) -> Element:
    return _apply("if", [condition, _constant(1), _constant(0)])


def _equal(field: str, value: int) -> Element:
    return _apply("equal", [_reference(field), _constant(value)])


def _reference(field: str) -> Element:
    return Element("FieldRef", field=field)


def _constant(value: int, kind: str = "integer") -> Element:
    constant = Element("Constant", dataType=kind)
    constant.text = ("true" if value else "false") if kind == "boolean" else str(value)
    return constant
