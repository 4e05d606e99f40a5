"""The scene's Hopper: what its tensor core keeps, what promotion saves, and an exact model beside it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._formats import tensor_core
from scenes.fp8_accumulation.model import factors, rounded, running_sum, sum_of, table_rows, terms

KINDS, COUNTS, PROMOTE = ("golden", "ones", "gaussian"), (64, 256, 1024, 4096), (32, 64, 128, 256, "never")
example_budget = settings(max_examples=60, deadline=None, derandomize=True)
moderate = st.floats(-600, 600, width=32)
wide = moderate | st.floats(-1e5, 1e5, width=32) | st.floats(-1e-4, 1e-4) | st.sampled_from([3e38, -3e38, 0.0])


def cut(exact, bits, exponent):
    """Exact fraction cut towards zero to `bits` fraction bits of 2^exponent."""
    step = Fraction(2) ** (exponent - bits)
    return int(exact / step) * step


def binade(exact):
    return max(math.frexp(exact)[1] - 1, -126) if exact else -126


def tensor_core_sum(products, interval):
    """The rule of formats.md, section 8, in exact fractions, without any code of the model."""
    total = held = Fraction(0)
    for start in range(0, len(products), 32):
        addends = [held, *(Fraction(float(np.float32(p))) for p in products[start : start + 32])]
        top = max(binade(addend) for addend in addends)
        held = sum(cut(addend, 13, top) for addend in addends)
        held = cut(held, 13, binade(held))
        if (start + 32) % interval == 0 or start + 32 >= len(products):
            total, held = Fraction(float(np.float32(float(total + held)))), Fraction(0)
    return float(total)


# formats.md, section 8: percent lost by the rule on K products; the sheet does not say of what, but products
# of Gaussians in E4M3 give its numbers. Tolerance: half of the last printed digit; with signs the losses
# scatter around zero by 0.003, so that a mean over 40 trials adds as much again.
@pytest.mark.parametrize(
    ("count", "promote", "signed", "printed", "tolerance"),
    [
        (1024, "never", False, 1.5, 0.05),
        (4096, "never", False, 7.0, 0.05),
        (4096, 128, False, 0.06, 0.005),
        (4096, "never", True, 0.002, 0.001),
    ],
)
def test_hopper_loses_what_the_facts_sheet_measured(count, promote, signed, printed, tolerance):
    rng, losses = np.random.default_rng(0), []
    for _ in range(40):
        a, b = rounded(rng.standard_normal((2, count)), "E4M3")
        products = a * b if signed else np.abs(a * b)
        run = running_sum(products, "Hopper", promote)
        losses.append(100 * abs(run.exact[-1] - run.final) / np.abs(products).sum())
    assert np.mean(losses) == pytest.approx(printed, abs=tolerance)


# --- Hopper


@given(
    addends=st.lists(wide, min_size=1, max_size=70) | st.lists(st.floats(0.5, 2), min_size=60, max_size=140),
    interval=st.sampled_from([32, 64, "never"]),
)
@example_budget
def test_hopper_agrees_with_exact_fractions(addends, interval):
    scaled = np.array(addends) / 4096  # so that no sum overflows
    expected = tensor_core_sum(scaled.tolist(), len(addends) + 31 if interval == "never" else interval)
    assert running_sum(scaled, "Hopper", interval).final == expected


def test_hopper_keeps_14_significant_bits():
    run = running_sum(np.array([1.0, 2.0**-13, 2.0**-14]), "Hopper")
    assert run.final == 1 + 2.0**-13  # cut, not rounded
    assert run.ignored.tolist() == [False, False, True]
    assert running_sum(np.array([1.0] + 4 * [2.0**-14]), "Hopper").final == 1.0  # two whole steps lost, in halves


def test_hopper_register_keeps_13_fraction_bits_when_a_sum_carries():
    # Two terms below 2 on a grid of 2^-13 add to 3.x, which has a grid of 2^-12.
    run = running_sum(np.array([1.5, 1.5 + 2.0**-13]), "Hopper")
    assert (run.final, run.spacing[-1]) == (3.0, 2.0**-12)


@given(seed=st.integers(0, 2**32 - 1), groups=st.integers(1, 40), interval=st.sampled_from(PROMOTE[:-1]))
@example_budget
def test_promotion_never_worsens_a_sum_of_terms_in_one_binade(seed, groups, interval):
    # In one binade the register's steps are no longer than those of the total, so nothing is cut from that.
    addends = np.random.default_rng(seed).uniform(1, 1.999, 32 * groups).astype(np.float32)
    never, promoted = (running_sum(addends, "Hopper", p) for p in ("never", interval))
    assert never.final <= promoted.final <= promoted.exact[-1]


def test_promotion_may_lose_when_terms_grow():
    # 0.75 + 0.25 fills a step of 8192 only if the two meet before it comes.
    addends = np.zeros(128)
    addends[[0, 64, 96]] = 0.75, 0.25, 8192
    assert [running_sum(addends, "Hopper", p).final for p in ("never", 64)] == [8193.0, 8192.75]


@pytest.mark.parametrize("count", COUNTS)
def test_promotion_helps_on_the_positive_sequence_more_the_shorter_the_interval(count):
    errors = [running_sum(terms("golden", count), "Hopper", p).error for p in ("32", "128", "never")]
    assert errors[0] < errors[1] <= errors[2]


def test_promotion_changes_no_other_accumulator():
    plain, promoted = (table_rows("golden", 256, p) for p in ("never", 64))
    assert plain[:-1] == promoted[:-1] and plain[-1] != promoted[-1]


@pytest.mark.parametrize("promote", [32, 128, "never"])
def test_products_of_gaussians_are_added_as_a_matrix_product_would(promote):
    # Whole instructions of the shared rule, which real tensor cores' answers are compared with.
    a, b = factors("gaussian", 4096)
    found = tensor_core.dot(a, b, 2.0**-6, 0 if promote == "never" else promote)
    assert sum_of("gaussian", 4096, "Hopper", promote).final == found


def test_spacing_of_hopper_restarts_with_its_register():
    steps = running_sum(terms("ones", 256), "Hopper", 128).spacing
    assert (steps[127], steps[128], steps[255]) == (2.0**-6, 2.0**-13, 2.0**-6)


def test_step_of_the_cut_is_that_of_the_largest_in_its_instruction():
    run = running_sum(np.concatenate([np.full(32, 2.0**-5), np.full(32, 2.0**4)]), "Hopper")
    assert run.grid[0] == 2.0 ** (-5 - 13) and run.grid[32] == 2.0 ** (4 - 13)
