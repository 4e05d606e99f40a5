"""Check times and errors of the pairs against plain Python that shares no code, and the facts' error table."""

import math
from fractions import Fraction

import numpy as np
import pytest

from scenes.width_pairs.model import BATCHES, GPUS, PAIRS, SIDE, case_of, error_of, stored

# Bits of weights and activations (an MX block is 32 numbers and a byte), and dense TFLOP/s on the B200 and the H100:
# facts/formats.md section 3, facts/hardware.md "Dense peak". The H100 has no 4-bit products.
KNOWN = {
    "W16A16": (16, 16, 2250, 989.4),
    "W4A16": (Fraction(17 * 8, 32), 16, 2250, 989.4),
    "W8A8": (Fraction(33 * 8, 32), Fraction(33 * 8, 32), 4500, 1978.9),
    "W4A8": (Fraction(17 * 8, 32), Fraction(33 * 8, 32), 4500, 1978.9),
    "W4A4": (Fraction(17 * 8, 32), Fraction(17 * 8, 32), 9000, 1978.9),
}


def seconds(pair, gpu, batch):
    """Oracle: moved and multiplied, counted row by row."""
    weight, activation, *rates = KNOWN[pair]
    bandwidth = {"B200": 7.7e12, "H100": 3.352e12}[gpu]
    peak = rates[gpu == "H100"] * 10**12
    moved, multiplied = Fraction(0), 0
    for _ in range(SIDE):  # a row of W
        moved += weight * SIDE / 8
    for _ in range(batch):  # a row of X, and one of the result in BF16
        moved += activation * SIDE / 8 + 2 * SIDE
        multiplied += 2 * SIDE * SIDE
    return float(moved) / bandwidth, multiplied / peak


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("gpu", GPUS)
def test_times_are_those_of_bytes_and_operations_counted_row_by_row(gpu, pair):
    for batch in (1, 2, 96, 4096):
        case = case_of(gpu, pair, batch)
        move, multiply = seconds(pair, gpu, batch)
        assert (case.memory_time, case.arithmetic_time) == pytest.approx((move, multiply))
        assert case.time == max(case.memory_time, case.arithmetic_time)
        assert case.speedup == pytest.approx(max(seconds("W16A16", gpu, batch)) / max(move, multiply))


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("gpu", GPUS)
def test_knee_is_where_the_longer_time_changes(gpu, pair):
    knee = case_of(gpu, pair, 1).knee
    below, above = seconds(pair, gpu, math.floor(knee)), seconds(pair, gpu, math.ceil(knee))
    assert below[0] > below[1] and above[0] < above[1]
    for batch in BATCHES:
        assert case_of(gpu, pair, batch).memory_bound == (batch < knee)


def test_narrow_weights_pay_for_few_rows_and_narrow_products_for_many():
    few, many = ({name: case_of("B200", name, batch).speedup for name in PAIRS} for batch in (1, 4096))
    assert few["W4A16"] == pytest.approx(16 / 4.25, rel=2e-3) and many["W4A16"] == 1
    assert few["W8A8"] == pytest.approx(16 / 8.25, rel=2e-3) and many["W8A8"] == 2
    assert few["W4A8"] == pytest.approx(few["W4A16"], rel=1e-3) and many["W4A8"] == 2
    assert few["W4A4"] == pytest.approx(few["W4A16"], rel=1e-3) and many["W4A4"] == 4
    assert case_of("H100", "W4A4", 4096).speedup == pytest.approx(2, rel=1e-3)  # widened to eight bits


def test_a_width_that_a_gpu_does_not_multiply_is_widened_to_the_next():
    assert [GPUS[gpu].computes_in("FP4") for gpu in GPUS] == ["FP4", "FP8"]
    assert [pair.wider for pair in PAIRS.values()] == ["BF16", "BF16", "FP8", "FP8", "FP4"]


SIZES = {
    "FP4": ([0, 0.5, 1, 1.5, 2, 3, 4, 6], 2),
    "FP8": ([m * 2.0**-9 for m in range(8)] + [(8 + m) / 8 * 2.0**e for e in range(-6, 9) for m in range(8)][:-1], 8),
}


def nearest(value, sizes):
    """Oracle: the nearest size, the even code of two, with the sign of the value."""
    code = min(range(len(sizes)), key=lambda at: (abs(sizes[at] - abs(value)), at % 2))
    return math.copysign(sizes[code], value)


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("size", [1e-3, 1, 40])
def test_stored_rows_are_those_of_a_loop_over_blocks_of_32(width, size):
    rows = np.random.default_rng(3).standard_normal((3, 96)) * size
    rows[0, :32] = 0
    rows[1, 5] = 0.25 * size
    sizes, top = SIZES[width]
    wanted = []
    for start in range(0, rows.size, 32):
        block = rows.ravel()[start : start + 32].tolist()
        amax = max(map(abs, block))
        scale = 2.0 ** (math.floor(math.log2(amax)) - top) if amax else 1.0
        wanted += [nearest(value / scale, sizes) * scale for value in block]
    assert stored(rows, width).ravel().tolist() == wanted


def test_sixteen_bits_keep_eight_binary_digits():
    rows = np.array([[1.0, 1 + 2**-8, 1 + 3 * 2**-8, -(2**-20), 3e38]])
    assert stored(rows, "BF16")[0, :4].tolist() == [1, 1, 1 + 2**-6, -(2**-20)]


# facts/formats.md section 9: on a bell curve MXFP4 floor is off by 11.5%, MXFP8 floor by 2.93%, BF16 by 0.166%.
@pytest.mark.parametrize(("pair", "parts"), [
    ("W16A16", (0.166, 0.166)), ("W4A16", (11.5, 0.166)), ("W8A8", (2.93, 2.93)), ("W4A8", (11.5, 2.93)),
    ("W4A4", (11.5, 11.5)),
])  # fmt: skip
def test_errors_of_the_two_sides_add_up_as_squares(pair, parts):
    one = PAIRS[pair]
    assert error_of(one.weights, one.activations) == pytest.approx(math.hypot(*parts), rel=0.04)
