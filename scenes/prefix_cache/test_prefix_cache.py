"""Hits against a comparison of all prompts token by token, and against a cache of hashes with a list of use."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from functools import cache
from math import inf

import pytest

from scenes.prefix_cache.case import CAPACITIES, CHANGES
from scenes.prefix_cache.model import EACH, HYBRID, LAST, STATE, TOKEN, Cache, hundred_chats, hybrid_block
from scenes.prefix_cache.workloads import AGENT, CHAT, CHATS, END, Request, Workload, workload

KINDS = [(CHAT, END), (CHATS, END), *[(AGENT, change) for change in CHANGES]]


@cache
def texts(kind, change):
    """Every request's tokens, prompt and reply, each token by a name of its own: built from the story alone."""
    found = []
    for request in workload(kind, change).requests:
        who, last = request.branch, request.turn
        if kind == AGENT:
            tokens = [("tools", at) for at in range(20_000)]
            for turn in range(1, last + 1):
                tokens += [("result", turn, at) for at in range(2000)] + [("call", turn, at) for at in range(500)]
            prompt = len(tokens) - 500
            if change:
                tokens[change] = ("clock", last)
        else:
            tokens = [("system", at) for at in range(1000)]
            for turn in range(1, last + 1):
                tokens += [("user", who, turn, at) for at in range(100)] + [
                    ("says", who, turn, at) for at in range(300)
                ]
            prompt = len(tokens) - 300
        found.append((tokens, prompt))
    return found


