"""Frames to rows and back: the player ends with exactly what was drawn, in the order it was drawn."""

from __future__ import annotations

import json
import zlib
from graphlib import CycleError
from urllib.parse import parse_qsl

import brotli
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.draw import Box, Mark, Pen
from loom.scene import LIMITS
from loom.scenes.encode import SENTENCE, paint_order, six_digits
from loom.scenes.frames import DataFile
from loom.scenes.int_text import MOST, TooManyError, decode_deltas, decode_ints, encode_deltas, encode_ints
from loom.scenes.mark_table import row_of
from loom.scenes.pack import Packer
from tests.unfolding import beating, drawn, encoder, sheet

example_budget = settings(max_examples=200, deadline=None, derandomize=True)
PEN = Pen(328)
small = st.integers(0, 2)
marks = st.one_of(
    st.builds(lambda x, role: PEN.rect("", Box(x, 0, 5, 5), role), small, st.sampled_from(["data", "hot"])),
    st.builds(lambda x, wait: PEN.circle("", x + 9, 9, 5, wait=wait), small, small),
    st.builds(lambda x: PEN.line("", x, 0, 5, 5), small),
    st.builds(lambda x, shown: PEN.path("", [(x, 0), (5, 5)], drawn=shown), small, st.sampled_from([0.5, 1])),
    st.builds(lambda x, words: PEN.text("", x, 20, words), small, st.sampled_from(["", "a", "b"])),
    st.builds(lambda sets: PEN.circle("", 1, 1, 1, set=sets, label="go"), st.sampled_from([{}, {"n": 1}, {"n": 2}])),
    st.builds(lambda x: PEN.knob("", 9 + 30 * x, 20, "n", [(9 + 30 * x, 20), (70, 20)]), st.integers(0, 1)),
    st.builds(lambda x, read: PEN.rect("", Box(x, 0, 5, 5), read=read), small, st.sampled_from(["", "one", "two"])),
)
frames = st.dictionaries(st.sampled_from("abcdef"), marks).map(
    lambda named: tuple(mark._replace(key=key + mark.tag[0]) for key, mark in named.items())
)


stories = st.lists(st.lists(frames, min_size=1, max_size=6), min_size=1, max_size=4)


def travelled(*all_frames):
    """The data of some variants as it is read again."""
    return json.loads(encoder(*all_frames).file(0, len(all_frames)))


def in_order(story):
    """The frames with their marks in one order for all: that of their keys."""
    return [tuple(sorted(frame, key=lambda mark: mark.key)) for frame in story]


@given(told=stories)
@example_budget
def test_a_file_gives_back_every_frame_of_every_variant(told):
    told = [in_order(story) for story in told]
    found = DataFile(encoder(*told).file(0, len(told)))
    for number, story in enumerate(told):
        shown = [found.frame(str(number), step) for step in range(1, len(story) + 1)]
        assert shown == [drawn(frame) for frame in story]


@given(
    told=st.lists(st.lists(st.lists(frames, min_size=1, max_size=3), min_size=1, max_size=4), min_size=1, max_size=3)
)
@example_budget
def test_picture_of_a_step_is_its_last_beat_whatever_came_before(told):
    told = [[in_order(beats) for beats in story] for story in told]
    found = DataFile(beating(*told).file(0, len(told)))
    for number, story in enumerate(told):
        shown = [found.frame(str(number), step) for step in range(1, len(story) + 1)]
        assert shown == [drawn(beats[-1]) for beats in story]
        kept = found.variant(str(number))
        assert len(kept["frames"]) == sum(map(len, story))
        assert kept["beats"] == [[0, *[100] * (len(beats) - 1)] for beats in story]


def test_beats_are_sent_once_for_all_variants_that_have_them():
    frame = [PEN.text("a", 0, 12, "word")]
    still, moves = [[frame], [frame]], [[frame], [frame, frame]]
    data = json.loads(beating(moves, still, moves).file(0, 3))
    assert data["beats"] == [[[0], [0, 100]], [[0], [0]]]
    assert [(one["beats"], len(one["frames"])) for one in data["variants"].values()] == [(0, 3), (1, 2), (0, 3)]


