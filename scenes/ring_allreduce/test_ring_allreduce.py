"""Check the ring against golden arrays, plain sums and messages passed one by one, and times against closed forms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._clusters.links import NETWORK, NVLINK
from scenes.ring_allreduce.model import (
    LINKS,
    RING,
    SWITCH,
    TREE,
    AllReduce,
    Way,
    envelope,
    exchange,
    sent_chunk,
    toy,
    ways,
)

GPUS = (2, 4, 8, 16)
example_budget = settings(max_examples=60, deadline=None, derandomize=True)


def test_golden_arrays_of_four_gpus_are_reproduced():
    # facts/scaling.md, section 15, S1: X[r, c] = 10 r + c.
    told = exchange(toy(4))
    assert told[1].tolist() == [[0, 1, 2, 36], [10, 11, 12, 13], [20, 32, 22, 23], [30, 31, 54, 33]]
    assert told[3].tolist() == [[0, 64, 56, 36], [10, 11, 68, 49], [30, 32, 22, 72], [60, 63, 54, 33]]
    assert told[6].tolist() == [[60, 64, 68, 72]] * 4


@given(gpus=st.integers(2, 16), seed=st.integers(0, 2**32 - 1))
@example_budget
def test_all_end_with_the_sum_and_each_owns_one_after_the_first_half(gpus, seed):
    arrays = np.random.default_rng(seed).integers(-(10**6), 10**6, (gpus, gpus))
    told = exchange(arrays)
    assert len(told) == 2 * (gpus - 1) + 1
    assert (told[0] == arrays).all()
    assert (told[-1] == arrays.sum(0)).all()
    half = told[gpus - 1]
    assert all(half[gpu, (gpu + 1) % gpus] == arrays[:, (gpu + 1) % gpus].sum() for gpu in range(gpus))


def passed_on(gpus):
    """Oracle: sets of GPUs whose numbers a chunk holds, sent as messages into mailboxes, and chunks counted."""
    held = [[{gpu} for _ in range(gpus)] for gpu in range(gpus)]
    sent = [0] * gpus
    for step in range(2 * gpus - 2):
        boxes = {}
        for gpu in range(gpus):
            chunk = sent_chunk(gpus, gpu, step)
            boxes[(gpu + 1) % gpus] = (chunk, frozenset(held[gpu][chunk]))
            sent[gpu] += 1
        for gpu, (chunk, names) in boxes.items():
            assert step >= gpus - 1 or not names & held[gpu][chunk], "a number would be added twice"
            held[gpu][chunk] = held[gpu][chunk] | names
    return held, sent


@pytest.mark.parametrize("gpus", GPUS)
def test_nothing_is_added_twice_and_each_gpu_sends_as_much_as_the_formula_says(gpus):
    held, sent = passed_on(gpus)
    assert all(names == set(range(gpus)) for row in held for names in row)
    for one, link in itertools.product((10**3, 10**9), LINKS):
        case = AllReduce(gpus, one, link)
        assert sent == [case.steps] * gpus
        assert case.sent == pytest.approx(2 * (gpus - 1) / gpus * one)
        assert case.sent < 2 * one


# facts/scaling.md, section 2: W = 50 GB/s, α = 5 µs; microseconds of ring and tree.
@pytest.mark.parametrize(
    ("size", "ring", "tree"), [(10**3, 70, 30), (10**6, 105, 70), (10**9, 35_070, 40_030)], ids=str
)
def test_golden_times_of_eight_gpus_on_a_network_are_reproduced(size, ring, tree):
    times = AllReduce(8, size, "network").times()
    assert (times[RING] * 1e6, times[TREE] * 1e6) == (pytest.approx(ring, abs=0.5), pytest.approx(tree, abs=0.5))


@pytest.mark.parametrize("gpus", GPUS)
def test_ring_overtakes_a_tree_where_the_closed_form_says(gpus):
    # n·W·α·(n − 1 − log2 n): 8 MB for 8 GPUs.
    expected = gpus * NETWORK * 5e-6 * (gpus - 1 - math.log2(gpus))
    case = AllReduce(gpus, 1, "network")
    assert case.leads_from(RING) == pytest.approx(expected)
    if expected:
        assert AllReduce(gpus, round(expected * 0.99), "network").fastest == TREE
    assert AllReduce(gpus, round(expected * 1.01) + 1, "network").fastest == RING
    assert AllReduce(8, 1, "network").leads_from(RING) == pytest.approx(8e6)


def test_delays_over_nvlink_are_those_of_the_tuner():
    # NCCL at 5067397c: base and hop of LL, LL128 and Simple, for 14 hops.
    assert [way.latency * 1e6 for way in ways(8, "nvlink")[RING]] == pytest.approx([15.0, 40.6, 56.0])
    assert ways(8, "nvlink")[SWITCH][0].latency == 25e-6


def test_a_perfect_ring_has_the_published_bandwidths():
    # facts/scaling.md, section 2: 1 GB on 8 GPUs at 450 GB/s takes 3.889 ms, 257.1 GB/s of algbw.
    simple = ways(8, "nvlink")[RING][2]._replace(start=0.0, hop=0.0)
    assert simple.time(1e9) == pytest.approx(3.889e-3, rel=2e-4)
    assert 1e9 / simple.time(1e9) == pytest.approx(257.1e9, rel=2e-4)
    assert AllReduce(8, 10**9, "nvlink").bus_bandwidth(simple.time(1e9)) == pytest.approx(NVLINK)


@pytest.mark.parametrize(("gpus", "gain"), [(2, 0.67), (3, 1.0), (4, 1.2), (8, 1.556)])
def test_a_switch_that_adds_moves_fewer_bytes_than_a_ring(gpus, gain):
    # 2(n − 1)/(n + 1), facts/scaling.md, section 2.
    some = ways(gpus, "nvlink")
    assert some[RING][0].arrays / some[SWITCH][0].arrays == pytest.approx(gain, abs=0.004)


def test_no_time_is_below_what_links_between_pairs_allow():
    for gpus, link, size in itertools.product(GPUS, LINKS, (10**3, 10**6, 10**9)):
        case = AllReduce(gpus, size, link)
        rate = NVLINK if link == "nvlink" else NETWORK
        assert all(case.times()[name] > case.sent / rate for name in (RING, TREE))
        assert 0 < case.bus_bandwidth(case.times()[RING]) < rate


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0.1, 9)), min_size=1, max_size=6))
@example_budget
def test_lower_edge_of_lines_is_their_least_at_every_size(lines):
    some = [Way(start, 0, 0.0, pace, 1.0) for start, pace in lines]
    edge = envelope(some)
    assert [size for size, _ in edge] == sorted(size for size, _ in edge)
    for size in (0.0, 0.01, 0.5, 3.0, 100.0, *[size for size, _ in edge]):
        leader = [way for start, way in edge if start <= size][-1]
        assert leader.time(size) == pytest.approx(min(way.time(size) for way in some), rel=1e-9, abs=1e-12)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="a link is one of"):
        AllReduce(4, 10**6, "ethernet")
    with pytest.raises(ValueError, match="2 GPUs and 1 byte"):
        AllReduce(1, 10**6, "nvlink")
    with pytest.raises(ValueError, match="as many chunks as GPUs"):
        exchange(np.zeros((4, 3), dtype=np.int64))
