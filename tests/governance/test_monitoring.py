"""Reasons over time: in memory row by row, and the same in every engine."""

from __future__ import annotations

import math
from collections import Counter
from datetime import date, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.engines import LAZY

from idnf import DNFBands, DNFClassifier, reporting
from idnf.governance import monitor
from idnf.governance.monitoring import Stability


def rows(count=300):
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "income": rng.normal(30, 10, count).round(1),
            "job": rng.choice(["clerk", "nurse", "smith", "new one"], count, p=[0.5, 0.3, 0.15, 0.05]),
            "late": rng.random(count) < 0.4,
            "decided": [date(2026, 1, 1) + timedelta(days=int(d)) for d in rng.integers(0, 90, count)],
        }
    )


@pytest.fixture(scope="module")
def clf():
    seen = rows().filter(pl.col("job") != "new one")[:150]
    y = (seen["income"] > 28) & ~seen["late"] | (seen["job"] == "nurse")
    return DNFClassifier(k=2, learner="greedy").fit(seen.drop("decided"), y.to_numpy())


def test_counts_and_indices_are_those_of_the_rows(clf):
    table = rows()
    found = monitor(clf, table, by="decided")
    months = [f"{day.year}-{day.month:02}" for day in table["decided"]]
    given = Counter(zip(months, [one.reason for one in clf.explain(table)]))
    assert found.periods == tuple(sorted(set(months)))
    for t, month in enumerate(found.periods):
        assert found.rows[t] == months.count(month)
        for r, reason in enumerate(found.reasons):
            assert found.counts[t, r] == given[month, reason]
            n, total = len(found.reasons), found.reference.sum()
            p = (given[month, reason] + 0.5) / (months.count(month) + 0.5 * n)
            q = (found.reference[r] + 0.5) / (total + 0.5 * n)
            assert found.index[t, r] == pytest.approx((p - q) * math.log(p / q))
    assert found.reference_name == "training"
    assert found.reference.sum() == 150
    if "job" in found.unlisted:
        listed = next(c for c in clf.fitted_.columns if c.name == "job").values
        fresh = [month for month, job in zip(months, table["job"]) if job not in listed]
        assert found.unlisted["job"].tolist() == [fresh.count(month) for month in found.periods]
    low, high = clf.fitted_.explainer.values[0].quantiles[0], clf.fitted_.explainer.values[0].quantiles[-1]
    far = [month for month, income in zip(months, table["income"]) if not low <= income <= high]
    assert found.outside["income"].tolist() == [far.count(month) for month in found.periods]


@pytest.mark.parametrize("engine", LAZY)
def test_every_engine_counts_alike(clf, engines, engine):
    expected = monitor(clf, rows(), by="decided").to_dict()
    assert monitor(clf, engines.table(engine, rows()), by="decided").to_dict() == expected


def test_rows_without_an_answer_are_left_out_in_memory_as_in_engines():
    policy = DNFClassifier.from_dnf("late", columns={"late": bool, "owner": bool}, classes=("no", "yes"))
    table = pl.DataFrame({"late": [True, None, False], "owner": [None, True, True], "m": ["1", "1", "2"]})
    found = monitor(policy, table, by="m")
    assert found.rows.tolist() == [1, 1]
    assert monitor(policy, table.lazy(), by="m").to_dict() == found.to_dict()
    assert monitor(policy, {"all": table}).rows.tolist() == [2]


def test_batches_have_names(clf):
    table = rows()
    found = monitor(clf, {"first": table[:100].to_pandas(), "second": table[100:]})
    assert found.periods == ("first", "second")
    assert found.rows.tolist() == [100, 200]


def test_periods_that_are_no_dates_and_years(clf):
    table = rows().with_columns(batch=pl.Series(["x", None, "z"] * 100))
    assert monitor(clf, table, by="batch").periods == ("missing", "x", "z")
    assert monitor(clf, table, by="decided", every="year").periods == ("2026",)


def test_blanks_around_a_period_do_not_count_and_only_what_moved_is_said_to():
    policy = DNFClassifier.from_dnf("late | owner", classes=("no", "yes"))
    late = pd.DataFrame({"late": [True] * 6, "owner": [False] * 6, "m": ["1", " 1", "1 ", "2", "2", "2\t"]})
    found = monitor(policy, late, by="m")
    assert found.periods == ("1", "2")
    assert found.rows.tolist() == [3, 3]
    assert "moved most" not in str(found)
    fewer = monitor(policy, {"then": late[:5], "now": late[:1]})
    assert fewer.totals[1] > 0
    assert "moved most" not in str(fewer)


def test_a_policy_is_compared_with_its_first_period():
    policy = DNFClassifier.from_dnf("late", classes=("no", "yes"))
    table = pd.DataFrame({"late": [True, False, True, True], "m": ["1", "1", "2", "2"]})
    found = monitor(policy, table, by="m")
    assert found.reference_name == "1"
    assert found.totals[0] == 0
    assert found.totals[1] > 0
    assert found.finding == "The reasons given moved no more from 1 than chance, in 2 periods."


def test_the_finding_names_the_periods_that_moved_and_what_moved_most():
    then, many = np.array([500.0, 500.0]), np.array([[50, 50], [95, 5], *[[10, 90]] * 6])
    periods = tuple("abcdefgh")
    found = Stability(periods, ("a1", "b1"), {}, many, then, "training", {}, {}, named="band").finding
    assert found.startswith("Moved by more than chance from training: b (b1 from 50.0% to 5.0%), c (a1 from 50.0%")
    assert found.endswith(" and 2 more. No more than chance: 1 of 8 periods.")


