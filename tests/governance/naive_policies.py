"""Twenty decision tables, and a reader of them by brute force: it shares no code with the library."""

from __future__ import annotations

import datetime
import itertools
import re
from dataclasses import dataclass

LESS = 1e-6


@dataclass(frozen=True)
class Table:
    """A decision table: hit policy, input names with their kinds, outcome name, rules; what columns may hold."""

    name: str
    hit: str
    inputs: tuple
    rules: tuple
    otherwise: object = None
    allowed: dict | None = None


def t(name, hit, inputs, *rules, otherwise=None, allowed=None):
    """A table from words: inputs as "age:number", rules as tuples of cells with the outcome last."""
    columns = tuple(tuple(each.split(":")) for each in inputs.split("|"))
    return Table(name, hit, columns, tuple(tuple(rule.split("|")) for rule in rules), otherwise, allowed or {})


TABLES = (
    t("complete", "U", "age:number", "< 18|no", ">= 18|yes"),
    t("gapped", "U", "age:number", "< 18|no", "> 18|yes"),
    t("overlapping", "U", "age:number", "<= 18|no", ">= 18|yes"),
    t("same outcome twice", "U", "age:number", "<= 18|no", "[18..20]|no", "> 20|yes"),
    t("any agrees", "A", "age:number|late:boolean", "< 30|-|no", "-|true|no", ">= 30|false|yes"),
    t("any disagrees", "A", "age:number|late:boolean", "< 30|-|no", "-|true|yes", ">= 30|false|yes"),
    t("first", "F", "age:number|late:boolean", "-|true|no", "< 18|-|no", "-|-|yes"),
    t("first, never", "F", "age:number", "< 30|no", "[10..20]|yes", ">= 30|yes"),
    t("first, gap", "F", "age:number|job:text", '< 30|"nurse"|a', '-|"clerk"|b', ">= 40|-|c"),
    t("open and closed", "U", "x:number", "< 0|a", "[0..1)|b", "[1..2]|c", "]2..3[|d", ">= 3|e"),
    t("whole numbers", "U", "age:integer", "[0..17]|child", "[18..64]|adult", ">= 65|old", "< 0|none"),
    t("numbers with holes", "U", "age:number", "[0..17]|child", "[18..64]|adult", ">= 65|old", "< 0|none"),
    t("lists", "U", "job:text", '"nurse","clerk"|a', '"cook"|b', 'not("nurse","clerk","cook")|c'),
    t("list, closed", "U", "job:text", '"nurse","clerk"|a', '"cook"|b', allowed={"job": ("nurse", "clerk", "cook")}),
    t("list of numbers", "F", "rooms:integer|late:boolean", "1,2|-|small", "not(1,2)|false|large", "-|true|late"),
    t("negated", "A", "x:number|y:number", "not(< 1)|-|a", "< 1|[1..2]|a", "< 1|not([1..2])|b"),
    t("dates", "U", "opened:date", '< date("2024-01-01")|old', '>= date("2024-01-01")|new'),
    t(
        "dates with a gap",
        "U",
        "opened:date|late:boolean",
        '< date("2024-01-01")|-|old',
        '[date("2024-01-02")..date("2024-12-31")]|false|new',
        '> date("2024-06-30")|true|late',
    ),
    t("otherwise", "U", "age:number|job:text", '< 18|"nurse"|a', ">= 65|-|b", otherwise="c"),
    t(
        "three columns",
        "U",
        "debt:number|income:number|late:boolean",
        "> 10|-|true|no",
        "> 10|< 20|false|no",
        "> 10|>= 20|false|yes",
        "<= 10|-|-|yes",
        "[5..7]|> 50|-|best",
    ),
)


def value(text):
    """The value that a cell writes."""
    text = text.strip()
    if text.startswith("date("):
        return datetime.date.fromisoformat(text[6:-2])
    if text.startswith('"'):
        return text[1:-1]
    return text == "true" if text in ("true", "false") else float(text)


def holds(cell, v):
    """Whether a value meets the tests of a cell."""
    cell = cell.strip()
    if cell == "-":
        return True
    if cell.startswith("not("):
        return not holds(cell[4:-1], v)
    interval = re.fullmatch(r"([\[\](])(.+)\.\.(.+)([\])\[])", cell)
    if interval:
        low, high = value(interval[2]), value(interval[3])
        above = v >= low if interval[1] == "[" else v > low
        return above and (v <= high if interval[4] == "]" else v < high)
    if "," in cell:
        return any(holds(part, v) for part in cell.split(","))
    for sign in ("<=", ">=", "<", ">"):
        if cell.startswith(sign):
            limit = value(cell[len(sign) :])
            return {"<": v < limit, "<=": v <= limit, ">": v > limit, ">=": v >= limit}[sign]
    return v == value(cell)


def probes(table, place):
    """Values of an input that its cells tell apart: those written, beside them and between them."""
    name, kind = table.inputs[place]
    if kind == "boolean":
        return [False, True]
    written = [
        re.findall(r'date\("[^"]*"\)|"[^"]*"|-?[0-9.]*[0-9]', rule[place].replace("..", " .. ")) for rule in table.rules
    ]
    values = sorted({value(text) for texts in written for text in texts})
    if kind == "text":
        return list(table.allowed[name]) if name in table.allowed else [*values, "someone else"]
    if kind == "date":
        day = datetime.timedelta(days=1)
        return sorted({v + step for v in values for step in (-day, 0 * day, day)})
    if kind == "integer":
        return sorted({v + step for v in values for step in (-1, 0, 1)})
    middle = [(a + b) / 2 for a, b in itertools.pairwise(values)]
    return sorted({*values, *middle, *(v + step for v in values for step in (-LESS, LESS, -1, 1))})


@dataclass(frozen=True)
class Findings:
    """What brute force finds: rules that meet, by their places; rows without an outcome; rules that never decide; k."""

    meetings: set
    contradictions: set
    gap: bool
    idle: set
    sizes: dict
    outcomes: dict


def audit(table):
    """Every row of probes, decided rule by rule."""
    rows = list(itertools.product(*(probes(table, place) for place in range(len(table.inputs)))))
    met = {row: [i for i, rule in enumerate(table.rules) if all(map(holds, rule[:-1], row))] for row in rows}
    labels = [rule[-1] for rule in table.rules]
    pairs = {pair for held in met.values() for pair in itertools.combinations(held, 2)}
    torn = set() if table.hit == "F" else {(i, j) for i, j in pairs if labels[i] != labels[j]}
    outcome = {}
    for row, held in met.items():
        given = {labels[i] for i in (held[:1] if table.hit == "F" else held)} or {table.otherwise}
        outcome[row] = given.pop() if len(given) == 1 else None
    deciding = {i for held in met.values() for i in (held[:1] if table.hit == "F" else held)}
    sizes = {}
    for row, label in outcome.items():
        if label is not None:
            sizes[label] = max(sizes.get(label, 0), shortest(outcome, row))
    idle = set(range(len(labels))) - deciding
    gap = table.otherwise is None and any(not held for held in met.values())
    return Findings(pairs, torn, gap, idle, sizes, outcome)


def shortest(outcome, row):
    """The fewest columns whose values alone give the outcome of a row."""
    for size in range(len(row) + 1):
        for columns in itertools.combinations(range(len(row)), size):
            alike = (other for other in outcome if all(other[j] == row[j] for j in columns))
            if all(outcome[other] == outcome[row] for other in alike):
                return size
    raise AssertionError("all columns give the outcome")
