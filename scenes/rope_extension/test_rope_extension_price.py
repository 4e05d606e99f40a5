"""Check how the price of a method is drawn: one token's turn on all clocks, and on the first of each method."""

import math

import pytest

from loom.scene import WIDTHS
from scenes.rope_extension.drawing import FACTORS
from scenes.rope_extension.rotary import rotary
from scenes.rope_extension.scene import BASES, SCENE

METHODS = ("interpolation", "ntk-aware", "yarn")


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def extended(**params):
    return next(one for one in SCENE.run(**params).chapters if one.name == "extended").states


def lines(mark):
    """The lines of a path, as points."""
    found = mark.shape["d"].replace("Z", "").replace("L", " ").split("M")[1:]
    numbers = [[float(one) for one in line.split()] for line in found]
    return [[*zip(line[::2], line[1::2], strict=True)] for line in numbers]


def turned(line):
    """The angle of a hand, clockwise from the top."""
    (x, y), (tip, top) = line
    return math.atan2(tip - x, y - top)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("factor", [2, 8, 32])
def test_hands_go_from_one_token_s_turn_in_training_to_that_under_the_method(method, factor, width):
    model = rotary(BASES[0], method, factor)
    for state, theta in zip(extended(method=method, factor=factor), (model.theta, model.new_theta), strict=True):
        hands = lines(marks(state, width)["hands"])
        assert [turned(hand) for hand in hands] == pytest.approx(theta.tolist(), abs=0.12)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("factor", FACTORS)
def test_first_clock_of_each_method_is_red_where_neighbours_come_closer(factor, width):
    drawn = marks(extended(factor=factor)[-1], width)
    for method in METHODS:
        angle, (rim, *_) = float(rotary(BASES[0], method, factor).new_theta[0]), lines(drawn[f"slice-{method}"])
        ends = [point for point in rim[1:] if point != rim[0]]
        assert turned([rim[0], ends[-1]]) == pytest.approx(angle, abs=0.06) and turned([rim[0], ends[0]]) == 0
        assert drawn[f"slice-{method}"].role.startswith("work" if angle == 1 else "dropped")
        circle = drawn[f"clock-{method}"].shape
        assert (circle["cx"], circle["cy"]) == pytest.approx(rim[0], abs=0.1)


def test_wall_says_what_its_hands_show():
    assert [marks(state)["pairs"].text.split(", ")[1] for state in SCENE.run().steps] == [
        *["each slower than the last"] * 2,
        *["their hands one token on"] * 2,
    ]
