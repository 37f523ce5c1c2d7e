"""How sentences speak of a class: by its label alone or, where the target has a name, as the value of the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


def label_words(label: object) -> str:
    """Return a label as people write it.

    >>> [label_words(label) for label in ("Yes", 1, 1.0, 0.5, True)]
    ['Yes', '1', '1', '0.5', 'true']
    """
    if isinstance(label, bool):
        return str(label).lower()
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


@dataclass(frozen=True)
class ClassWords:
    """A class in words.

    Parameters
    ----------
    label : object
    target : str, optional
        What the column of labels is called.

    Examples
    --------
    >>> yes, bare, number = ClassWords("Yes", "churn"), ClassWords("approved"), ClassWords(1)
    >>> yes.given, bare.given, number.given
    ('Churn: Yes,', 'Approved', 'Class 1')
    >>> yes.would_be, bare.would_be, number.would_be
    (', churn would be Yes', ' it would be approved', ' it would be class 1')
    >>> yes.to_be, number.to_be, yes.named, number.named
    ('For churn to be Yes', 'To be class 1', 'churn is Yes', '1')
    """

    label: object
    target: str | None = None

    @property
    def words(self) -> str:
        """The class where a sentence has no room for the target's name."""
        return self.label if isinstance(self.label, str) else f"class {label_words(self.label)}"

    @property
    def given(self) -> str:
        """The first words of a sentence that says why."""
        if self.target is None:
            return _capital(self.words)
        return f"{_capital(self.target)}: {label_words(self.label)},"

    @property
    def would_be(self) -> str:
        """The last words of a sentence that says what else would give the class."""
        if self.target is None:
            return f" it would be {self.words}"
        return f", {self.target} would be {label_words(self.label)}"

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


def class_words(classes: Sequence[object], target: str | None) -> tuple[ClassWords, ...]:
    """Return the classes in words.

    >>> [one.named for one in class_words(["no", "yes"], "late")]
    ['late is no', 'late is yes']
    """
    return tuple(ClassWords(label, target) for label in classes)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
