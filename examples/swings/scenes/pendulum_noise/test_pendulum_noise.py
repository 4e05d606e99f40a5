"""Check the pendulum against one computed in small steps of time, and the sums of readings against single ones."""

import itertools
import math

import numpy as np
import pytest

from loom.draw import bounds
from loom.scene import WIDTHS

from .model import COUNTS, ERRORS, GRAVITY, LENGTH, SPAN, WIDEST, Readings, period
from .scene import SCENE


@pytest.mark.parametrize(("angle", "longer"), [(30, 1.01741), (45, 1.03997), (60, 1.07318), (90, 1.18034)])
def test_period_is_that_of_the_source(angle, longer):
    # Denker, table 1: periods over that of a small swing
    assert period(np.array(angle)) / period(np.array(0)) == pytest.approx(longer, abs=5e-6)


@pytest.mark.parametrize("angle", [5.0, 40.0, 90.0])
def test_period_is_that_of_a_pendulum_computed_in_small_steps(angle):
    place, speed, step, time = math.radians(angle), 0.0, 1e-5, 0.0
    while place > 0:  # a quarter of the swing, by the leapfrog
        speed -= GRAVITY / LENGTH * math.sin(place) * step / 2
        place += speed * step
        speed -= GRAVITY / LENGTH * math.sin(place) * step / 2
        time += step
    assert period(np.array(angle)) == pytest.approx(4 * time, abs=1e-4)


@pytest.mark.parametrize(("count", "error"), [*itertools.product(COUNTS, ERRORS)])
def test_every_reading_is_counted_once_or_told_to_lie_outside(count, error):
    readings = Readings(count, error)
    assert readings.counts.sum() + readings.outside == count
    assert readings.shown <= count and len(readings.times) == count


def test_cells_count_what_lies_in_them():
    readings = Readings(5000, 100)
    rows, columns = readings.counts.shape
    high, wide = (SPAN[1] - SPAN[0]) / rows, WIDEST / columns
    for row, column in ((9, 3), (12, 30), (13, 17)):
        inside = [
            one for one, angle in zip(readings.times, readings.angles, strict=True)
            if SPAN[0] + row * high <= one < SPAN[0] + (row + 1) * high and column * wide <= angle < (column + 1) * wide
        ]  # fmt: skip
        assert readings.counts[row, column] == len(inside)


def test_fewer_readings_are_the_first_of_more():
    assert (Readings(50, 20).times == Readings(5000, 20).times[:50]).all()


def test_error_of_a_mean_falls_with_the_root_of_the_count_and_says_how_far_off_means_are():
    readings = Readings(5000, 100)
    assert sum(group.count for group in readings.groups) == 5000
    off = []
    for group in readings.groups:
        assert group.error == pytest.approx(0.1 / math.sqrt(group.count), rel=0.2)
        exact = period(np.linspace(group.middle - 5, group.middle + 5, 1001)).mean()
        off.append(abs(group.mean - exact) / group.error)
    assert max(off) < 3 and sum(one < 2 for one in off) >= 8


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize(("count", "error"), [(50, 20), (5000, 100), (5000, 200)])
def test_words_keep_apart_at_every_step(width, count, error):
    for step in SCENE.run(count=count, error=error).steps:
        texts = [bounds(mark) for mark in SCENE.draw(step, width) if mark.tag == "text"]
        for one, other in itertools.combinations(texts, 2):
            wide, tall = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
            assert wide <= 0.5 or tall <= 2.5
