"""Check online softmax against the golden table, whole-row and exact oracles, and its invariants."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.online_softmax.model import (
    ORDERS,
    SCORES,
    TILES,
    VALUES,
    State,
    merge,
    online_softmax,
    softmax,
    tiles_in_order,
)
from scenes.online_softmax.scene import SCENE

EMPTY = (-math.inf, 0.0, 0.0)
CLOSE = 1e-11  # sums of positive terms, a few roundings each, and arguments of exp up to 200, rounded by 1e-14
MODERATE = st.floats(-100, 100)
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


@st.composite
def rows(draw, score=MODERATE):
    """Scores and values of one query's keys."""
    count = draw(st.integers(1, 40))
    scores = draw(st.lists(score, min_size=count, max_size=count))
    return np.array(scores), np.array(draw(st.lists(st.floats(-10, 10), min_size=count, max_size=count)))


def attention(scores, values):
    """Oracle: softmax of the whole row in plain Python, summed without rounding error."""
    weights = [math.exp(score - max(scores)) for score in scores]
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / math.fsum(weights)


def taken_in(state, scores, values, cuts):
    """Merge the keys in tiles that end at `cuts`."""
    for start, end in itertools.pairwise(sorted({0, *cuts, len(scores)})):
        _, _, state = merge(state, scores[start:end], values[start:end])
    return state


# golden/online-softmax.json: the four tiles as given; decimals 0, 1, 1, 3, 2, 3.
@pytest.mark.parametrize(
    ("tile", "row"),
    [
        (0, ("0", "3.0", "3.0", "0.000", "1.59", "11.390")),
        (1, ("1", "5.0", "5.0", "0.135", "1.32", "13.175")),
        (2, ("2", "4.0", "5.0", "1.000", "1.89", "12.880")),
        (3, ("3", "6.0", "6.0", "0.368", "1.72", "14.054")),
    ],
)
def test_every_digit_of_the_golden_table_is_reproduced(tile, row):
    table = SCENE.run(order="as given", tile=4).table
    decimals = [column.digits for column in table.columns]
    assert decimals == [0, 1, 1, 3, 2, 3]
    assert tuple(f"{cell:.{digits}f}" for cell, digits in zip(table.rows[tile], decimals, strict=True)) == row


def test_inputs_are_those_of_the_golden_file():
    assert SCORES.reshape(4, 4).tolist() == [[0.5, 1, 2, 3], [-1, 1, 2.5, 5], [1, 2, 3, 4], [0, 1, 2, 6]]
    assert VALUES.reshape(4, 4).tolist() == [[8, 10, 11, 12], [15, 12, 8, 14], [11, 10, 11, 13], [9, 13, 8, 15]]


def test_rescales_of_the_golden_tiles_are_powers_of_e():
    # The running maximum goes 3, 5, 5, 6: e^-inf, e^-2, e^0, e^-1.
    rescales = [step.rescale for step in online_softmax(SCORES, VALUES, 4)]
    assert rescales == pytest.approx([0, math.exp(-2), 1, math.exp(-1)], rel=1e-15)


@pytest.mark.parametrize(("order", "tile"), [*itertools.product(ORDERS, TILES)])
def test_every_choice_of_the_reader_ends_on_the_exact_result(order, tile):
    values = SCENE.run(order=order, tile=tile).values
    assert values["output"].value == pytest.approx(attention(SCORES.tolist(), VALUES.tolist()), rel=1e-14)
    assert values["error"].value <= 1e-14
    assert values["tiles"].value == 16 / tile
    assert len(SCENE.run(order=order, tile=tile).steps) == 16 / tile


@given(row=rows(), tile=st.integers(1, 45), order=st.sampled_from(ORDERS))
@example_budget
def test_online_softmax_equals_softmax_for_any_tiling_and_order(row, tile, order):
    scores, values = row
    steps = online_softmax(scores, values, tile, order)
    assert steps[-1].output == pytest.approx(attention(scores.tolist(), values.tolist()), rel=CLOSE, abs=CLOSE)
    assert steps[-1].output == pytest.approx(softmax(scores) @ values, rel=CLOSE, abs=CLOSE)
    assert sorted(np.concatenate([step.keys for step in steps]).tolist()) == list(range(len(scores)))


@given(row=rows(), cuts=st.sets(st.integers(0, 40)), seed=st.integers(0, 2**32 - 1))
@example_budget
def test_tiles_may_differ_in_size_and_keys_may_come_in_any_order(row, cuts, seed):
    scores, values = row
    shuffled = np.random.default_rng(seed).permutation(len(scores))
    _, l, o = taken_in(EMPTY, scores[shuffled], values[shuffled], {cut for cut in cuts if cut < len(scores)})
    assert o / l == pytest.approx(attention(scores.tolist(), values.tolist()), rel=CLOSE, abs=CLOSE)


