"""Hopper's adder against exact fractions, what is known of long sums, and the answers of real tensor cores."""

from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._formats.tensor_core import FP8, HALF, cut, dot, exponents, kept, multiply_add

VECTORS = sorted((Path(__file__).parents[2] / "measurements/results").glob("*/fp8_accumulation.vectors.npz"))
# of a format: exponent bits, mantissa bits, smallest normal exponent, the numpy type, the adder
LAYOUTS = {
    "e4m3": (4, 3, -6, ml_dtypes.float8_e4m3fn, FP8),
    "e5m2": (5, 2, -14, ml_dtypes.float8_e5m2, FP8),
    "f16": (5, 10, -14, np.float16, HALF),
    "bf16": (8, 7, -126, ml_dtypes.bfloat16, HALF),
}
example_budget = settings(max_examples=150, deadline=None, derandomize=True)


def decoded(code, name):
    """Significand as a fraction below 2, exponent and sign of a code, by hand."""
    exponent_bits, mantissa_bits, least, _, _ = LAYOUTS[name]
    mantissa, field = code % 2**mantissa_bits, code >> mantissa_bits & (2**exponent_bits - 1)
    significand = Fraction(mantissa, 2**mantissa_bits) + (field > 0)
    return significand, max(field - 1, 0) + least, -1 if code >> (exponent_bits + mantissa_bits) else 1


def chopped(exact, exponent, bits):
    step = Fraction(2) ** (exponent - bits)
    return int(exact / step) * step


def exponent_of(exact):
    """floor(log2 |exact|) of a fraction that is not 0."""
    exact, exponent = abs(exact), 0
    while exact >= 2:
        exact, exponent = exact / 2, exponent + 1
    while exact < 1:
        exact, exponent = exact * 2, exponent - 1
    return exponent


def added(codes_a, codes_b, accumulator, name):
    """One instruction in fractions, without any code of the model."""
    adder = LAYOUTS[name][4]
    parts = [(Fraction(accumulator), exponent_of(Fraction(accumulator)))] if accumulator else []
    for a, b in zip(codes_a, codes_b, strict=True):
        (size_a, power_a, sign_a), (size_b, power_b, sign_b) = decoded(a, name), decoded(b, name)
        power = power_a + power_b
        if size_a * size_b:
            parts.append((size_a * size_b * sign_a * sign_b * Fraction(2) ** power, power))
    if not parts:
        return Fraction(0)
    top = max(power for _, power in parts)
    total = sum(chopped(part, top, adder.aligned) for part, _ in parts)
    return chopped(total, exponent_of(total), adder.kept) if total else Fraction(0)


def values(codes, name):
    kind = LAYOUTS[name][3]
    width = np.dtype(kind).itemsize
    return np.array(codes, dtype=f"u{width}").view(kind).astype(np.float64)


def finite(name):
    codes = np.arange(2 ** (1 + LAYOUTS[name][0] + LAYOUTS[name][1]))
    with np.errstate(invalid="ignore"):
        return codes[np.isfinite(values(codes, name))].tolist()


@pytest.mark.parametrize("name", LAYOUTS)
@given(data=st.data())
@example_budget
def test_an_instruction_agrees_with_exact_fractions(name, data):
    _, mantissa_bits, least, _, adder = LAYOUTS[name]
    fields = st.integers(118, 136) if name == "bf16" else st.integers(0, 15 if name == "e4m3" else 30)
    code = st.builds(
        lambda sign, field, mantissa: (sign << LAYOUTS[name][0] | field) << mantissa_bits | mantissa,
        st.integers(0, 1), fields, st.integers(0, 2**mantissa_bits - 1),
    ).filter(lambda code: name != "e4m3" or code % 128 != 127)  # fmt: skip
    a, b = (data.draw(st.lists(code, min_size=adder.terms, max_size=adder.terms)) for _ in range(2))
    accumulator = data.draw(st.floats(-1e6, 1e6, width=32, allow_subnormal=False) | st.floats(-1, 1, width=32))
    found = multiply_add(values(a, name), values(b, name), accumulator, 2.0**least, adder)
    assert Fraction(float(found)) == added(a, b, accumulator, name)


