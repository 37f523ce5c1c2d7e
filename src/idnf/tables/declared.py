"""What users declare of columns: what they hold, for policies that are written instead of learned; and their direction.

Monotone constraints say which literals may occur in the DNF of class 1 so that it rises, or falls, with a column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.phrases import BLANKS
from idnf.logic.literals import literal

Declared = Mapping[str, Sequence[float] | Sequence[str] | type[bool]]


def declared_columns(declared: Declared) -> tuple[TableColumn, ...]:
    """Return columns from their cut points, their categories, or ``bool``.

    >>> columns = declared_columns({"age": [30, 45], "job": ["clerk", "nurse"], "member": bool})
    >>> from idnf.columns.column import literal_names
    >>> literal_names(columns)
    ('age <= 30', 'age <= 45', 'job is clerk', 'job is nurse', 'member')
    """
    return tuple(_column(name, given) for name, given in declared.items())


def _column(name: str, given: Sequence[float] | Sequence[str] | type[bool]) -> TableColumn:
    if isinstance(given, type):
        return BooleanColumn(name, "refused")
    if given and all(isinstance(value, str) for value in given):
        return CategoryColumn(name, "refused", values=tuple(dict.fromkeys(str(value).strip(BLANKS) for value in given)))
    if given and all(isinstance(value, Real) and not isinstance(value, bool) for value in given):
        return NumberColumn(name, "refused", cuts=tuple(sorted({float(value) for value in given})))
    raise ValueError(f"columns[{name!r}] must be a list of cut points, a list of categories, or bool; got {given!r}.")


def allowed_literals(columns: Sequence[TableColumn], constraints: Mapping[str, int]) -> frozenset[int]:
    """Return the codes of the literals allowed in class 1 under constraints 1 (rising), 0 (none) and -1 (falling).

    A literal is allowed on a rising column when the known cells in which it holds are closed upwards. Any DNF of such
    literals is rising on the known values of that column, whatever its other columns hold; the missing cell stands
    outside the order and is not compared with them.

    >>> from idnf.columns.intervals import NumberColumn
    >>> sorted(allowed_literals([NumberColumn("income", "refused", cuts=(10.0, 20.0))], {"income": 1}))
    [1, 3]
    """
    _refuse_wrong(columns, constraints)
    allowed = set()
    feature = 0
    for column in columns:
        direction = constraints.get(column.name, 0)
        for offered in column.literals:
            for negated in (False, True):
                mask = (column.full & ~offered.mask if negated else offered.mask) & column.known_mask
                if direction == 0 or _is_closed(mask, column, direction):
                    allowed.add(literal(feature, negated=negated))
            feature += 1
    return frozenset(allowed)


def _is_closed(mask: int, column: TableColumn, direction: int) -> bool:
    """Tell whether a set of known cells is a final (1) or an initial (-1) piece of the order."""
    initial = column.known_mask & ~mask if direction == 1 else mask
    return initial & (initial + 1) == 0


def _refuse_wrong(columns: Sequence[TableColumn], constraints: Mapping[str, int]) -> None:
    by_name = {column.name: column for column in columns}
    for name, direction in constraints.items():
        if name not in by_name:
            raise ValueError(f"monotonic_cst must name columns of the table; got {name!r}.")
        if direction not in (-1, 0, 1):
            raise ValueError(f"monotonic_cst[{name!r}] must be 1, 0 or -1; got {direction!r}.")
        if direction != 0 and not by_name[name].ordered:
            raise ValueError(
                f"monotonic_cst[{name!r}] must be 0, since the column has no order; got {direction}. "
                "Declare an order for its categories, or leave it out."
            )
