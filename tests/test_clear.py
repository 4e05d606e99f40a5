"""A name finds the first place that nothing else takes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Box, Mark, Pen, first_clear
from loom.expected import Mistaken
from tests.boxes import box, overlap

PEN = Pen(328)
KNOB = PEN.knob("knob", 100, 50, "n", [(100, 50), (200, 50)])


def name(x: float, y: float) -> Mark:
    return PEN.text("name", x, y, "name")


def chosen(*of: Mark, ys: tuple[float, ...] = (54, 80), gap: float = 2) -> float:
    """At which height a name stands, which is at the first of some if nothing is in its way."""
    return float(first_clear([name(110, y) for y in ys], of, gap).shape["y"])


def test_name_stands_at_its_first_place_if_nothing_is_there():
    assert chosen() == 54
    assert chosen(PEN.circle("dot", 60, 50, 5)) == 54


@pytest.mark.parametrize("other", [
    KNOB,
    PEN.circle("dot", 105, 50, 5),
    PEN.line("line", 0, 50, 300, 50),
    PEN.path("curve", [(115, 0), (115, 60), (320, 120)]),
    PEN.path("outline", [(90, 20), (300, 20), (115, 52)], "axis", close=True),
    PEN.strokes("lines", [[(0, 0), (20, 0)], [(120, 40), (120, 60)]]),
    PEN.text("other", 118, 55, "other"),
    PEN.rect("box", Box(115, 40, 20, 20)),
], ids=lambda one: one.key)  # fmt: skip
def test_name_gives_way_to_what_is_in_its_way(other):
    assert chosen(other) == 80


def test_ring_of_a_knob_is_kept_clear_and_that_of_a_dot_is_not_there():
    beside = 100 + PEN.knob_radius - 1
    dot = KNOB._replace(handle=None)
    assert [first_clear([name(beside, 54), name(200, 54)], [one]).shape["x"] for one in (KNOB, dot)] == [200, beside]


def test_what_is_kept_off_may_be_yielded():
    found = first_clear((name(110, y) for y in (54, 80, 100)), (one for one in (KNOB, PEN.line("l", 0, 78, 300, 78))))
    assert found.shape["y"] == 100


def test_line_around_a_name_is_not_in_its_way():
    assert chosen(PEN.path("frame", [(60, 20), (300, 20), (300, 90), (60, 90)], close=True)) == 54


def test_name_keeps_off_as_far_as_asked():
    line = PEN.line("line", 0, 58, 300, 58)  # four units under its baseline
    assert [chosen(line, gap=gap) for gap in (2, 5)] == [54, 80]


def test_first_place_is_taken_if_none_is_clear():
    assert chosen(PEN.rect("box", Box(0, 0, 328, 100))) == 54


def test_no_places_are_a_mistake():
    with pytest.raises(Mistaken, match="no places to choose from"):
        first_clear([], [KNOB])


@given(st.lists(st.tuples(st.floats(0, 328), st.floats(0, 200)), min_size=1, max_size=8),
       st.lists(st.tuples(st.floats(0, 328), st.floats(0, 200)), min_size=2, max_size=6))  # fmt: skip
@settings(max_examples=200, deadline=None, derandomize=True)
def test_place_that_is_taken_is_crossed_by_no_line(places, points):
    line = PEN.path("line", points)
    found = first_clear([name(x, y) for x, y in places], [line], gap=0)
    if found.shape != name(*places[0]).shape:
        left, top, right, bottom = box(found)
        dots = np.concatenate([np.linspace(one, other, 200) for one, other in itertools.pairwise(points)])
        inside = (dots > [left + 0.6, top + 0.6]) & (dots < [right - 0.6, bottom - 0.6])
        assert not np.any(inside.all(axis=1))


def test_boxes_count_by_their_letters_and_not_by_their_lines():
    under = PEN.text("under", 110, 64, "ace")
    assert not overlap(box(name(110, 54)), box(under), 0) and chosen(under, gap=0) == 54
