"""Check the story that both memories are told: its values, its table and its words agree."""

import re

import pytest

from loom.scene import WIDTHS
from scenes.paged_attention.model import BLOCKS, NAMES, SLOTS, STORY, TELLING
from scenes.paged_attention.scene import SCENE
from scenes.paged_attention.steps import parts
from tests.boxes import answer_lines

GRID = list(SCENE.grid())
PAGED = [params for params in GRID if params["layout"] == "paged"]
COPIED = 9  # the step after E and F have come


def values(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def states_of(**params):
    return SCENE.run(**params).steps


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


@pytest.mark.parametrize("params", GRID, ids=str)
def test_answers_grow_in_beats_and_end_as_the_event_does(params):
    for chapter, event in zip(SCENE.run(**params).chapters, STORY, strict=True):
        lives = [state.now.live for state in chapter.states]
        assert lives == sorted(lives) or event.kind == "end"
        if event.tokens > 1:
            assert len(set(lives)) == len(lives) > 1
        assert chapter.states[-1].now.event == event


def test_one_slot_is_one_slot():
    labels = [SCENE.param("block").label_of(block) for block in BLOCKS[:2]]
    assert labels == ["1 slot", "2 slots"]


def test_grid_is_one_story_in_one_piece_and_two_for_each_size_of_block():
    assert len(GRID) == 1 + 2 * len(BLOCKS)


@pytest.mark.parametrize("params", GRID, ids=str)
def test_both_memories_end_a_step_together_however_many_beats_it_has(params):
    for step, chapter in enumerate(SCENE.run(**params).chapters):
        for layout in ("contiguous", "paged"):
            assert chapter.states[-1].of(layout) == chapter.states[-1].telling.beats[layout][step][-1]


def test_who_gets_in_before_a_step_ends_is_not_said_to_wait():
    drawn = [SCENE.draw(state, WIDTHS["wide"]) for state in SCENE.run().chapters[6].states]
    lines = [answer_lines({mark.key: mark for mark in one}) for one in drawn]
    assert lines == [["and D waits: it needs 96 in a row"], ["enough for D"], ["of 256 slots"]]


def test_equal_numbers_of_blocks_are_told_once_and_shares_have_their_own_verb():
    assert SCENE.say(states_of(layout="paged", block=64)[1]).startswith("B and C take 1 block each.")
    assert SCENE.say(states_of()[-1]).endswith("In blocks of 16 it is 96%, and B, D, E and F run.")
