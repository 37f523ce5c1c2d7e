import numpy as np
import pytest

from idnf.counting.contract import DistinctRows
from idnf.learning.local.jobs import AnnealJob, SearchProblem, run_job
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.tree_search import Shape
from idnf.learning.objective import cautious_objective, plain_objective
from idnf.learning.validation import validated

PLAIN, CAUTIOUS = 0, 1


def examples(noise):
    """One literal decides; the rest is noise. Or, without noise, six terms are needed."""
    generator = np.random.default_rng(3)
    features = np.unique(generator.random((240, 9)) < 0.5, axis=0)
    target = features[:, 0] ^ (generator.random(len(features)) < noise)
    if not noise:
        target = (features[:, :3].sum(axis=1) == 1) | (features[:, 3] & features[:, 4])
    return DistinctRows.of_two(features, target.astype(float), (~target).astype(float), True)


def chosen(rows, run):
    problem = SearchProblem(ExampleMasks(rows, np.random.default_rng(0)), tuple("abcdefghi"), 4, frozenset(range(18)))
    jobs = [AnnealJob(Shape(0, 4, (side,)), 0.0, 60, (0, int(side))) for side in (False, True)]
    return validated((plain_objective, cautious_objective), rows, problem, jobs, run)


def models(work):
    return [run_job(problem, job, lambda: False)[0] for problem, job in work]


@pytest.mark.parametrize(("noise", "expected"), [(0.3, CAUTIOUS), (0.0, PLAIN)])
def test_noise_calls_for_caution_and_a_long_rule_for_none(noise, expected):
    assert chosen(examples(noise), models) == expected


def test_work_cut_short_takes_the_last_objective():
    assert chosen(examples(0.0), lambda work: models(work[:1])) == CAUTIOUS


def test_parts_hold_every_example_twice_for_each_objective():
    rows, seen = examples(0.0), []

    def run(work):
        seen.extend(work)
        return []

    chosen(rows, run)
    parts = {id(problem.examples): problem.examples for problem, _ in seen}.values()
    assert len(parts) == 6
    assert sum(part.total for part in parts) == pytest.approx(2 * 2 * len(rows.features))
