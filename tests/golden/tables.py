"""Small tables made from a seed, one for each thing that a column or a target can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np
import polars as pl

Numbers = np.random.Generator
Target = np.ndarray
Frame = pl.DataFrame | np.ndarray

FIRST, LATER = 0, 99
"""The seeds of training rows and of the rows that questions are asked about."""

SEVERAL = ("gold", "silver", "bronze", "iron")


@dataclass(frozen=True)
class Table:
    """Rows to learn from, and others of the same kind to ask about."""

    X: Frame
    y: Target
    later: Frame


def ones(rng: Numbers, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Boolean columns without names."""
    X = rng.integers(0, 2, (count, 7))
    return X, 2 * (X[:, 0] & X[:, 1] | X[:, 2] & (1 - X[:, 3])) + (X[:, 4] | X[:, 5])


def mixed(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Numbers, whole numbers, categories and truths, two of the columns with missing values."""
    income, age = rng.normal(40, 15, count).round(2), rng.integers(18, 80, count)
    colour = rng.choice(["red", "green", "blue", "sand", "Zürich"], count, p=[0.3, 0.3, 0.2, 0.1, 0.1])
    member, late = rng.random(count) < 0.4, rng.poisson(1.2, count)
    gaps = rng.random((2, count)) < 0.08
    frame = pl.DataFrame(
        {
            "income": pl.Series([None if gap else value for gap, value in zip(gaps[0], income.tolist())]),
            "age": age,
            "colour": pl.Series([None if gap else value for gap, value in zip(gaps[1], colour.tolist())]),
            "member": member,
            "late": late,
        }
    )
    good = (income > 38) & (late < 2) & ~gaps[0] | member & (colour == "red")
    return frame, 2 * good + (age > 45)


def ring(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Numbers of which an interval counts."""
    values = rng.normal(size=(count, 3)).round(3)
    inside = (np.abs(values[:, 0]) < 0.7) & (np.abs(values[:, 1]) < 1)
    return pl.DataFrame(values, schema=["a", "b", "c"]), 2 * inside + (values[:, 2] > 0.3)


def times(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Dates, times, times in a zone and durations, two of them with missing values."""
    days, seconds, hours = (rng.integers(0, most, count) for most in (900, 10**6, 400))
    gaps = rng.random((2, count)) < 0.1
    start = datetime(2020, 1, 1)
    opened = [None if gap else date(2020, 1, 1) + timedelta(int(d)) for gap, d in zip(gaps[0], days)]
    logged = [start.replace(tzinfo=UTC) + timedelta(hours=int(h)) for h in hours]
    wait = [None if gap else timedelta(seconds=int(s)) for gap, s in zip(gaps[1], seconds)]
    frame = pl.DataFrame(
        {
            "opened": pl.Series(opened, dtype=pl.Date),
            "called": pl.Series([start + timedelta(seconds=int(s)) for s in seconds], dtype=pl.Datetime("us")),
            "logged": pl.Series(logged, dtype=pl.Datetime("us", "UTC")),
            "wait": pl.Series(wait, dtype=pl.Duration("us")),
        }
    )
    return frame, 2 * ((days > 400) & ~gaps[0] | (seconds < 300_000)) + (hours > 200)


def grades(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Ordered categories, a pair of words, whole numbers as categories, and 0/1 columns with missing values."""
    sizes, marks = ("small", "middle", "large", "huge"), ("a", "b", "c")
    size, mark, code, flag = (rng.integers(0, most, count) for most in (4, 3, 3, 2))
    gaps = rng.random(count) < 0.1
    frame = pl.DataFrame(
        {
            "size": pl.Series([None if gap else sizes[s] for gap, s in zip(gaps, size)], dtype=pl.Enum(sizes)),
            "mark": pl.Series([marks[m] for m in mark], dtype=pl.Enum(marks)),
            "side": pl.Series(np.where(rng.random(count) < 0.5, "left", "right")),
            "code": pl.Series([f"0{c + 1}" for c in code]),
            "flag": pl.Series([None if gap else int(f) for gap, f in zip(gaps[::-1], flag)], dtype=pl.Int64),
        }
    )
    good = (size >= 2) & ~gaps & (mark > 0) | (code == 1) & (flag == 1) & ~gaps[::-1]
    return frame, 2 * good + (mark == 2)


def coded(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """0/1 columns that are one column: a one-hot code, one that may be none, and an ordered code."""
    race, sex, priors = (rng.integers(0, most, count) for most in (4, 2, 4))
    age = rng.integers(18, 70, count)
    frame = pl.DataFrame(
        {
            **{f"race_{name}": (race == i).astype(int) for i, name in enumerate("abc")},
            **{name: (sex == i).astype(int) for i, name in enumerate(("female", "male"))},
            **{f"priors<{most}": (priors < most).astype(int) for most in (1, 2, 3)},
            "age": age,
        }
    )
    return frame, 2 * ((priors > 1) & (age < 40) | (race == 1) & (sex == 0)) + (age > 50)


GROUPS = {"race": ["race_a", "race_b", "race_c"], "sex": ["female", "male"]}
PRIORS = ["priors<1", "priors<2", "priors<3"]


def texts(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Everything as text: numbers with units and decimal commas, dates of another order, words for missing, an id."""
    weight, price, days, owns = (
        rng.integers(40, 120, count),
        rng.normal(5, 2, count).round(2),
        *(rng.integers(0, most, count) for most in (700, 2)),
    )
    gaps = rng.random(count) < 0.1
    moments = [date(2020, 1, 1) + timedelta(int(d)) for d in days]
    frame = pl.DataFrame(
        {
            "weight": ["NA" if gap else f"{w} kg" for gap, w in zip(gaps, weight)],
            "price": [f"{p:.2f}".replace(".", ",") for p in price],
            "day": [f"{m.day:02}/{m.month:02}/{m.year}" for m in moments],
            "owns": np.where(owns == 1, "yes", "no"),
            "id": [f"case {i}" for i in range(count)],
        }
    )
    return frame, 2 * ((weight > 80) & ~gaps & (owns == 1) | (price > 6)) + (days > 300)


HOSTILE = ("it's", 'say "hi"', "'; DROP TABLE rows; --", "</script>", "two\nlines", "back\\slash", "__proto__", "a & b")


def hostile(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Names and categories that other languages would read as something else."""
    values = rng.normal(size=(count, 3)).round(2)
    word = rng.choice(HOSTILE[:4], count)
    columns = {name: values[:, i] for i, name in enumerate(HOSTILE[:3])}
    frame = pl.DataFrame({**columns, "</script>": word, "__proto__": rng.random(count) < 0.5})
    return frame, 2 * ((values[:, 0] > 0) & (word != HOSTILE[0]) | (values[:, 1] > 1)) + (values[:, 2] > 0)


def groups(rng: Numbers, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """A column of groups that the target leans on."""
    group, score, years = rng.choice(["a", "b"], count), rng.normal(size=count).round(2), rng.integers(0, 10, count)
    shifted = score + 0.8 * (group == "a")
    frame = pl.DataFrame({"group": group, "score": shifted.round(2), "years": years, "flag": rng.random(count) < 0.3})
    return frame, 2 * ((shifted > 0.4) & (years > 2)) + (years > 7)


MAKERS: dict[str, Callable[[Numbers, int], tuple[Frame, np.ndarray]]] = {
    maker.__name__: maker for maker in (ones, mixed, ring, times, grades, coded, texts, hostile, groups)
}


def table(name: str, *, classes: int = 2, count: int = 150, noise: float = 0.1) -> Table:
    """Return a table with a target of two classes or more: the maker's good half, then its other half, then chance."""
    rng = np.random.default_rng([FIRST, sorted(MAKERS).index(name)])
    X, quarter = MAKERS[name](rng, count)
    later, _ = MAKERS[name](np.random.default_rng([LATER, sorted(MAKERS).index(name)]), 40)
    numbers = quarter // 2 if classes == 2 else np.minimum(quarter, classes - 1)
    flipped = rng.random(count) < noise
    numbers = np.where(flipped, rng.integers(0, classes, count), numbers)
    return Table(X, np.array(("no", "yes") if classes == 2 else SEVERAL)[numbers], later)
