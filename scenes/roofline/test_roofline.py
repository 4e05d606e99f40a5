"""Check the roof against the table of ridge points, hand counts and loops that count every operation and byte."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._gpus.rates import ELEMENT_BYTES, GPUS, PRECISIONS
from scenes.roofline.kernels import KERNELS, attention, gemm, work
from scenes.roofline.model import ARITHMETIC, BOTH, MEMORY, Case, Work, attainable_rate, case, ridge_point
from scenes.roofline.narration import ratio

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
RATES = st.floats(1e9, 1e17)
SMALL = st.integers(1, 7)
WIDTHS = st.sampled_from([4.0, 2.0, 1.0, 0.5])


# facts/hardware.md, section 2: peak over bandwidth, to the one decimal printed there.
@pytest.mark.parametrize(
    ("gpu", "precision", "ridge"),
    [
        ("A100", "FP32", 9.6), ("A100", "BF16", 153.0),
        ("H100", "FP32", 20.0), ("H100", "BF16", 295.2), ("H100", "FP8", 590.4),
        ("H200", "FP32", 13.9), ("H200", "BF16", 206.1), ("H200", "FP8", 412.3),
        ("B200", "FP32", 9.7), ("B200", "BF16", 292.2), ("B200", "FP8", 584.4), ("B200", "FP4", 1168.8),
    ],
)  # fmt: skip
def test_ridge_points_are_those_of_the_table(gpu, precision, ridge):
    assert case(gpu, precision, "gemv").ridge == pytest.approx(ridge, abs=0.051)


# facts/hardware.md, section 1, check formulas: bus width [bit] x clock [MHz] x 2 / 8; HGX and H200 sheets.
@pytest.mark.parametrize(("gpu", "bits", "megahertz"), [("A100", 5120, 1593), ("H100", 5120, 2619)])
def test_bandwidth_is_bus_width_times_clock(gpu, bits, megahertz):
    assert GPUS[gpu].bandwidth == pytest.approx(bits * megahertz * 1e6 * 2 / 8, rel=2e-4)


# facts/hardware.md, section 1: SMs x FMA per clock and SM x 2 x clock.
@pytest.mark.parametrize(
    ("gpu", "precision", "sms", "fma", "clock"),
    [
        ("A100", "BF16", 108, 1024, 1.41e9), ("A100", "FP32", 108, 64, 1.41e9),
        ("H100", "BF16", 132, 2048, 1.83e9), ("H100", "FP8", 132, 4096, 1.83e9), ("H100", "FP32", 132, 128, 1.98e9),
        ("B200", "BF16", 148, 4096, 1.856e9), ("B200", "FP4", 148, 16384, 1.856e9),
    ],
)  # fmt: skip
def test_dense_peaks_are_units_times_clock(gpu, precision, sms, fma, clock):
    assert GPUS[gpu].peak(precision) == pytest.approx(sms * fma * 2 * clock, rel=1e-3)


def test_h200_computes_like_an_h100_and_has_the_lowest_ridge_of_hopper():
    assert GPUS["H200"].rates == GPUS["H100"].rates
    assert case("H200", "BF16", "gemv").ridge < case("H100", "BF16", "gemv").ridge


# vendor table 33 (facts/hardware.md, section 1): FP8 from Hopper on, FP4 from Blackwell on.
@pytest.mark.parametrize(
    ("gpu", "used"),
    [("A100", ["FP32", "BF16", "BF16", "BF16"]), ("H100", ["FP32", "BF16", "FP8", "FP8"]),
     ("H200", ["FP32", "BF16", "FP8", "FP8"]), ("B200", ["FP32", "BF16", "FP8", "FP4"])],
)  # fmt: skip
def test_precision_that_a_gpu_lacks_falls_back_to_the_next_wider_one(gpu, used):
    assert [GPUS[gpu].computes_in(precision) for precision in PRECISIONS] == used
    for precision, wider in zip(PRECISIONS, used, strict=True):
        assert GPUS[gpu].peak(precision) == GPUS[gpu].peak(wider)


# facts/hardware.md, section 7: a square GEMM in BF16 has n/3, in FP32 n/6; m x 4096 x 4096 in BF16.
@pytest.mark.parametrize("n", [512, 1024, 4096])
def test_square_gemm_has_a_third_of_its_side_as_intensity_in_bf16(n):
    assert work(f"gemm-{n}", 2).intensity == pytest.approx(n / 3, rel=1e-15)
    assert work(f"gemm-{n}", 4).intensity == pytest.approx(n / 6, rel=1e-15)
    assert work(f"gemm-{n}", 0.5).intensity == pytest.approx(4 * n / 3, rel=1e-15)


@pytest.mark.parametrize(
    ("m", "intensity"), [(1, "1.00"), (8, "7.97"), (64, "62.1"), (128, "120.5"), (256, "227.6"), (512, "409.6")]
)
def test_flat_gemm_has_the_intensities_of_the_facts(m, intensity):
    decimals = len(intensity.partition(".")[2])
    assert f"{gemm(m, 4096, 4096, 2).intensity:.{decimals}f}" == intensity


def test_vector_kernels_have_the_intensities_worked_out_by_hand():
    # Per element: one addition for three elements moved; a product and a sum for each element of the matrix.
    assert [work("elementwise", b).intensity for b in (4, 2, 1, 0.5)] == pytest.approx([1 / 12, 1 / 6, 1 / 3, 2 / 3])
    assert work("gemv", 2).intensity == pytest.approx(4096 / 4098, rel=1e-15)
    assert work("copy", 2) == Work(0, 400_000_000)


def test_attention_has_the_intensities_worked_out_by_hand():
    # Prefill: 2 n (n + 1) d over 4 n d b. Decode: 4 n d over 2 (n + 1) d b, of each head.
    assert work("prefill", 2).intensity == pytest.approx(4097 / 4, rel=1e-15)
    assert work("decode", 2).intensity == pytest.approx(4096 / 4097, rel=1e-15)
    assert work("decode", 2).flops == 4 * 4096 * 128 * 32 == 67_108_864


@given(m=SMALL, n=SMALL, k=SMALL, element=WIDTHS)
@example_budget
def test_gemm_counts_what_three_loops_do_and_touch(m, n, k, element):
    flops, touched = 0, set()
    for row in range(m):
        for column in range(n):
            for inner in range(k):
                flops += 2
                touched |= {("A", row, inner), ("B", inner, column), ("C", row, column)}
    assert gemm(m, n, k, element) == Work(flops, element * len(touched))


@given(queries=SMALL, before=st.integers(0, 6), heads=st.integers(1, 3), dim=SMALL, element=WIDTHS)
@example_budget
def test_attention_counts_what_its_loops_do_and_touch(queries, before, heads, dim, element):
    flops, touched = 0, set()
    for head in range(heads):
        for query in range(before, before + queries):
            for key in range(query + 1):
                for at in range(dim):
                    flops += 2  # the score: one product, one sum
                    touched |= {("Q", head, query, at), ("K", head, key, at)}
                for at in range(dim):
                    flops += 2  # the output: weight times value, added up
                    touched |= {("V", head, key, at), ("O", head, query, at)}
    assert attention(queries, before + queries, heads, dim, element) == Work(flops, element * len(touched))


@given(peak=RATES, bandwidth=RATES, intensities=st.lists(st.floats(0, 1e6), min_size=2, max_size=20))
@example_budget
def test_roof_is_under_both_bounds_touches_one_and_never_falls(peak, bandwidth, intensities):
    points = np.sort(np.array(intensities))
    rates = attainable_rate(peak, bandwidth, points)
    assert (rates <= peak).all()
    assert (rates <= bandwidth * points).all()
    assert ((rates == peak) | (rates == bandwidth * points)).all()
    assert (np.diff(rates) >= 0).all()


@given(peak=RATES, bandwidth=RATES, hair=st.floats(1e-9, 1e-3))
@example_budget
def test_roof_is_continuous_at_its_ridge(peak, bandwidth, hair):
    ridge = ridge_point(peak, bandwidth)
    left, at, right = attainable_rate(peak, bandwidth, [ridge * (1 - hair), ridge, ridge * (1 + hair)])
    assert at == pytest.approx(peak, rel=1e-12)
    assert right == pytest.approx(peak, rel=1e-12)
    assert left == pytest.approx(peak * (1 - hair), rel=1e-12)


@given(peak=RATES, bandwidth=RATES, flops=st.floats(1, 1e15), moved=st.floats(1, 1e12))
@example_budget
def test_rate_is_the_work_over_the_longer_of_two_times(peak, bandwidth, flops, moved):
    one = Case(peak, bandwidth, Work(flops, moved))
    longer = max(flops / peak, moved / bandwidth)  # oracle: bytes and operations side by side
    assert one.time == longer
    assert one.attainable == pytest.approx(flops / longer, rel=1e-12)
    assert one.share == pytest.approx(100 * one.arithmetic_time / one.time, rel=1e-12)
    if not math.isclose(one.memory_time, one.arithmetic_time, rel_tol=1e-9):
        assert one.bound == (MEMORY if one.memory_time > one.arithmetic_time else ARITHMETIC)


def test_kernel_on_the_ridge_is_limited_by_both():
    assert Case(300.0, 3.0, Work(100.0, 1.0)).bound == BOTH


@pytest.mark.parametrize("gpu", GPUS)
def test_a_wider_element_never_raises_the_intensity(gpu):
    for kernel in KERNELS:
        found = [case(gpu, precision, kernel).intensity for precision in PRECISIONS]
        assert found == sorted(found)
        per_byte = [one * ELEMENT_BYTES[precision] for one, precision in zip(found, PRECISIONS, strict=True)]
        assert per_byte == pytest.approx([per_byte[0]] * 4)


def test_unknown_names_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"gpu is one of .*'H100'.*not 'V100'"):
        case("V100", "BF16", "gemv")
    with pytest.raises(ValueError, match=r"precision is one of .*'FP4'.*not 'FP6'"):
        case("H100", "FP6", "gemv")
    with pytest.raises(ValueError, match=r"kernel is one of .*'gemm-512'.*not 'gemm-513'"):
        case("H100", "BF16", "gemm-513")


def test_impossible_numbers_are_refused():
    with pytest.raises(ValueError, match="peak and bandwidth are positive, not 0 and 1"):
        attainable_rate(0, 1, [1])
    with pytest.raises(ValueError, match="an intensity is at least 0"):
        attainable_rate(1, 1, [1, -1])
    with pytest.raises(ValueError, match="5 queries cannot be the last of 4 tokens"):
        attention(5, 4, 1, 1, 2)


@pytest.mark.parametrize(
    ("intensity", "told"), [(1.0, "1.00"), (64.0, "64"), (12.7, "12.7"), (1024.25, "1,024.2"), (4100.0, "4,100")]
)
def test_a_whole_intensity_has_no_needless_decimal(intensity, told):
    assert ratio(intensity, "") == told
