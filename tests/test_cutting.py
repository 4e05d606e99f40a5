"""What is drawn at the edges of a plot: the last digit of a float cuts nothing away, and nothing is drawn beyond."""

from __future__ import annotations

import math

import numpy as np
import pytest

from loom.draw import Axis, Box, Pen, Plot, contours, quiver
from loom.expected import Mistaken

PEN = Pen(328)
BOX, LINEAR, CUT = Box(10, 20, 200, 100), Axis("x"), Axis("y", clip=True)


def plot(box=BOX, x=LINEAR, y=CUT):
    return Plot(PEN, box, x, y)


@pytest.mark.parametrize("log", [False, True])
def test_what_is_the_most_of_its_axis_is_drawn_in_every_box(log):
    tops, heights = np.linspace(10, 40, 40), np.linspace(100, 103, 40)
    top = Axis("y", span=(0.3, 7), log=log, clip=True)
    for box in (Box(10, float(y), 200, float(height)) for y in tops for height in heights):
        one = plot(box, y=top)
        assert one.curve("c", [0, 1], [7, 7]).shape["d"].count("L") == 1
        assert one.scatter("d", [0.5], [7]).shape["d"].count("Z") == 1


@pytest.mark.parametrize("shape", ["area", "curve", "stairs", "scatter"])
def test_what_lies_wholly_outside_is_a_path_of_nothing(shape):
    ys = [[-3, -4], [-5, -5]] if shape == "area" else [[-3, -4]]
    assert getattr(plot(), shape)("a", [0, 1], *ys).shape["d"] in ("M0 0", "M0 0 0 0Z")
    nothing = getattr(plot(y=Axis("y")), shape)("a", [], [])
    assert nothing.shape["d"] in ("M0 0", "M0 0 0 0Z")  # not "MZ", which browsers refuse


def test_arrows_whose_places_are_outside_are_left_out():
    wide = plot(x=Axis("x", clip=True))
    d = quiver(wide, "q", [0.5, 5, -2], [0.5, 0.5, 0.5], [1, 1, 1], [0, 0, 0], maximum=1, reach=20).shape["d"]
    assert d.startswith("M100 70L120 70") and d.count("M") == 1


def test_arrow_without_a_number_is_no_dot():
    with pytest.raises(Mistaken, match=r"the quiver 'q' has a number that is not finite: u\[0\] of 1 is nan"):
        quiver(plot(), "q", [0.5], [0.5], [math.nan], [1], maximum=1, reach=20)


@pytest.mark.parametrize("span", [(1, 0), (0, math.nan), (0, math.inf)])
@pytest.mark.parametrize("clip", [False, True])
def test_axis_that_leads_nowhere_is_refused(span, clip):
    axis = Axis("y", span=span, clip=clip)
    for asked in (lambda: axis.normalize_all([0.5]), axis.tick_values, lambda: [*plot(y=axis).axes()]):
        with pytest.raises(Mistaken, match="the axis 'y' goes from"):
            asked()


def test_axis_below_zero_has_its_last_tick():
    assert Axis("x", span=(-10, -2)).tick_values() == [-10, -8, -6, -4, -2]


def test_line_of_equal_height_does_not_cross_what_has_no_number():
    across = [[0.0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    (whole,) = contours(plot(), "c", across, [0.5])
    across[2][0] = math.nan
    (parted,) = contours(plot(), "c", across, [0.5])
    assert whole.shape["d"] == "M60 20L60 120"
    assert sorted(parted.shape["d"].split("M")) == ["", "60 20L60 45", "60 95L60 120"]


@pytest.mark.parametrize(("drawn", "length"), [(0.125, 25), (0.25, 50), (0.5, 100), (0.75, 100)])
def test_line_that_is_cut_grows_along_its_data_all_the_same(drawn, length):
    """Half of its points are beyond the plot: what is within is there when half of the points are."""
    dashed = plot().curve("c", [0, 0.25, 0.5, 0.75, 1], [0, 0.5, 1, 1.5, 2], drawn=drawn).shape
    shown = float(dashed.get("stroke-dasharray", "100 200").split()[0])
    assert shown == length


def test_line_in_several_pieces_grows_from_the_first():
    d = plot().curve("c", [0, 0.25, 0.5, 0.75, 1], [0, 2, 0, 0.5, 1], drawn=0.875).shape["d"]
    assert d == "M10 120L35 20M85 20L110 120L160 70L185 45"  # between the last two points, half of the way


def test_line_that_touches_the_edge_from_outside_is_no_dot_there():
    assert plot().curve("c", [0, 0.5, 1], [2, 1, 2]).shape["d"] == "M0 0"
