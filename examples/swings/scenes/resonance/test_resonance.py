"""Check the settled swing against one computed in small steps of time, and against what is known of its peak."""

import itertools
import math

import numpy as np
import pytest

from loom.draw import bounds
from loom.scene import WIDTHS

from .model import QUALITIES, RATIOS, Swing, response
from .scene import SCENE


def stepped(ratio: float, quality: float, swings: int) -> np.ndarray:
    """A swing from rest by Runge and Kutta, one period of its pushes after many: where it is at 200 moments."""
    period = 2 * math.pi / ratio
    step = period / 200

    def change(state, time):
        place, speed = state
        return np.array([speed, math.cos(ratio * time) - place - speed / quality])

    state, time, last = np.zeros(2), 0.0, []
    for at in range(200 * (swings + 1)):
        if at >= 200 * swings:
            last.append(state[0])
        first = change(state, time)
        second = change(state + step / 2 * first, time + step / 2)
        third = change(state + step / 2 * second, time + step / 2)
        fourth = change(state + step * third, time + step)
        state, time = state + step / 6 * (first + 2 * second + 2 * third + fourth), time + step
    return np.array(last)


@pytest.mark.parametrize(("ratio", "quality"), [(0.5, 1.0), (1.0, 3.0), (1.26, 2.0), (2.0, 0.5)])
def test_settled_motion_is_that_of_a_swing_computed_in_small_steps(ratio, quality):
    found = stepped(ratio, quality, swings=20)
    swing = Swing(quality, ratio)
    phases = 2 * np.pi * np.arange(200) / 200
    assert found == pytest.approx((swing.answer * np.exp(1j * phases)).real, abs=2e-3 * swing.gain)


@pytest.mark.parametrize("quality", QUALITIES)
def test_at_its_own_frequency_it_goes_q_times_as_far_and_is_a_quarter_late(quality):
    swing = Swing(quality, 1.0)
    assert (swing.gain, swing.lag) == (pytest.approx(quality), pytest.approx(90))


@pytest.mark.parametrize("quality", [one for one in QUALITIES if one > 1 / math.sqrt(2)])
def test_peak_is_where_and_as_high_as_its_formula_says(quality):
    ratios = np.linspace(0.01, 2, 200_001)
    gains = abs(response(ratios, quality))
    assert ratios[gains.argmax()] == pytest.approx(math.sqrt(1 - 1 / (2 * quality**2)), abs=2e-4)
    assert gains.max() == pytest.approx(quality / math.sqrt(1 - 1 / (4 * quality**2)), rel=1e-6)


def test_lag_grows_with_frequency_from_0_to_180_degrees():
    lags = [Swing(5.0, ratio).lag for ratio in RATIOS]
    assert lags == sorted(lags) and lags[0] < 2 and lags[-1] > 178


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize(("quality", "ratio"), [(0.5, 0.1), (10.0, 1.0), (50.0, 1.0), (50.0, 10.0)])
def test_words_keep_apart_at_every_step(width, quality, ratio):
    for step in SCENE.run(quality=quality, ratio=ratio).steps:
        texts = [bounds(mark) for mark in SCENE.draw(step, width) if mark.tag == "text"]
        for one, other in itertools.combinations(texts, 2):
            wide, tall = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
            assert wide <= 0.5 or tall <= 2.5