def test_the_page_has_every_reason(clf, tmp_path):
    found = monitor(clf, rows(), by="decided")
    found.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert all(f">{reason}</td>" in page for reason in found.reasons)
    assert page.count("<svg") == 1
    # What was found stands first.
    assert page.index(found.finding) < page.index("<svg") < page.index("population stability index")
    assert (
        f"| {found.periods[0]} | {found.totals[0]:.3g} | {found.limits[0]:.3g} |" in found.sections()[0].to_markdown()
    )


def test_the_report_takes_it_as_sections(clf, tmp_path):
    found, table = monitor(clf, rows(), by="decided"), rows().drop("decided")
    labels = clf.predict(table)
    reporting.to_html(clf, tmp_path / "page.html", table, labels, sections=found.sections())
    page = (tmp_path / "page.html").read_text("utf-8")
    for number, section in enumerate(found.sections(), 1):
        assert f'<h2 id="h-further-{number}">{section.heading}</h2>' in page
        assert f'<a href="#h-further-{number}">{section.heading}</a>' in page


def test_bad_input_is_refused(clf):
    with pytest.raises(ValueError, match="by must name a column of the table .*; got 'when'"):
        monitor(clf, rows(), by="when")
    with pytest.raises(ValueError, match="by must name the column of periods"):
        monitor(clf, rows())
    with pytest.raises(ValueError, match="by must be left out for batches"):
        monitor(clf, {"a": rows()}, by="decided")
    with pytest.raises(ValueError, match='every must be "month" or "year"; got'):
        monitor(clf, rows(), by="decided", every="day")
    with pytest.raises(TypeError, match="X must be a table with names, or a lazy table; got an array"):
        monitor(clf, np.zeros((2, 3)), by="decided")


def test_chance_alone_is_not_called_a_shift():
    rng = np.random.default_rng(1)
    share = np.full(14, 1 / 14)
    for rows_each in (50, 200):
        then, now = rng.multinomial(1000, share).astype(float), rng.multinomial(rows_each, share, size=2000)
        names = tuple(f"a{r}" for r in range(14))
        made = Stability(tuple(map(str, range(2000))), names, {}, now, then, "training", {}, {})
        assert made.expected[0] == pytest.approx(13 * (1 / rows_each + 1 / 1000))
        assert made.totals.mean() == pytest.approx(made.expected[0], rel=0.25)
        assert (made.totals > made.limits).mean() < 0.1
        moved = rng.multinomial(rows_each, np.r_[0.5, np.full(13, 0.5 / 13)], size=100)
        shifted = Stability(tuple(map(str, range(100))), names, {}, moved, then, "training", {}, {})
        assert (shifted.totals > shifted.limits).all()
        assert "more than chance, which gives" in shifted.to_text()


def test_bands_are_counted_by_period_in_memory_and_in_an_engine():
    table = rows().with_columns(pl.Series("risk", np.random.default_rng(0).random(300)))
    y = (
        table["risk"] < 0.1 + 0.5 * table["late"].cast(pl.Int8) + 0.3 * (table["income"] < 25).cast(pl.Int8)
    ).to_numpy()
    X = table.drop("risk")
    bands = DNFBands(k=2, boundaries=[0.3, 0.6], effort=0.05).fit(X.drop("decided"), y)
    found = monitor(bands, X, by="decided")
    months = [f"{day.year}-{day.month:02}" for day in X["decided"]]
    given = Counter(zip(months, bands.explain(X).columns()["name"]))
    assert found.reasons == ("band 0", "band 1", "band 2")
    assert found.counts.tolist() == [[given[month, name] for name in found.reasons] for month in found.periods]
    assert found.reference.tolist() == bands.bands_.columns()["rows"]
    assert found.to_text().startswith("Bands by period, compared with training.")
    assert set(found.to_dict()["periods"][0]["bands"]) == set(found.reasons)
    lazily = monitor(bands, X.lazy(), by="decided")
    assert lazily.counts.tolist() == found.counts.tolist()
    assert {name: part.tolist() for name, part in lazily.outside.items()} == {
        name: part.tolist() for name, part in found.outside.items()
    }


def test_periods_are_the_same_text_whatever_library_the_table_is_of():
    policy = DNFClassifier.from_dnf("late", classes=("no", "yes"))
    days = pd.to_datetime(["2024-01-31T23:30:00Z", None, "1999-12-31T00:00:00Z"])
    said = {
        "day": (days.tz_localize(None), {"1999-12", "2024-01", "missing"}),
        "zoned": (days.tz_convert("America/New_York"), {"1999-12", "2024-01", "missing"}),
        "number": ([1.5, np.nan, 2.0], {"1.5", "missing", "2.0"}),
        "text": (pd.Series(["a", None, " b"], dtype=object), {"a", "missing", "b"}),
        "truth": (pd.Series([True, None, False], dtype=object), {"true", "missing", "false"}),
        "batch": (pd.Categorical(["x", None, "y"]), {"x", "missing", "y"}),
        "whole": (pd.array([1, None, 2], dtype="Int64"), {"1", "missing", "2"}),
    }
    table = pd.DataFrame({"late": [True, False, True]} | {name: values for name, (values, _) in said.items()})
    for name, (_, periods) in said.items():
        for rows in (table, pl.from_pandas(table), pl.from_pandas(table).lazy()):
            assert set(monitor(policy, rows, by=name).periods) == periods, (name, type(rows))


def test_batches_of_one_name_are_refused():
    policy = DNFClassifier.from_dnf("late", classes=("no", "yes"))
    late = pd.DataFrame({"late": [True]})
    with pytest.raises(ValueError, match="X must have different names for its batches as text; got 1, '1'"):
        monitor(policy, {1: late, "1": late})
