"""Check tokens, gain and cost against the tables of the facts sheet, a roofline of its own, and chance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes._serving.models import MODELS
from scenes.speculation_pays.model import (
    ALPHAS,
    BATCHES,
    DRAFT,
    GAMMAS,
    LOADS,
    Case,
    best,
    check_cost,
    reached,
    speed_up,
    tokens,
)  # fmt: skip

# facts/serving.md §9, first table: E at γ = 1, 2, 3, 4, 5, 8, and the best S with its γ at c = .05 and .2.
TABLE = {
    0.6: ((1.600, 1.960, 2.176, 2.306, 2.383, 2.475), (1.921, 4), (1.400, 2)),
    0.7: ((1.700, 2.190, 2.533, 2.773, 2.941, 3.199), (2.353, 6), (1.583, 3)),
    0.8: ((1.800, 2.440, 2.952, 3.362, 3.689, 4.329), (3.092, 8), (1.868, 4)),
    0.9: ((1.900, 2.710, 3.439, 4.095, 4.686, 6.126), (4.674, 13), (2.373, 7)),
}
# §9, second table: 8B on an H100, α = .8, γ = 4, c = .05; v and S at 1,024 and 8,192 tokens.
BUSY = {
    1: (1.00, 2.80, 1.00, 2.80), 32: (1.00, 2.80, 1.00, 2.80), 64: (1.05, 2.68, 1.02, 2.77),
    128: (1.54, 1.93, 1.11, 2.56), 256: (2.01, 1.52, 1.17, 2.45), 512: (2.10, 1.46, 1.18, 2.43),
}  # fmt: skip
# §9, MoE twist: V3, γ = 1; weight bytes, and the gain of guesses that cost nothing where α = .85.
TWIST = {1: (1.54, 1.20), 4: (1.73, 1.07), 16: (1.57, 1.18), 64: (1.13, 1.64), 256: (1.00, 1.85)}


@pytest.mark.parametrize("alpha", TABLE)
def test_tokens_and_best_gains_are_those_of_the_sheet(alpha):
    expected, cheap, dear = TABLE[alpha]
    assert tokens(alpha, np.array([1, 2, 3, 4, 5, 8])) == pytest.approx(expected, abs=5e-4)
    for draft, (gain, guesses) in ((0.05, cheap), (0.2, dear)):
        found, most = best(alpha, draft)
        assert found == guesses and most == pytest.approx(gain, abs=5e-4)


@pytest.mark.parametrize("batch", BUSY)
def test_cost_and_gain_in_a_batch_are_those_of_the_sheet(batch):
    for load, (check, gain) in zip(("short", "long"), (BUSY[batch][:2], BUSY[batch][2:]), strict=True):
        case = Case(4, 0.8, batch, load)
        assert case.check == pytest.approx(check, abs=0.0051)
        assert case.gain == pytest.approx(gain, abs=0.0051)


@pytest.mark.parametrize("batch", TWIST)
def test_experts_make_small_batches_dear_to_look_over(batch):
    weights = MODELS["V3"].weights
    ratio = float(weights(2 * batch) / weights(batch))
    assert ratio == pytest.approx(TWIST[batch][0], abs=0.0051)
    assert float(speed_up(0.85, 1, 0.0, ratio)) == pytest.approx(TWIST[batch][1], abs=0.0051)


def one_step(batch, context, positions):
    """The 8B model on an H100, from the sheet's §15.8: matrices, then attention, each read or computed."""
    weights, cache, pairs, peak, rate = 7_504_658_432, 131_072, 4 * 32 * 128 * 32, 989.4e12, 3.352e12
    linear = max(2 * weights / rate, 2 * weights * batch * positions / peak)
    return linear + max(batch * context * cache / rate, batch * positions * pairs * context / peak)


@pytest.mark.parametrize("load", ["short", "long"])
def test_cost_of_looking_over_is_that_of_a_roofline_written_anew(load):
    for batch, gamma in itertools.product(BATCHES, GAMMAS):
        context = LOADS[load].context
        ratio = one_step(batch, context, gamma + 1) / one_step(batch, context, 1)
        assert check_cost(load, batch, gamma) == pytest.approx(ratio, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("gamma", [1, 4, 8])
def test_tokens_are_the_mean_of_passes_that_are_thrown(alpha, gamma):
    stays = np.random.default_rng(3).random((40_000, gamma)) < alpha
    lengths = 1 + np.minimum.accumulate(stays, axis=1).sum(axis=1)
    error = lengths.std() / len(lengths) ** 0.5
    assert lengths.mean() == pytest.approx(float(tokens(alpha, gamma)), abs=4 * error)


@given(st.floats(0, 0.99), st.integers(0, 40))
def test_tokens_are_the_sum_of_the_chances_that_places_are_reached(alpha, gamma):
    assert float(tokens(alpha, gamma)) == pytest.approx(sum(reached(gamma, alpha)), rel=1e-9)
    assert 1 <= float(tokens(alpha, gamma)) <= 1 / (1 - alpha) + 1e-9


@given(st.floats(0.01, 0.98), st.floats(0.01, 1.5))
def test_guesses_gain_only_if_they_stay_more_often_than_they_cost(alpha, draft):
    # Corollary 3.9 of the paper: some number of guesses gains if and only if α > c, and then one does.
    if abs(alpha - draft) > 1e-6:
        assert (best(alpha, draft)[1] > 1) == (alpha > draft) == (float(speed_up(alpha, 1, draft)) > 1)


def test_short_texts_lose_the_gain_in_a_full_batch_and_long_ones_keep_it():
    for gamma, alpha in itertools.product(GAMMAS, ALPHAS):
        gains = [Case(gamma, alpha, batch, "short").gain for batch in BATCHES]
        assert gains == sorted(gains, reverse=True)
        assert Case(gamma, alpha, 512, "long").gain > gains[-1]
    assert Case(4, 0.5, 512, "short").gain < 1 < Case(4, 0.5, 512, "long").gain


def test_with_experts_the_gain_first_grows_with_the_batch():
    gains = [Case(1, 0.85, batch, "experts").gain for batch in BATCHES]
    assert gains.index(min(gains)) in (1, 2) and BATCHES[gains.index(max(gains))] == 128
    assert Case(4, 0.8, 4, "experts").gain < 1


def test_alone_a_dense_model_looks_guesses_over_for_nothing():
    assert check_cost("short", 1, 8) == 1
    assert Case(4, 0.8).gain == Case(4, 0.8).alone == pytest.approx(3.3616 / (1 + 4 * DRAFT))
