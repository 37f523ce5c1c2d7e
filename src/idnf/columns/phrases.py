"""How values, names and lists are written in conditions.

Names and values are written bare if a reader cannot misread them and otherwise as JSON strings, so that a column
called ``age <= 30`` or a category called ``red or blue`` is distinguished from the condition it looks like.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TIME_KINDS = ("date", "datetime", "datetime-utc", "duration")
"""The kinds of ordered values held as microseconds: since 1970 for dates, as a length for durations."""

EPOCH = datetime(1970, 1, 1)
DAY = 86_400_000_000

BLANKS = " \t\n\r\u00a0"
"""What may stand around a text without counting."""

MISSING = "missing"
"""The label of the cell of missing values; a category of that name is written in quotes."""

UNSEEN = "(or unseen)"
"""What stands after one of two values for all that is not the other; a category that holds this is in quotes."""

_RESERVED = {"is", "but", "or", "nor", "not", "neither", "and", "missing", "anything"}
_NEGATIVE = {"no", "none", "never", "false", "nein", "non"}
_MARKS = set("<>=&|~,;:\"'`\\")
_DURATION_UNITS = ((DAY, "day"), (3_600_000_000, "hour"), (60_000_000, "minute"), (1_000_000, "second"))


@dataclass(frozen=True)
class Phrase:
    """A set of cells of a column in words.

    Parameters
    ----------
    condition : str
        As a condition that stands alone: ``income <= 35000``.
    beside : str
        Without the name, after the value of a row that meets it: income is 31000 (``35000 or less``).
    instead : str
        Without the name, as something to have: if income were ``at most 35000``. Where a known value would do, nobody
        is asked to have a missing one.
    alternatives : bool
        Whether it says "or", so that beside other conditions it stands in brackets.
    exact : bool
        Whether it names one value, so that a row's own value has said it already.
    choice : bool
        Whether `instead` says "or".
    """

    condition: str
    beside: str
    instead: str
    alternatives: bool = False
    exact: bool = False
    choice: bool = False

    def because(self, name: str, value: str) -> str:
        """Return a row's own value and the condition that it meets; if it is known, not that it might be missing.

        >>> young = Phrase("age <= 30 or missing", "30 or less, or missing", "at most 30")
        >>> young.because("age", "25"), young.because("age", "missing")
        ('age is 25 (30 or less)', 'age is missing')
        >>> Phrase("age > 30", "over 30", "over 30").because("age", MISSING)
        'age is missing (counts as over 30)'
        """
        if value == MISSING and MISSING not in self.beside:
            return f"{name} is {MISSING} (counts as {self.beside})"
        known = self.beside.removesuffix(f", or {MISSING}").removesuffix(f", {MISSING}")
        if known.endswith(f" nor {MISSING}"):
            known = _none_of([known.removeprefix("neither ").removesuffix(f" nor {MISSING}")])
        known = self.instead if known.endswith(f" or {MISSING}") else known
        if known.endswith(UNSEEN) and value not in (self.instead, MISSING):
            return f"{name} is {value} (unseen)"
        if self.exact or value in (self.instead, MISSING) or value.endswith(f" (read as {known})"):
            return f"{name} is {value}"
        return f"{name} is {value} ({known})"

    def change(self, name: str) -> str:
        """Return the condition as a change, in the subjunctive.

        >>> Phrase("age <= 30", "30 or less", "at most 30").change("age")
        'age were at most 30'
        """
        return f"{name} were {self.instead}"


def said(name: str, words: str, *, alternatives: bool = False, exact: bool = False) -> Phrase:
    """Return a phrase that is the same words after "is", beside a value and as something to have.

    >>> said("colour", "red or blue", alternatives=True).condition
    'colour is red or blue'
    """
    return Phrase(f"{name} is {words}", words, words, alternatives, exact, choice=alternatives)


def together(phrases: Sequence[Phrase]) -> str:
    """Return conditions joined by "and", those that say "or" in brackets.

    >>> together([said("age", "2 or 3", alternatives=True), said("debt", "false")])
    '(age is 2 or 3) and debt is false'
    """
    return joined([(phrase.condition, phrase.alternatives) for phrase in phrases])


def joined(conditions: Sequence[tuple[str, bool]], word: str = "and") -> str:
    """Return conditions joined by a word, in brackets those that are marked; one alone needs none.

    >>> joined([("age > 30 or missing", True), ("debt is false", False)])
    '(age > 30 or missing) and debt is false'
    >>> joined([("age > 30 or missing", False), ("debt is false", False)], ", or")
    'age > 30 or missing, or debt is false'
    """
    return f"{'' if word.startswith(',') else ' '}{word} ".join(_in_brackets(conditions))


def in_sentence(conditions: Sequence[tuple[str, bool]]) -> str:
    """Return conditions as a sentence lists them, in brackets those that are marked; one alone needs none.

    >>> in_sentence([("age were 2 or 3", True), ("debt were false", False), ("late were 0", False)])
    '(age were 2 or 3), debt were false and late were 0'
    """
    return listed(_in_brackets(conditions), "and")


def _in_brackets(conditions: Sequence[tuple[str, bool]]) -> list[str]:
    return [f"({words})" if marked and len(conditions) > 1 else words for words, marked in conditions]


def listing(name: str, labels: Sequence[str], held: Sequence[bool], *, rest: bool, pair: bool, both: bool) -> Phrase:
    """Return some of the labels of a column, the last of which may stand for all other values.

    Parameters
    ----------
    name : str
        As it is written.
    labels : sequence of str
        Of all cells; ``"missing"`` last if the column has that cell.
    held : sequence of bool
        Which of the cells are meant: of those with known values some, not all.
    rest : bool
        Whether the last cell of known values stands for all values not listed; then it is the others that are named.
    pair : bool
        Whether training had two values only, so that one of them is what to have instead of the other.
    both : bool
        Whether no other values are taken, so that the condition names that one too.

    Examples
    --------
    >>> listing("colour", ["red", "blue", "other"], [True, False, True], rest=True, pair=False, both=False).condition
    'colour is not blue'
    >>> female = listing("sex", ["female", "male", "other"], [True, False, True], rest=True, pair=True, both=False)
    >>> female.condition, female.instead, female.because("sex", "female"), female.because("sex", "x")
    ('sex is female (or unseen)', 'female', 'sex is female', 'sex is x (unseen)')
    """
    known = [label for label in labels if label != MISSING]
    has_missing = len(known) < len(labels)
    or_missing = has_missing and held[-1]
    named = [label for label, is_held in zip(known, held) if is_held]
    if not (rest and held[len(known) - 1]):
        words = listed([*named, MISSING] if or_missing else named, "or")
        several, exact = len(named) > 1, not or_missing and len(named) == 1
        return Phrase(f"{name} is {words}", words, listed(named, "or"), or_missing or several, exact, choice=several)
    excepted = [label for label, is_held in zip(known, held) if not is_held]
    kept_out = excepted if or_missing or not has_missing else [*excepted, MISSING]
    words = _none_of(kept_out)
    others = words + (", or missing" if or_missing else "")
    if pair and len(excepted) == 1:
        if both:
            own = named[0] + (" or missing" if or_missing else "")
            return Phrase(f"{name} is {own}", others, named[0], alternatives=or_missing)
        wide = f"{named[0]} {UNSEEN}" + (", or missing" if or_missing else "")
        return Phrase(f"{name} is {wide}", wide, named[0], alternatives=or_missing)
    return Phrase(f"{name} is {others}", others, words, alternatives=or_missing)


def _none_of(labels: Sequence[str]) -> str:
    """Return that a value is none of these: not a "not" beside a "no".

    >>> _none_of(["red"]), _none_of(["no"]), _none_of(["red", "blue"]), _none_of(["red", "blue", "green"])
    ('not red', 'anything but no', 'neither red nor blue', 'not red, blue or green')
    """
    if len(labels) > 2:
        return f"none of {', '.join(labels)}" if labels[-1] == MISSING else f"not {listed(labels, 'or')}"
    if len(labels) == 2:
        return f"neither {labels[0]} nor {labels[1]}"
    return f"{'anything but' if labels[0].lower() in _NEGATIVE else 'not'} {labels[0]}"


def value_words(value: str | float) -> str:
    """Return a category as it is written in a condition.

    >>> print(value_words("Österreich"), value_words("red or blue"), value_words(""), value_words(3))
    Österreich "red or blue" "" 3
    """
    if isinstance(value, str):
        return value if _is_plain(value) else _quote(value)
    return str(value).lower() if isinstance(value, bool) else number_words(value)


def name_words(name: str) -> str:
    """Return a column's name as it is written in a condition.

    >>> print(name_words("sepal length (cm)"), name_words("a<=3"), name_words("42"))
    sepal length (cm) "a<=3" "42"
    """
    return name if _is_plain(name) and not is_number(name) else _quote(name)


def _quote(text: str) -> str:
    r"""Return a text as JSON, half a surrogate pair by its number, as JavaScript has it.

    >>> print(_quote("a\ud800"), _quote("it's"))
    "a\ud800" "it's"
    """
    return _HALF.sub(lambda sign: f"\\u{ord(sign[0]):x}", json.dumps(text, ensure_ascii=False))


_HALF = re.compile("[\ud800-\udfff]")

# Signs that move the cursor, break the line, turn the direction of what follows, or are none.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def one_line(text: str, *, kept: str = "") -> str:
    r"""Return a text that stays on its line and has no power over a terminal: such signs are written as escapes.

    >>> print(one_line("no\nProved."), one_line("\x1b[2Jno"))
    no\u000aProved. \u001b[2Jno
    """
    return _UNSEEN.sub(lambda sign: sign[0] if sign[0] in kept else f"\\u{ord(sign[0]):04x}", text)


def whole_text(what: str, text: str) -> str:
    r"""Return a text; refuse half a surrogate pair, which no file, database or terminal takes.

    >>> whole_text("target", "a\ud800")
    Traceback (most recent call last):
        ...
    ValueError: target must be Unicode text; got 'a\ud800', which has half a surrogate pair. Replace it first.
    """
    if _HALF.search(text):
        raise ValueError(
            f"{what} must be Unicode text; got {brief(text)}, which has half a surrogate pair. Replace it first."
        )
    return text


def brief(value: object, most: int = 80) -> str:
    """Return a value as it appears in a message: a long one is cut short.

    >>> brief("red"), brief("x" * 1000, 10), brief(["a", "b"])
    ("'red'", "'xxxxxxxxx...", "['a', 'b']")
    """
    text = repr(value[: most + 1] if isinstance(value, str) else value)
    return text if len(text) <= most + 2 else f"{text[:most]}..."


def number_words(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    >>> number_words(30.0), number_words(0.1), number_words(1e300)
    ('30', '0.1', '1e+300')
    """
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(float(value))


def measured_words(value: float) -> str:
    """Return a row's own number; one that single precision holds has the digits that tell it from its neighbours there.

    >>> measured_words(0.5), measured_words(0.2980000078678131), measured_words(1 / 3)
    ('0.5', '0.298', '0.3333333333333333')
    """
    written = number_words(value)
    if len(written) < 12 or abs(value) > 3e38 or _single(value) != value:
        return written
    digits = (float(f"{value:.{count}g}") for count in range(1, 10))
    return next((number_words(one) for one in digits if _single(one) == value), written)


def _single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


def time_words(value: float, kind: str) -> str:
    """Return a date, a time or a duration held in microseconds the way it is written.

    >>> time_words(DAY, "date"), time_words(DAY + 60_000_000, "datetime"), time_words(36 * 3_600_000_000, "duration")
    ('1970-01-02', '1970-01-02 00:01', '36 hours')
    """
    if kind == "duration":
        return _duration_words(int(value))
    moment = EPOCH + timedelta(microseconds=int(value))
    if kind == "date":
        return moment.date().isoformat()
    precise = "auto" if moment.second or moment.microsecond else "minutes"
    return moment.isoformat(sep=" ", timespec=precise) + (" UTC" if kind == "datetime-utc" else "")


def time_value(words: str, kind: str) -> float:
    """Return the microseconds that `time_words` wrote.

    >>> time_value("1970-01-02 00:01", "datetime"), time_value("36 hours", "duration")
    (86460000000.0, 129600000000.0)
    """
    try:
        if kind == "duration":
            amount, _, unit = words.partition(" ")
            microseconds = {name: size for size, name in _DURATION_UNITS}[unit.removesuffix("s")]
            return float(round(float(amount) * microseconds))
        return microseconds_since_epoch(datetime.fromisoformat(words.removesuffix(" UTC")))
    except (KeyError, ValueError, OverflowError) as error:
        example = time_words(45 * DAY, kind)
        raise ValueError(f"a {kind} must be written like {example}; got {brief(words)}.") from error


def microseconds_since_epoch(moment: datetime) -> float:
    """Return a time as microseconds since 1970, in UTC if it has a time zone.

    >>> microseconds_since_epoch(datetime(1970, 1, 2))
    86400000000.0
    """
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return float((moment - EPOCH) // timedelta(microseconds=1))


def listed(words: Sequence[str], last: str) -> str:
    """Return words as a list in a sentence.

    >>> listed(["red"], "or"), listed(["red", "blue"], "or"), listed(["red", "blue", "green"], "nor"), listed([], "or")
    ('red', 'red or blue', 'red, blue nor green', '')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _is_plain(text: str) -> bool:
    tidy = bool(text) and text.isprintable() and text == " ".join(text.split())
    return (
        tidy
        and UNSEEN not in text
        and not _MARKS.intersection(text)
        and not _RESERVED.intersection(text.lower().split())
    )


def is_number(text: str) -> bool:
    """Return whether a text reads as a number.

    >>> is_number("1e3"), is_number("one")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def _duration_words(microseconds: int) -> str:
    for size, unit in _DURATION_UNITS:
        if microseconds % size == 0:
            amount = str(microseconds // size)
            return f"{amount} {unit}" if amount == "1" else f"{amount} {unit}s"
    return f"{number_words(microseconds / 1_000_000)} seconds"
