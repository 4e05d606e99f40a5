"""The pieces that no scene may show: small drawings that are kept, and what they may not do."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import (
    Axis,
    Box,
    Pen,
    Plot,
    Polar,
    bounding_box,
    bounds,
    colorbar,
    equal_aspect,
    field,
    legend,
    quiver,
    shade_role,
)
from loom.draw.clip import cut_line, cut_shape
from loom.draw.legend import Entry
from loom.draw.marks import ROLES, fields
from loom.expected import Mistaken
from tests.boxes import box, overlap
from tests.drawings import DRAWINGS, FOLDER, drawn
from tests.vocabulary import options, pieces, used

PEN = Pen(328)
FRAME = Box(0, 0, 100, 100)
CUTS = Plot(PEN, FRAME, Axis("x", span=(0, 10)), Axis("y", span=(0, 10), clip=True))
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


@pytest.mark.parametrize("name", DRAWINGS)
def test_piece_is_drawn_as_it_was(name):
    assert drawn(name) == (FOLDER / f"{name}.svg").read_text(encoding="utf-8"), "python -m tests.drawings"


@pytest.mark.parametrize("name", DRAWINGS)
def test_piece_has_known_roles_and_texts_that_do_not_touch(name):
    marks = [*DRAWINGS[name]()]
    assert {mark.role.split()[0] for mark in marks} <= ROLES
    texts = [mark for mark in marks if mark.tag == "text" and "rotate" not in mark.shape]
    assert not [(a.key, b.key) for a, b in combinations(texts, 2) if overlap(box(a), box(b))]
    assert len({mark.key for mark in marks}) == len(marks)


def test_every_piece_and_every_option_is_in_a_drawing_that_is_kept():
    drawn_with = set().union(*(used(path.read_text(encoding="utf-8")) for path in FOLDER.parent.glob("drawings*.py")))
    assert sorted((pieces() | options()) - drawn_with) == []


def test_no_drawing_is_kept_that_is_not_drawn():
    assert {path.stem for path in FOLDER.iterdir()} == set(DRAWINGS)


def test_curve_ends_where_it_leaves_the_plot_and_goes_on_where_it_comes_back():
    assert CUTS.curve("c", [0, 4, 8], [0, 20, 0]).shape["d"] == "M0 100L20 0M60 0L80 100"
    assert CUTS.curve("c", [0, 1], [11, 12]).shape["d"] == "M0 0"  # nothing of it


def test_curve_that_leaves_the_plot_still_grows_along_its_points():
    assert CUTS.curve("c", [0, 4, 8], [0, 20, 0], drawn=0.6).shape["d"] == "M0 100L20 0"


def test_place_outside_an_axis_that_does_not_clip_is_told_of_curves_and_areas():
    plot = Plot(PEN, FRAME, Axis("x", span=(0, 10)), Axis("loss", span=(0, 10)))
    for piece in (plot.curve, plot.stairs, plot.area):
        with pytest.raises(Mistaken, match=r"^11 lies outside the axis 'loss', which goes from 0 to 10$"):
            piece("c", [0, 1], [1, 11])


def test_curve_of_rows_of_different_lengths_is_told():
    with pytest.raises(Mistaken, match="3 values of x go with 2 of y"):
        CUTS.curve("c", [1, 2, 3], [1, 2])


points = st.lists(st.tuples(st.floats(-200, 300), st.floats(-200, 300)), min_size=2, max_size=8)


@given(line=points)
@example_budget
def test_what_is_cut_lies_in_the_box_and_on_the_line(line):
    for piece in cut_line(line, FRAME):
        for x, y in piece:
            assert -1e-6 <= x <= 100 + 1e-6 and -1e-6 <= y <= 100 + 1e-6
            assert min(off_stretch((x, y), a, b) for a, b in pairwise(line)) < 1e-6


def off_stretch(point, start, end):
    """How far a point lies from a stretch, by trying many places of it and by its ends."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across**2 + down**2
    share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length if length else 0
    share = min(max(share, 0), 1)
    return math.dist(point, (start[0] + share * across, start[1] + share * down))


@given(shape=points)
@example_budget
def test_area_that_is_cut_covers_of_the_box_what_it_covered(shape):
    cut = cut_shape(shape, FRAME)
    assert winding(cut, FRAME) == winding(shape, FRAME)


