"""The text form of formulas: ``a & b | c & ~d``, with names in quotes if they are not plain words.

Any combination of ``&``, ``|``, ``~`` and brackets is read and multiplied out; a formula that is a DNF already is kept
term by term. ``and``, ``or`` and ``not`` mean the same as the signs; ``0`` and ``1`` are the constants. Inside quotes a
backslash escapes the next character.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from idnf.logic.literals import codes_of, feature_of, is_negated, literal, negated_mask
from idnf.logic.transversals import berge_step, minimal_sets

_PLAIN = re.compile(r"[^\W\d]\w*")
_SIGNS = {"&": "&", "∧": "&", "|": "|", "∨": "|", "~": "~", "!": "~", "¬": "~", "(": "(", ")": ")"}
_WORDS = {"and": "&", "or": "|", "not": "~"}
_MAX_DEPTH = 100
_MAX_TERMS = 100_000

# Characters of a formula shown on either side of an error in it.
_SHOWN = 200


class FormulaError(ValueError):
    """A formula that cannot be parsed; the message shows the position."""

    def __init__(self, text: str, position: int, problem: str) -> None:
        line = max(text.rfind("\n", 0, position) + 1, position - _SHOWN)
        shown = text[line : position + _SHOWN].split("\n", 1)[0]
        super().__init__(f"{problem}\n  {shown}\n  {' ' * (position - line)}^")
        self.position = position


def quote_name(name: str) -> str:
    r"""Return a name as it must be written in a formula.

    >>> print(quote_name("age"), quote_name("age <= 41"), quote_name("it's"))
    age 'age <= 41' 'it\'s'
    """
    if _PLAIN.fullmatch(name) and name not in _WORDS:
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def literal_text(code: int, names: Sequence[str]) -> str:
    """Return one literal as text.

    >>> literal_text(1, ["a"])
    '~a'
    """
    return "~" * is_negated(code) + quote_name(names[feature_of(code)])


def term_text(mask: int, names: Sequence[str]) -> str:
    """Return a conjunction as text; the empty one is ``1``.

    >>> term_text(0b1001, ["a", "b"])
    'a & ~b'
    """
    return " & ".join(literal_text(code, names) for code in codes_of(mask)) or "1"


def dnf_text(masks: Sequence[int], names: Sequence[str]) -> str:
    """Return a disjunction of conjunctions as text; the empty one is ``0``.

    >>> dnf_text([0b1001, 0b0100], ["a", "b"])
    'a & ~b | b'
    """
    return " | ".join(term_text(mask, names) for mask in masks) or "0"


def parse(text: str, names: Sequence[str] | None = None) -> tuple[list[int], list[str]]:
    """Read a formula into terms.

    Parameters
    ----------
    text : str
        The formula.
    names : sequence of str, optional
        The features that may occur, in order. Without it, features are numbered as they first occur.

    Returns
    -------
    masks, names : list of int, list of str
        The terms as masks of literals, and the feature names.

    Examples
    --------
    >>> parse("a & b | ~a")
    ([5, 2], ['a', 'b'])
    """
    if not isinstance(text, str):
        raise TypeError(f"formula must be a string; got {text!r}.")
    return _Parser(text, names).parse()


class _Parser:
    def __init__(self, text: str, names: Sequence[str] | None) -> None:
        self.text = text
        self.names = names
        self.index = {name: j for j, name in enumerate(names or ())}
        self.tokens = list(_tokens(text))
        self.next = 0
        self.depth = 0

    def parse(self) -> tuple[list[int], list[str]]:
        masks = self.disjunction()
        kind, _, position = self.tokens[self.next]
        if kind != "end":
            raise FormulaError(self.text, position, f"formula must end or go on with & or | here; got {kind!r}.")
        return masks, list(self.index if self.names is None else self.names)

    def take(self, kind: str) -> bool:
        if self.tokens[self.next][0] != kind:
            return False
        self.next += 1
        return True

    def disjunction(self) -> list[int]:
        masks = self.conjunction()
        while self.take("|"):
            masks = masks + self.conjunction()
        return list(dict.fromkeys(masks))

    def conjunction(self) -> list[int]:
        masks = self.factor()
        while self.take("&"):
            right = self.factor()
            self.limit(len(masks) * len(right))
            masks = [a | b for a in masks for b in right]
        return masks

    def factor(self) -> list[int]:
        self.depth += 1
        kind, value, position = self.tokens[self.next]
        if self.depth > _MAX_DEPTH:
            raise FormulaError(self.text, position, f"formula must be nested at most {_MAX_DEPTH} deep.")
        if kind not in ("~", "(", "name", "constant"):
            expected = "a name, a constant, ~ or ( must stand here"
            raise FormulaError(self.text, position, f"{expected}; got {'the end' if kind == 'end' else repr(kind)}.")
        self.next += 1
        if kind == "~":
            masks = self.negation(self.factor())
        elif kind == "(":
            masks = self.disjunction()
            if not self.take(")"):
                raise FormulaError(self.text, self.tokens[self.next][2], "this ( or one before must be closed by ).")
        elif kind == "name":
            masks = [1 << literal(self.feature(value, position))]
        else:
            masks = [0] if value == "1" else []
        self.depth -= 1
        return masks

    def negation(self, masks: list[int]) -> list[int]:
        transversals = [0]
        for mask in minimal_sets(masks):
            transversals = berge_step(transversals, mask)
            self.limit(len(transversals))
        return [negated_mask(transversal) for transversal in transversals]

    def limit(self, terms: int) -> None:
        if terms > _MAX_TERMS:
            position = self.tokens[self.next][2]
            raise FormulaError(self.text, position, f"formula must multiply out to at most {_MAX_TERMS} terms.")

    def feature(self, name: str, position: int) -> int:
        if self.names is not None and name not in self.index:
            known = ", ".join(map(quote_name, self.names)) or "none"
            raise FormulaError(self.text, position, f"name must be one of {known}; got {quote_name(name)}.")
        return self.index.setdefault(name, len(self.index))


def _tokens(text: str) -> list[tuple[str, str, int]]:
    tokens: list[tuple[str, str, int]] = []
    position = 0
    while position < len(text):
        sign = text[position]
        start = position
        if sign.isspace():
            position += 1
        elif sign in _SIGNS:
            position += 1
            tokens.append((_SIGNS[sign], sign, start))
        elif sign in "01" and not re.match(r"\w", text[position + 1 : position + 2]):
            position += 1
            tokens.append(("constant", sign, start))
        elif sign in "'\"":
            name, position = _read_quoted_name(text, position)
            tokens.append(("name", name, start))
        elif match := _PLAIN.match(text, position):
            position = match.end()
            tokens.append((_WORDS.get(match.group(), "name"), match.group(), start))
        else:
            raise FormulaError(text, position, f"names must be words or in quotes; got {sign!r}.")
    tokens.append(("end", "", len(text)))
    return tokens


def _read_quoted_name(text: str, start: int) -> tuple[str, int]:
    name = []
    position = start + 1
    while position < len(text) and text[position] != text[start]:
        if text[position] == "\\" and position + 1 < len(text):
            position += 1
            name.append("\n" if text[position] == "n" else text[position])
        else:
            name.append(text[position])
        position += 1
    if position >= len(text):
        raise FormulaError(text, start, "quotes must be closed.")
    return "".join(name), position + 1
