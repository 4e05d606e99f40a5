"""Check the four rules against worked examples, exact fractions and what must hold for every distribution."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scenes.sampling.model import (
    LLAMA_CPP_ORDER,
    TRANSFORMERS_ORDER,
    VLLM_ORDER,
    apply_rules,
    draw_tokens,
    effective_choices,
    entropy,
)
from scenes.sampling.rules import (
    RULES,
    Settings,
    min_p_mask,
    ranking,
    softmax,
    temper,
    top_k_mask,
    top_p_mask,
    warp,
)

INF = math.inf
budget = settings(max_examples=100, deadline=None, derandomize=True)
# Multiples of 1/64 that all differ: no ties, and steps of T that round nothing away.
distinct = st.lists(st.integers(-640, 640), min_size=1, max_size=24, unique=True).map(lambda n: np.array(n) / 64)
weights = st.lists(st.integers(1, 1000), min_size=1, max_size=24)
hundredths = st.integers(1, 100)
chosen = st.builds(
    Settings,
    temperature=st.sampled_from([0, 0.25, 0.5, 1, 1.5, 4]),
    top_k=st.integers(0, 26),
    top_p=st.integers(1, 100).map(lambda n: n / 100),
    min_p=st.integers(0, 100).map(lambda n: n / 100),
)


def final(logits, order=TRANSFORMERS_ORDER, **rules):
    return apply_rules(np.asarray(logits, dtype=float), Settings(**rules), order)[-1]


def smallest_nucleus(parts, mass):
    """Oracle: by exact fractions, the fewest of the most likely tokens that reach `mass`; and the sums on the way."""
    order = sorted(range(len(parts)), key=lambda token: (-parts[token], token))
    sums, kept = [Fraction(0)], []
    for token in order:
        kept.append(token)
        sums.append(sums[-1] + Fraction(parts[token], sum(parts)))
        if sums[-1] >= mass:
            break
    return set(kept), sums


def kept(mask):
    return set(np.flatnonzero(mask).tolist())


# The examples of transformers, tests/generation/test_logits_process.py: test_top_p_dist_warper, test_min_p_dist_warper.
@pytest.mark.parametrize(
    ("probabilities", "tokens"), [((0.3, 0.1, 0.1, 0.5), {0, 3}), ((0.15, 0.3, 0.3, 0.25), {1, 2, 3})]
)
def test_top_p_of_80_percent_keeps_what_transformers_expects(probabilities, tokens):
    assert kept(top_p_mask(np.array(probabilities), 0.8)) == tokens


@pytest.mark.parametrize(
    ("probabilities", "tokens"),
    [((0.9, 0.0274, 0.047, 0.0274), {0, 2}), ((0.15, 0.3, 0.3, 0.25), {0, 1, 2, 3}), ((0.97, 0.01, 0.01, 0.01), {0})],
)
def test_min_p_of_5_percent_keeps_what_transformers_expects(probabilities, tokens):
    assert kept(min_p_mask(np.array(probabilities), 0.05)) == tokens


def test_token_that_crosses_the_sum_is_kept_and_one_that_meets_it_ends_the_set():
    # Halves, quarters and eighths are exact in binary: no rounding decides these.
    probabilities = np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    assert [int(top_p_mask(probabilities, mass).sum()) for mass in (0.4, 0.5, 0.51, 0.75, 0.76, 0.875, 0.9, 1)] == [
        1, 1, 2, 2, 3, 3, 4, 4,
    ]  # fmt: skip


def test_threshold_of_min_p_is_a_share_of_the_largest_and_not_of_the_least():
    # facts/attention.md 11: a popular text multiplies by the smallest probability. Half of 1/2 is 1/4, which is kept.
    assert kept(min_p_mask(np.array([1 / 8, 1 / 2, 1 / 4, 1 / 8]), 0.5)) == {1, 2}


def test_equal_tokens_are_taken_by_their_id():
    equal = np.full(5, 0.2)
    assert kept(top_k_mask(np.zeros(5), 2)) == {0, 1}
    assert kept(top_p_mask(equal, 0.5)) == {0, 1, 2}
    assert kept(min_p_mask(equal, 1)) == {0, 1, 2, 3, 4}
    assert softmax(temper(np.array([1.0, 3.0, 3.0]), 0)).tolist() == [0, 1, 0]


def test_rules_renormalise_what_the_one_before_has_left():
    # 8, 4, 2, 1, 1 sixteenths. Top-k of 3 leaves 8/14, 4/14, 2/14: two of them reach 80%; of all five it takes three.
    logits = np.log([8, 4, 2, 1, 1])
    assert kept(final(logits, top_p=0.8).alive) == {0, 1, 2}
    assert kept(final(logits, top_k=3).alive) == {0, 1, 2}
    both = final(logits, top_k=3, top_p=0.8)
    assert both.after == pytest.approx([2 / 3, 1 / 3, 0, 0, 0], rel=1e-14)


def test_entropy_of_dyadic_probabilities_is_their_exact_sum_of_bits():
    # 1/2·1 + 1/4·2 + 1/8·3 + 1/8·3 = 7/4 bits.
    assert entropy(np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8, 0])) == 1.75
    assert effective_choices(np.full(8, 1 / 8)) == 8
    assert entropy(np.array([1.0, 0.0])) == 0


@given(parts=weights, mass=hundredths)
@budget
def test_top_p_keeps_the_smallest_set_that_reaches_the_sum(parts, mass):
    target = Fraction(mass, 100)
    nucleus, sums = smallest_nucleus(parts, target)
    assume(all(abs(one - target) > 1e-9 for one in sums) or target == 1)  # rounding may decide a sum that is the mark
    assert kept(top_p_mask(softmax(np.log(parts)), mass / 100)) == nucleus


@given(parts=weights, share=st.integers(0, 100))
@budget
def test_min_p_keeps_what_reaches_its_share_of_the_largest(parts, share):
    exact = {token for token, part in enumerate(parts) if 100 * part >= share * max(parts)}
    assume(all(100 * part != share * max(parts) or part == max(parts) for part in parts))
    assert kept(min_p_mask(softmax(np.log(parts)), share / 100)) == exact


@given(parts=weights, share=hundredths, power=st.integers(-30, 30))
@budget
def test_min_p_does_not_notice_a_common_factor(parts, share, power):
    probabilities = softmax(np.log(parts))
    assert kept(min_p_mask(probabilities * 2.0**power, share / 100)) == kept(min_p_mask(probabilities, share / 100))


@given(logits=distinct, rules=chosen)
@budget
def test_kept_tokens_are_the_most_likely_ones_and_add_up_to_1(logits, rules):
    stages = apply_rules(logits, rules)
    order = ranking(logits)
    before = np.ones(len(logits), dtype=bool)
    for stage in stages:
        assert stage.alive.any()
        assert (np.diff(stage.alive[order].astype(int)) <= 0).all()  # a prefix of the sorted order
        assert (stage.cut == (before & ~stage.alive)).all()
        assert math.fsum(stage.after) == pytest.approx(1, rel=1e-13)
        assert (stage.after[~stage.alive] == 0).all()
        before = stage.alive


@given(logits=distinct, rules=chosen, seed=st.integers(0, 2**32 - 1))
@budget
def test_order_of_the_vocabulary_does_not_matter(logits, rules, seed):
    shuffled = np.random.default_rng(seed).permutation(len(logits))
    plain, other = apply_rules(logits, rules)[-1], apply_rules(logits[shuffled], rules)[-1]
    # A sum in another order may round to the other side of the mark; then both are right.
    assume(plain.alive.sum() == other.alive.sum())
    assert other.after == pytest.approx(plain.after[shuffled], rel=1e-12)


@given(logits=distinct, shift=st.integers(-(10**6), 10**6), rules=chosen)
@budget
def test_constant_added_to_all_logits_changes_nothing(logits, shift, rules):
    assert apply_rules(logits + shift, rules)[-1].after.tolist() == apply_rules(logits, rules)[-1].after.tolist()


@given(logits=distinct, temperature=st.sampled_from([0, 0.5, 1, 1.5]))
@budget
def test_rules_that_are_off_cut_nothing(logits, temperature):
    count = len(logits)
    off = [{}, {"top_k": count}, {"top_k": count + 5}, {"top_p": 1, "min_p": 0}]
    for rules in off:
        stages = apply_rules(logits, Settings(temperature=temperature, **rules))
        assert not any(stage.cut.any() for stage in stages[1:])
        assert stages[-1].after.tolist() == stages[0].after.tolist()


@given(logits=distinct, temperature=st.sampled_from([0.25, 0.5, 1, 1.5, 4]))
@budget
def test_top_k_of_1_is_greedy_and_so_is_a_temperature_near_0(logits, temperature):
    greedy = np.eye(len(logits))[logits.argmax()].tolist()
    for order in (TRANSFORMERS_ORDER, VLLM_ORDER, LLAMA_CPP_ORDER):
        assert final(logits, order, top_k=1, temperature=temperature).after.tolist() == greedy
        assert final(logits, order, temperature=0, top_p=0.9).after.tolist() == greedy
    assert final(logits, temperature=1e-5).after.tolist() == greedy
    assert final(logits, min_p=1).after.tolist() == greedy


@given(logits=distinct)
@budget
def test_high_temperature_makes_all_tokens_equal(logits):
    flat = final(logits, temperature=1e9).after
    assert flat == pytest.approx(np.full(len(logits), 1 / len(logits)), rel=1e-6)
    assert entropy(flat) == pytest.approx(math.log2(len(logits)), abs=1e-6)


@given(logits=distinct, temperatures=st.lists(st.integers(0, 64), min_size=2, max_size=2))
@budget
def test_lower_temperature_never_raises_entropy_and_keeps_the_order(logits, temperatures):
    low, high = (final(logits, temperature=T / 16).after for T in sorted(temperatures))
    assert 0 <= entropy(low) <= entropy(high) + 1e-12
    assert entropy(high) <= math.log2(len(logits)) + 1e-12
    assert (np.diff(high[ranking(logits)]) <= 0).all()


@given(parts=weights, numbers=st.lists(st.floats(0, 1, exclude_max=True), max_size=8))
@budget
def test_draw_is_the_token_whose_part_of_the_line_holds_the_number(parts, numbers):
    probabilities = softmax(np.log(parts))
    order = sorted(range(len(parts)), key=lambda token: (-probabilities[token], token))
    for number, token in zip(numbers, draw_tokens(probabilities, np.array(numbers)).tolist(), strict=True):
        place = order.index(token)
        below = math.fsum(probabilities[order[:place]])
        assert below - 1e-12 <= number <= below + probabilities[token] + 1e-12


def test_draws_come_as_often_as_they_are_likely_and_never_from_what_is_cut():
    stage = final(np.log([6, 3, 2, 1]), top_k=3)
    drawn = draw_tokens(stage.after, np.random.default_rng(0).random(20_000))
    shares = np.bincount(drawn, minlength=4) / len(drawn)
    assert shares == pytest.approx([6 / 11, 3 / 11, 2 / 11, 0], abs=0.015)  # four standard deviations
    assert shares[3] == 0


def test_part_of_a_token_holds_its_beginning_and_not_its_end():
    probabilities = np.array([1 / 4, 1 / 2, 1 / 4])
    assert draw_tokens(probabilities, np.array([0, 1 / 2, 3 / 4, 0.99])).tolist() == [1, 0, 2, 2]
    # Ten tenths add up to 1 − 2^-53 in double precision, which a random number may be: not the token that was cut.
    assert draw_tokens(np.append(np.full(10, 0.1), 0.0), np.array([1 - 2**-53])).tolist() == [9]


def test_logits_far_apart_neither_overflow_nor_lose_the_largest():
    stages = apply_rules(np.array([0.0, 1e300, -1e300]), Settings(temperature=1e-6, top_p=0.9, min_p=0.1))
    assert stages[-1].after.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"temperature": -1}, "temperature is -1"),
        ({"temperature": INF}, "temperature is inf"),
        ({"temperature": math.nan}, "temperature is nan"),
        ({"top_k": -2}, "top_k is -2"),
        ({"top_k": 1.5}, "top_k is 1.5"),
        ({"top_p": 0}, "top_p is 0"),
        ({"top_p": 1.01}, "top_p is 1.01"),
        ({"min_p": 2}, "min_p is 2"),
        ({"min_p": -0.1, "top_p": 0}, "top_p is 0, min_p is -0.1"),
    ],
)
def test_setting_out_of_its_bounds_is_refused_with_all_that_is_wrong(rules, words):
    with pytest.raises(ValueError, match=words):
        Settings(**rules)


@pytest.mark.parametrize("logits", [[], [0, INF], [-INF, 1], [math.nan]])
def test_logits_that_are_none_or_not_finite_are_refused(logits):
    with pytest.raises(ValueError, match="logits are finite, and at least one"):
        apply_rules(np.array(logits, dtype=float), Settings())


def test_unknown_rule_is_refused_with_the_known_ones():
    assert sorted(RULES) == sorted(TRANSFORMERS_ORDER) == sorted(VLLM_ORDER) == sorted(LLAMA_CPP_ORDER)
    with pytest.raises(ValueError, match=r"rule is one of .*'top_k'.*not 'beam'"):
        warp(np.zeros(3), "beam", 1)
