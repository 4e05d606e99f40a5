"""Check the bytes of attention against golden counts, a computation whose arrays count what moves, and bounds."""

import itertools
import math

import numpy as np
import pytest

from scenes.flash_attention.model import (
    Case,
    block_rows,
    bound_bytes,
    first_paper_bytes,
    keys_needed,
    once_bytes,
    plain_bytes,
)

KIB = 1024


# facts/serving.md, 15.1: N, d, tiles of 128 × 128, so the memory that holds four of them.
@pytest.mark.parametrize(
    ("tokens", "dim", "memory", "plain", "tiled", "causal", "once", "tiles", "seen"),
    [
        (1024, 64, 64, 8_912_896, 2_363_392, 1_445_888, 528_384, 64, 36),
        (4096, 128, 128, 138_412_032, 69_222_400, 36_716_544, 4_210_688, 1024, 528),
        (8192, 128, 128, 545_259_520, 272_662_528, 140_541_952, 8_421_376, 4096, 2080),
        (64, 16, 2, 40_960, 20_736, 14_592, 8_448, 16, 10),
    ],
)
def test_golden_counts_are_reproduced_to_the_byte(tokens, dim, memory, plain, tiled, causal, once, tiles, seen):
    whole, masked = (Case(tokens, dim, memory * KIB, mask) for mask in (False, True))
    assert (whole.plain, whole.tiled, masked.tiled, whole.once) == (plain, tiled, causal, once)
    assert (whole.computed, masked.computed, masked.skipped) == (tiles, seen, tiles - seen)
    assert whole.block == {16: 16}.get(dim, 128)


def test_loop_of_the_first_paper_moves_what_the_facts_count():
    # 100 KB, N = 4,096: 35,454,976 B at d = 64 (3.84 times below plain), 133,758,976 at d = 128 (1.03 times).
    assert first_paper_bytes(4096, 64, 100 * KIB) == 35_454_976
    assert first_paper_bytes(4096, 128, 100 * KIB) == 133_758_976
    assert plain_bytes(4096, 128) / 133_758_976 == pytest.approx(1.03, abs=0.005)


class Counted:
    """An array behind a counter: what is read from it or written to it moves so many bytes."""

    def __init__(self, array, size, total):
        self.array, self.size, self.total = array, size, total

    def read(self, start, end):
        part = self.array[start:end]
        self.total[0] += part.size * self.size
        return part.copy()

    def write(self, start, end, part):
        self.array[start:end] = part
        self.total[0] += part.size * self.size


def softmaxed(scores):
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def whole_attention(q, k, v, causal):
    """Oracle: one query after the other, each with the softmax of its whole row."""
    out = []
    for at, query in enumerate(q.tolist()):
        keys = range(at + 1 if causal else len(k))
        scores = [math.fsum(a * b for a, b in zip(query, k[key].tolist(), strict=True)) / len(query) ** 0.5
                  for key in keys]  # fmt: skip
        weights = softmaxed(scores)
        out.append([math.fsum(w * v[key, column] for w, key in zip(weights, keys, strict=True))
                    for column in range(v.shape[1])])  # fmt: skip
    return np.array(out)


def in_tiles(q, k, v, block, causal):
    """Oracle: attention done in tiles, on arrays that count what moves; a tile with nothing to see is never read."""
    moved, (tokens, dim) = [0], q.shape
    queries, keys, values = (Counted(array, 2, moved) for array in (q, k, v))
    out, sums = Counted(np.zeros((tokens, dim)), 2, moved), Counted(np.zeros(tokens), 4, moved)
    trail = []
    for top in range(0, tokens, block):
        mine = queries.read(top, top + block)
        m, l, o = np.full(len(mine), -np.inf), np.zeros(len(mine)), np.zeros_like(mine)
        for left in range(0, tokens, block):
            if causal and left > top + len(mine) - 1:
                break
            scores = mine @ keys.read(left, left + block).T / math.sqrt(dim)
            value = values.read(left, left + block)
            trail.append(moved[0])
            if causal:
                hidden = left + np.arange(len(value))[None, :] > top + np.arange(len(mine))[:, None]
                scores[hidden] = -np.inf
            new = np.maximum(m, scores.max(axis=1))
            weights, factor = np.exp(scores - new[:, None]), np.exp(m - new)
            m, l, o = new, l * factor + weights.sum(axis=1), o * factor[:, None] + weights @ value
        out.write(top, top + block, o / l[:, None])
        sums.write(top, top + block, m + np.log(l))
    return out.array, moved[0], trail


