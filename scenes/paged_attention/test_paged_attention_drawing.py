"""Check the pictures of both memories, step by step and in the beats between: what is drawn is what they hold."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.paged_attention.model import SLOTS, STORY, TELLING
from scenes.paged_attention.scene import SCENE
from scenes.paged_attention.steps import parts
from tests.boxes import box

GRID = list(SCENE.grid())
PAGED = [params for params in GRID if params["layout"] == "paged"]
COPIED = 9  # the step after E and F have come


def states_of(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def wide(mark):
    left, _, right, _ = bounds(mark)
    return right - left


def beats(step, **params):
    """The marks of each beat of a chapter, by key."""
    return [marks(state) for state in SCENE.run(**params).chapters[step - 1].states]


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, GRID)], ids=str)
def test_drawn_slots_are_those_of_the_memory(width, params):
    unit = {"narrow": 328, "wide": 480}[width] / 32
    for state in states_of(**params):
        drawn = {key: mark for key, mark in marks(state, width).items() if mark.tag == "rect"}
        tokens = dict.fromkeys(state.now.running, 0.0)
        for key, mark in drawn.items():
            match = re.match(r"([A-F])-token-", key)
            if match and match[1] in tokens:  # who waits has its prompt beside it
                tokens[match[1]] += (wide(mark) + 2) / unit
        assert tokens == pytest.approx({name: len(slots) for name, slots in state.now.slots.items()}, abs=0.01)
        empty = sum((wide(mark) + 2) / unit for key, mark in drawn.items() if re.match(r"unused-|[A-F]-later-", key))
        assert empty == pytest.approx(state.now.inside, abs=0.01)


def test_shared_block_is_halved_between_its_two_users():
    drawn = marks(states_of(layout="paged")[COPIED - 2])
    upper, lower = drawn["E-token-0"].shape, drawn["F-token-0"].shape
    assert (upper["x"], upper["width"], upper["height"]) == (lower["x"], lower["width"], lower["height"])
    assert lower["y"] == upper["y"] + upper["height"]
    assert drawn["E-letter-0"].text == "E and F"
    assert "F-letter-0" not in drawn


def test_copied_block_moves_and_says_where_it_comes_from():
    before, after = (marks(state) for state in states_of(layout="paged")[COPIED - 2 : COPIED])
    assert (before["E-token-32"].shape["x"], before["E-token-32"].shape["y"]) != (
        after["E-token-32"].shape["x"], after["E-token-32"].shape["y"],
    )  # fmt: skip
    assert after["F-token-32"].shape["height"] == 2 * before["F-token-32"].shape["height"]
    assert after["copy-E"].text == "from 11"


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_share_the_scale_of_the_memory(width):
    unit = {"narrow": 328, "wide": 552}[width] / SLOTS
    for params in (GRID[0], *(params for params in PAGED if params["block"] in (1, 64))):
        for state in states_of(**params):
            drawn = marks(state, width)
            for layout in ("contiguous", "paged"):
                sizes = zip(("token", "later", "unused"), parts(state.of(layout)), strict=False)
                for kind, size in sizes:
                    assert (f"{layout}-{kind}" in drawn) == bool(size)
                    assert not size or wide(drawn[f"{layout}-{kind}"]) == pytest.approx(size * unit)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID[::4], ids=str)
def test_pieces_and_bars_say_their_numbers(params, width):
    for state in states_of(**params):
        drawn = marks(state, width)
        counted = dict.fromkeys(state.now.running, 0)
        for key, mark in drawn.items():
            match = re.match(r"([A-F])-token-\d+$", key)
            if match and match[1] in counted:
                counted[match[1]] += int(re.search(r": (\d+) token", mark.read)[1])
        assert counted == {name: len(slots) for name, slots in state.now.slots.items()}
        for layout in ("contiguous", "paged"):
            sizes = dict(zip(("token", "later", "unused"), parts(state.of(layout)), strict=False))
            said = {kind: drawn[f"{layout}-{kind}"].read for kind, size in sizes.items() if size}
            assert {kind: int(re.search(r": (\d+)", words)[1]) for kind, words in said.items()} == {
                kind: size for kind, size in sizes.items() if size
            }


def test_who_waits_is_marked_in_words_and_its_piece_tried_over_the_hole():
    drawn = marks(states_of()[TELLING - 1])
    assert drawn["D-line"].text == "waits: needs 96 in one piece"
    assert drawn["D-line"].role.startswith("dropped")
    assert drawn["hole-0-64"].text == "D needs 96 in a row; 64 are free here"
    assert drawn["tried"].shape["d"].count("M") == 3  # three rows, the last of which is B's
    assert marks(states_of()[-1])["F-line"].text == "waits behind E"


def test_frame_of_what_is_new_is_around_all_that_d_gets_in_the_end():
    room = states_of()[6]
    assert room.now.entered == ("D",)
    assert room.changed == ([*range(160, 256)], [])  # 64 of them were C's until now
    assert marks(room)["new"].shape["d"].count("M") == 3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("block", [16, 32, 64])
def test_block_table_has_a_cell_for_each_block_and_those_of_whom_it_is_about_are_framed_in_the_memory_too(block, width):
    state = states_of(layout="paged", block=block)[TELLING - 1]
    drawn = marks(state, width)
    for name, table in state.now.tables.items():
        assert [drawn[f"{name}-cell-{at}-number"].text for at in range(len(table))] == list(map(str, table))
        assert {drawn[f"{name}-cell-{at}"].role == "hot outline" for at in range(len(table))} == {name == "D"}
    framed = sorted(int(key.split("-")[1]) for key in drawn if re.fullmatch(r"block-\d+-ground", key))
    assert framed == sorted(state.now.tables["D"])
    assert drawn["framed"].shape["d"].count("M") == len(framed)
    for number in framed:
        ground, words = bounds(drawn[f"block-{number}-ground"]), box(drawn[f"block-{number}"])
        row = drawn[f"row-{((number + 1) * block - 1) // 32}"].shape
        assert row["y"] < ground[1] < words[1] and words[3] < ground[3] < row["y"] + row["height"]
        assert ground[0] < words[0] and words[2] < ground[2]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", PAGED, ids=str)
def test_numbers_of_blocks_are_in_full_ink_clear_of_the_handle(params, width):
    for state in states_of(**params):
        drawn = marks(state, width)
        numbers = {key: mark for key, mark in drawn.items() if re.fullmatch(r"block-\d+", key)}
        assert {mark.role.split()[0] for mark in numbers.values()} <= {"label"}  # softer ink is lost on a fill
        handle, glow = drawn["block-end"].shape, 8
        for left, top, right, bottom in map(box, numbers.values()):
            near = (min(max(handle["cx"], left), right), min(max(handle["cy"], top), bottom))
            assert math.dist(near, (handle["cx"], handle["cy"])) > handle["r"] + glow - 1


def test_parts_of_the_bars_have_names_on_a_phone_too():
    for params in (GRID[0], PAGED[0]):
        for state in states_of(**params):
            drawn = marks(state, "narrow")
            assert [drawn[f"key-{kind}-words"].text for kind in ("token", "unused")] == ["tokens", "unused"]
            assert not any(key.startswith("key-") for key in marks(state))


@pytest.mark.parametrize("params", GRID, ids=str)
def test_requests_come_from_the_queue_into_the_memory(params):
    room = 556  # where the queue begins, right of the memory
    for step, event in enumerate(STORY, 1):
        if event.kind == "arrive":
            first, last = beats(step, **params)
            running = states_of(**params)[step - 1].now.running
            for name in event.names:
                assert first[f"{name}-token-0"].shape["x"] > room
                assert (last[f"{name}-token-0"].shape["x"] < room) == (name in running)
            assert first["answer"].text != last["answer"].text or not set(event.names) & set(running)


def test_nothing_is_said_of_the_share_of_a_memory_in_which_nothing_is_taken():
    before, after = beats(1)
    for layout in ("contiguous", "paged"):
        assert before[f"{layout}-share"].text == "nothing taken"
        assert f"{layout}-taken" not in before
        assert re.fullmatch(r"\d+% used", after[f"{layout}-share"].text)


def test_hole_is_seen_before_d_moves_into_it():
    _, hole, filled = beats(7)
    assert hole["hole-160-96"].text == "D needs 96 in a row; 96 are free here"
    assert hole["C-line"].text == "has ended" and "hole-160-96" not in filled
    assert len(SCENE.run(layout="paged").chapters[6].states) == 2  # there, D is in already


@pytest.mark.parametrize("params", GRID, ids=str)
def test_few_marks_change_at_once(params):
    pictures = [marks(state) for chapter in SCENE.run(**params).chapters for state in chapter.states]
    for before, after in itertools.pairwise(pictures):
        assert len({key for key in {*before, *after} if before.get(key) != after.get(key)}) <= 65


def test_number_that_the_edge_of_few_unused_slots_would_cut_has_a_halo():
    drawn = marks(states_of(layout="paged")[-1])
    assert {key for key, mark in drawn.items() if "halo" in mark.role.split()} == {"block-11", "block-12"}