def common(one, other):
    """How many tokens two texts begin with alike: halved until it is found, as comparing slices is quick."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


@cache
def beginnings(kind, change):
    """The longest beginning of each prompt that anything before has had."""
    told = texts(kind, change)
    return [
        max((min(common(tokens[:prompt], before), prompt) for before, _ in told[:at]), default=0)
        for at, (tokens, prompt) in enumerate(told)
    ]


def by_hashes(kind, change, block, capacity, snapshots=EACH, chunk=8192):
    """Blocks by a hash of all before them, in a list of use; a request's own are not evicted while it runs."""
    cached, states, hits, room = OrderedDict(), set(), [], capacity if capacity == inf else capacity // block
    for tokens, prompt in texts(kind, change):
        keys, key = [], 0
        for at in range(0, len(tokens) // block * block, block):
            key = hash((key, tuple(tokens[at : at + block])))
            keys.append(key)
        found = next((at for at, key in enumerate(keys[: prompt // block]) if key not in cached), prompt // block)
        held, needed = found, -(-len(tokens) // block)
        if snapshots == LAST:
            found = next((at for at in range(found, 0, -1) if keys[at - 1] in states), 0)
        own = set(keys[:held])
        for old in [key for key in cached if key not in own]:
            if len(cached) + needed - held <= room:
                break
            del cached[old]
            states.discard(old)
        for key in reversed(keys):  # freed from the end, so that the beginning was used last
            cached[key] = None
            cached.move_to_end(key)
        step = chunk // block
        states |= {keys[at - 1] for at in {*range(found + step, prompt // block, step), prompt // block, len(keys)}}
        hits.append(found * block)
    return hits


@pytest.mark.parametrize("block", [1, 16, HYBRID])
@pytest.mark.parametrize(("kind", "change"), KINDS)
def test_hits_without_a_wall_are_the_longest_common_beginnings(kind, change, block):
    found = [turn.hit for turn in Cache(workload(kind, change), block).turns]
    assert found == [same // block * block for same in beginnings(kind, change)]


@pytest.mark.parametrize("snapshots", [EACH, LAST])
@pytest.mark.parametrize("block", [16, HYBRID])
@pytest.mark.parametrize("capacity", CAPACITIES)
def test_hits_under_a_wall_are_those_of_hashed_blocks_in_a_list_of_use(capacity, block, snapshots):
    found = Cache(workload(CHATS), block, capacity, snapshots).turns
    assert [turn.hit for turn in found] == by_hashes(CHATS, END, block, capacity, snapshots)


@pytest.mark.parametrize(("kind", "change"), KINDS)
def test_snapshots_at_ends_only_are_those_of_hashed_blocks(kind, change):
    found = Cache(workload(kind, change), HYBRID, snapshots=LAST).turns
    assert [turn.hit for turn in found] == by_hashes(kind, change, HYBRID, inf, LAST)


@pytest.mark.parametrize(("kind", "change"), KINDS)
def test_what_is_known_is_what_some_prompt_before_began_with(kind, change):
    assert list(workload(kind, change).known) == beginnings(kind, change)


# Multi-turn sums of the facts sheet, section 6.
@pytest.mark.parametrize(("kind", "block", "percent"),
                         [(CHAT, 1, 84.2), (CHAT, 16, 83.9), (CHAT, HYBRID, 72.3), (AGENT, 16, 93.4)])  # fmt: skip
def test_rates_are_those_of_the_sums_by_hand(kind, block, percent):
    assert 100 * Cache(workload(kind), block).rate == pytest.approx(percent, abs=0.05)


def test_a_chat_finds_the_tokens_of_its_turn_before():
    turns = Cache(workload(CHAT), 16).turns
    assert [turn.request.prompt for turn in turns] == [1100, 1500, 1900, 2300, 2700]
    assert [turn.hit for turn in turns] == [0, 1392, 1792, 2192, 2592]


def test_a_hundred_chats_with_one_system_prompt_find_more():
    assert 100 * hundred_chats(16, EACH) == pytest.approx(94.2, abs=0.05)
    assert hundred_chats(HYBRID, LAST) == pytest.approx(Cache(workload(CHAT), HYBRID).rate)  # nothing is shared


def test_fourteen_tokens_that_share_ten_find_eight_in_blocks_of_four():  # vLLM's example of its prefix cache
    work = Workload(10, (Request(0, 1, 15, 0), Request(1, 1, 14, 0)))
    assert [turn.hit for turn in Cache(work, 4).turns] == [0, 8]


def test_a_block_as_large_as_the_state_has_528_tokens():  # vLLM's log of Qwen3.5-4B, issue 40696
    assert (STATE, TOKEN, STATE / TOKEN) == (2_146_304, 4096, 524.0)
    assert HYBRID == hybrid_block(STATE, TOKEN) == 528


@pytest.mark.parametrize(("prompt", "percent"), [(500, 0), (552, 95.7), (979, 53.9)])  # the same issue
def test_short_prompts_find_one_block_or_none(prompt, percent):
    again = Cache(Workload(prompt, (Request(0, 1, prompt, 0), Request(1, 1, prompt, 0))), HYBRID).turns[1]
    assert 100 * again.hit / prompt == pytest.approx(percent, abs=0.05)


def test_a_prompt_sent_again_finds_itself_and_not_its_reply():
    again = Cache(Workload(100, (Request(0, 1, 100, 60), Request(0, 2, 100, 60))), 16).turns[1]
    assert (again.hit, again.known) == (96, 100)


@pytest.mark.parametrize(("shared", "hit"), [(1600, 1584), (1500, 0)])  # vLLM issue 45238: prompts of 2,200 tokens
def test_a_snapshot_behind_the_place_where_prompts_part_is_of_no_use(shared, hit):
    work = Workload(shared, (Request(0, 1, 2200, 0), Request(1, 1, 2200, 0)))
    assert Cache(work, HYBRID, snapshots=LAST, chunk=2048).turns[1].hit == hit
    assert Cache(work, HYBRID, snapshots=EACH).turns[1].hit == shared // HYBRID * HYBRID


@pytest.mark.parametrize("snapshots", [EACH, LAST])
@pytest.mark.parametrize("block", [1, 16, HYBRID])
def test_more_memory_never_finds_less_and_is_never_overrun(block, snapshots):
    caches = [Cache(workload(CHATS), block, size, snapshots) for size in CAPACITIES]
    assert all(one.rate <= other.rate for one, other in itertools.pairwise(caches))
    assert all(one.most <= one.capacity for one in caches)


@pytest.mark.parametrize(("kind", "change"), KINDS)
def test_parts_of_a_prompt_add_up_and_finer_blocks_find_no_less(kind, change):
    fine, coarse = Cache(workload(kind, change), 1), Cache(workload(kind, change), HYBRID)
    for one, other in zip(fine.turns, coarse.turns, strict=True):
        assert 0 <= other.hit <= one.hit == one.known <= one.request.prompt


def test_an_early_change_leaves_next_to_nothing_to_find_and_fills_memory():
    early, never = Cache(workload(AGENT, 40)), Cache(workload(AGENT))
    assert early.rate < 0.001 and never.rate > 0.93
    assert early.workload.tree == 924_240 and never.workload.tree == 70_000


def test_a_memory_smaller_than_one_request_is_refused():
    with pytest.raises(ValueError, match=r"2,000 tokens of memory can't hold one request"):
        _ = Cache(workload(CHATS), 16, 2000).turns
