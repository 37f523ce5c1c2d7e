"""In a fold, groups are made of the examples that it shows alone."""

from __future__ import annotations

import numpy as np
import polars as pl
from tests.tables import naive_groups

from idnf import DNFBands, DNFClassifier, TableBinariser
from idnf.classifier.value_codes import value_folds
from idnf.columns.raw import RawTable, read_values


def table(seed, shops=20, n=400):
    rng = np.random.default_rng(seed)
    shop, late = rng.integers(0, shops, n), rng.random(n) < 0.3
    y = (rng.random(n) < np.where(shop < 6, 0.8, 0.2)) * 1
    return [f"s{i}" for i in shop], late, y


def folds_of(seed, missing=False):
    shop, late, y = table(seed)
    if missing:
        shop[3] = None
    X = pl.DataFrame({"shop": shop, "late": late})
    binariser = TableBinariser(max_literals_per_column=3 if missing else 1).fit(X, y)
    weights = np.eye(2)[y]
    raws = {name: read_values(name, X[name].to_list()) for name in X.columns}
    return shop, y, binariser, value_folds(binariser.columns_, RawTable(raws), binariser.features_of, weights)


def test_groups_of_a_fold_are_made_without_what_it_holds_out():
    for seed in range(5):
        shop, y, binariser, folds = folds_of(seed)
        names = [value for group in binariser.columns_[0].groups for value in group]
        # Every third row of shop 1 and all of shop 2 are held out.
        held_shops = [names[code] == "s1" or names[code] == "s2" for code in folds.codes[:, 0].tolist()]
        held = folds.rows.weights * np.array(held_shops)[:, np.newaxis]
        made = folds.without(held)
        shown = [(v, label) for v, label in zip(shop, y.tolist()) if v not in ("s1", "s2")]
        wanted = naive_groups.sides(names, *map(list, zip(*shown)))
        masks = [literal.mask for literal in binariser.columns_[0].literals]
        assert len(masks) == 1
        # The literal holds in the upper group or, if values never seen are taken to lie there, in the lower.
        for code, held_there in zip(folds.codes[:, 0].tolist(), made.features[:, 0].tolist()):
            assert held_there == (wanted[names[code]] == (masks[0] == 0b10))
        np.testing.assert_array_equal(made.features[:, 1], folds.rows.features[:, 1])


def test_nothing_held_out_gives_the_features_of_the_table():
    for missing in (False, True):
        for seed in range(5):
            *_, folds = folds_of(seed, missing)
            made = folds.without(np.zeros_like(folds.rows.weights))
            np.testing.assert_array_equal(made.features, folds.rows.features)


def test_a_noisy_column_does_not_look_like_signal_to_a_fold():
    rng = np.random.default_rng(1)
    shop, y = rng.integers(0, 300, 4000), (rng.random(4000) < 0.4) * 1
    X = pl.DataFrame({"shop": [f"s{i}" for i in shop], "a": rng.random(4000)})
    clf = DNFClassifier(2).fit(X, y)
    assert "shop" not in clf.to_text()


def test_bands_and_classes_learn_from_groups():
    rng = np.random.default_rng(2)
    shop, late = rng.integers(0, 60, 3000), rng.random(3000) < 0.5
    X = pl.DataFrame({"shop": [f"s{i}" for i in shop], "late": late})
    level = np.array(["high", "low", "mid"])[np.where(rng.random(3000) < 0.05, 1, shop % 3)]
    several = DNFClassifier(2).fit(X, level)
    assert several.score(X, level) > 0.93
    bands = DNFBands(2).fit(X, np.where((shop < 20) & late, "yes", "no"))
    assert "shop" in bands.to_text()
    ordered = DNFBands(2, order=["low", "mid", "high"]).fit(X, level)
    assert ordered.verify()


def test_some_features_of_folds_keep_the_groups_that_are_whole():
    shop, late, y = table(3)
    X = pl.DataFrame({"late": late, "shop": shop, "other": [f"o{i}" for i in np.arange(400) // 20 % 20]})
    X = X.with_columns(other=pl.when(pl.Series(y == 1)).then(pl.lit("o1")).otherwise("other"))
    binariser = TableBinariser(max_literals_per_column=2).fit(X, y)
    raws = {name: read_values(name, X[name].to_list()) for name in X.columns}
    folds = value_folds(binariser.columns_, RawTable(raws), binariser.features_of, np.eye(2)[y])
    shops = [j for j, name in enumerate(binariser.literals_) if name.startswith("shop")]
    others = [j for j, name in enumerate(binariser.literals_) if name.startswith("other")]
    assert min(len(shops), len(others)) > 0
    held = folds.rows.weights * (np.arange(len(folds.codes)) % 3 == 0)[:, np.newaxis]
    kept = [*others, 0]
    part = folds.over(kept)
    assert [one.column.name for one in part.columns] == ["other"]
    np.testing.assert_array_equal(part.without(held).features, folds.without(held).features[:, kept])


def test_the_price_of_noise_is_never_below_the_least():
    rng = np.random.default_rng(4)
    shop, y = rng.integers(0, 100, 2000), rng.random(2000)
    X = pl.DataFrame({"shop": [f"s{i}" for i in shop], "late": rng.random(2000) < 0.5})
    clf = DNFClassifier(2).fit(X, y < np.where(shop < 30, 0.7, 0.3))
    # All points of two groups by two truths are seen; the groups are guessed all the same.
    assert clf.path_ is not None
    assert all(point.price >= 0 for point in clf.path_.points)