def winding(shape, frame):
    """How often a shape goes round some places within a frame."""
    places = [(frame.x + 13.7 + 24.3 * column, frame.y + 11.3 + 25.1 * row) for column in range(4) for row in range(4)]
    return [round(sum(turn(place, a, b) for a, b in zip(shape, [*shape[1:], *shape[:1]], strict=True)) / (2 * math.pi))
            for place in places]  # fmt: skip


def turn(middle, a, b):
    """The angle by which one has to turn to look from one point to another."""
    angle = math.atan2(b[1] - middle[1], b[0] - middle[0]) - math.atan2(a[1] - middle[1], a[0] - middle[0])
    return (angle + math.pi) % (2 * math.pi) - math.pi


@given(low=st.floats(1e-3, 1e3), factor=st.floats(1.5, 1e6), count=st.integers(2, 9), log=st.booleans())
@example_budget
def test_points_of_an_axis_are_evenly_spread_from_end_to_end(low, factor, count, log):
    axis = Axis("x", span=(low, low * factor), log=log)
    found = axis.samples(count)
    assert (found[0], found[-1]) == axis.span
    assert axis.normalize_all(found) == pytest.approx([at / (count - 1) for at in range(count)])
    assert axis.normalize_all(found) == pytest.approx([axis.normalize(one) for one in found])


@pytest.mark.parametrize(
    ("span", "ticks"),
    [
        ((0.1, 10), [0.1, 0.2, 0.5, 1, 2, 5, 10]),
        ((0.3, 30), [0.5, 1, 2, 5, 10, 20]),
        ((1, 1e6), [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6]),
    ],
)
def test_decades_of_an_axis_are_ticked_at_ten_and_where_there_is_room_at_two_and_five(span, ticks):
    assert Axis("x", span=span, log=True, decades=True).tick_values(6) == pytest.approx(ticks)


def test_turned_text_is_sent_with_its_place_and_reaches_where_it_is_read():
    up = PEN.text("a", 50, 100, "upwards", anchor="middle", rotate=-90)
    assert fields(up) == {"class": "label middle", "font-size": 12, "transform": "translate(50 100)rotate(-90)"}
    left, top, right, low = bounds(up)
    assert (right - left, low - top) == pytest.approx((1.05 * 12, PEN.text_width("upwards")))
    assert (top + low) / 2 == pytest.approx(100) and left < 50 < right
    assert bounds(PEN.text("a", 50, 100, "words", rotate=360)) == pytest.approx(bounds(PEN.text("a", 50, 100, "words")))


def test_plate_goes_around_what_stands_on_it():
    marks = [PEN.circle("a", 10, 20, 5), PEN.rect("b", Box(30, 10, 10, 40))]
    assert bounding_box(marks, 2) == Box(3, 8, 39, 44)
    with pytest.raises(Mistaken, match="there are no marks to go around"):
        bounding_box([])


def test_boxes_of_equal_axes_make_a_circle_round():
    wide = equal_aspect(Box(0, 0, 300, 100), Axis("x", span=(0, 4)), Axis("y", span=(-1, 1)))
    assert wide == Box(50, 0, 200, 100)
    with pytest.raises(Mistaken, match="one axis is logarithmic"):
        equal_aspect(FRAME, Axis("x", span=(1, 4), log=True), Axis("y"))


def test_legend_begins_a_line_where_one_is_full_and_nothing_touches():
    entries = [Entry(f"the entry of number {at}", f"series-{at}", kind) for at, kind in
               enumerate(("line", "box", "dot"), 1)]  # fmt: skip
    marks = [*legend(PEN, "k", Box(0, 0, 328, 60), entries)]
    assert max(bounds(mark)[2] for mark in marks) <= 328 and len({mark.shape["y"] for mark in marks[1::2]}) > 1
    assert not [(a.key, b.key) for a, b in combinations(marks, 2) if overlap(bounds(a), bounds(b))]


def test_words_of_a_legend_that_are_wider_than_its_box_go_on_below():
    entries = [Entry("a", "data"), Entry("what a clinic has seen in twelve years", "hot"), Entry("b", "work")]
    marks = [*legend(PEN, "k", Box(10, 0, 150, 90), entries)]
    assert [mark.text for mark in marks[1::2]][:2] == ["a", "what a clinic has seen in"]
    assert [mark.text for mark in marks if mark.tag == "text"][2:] == ["twelve years", "b"]
    assert max(bounds(mark)[2] for mark in marks) <= 160
    assert not [(a.key, b.key) for a, b in combinations(marks, 2) if overlap(bounds(a), bounds(b))]


