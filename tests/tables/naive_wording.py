"""Conditions read back from their words and evaluated on a raw value, without the library."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

Value = float | str | bool | date | timedelta | None

_JSON = r'"(?:[^"\\]|\\.)*"'


def holds(words: str, name: str, value: Value, order: Sequence[str] = (), seen: Sequence[Value] = ()) -> bool:
    """Return whether a value of the column `name` satisfies a condition.

    `order` lists the values of an ordered column, `seen` those that training had of another one.
    """
    written = json.dumps(name, ensure_ascii=False)
    name = written if written in words else name
    if words.startswith(f"{name} is "):
        said = words.removeprefix(f"{name} is ")
        if said in ("anything", "missing", "not missing"):
            return said == "anything" or (value is None) == (said == "missing")
        wide = re.fullmatch(r"(.*) \(or unseen\)(, or missing)?", said, re.DOTALL)
        if wide is not None:
            # One of the two values that training had, or one that it did not have.
            return wide[2] is not None if value is None else _equals(wide[1], value) or value not in (seen or order)
        if said.startswith(("not ", "neither ", "none of ")):
            return _excepted(said, value)
    return any(
        _part_holds(part, name, value, order) for part in _split(words.replace(f"{name} is ", "= "), " or ", ", ")
    )


def _excepted(said: str, value: Value) -> bool:
    if said.endswith(", or missing"):
        return value is None or _excepted(said.removesuffix(", or missing") + " nor missing", value)
    listed = _split(said.removeprefix("not ").removeprefix("neither ").removeprefix("none of "), " nor ", " or ", ", ")
    if value is None:
        assert "missing" in listed, f"{said!r} does not say what it means for a missing value"
        return False
    return not any(_equals(part, value) for part in listed if part != "missing")


def _part_holds(part: str, name: str, value: Value, order: Sequence[str]) -> bool:
    if part == "missing" or value is None:
        return part == "missing" and value is None
    match = re.fullmatch(rf"(?:(.*) (<=?) )?{re.escape(name)} (<=|>=?) (.*)", part, re.DOTALL)
    if match is None:
        said = part.removeprefix("= ")
        in_order = re.fullmatch(r"(?:above (.+?))?(?: and )?(?:up to (.+))?", said) if order else None
        return _equals(said, value) if in_order is None else _lies_between(*in_order.groups(), value, order)
    low, strict, relation, high = match.groups()
    compare = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
    above = low is None or compare[strict](_bound(low, value, order), _rank(value, order))
    return above and compare[relation](_rank(value, order), _bound(high, value, order))


def _lies_between(low: str | None, high: str | None, value: Value, order: Sequence[str]) -> bool:
    rank = _rank(value, order)
    return (low is None or _bound(low, value, order) < rank) and (high is None or rank <= _bound(high, value, order))


def _rank(value: Value, order: Sequence[str]) -> float | date | timedelta:
    assert value is not None
    return order.index(str(value)) if isinstance(value, str) else value


def _bound(text: str, value: Value, order: Sequence[str]) -> float | date | timedelta:
    if isinstance(value, str):
        return order.index(_unquoted(text))
    if isinstance(value, datetime):
        return datetime.fromisoformat(text)
    if isinstance(value, date):
        return date.fromisoformat(text)
    if isinstance(value, timedelta):
        amount, unit = text.split(" ")
        return timedelta(**{unit.removesuffix("s") + "s": float(amount)})
    return float(text)


def _equals(text: str, value: Value) -> bool:
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    return _unquoted(text) == value if isinstance(value, str) else float(text) == value


def _unquoted(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _split(text: str, *separators: str) -> list[str]:
    """Split at separators that stand outside quotes."""
    pieces = re.split(rf"({_JSON}|{'|'.join(separators)})", text)
    parts = [""]
    for piece in pieces:
        if piece in separators:
            parts.append("")
        else:
            parts[-1] += piece
    return parts
