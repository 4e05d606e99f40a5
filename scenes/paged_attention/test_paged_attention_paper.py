"""Check the memories against the examples of the vLLM paper (arXiv 2309.06180), and what they refuse."""

from fractions import Fraction

import numpy as np
import pytest

from scenes.paged_attention.memory import Contiguous, Copy, Paged, free_runs
from scenes.paged_attention.model import BLOCKS, Event, Request, run, tail_waste

PROMPT = np.arange(1, 8)  # "Four score and seven years ago our": 7 tokens, in blocks of 4


def test_waste_of_two_reserved_pieces_is_that_of_figure_3():
    # Request A: most 2,048; 7 prompt tokens, 1 generated, 2 slots reserved for the future, 2,038 never used.
    # Request B: most 512; 3 prompt tokens, 1 generated, 1 reserved, 507 never used.
    requests = Request("A", 7, 3, 2048, 1), Request("B", 3, 2, 512, 2)
    snapshot = run(Contiguous(4096), requests, [Event("arrive", "AB"), Event("write", tokens=1)])[-1]
    assert snapshot.live == 8 + 4
    assert snapshot.inside == (2 + 2038) + (1 + 507)
    assert [request.most - request.final for request in requests] == [2038, 507]


def test_blocks_are_taken_on_demand_as_in_figure_6():
    memory = Paged(9 * 4, 4)
    memory.admit("A", PROMPT, 36)
    assert len(memory.tables["A"]) == 2  # two logical blocks for 7 tokens
    memory.write("A", 8)
    assert len(memory.tables["A"]) == 2  # one slot was left in the last block
    memory.write("A", 9)
    assert len(memory.tables["A"]) == 3  # the last block was full
    assert memory.read("A").tolist() == [*range(1, 10)]


def test_two_samples_of_a_prompt_part_as_in_figure_8():
    memory = Paged(9 * 4, 4, sharing=True)
    memory.admit("A1", PROMPT, 36)
    memory.admit("A2", PROMPT, 36)
    whole, last = memory.tables["A1"]
    assert memory.tables["A2"] == [whole, last]
    assert memory.refs[[whole, last]].tolist() == [2, 2]
    memory.write("A1", 100)  # its block is shared: it is copied, with its 3 tokens
    target = memory.tables["A1"][1]
    assert memory.copies == [Copy("A1", last, target, 3)]
    assert memory.refs[[whole, last, target]].tolist() == [2, 1, 1]
    memory.write("A2", 200)  # the count is 1 by now: it writes in place
    assert (memory.tables["A2"], len(memory.copies)) == ([whole, last], 1)
    assert memory.read("A1").tolist() == [*PROMPT, 100]
    assert memory.read("A2").tolist() == [*PROMPT, 200]


def test_block_is_free_when_its_last_user_has_gone():
    memory = Paged(16, 4, sharing=True)
    memory.admit("A", PROMPT, 16)
    memory.admit("B", PROMPT, 16)
    memory.release("A")
    assert memory.taken == 8
    assert memory.read("B").tolist() == PROMPT.tolist()
    memory.release("B")
    assert memory.taken == 0


def test_prompt_that_begins_alike_shares_whole_blocks_only():
    memory = Paged(64, 4, sharing=True)
    memory.admit("A", PROMPT, 16)
    memory.admit("B", np.array([1, 2, 3, 4, 5, 6, 99, 98]), 16)
    assert memory.tables["B"][0] == memory.tables["A"][0]
    assert memory.tables["B"][1] not in memory.tables["A"]
    memory.admit("C", np.array([99, 2, 3, 4, 5]), 16)
    assert not {*memory.tables["C"]} & {*memory.tables["A"], *memory.tables["B"]}


def test_nothing_changes_when_a_request_or_a_token_does_not_fit():
    memory = Paged(8, 4)
    memory.admit("A", np.arange(5), 8)
    assert not memory.admit("B", np.arange(3), 4)
    assert all(memory.write("A", token) for token in (5, 6, 7))
    assert not memory.write("A", 8)
    assert memory.read("A").tolist() == [*range(8)]
    piece = Contiguous(8)
    piece.admit("A", np.arange(3), 4)
    assert not piece.admit("B", np.arange(3), 5)
    assert piece.write("A", 3)
    assert not piece.write("A", 4)
    assert piece.holes() == [(4, 4)]


def test_token_without_a_slot_is_told_in_the_story():
    requests = Request("A", 3, 9, 12, 1), Request("B", 3, 9, 12, 2)
    story = [Event("arrive", "AB"), Event("write", tokens=2)]
    assert [snapshot.stalled for snapshot in run(Paged(8, 4), requests, story)] == [(), ("A", "B")]


@pytest.mark.parametrize("block", BLOCKS)
def test_mean_tail_is_that_of_every_remainder_counted(block):
    empty = [-length % block for length in range(1, 12 * block + 1)]
    assert tail_waste(block) == Fraction(sum(empty), len(empty))


def test_blocks_of_16_waste_one_and_a_half_percent_of_500_tokens():
    # facts/attention.md, section 10.
    assert 100 * tail_waste(16) / 500 == 1.5


def test_free_runs_are_found_at_both_ends_and_not_where_there_are_none():
    assert free_runs(np.array([True, True, False, True])) == [(0, 2), (3, 1)]
    assert free_runs(np.array([False, False])) == []


def test_memory_of_no_whole_number_of_blocks_is_refused():
    with pytest.raises(ValueError, match="10 slots are no whole number of blocks of 4"):
        Paged(10, 4)


@pytest.mark.parametrize("memory", [Contiguous(16), Paged(16, 4)], ids=["contiguous", "paged"])
def test_bad_request_is_refused_with_the_reason(memory):
    memory.admit("A", np.arange(3), 4)
    with pytest.raises(ValueError, match="'A' is there already"):
        memory.admit("A", np.arange(3), 4)
    with pytest.raises(ValueError, match="'B' has a prompt of 5 tokens, and may have 1 to 4"):
        memory.admit("B", np.arange(5), 4)
    with pytest.raises(ValueError, match="'C' has a prompt of 0 tokens"):
        memory.admit("C", np.arange(0), 4)


def test_unknown_event_is_refused():
    with pytest.raises(ValueError, match="arrive, write or end, not 'sleep'"):
        run(Contiguous(8), (), [Event("sleep")])
