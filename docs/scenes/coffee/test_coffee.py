"""Coffee: held against halves counted by hand, and against the rate that the curve must have."""

from __future__ import annotations

import numpy as np
import pytest

from .model import BEDTIME, CUP, HALF_LIVES, solve
from .scene import SCENE


def test_half_is_left_after_one_half_life_and_a_quarter_after_two():
    assert [solve(5.0).left(hours) for hours in (0, 5, 10, 15)] == [100, 50, 25, 12.5]


@pytest.mark.parametrize("half_life", HALF_LIVES)
def test_rate_is_the_natural_logarithm_of_two_over_the_half_life(half_life):
    hours, width = np.linspace(0.5, 15, 30), 1e-5
    slope = (solve(half_life).left(hours + width) - solve(half_life).left(hours - width)) / (2 * width)
    assert slope == pytest.approx(-np.log(2) / half_life * solve(half_life).left(hours), rel=1e-6)


@pytest.mark.parametrize("half_life", HALF_LIVES)
def test_last_step_says_what_the_value_says(half_life):
    run = SCENE.run(half_life=half_life)
    assert f"{run.values['left'].value:.0f} mg" in SCENE.say(run.steps[-1])
    assert run.values["left"].value == pytest.approx(CUP * 2 ** (-BEDTIME / half_life))
