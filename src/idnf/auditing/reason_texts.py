"""The user's own codes and texts of reasons, by column, for notices about decisions."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from idnf.columns.eager_frames import refuse_unknown
from idnf.logic.errors import InvalidArgument

HMDA: Mapping[str, str] = {
    "1": "Debt-to-income ratio",
    "2": "Employment history",
    "3": "Credit history",
    "4": "Collateral",
    "5": "Insufficient cash (downpayment, closing costs)",
    "6": "Unverifiable information",
    "7": "Credit application incomplete",
    "8": "Mortgage insurance denied",
    "9": "Other",
}
"""The nine denial reasons of the Home Mortgage Disclosure Act (12 CFR 1003, appendix B)."""


Texts: TypeAlias = "Mapping[str, str | tuple[str, str]]"


GivenTexts: TypeAlias = "ReasonTexts | Texts | Mapping[str, Texts] | str | os.PathLike[str]"


@dataclass(frozen=True)
class ReasonText:
    """A reason code and its text; columns that share a code are one reason in a notice.

    Parameters
    ----------
    code : str
    text : str
    """

    code: str
    text: str


@dataclass(frozen=True)
class ReasonTexts:
    """Codes and texts by column.

    Parameters
    ----------
    by_column : mapping of str to ReasonText
    otherwise : ReasonText, optional
        For columns that are not listed; they are reasons of their own, in the words of the model, if not given.
    outcome : str, optional
        The label, as text, whose decisions they are about: nobody else is sent a reason. Every label's if not given.

    Examples
    --------
    >>> texts = ReasonTexts.hmda({"debt_ratio": 1, "years_employed": 2, "late_payments": 3})
    >>> texts.of("late_payments"), texts.of("region")
    (ReasonText(code='3', text='Credit history'), ReasonText(code='9', text='Other'))
    """

    by_column: Mapping[str, ReasonText]
    otherwise: ReasonText | None = None
    outcome: str | None = None

    @classmethod
    def of_given(cls, given: GivenTexts) -> ReasonTexts:
        """Return texts given as a mapping from columns to texts or to (code, text), or as the path of a CSV file.

        ``{"declined": {...}}`` are texts for one outcome.

        >>> ReasonTexts.of_given({"income": "Income too low", "age": ("A1", "Time at present age")}).of("income")
        ReasonText(code='income', text='Income too low')
        >>> ReasonTexts.of_given({"declined": {"income": "Income too low"}}).outcome
        'declined'
        """
        if isinstance(given, ReasonTexts):
            return given
        if isinstance(given, Mapping):
            keyed = [(str(label), texts) for label, texts in given.items() if isinstance(texts, Mapping)]
            if keyed and len(given) > 1:
                raise InvalidArgument("texts", "be for one outcome", f"{len(given)}: {', '.join(map(str, given))}")
            if keyed:
                return replace(cls.of_given(keyed[0][1]), outcome=keyed[0][0])
            plain = {column: text for column, text in given.items() if not isinstance(text, Mapping)}
            return cls({column: _text_of(column, text) for column, text in plain.items()})
        return cls.from_csv(given)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str]) -> ReasonTexts:
        """Read a CSV file with the columns ``column,code,text`` and perhaps ``outcome``, the same label in every row.

        A row without a column is for all columns that are not listed. A file without ``text`` names HMDA codes.
        """
        with open(path, encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            names = reader.fieldnames or []
            if not {"column", "code"} <= set(names):
                got = ", ".join(names) or "nothing"
                raise InvalidArgument("texts", "have the columns column, code and text", f"{got} in {os.fspath(path)}")
            lines = list(reader)
        outcomes = list(dict.fromkeys((row.get("outcome") or "").strip() for row in lines)) or [""]
        if len(outcomes) > 1:
            raise InvalidArgument("outcome", f"be the same label in all rows of {os.fspath(path)}", outcomes)
        rows = [(row["column"] or "", row["code"] or "", row.get("text")) for row in lines]
        return replace(cls.from_rows(rows), outcome=outcomes[0] or None)

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, str | None]]) -> ReasonTexts:
        """Return texts from rows of column, code and text; None for a text that is that of the HMDA code."""
        by_column: dict[str, ReasonText] = {}
        for column, code, text in rows:
            if column in by_column:
                raise InvalidArgument("texts", "name each column once", f"{column!r} twice")
            if text is None and code not in HMDA:
                raise InvalidArgument("code", "be a HMDA code, 1 to 9, if no text is given", f"{code!r}")
            by_column[column] = ReasonText(code, HMDA[code] if text is None else text)
        otherwise = by_column.pop("", None)
        return cls(by_column, otherwise)

    @classmethod
    def hmda(cls, codes: Mapping[str, int | str]) -> ReasonTexts:
        """Return the texts of the HMDA denial reasons, given the code of each column; others get code 9, "Other"."""
        rows = [(column, str(code), None) for column, code in codes.items()]
        return cls.from_rows([*rows, ("", "9", None)])

    def of(self, column: str) -> ReasonText | None:
        """Return the code and text of a column, None if it has none."""
        return self.by_column.get(column, self.otherwise)

    def checked(self, columns: Sequence[str], labels: Sequence[object] = ()) -> ReasonTexts:
        """Return these texts, or refuse a column or an outcome that the model does not have."""
        if self.outcome is not None and self.outcome not in map(str, labels):
            raise InvalidArgument("outcome", f"be one of {', '.join(map(str, labels))}", f"{self.outcome!r}")
        refuse_unknown("texts", f"name columns of the model ({', '.join(columns)})", self.by_column, columns)
        return self

    def side(self, labels: Sequence[object]) -> int | None:
        """Return the place of the outcome among labels; None if the texts are for all of them."""
        return None if self.outcome is None else [str(label) for label in labels].index(self.outcome)

    def to_rows(self) -> list[tuple[str, str, str]]:
        """Return the texts as rows of column, code and text."""
        rows = [(column, text.code, text.text) for column, text in self.by_column.items()]
        return rows if self.otherwise is None else [*rows, ("", self.otherwise.code, self.otherwise.text)]


def _text_of(column: str, given: str | tuple[str, str]) -> ReasonText:
    if isinstance(given, str):
        return ReasonText(column, given)
    if len(given) != 2 or not all(isinstance(part, str) for part in given):
        raise InvalidArgument(f"texts[{column!r}]", "be a text, or a code and a text", f"{given!r}")
    return ReasonText(*given)
