"""Sets of cells as SQL conditions over the columns of the user's table.

A condition is true where the value lies in the set and false or NULL elsewhere; since conditions are only ever joined
by AND and OR and asked by WHEN, NULL counts as false. NaN is missing, as NULL is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from idnf.columns.categories import HALF, BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, NumberColumn, OrderedColumn, TimeColumn
from idnf.columns.phrases import EPOCH
from idnf.columns.raw import Category
from idnf.exporting.sql_text import Dialect, name_sql, number_sql, text_sql
from idnf.logic.boxes import cells_of, runs

_NUMBER = {"sqlite": "CAST({} AS REAL)", "duckdb": "CAST({} AS DOUBLE)", "postgres": "CAST({} AS DOUBLE PRECISION)"}
_TEXT = {"sqlite": "CAST({} AS TEXT)", "duckdb": "CAST({} AS VARCHAR)", "postgres": 'CAST({} AS TEXT) COLLATE "C"'}
_TIME = {"date": "DATE", "datetime": "TIMESTAMP", "datetime-utc": "TIMESTAMP WITH TIME ZONE", "duration": "INTERVAL"}
# SQLite has no times: dates and times are ISO text, here brought to 26 characters; durations are seconds.
_SQLITE_TIME = (
    "substr(replace(replace(replace({0}, 'T', ' '), '+00:00', ''), 'Z', '') || "
    "CASE WHEN length({0}) <= 10 THEN ' 00:00:00.000000' WHEN length({0}) <= 16 THEN ':00.000000' "
    "WHEN instr({0}, '.') = 0 THEN '.000000' ELSE '000000' END, 1, 26)"
)


class Conditions:
    """Conditions on one column in one dialect."""

    def __init__(self, column: TableColumn, dialect: Dialect) -> None:
        self.column = column
        self.dialect: Dialect = dialect
        self.names = [name_sql(source, dialect) for source in column.sources]

    def holds(self, mask: int) -> str:
        """Return the condition that the value lies in a set of cells.

        >>> print(Conditions(NumberColumn("age", "seen", cuts=(30.0,)), "sqlite").holds(0b101))
        (CAST(`age` AS REAL) <= 30.0 OR CAST(`age` AS REAL) IS NULL)
        """
        known = mask & self.column.known_mask
        parts = []
        if known == self.column.known_mask:
            parts = [f"{self._known_operand()} IS NOT NULL"]
        elif known:
            parts = self._known(known)
        if mask & self.column.missing_mask:
            parts.append(f"{self._known_operand()} IS NULL")
        return parts[0] if len(parts) == 1 else "(" + " OR ".join(parts) + ")"

    def is_invalid(self) -> list[str]:
        """Return conditions under which the classifier would refuse the value."""
        column = self.column
        invalid = []
        if isinstance(column, GroupColumn):
            return self._group_invalid(column)
        if not column.has_missing_cell:
            invalid.append(f"{self._known_operand()} IS NULL")
        if isinstance(column, BooleanColumn) and not column.digits:
            invalid.append(f"{self._operand()} NOT IN (0, 1)")
        if isinstance(column, OrderedColumn):
            invalid.append(self._among(column.values, negated=True))
        return invalid

    def _known(self, mask: int) -> list[str]:
        column = self.column
        if isinstance(column, OrderedColumn):
            return [self._among(_values_in(column, mask))]
        if isinstance(column, IntervalColumn):
            return [self._interval(column, low, high) for low, high in runs(mask)]
        if isinstance(column, CategoryColumn):
            if mask >> len(column.values) & 1:
                excepted = [value for cell, value in enumerate(column.values) if not mask >> cell & 1]
                return [self._among(excepted, negated=True)]
            return [self._among([column.values[cell] for cell in cells_of(mask)])]
        if isinstance(column, OneHotGroup):
            return self._one_hot(column, mask)
        if isinstance(column, GroupColumn):
            return [self._code_range(low, high) for low, high in runs(mask)]
        assert isinstance(column, BooleanColumn), "every kind of column has its conditions"
        if column.digits:
            return [f"{self._known_operand()} > {HALF}" if mask >> 1 else f"{self._operand()} <= {HALF}"]
        return [f"{self._operand()} = {mask >> 1}"]

    def _interval(self, column: IntervalColumn, low: int, high: int) -> str:
        limits, last = self._limits(column), len(column.limits)
        parts = []
        if low > 0:
            # Only an interval without an upper end could hold NaN, which the engines place above all numbers.
            parts.append(f"{self._known_operand() if high == last else self._operand()} > {limits[low - 1]}")
        if high < last:
            parts.append(f"{self._operand()} <= {limits[high]}")
        return parts[0] if len(parts) == 1 else "(" + " AND ".join(parts) + ")"

    def _limits(self, column: IntervalColumn) -> list[str]:
        if isinstance(column, TimeColumn):
            return [self._time_sql(cut, column.kind) for cut in column.cuts]
        return [number_sql(cut, self.dialect) for cut in column.limits]

    def _time_sql(self, microseconds: float, kind: str) -> str:
        if kind == "duration":
            if self.dialect == "sqlite":
                return number_sql(microseconds / 1_000_000, self.dialect)
            return f"INTERVAL '{int(microseconds)} microseconds'"
        moment = EPOCH + timedelta(microseconds=int(microseconds))
        text = str(moment.date()) if kind == "date" else moment.isoformat(sep=" ", timespec="microseconds")
        if self.dialect == "sqlite":
            return f"'{text}'"
        return f"{_TIME[kind]} '{text}{'+00' if kind == 'datetime-utc' else ''}'"

    def _among(self, values: Sequence[Category], *, negated: bool = False) -> str:
        is_text = isinstance(values[0], str)
        written = [text_sql(v, self.dialect) if isinstance(v, str) else number_sql(v, self.dialect) for v in values]
        operand = self._known_operand() if negated and not is_text else self._operand()
        if len(written) == 1:
            return f"{operand} {'<>' if negated else '='} {written[0]}"
        return f"{operand} {'NOT IN' if negated else 'IN'} ({', '.join(written)})"

    def _operand(self) -> str:
        """Return the value as a type on which the engine compares as the classifier does."""
        column, (name, *_) = self.column, self.names
        if isinstance(column, TimeColumn):
            if self.dialect != "sqlite":
                return f"CAST({name} AS {_TIME[column.kind]})"
            times = {"date": f"date({name})", "duration": _NUMBER["sqlite"].format(name)}
            return times.get(column.kind, _SQLITE_TIME.format(name))
        if isinstance(column, (CategoryColumn, OrderedColumn)):
            if not column.values:
                return name
            return (_TEXT if isinstance(column.values[0], str) else _NUMBER)[self.dialect].format(name)
        is_number = isinstance(column, NumberColumn) or isinstance(column, BooleanColumn) and column.digits
        return _NUMBER[self.dialect].format(name) if is_number else f"CAST({name} AS INTEGER)"

    def _known_operand(self) -> str:
        """Return the value with NaN turned into NULL; SQLite has no NaN."""
        operand = self._operand()
        if self.dialect == "sqlite" or operand != _NUMBER[self.dialect].format(self.names[0]):
            return operand
        return f"NULLIF({operand}, CAST('NaN' AS {'DOUBLE' if self.dialect == 'duckdb' else 'DOUBLE PRECISION'}))"

    def _set(self, member: int, *, held: bool = True) -> str:
        return f"CAST({self.names[member]} AS INTEGER) = {int(held)}"

    def _one_hot(self, column: OneHotGroup, mask: int) -> list[str]:
        members = range(len(column.members))
        if not mask >> len(column.members) & 1:
            return [self._set(member) for member in cells_of(mask)]
        absent = [self._set(member, held=False) for member in members if not mask >> member & 1]
        return [absent[0] if len(absent) == 1 else "(" + " AND ".join(absent) + ")"]

    def _code_range(self, low: int, high: int) -> str:
        parts = [self._set(low - 1, held=False)] if low > 0 else []
        if high < len(self.names):
            parts.append(self._set(high))
        return parts[0] if len(parts) == 1 else "(" + " AND ".join(parts) + ")"

    def _group_invalid(self, column: GroupColumn) -> list[str]:
        bits = [f"CAST({name} AS INTEGER)" for name in self.names]
        wrong = [f"{bit} IS NULL OR {bit} NOT IN (0, 1)" for bit in bits]
        if isinstance(column, OneHotGroup):
            return [*wrong, f"{' + '.join(bits)} {'> 1' if column.none else '<> 1'}"]
        return [*wrong, *(f"{here} > {after}" for here, after in zip(bits, bits[1:]))]


def _values_in(column: OrderedColumn, mask: int) -> list[Category]:
    borders = [-1, *column.cuts, len(column.values) - 1]
    return [column.values[rank] for cell in cells_of(mask) for rank in range(borders[cell] + 1, borders[cell + 1] + 1)]
