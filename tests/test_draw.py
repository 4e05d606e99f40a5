"""The drawing vocabulary: labels that do not collide, axes that read well, marks that stay in their boxes."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from loom.draw import Axis, Box, Grid, Pen, Plot, memoized, square_grid
from loom.draw.extent import bounds
from loom.draw.piece_cache import MOST
from loom.draw.text import dodge, text_width, wrap
from loom.expected import Mistaken
from tests.boxes import box, overlap, touching

example_budget = settings(max_examples=150, deadline=None, derandomize=True)
places = st.lists(st.floats(-100, 500), max_size=12)
SLACK = 1e-6
PEN = Pen(328)


@given(wanted=places, gap=st.floats(0, 40), low=st.floats(-50, 50), room=st.floats(0, 400))
@example_budget
def test_spread_keeps_order_gaps_and_bounds_when_there_is_room(wanted, gap, low, room):
    high = low + max(room, gap * max(0, len(wanted) - 1))
    found = dodge(wanted, gap, low, high)
    ranked = [found[index] for index in sorted(range(len(wanted)), key=lambda index: wanted[index])]
    assert all(after - before >= gap - SLACK for before, after in itertools.pairwise(ranked))
    assert all(low - SLACK <= place <= high + SLACK for place in found)


@given(wanted=places, gap=st.floats(0, 40))
@example_budget
def test_spread_moves_nothing_that_has_room(wanted, gap):
    assume(all(b - a >= gap for a, b in itertools.pairwise(sorted(wanted))))
    assert dodge(wanted, gap, -1000, 1000) == pytest.approx(wanted)


@given(wanted=places.filter(len), gap=st.floats(1, 40))
@example_budget
def test_spread_keeps_labels_centred_on_what_they_name(wanted, gap):
    assert math.fsum(dodge(wanted, gap, -2000, 2000)) == pytest.approx(math.fsum(wanted), abs=1e-6)


def test_spread_pushes_two_labels_apart_around_their_middle():
    assert dodge([10, 10], 8, 0, 100) == [6, 14]
    assert dodge([30, 10, 12], 8, 0, 100) == [30, 7, 15]
    assert dodge([1, 2], 8, 0, 100) == [0, 8]
    assert dodge([99, 98], 8, 0, 100) == [100, 92]


words = st.text("abcdefghij klmno pq\u00a0", max_size=80)


def test_number_stays_with_its_unit_where_a_text_is_broken():
    assert wrap("the matrix of 2.10\u00a0MB is never stored", 12, 80) == [
        "the matrix of",
        "2.10\u00a0MB is",
        "never stored",
    ]


@given(text=words, room=st.floats(10, 200), size=st.floats(11, 20))
@example_budget
def test_wrap_keeps_every_word_within_the_room(text, room, size):
    lines = wrap(text, size, room)
    assert " ".join(lines).split() == text.split()
    assert all(text_width(line, size) <= room or " " not in line for line in lines)
    for line, after in itertools.pairwise(lines):  # no line is broken too early
        assert text_width(f"{line} {after.split(' ')[0]}", size) > room


@given(text=words, size=st.floats(1, 50))
@example_budget
def test_width_of_a_text_is_the_sum_of_its_letters_and_grows_with_its_size(text, size):
    assert text_width(text, size) == pytest.approx(math.fsum(text_width(letter, size) for letter in text))
    assert text_width(text, 2 * size) == pytest.approx(2 * text_width(text, size))
    assert text_width(text, size, strong=True) >= text_width(text, size) - SLACK


@given(low=st.floats(-1e6, 1e6), room=st.floats(1e-3, 1e6), wanted=st.integers(2, 8))
@example_budget
def test_ticks_are_few_round_evenly_spaced_and_within_the_span(low, room, wanted):
    assume(room > abs(low) * 1e-6)
    ticks = Axis("x", span=(low, low + room)).tick_values(wanted)
    assert 1 <= len(ticks) <= wanted + 1
    assert all(low - room * 1e-6 <= tick <= low + room * (1 + 1e-6) for tick in ticks)
    gaps = {round((b - a) / room, 9) for a, b in itertools.pairwise(ticks)}
    assert len(gaps) <= 1
    for gap in gaps:
        digits = f"{gap * room:.3e}".split("e")[0].rstrip("0").rstrip(".")
        assert digits in ("1", "2", "2.5", "5")


@pytest.mark.parametrize(
    ("axis", "wanted", "ticks"),
    [
        (Axis("x", span=(0, 10)), 5, [0, 2, 4, 6, 8, 10]),
        (Axis("x", span=(-1, 1)), 4, [-1, -0.5, 0, 0.5, 1]),
        (Axis("x", span=(0.25, 16), log=True), 8, [0.25, 0.5, 1, 2, 4, 8, 16]),
        (Axis("x", span=(1, 1e6), log=True), 6, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
        (Axis("x", span=(0, 4), ticks=(0, 1, 4, 9)), 5, [0, 1, 4]),
    ],
)
def test_ticks_of_common_axes(axis, wanted, ticks):
    assert axis.tick_values(wanted) == pytest.approx(ticks)


def test_axis_within_one_octave_has_ticks():
    assert len(Axis("x", span=(5, 7), log=True).tick_values()) >= 2


@given(value=st.floats(-1e9, 1e9), low=st.floats(-1e6, 1e6), room=st.floats(1e-3, 1e6), log=st.booleans())
@example_budget
def test_place_on_an_axis_that_clips_is_held_between_its_ends(value, low, room, log):
    low = abs(low) + 0.01 if log else low
    axis = Axis("x", span=(low, low + room), log=log, clip=True)
    assert 0 <= axis.normalize(value) <= 1
    assert axis.normalize(low) == 0 and axis.normalize(low + room) == pytest.approx(1)
    assert axis.normalize(value) <= axis.normalize(value + 1)


@pytest.mark.parametrize("value", [-0.1, 5.2, math.nan, math.inf])
def test_value_outside_an_axis_is_refused_with_the_value_and_the_span(value):
    with pytest.raises(Mistaken, match=f"^{value:g} lies outside the axis 'Loss', which goes from 0 to 5$"):
        Axis("Loss", span=(0, 5)).normalize(value)


def test_rounding_does_not_put_a_value_outside_an_axis():
    assert Axis("x", span=(0, 0.3)).normalize(0.1 + 0.2) == 1


def test_logarithmic_axis_begins_above_0():
    with pytest.raises(Mistaken, match="the axis 'x' is logarithmic and goes from 0 to 5"):
        Axis("x", span=(0, 5), log=True).normalize(2)
    with pytest.raises(Mistaken, match="goes from -1 to 5"):
        Axis("x", span=(-1, 5), log=True).tick_values()


@pytest.mark.parametrize(
    ("span", "labels"),
    [
        ((0, 1), ["0", "0.25", "0.5", "0.75", "1"]),
        ((0, 3e-5), ["0", "1 × 10⁻⁵", "2 × 10⁻⁵", "3 × 10⁻⁵"]),
        ((1000, 1000.4), ["1,000", "1,000.1", "1,000.2", "1,000.3", "1,000.4"]),
    ],
)
def test_numbers_of_an_axis_are_as_short_as_tells_them_apart(span, labels):
    plot = Plot(Pen(840), Box(60, 20, 700, 300), Axis("x", span=(0, 1)), Axis("y", span=span))
    assert [mark.text.replace("\u00a0", " ") for mark in plot.axes() if "-y-tick-" in mark.key] == labels


def test_span_in_the_place_of_a_unit_is_told():
    with pytest.raises(Mistaken, match=r"the unit of the axis 'time' is \(0, 9\)"):
        Axis("time", (0, 9))  # type: ignore[arg-type]


def test_title_of_an_axis_carries_its_unit():
    assert (Axis("time", "ms").title, Axis("count").title) == ("time [ms]", "count")


@pytest.mark.parametrize("width", [328, 840])
def test_axes_and_a_labelled_point_do_not_collide(width):
    pen = Pen(width)
    plot = Plot(pen, Box(50, 30, width - 70, 150), Axis("keys", "1", (1, 4096), log=True), Axis("time", "ms", (0, 3)))
    marks = [*plot.axes(), *plot.point("here", 4096, 3, label="the last of them")]
    texts = [mark for mark in marks if mark.tag == "text"]
    axis = [mark for mark in texts if mark.key != "here-label"]
    assert not [(a.text, b.text) for a, b in itertools.combinations(axis, 2) if overlap(box(a), box(b))]
    assert all(bounds(mark)[0] >= 0 and bounds(mark)[2] <= width for mark in texts)
    assert len({mark.key for mark in marks}) == len(marks)


def test_labels_of_an_axis_that_would_touch_stay_away():
    plot = Plot(Pen(328), Box(50, 30, 120, 60), Axis("keys", span=(0, 90_000)), Axis("y"))
    labels = [mark for mark in plot.axes(x_ticks=9) if mark.key.startswith("plot-x-label")]
    assert 2 <= len(labels) < 10
    assert all(bounds(b)[0] - bounds(a)[2] >= 4 for a, b in itertools.pairwise(labels))


def test_curve_that_is_half_drawn_shows_half_of_its_points():
    plot = Plot(Pen(328), Box(0, 0, 100, 100), Axis("x", span=(0, 4)), Axis("y", span=(0, 4)))
    whole = plot.curve("c", [0, 1, 2, 4], [0, 0, 0, 0])
    half = plot.curve("c", [0, 1, 2, 4], [0, 0, 0, 0], drawn=2 / 3)
    assert whole.shape["d"] == half.shape["d"] == "M0 100L25 100L50 100L100 100"
    assert "stroke-dasharray" not in whole.shape
    assert half.shape["stroke-dasharray"] == "50 200"  # the third point is half way along


def test_stairs_keep_each_value_until_the_next():
    plot = Plot(Pen(328), Box(0, 0, 100, 100), Axis("x", span=(0, 2)), Axis("y", span=(0, 1)))
    assert plot.stairs("s", [0, 1, 2], [0, 1, 0]).shape["d"] == "M0 100L50 100L50 0L100 0L100 100"


boxes = st.builds(Box, st.floats(-50, 50), st.floats(-50, 50), st.floats(1, 300), st.floats(1, 300))


@given(outer=boxes, count=st.integers(1, 12), gap=st.floats(0, 2))
@example_budget
def test_columns_and_rows_fill_their_box(outer, count, gap):
    columns, rows = outer.columns(count, gap), outer.rows(count, gap)
    assert columns[0].x == outer.x and columns[-1].right == pytest.approx(outer.right, abs=1e-6)
    assert rows[0].y == outer.y and rows[-1].bottom == pytest.approx(outer.bottom, abs=1e-6)
    assert all(b.x - a.right == pytest.approx(gap, abs=1e-6) for a, b in itertools.pairwise(columns))
    assert all(b.y - a.bottom == pytest.approx(gap, abs=1e-6) for a, b in itertools.pairwise(rows))


@given(outer=boxes, rows=st.integers(1, 6), columns=st.integers(1, 6))
@example_budget
def test_cells_of_a_grid_lie_in_their_box_row_by_row(outer, rows, columns):
    grid = Grid(outer, rows, columns, gap=0.1)
    assert grid.nth(rows * columns - 1) == grid.cell(rows - 1, columns - 1)
    assert grid.cell(rows - 1, columns - 1).right == pytest.approx(outer.right, abs=1e-6)
    assert grid.cell(rows - 1, columns - 1).bottom == pytest.approx(outer.bottom, abs=1e-6)


def test_square_grid_has_square_cells():
    one = square_grid(5, 6, 3, 4, 10).nth(5)
    assert (one.x, one.y, one.width, one.height) == (17, 18, 10, 10)


def test_inset_takes_a_margin_from_each_side():
    assert Box(0, 0, 100, 50).inset(left=1, top=2, right=3, bottom=4) == Box(1, 2, 96, 44)


def test_texts_that_touch_are_named_and_nothing_else():
    pen = Pen(840)
    one, beside, over = (pen.text(key, x, y, "words") for key, x, y in (("a", 0, 20), ("b", 200, 20), ("c", 10, 24)))
    assert touching([one, beside, over, pen.rect("d", Box(0, 0, 300, 40))]) == [("a", "c")]
    assert touching([one, over], down=20) == touching([one, over], across=200) == []
    assert touching([one, over._replace(text="")]) == []  # there is nothing to see


def counting(piece):
    """A piece that is kept, and the arguments that it was drawn for."""
    drawn = []

    @memoized
    def counted(*given):
        drawn.append(given)
        yield from piece(*given)

    return counted, drawn


def square(pen, side):
    yield pen.rect("square", Box(0, 0, side, side), read=f"{side} units")


def test_piece_that_is_kept_gives_its_very_marks_again():
    piece, drawn = counting(square)
    first, again = tuple(piece(Pen(328), 5)), tuple(piece(Pen(328), 5))
    assert first == tuple(square(Pen(328), 5)) and again[0] is first[0]
    assert drawn == [(Pen(328), 5)]


def test_piece_that_is_kept_is_drawn_for_other_arguments():
    piece, drawn = counting(square)
    told = [mark.read for given in [(Pen(328), 5), (Pen(840), 5), (Pen(328), 5.0)] for mark in piece(*given)]
    assert told == ["5 units", "5 units", "5.0 units"] and len(drawn) == 3
    named = memoized(square)
    assert [next(iter(named(PEN, side=side))).read for side in (5, 5.0, 5)] == ["5 units", "5.0 units", "5 units"]


def test_piece_that_is_kept_can_be_taken_mark_by_mark_each_time():
    piece, _ = counting(square)
    assert [*piece(PEN, 5)] == [next(piece(PEN, 5))] == [*square(PEN, 5)]


def test_piece_without_an_end_is_given_as_it_is_drawn_and_not_kept():
    piece, drawn = counting(lambda: (PEN.circle("dot", at, 5, 1) for at in itertools.count()))
    for _ in range(2):
        assert [mark.shape["cx"] for mark in itertools.islice(piece(), 3)] == [0, 1, 2]
    assert len(drawn) == 2


def test_piece_of_what_can_not_be_compared_is_drawn_each_time():
    piece, drawn = counting(lambda sides: (mark for side in sides for mark in square(PEN, side)))
    assert [*piece([5])] == [*piece([5])] == [*square(PEN, 5)]
    assert len(drawn) == 2


def test_only_so_many_marks_of_a_piece_are_kept():
    piece, drawn = counting(square)
    for side in [*range(MOST), MOST - 1, 0]:
        assert [mark.read for mark in piece(PEN, side)] == [f"{side} units"]
    assert [given[1] for given in drawn] == [*range(MOST), 0]


def test_axis_that_is_asked_for_more_than_memory_holds_refuses():
    axis = Axis("Time", span=(0, 5))
    assert len(axis.samples(200_000)) == 200_000
    for ask, what in ((axis.samples, "samples"), (axis.tick_values, "ticks")):
        with pytest.raises(Mistaken, match=f"the axis 'Time' is asked for 1,000,000,000 {what}"):
            ask(10**9)