@pytest.mark.parametrize(
    ("words", "box", "message"),
    [
        ("a mean of elephants", Box(0, 0, 70, 99), "'a mean of elephants' is 74 units wide in the legend 'k'"),
        ("a mean of mice", Box(0, 0, 90, 20), "the legend 'k' is 27 units tall at this width, and its box 20"),
    ],
)  # fmt: skip
def test_legend_that_has_no_room_is_told(words, box, message):
    with pytest.raises(Mistaken, match=f"^{message}"):
        [*legend(PEN, "k", box, [Entry(words)])]


def test_kind_that_no_entry_of_a_legend_has_is_told():
    with pytest.raises(Mistaken, match="the legend 'k' has an entry of the kind 'square'") as told:
        [*legend(PEN, "k", FRAME, [Entry("a", "data", "square")])]  # type: ignore[arg-type]
    assert told.value.mistakes[0][1] == "known: line, box, dot"


def test_arrows_of_a_quiver_are_as_long_as_they_are_strong():
    plot = Plot(PEN, FRAME, Axis("x", span=(0, 10)), Axis("y", span=(0, 10)))
    one = quiver(plot, "q", [5, 5], [5, 5], [2, 0], [0, 1], maximum=2, reach=20)
    assert one.shape["d"].startswith("M40 50L60 50L") and "M50 55L50 45L" in one.shape["d"]
    with pytest.raises(Mistaken, match="a quiver has 1, 1, 2 and 1 numbers"):
        quiver(plot, "q", [5], [5], [2, 1], [0], maximum=2, reach=20)


def test_polar_plot_begins_at_the_right_and_turns_against_the_clock():
    plot = Polar(PEN, (100, 100), 50, Axis("r", span=(0, 2)))
    assert [plot.at(angle, 1) for angle in (0, math.pi / 2, math.pi)] == [
        pytest.approx(place) for place in ((125, 100), (100, 75), (75, 100))
    ]


def test_shades_go_from_the_first_role_to_the_last():
    assert [shade_role(at, 4) for at in range(4)] == ["level-0", "level-5", "level-10", "level-15"]
    marks = [*colorbar(PEN, "s", Box(10, 30, 160, 10), Axis("heat", "K", (0, 1)), levels=4)]
    assert [mark.role for mark in marks[:4]] == ["level-0", "level-5", "level-10", "level-15"]


def test_shades_that_go_both_ways_grow_from_the_middle_and_have_signs():
    away = Axis("away", "m", (-2, 2), diverging=True)
    marks = [*colorbar(PEN, "s", Box(10, 30, 160, 10), away, levels=4)]
    assert [mark.role for mark in marks[:4]] == ["below-8", "below-4", "above-4", "above-8"]
    assert [mark.text for mark in marks if mark.tag == "text"][:-1] == ["−2", "−1", "0", "+1", "+2"]
    (signs,) = [mark for mark in marks if mark.role == "sign"]
    assert signs.shape["d"] == "M27 35L33 35M30 35L30 35M147 35L153 35M150 32L150 38"  # a minus, a plus
    assert [shade_role(at, 2, diverging=True) for at in range(2)] == ["below-8", "above-8"]
    with pytest.raises(Mistaken, match="goes both ways has 5 shades"):
        [*colorbar(PEN, "s", FRAME, away, levels=5)]


def test_field_of_too_many_numbers_or_of_none_is_told():
    plot = Plot(PEN, FRAME, Axis("x"), Axis("y"))
    for wrong, told in ((np.zeros((201, 4)), "201 × 4"), (np.zeros(4), "4 numbers"), ([[1, 2], [1]], "equally long")):
        with pytest.raises(Mistaken, match=told):
            [*field(plot, "f", wrong, Axis("heat"))]  # type: ignore[arg-type]
    with pytest.raises(Mistaken, match=r"^2 lies outside the axis 'heat', which goes from 0 to 1$"):
        [*field(plot, "f", [[0, 1], [1, 2]], Axis("heat"))]
