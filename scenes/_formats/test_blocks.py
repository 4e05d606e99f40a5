"""Blocks with a scale: published conversions, bounds of the specification, and a slow oracle in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._formats.blocks import decibels, integers, mx, nvfp4, power_scale
from scenes._formats.floats import FLOATS, rounded

ELEMENTS = ["E5M2", "E4M3", "E3M2", "E2M3", "E2M1"]
SIZES = st.floats(1e-30, 1e30)
# How far the floor rule may clip a block's largest element: MX v1.0 leaves [2^emax, 2^(emax + 1)) after scaling.
CLIPPED = {"E5M2": 1 / 8, "E4M3": 1 / 8, "E3M2": 1 / 8, "E2M3": 1 / 16, "E2M1": 1 / 4}


def blocks(seed=11, size=32, spread=3.0):
    """Blocks of very different sizes."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((200, size)) * 2.0 ** rng.normal(0, spread, (200, 1))


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("rule", ["floor", "even", "ceil"])
def test_the_shared_scale_is_the_power_of_two_of_the_rule(element, rule):
    """Counted up or down one power at a time: no logarithm, no frexp."""
    largest = FLOATS[element].largest
    for largest_of_block in np.abs(blocks()).max(axis=1):
        amax, scale = largest_of_block, 1.0
        if rule == "ceil":
            while scale * largest >= amax:
                scale /= 2
            while scale * largest < amax:
                scale *= 2
        else:
            top = 2.0 ** math.floor(math.log2(largest))
            if rule == "even":  # all sums are halves of a digit, so that the next power is reached or not
                digit = 2.0 ** (math.floor(math.log2(amax)) - FLOATS[element].mantissa_bits)
                amax = math.floor(amax / digit + 0.5) * digit
            while scale * top > amax:
                scale /= 2
            while scale * top * 2 <= amax:
                scale *= 2
        assert power_scale(largest_of_block, element, rule) == scale


@pytest.mark.parametrize("element", ELEMENTS)
@settings(max_examples=200, deadline=None, derandomize=True)
@given(SIZES)
def test_rounding_the_scale_up_never_clips_and_the_specification_s_rule_clips_within_its_bound(element, amax):
    largest = FLOATS[element].largest
    assert amax / power_scale(amax, element, "ceil") <= largest
    kept = min(amax / power_scale(amax, element, "floor"), largest)
    assert kept >= amax / power_scale(amax, element, "floor") * (1 - CLIPPED[element])


def test_a_lone_7_9_becomes_6_under_the_specification_s_rule_and_8_when_the_scale_is_rounded_up():
    block = np.array([[7.9] + [1.0] * 31])
    assert mx(block).scales == 1
    assert mx(block).decoded[0, 0] == 6
    assert mx(block, rule="ceil").scales == 2
    assert mx(block, rule="ceil").decoded[0, 0] == 8


def test_elements_are_the_library_s_casts_of_the_scaled_numbers():
    for element in ELEMENTS:
        done = mx(blocks(), element)
        largest = np.float32(FLOATS[element].largest)
        scaled = np.clip((blocks() / done.scales[:, None]).astype(np.float32), -largest, largest)
        np.testing.assert_array_equal(rounded(scaled, element), scaled.astype(FLOATS[element].dtype).astype(float))
        np.testing.assert_array_equal(done.decoded, done.elements * done.scales[:, None])


@pytest.mark.parametrize("rule", ["floor", "ceil"])
def test_quantising_again_changes_nothing(rule):
    """The largest element is 4 or 6 after the first time, so the second finds the same power of two."""
    once = mx(blocks(), "E2M1", rule)
    again = mx(once.decoded, "E2M1", rule)
    np.testing.assert_array_equal(again.decoded, once.decoded)


def test_nvfp4_fills_the_grid_of_the_block_with_the_tensor_s_largest_number():
    numbers = blocks(size=16)
    done = nvfp4(numbers)
    row = np.abs(numbers).max(axis=1).argmax()
    assert np.abs(done.elements[row]).max() == 6
    whole = np.float64(np.float32(np.abs(numbers).max() / 2688))
    assert done.scales[row] / whole == 448


def test_nvfp4_scales_are_e4m3_numbers_times_the_tensor_s_scale_and_land_within_a_seventeenth():
    numbers = blocks(size=16, spread=1.0)
    done = nvfp4(numbers)
    whole = np.float64(np.float32(np.abs(numbers).max() / 2688))
    np.testing.assert_array_equal(rounded(done.scales / whole, "E4M3"), done.scales / whole)
    tops = np.abs(numbers).max(axis=1) / done.scales
    normal = done.scales / whole >= 2**-6
    assert normal.any()
    assert (tops[normal] >= 6 * 16 / 17 - 1e-9).all()
    assert (tops[normal] <= 6 * 17 / 16 + 1e-9).all()


def test_a_block_far_below_the_tensor_s_largest_number_becomes_zero():
    numbers = np.vstack([np.full((1, 16), 1e6), np.full((1, 16), 1e-6)])
    np.testing.assert_array_equal(nvfp4(numbers).decoded[1], np.zeros(16))


@pytest.mark.parametrize("quantize", [mx, nvfp4])
def test_zeros_stay_zeros(quantize):
    assert not quantize(np.zeros((2, 16))).decoded.any()


def test_bits_per_value_count_the_scales():
    """MX v1.0 and the NVFP4 report: 8.25, 6.25, 4.25 and 4.5 bits."""
    assert [mx(np.ones((1, 32)), element).bits for element in ELEMENTS] == [8.25, 8.25, 6.25, 6.25, 4.25]
    assert nvfp4(np.ones((1, 16))).bits == 4.5


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.integers(-2000, 2000), min_size=1, max_size=20), st.sampled_from([4, 8]))
def test_integers_are_those_of_a_loop_that_rounds_halves_to_even(numbers, bits):
    top = 2 ** (bits - 1) - 1
    wanted = [max(-top, min(top, round(number / 16))) for number in numbers]  # Python's round goes to even, too
    assert integers(np.array(numbers), bits, 16.0).tolist() == wanted


def test_a_signal_ten_times_its_error_has_twenty_decibels():
    assert decibels(np.ones(4), np.full(4, 1.1)) == pytest.approx(20)
    assert decibels(np.ones(4), np.ones(4)) == math.inf


# The table of errors of a seeded Gaussian 512 × 4096 tensor, also computed by other implementations.
def test_signal_to_noise_of_a_gaussian_is_that_of_other_implementations():
    numbers = np.random.default_rng(12345).standard_normal((512, 4096)).astype(np.float32).astype(float)
    for wanted, done in [
        (18.79, mx(numbers.reshape(-1, 32))),
        (18.75, mx(numbers.reshape(-1, 32), rule="ceil")),
        (30.65, mx(numbers.reshape(-1, 32), "E4M3")),
        (20.45, nvfp4(numbers.reshape(-1, 16))),
    ]:
        assert decibels(numbers, done.decoded.reshape(numbers.shape)) == pytest.approx(wanted, abs=0.006)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: mx(np.ones(32)), "two-dimensional"),
    (lambda: mx(np.full((1, 32), np.nan)), "finite"),
    (lambda: mx(np.ones((1, 32)), "E2M1", "up"), "unknown rule 'up'"),
    (lambda: power_scale(-1.0, "E2M1"), "not negative"),
    (lambda: integers([1.0], 1, 1.0), "at least 2 bits"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
