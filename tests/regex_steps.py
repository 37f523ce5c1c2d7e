"""How many steps a backtracking matcher takes, counted on the parsed pattern, not timed; and texts that make it work.

The matcher is the plain one of textbooks: it tries every way in turn and has none of the shortcuts of `re`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as signs
from re import _parser as parser

ALPHABET = "10aAzZeE _.,:;/\\-+%€$()[]{}'\"=<>@!?#T\t\n\u00a0"
_REPEATS = (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT)
_CATEGORIES = {
    signs.CATEGORY_DIGIT: r"\d",
    signs.CATEGORY_NOT_DIGIT: r"\D",
    signs.CATEGORY_SPACE: r"\s",
    signs.CATEGORY_NOT_SPACE: r"\S",
    signs.CATEGORY_WORD: r"\w",
    signs.CATEGORY_NOT_WORD: r"\W",
}


class Steps:
    """A matcher that counts what it tries."""

    def __init__(self, pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> None:
        self.tree = list(parser.parse(pattern.pattern, pattern.flags))
        self.text = text
        self.count = 0

    def fullmatch(self) -> int:
        """Return the steps of a match of the whole text."""
        any(end == len(self.text) for end in self._ends(self.tree, 0))
        return self.count

    def search(self) -> int:
        """Return the steps of all matches in the text, one after the other."""
        start = 0
        while start <= len(self.text):
            end = next(self._ends(self.tree, start), start)
            start = max(end, start + 1)
        return self.count

    def _ends(self, items: list, at: int) -> Iterator[int]:
        if not items:
            yield at
            return
        for end in self._one(items[0], at):
            yield from self._ends(items[1:], end)

    def _one(self, item: tuple, at: int) -> Iterator[int]:
        self.count += 1
        name, value = item
        if name in _REPEATS:
            least, most, body = value
            ends = self._repeated(name, list(body), int(least), int(most), at)
            yield from _first(ends) if name is signs.POSSESSIVE_REPEAT else ends
        elif name is signs.BRANCH:
            for way in value[1]:
                yield from self._ends(list(way), at)
        elif name is signs.SUBPATTERN:
            yield from self._ends(list(value[-1]), at)
        elif name in (signs.ASSERT, signs.ASSERT_NOT):
            # Those that look back look at one sign.
            begin = at if value[0] > 0 else at - 1
            found = begin >= 0 and any(True for _ in self._ends(list(value[1]), begin))
            if found == (name is signs.ASSERT):
                yield at
        elif name is signs.AT:
            places = {signs.AT_BEGINNING: at == 0, signs.AT_END: at == len(self.text)}
            if places.get(value, True):
                yield at
        elif name is signs.GROUPREF or (at < len(self.text) and accepts(item, self.text[at])):
            yield at + 1

    def _repeated(self, name: object, body: list, least: int, most: int, at: int) -> Iterator[int]:
        """Yield the ends of that many bodies one after the other: the longest first, or the shortest."""
        ways: list[tuple[int, Iterator[int]]] = [(at, self._ends(body, at) if most else iter(()))]
        if name is signs.MIN_REPEAT and least == 0:
            yield at
        while ways:
            place, ends = ways[-1]
            end = next(ends, None)
            if end is None or end == place:
                ways.pop()
                if name is not signs.MIN_REPEAT and len(ways) >= least:
                    yield place
                continue
            ways.append((end, self._ends(body, end) if len(ways) < most else iter(())))
            if name is signs.MIN_REPEAT and len(ways) > least:
                yield end


def _first(ends: Iterator[int]) -> Iterator[int]:
    for end in ends:
        yield end
        return


def accepts(item: tuple, sign: str) -> bool:
    """Return whether an item of one sign takes a sign."""
    name, value = item
    if name is signs.ANY:
        return True
    if name in (signs.LITERAL, signs.NOT_LITERAL):
        return (ord(sign) == value) == (name is signs.LITERAL)
    if name is signs.RANGE:
        return value[0] <= ord(sign) <= value[1]
    if name is signs.CATEGORY:
        return re.fullmatch(_CATEGORIES[value], sign) is not None
    if name is signs.IN:
        negated = value[0][0] is signs.NEGATE
        return any(accepts(one, sign) for one in value[negated:]) != negated
    raise AssertionError(f"no item of one sign: {name}")


def hard_texts(pattern: re.Pattern[str] | re.Pattern[bytes], length: int) -> Iterator[str]:
    """Yield texts that lead to each unbounded repetition, fill it with one sign it takes, and end in none that fits."""
    tree = list(parser.parse(pattern.pattern, pattern.flags))
    for before, body in _repetitions(tree, ""):
        for sign in ALPHABET:
            if _taken(body, sign):
                yield before + sign * length + "\x00"
                yield before + (sign + " ") * (length // 2) + "\x00"


def _repetitions(items: list, before: str) -> Iterator[tuple[str, list]]:
    for item in items:
        name, value = item
        if name in _REPEATS:
            if value[1] is signs.MAXREPEAT:
                yield before, list(value[2])
            yield from _repetitions(list(value[2]), before)
        elif name is signs.BRANCH:
            for way in value[1]:
                yield from _repetitions(list(way), before)
        elif name is signs.SUBPATTERN:
            yield from _repetitions(list(value[-1]), before)
        before += _shortest([item])


def _shortest(items: list) -> str:
    """Return a short text that items take; what may be left out is."""
    text = ""
    for name, value in items:
        if name in _REPEATS:
            text += _shortest(list(value[2])) * int(value[0])
        elif name is signs.BRANCH:
            text += _shortest(list(value[1][0]))
        elif name is signs.SUBPATTERN:
            text += _shortest(list(value[-1]))
        elif name is signs.LITERAL:
            text += chr(value)
        elif name is signs.GROUPREF:
            text += "-"
        elif name not in (signs.AT, signs.ASSERT, signs.ASSERT_NOT):
            text += next((sign for sign in ALPHABET if accepts((name, value), sign)), "?")
    return text


def _taken(body: list, sign: str) -> bool:
    return any(accepts(item, sign) for item in _leaves(body))


def _leaves(items: list) -> Iterator[tuple]:
    for name, value in items:
        if name in _REPEATS:
            yield from _leaves(list(value[2]))
        elif name is signs.BRANCH:
            for way in value[1]:
                yield from _leaves(list(way))
        elif name is signs.SUBPATTERN:
            yield from _leaves(list(value[-1]))
        elif name in (signs.LITERAL, signs.NOT_LITERAL, signs.ANY, signs.IN, signs.RANGE):
            yield name, value