@given(
    powers=st.lists(st.integers(-60, 60), min_size=1, max_size=24),
    tile=st.integers(1, 24),
    order=st.sampled_from(ORDERS),
)
@example_budget
def test_scores_that_are_multiples_of_ln_2_give_the_exact_fraction(powers, tile, order):
    # exp(k ln 2) is 2^k, so the weighted mean of the values 0, 1, 2 … is a fraction without any rounding.
    weights = [Fraction(2) ** power for power in powers]
    exact = sum(weight * value for value, weight in enumerate(weights)) / sum(weights)
    scores = np.array(powers) * math.log(2)
    output = online_softmax(scores, np.arange(len(powers), dtype=float), tile, order)[-1].output
    assert output == pytest.approx(float(exact), rel=CLOSE, abs=CLOSE)


@given(
    row=rows(st.integers(-800, 800).map(lambda n: n / 8)), shift=st.integers(-(10**6), 10**6), tile=st.integers(1, 9)
)
@example_budget
def test_constant_added_to_all_scores_moves_the_maximum_and_nothing_else(row, shift, tile):
    scores, values = row  # eighths, so that adding the constant rounds nothing
    before, after = online_softmax(scores, values, tile), online_softmax(scores + shift, values, tile)
    for old, new in zip(before, after, strict=True):
        assert new.after == (old.after[0] + shift, *old.after[1:])
        assert (new.rescale, new.weights.tolist()) == (old.rescale, old.weights.tolist())


@given(row=rows(), tile=st.integers(1, 45), order=st.sampled_from(ORDERS))
@example_budget
def test_weights_of_all_tiles_sum_to_one(row, tile, order):
    scores, values = row
    steps = online_softmax(scores, values, tile, order)
    m, l, _ = steps[-1].after
    normalised = [weight * math.exp(step.after[0] - m) / l for step in steps for weight in step.weights]
    assert math.fsum(normalised) == pytest.approx(1, rel=CLOSE)
    assert softmax(scores).sum() == pytest.approx(1, rel=1e-14)
    assert (softmax(scores) >= 0).all()


@given(row=rows(st.floats(-1e6, 1e6)), tile=st.integers(1, 45), order=st.sampled_from(ORDERS))
@example_budget
def test_running_state_keeps_its_bounds_after_every_tile(row, tile, order):
    scores, values = row
    seen, m_before = [], -math.inf
    for step in online_softmax(scores, values, tile, order):
        seen += step.keys.tolist()
        m, l, _ = step.after
        assert m == max(m_before, step.tile_max) == scores[seen].max()
        assert 1 <= l <= len(seen) * (1 + 1e-12)
        assert 0 <= step.rescale <= 1
        assert step.rescale == 1 or m != m_before
        assert step.before[0] == m_before
        assert ((step.weights >= 0) & (step.weights <= 1)).all()
        assert values[seen].min() - 1e-9 <= step.output <= values[seen].max() + 1e-9
        m_before = m


@given(row=rows(), first=st.integers(1, 39), second=st.integers(1, 39))
@example_budget
def test_partial_results_merge_in_any_grouping(row, first, second):
    # A finished part acts as one key of the score m + ln l and the value O / l, as when Flash-Decoding joins chunks.
    scores, values = row
    low, high = sorted((min(first, len(scores)), min(second, len(scores))))
    parts = [taken_in(EMPTY, scores[a:b], values[a:b], ()) for a, b in ((0, low), (low, high), (high, None))
             if len(scores[a:b])]  # fmt: skip

    def joined(left, right):
        m, l, o = right
        return merge(left, np.array([m + math.log(l)]), np.array([o / l]))[2]

    def result(state):
        return (state[2] / state[1], state[0] + math.log(state[1]))

    forth = parts[0]
    for part in parts[1:]:
        forth = joined(forth, part)
    back = parts[-1]
    for part in reversed(parts[:-1]):
        back = joined(part, back)
    assert result(forth) == pytest.approx(result(back), rel=CLOSE, abs=CLOSE)
    assert result(forth)[0] == pytest.approx(attention(scores.tolist(), values.tolist()), rel=CLOSE, abs=CLOSE)


def test_scores_far_apart_neither_overflow_nor_lose_the_largest():
    output = online_softmax(np.array([-1e300, 1e300, 0.0]), np.array([1.0, 2.0, 3.0]), 1)[-1].output
    assert output == 2.0
    assert softmax(np.array([0.0, 1e5])).tolist() == [0, 1]


def test_tiles_are_sorted_by_their_largest_score():
    numbers = {order: [number for number, _ in tiles_in_order(SCORES, 4, order)] for order in ORDERS}
    assert numbers == {"as given": [0, 1, 2, 3], "ascending": [0, 2, 1, 3], "descending": [3, 1, 2, 0]}


def test_descending_order_never_rescales_a_sum():
    assert SCENE.run(order="descending", tile=4).values["rescales"].value == 0
    assert SCENE.run(order="ascending", tile=4).values["rescales"].value == 3


def test_unknown_order_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"order is one of .*'as given'.*not 'random'"):
        online_softmax(SCORES, VALUES, 4, "random")


def test_maximum_is_the_largest_score_of_the_tiles_that_have_been_compared():
    tiles = online_softmax(SCORES, VALUES, 4)
    seen = [-math.inf, *(max(SCORES[key] for tile in tiles[:count] for key in tile.keys) for count in range(1, 5))]
    for at in range(4):
        assert (State(tiles, at, "load").maximum, State(tiles, at, "add").maximum) == (seen[at], seen[at + 1])
