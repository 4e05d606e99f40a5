"""Frames to differences and back: the player ends with exactly what was drawn, in the order it was drawn."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Box, Mark, Pen
from loom.scenes.encode import PaintOrder, advance, encoded, six_digits
from tests.unfolding import drawn, unfold

example_budget = settings(max_examples=200, deadline=None, derandomize=True)
PEN = Pen(328)
small = st.integers(0, 2)
marks = st.one_of(
    st.builds(lambda x, role: PEN.rect("", Box(x, 0, 5, 5), role), small, st.sampled_from(["data", "hot"])),
    st.builds(lambda x, wait: PEN.circle("", x, 0, 5, wait=wait), small, small),
    st.builds(lambda x: PEN.line("", x, 0, 5, 5), small),
    st.builds(lambda x, shown: PEN.path("", [(x, 0), (5, 5)], drawn=shown), small, st.sampled_from([0.5, 1])),
    st.builds(lambda x, words: PEN.text("", x, 0, words), small, st.sampled_from(["", "a", "b"])),
    st.builds(lambda sets: PEN.circle("", 1, 1, 1, set=sets, label="go"), st.sampled_from([{}, {"n": 1}, {"n": 2}])),
)
frames = st.dictionaries(st.sampled_from("abcdef"), marks).map(
    lambda named: tuple(mark._replace(key=key) for key, mark in named.items())
)


def difference(before, after):
    """What is sent to get from one frame to the next."""
    shown = {}
    advance(shown, before)
    return advance(shown, after)


@given(base=frames, story=st.lists(frames, max_size=6))
@example_budget
def test_unfolding_gives_back_every_frame(base, story):
    shown = {}
    travelled = json.loads(json.dumps([advance(shown, frame) for frame in (base, *story)]))
    assert unfold({}, travelled) == [drawn(base), *map(drawn, story)]


@given(frame=frames)
@example_budget
def test_frame_that_does_not_change_costs_nothing(frame):
    assert difference(frame, frame) == {}


def test_difference_holds_only_what_changed():
    before = [PEN.rect("a", Box(0, 0, 5, 5)), PEN.text("b", 0, 0, "one"), PEN.circle("c", 1, 1, 1)]
    after = [PEN.rect("a", Box(0, 0, 9, 5), "hot"), PEN.text("b", 0, 0, "two"), PEN.line("d", 0, 0, 1, 1)]
    assert difference(before, after) == {
        "a": {"class": "hot", "width": 9},
        "b": {"w": "two"},
        "d": {"t": "path", "class": "axis", "d": "M0 0L1 1"},
        "c": None,
    }


def test_attribute_that_goes_is_taken_away():
    before, after = PEN.path("a", [(0, 0), (1, 1)], drawn=0.5), PEN.path("a", [(0, 0), (1, 1)])
    assert difference([before], [after]) == {"a": {"pathLength": None, "stroke-dasharray": None}}


def test_key_that_becomes_another_element_is_sent_whole():
    changed = difference([PEN.circle("a", 1, 1, 1)], [PEN.text("a", 1, 1, "x")])
    assert changed == {"a": encoded(PEN.text("a", 1, 1, "x"))}


def test_mark_that_can_be_pressed_says_what_it_sets():
    mark = Mark("a", "circle", "data", {"cx": 1, "cy": 1, "r": 1}, set={"n": "2", "on": "off"}, label="take two")
    found = encoded(mark)
    assert (found["s"], found["l"]) == ("n=2&on=off", "take two")


def test_what_pressing_sets_reads_back_whatever_the_value():
    mark = Mark("a", "circle", "data", {"cx": 1, "cy": 1, "r": 1}, set={"format": "E4M3 + scale & 1%"}, label="go")
    assert parse_qsl(encoded(mark)["s"]) == [("format", "E4M3 + scale & 1%")]


def ordered(keys, parts):
    """The story of a drawing of which each frame shows a part, and the order that the player gets."""
    order = PaintOrder()
    story = [tuple(PEN.circle(key, 0, 0, 1) for key in keys if key in part) for part in parts]
    for frame in story:
        order.add(frame)
    return order.keys(), [[mark.key for mark in frame] for frame in story]


parts = st.lists(st.sets(st.sampled_from("abcdefgh")), min_size=1, max_size=8)


@given(keys=st.permutations("abcdefgh"), parts=parts)
@example_budget
def test_every_key_has_one_place_in_the_order_of_painting(keys, parts):
    order, story = ordered(keys, parts)
    assert sorted(order) == sorted({key for frame in story for key in frame})


@given(keys=st.permutations("abcdefgh"), parts=parts)
@example_budget
def test_marks_that_begin_together_and_those_that_join_them_are_painted_in_order(keys, parts):
    order, story = ordered(keys, [set("abcdefgh") - part for part in parts[:1]] + [set("abcdefgh")])
    assert order == list(keys)
    assert [key for key in order if key in story[0]] == story[0]


def test_marks_that_meet_later_are_painted_in_order():
    order, story = ordered("ab", [{"a"}, {"b"}, {"a", "b"}])
    assert order == story[-1]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (1, 1),
        (2.0, 2),
        (1 / 3, 0.333333),
        (1234567.891, 1.23457e6),
        (-0.5, -0.5),
        (1e300, 1e300),
        (2.0**53, 9.0072e15),
        ("latent", "latent"),
    ],
)
def test_cells_travel_with_six_digits(cell, expected):
    found = six_digits(cell)
    assert found == expected and type(found) in (int, float, str)
