"""Check splits against golden times and choices, a simulation by events, and merges against unsplit softmax."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.split_kv.model import (
    BANDWIDTH,
    EXACT,
    ONE_SM,
    SCORES,
    SMS,
    VALUES,
    Case,
    chosen_splits,
    kv_bytes,
    merge,
    merge_bytes,
    partial,
    waves,
)

example_budget = settings(max_examples=100, deadline=None, derandomize=True)


# facts/serving.md, 15.2: one conversation of Llama 3 8B, 8,192 keys.
@pytest.mark.parametrize(("splits", "micro"), [(1, 69.9), (2, 34.95), (4, 17.48), (8, 10.01), (15, 10.01), (16, 10.01)])
def test_golden_times_of_reading_are_reproduced(splits, micro):
    case = Case(splits, 1, 8192)
    assert case.bytes == kv_bytes(1, 8192) == 33_554_432
    assert case.reading * 1e6 == pytest.approx(micro, abs=0.006 if micro < 69 else 0.05)


# facts/serving.md, section 7: conversations × KV heads on 132 SMs, 64 tiles of keys.
@pytest.mark.parametrize(
    ("blocks", "splits"), [(1, 55), (8, 15), (16, 8), (32, 4), (48, 5), (64, 2), (104, 5), (112, 1)]
)
def test_splits_are_those_that_flash_attention_3_takes(blocks, splits):
    assert chosen_splits(blocks, 8192) == splits


def test_example_in_the_source_of_flash_attention_3_prefers_two_splits_to_three():
    # 48 blocks on 108 SMs: 2 splits reach 0.89, 3 splits 0.67.
    assert chosen_splits(48, 8192, sms=108, most=3) == 2
    assert Case(3, 6, 8192).blocks / (2 * SMS) == pytest.approx(144 / 264)


def heuristic(total_mblocks, num_sms, num_n_blocks, max_splits):
    """Oracle: what hopper/heuristics.h does, statement by statement, in single precision where it is."""
    if np.float32(total_mblocks) >= np.float32(0.8) * np.float32(num_sms):
        return 1
    if num_n_blocks <= 4:
        return 1
    limit, best, efficiency = min(max_splits, num_sms, num_n_blocks), np.float32(0), []
    for splits in range(1, limit + 1):
        n_waves = np.float32(total_mblocks * splits) / np.float32(num_sms)
        eff = np.float32(n_waves / np.ceil(n_waves))
        best = max(best, eff)
        efficiency.append(eff)
    for splits in range(1, limit + 1):
        if float(efficiency[splits - 1]) >= 0.85 * float(best):
            return splits
    return 1


def test_choice_agrees_with_the_source_for_all_small_loads():
    for blocks, tiles in itertools.product(range(1, 140), (1, 4, 5, 8, 64, 1024)):
        assert chosen_splits(blocks, tiles * 128) == heuristic(blocks, SMS, tiles, 128), (blocks, tiles)


def simulated(blocks, size, sms=SMS):
    """Oracle: SMs take the next block when they are free; all that run share memory, none faster than by itself."""
    left, waiting, clock = [size] * min(blocks, sms), max(0, blocks - sms), 0.0
    while left:
        rate = min(ONE_SM, BANDWIDTH / len(left))
        step = min(left) / rate
        clock += step
        left = [one - step * rate for one in left if one - step * rate > size * 1e-9]
        while waiting and len(left) < sms:
            left.append(size)
            waiting -= 1
    return clock


@pytest.mark.parametrize("sequences", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("splits", [1, 2, 7, 8, 15, 16, 17, 20, 32])
def test_time_of_reading_is_that_of_a_simulation_by_events(sequences, splits):
    case = Case(splits, sequences, 8192)
    assert case.reading == pytest.approx(simulated(case.blocks, case.bytes / case.blocks), rel=1e-6)


@pytest.mark.parametrize(
    ("blocks", "expected"), [(1, [1]), (132, [132]), (133, [132, 1]), (264, [132, 132]), (300, [132, 132, 36])]
)
def test_blocks_run_in_waves(blocks, expected):
    assert waves(blocks) == expected


def test_partial_results_of_fifteen_splits_weigh_what_the_facts_say():
    # 495 KB are written and read, 1.5% of the keys and values.
    assert merge_bytes(1, 15) == 495_360
    assert merge_bytes(1, 15) / kv_bytes(1, 8192) == pytest.approx(0.015, abs=0.0003)
    assert merge_bytes(1, 1) == 0


def test_worked_merge_of_the_facts_is_reproduced_and_the_mean_is_wrong():
    # Scores 1, 3 and 2, 0 with values 10, 20 and 30, 40.
    first, second = partial([1, 3], [10, 20]), partial([2, 0], [30, 40])
    assert first == pytest.approx((3.126928, 18.807971), abs=5e-7)
    assert second == pytest.approx((2.126928, 31.192029), abs=5e-7)
    weights, total, output = merge(*zip(first, second, strict=True))
    assert weights.tolist() == pytest.approx([0.731059, 0.268941], abs=5e-7)
    assert (total, output) == pytest.approx((3.440190, 22.138557), abs=5e-7)
    assert (first[1] + second[1]) / 2 == pytest.approx(25.0)


def attention(scores, values):
    """Oracle: softmax of all scores in plain Python, summed without rounding error."""
    powers = [math.exp(score - max(scores)) for score in scores]
    return math.fsum(p * v for p, v in zip(powers, values, strict=True)) / math.fsum(powers)


@given(
    scores=st.lists(st.floats(-300, 300), min_size=1, max_size=60),
    cuts=st.sets(st.integers(1, 59)),
    seed=st.integers(0, 2**32 - 1),
)
@example_budget
def test_merge_of_any_parts_in_any_order_is_unsplit_attention_to_machine_precision(scores, cuts, seed):
    rng = np.random.default_rng(seed)
    values = rng.uniform(1, 10, len(scores))
    ends = [0, *sorted(cut for cut in cuts if cut < len(scores)), len(scores)]
    parts = [partial(scores[a:b], values[a:b]) for a, b in itertools.pairwise(ends)]
    rng.shuffle(parts)
    weights, total, output = merge(*zip(*parts, strict=True))
    assert output == pytest.approx(attention(scores, values.tolist()), rel=1e-12)
    assert total == pytest.approx(
        max(scores) + math.log(math.fsum(math.exp(s - max(scores)) for s in scores)), rel=1e-12
    )
    assert weights.sum() == pytest.approx(1, rel=1e-14)


def test_toy_is_the_same_for_every_number_of_parts_to_the_last_digits():
    exact = attention(SCORES.tolist(), VALUES.tolist())
    assert exact == pytest.approx(EXACT, rel=1e-15)
    for splits in range(1, 65):
        assert abs(Case(splits, 1, 8192).merged[2] - exact) <= 8 * np.spacing(exact)
    assert abs(Case(15, 1, 8192).mean - exact) > 1


def test_merging_parts_of_very_different_scores_does_not_overflow():
    _, total, output = merge([1e4, -1e4], [1.0, 2.0])
    assert (total, output) == (1e4, 1.0)


def test_one_part_costs_no_merge_and_full_sms_gain_nothing_by_splitting():
    assert Case(1, 1, 8192).merging == 0
    for splits in range(2, 33):
        assert Case(splits, 16, 8192).total > Case(1, 16, 8192).total
        assert Case(splits, 1, 8192).total < Case(1, 1, 8192).total
