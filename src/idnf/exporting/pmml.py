"""A classifier as a PMML 4.4 RuleSetModel: one rule for each term, the first that holds decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.categories import HALF, BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, OrderedColumn
from idnf.columns.raw import Category
from idnf.exporting.notice_pmml import add_notice
from idnf.exporting.notices import checked_count, notice_of
from idnf.exporting.plain_labels import Label
from idnf.exporting.rule_list import Rules, rules_of
from idnf.logic.boxes import cells_of, runs

# What XML 1.0 cannot hold, however it is written.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_pmml(clf: DNFClassifier, *, principal: int = 0) -> str:
    """Return a classifier as PMML with one field for each column it looks at, and the output ``label``.

    Numbers and 0/1 columns are doubles, times are microseconds since 1970, categories are strings. As PMML has it, a
    missing value makes a comparison unknown, and an unknown rule does not fire; so no comparison is ever negated.
    Values that the classifier would refuse are not noticed. With ``principal`` above 0 there are as many further
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
    fields = {source: _type(c) for c in _columns(rules) for source in c.sources}
    if "label" in fields:
        raise ValueError("columns must not be called 'label', the name of the output, to be fields of a PMML model.")
    root = Element("PMML", version="4.4", xmlns="http://www.dmg.org/PMML-4_4")
    SubElement(SubElement(root, "Header"), "Application", name="idnf")
    dictionary = SubElement(root, "DataDictionary")
    for name, kind in fields.items():
        optype = "categorical" if kind == "string" else "continuous"
        SubElement(dictionary, "DataField", name=name, optype=optype, dataType=kind)
    model = SubElement(root, "RuleSetModel", functionName="classification", algorithmName="idnf")
    schema = SubElement(model, "MiningSchema")
    for name in fields:
        SubElement(schema, "MiningField", name=name, invalidValueTreatment="asIs")
    output = SubElement(model, "Output")
    kind = _label_type(rules.label)
    SubElement(output, "OutputField", name="label", feature="predictedValue", optype="categorical", dataType=kind)
    if checked_count(principal):
        add_notice(model, output, notice_of(clf), principal, lambda j, mask: _condition(rules.columns[j], mask))
    rule_set = SubElement(model, "RuleSet", defaultScore=_score(rules.otherwise))
    SubElement(rule_set, "RuleSelectionMethod", criterion="firstHit")
    for term in rules.terms:
        rule = SubElement(rule_set, "SimpleRule", score=_score(rules.label))
        rule.append(_joined("and", [_condition(rules.columns[j], mask) for j, mask in term]))
    # Evaluators differ on the default score of a rule set; a last rule that always holds leaves no choice.
    SubElement(SubElement(rule_set, "SimpleRule", score=_score(rules.otherwise)), "True")
    indent(root)
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
    if _FORBIDDEN.search(text):
        raise ValueError("names and categories must have no control characters to be written in XML.")
    return text


def _columns(rules: Rules) -> list[TableColumn]:
    return [rules.columns[j] for j in rules.used]


def _type(column: TableColumn) -> str:
    if not isinstance(column, (CategoryColumn, OrderedColumn)):
        return "double"
    return "string" if not column.values or isinstance(column.values[0], str) else "double"


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


def _condition(column: TableColumn, mask: int) -> Element:
    known = mask & column.known_mask
    parts = [Element("SimplePredicate", field=column.name, operator="isMissing")] if mask & column.missing_mask else []
    if known == column.known_mask:
        parts.append(Element("SimplePredicate", field=column.name, operator="isNotMissing"))
    elif known:
        parts.append(_known(column, known))
    return _joined("or", parts)


def _known(column: TableColumn, mask: int) -> Element:
    if isinstance(column, OrderedColumn):
        borders = [-1, *column.cuts, len(column.values) - 1]
        ranks = [rank for cell in cells_of(mask) for rank in range(borders[cell] + 1, borders[cell + 1] + 1)]
        return _joined("or", [_compared(column.name, "equal", column.values[rank]) for rank in ranks])
    if isinstance(column, IntervalColumn):
        return _joined("or", [_interval(column, low, high) for low, high in runs(mask)])
    if isinstance(column, CategoryColumn):
        if not mask >> len(column.values) & 1:
            return _joined("or", [_compared(column.name, "equal", column.values[cell]) for cell in cells_of(mask)])
        excepted = [value for cell, value in enumerate(column.values) if not mask >> cell & 1]
        return _joined("and", [_compared(column.name, "notEqual", value) for value in excepted])
    if isinstance(column, OneHotGroup):
        return _one_hot(column, mask)
    if isinstance(column, GroupColumn):
        return _joined("or", [_code_range(column.members, low, high) for low, high in runs(mask)])
    if isinstance(column, BooleanColumn) and column.digits:
        return _compared(column.name, "greaterThan" if mask >> 1 else "lessOrEqual", HALF)
    return _compared(column.name, "equal", mask >> 1)


def _interval(column: IntervalColumn, low: int, high: int) -> Element:
    parts = [_compared(column.name, "greaterThan", column.limits[low - 1])] if low > 0 else []
    if high < len(column.limits):
        parts.append(_compared(column.name, "lessOrEqual", column.limits[high]))
    return _joined("and", parts)


def _one_hot(column: OneHotGroup, mask: int) -> Element:
    if not mask >> len(column.members) & 1:
        return _joined("or", [_compared(column.members[cell], "equal", 1) for cell in cells_of(mask)])
    absent = [member for cell, member in enumerate(column.members) if not mask >> cell & 1]
    return _joined("and", [_compared(member, "equal", 0) for member in absent])


def _code_range(members: Sequence[str], low: int, high: int) -> Element:
    parts = [_compared(members[low - 1], "equal", 0)] if low > 0 else []
    if high < len(members):
        parts.append(_compared(members[high], "equal", 1))
    return _joined("and", parts)


def _compared(field: str, operator: str, value: Category) -> Element:
    text = value if isinstance(value, str) else str(int(value)) if isinstance(value, bool) else repr(value)
    return Element("SimplePredicate", field=field, operator=operator, value=text)
