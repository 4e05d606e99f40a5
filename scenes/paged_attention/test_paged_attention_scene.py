"""Check what the reader meets: the story, its values, its words and its pictures agree in both memories."""

import itertools
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.paged_attention.model import BLOCKS, NAMES, SLOTS, STORY, TELLING
from scenes.paged_attention.scene import SCENE
from scenes.paged_attention.steps import parts

GRID = list(SCENE.grid())
PAGED = [params for params in GRID if params["layout"] == "paged"]
COPIED = 9  # the step after E and F have come


def values(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def states_of(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def wide(mark):
    left, _, right, _ = bounds(mark)
    return right - left


def test_opening_refuses_a_request_that_all_free_slots_together_would_hold():
    # By hand: B holds 96 slots from 64 on and C 64 from 160 on; A's 64 before them and 32 after them are free.
    found = values()
    assert (found["free"], found["hole"], found["need"], found["waiting"]) == (96, 64, 96, 1)
    assert found["live"] == 100 * (49 + 23) / 160
    assert found["live_memory"] == 100 * (49 + 23) / 256
    assert SCENE.opening == TELLING


@pytest.mark.parametrize("params", PAGED, ids=str)
def test_blocks_of_any_size_let_it_in_at_once(params):
    assert values(**params)["waiting"] == 0
    assert "D" in states_of(**params)[TELLING - 1].now.running


def test_last_step_is_as_counted_by_hand():
    # In one piece B and D run: 60 + 72 tokens in 2 × 96 slots. In blocks of 16, B, D, E and F hold 60, 77, 47 and 47
    # tokens in 4 + 5 + 3 + 3 blocks; sharing stores the first 32 tokens of E and F, 2 blocks, once.
    assert values()["last_live"] == 100 * (60 + 72) / 192
    alone, shared = values(layout="paged", sharing=False), values(layout="paged")
    assert alone["last_live"] == 100 * (60 + 77 + 47 + 47) / (15 * 16)
    assert shared["last_live"] == 100 * (60 + 77 + 47 + 47 - 32) / (13 * 16)
    assert (shared["saved"], shared["copies"]) == (32, 1)
    assert (values()["admitted"], values()["refused"], shared["admitted"], shared["refused"]) == (2, 2, 4, 0)


@pytest.mark.parametrize("block", BLOCKS)
def test_sharing_and_the_size_of_blocks_decide_whether_f_gets_in(block):
    # 256 slots: blocks of 64 are 4, and B, D and E need them all; of 8 blocks of 32, F needs 2 or, sharing, 1.
    for sharing in (False, True):
        expected = 4 if block < 32 or (block == 32 and sharing) else 3
        assert values(layout="paged", block=block, sharing=sharing)["admitted"] == expected


@pytest.mark.parametrize("block", BLOCKS)
def test_prompt_of_41_tokens_is_copied_unless_it_fills_its_last_block(block):
    found = values(layout="paged", block=block)
    assert found["copies"] == (41 % block > 0 and found["admitted"] == 4)
    assert found["saved"] == (41 // block * block if found["admitted"] == 4 else 0)
    assert values(layout="paged", block=block, sharing=False)["copies"] == 0


@pytest.mark.parametrize("block", BLOCKS)
def test_tail_is_that_of_the_block_whatever_the_layout(block):
    found = values(layout="paged", block=block)
    assert found["tail"] == (block - 1) / 2
    assert found["tail_share"] == pytest.approx(100 * (block - 1) / (2 * 500 + block - 1))
    assert str(SCENE.run().values["tail_share"]) == "1.5%"


@pytest.mark.parametrize("params", GRID, ids=str)
def test_every_request_finds_a_slot_for_every_token_of_the_story(params):
    for state in states_of(**params):
        assert not state.now.stalled
        for name in state.now.running:
            assert len(state.now.slots[name]) <= NAMES[name].final <= NAMES[name].most
    for ended in (NAMES[event.names] for event in STORY if event.kind == "end"):
        step = next(state.step for state in states_of(**params) if ended.name in state.now.ended)
        assert len(states_of(**params)[step - 2].now.slots[ended.name]) == ended.final  # it had said all


@pytest.mark.parametrize("params", GRID, ids=str)
def test_table_and_values_are_those_of_the_steps(params):
    table, story = SCENE.run(**params).table, [state.now for state in states_of(**params)]
    rows = [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]
    for row, now in zip(rows, story, strict=True):
        assert row["live"] + row["waste_inside"] == row["allocated"]
        assert row["waste_outside"] == (SLOTS - row["allocated"] if row["waiting"] else 0)
        assert row["live_share"] == 100 * now.live / now.taken
        assert sum(parts(now)) == SLOTS
    assert values(**params)["worst_live"] == min(row["live_share"] for row in rows)
    assert values(**params)["live"] == rows[TELLING - 1]["live_share"]


@pytest.mark.parametrize("params", GRID, ids=str)
def test_every_step_says_something_else_with_the_numbers_of_its_row(params):
    said = [SCENE.say(state) for state in states_of(**params)]
    assert len(set(said)) == len(said) == len(STORY)
    assert not [
        words for words in said if re.search(r"\b1 (?:tokens|slots|blocks)\b|\b[02-9] (?:token|slot|block)\b", words)
    ]
    last = states_of(**params)[-1].now
    assert f"{last.live_share:.0f}%" in said[-1]
    for name in last.waiting:
        assert re.search(rf"{name}\b.* waits?", said[-1])


def test_words_of_the_opening_and_of_the_copy():
    assert SCENE.say(states_of()[TELLING - 1]) == (
        "D arrives and asks for 96 slots in a row. 96 are free, but in holes of 64 and 32: none is large enough, "
        "and D waits."
    )
    assert "copies the 9 tokens in it to block 12" in SCENE.say(states_of(layout="paged")[COPIED - 1])
    assert "nothing is copied" in SCENE.say(states_of(layout="paged", block=1)[COPIED - 1])


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


def beats(step, **params):
    """The marks of each beat of a chapter, by key."""
    return [marks(state) for state in SCENE.run(**params).chapters[step - 1].states]


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


@pytest.mark.parametrize("params", GRID, ids=str)
def test_answers_grow_in_beats_and_end_as_the_event_does(params):
    for chapter, event in zip(SCENE.run(**params).chapters, STORY, strict=True):
        lives = [state.now.live for state in chapter.states]
        assert lives == sorted(lives) or event.kind == "end"
        if event.tokens > 1:
            assert len(set(lives)) == len(lives) > 1
        assert chapter.states[-1].now.event == event


@pytest.mark.parametrize("block", [16, 32, 64])
def test_block_table_has_a_cell_for_each_block_and_arrows_to_those_of_whom_it_is_about(block):
    state = states_of(layout="paged", block=block)[TELLING - 1]
    drawn = marks(state)
    for name, table in state.now.tables.items():
        assert [drawn[f"{name}-cell-{at}-number"].text for at in range(len(table))] == list(map(str, table))
        assert (f"{name}-arrows" in drawn) == (f"{name}-tips" in drawn) == (name == "D")
    tips = [
        [float(number) for number in line.split()] for line in re.findall(r"M([\d. ]+)L", drawn["D-tips"].shape["d"])
    ]
    assert len(tips) == len(state.now.tables["D"])
    for (_, y), number in zip(tips, state.now.tables["D"], strict=True):
        slot = next(
            slot
            for slot in range(number * block, (number + 1) * block)
            if slot // 32 == (number * block + block - 1) // 32
        )
        row = drawn[f"row-{slot // 32}"].shape
        assert row["y"] < y < row["y"] + row["height"]


def test_one_slot_is_one_slot():
    labels = [SCENE.param("block").label_of(block) for block in BLOCKS[:2]]
    assert labels == ["1 slot", "2 slots"]


@pytest.mark.parametrize("params", GRID, ids=str)
def test_words_are_short(params):
    assert max(len(SCENE.say(state)) for state in states_of(**params)) <= 215


def test_grid_is_one_story_in_one_piece_and_two_for_each_size_of_block():
    assert len(GRID) == 1 + 2 * len(BLOCKS)


def test_hole_is_seen_before_d_moves_into_it():
    hole, filled = beats(7)
    assert hole["hole-160-96"].text == "D needs 96 in a row; 96 are free here"
    assert hole["C-line"].text == "has ended" and "hole-160-96" not in filled
    assert len(SCENE.run(layout="paged").chapters[6].states) == 1  # there, D is in already


@pytest.mark.parametrize("params", GRID, ids=str)
def test_both_memories_end_a_step_together_however_many_beats_it_has(params):
    for step, chapter in enumerate(SCENE.run(**params).chapters):
        for layout in ("contiguous", "paged"):
            assert chapter.states[-1].of(layout) == chapter.states[-1].telling.beats[layout][step][-1]


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


@pytest.mark.parametrize("params", GRID, ids=str)
def test_few_marks_change_at_once(params):
    pictures = [marks(state) for chapter in SCENE.run(**params).chapters for state in chapter.states]
    for before, after in itertools.pairwise(pictures):
        assert len({key for key in {*before, *after} if before.get(key) != after.get(key)}) <= 65
