"""Bands of generated tables against brute force over all points, and the same band in every engine and export."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.adversary.plain_model import PlainModel, World
from tests.adversary.tally import count
from tests.adversary.test_questions import MOST_POINTS, frame, random_table
from tests.engines import LAZY
from tests.exporting.cases import Case
from tests.exporting.databases import database
from tests.exporting.test_javascript import node
from tests.exporting.test_onnx import answers as onnx_labels
from tests.strategies import seeds

from idnf import DNFBands, exporting

__all__ = ["database", "node"]
pytestmark = pytest.mark.filterwarnings("ignore::idnf.TableWarning")


def random_bands(seed: int, folder: Path) -> tuple[DNFBands, World]:
    """Bands of two labels or of three in order, and all points of their file."""
    rng, generator = random.Random(seed), np.random.default_rng(seed)
    table, levels = random_table(rng), rng.choice([2, 2, 3])
    codes = np.column_stack([table[name].astype("category").cat.codes for name in table])
    ranks = (codes * generator.choice([-2, 1, 2, 3], codes.shape[1])).sum(axis=1) + generator.normal(0, 1, len(table))
    y = np.digitize(ranks, np.quantile(ranks, [0.4, 0.8][: levels - 1]))
    boundaries = sorted(rng.sample([0.1, 0.3, 0.5, 0.7, 0.9], rng.randint(1, 3))) if levels == 2 else None
    bands = DNFBands(rng.randint(1, 3), boundaries=boundaries, tune=False, effort=0.1, random_state=seed)
    bands.set_params(order=range(levels)).fit(table, y)
    path = folder / "bands.json"
    exporting.to_json(bands, path)
    return exporting.from_json(path), World(*PlainModel.of_bands(path.read_text("utf-8")))


def sum_of(world: World) -> np.ndarray:
    """The band of each point: how many boundaries it passes."""
    return np.sum(world.each, axis=0)


def test_bands_and_their_reasons_are_what_brute_force_says(rounds, tmp_path: Path) -> None:
    for seed in rounds(5, 400):
        bands, world = random_bands(seed, tmp_path)
        if len(world.points) > MOST_POINTS:
            continue
        passed, expected = np.array(world.each), sum_of(world)
        assert (passed[1:] <= passed[:-1]).all(), "every boundary lies within the one before"
        assert bands.band(frame(world)).tolist() == expected.tolist(), seed
        count("points put in bands, over all cells of their models", len(expected))
        chosen = random.Random(seed).sample(range(len(expected)), min(15, len(expected)))
        for place, why in zip(chosen, bands.explain(frame(world).iloc[chosen]), strict=True):
            own = int(expected[place])
            for boundary, one in ((own - 1, why.at_least), (own, why.below)):
                assert (one is not None) == (0 <= boundary < len(passed))
                if one is not None:
                    conditions = {c["column"]: c["condition"] for c in one.to_dict()["axp"]}
                    met = world.meeting(conditions)
                    assert place in met
                    assert len(conditions) <= bands.k
                    assert set(passed[boundary][met]) == {boundary < own}, (seed, conditions)
                    count("reasons of bands: hold, no longer than k, leave no other side of the boundary")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """Bands, all points of their files, and the band of each."""
    made = [random_bands(3000 + seed, tmp_path_factory.mktemp("bands")) for seed in seeds(2, 30)]
    return [
        Case(bands, {name: [p[name] for p in world.points] for name in world.points[0]}, sum_of(world).tolist())
        for bands, world in made
        if len(world.points) <= MOST_POINTS
    ]


def tell(where: str, case: Case) -> None:
    count(f"rows in bands: {where}", len(case.labels))


def test_bands_in_databases_by_exported_queries(many, database) -> None:
    dialect, ask = database
    for case in many:
        assert [row[0] for row in ask(case, exporting.to_sql(case.clf, dialect=dialect, table="rows"))] == case.labels
        tell(f"SQL in {dialect}", case)


def test_bands_in_programs(many, node) -> None:
    for case in many:
        module: dict = {}
        exec(exporting.to_python(case.clf), module)
        assert [module["predict"](row) for row in case.each()] == case.labels
        assert node(exporting.to_javascript(case.clf), "predict", list(case.each())) == case.labels
        tell("Python and JavaScript", case)


def test_bands_in_onnx(many) -> None:
    for case in many:
        assert onnx_labels(case.clf, case.frame) == case.labels
        tell("ONNX", case)


@pytest.mark.parametrize("engine", LAZY)
def test_bands_of_lazy_tables(many, engines, engine) -> None:
    for case in many[: len(seeds(1, 3)) if engine == "spark" else None]:
        # Not every engine has a type for categories in order: as text they are read alike.
        frame = case.frame.with_columns(pl.col(pl.Enum).cast(pl.String)).with_row_index("place")
        table = engines.table(engine, frame.cast({"place": pl.Int64}))
        assert engines.collected(engine, case.clf.band(table)).sort("place")["band"].to_list() == case.labels
        tell(engine, case)
