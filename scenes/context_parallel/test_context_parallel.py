"""Check shares against the published tables and a brute-force mask, merged attention against unsplit, and times."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.context_parallel.attention import ring_attention
from scenes.context_parallel.cost import Case
from scenes.context_parallel.model import LAYOUTS, Ring, owners, ring_pairs, slowest_pairs

example_budget = settings(max_examples=60, deadline=None, derandomize=True)


# facts/scaling.md, section 8: 16 tokens on 4 GPUs.
@pytest.mark.parametrize(
    ("layout", "totals", "most", "time"),
    [
        ("contiguous", [10, 26, 42, 58], [10, 16, 16, 16], 58),
        ("striped", [28, 32, 36, 40], [10, 10, 10, 10], 40),
        ("zigzag", [34, 34, 34, 34], [10, 8, 8, 8], 34),
    ],
)
def test_golden_table_of_sixteen_tokens_is_reproduced(layout, totals, most, time):
    ring = Ring(layout, 4)
    assert ring.totals.tolist() == totals
    assert ring.pairs.max(axis=0).tolist() == most
    assert (ring.time, ring.ideal) == (time, 34)
    assert ring.imbalance == pytest.approx({"contiguous": 1.706, "striped": 1.176, "zigzag": 1}[layout], abs=5e-4)


# The same section: 64 tokens on 8 GPUs.
@pytest.mark.parametrize(
    ("layout", "least", "most", "time", "imbalance"),
    [("contiguous", 36, 484, 484, 1.862), ("striped", 232, 288, 288, 1.108), ("zigzag", 260, 260, 260, 1)],
)
def test_golden_table_of_sixty_four_tokens_is_reproduced(layout, least, most, time, imbalance):
    ring = Ring(layout, 8, 64)
    assert (ring.totals.min(), ring.totals.max(), ring.time) == (least, most, time)
    assert ring.imbalance == pytest.approx(imbalance, abs=5e-4)


def masked(owner, ranks):
    """Oracle: the mask cell by cell, and the ring turned by hand."""
    holds, counts = list(range(ranks)), np.zeros((ranks, ranks), dtype=int)
    for step in range(ranks):
        for query, key in itertools.product(range(len(owner)), repeat=2):
            counts[owner[query], step] += key <= query and owner[key] == holds[owner[query]]
        holds = [holds[-1], *holds[:-1]]  # everyone hands on to the next
    return counts


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("tokens", "ranks"), [(2, 1), (4, 2), (16, 2), (16, 4), (16, 8), (48, 3), (64, 8)])
def test_pairs_of_every_step_are_those_of_a_brute_force_mask(layout, tokens, ranks):
    owner = owners(layout, tokens, ranks)
    pairs = ring_pairs(owner, ranks)
    assert pairs.tolist() == masked(owner.tolist(), ranks).tolist()
    assert pairs.sum() == tokens * (tokens + 1) // 2
    assert pairs.max(axis=0).tolist() == slowest_pairs(layout, tokens, ranks).tolist()
    assert np.bincount(owner).tolist() == [tokens // ranks] * ranks


def test_cuts_are_those_of_published_code():
    # ring-flash-attention's extract_local: zigzag takes pieces rank and 2P − 1 − rank, stripe every P-th token.
    sequence = np.arange(32)
    pieces = sequence.reshape(8, 4)
    for rank in range(4):
        zigzag = np.concatenate([pieces[rank], pieces[7 - rank]])
        assert np.flatnonzero(owners("zigzag", 32, 4) == rank).tolist() == zigzag.tolist()
        assert np.flatnonzero(owners("striped", 32, 4) == rank).tolist() == sequence[rank::4].tolist()
        assert np.flatnonzero(owners("contiguous", 32, 4) == rank).tolist() == pieces.reshape(4, 8)[rank].tolist()


@pytest.mark.parametrize("ranks", [2, 4, 8, 64])
def test_contiguous_cut_of_a_long_sequence_comes_to_two_less_one_by_the_number_of_gpus(ranks):
    case = Case("contiguous", ranks, 131_072)
    assert case.work / case.ideal == pytest.approx(2 - 1 / ranks, rel=1e-3)
    assert Case("striped", ranks, 131_072).work / case.ideal == pytest.approx(1, rel=1e-3)
    assert Case("zigzag", ranks, 131_072).work == pytest.approx(case.ideal, rel=1e-12)


def unsplit(queries, keys, values):
    """Oracle: softmax of the whole masked score matrix."""
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True)) * np.tri(len(scores))
    return powers @ values / powers.sum(axis=1, keepdims=True)


@given(layout=st.sampled_from(sorted(LAYOUTS)), ranks=st.sampled_from([1, 2, 4, 8]), seed=st.integers(0, 2**32 - 1))
@example_budget
def test_attention_merged_round_the_ring_is_unsplit_attention(layout, ranks, seed):
    queries, keys, values = np.random.default_rng(seed).normal(0, 3, (3, 32, 6))
    found = ring_attention(queries, keys, values, owners(layout, 32, ranks), ranks)
    np.testing.assert_allclose(found, unsplit(queries, keys, values), rtol=1e-9, atol=1e-12)


# facts/scaling.md, section 8: 131,072 tokens of Llama 3 405B with all its heads.
def test_golden_bytes_of_ring_and_ulysses_are_reproduced():
    eight = Case("zigzag", 8, 131_072)
    assert eight.sent == 469_762_048
    assert round(eight.ulysses / 1e6) == 998
    assert round(Case("zigzag", 16, 131_072).ulysses / 1e6) == 535
    assert eight.block == 131_072 // 8 * 2 * 8 * 128 * 2


def test_llama_3s_own_placement_is_an_eighth_of_sixteen_gpus():
    # CP16 with TP8: 60 MiB received in 1.26 ms; 4.40 TFLOP of causal attention.
    case = Case("zigzag", 16, 131_072)
    assert case.sent / 8 == 60 * 2**20
    assert case.transfer / 8 == pytest.approx(1.26e-3, rel=2e-3)
    assert case.work / 8 * 989.4e12 == pytest.approx(4.40e12, rel=1e-3)


@pytest.mark.parametrize(("layout", "local"), [("contiguous", 1237), ("striped", 2474), ("zigzag", 2474)])
def test_transfer_hides_from_flops_by_bytes_a_token_on(layout, local):
    # F/B · h_kv/h = 1,237 tokens on each GPU where the slowest has full blocks; half blocks need twice as many.
    case = Case(layout, 4, 16_384)
    assert case.hides_from / 4 == pytest.approx(local, abs=1)
    short, long = (Case(layout, 4, 8 * round(case.hides_from / 8 * by)) for by in (0.99, 1.01))
    assert short.step_work < short.step_transfer
    assert long.step_work > long.step_transfer


@pytest.mark.parametrize("layout", LAYOUTS)
def test_time_of_the_ring_is_that_of_a_simulation_of_compute_and_network(layout):
    for tokens, ranks in itertools.product((2048, 16_384, 131_072), (2, 4, 8)):
        case = Case(layout, ranks, tokens)
        clock = 0.0
        for step, work in enumerate(case.steps):  # a block is sent on while it is computed on
            clock = max(clock + work, clock + case.step_transfer * (step < ranks - 1))
        assert case.ring_time == pytest.approx(clock, rel=1e-12)
        assert case.work <= case.ring_time <= case.gather_time * (1 + 1e-12)


@pytest.mark.parametrize(
    ("layout", "tokens", "ranks"), [("diagonal", 16, 4), ("zigzag", 12, 4), ("striped", 0, 2), ("contiguous", 16, 0)]
)
def test_cut_that_cannot_be_is_refused(layout, tokens, ranks):
    with pytest.raises(ValueError, match=r"unknown layout|equal pieces"):
        owners(layout, tokens, ranks)
