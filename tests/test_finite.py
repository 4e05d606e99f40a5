"""Numbers that are not finite: told with the mark, the piece, and the first place where one stands."""

from __future__ import annotations

import math

import numpy as np
import pytest

from loom.draw import Axis, Box, Pen, Plot, Polar, contours, quiver
from loom.expected import Mistaken

PEN = Pen(328)
PLOT = Plot(PEN, Box(0, 0, 100, 100), Axis("x", span=(0, 10)), Axis("y", span=(0, 10)))
CLIPS = Plot(PEN, Box(0, 0, 100, 100), Axis("x", span=(0, 10)), Axis("y", span=(0, 10), clip=True))
POLAR = Polar(PEN, (50, 50), 40, Axis("r", span=(0, 10)))
FOUR, ODD = np.array([1.0, 2, 3, 4]), [1.0, 2, math.nan, math.inf]


@pytest.mark.parametrize("plot", [PLOT, CLIPS])
@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (lambda plot: plot.curve("c", FOUR, ODD), r"the curve 'c' .*: ys\[2\] of 4 is nan"),
        (lambda plot: plot.curve("c", ODD[::-1], ODD), r"the curve 'c' .*: xs\[0\] of 4 is inf"),
        (lambda plot: plot.stairs("s", FOUR, ODD), r"the stairs 's' .*: ys\[2\] of 4 is nan"),
        (lambda plot: plot.area("a", FOUR, FOUR, np.array(ODD)), r"the area 'a' .*: floors\[2\] of 4 is nan"),
        (lambda plot: plot.error_bars("e", FOUR, FOUR, ODD), r"the error bars 'e' .*: highs\[2\] of 4 is nan"),
        (lambda plot: plot.scatter("d", ODD, FOUR), r"the scatter 'd' .*: xs\[2\] of 4 is nan"),
        (lambda plot: quiver(plot, "q", FOUR, FOUR, FOUR, ODD, maximum=9, reach=9), r"quiver 'q' .*: v\[2\] of 4 is"),
    ],
)
def test_first_number_that_is_not_finite_is_named_as_it_was_given(plot, drawn, message):
    with pytest.raises(Mistaken, match=message) as told:
        drawn(plot)
    assert "division by zero" in told.value.mistakes[0][1]


@pytest.mark.parametrize("piece", ["curve", "area"])
def test_first_number_that_is_not_finite_is_named_on_a_polar_plot(piece):
    with pytest.raises(Mistaken, match=rf"the {piece} 'p' .*: rs\[2\] of 4 is nan"):
        getattr(POLAR, piece)("p", FOUR, ODD)


PLACES = [(1, 2), (3, math.inf), (math.nan, 4)]


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (lambda: PEN.path("p", iter(PLACES)), r"the path 'p' has a point .*: points\[1\] of 3 is \(3, inf\)"),
        (lambda: PEN.strokes("s", [[(1, 2), (3, 4)], iter(PLACES)]), r"the path 's' .*: lines\[1\]\[1\] of 3 is"),
        (lambda: PEN.outline("o", [PLACES[::2]]), r"the outline 'o' .*: rings\[1\] of 2 is \(nan, 4\)"),
    ],
)
def test_first_point_that_is_not_finite_is_named_with_its_path(drawn, message):
    with pytest.raises(Mistaken, match=message):
        drawn()


def test_place_that_is_not_finite_is_no_matter_of_the_span():
    for value, hint in ((math.nan, "division by zero"), (math.inf, "division by zero"), (11, "widen its span")):
        with pytest.raises(Mistaken, match="lies outside the axis 'x'") as told:
            PLOT.at(value, 2)
        assert hint in told.value.mistakes[0][1]


def test_height_of_contours_that_is_not_finite_is_named():
    with pytest.raises(Mistaken, match=r"the contours 'c' .*: heights\[1\] of 2 is nan"):
        [*contours(PLOT, "c", [[1, 2], [2, 3]], [1.5, math.nan])]


def test_other_mistakes_in_points_stay_what_they_are():
    for points in ([(1, 2), (3,)], [(1, 2, 3)], [(1, "x")]):
        with pytest.raises((ValueError, TypeError)) as told:
            PEN.path("p", points)  # type: ignore[arg-type]
        assert not isinstance(told.value, Mistaken)
