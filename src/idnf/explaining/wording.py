"""How explanations word columns (of the table, of labelled cells only, of a Boolean feature) and classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from idnf.columns.column import TableColumn
from idnf.columns.phrases import Phrase, one_line


@dataclass(frozen=True)
class TableWording:
    """The wording of a column of the user's table, which decides it; the same few conditions describe many examples.

    >>> from idnf.columns.intervals import NumberColumn
    >>> income = TableWording(NumberColumn("income", "refused", cuts=(35.0,)))
    >>> income.because(0b01, "31"), income.change(0b10)
    ('income is 31 (35 or less)', 'income were over 35')
    """

    column: TableColumn
    _phrases: dict[int, Phrase] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    def phrase(self, mask: int) -> Phrase:
        """Return a set of cells in words."""
        if mask not in self._phrases:
            self._phrases[mask] = self.column.phrase(mask)
        return self._phrases[mask]

    def because(self, mask: int, value: str) -> str:
        """Return the example's own value and the condition it meets."""
        return self.phrase(mask).because(self.name, value)

    def change(self, mask: int) -> str:
        """Return a set of cells as something to have instead."""
        return self.phrase(mask).change(self.name)

    def position_words(self, position: float) -> str:
        """Return a value the way the table writes it."""
        return self.column.position_words(position)

    def proposed_words(self, cell: int, seen: float, *, upwards: bool) -> str:
        """Return a value of a cell to have instead, the way the table writes it."""
        return self.column.proposed_words(cell, seen, upwards=upwards)


@dataclass(frozen=True)
class FeatureWording:
    """The wording of a Boolean feature: what it says, and what its negation says.

    Parameters
    ----------
    name : str
        What holds in cell "1".
    fails : Phrase, optional
        What holds in cell "0"; ``not name`` if not given.

    Examples
    --------
    >>> FeatureWording("a").because(0b01, "0"), FeatureWording("a").phrase(0b10).condition
    ('not a', 'a')
    """

    name: str
    fails: Phrase | None = field(default=None, kw_only=True)

    def phrase(self, mask: int) -> Phrase:
        """Return the feature or its negation; its values are 0 and 1."""
        if mask == 0b10:
            return Phrase(self.name, "1", "1")
        if self.fails is None:
            return Phrase(f"not {self.name}", "0", "0")
        return Phrase(self.fails.condition, "0", "0", alternatives=self.fails.alternatives)

    def because(self, mask: int, _value: str) -> str:
        """Return the condition, which says the value already, in brackets if it says "or"."""
        phrase = self.phrase(mask)
        return f"({phrase.condition})" if phrase.alternatives else phrase.condition

    def change(self, mask: int) -> str:
        """Return the condition."""
        return self.phrase(mask).condition

    def position_words(self, position: float) -> str:
        """Return a number as it prints."""
        return f"{position:g}"

    def proposed_words(self, cell: int, seen: float, *, upwards: bool) -> str:
        """Return a number as it prints."""
        del cell, upwards
        return self.position_words(seen)


Wording = TableWording | FeatureWording
"""What explanations need to know to word a column."""


# Labels that a number was cut into.
_COMPARED = re.compile(r"(<=|>=|<|>) ([^\w\s]{0,2}[\d.,]+(?: \S{1,12})?)")
_SIGNS = {"<=": "at most", ">=": "at least", "<": "under", ">": "over"}


def label_words(label: object) -> str:
    """Return a label as people write it.

    >>> [label_words(label) for label in ("Yes", 1, 1.0, 0.5, True, "> $15", "<= -15 €")]
    ['Yes', '1', '1', '0.5', 'true', 'over $15', 'at most -15 €']
    """
    if isinstance(label, bool):
        return str(label).lower()
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    compared = _COMPARED.fullmatch(str(label))
    return f"{_SIGNS[compared[1]]} {compared[2]}" if compared else one_line(str(label))


@dataclass(frozen=True)
class ClassWords:
    """A class in words.

    Parameters
    ----------
    label : object
    target : str, optional
        What the column of labels is called.
    as_given : bool
        Whether the label begins a sentence as it is, since another label begins with its capital.

    Examples
    --------
    >>> yes, bare, number = ClassWords("Yes", "churn"), ClassWords("approved"), ClassWords(1)
    >>> yes.given, bare.given, number.given
    ('Churn: Yes,', 'Approved', 'Class 1')
    >>> yes.would_be, bare.would_be, number.would_be
    ('churn would be Yes', 'it would be approved', 'it would be class 1')
    >>> yes.to_be, number.to_be, yes.named, number.named
    ('For churn to be Yes', 'To be class 1', 'churn is Yes', '1')
    >>> yes.always, bare.always
    ('churn is always Yes', 'approved always')
    """

    label: object
    target: str | None = None
    as_given: bool = False

    @property
    def words(self) -> str:
        """The class, if a sentence has no room for the target's name."""
        return label_words(self.label) if isinstance(self.label, str) else f"class {label_words(self.label)}"

    @property
    def given(self) -> str:
        """The first words of a sentence that says why."""
        if self.target is None:
            return self.words if self.as_given else _capital(self.words)
        return f"{_capital(self.target)}: {label_words(self.label)},"

    @property
    def would_be(self) -> str:
        """The last words of a sentence that says what else would give the class."""
        if self.target is None:
            return f"it would be {self.words}"
        return f"{self.target} would be {label_words(self.label)}"

    @property
    def to_be(self) -> str:
        """The first words of a sentence that says what to change."""
        return f"To be {self.words}" if self.target is None else f"For {self.target} to be {label_words(self.label)}"

    @property
    def reached(self) -> str:
        """The class as something that a change leads to."""
        return self.words if self.target is None else f"{self.target}: {label_words(self.label)}"

    @property
    def already(self) -> str:
        """The first words of a sentence that says that nothing has to change."""
        return f"Already {self.words}" if self.target is None else f"{_capital(self.named)} already"

    @property
    def named(self) -> str:
        """The class at the head of a list of reasons."""
        return label_words(self.label) if self.target is None else f"{self.target} is {label_words(self.label)}"

    @property
    def always(self) -> str:
        """A line that says that no other class is given."""
        label = label_words(self.label)
        return f"{label} always" if self.target is None else f"{self.target} is always {label}"


def class_words(classes: Sequence[object], target: str | None) -> tuple[ClassWords, ...]:
    """Return the classes in words; labels that say the target's name, or one that is it, need it no second time.

    >>> [one.named for one in class_words(["no", "yes"], "late")]
    ['late is no', 'late is yes']
    >>> [one.named for one in class_words(["wine 1", "wine 2"], "Wine")]
    ['wine 1', 'wine 2']
    >>> [one.named for one in class_words(["late", "on time"], "late")]
    ['late', 'on time']
    >>> [one.given for one in class_words(["x", "X", "y"], None)]
    ['x', 'X', 'Y']
    """
    said = target is not None and all(str(label).lower().startswith(f"{target.lower()} ") for label in classes)
    same = target is not None and any(str(label).lower() == target.lower() for label in classes)
    named = None if target is None or said or same else one_line(target)
    capitals = Counter(_capital(str(label)) for label in classes)
    return tuple(ClassWords(label, named, capitals[_capital(str(label))] > 1) for label in classes)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