@given(told=stories, cut=st.integers(1, 3))
@example_budget
def test_a_file_of_some_variants_holds_what_they_need_and_no_more(told, cut):
    told = [in_order(story) for story in told]
    start = min(cut, len(told) - 1)
    raw = encoder(*told).file(start, len(told))
    found, data = DataFile(raw), json.loads(raw)
    for number, story in enumerate(told[start:], start):
        assert found.frame(str(number), len(story)) == drawn(story[-1])
    needed = {mark.key for story in told[start:] for frame in story for mark in frame}
    assert set(data["keys"]) == needed
    assert sum(len(steps) for _, _, steps, *_ in data["marks"]) == len(
        {row_of(mark) for story in told[start:] for frame in story for mark in frame}
    )


@given(frame=frames)
@example_budget
def test_frame_that_does_not_change_costs_nothing(frame):
    assert travelled([frame, frame])["variants"]["0"]["frames"][1] == ""


def test_frame_names_the_rows_that_are_new_and_those_that_go():
    before = [PEN.rect("a", Box(0, 0, 5, 5)), PEN.rect("b", Box(0, 0, 5, 5)), PEN.circle("c", 3, 3, 1)]
    after = [PEN.rect("a", Box(0, 0, 9, 5), "hot"), PEN.rect("b", Box(0, 0, 5, 5)), PEN.line("d", 0, 0, 1, 1)]
    data = travelled([before, after])
    assert data["keys"] == ["a", "b", "c", "d"]
    assert data["marks"] == [
        ["rect", ["class", "x", "y", "width", "height", "rx"], encode_deltas([0, 0, 1]),
         ["cell", "hot", "cell"], [0], [0], [5, 9, 5], [5], [2]],
        ["circle", ["class", "cx", "cy", "r"], encode_deltas([2]), ["data"], [3], [3], [1]],
        ["path", ["class", "d", "X", "Y"], encode_deltas([3]), ["axis"], ["m0 0l1 1"], [0], [0]],
    ]  # fmt: skip
    # Rows 0, 2 and 3; then 1 in the place of 0, and 4, while 3 goes.
    assert data["variants"]["0"]["frames"] == [
        encode_deltas([0, 2, 3]),
        f"{encode_deltas([1, 4])} {encode_deltas([3])}",
    ]


def test_sentences_and_tables_are_sent_once():
    frame = [PEN.text("a", 0, 12, "word", "note")]
    data = travelled([frame, frame], [frame])
    assert data["words"] == ["Step 0 is said.", "It is 1 B.", "Step 1 is said.", "1 B"]
    assert [one["say"] for one in data["variants"].values()] == [
        [encode_ints([0, 1]), encode_ints([2, 1])],
        [encode_ints([0, 1])],
    ]
    assert data["tables"] == [[[1, "a"]]] and [one["rows"] for one in data["variants"].values()] == [0, 0]


@given(st.text(alphabet="ab .,;", max_size=12))
@example_budget
def test_what_is_said_is_parted_and_put_together_again(said):
    assert " ".join(SENTENCE.split(said)) == said


def test_column_that_repeats_itself_says_each_thing_once():
    paths = [PEN.path(key, [(0, 0), (9, 0), (9, 1 + at % 2)]) for at, key in enumerate("abcdefgh")]
    (group,) = travelled([paths])["marks"]
    d = [["m0 0l9 0l0 1", "m0 0l9 0l0 2"], encode_ints([0, 1] * 4)]
    assert group == ["path", ["class", "d", "X", "Y"], encode_deltas(range(8)), ["data"], d, [0], [0]]


def test_column_that_hardly_repeats_itself_is_sent_as_it_is():
    dots = [PEN.circle(key, 5, 5, at + 1) for at, key in enumerate("abcde")]
    (group,) = travelled([dots])["marks"]
    assert group[3:] == [["data"], [5], [5], [1, 2, 3, 4, 5]]


@given(st.lists(st.integers(0, MOST - 1)))
@example_budget
def test_numbers_are_a_sign_each_and_none_of_them_parts_a_list(some):
    text = encode_ints(some)
    assert decode_ints(text) == some and len(text) == len(some) and " " not in text
    assert decode_deltas(encode_deltas(sorted(some))) == sorted(some)
    assert json.loads(json.dumps(text, ensure_ascii=False).encode()) == text


def test_numbers_that_have_no_sign_are_refused():
    with pytest.raises(TooManyError):
        encode_ints([0, MOST])


def test_marks_that_differ_by_less_than_can_be_seen_are_one_row():
    paper = sheet()
    first, _ = paper.frame([PEN.circle("a", 10, 10, 5)])
    second, _ = paper.frame([PEN.circle("a", 10.01, 9.99, 5)])
    assert first == second and len(paper.marks.rows) == 1


