"""The answer to "can these columns alone decide?", with witnesses or a proof."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.auditing.cell_values import plain_value, row_values, row_words
from idnf.auditing.deciding import deciding_pair, invariance_claims, rows_decided
from idnf.auditing.proofs import refuted
from idnf.auditing.table_models import TableModel
from idnf.columns.examples import Value
from idnf.explaining.checking import CheckError
from idnf.tables.declared import declared_binariser


@dataclass(frozen=True)
class CanDecide:
    """Whether some columns alone can change a decision.

    Attributes
    ----------
    columns : tuple of str
        The columns that were asked about.
    answer : bool
        Whether two rows exist that differ on these columns only and get different classes. False is a proof that no
        decision depends on them alone, which `check` makes again by other means.
    witness : tuple of two dicts
        Two such rows; empty where there are none.
    labels : tuple of object
        Their classes.
    count : int or None
        How many rows of the table could get another class by a change of these columns alone.
    total : int or None
        How many rows the table has.
    """

    columns: tuple[str, ...]
    answer: bool
    witness: tuple[dict[str, Value], ...]
    labels: tuple[object, ...]
    count: int | None
    total: int | None
    model: TableModel

    @classmethod
    def of(cls, model: TableModel, columns: tuple[str, ...], X: object = None) -> CanDecide:
        """Answer for a model, and for the rows of a table if one is given."""
        places = _places(model, columns)
        pair = deciding_pair(model.class_boxes, places)
        cells = None if X is None else declared_binariser(model.columns).cells(X)
        return cls(
            columns=columns,
            answer=pair is not None,
            witness=tuple(row_values(model.columns, point) for point in pair or ()),
            labels=tuple(model.classes[model.class_boxes.label(point)] for point in pair or ()),
            count=None if cells is None else int(rows_decided(model.class_boxes, places, cells).sum()),
            total=None if cells is None else len(cells),
            model=model,
        )

    def check(self) -> str:
        """Prove the answer again, from the boxes alone: by a truth table, or by a SAT solver if large.

        Raises
        ------
        CheckError
            When the answer is wrong.
        """
        claims = invariance_claims(self.model.class_boxes, _places(self.model, self.columns))
        found = [refuted(claim) for claim in claims]
        if any(is_refuted for is_refuted, _ in found) != self.answer:
            raise CheckError(f"whether {_listed(self.columns)} alone can decide must be {not self.answer}.")
        return f"{'refuted' if self.answer else 'proved'} by {found[0][1] if found else 'truth table'}"

    def __bool__(self) -> bool:
        return self.answer

    def __str__(self) -> str:
        names = _listed(self.columns)
        if not self.answer:
            return f"Proved: {names} alone never decide{'s' * (len(self.columns) == 1)}."
        rows = [f"  {label}: {row}" for label, row in zip(self.labels, map(row_words, self.witness), strict=True)]
        count = "" if self.count is None else f" It could for {self.count} of {self.total} rows of the table."
        return "\n".join([f"{names} alone can decide.{count}", *rows])

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data."""
        rows = [
            {"label": label, "row": {name: plain_value(value) for name, value in row.items()}}
            for label, row in zip(self.labels, self.witness, strict=True)
        ]
        return {
            "columns": list(self.columns),
            "answer": self.answer,
            "witness": rows,
            "count": self.count,
            "total": self.total,
        }


def _places(model: TableModel, columns: tuple[str, ...]) -> list[int]:
    names = [column.name for column in model.columns]
    for name in columns:
        if name not in names:
            raise ValueError(f"columns must name columns of the model ({', '.join(names)}); got {name!r}.")
    if not columns:
        raise ValueError("columns must name at least one column; got none.")
    return [names.index(name) for name in columns]


def _listed(columns: tuple[str, ...]) -> str:
    return " and ".join(columns)