SIZES = [(1, 1, 1), (5, 2, 1), (16, 4, 4), (17, 4, 4), (40, 8, 16), (33, 3, 32), (12, 4, 12), (12, 4, 50)]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("tokens", "dim", "block"), SIZES)
def test_bytes_are_those_that_a_real_computation_in_tiles_takes_and_its_output_is_attention(tokens, dim, block, causal):
    rng = np.random.default_rng(tokens)
    q, k, v = rng.normal(size=(3, tokens, dim))
    out, moved, trail = in_tiles(q, k, v, block, causal)
    assert out == pytest.approx(whole_attention(q, k, v, causal), rel=1e-12, abs=1e-12)
    case = Case(tokens, dim, 4 * dim * block * 2, causal)
    assert (case.tiled, case.computed) == (moved, len(trail))


def test_bytes_after_each_tile_are_those_that_have_been_read_and_written():
    rng = np.random.default_rng(3)
    *_, trail = in_tiles(*rng.normal(size=(3, 17, 4)), 4, False)
    case = Case(17, 4, 4 * 4 * 4 * 2, False)
    assert [case.moved(at, tiles) for at in range(5) for tiles in range(1, 6)] == trail


def test_plain_program_moves_what_its_three_kernels_read_and_write():
    tokens, dim = 7, 3
    moved = [0]
    q, k, v, out = (Counted(np.ones((tokens, dim)), 2, moved) for _ in range(4))
    scores, weights = (Counted(np.ones((tokens, tokens)), 2, moved) for _ in range(2))
    case, ends = Case(tokens, dim, 1000, False), []
    for reads, writes in (((q, k), scores), ((scores,), weights), ((weights, v), out)):
        for one in reads:
            one.read(0, tokens)
        writes.write(0, tokens, writes.array)
        ends.append(moved[0])
    assert [case.plain_moved(kernel, 1) for kernel in range(3)] == ends
    assert case.plain == plain_bytes(tokens, dim) == moved[0]


@pytest.mark.parametrize(("tokens", "block"), [(1, 1), (10, 3), (12, 3), (100, 7), (5, 8)])
def test_causal_rows_load_no_key_that_none_of_their_queries_may_see_but_for_whole_tiles(tokens, block):
    for row, keys in enumerate(keys_needed(tokens, block, True)):
        last = min((row + 1) * block, tokens) - 1
        assert last < keys <= min((last // block + 1) * block, tokens)


@pytest.mark.parametrize(("dim", "memory"), [(64, 16), (64, 100), (128, 16), (128, 227)])
def test_four_tiles_fit_into_the_memory_and_a_row_more_of_each_would_not(dim, memory):
    rows = block_rows(memory * KIB, dim)
    assert 4 * rows * dim * 2 <= memory * KIB < 4 * (rows + 1) * dim * 2


def test_memory_without_room_for_a_row_is_refused_with_its_size():
    with pytest.raises(ValueError, match=r"1000 bytes hold no row of 128 numbers"):
        block_rows(1000, 128)
    assert block_rows(1024, 128) == 1


def test_count_falls_as_the_theorem_says_and_approaches_eight_times_its_bound():
    # K and V pass once for each of the N / rows blocks: 2 N d · N / (M / 4d) = 8 N²d² / M numbers.
    ratios = [Case(1 << 16, 128, memory, False).tiled / bound_bytes(1 << 16, 128, memory)
              for memory in (1 << 14, 1 << 15, 1 << 16)]  # fmt: skip
    assert ratios == pytest.approx([8, 8, 8], rel=0.01)
    assert Case(1 << 14, 128, 1 << 14, True).tiled / bound_bytes(1 << 14, 128, 1 << 14) == pytest.approx(4, rel=0.02)


def test_no_tiling_moves_less_than_once_and_one_tile_moves_just_that():
    for tokens, dim, memory, causal in itertools.product((64, 1000), (16, 64), (8, 64, 1024), (False, True)):
        assert Case(tokens, dim, memory * KIB, causal).tiled >= once_bytes(tokens, dim)
    assert Case(64, 16, 1024 * KIB, False).tiled == once_bytes(64, 16)


@pytest.mark.parametrize("causal", [False, True])
def test_bytes_on_the_way_never_fall_and_end_with_the_whole(causal):
    case = Case(100, 8, 4 * 8 * 2 * 16, causal)
    steps = [case.moved(at, tiles) for at, row in enumerate(case.order) for tiles in range(case.counts[row] + 1)]
    assert steps == sorted(steps)
    assert case.moved(case.side, 0) == case.tiled


def test_masked_rows_are_taken_longest_first():
    case = Case(64, 16, 2 * KIB, True)
    assert [case.counts[row] for row in case.order] == [4, 3, 2, 1]
