"""Marks: what the pen makes of numbers, how far it reaches, and how it is written as SVG."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Bar, Box, Lanes, Mark, Pen, Span, arrow, horizontal_bars, vertical_bars
from loom.draw.annotate import bracket, headline, paragraph, side_labels
from loom.draw.cells import cell
from loom.draw.extent import bounds
from loom.draw.marks import ROLES, fields, not_finite, svg_tag, tidy
from loom.draw.path import shortest, step_by_step, with_place, without_place
from loom.draw.svg import svg
from loom.draw.text import text_width
from tests.boxes import box, overlap

PEN = Pen(328)
example_budget = settings(max_examples=150, deadline=None, derandomize=True)
numbers = st.floats(-1000, 1000)


@given(number=numbers)
@example_budget
def test_numbers_are_written_to_a_half_and_small_ones_to_a_tenth(number):
    assert abs(tidy(number) - number) <= (0.25 if abs(number) >= 2 else 0.05) + 1e-9
    assert len(str(tidy(number)).partition(".")[2]) <= 1
    assert tidy(3.2) == 3 and isinstance(tidy(3.2), int)
    assert tidy(0.34) == 0.3


def test_type_is_larger_where_there_is_room():
    assert (PEN.narrow, PEN.size, Pen(840).narrow, Pen(840).size) == (True, 12, False, 14.5)
    assert Pen(840).large > Pen(840).size


def test_rectangle_of_a_size_just_below_zero_is_drawn_as_nothing():
    mark = PEN.rect("a", Box(1, 2, -1e-12, 5))
    assert fields(mark) == {"class": "cell", "x": 1, "y": 2, "width": 0, "height": 5, "rx": 2}


def test_line_is_a_path_and_text_has_a_place():
    line = PEN.line("a", 1.26, 2, 3, 4)
    assert (svg_tag(line), fields(line)) == ("path", {"class": "axis", "d": "m1.3 2l1.7 2"})
    text = PEN.text("b", 1, 10, "words", "note", anchor="end", size=20, middle=True)
    assert fields(text) == {"class": "note end", "x": 1, "y": 17, "font-size": 20}


def test_path_may_be_closed_and_drawn_in_part():
    assert PEN.path("a", [(0, 0), (1, 2)], close=True).shape == {"d": "M0 0L1 2Z"}
    grown = [PEN.path("a", [(0, 0), (1, 2)], drawn=share).shape["stroke-dasharray"] for share in (0, 0.25, 1)]
    assert grown == ["0 200", "25 200", "100 200"]  # from a dash to none, a browser would jump


def test_mark_that_waits_says_so_in_its_class_and_pressing_is_spelt_as_pages_spell_it():
    mark = PEN.circle("a", 0, 0, 3, "hot", wait=3, set={"twice": True, "count": 2}, label="double it")
    assert fields(mark)["class"] == "hot wait-3"
    assert (mark.set, mark.label) == ({"twice": "on", "count": "2"}, "double it")


@given(x=numbers, y=numbers, width=st.floats(1, 200), height=st.floats(1, 100), gap=st.floats(2, 20))
@example_budget
def test_hatching_stays_in_its_box(x, y, width, height, gap):
    mark = PEN.hatch("a", Box(x, y, width, height), gap=gap)
    left, top, right, bottom = bounds(mark)
    assert x - 0.25 <= left <= right <= x + width + 0.25
    assert y - 0.25 <= top <= bottom <= y + height + 0.25


@pytest.mark.parametrize(
    ("mark", "reach", "low"),
    [
        (PEN.rect("a", Box(1, 2, 3, 4)), (1, 4), 6),
        (PEN.circle("a", 10, 20, 5), (5, 15), 25),
        (PEN.line("a", 9, 8, 1, 2), (1, 9), 8),
        (PEN.path("a", [(3, 1), (-1, 7), (2, 2)]), (-1, 3), 7),
        (PEN.text("a", 10, 20, "ab"), (10, 10 + text_width("ab", 12)), 23.6),
        (PEN.text("a", 10, 20, "ab", anchor="end"), (10 - text_width("ab", 12), 10), 23.6),
        (PEN.text("a", 10, 20, "ab", anchor="middle"), (10 - text_width("ab", 6), 10 + text_width("ab", 6)), 23.6),
    ],
    ids=["rect", "circle", "line", "path", "start", "end", "middle"],
)
def test_reach_of_a_mark(mark, reach, low):
    assert bounds(mark)[::2] == pytest.approx(reach)
    assert bounds(mark)[3] == pytest.approx(low)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_number_that_is_not_finite_is_seen_in_a_shape_and_in_a_path(number):
    assert not_finite(Mark("a", "circle", "data", {"cx": 0, "cy": number, "r": 1})) == "cy"
    assert not_finite(Mark("a", "path", "data", {"d": f"M{number} 0"})) == "d"
    assert not not_finite(Mark("a", "path", "data", {"d": "M1 0"}))


def test_svg_escapes_what_authors_write():
    frame = [PEN.text('a"<', 1, 2, "x < y & z")]
    tree = ElementTree.fromstring(str(svg(frame, 328, 10.5, label='"quoted" <b>', name="narrow")))
    assert (tree.get("viewBox"), tree.get("aria-label"), tree.get("role")) == ("0 0 328 10.5", '"quoted" <b>', "img")
    assert tree[0].text == "x < y & z"
    assert 'aria-hidden="true"' in svg(frame, 328, 10)


def test_picture_that_does_not_answer_asks_for_no_hand():
    frame = [PEN.text("asks", 1, 2, "drag", "note hint"), PEN.text("says", 1, 2, "hinted", "note")]
    assert re.findall(r">(\w+)<", svg(frame, 328, 10)) == ["hinted"]


WRITTEN = st.lists(st.tuples(st.sampled_from("MLZ"), st.integers(-9999, 9999), st.integers(-9999, 9999)), max_size=9)


def followed(path: str) -> list[tuple[str, float, float]]:
    """Where a pen goes that reads a path as a browser does: steps for small letters, places for large ones."""
    found: list[tuple[str, float, float]] = []
    here = start = (0.0, 0.0)
    for letter, numbers in re.findall("([MLZmlz])([^MLZmlz]*)", path):
        values = [float(value) for value in re.findall(r"-?[\d.]+", numbers)]
        if letter in "Zz":
            here = start
            found.append(("Z", *here))
        for place, (x, y) in enumerate(zip(values[::2], values[1::2], strict=True)):
            here = (x, y) if letter.isupper() else (round(here[0] + x, 1), round(here[1] + y, 1))
            draws = letter in "Ll" or place > 0  # more points of a move are lines
            start = start if draws else here
            found.append(("L" if draws else "M", *here))
    return found


@given(steps=WRITTEN)
@example_budget
def test_path_in_a_page_leads_through_the_same_points(steps):
    path = "M-3.5 0" + "".join("Z" if letter == "Z" else f"{letter}{x / 10:g} {y / 10:g}" for letter, x, y in steps)
    assert followed(step_by_step(path)) == followed(shortest(step_by_step(path))) == followed(path)


@given(steps=WRITTEN, by=st.tuples(st.integers(-999, 999), st.integers(-999, 999)))
@example_budget
def test_path_that_moves_is_the_same_path_at_another_place(steps, by):
    def travels(left, top):
        each = [f"{letter}{(x + left) / 10:g} {(y + top) / 10:g}" for letter, x, y in steps if letter != "Z"]
        return step_by_step("".join([f"M{(left - 35) / 10:g} {top / 10:g}", *each]))

    here, there = without_place(travels(0, 0)), without_place(travels(*by))
    assert with_place(here["x"], here["y"], here["d"]) == travels(0, 0)
    assert there["d"] == here["d"]
    assert [there["x"] - here["x"], there["y"] - here["y"]] == pytest.approx([by[0] / 10, by[1] / 10])


def test_path_with_places_of_its_own_stays_whole():
    assert without_place("M10 10C20 20 40 20 50 10") == {"d": "M10 10C20 20 40 20 50 10"}


def test_path_in_a_page_is_short():
    stroke = "M89 73L89 105M175 73L175 105M261 73L261 105"
    assert step_by_step(stroke) == "m89 73l0 32m86-32l0 32m86-32l0 32"
    assert shortest(step_by_step(stroke)) == "m89 73 0 32m86-32 0 32m86-32 0 32"
    assert shortest(step_by_step("M0 100L25 100L50 0Z")) == "m0 100 25 0 25-100z"


@pytest.mark.parametrize(
    "path", ["", "M0.25 1L3 4", "M0 0 5 5", "M0 0C1 1 2 2 3 3", "L1 2", "M1e3 2", "MZ", "M0 0l1 1"]
)
def test_path_that_no_pen_has_drawn_stays_as_it_is(path):
    assert step_by_step(path) == shortest(path) == path


def test_size_of_most_texts_is_told_once():
    texts = [PEN.text(key, 0, 10, key, size=size) for key, size in (("a", 12), ("b", 20), ("c", 12))]
    tree = ElementTree.fromstring(str(svg([*texts, PEN.circle("d", 0, 0, 3)], 328, 20)))
    assert [tree.get("font-size"), *[node.get("font-size") for node in tree]] == ["12", None, "20", None, None]
    assert "font-size" not in svg([PEN.circle("d", 0, 0, 3)], 328, 20)


BARS = [Bar("a", "first", 10, "10 GB"), Bar("b", "the second", 2.5, "2.5 GB", "hot", ghost=5), Bar("c", "none", 0, "0")]


def test_length_of_a_lying_bar_is_its_quantity():
    marks = {mark.key: mark for mark in horizontal_bars(PEN, Box(0, 0, 328, 90), BARS, 10)}
    length = {name: marks[f"{name}"].shape["width"] for name in ("a-bar", "b-bar", "b-ghost", "c-bar")}
    assert length["b-bar"] == pytest.approx(length["a-bar"] / 4)
    assert length["b-ghost"] == pytest.approx(length["a-bar"] / 2)
    assert length["c-bar"] == 1  # still to be seen
    assert all(bounds(mark)[2] <= 328 + 1e-6 for mark in marks.values())
    texts = [mark for mark in marks.values() if mark.tag == "text"]
    assert not [(a.key, b.key) for a in texts for b in texts if a.key < b.key and overlap(box(a), box(b))]


def test_height_of_a_standing_bar_is_its_quantity():
    marks = {mark.key: mark for mark in vertical_bars(PEN, Box(0, 10, 328, 120), BARS, 10)}
    assert marks["b-bar"].shape["height"] == pytest.approx(marks["a-bar"].shape["height"] / 4)
    assert len({bounds(marks[f"{name}-bar"])[3] for name in "abc"}) == 1
    assert min(box(mark)[1] for mark in marks.values()) >= 10 - 1


@pytest.mark.parametrize("bars", [horizontal_bars, vertical_bars])
@pytest.mark.parametrize("ghost", [5.2, 6, 9])
def test_number_of_a_bar_is_not_crossed_by_the_edge_of_its_ghost(bars, ghost):
    marks = {mark.key: mark for mark in bars(PEN, Box(0, 10, 328, 120), [Bar("a", "one", 5, "5 GB", ghost=ghost)], 10)}
    left, top, right, low = box(marks["a-value"])
    _, ceiling, edge, _ = bounds(marks["a-ghost"])
    crossed = left < edge < right if bars is horizontal_bars else top < ceiling < low
    assert not crossed


@pytest.mark.parametrize("bars", [horizontal_bars, vertical_bars])
def test_bar_that_shows_no_number_has_no_text_for_it(bars):
    keys = {mark.key for mark in bars(PEN, Box(0, 10, 328, 120), [Bar("a", "one", 5)], 10)}
    assert {"a-name", "a-bar"} <= keys and "a-value" not in keys


def test_plot_of_no_bars_has_none():
    assert [*horizontal_bars(PEN, Box(0, 10, 328, 120), [], 10)] == []
    assert [mark.key for mark in vertical_bars(PEN, Box(0, 10, 328, 120), [], 10)] == ["bars-floor"]


def test_padding_is_hatched_and_words_without_room_are_left_out():
    keys = [mark.key for mark in cell(PEN, "a", Box(0, 0, 10, 10), "far too long", "pad")]
    assert keys == ["a", "a-hatch"]
    assert [mark.key for mark in cell(PEN, "a", Box(0, 0, 100, 10), "fits")] == ["a", "a-text"]


def test_spans_lie_in_their_lane_to_scale():
    lanes = Lanes(PEN, Box(0, 0, 328, 60), ("copy", "compute"), length=8)
    first, second = lanes.slot(0, 0, 4), lanes.slot(1, 4, 8)
    assert first.width == second.width == pytest.approx((328 - lanes.margin) / 2)
    assert second.right == pytest.approx(328) and second.y > first.bottom
    marks = [*lanes.draw(), *lanes.spans(1, [Span("s", 4, 8, "pad", "wait")]), lanes.now("now", 4)]
    assert [mark.key for mark in marks][4:] == ["s", "s-hatch", "s-text", "now"]
    assert bounds(marks[-1])[0] == pytest.approx(second.x)


def test_annotations_point_and_hold_together():
    held, label = bracket(PEN, "b", 10, 50, 100, "four keys")
    assert held.shape["d"] == "M10 100L10 106L50 106L50 100"
    assert (label.shape["x"], label.role) == (30, "note middle")
    assert arrow(PEN, "a", (0, 0), (10, 0)).shape["d"].startswith("M0 0L10 0L")
    lines = list(paragraph(PEN, "p", 0, 20, "some words that need two lines", 100))
    assert [line.shape["y"] for line in lines] == [20, 20 + 12 * 1.3]
    labels = list(side_labels(PEN, "s", 0, [50, 50], ["a", "b"], 0, 100))
    assert labels[1].shape["y"] - labels[0].shape["y"] == pytest.approx(12 * 1.25)


def test_words_beside_a_large_number_do_not_slide_through_a_wider_one():
    (_, before), (_, words), (_, after) = (headline(PEN, 0, 40, number, ["words"]) for number in ("8", "10", "88"))
    assert words.key == after.key != before.key, "words of a number as wide are the same words"
    assert words.shape["x"] > PEN.text_width("10", size=PEN.huge, strong=True)
    (_, before), (_, after) = (headline(PEN, 0, 40, number, ["words"], widest=["100"]) for number in ("8", "100"))
    assert before == after, "where there is room for all numbers, words stay"


def test_one_line_stands_on_the_baseline_of_a_large_number_and_several_begin_at_its_top():
    def places(words, **more):
        return [mark.shape["y"] for mark in headline(PEN, 0, 40, "8", words, **more) if mark.key != "answer"]

    assert places("a b") == [40]
    first, second = places("words that need a second line", right=150)
    assert 40 - PEN.huge <= first - PEN.size < first < second == pytest.approx(first + 1.3 * PEN.size)
    assert all(y > 40 for y in places(["a", "b"], under=True))
    assert places(["a", ""]) == [first], "an empty line keeps its place"


def test_a_large_number_is_kept_back_with_its_words_unless_it_may_be_shown():
    assert all("answer" in mark.role.split() for mark in headline(PEN, 0, 40, "8", ["a", "b"]))
    assert not any("answer" in mark.role for mark in headline(PEN, 0, 40, "8", ["a", "b"], shown=True))


def test_every_piece_uses_known_roles():
    marks = [*horizontal_bars(PEN, Box(0, 0, 328, 90), BARS, 10), *bracket(PEN, "b", 1, 5, 1, "x")]
    assert {mark.role.split()[0] for mark in marks} <= ROLES