def test_mark_that_can_be_pressed_says_what_it_sets():
    mark = Mark("a", "circle", "data", {"cx": 1, "cy": 1, "r": 1}, set={"n": "2", "on": "off"}, label="take two")
    assert row_of(mark) == (
        ("circle", "class", "cx", "cy", "r", "s", "l"),
        "a",
        ("data", 1, 1, 1, "n=2&on=off", "take two"),
    )


def test_handle_travels_as_its_parameters_and_places():
    rail = [(40, 100.04), (52.25, 100), (-1, 0.5)]
    mark = PEN.knob("a", 40, 100, ("m", "n"), rail, "Size of the tile")
    row = dict(zip(row_of(mark).kind[1:], row_of(mark).fields, strict=True))
    names, _, places = str(row["h"]).partition("|")
    assert (names, row["l"], row["class"]) == ("m,n", "Size of the tile", "grip")
    flat = list(map(float, places.split()))
    assert flat == pytest.approx([number for place in rail for number in place], abs=0.25)


def test_rails_and_read_outs_are_sent_once_and_are_no_attributes():
    rail = [(9, 20), (70, 20)]
    marks = [PEN.knob(key, 9, 20, "n", rail) for key in "ab"]
    marks += [PEN.rect(key, Box(at, 0, 5, 5), read="five") for at, key in enumerate("cd")]
    data = travelled([marks])
    assert [json.dumps(data).count(word) for word in ("n|9 20 70 20", "five")] == [1, 1]
    shown = DataFile(json.dumps(data).encode()).frame("0", 1)
    assert shown == drawn(marks)
    assert not {"h", "l", "t"} & {name for one in shown for name in one.attributes}


def test_what_pressing_sets_reads_back_whatever_the_value():
    mark = Mark("a", "circle", "data", {"cx": 1, "cy": 1, "r": 1}, set={"format": "E4M3 + scale & 1%"}, label="go")
    assert parse_qsl(str(row_of(mark).fields[-2])) == [("format", "E4M3 + scale & 1%")]


def ordered(keys, parts):
    """The story of a drawing of which each frame shows a part, and the order that the player gets."""
    story = [tuple(key for key in keys if key in part) for part in parts]
    return paint_order(story), [list(frame) for frame in story]


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


ONE, OTHER = PEN.circle("a", 9, 9, 1), PEN.circle("b", 9, 9, 2)


def test_variants_that_are_painted_in_different_orders_do_not_share_a_file():
    found = encoder([[ONE, OTHER]], [[ONE]], [[OTHER, ONE]], [[OTHER]])
    packer = Packer(found)
    (first, raw), (second, rest) = packer.next(0), packer.next(2)
    assert (first, second) == (2, 4)
    assert DataFile(raw).frame("0", 1) == drawn([ONE, OTHER])
    assert DataFile(rest).frame("2", 1) == drawn([OTHER, ONE])


def dotted(count):
    """Variants of which each has dots of its own."""
    random = np.random.default_rng(0)
    places = random.uniform(1, 99, (count, 90, 2)).round(2)
    return [[[PEN.circle(f"dot-{at}", *place, 1) for at, place in enumerate(dots)]] for dots in places]


def test_a_file_takes_all_that_is_left_of_a_scene_if_it_fits():
    whole, budget = encoder(*dotted(180)), LIMITS["bytes"]
    most = max(end for end in range(90, 180) if len(zlib.compress(whole.file(0, end), 6)) <= budget)
    for count in (most - 1, most):
        packer = Packer(encoder(*dotted(count)), opening=count)
        packer.ratio *= 10  # as if data compressed badly: the file is filled bit by bit
        assert packer.next(0)[0] == count


def test_the_file_that_a_scene_opens_with_is_smaller_than_the_others():
    found = encoder(*dotted(90))
    (opens, first), (others, other) = Packer(found, opening=0).next(0), Packer(found, opening=89).next(0)
    assert opens < others
    assert len(brotli.compress(first)) <= 16_000 < len(brotli.compress(other))
    assert len(zlib.compress(other)) <= LIMITS["bytes"]


def test_a_variant_that_is_painted_in_two_orders_can_not_be_put_into_a_file():
    with pytest.raises(CycleError):
        Packer(encoder([[ONE, OTHER], [OTHER, ONE]])).next(0)


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