@given(seed=st.integers(0, 2**32 - 1))
@example_budget
def test_order_does_not_matter_and_signs_are_symmetric(seed):
    random = np.random.default_rng(seed)
    a, b = values(random.choice(finite("e4m3"), (2, 32)), "e4m3")
    order, held = random.permutation(32), float(np.float32(random.standard_normal() * 100))
    found = multiply_add(a, b, held, 2.0**-6)
    assert multiply_add(a[order], b[order], held, 2.0**-6) == found
    assert multiply_add(-a, b, -held, 2.0**-6) == -found


def test_a_product_counts_with_the_exponents_of_its_factors():
    # 1.5 · 1.5 counts as 2.25 · 2^0: beside it 2^-13 is kept. 2.25 · 1 counts as 1.125 · 2^1, and it is cut to nothing.
    a, b = np.array([[1.5, 2.0**-6], [2.25, 2.0**-6]]), np.array([[1.5, 2.0**-7], [1.0, 2.0**-7]])
    assert multiply_add(a, b, -1.75, 2.0**-9).tolist() == [0.5 + 2.0**-13, 0.5]


def test_cutting_goes_toward_zero_and_zeros_count_for_nothing():
    assert cut([1.9, -1.9], 0, 0).tolist() == [1.0, -1.0]
    assert kept(-1 - 2.0**-14) == -1 and kept(0.0) == 0
    assert multiply_add(np.zeros(32), np.full(32, 448.0), 2.0**-20, 2.0**-6) == 2.0**-20
    assert multiply_add(np.zeros(32), np.full(32, 448.0), 0.0, 2.0**-6) == 0
    assert exponents([0.75, 1.0, -3.0, 2.0**-9], -6).tolist() == [-1, 0, 1, -6]


def test_ones_stall_where_one_is_half_of_the_last_bit():
    ones = np.ones(2**15)
    assert dot(ones, ones, 2.0**-6) == 2**14
    assert dot(ones, ones, 2.0**-6, promote=128) == 2**15


# What others saw one H100 do with fresh numbers of the same kind: uniform ones are low by so much.
@pytest.mark.parametrize(
    ("length", "promote", "low", "tolerance"),
    [(128, 0, 0.0005, 5e-5), (1024, 0, 0.0134, 2e-4), (4096, 0, 0.066, 5e-4), (4096, 128, 0.0005, 5e-5)],
)
def test_sums_of_uniform_numbers_are_low_by_as_much_as_was_seen(length, promote, low, tolerance):
    random = np.random.default_rng(3)
    a, b = random.random((2, 64, length)).astype(ml_dtypes.float8_e4m3fn).astype(np.float64)
    exact = (a * b).sum(axis=1)
    assert ((exact - dot(a, b, 2.0**-6, promote)) / exact).mean() == pytest.approx(low, abs=tolerance)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("file", VECTORS, ids=lambda path: path.parent.name)
def test_every_probe_gets_the_tensor_cores_own_answer(file, name):
    _, _, least, kind, adder = LAYOUTS[name]
    with np.load(file) as arrays:
        a, b, accumulators, answers = (arrays[f"{name}_{part}"] for part in "abcd")
    a, b = (np.ascontiguousarray(part).view(kind).astype(np.float64) for part in (a, b))
    held = accumulators.view(np.float32).astype(np.float64)
    found = multiply_add(a[:, :, None], b[:, None], held, 2.0**least, adder)
    np.testing.assert_array_equal(found.astype(np.float32).view(np.uint32), answers)


def test_two_gpus_gave_the_same_answers_to_the_same_probes():
    assert {file.parent.name for file in VECTORS} >= {"h100", "h200"}
    first, *others = (dict(np.load(file)) for file in VECTORS)
    assert sum(first[f"{name}_d"].size for name in ("e4m3", "e5m2")) == 16_384  # as the accumulation scene says
    for other in others:
        for part, numbers in first.items():
            np.testing.assert_array_equal(other[part], numbers)
