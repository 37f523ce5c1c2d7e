"""A classifier as a PMML 4.4 RuleSetModel: one rule for each term, the first that holds decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from sys import float_info
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from idnf.classifier.bands import DNFBands
from idnf.classifier.estimator import DNFClassifier
from idnf.columns import predicates as tests
from idnf.columns.column import TableColumn
from idnf.columns.phrases import microseconds_since_epoch
from idnf.exporting.rule_list import Conditions, Label, Notice, checked_count, notice_of, rules_of

Condition = Callable[[int, int], Element]
"""Writes a condition on a column, given its cells, as a predicate."""

_NUMBERS = (-float_info.max, float_info.max)
_MOMENTS = (microseconds_since_epoch(datetime.min), microseconds_since_epoch(datetime.max))
_ENDS = {
    **dict.fromkeys(("number", "digit", "duration"), _NUMBERS),
    **dict.fromkeys(("date", "datetime", "datetime-utc"), _MOMENTS),
}
_AROUND = r"^[ \t\n\r\xA0]+|[ \t\n\r\xA0]+$"
# What XML 1.0 cannot hold, however it is written.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def add_notice(model: Element, output: Element, notice: Notice, count: int, condition: Condition) -> None:
    """Add an output for each place of the list of principal reasons, and the derived fields they come from."""
    fields = SubElement(model, "LocalTransformations")
    for i, boxes in enumerate(notice.boxes):
        _add_field(fields, f"idnf met {i}", _any_box(boxes, condition))
    for label in sorted({*notice.classes}):
        met = [_reference(f"idnf met {i}") for i in notice.of_class(label)]
        _add_field(fields, f"idnf class {label}", _apply("sum", [_constant(0), *met]))
    for i, smaller in enumerate(notice.smaller):
        parts = [_equal(f"idnf met {i}", 1), *(_equal(f"idnf met {j}", 0) for j in smaller)]
        _add_field(fields, f"idnf least {i}", _flag(_applied("and", parts)))
    for factor, sets in enumerate(notice.weights):
        terms = [_reference(f"idnf least {i}") for i in sets]
        turned = []
        for i, (label, boxes) in enumerate(notice.nearly[factor]):
            _add_field(fields, f"idnf near {factor} {i}", _any_box(boxes, condition))
            turned.append(_apply("and", [_equal(f"idnf near {factor} {i}", 1), _equal(f"idnf class {label}", 0)]))
        terms += [_flag(_applied("or", turned))] if turned else []
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


def _any_box(boxes: Sequence[Conditions], condition: Condition) -> Element:
    """Return 1 where the conditions of some box hold, else 0."""
    met = [_applied("and", [_expression(condition(j, mask)) for j, mask in box]) for box in boxes if box]
    return _flag(_applied("or", met)) if len(met) == len(boxes) else _constant(1)


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
    """Return the code of the factor at a place; missing if there is none of any weight."""
    chosen: Element | None = None
    for factor in reversed(range(len(codes))):
        here = _apply(
            "and", [_apply("greaterThan", [_weight(factor), _constant(0)]), _equal(f"idnf rank {factor}", place)]
        )
        chosen = _apply("if", [here, _text(codes[factor]), *([] if chosen is None else [chosen])])
    return Element("Constant", dataType="string", missing="true") if chosen is None else chosen


def _expression(predicate: Element) -> Element:
    """Return a predicate as an expression that is false if a value is missing."""
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


def _text(text: str) -> Element:
    constant = Element("Constant", dataType="string")
    constant.text = text
    return constant


def _constant(value: int, kind: str = "integer") -> Element:
    constant = Element("Constant", dataType=kind)
    constant.text = ("true" if value else "false") if kind == "boolean" else str(value)
    return constant


def to_pmml(clf: DNFClassifier | DNFBands, *, principal: int = 0) -> str:
    """Return a classifier as PMML with one field for each column it looks at, and the output ``label``.

    The label of bands is the number of the band, from 0 on.

    Numbers and 0/1 columns are doubles, times are microseconds since 1970, categories are strings. As PMML has it, a
    missing value makes a comparison unknown, and an unknown rule does not fire; so no comparison is ever negated.
    Values that the classifier would refuse are invalid, and so is the result; only a group whose columns contradict
    each other is not noticed. With ``principal`` above 0 there are as many further
    outputs, ``principal reason 1`` and so on: the codes of the principal reasons.

    >>> print(to_pmml(DNFClassifier.from_dnf("late", classes=("no", "yes"))).partition("</Output>")[2])
        <RuleSet defaultScore="no">
          <RuleSelectionMethod criterion="firstHit" />
          <SimpleRule score="yes">
            <SimplePredicate field="late" operator="equal" value="1" />
          </SimpleRule>
          <SimpleRule score="no">
            <True />
          </SimpleRule>
        </RuleSet>
      </RuleSetModel>
    </PMML>
    <BLANKLINE>
    """
    rules = rules_of(clf)
    fields = {field: rules.columns[j] for j in rules.used for field in rules.columns[j].fields}
    root = Element("PMML", version="4.4", xmlns="http://www.dmg.org/PMML-4_4")
    SubElement(SubElement(root, "Header"), "Application", name="idnf")
    dictionary = SubElement(root, "DataDictionary")
    for field, column in fields.items():
        _add_data_field(dictionary, field, column)
    _add_texts(root, [field for field in fields if field.kind == "text"])
    model = SubElement(root, "RuleSetModel", functionName="classification", algorithmName="idnf")
    schema = SubElement(model, "MiningSchema")
    for field, column in fields.items():
        treated = SubElement(schema, "MiningField", name=field.name, invalidValueTreatment="returnInvalid")
        if not column.takes_missing:
            treated.set("missingValueTreatment", "returnInvalid")
    output = SubElement(model, "Output")

    def condition(j: int, mask: int) -> Element:
        return predicate_pmml(rules.columns[j].test(mask))

    kind = _label_type(rules.otherwise)
    SubElement(output, "OutputField", name="label", feature="predictedValue", optype="categorical", dataType=kind)
    if checked_count(principal):
        if isinstance(clf, DNFBands):
            raise ValueError(f"principal must be 0 for bands; got {principal}. Export a boundary of models_.")
        add_notice(model, output, notice_of(clf), principal, condition)
    own = {element.get("name") for tag in ("OutputField", "DerivedField") for element in root.iter(tag)}
    twice = next((field.name for field in fields if field.name in own), None)
    if twice is not None:
        raise ValueError(f"columns must not be called {twice!r}, a name of the PMML model itself, to be its fields.")
    rule_set = SubElement(model, "RuleSet", defaultScore=_score(rules.otherwise))
    SubElement(rule_set, "RuleSelectionMethod", criterion="firstHit")
    for term, label in zip(rules.terms, rules.labels, strict=True):
        rule = SubElement(rule_set, "SimpleRule", score=_score(label))
        rule.append(_joined("and", [condition(j, mask) for j, mask in term]))
    # Evaluators differ on the default score of a rule set; a last rule that always holds leaves no choice.
    SubElement(SubElement(rule_set, "SimpleRule", score=_score(rules.otherwise)), "True")
    indent(root)
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
    if _FORBIDDEN.search(text):
        raise ValueError("names and categories must have no control characters to be written in XML.")
    return text


def _add_texts(root: Element, texts: Sequence[tests.Field]) -> None:
    """Add a derived field for each text, without the blanks around it."""
    bare = SubElement(root, "TransformationDictionary") if texts else root
    for field in texts:
        given = SubElement(bare, "DerivedField", name=_read(field), optype="categorical", dataType="string")
        text = _apply("replace", [_reference(field.name), _text(_AROUND), _text("")])
        # Without a text there is nothing to replace, which evaluators refuse.
        given.append(_apply("if", [_apply("isNotMissing", [_reference(field.name)]), text]))


def _add_data_field(dictionary: Element, field: tests.Field, column: TableColumn) -> None:
    """Add a field with the values that it takes, where not all of its type are."""
    text = field.kind in ("text", "any")
    added = SubElement(dictionary, "DataField", name=field.name, optype="categorical" if text else "continuous")
    added.set("dataType", "string" if text else "double")
    if field.kind in _ENDS:
        first, last = _ENDS[field.kind]
        SubElement(added, "Interval", closure="closedClosed", leftMargin=repr(first), rightMargin=repr(last))
    for refusal in column.refusals:
        match refusal.test:
            case tests.OneOf(value, constants, True) if value == field:
                for constant in constants:
                    SubElement(added, "Value", value=_written(field, constant))


def _label_type(label: Label) -> str:
    if isinstance(label, bool):
        return "boolean"
    return "string" if isinstance(label, str) else "integer" if isinstance(label, int) else "double"


def _score(label: Label) -> str:
    return str(label).lower() if isinstance(label, bool) else label if isinstance(label, str) else repr(label)


def _joined(operator: str, parts: Sequence[Element]) -> Element:
    if not parts:
        return Element("True")
    if len(parts) == 1:
        return parts[0]
    compound = Element("CompoundPredicate", booleanOperator=operator)
    compound.extend(parts)
    return compound


def predicate_pmml(test: tests.Predicate) -> Element:
    """Return a test as a predicate.

    >>> tostring(predicate_pmml(tests.IsMissing(tests.Field("age", "number"))), encoding="unicode")
    '<SimplePredicate field="age" operator="isMissing" />'
    """
    match test:
        case tests.Compare(value, over, upto):
            ends = [(sign, end) for sign, end in (("greaterThan", over), ("lessOrEqual", upto)) if end is not None]
            return _joined("and", [_compared(value, sign, end) for sign, end in ends])
        case tests.OneOf(value, constants, negated):
            parts = [_compared(value, "notEqual" if negated else "equal", constant) for constant in constants]
            return _joined("and" if negated else "or", parts)
        case tests.IsMissing(field, negated):
            operator = "isNotMissing" if negated else "isMissing"
            return Element("SimplePredicate", field=field.name, operator=operator)
        case tests.And(parts):
            return _joined("and", [predicate_pmml(part) for part in parts])
        case tests.Or(parts):
            first = sorted(parts, key=lambda part: not isinstance(part, tests.IsMissing))
            return _joined("or", [predicate_pmml(part) for part in first])


def _compared(value: tests.Operand, operator: str, constant: tests.Constant) -> Element:
    if isinstance(value, tests.Total):
        raise ValueError("a PMML predicate must compare one field; got a sum of fields.")
    return Element("SimplePredicate", field=_read(value), operator=operator, value=_written(value, constant))


def _read(field: tests.Field) -> str:
    """Return the name of a field as it is read: of texts, the derived one without the blanks around them."""
    return f"idnf text of {field.name}" if field.kind == "text" else field.name


def _written(field: tests.Field, constant: tests.Constant) -> str:
    if isinstance(constant, str):
        return constant
    return str(int(constant)) if field.kind == "truth" else repr(constant)
