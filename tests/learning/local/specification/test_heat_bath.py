import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.learning.local.schedules import SMALLEST_PART, Schedule
from idnf.learning.local.specification.heat_bath import RANGE, HeatBath, RandomStream


@pytest.mark.parametrize(("temperature", "least"), [(0, 1.0), (100, 0.6), (10_000, 0.3)])
def test_a_heat_bath_prefers_better_values_the_colder_it_is(temperature, least):
    bath = HeatBath(RandomStream(0))
    bath.temperature = temperature
    drawn = [bath.choose(np.array([0, 200, 100])) for _ in range(1000)]
    expected = np.exp(200 / temperature) / sum(np.exp(100 * np.arange(3) / temperature)) if temperature else 1.0
    assert abs(drawn.count(1) / 1000 - expected) < 0.05
    assert drawn.count(1) / 1000 >= least


def test_equal_values_are_drawn_equally_often():
    bath = HeatBath(RandomStream(3))
    drawn = [bath.choose(np.array([5, 1, 5, 5])) for _ in range(3000)]
    assert drawn.count(1) == 0
    assert all(abs(drawn.count(place) / 3000 - 1 / 3) < 0.04 for place in (0, 2, 3))


@given(
    st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=50), st.integers(0, 2**30), st.integers(0, 2**64 - 1)
)
def test_nothing_far_from_the_best_is_drawn(values, temperature, seed):
    bath = HeatBath(RandomStream(seed))
    bath.temperature = temperature
    assert max(values) - values[bath.choose(np.array(values))] <= RANGE * temperature


def test_the_stream_is_splitmix64():
    # The first outputs for seed 1234567 as published with the reference implementation (Vigna, prng.di.unimi.it).
    stream = RandomStream(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [stream.bits() for _ in range(4)] == expected


@given(st.integers(0, 2**64 - 1), st.integers(1, 30))
def test_a_permutation_holds_every_number_once(seed, count):
    assert sorted(RandomStream(seed).permutation(count)) == list(range(count))


@given(st.lists(st.integers(0, 2**30), min_size=1, max_size=20).filter(any), st.integers(0, 2**64 - 1))
def test_what_weighs_nothing_is_not_drawn(weights, seed):
    assert weights[RandomStream(seed).place(np.array(weights))] > 0


def test_temperatures_fall_and_are_whole():
    found = Schedule.cooling(1000.0, 10.0, 50, size=7).temperatures
    assert list(found) == sorted(found, reverse=True)
    assert (found[0], found[-1]) == (1000, 10)
    assert len(Schedule.cooling(5, 1, 0, size=7).temperatures) == 1
    assert min(Schedule.cooling(0.5, 0.1, 3, size=7).temperatures) == 1


@given(st.integers(1, 10**6), st.integers(1, 300), st.integers(0, 5))
def test_the_part_of_the_examples_grows_to_all(size, steps, last):
    found = Schedule.cooling(8, 2, steps, size=size, last=last)
    assert list(found.sizes) == sorted(found.sizes)
    assert len(found.sizes) == len(found.temperatures) == steps + last
    assert found.sizes[-1] == size
    assert found.sizes[0] >= min(size, SMALLEST_PART)
    assert all(part % 64 == 0 for part in found.sizes if part < size)
