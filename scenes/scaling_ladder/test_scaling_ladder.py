"""Check the ladder's numbers against the error table, an oracle in plain Python, and what holds for any numbers."""

import bisect
import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scenes._formats.blocks import mx, nvfp4
from scenes.scaling_ladder.errors import Tensor, errors, measured, ratio
from scenes.scaling_ladder.model import ELEMENTS, SCALE_BITS, SCALES, Scheme, grouped, quantised, scales_of, tensor
from scenes.scaling_ladder.stored import resting

example_budget = settings(max_examples=100, deadline=None, derandomize=True)
SINGLES = st.floats(-1000, 1000, width=32, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-6)
TENSORS = hnp.arrays(np.float64, st.tuples(st.integers(1, 3), st.just(128)), elements=SINGLES, fill=st.just(0.5))
SCHEMES = [resting(scale, element, kind) for element in ELEMENTS for kind in SCALE_BITS for scale in SCALES]


# facts/formats.md section 9 (frozen in vectors/errstats.json): scheme, SQNR on the bell curve, whole outlier tensor,
# its normal channels [dB], and what becomes zero there [%]. Two digits are printed, one of the zeros.
GOLDEN = [
    (("tensor", "E4M3", "FP32"), 31.55, 31.63, 31.52, 0.0),
    (("token", "E4M3", "FP32"), 31.54, 32.21, 31.53, 0.0),
    (("block 128", "E4M3", "FP32"), 31.79, 38.22, 31.61, 0.0),
    (("tensor", "INT8", "FP32"), 38.69, 20.22, 6.06, 61.2),
    (("token", "INT8", "FP32"), 41.26, 25.19, 11.03, 36.8),
    (("channel", "INT8", "FP32"), 42.59, 42.81, 42.59, 1.0),
    (("block 32", "INT8", "FP32"), 45.44, 38.22, 24.03, 4.2),
    (("tensor", "INT4", "FP32"), 13.51, 11.59, 0.00, 100.0),
    (("token", "INT4", "FP32"), 16.09, 13.20, 0.00, 100.0),
    (("block 128", "INT4", "FP32"), 18.62, 16.25, 2.31, 67.9),
    (("block 32", "INT4", "FP32"), 20.26, 20.69, 6.59, 33.7),
    (("tensor", "E2M1", "FP32"), 17.26, 12.73, 0.00, 100.0),
    (("token", "E2M1", "FP32"), 18.50, 13.17, 0.00, 100.0),
    (("block 32", "E4M3", "E8M0"), 31.53, 31.70, 31.53, 0.0),
    (("block 32", "E2M1", "E8M0"), 18.75, 17.44, 6.87, 30.9),
    (("block 16", "E2M1", "E4M3"), 20.45, 23.74, 10.62, 16.1),
    (("block 16", "E2M1", "FP32"), 20.53, 24.45, 10.63, 16.1),
    (("block 32", "E2M1", "FP32"), 19.91, 21.68, 7.67, 26.7),
]


@pytest.mark.parametrize(("scheme", "bell", "whole", "normal", "zeroed"), GOLDEN, ids=lambda value: str(value))
def test_every_row_of_the_error_table_is_reproduced(scheme, bell, whole, normal, zeroed):
    # Rows with FP16 scales are compared with FP32 ones: the table's own rounding is coarser than that difference.
    plain, outlier = errors("bell", Scheme(*scheme)), errors("outlier", Scheme(*scheme))
    assert plain.sqnr == pytest.approx(bell, abs=0.011)
    assert plain.normal == plain.sqnr
    assert outlier.sqnr == pytest.approx(whole, abs=0.011)
    assert outlier.normal == pytest.approx(normal, abs=0.011)
    assert outlier.zeroed == pytest.approx(zeroed, abs=0.051)


# facts/formats.md section 9, column "Gauss rel-RMSE", and error_rel = 10^(−dB / 20).
@pytest.mark.parametrize(("scheme", "error"), [(("tensor", "INT8"), 1.16), (("token", "INT8"), 0.865),
                                               (("tensor", "INT4"), 21.1), (("tensor", "E4M3"), 2.65)])  # fmt: skip
def test_relative_error_is_that_of_the_table(scheme, error):
    found = errors("bell", Scheme(*scheme))
    assert found.error == pytest.approx(error, rel=0.005)
    assert found.error == pytest.approx(100 * 10 ** (-found.sqnr / 20))


# facts/formats.md section 2 and 9: bits of the element + bits of the scale / group.
@pytest.mark.parametrize(("scheme", "bits"), [
    (("tensor", "INT8", "FP32"), 8), (("block 128", "E4M3", "FP32"), 8.25), (("block 16", "E2M1", "E4M3"), 4.5),
    (("block 16", "INT4", "E4M3"), 4.5), (("block 32", "E2M1", "E8M0"), 4.25), (("block 32", "E4M3", "E8M0"), 8.25),
    (("block 16", "E2M1", "FP32"), 6), (("block 32", "E2M1", "FP32"), 5), (("token", "INT8", "FP32"), 8 + 32 / 4096),
    (("channel", "INT8", "E8M0"), 8 + 8 / 512),
])  # fmt: skip
def test_bits_count_the_scale(scheme, bits):
    assert Scheme(*scheme).bits() == bits


def test_tensor_is_that_of_the_error_table():
    values, normal = tensor("outlier")
    bell, all_normal = tensor("bell")
    assert values.shape == (512, 4096)
    assert (~normal).sum() == 41
    assert all_normal.all()
    assert (values[:, normal] == bell[:, normal]).all()
    assert (values[:, ~normal] == 50 * bell[:, ~normal]).all()
    assert (bell == bell.astype(np.float32)).all()


# The oracle: values listed by hand, the nearest by exact distance, ties to the even code.
def listed(exponent_bits, mantissa_bits, bias, count):
    """The first `count` values at and above zero, by code."""
    values = []
    for code in range(count):
        field, mantissa = divmod(code, 2**mantissa_bits)
        whole = Fraction(mantissa, 2**mantissa_bits) + (field > 0)
        values.append(whole * Fraction(2) ** (max(field, 1) - bias))
    assert len(values) <= 2 ** (exponent_bits + mantissa_bits)
    return values


TABLES = {"INT8": [Fraction(n) for n in range(128)], "INT4": [Fraction(n) for n in range(8)],
          "E4M3": listed(4, 3, 7, 127), "E2M1": listed(2, 1, 1, 8)}  # fmt: skip


def nearest(value, table):
    exact = abs(Fraction(value))
    above = bisect.bisect_left(table, exact)
    codes = [code for code in (above - 1, above) if 0 <= code < len(table)]
    code = min(codes, key=lambda code: (abs(table[code] - exact), code % 2))
    return math.copysign(float(table[code]), value)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def oracle_scale(amax, largest, kind, top):
    if amax == 0:
        return 0.0
    if kind == "FP32":
        return single(amax / largest)
    if kind == "E8M0":
        power = -127
        while Fraction(2) ** power * Fraction(largest) < Fraction(amax):
            power += 1
        return 2.0**power
    whole = single(top / (largest * 448))
    return nearest(amax / largest / whole, TABLES["E4M3"]) * whole


def oracle(rows, scheme):
    """What is left of each number, group by group."""
    tokens, channels = len(rows), len(rows[0])
    width = {"block 128": 128, "block 32": 32, "block 16": 16}.get(scheme.scale, 1)
    name = {"tensor": lambda t, c: 0, "token": lambda t, c: t, "channel": lambda t, c: c}
    group = name.get(scheme.scale, lambda t, c: (t, c // width))
    places = [(t, c) for t in range(tokens) for c in range(channels)]
    amax = {}
    for t, c in places:
        amax[group(t, c)] = max(amax.get(group(t, c), 0.0), abs(rows[t][c]))
    table, left = TABLES[scheme.element], [[0.0] * channels for _ in rows]
    scales = {key: oracle_scale(most, float(table[-1]), scheme.scaletype, max(amax.values()))
              for key, most in amax.items()}  # fmt: skip
    for t, c in places:
        scale = scales[group(t, c)]
        left[t][c] = nearest(rows[t][c] / scale, table) * scale if scale else 0.0
    return left


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: f"{s.element}-{s.scale}-{s.scaletype}")
def test_quantised_tensor_equals_the_oracle(scheme):
    values = tensor("outlier", tokens=2, channels=128, outliers=2)[0]
    values[1, 16:32] = 0.0
    values[0, :4] = [0.5, -1.5, 448.0, 2.0**-9]
    assert quantised(values, scheme).tolist() == oracle(values.tolist(), scheme)


@given(values=TENSORS, scheme=st.sampled_from(SCHEMES))
@example_budget
def test_any_tensor_equals_the_oracle(values, scheme):
    values = values[:, :16].repeat(8, axis=1) * np.linspace(0.25, 2, 128).astype(np.float32)
    assert quantised(values[:1], scheme).tolist() == oracle(values[:1].tolist(), scheme)


@given(values=TENSORS)
@example_budget
def test_blocks_equal_the_shared_formats(values):
    by_32, by_16 = values.reshape(-1, 32), values.reshape(-1, 16)
    assert (quantised(values, Scheme("block 16", "E2M1", "E4M3")).reshape(-1, 16) == nvfp4(by_16).decoded).all()
    for element in ("E2M1", "E4M3"):
        assert (quantised(values, Scheme("block 32", element, "E8M0")).reshape(-1, 32)
                == mx(by_32, element, "ceil").decoded).all()  # fmt: skip


@given(values=TENSORS, element=st.sampled_from(ELEMENTS), scale=st.sampled_from(SCALES))
@example_budget
def test_power_of_two_scales_never_clip_and_are_the_smallest_that_do_not(values, element, scale):
    scheme = Scheme(scale, element, "E8M0")
    view, axes = grouped(values, scale)
    scales, amax = scales_of(values, scheme), np.abs(view).max(axis=axes, keepdims=True)
    assert (amax <= scales * scheme.format.largest).all()
    alive = scales > 0
    assert (amax[alive] > scales[alive] / 2 * scheme.format.largest).all()
    assert (np.frexp(scales[alive])[0] == 0.5).all()


@given(values=TENSORS, element=st.sampled_from(ELEMENTS), kind=st.sampled_from(["FP32", "E8M0"]))
@example_budget
def test_a_number_that_survives_in_a_block_survives_in_its_halves(values, element, kind):
    # Halving cannot raise the largest magnitude, so neither the scale nor the most that becomes zero.
    alive = np.zeros(values.shape, dtype=bool)
    for scale in ("tensor", "token", "block 128", "block 32", "block 16"):
        now = quantised(values, Scheme(scale, element, kind)) != 0
        assert (now | ~alive).all()
        alive = now


def test_halving_a_block_may_still_raise_the_error_where_the_large_scale_happened_to_fit():
    # So no such property is asserted: 7 / 7 = 1 holds 6 exactly, and 6 / 7 holds 1 less well.
    values = np.array([[7.0] + 15 * [1.0] + [6.0] + 15 * [1.0]])
    error = [np.abs(quantised(values, Scheme(f"block {n}", "INT4")) - values).sum() for n in (32, 16)]
    assert error[0] == 0 < error[1]


@given(values=TENSORS, scheme=st.sampled_from(SCHEMES))
@example_budget
def test_errors_stay_within_half_a_step_and_the_clipped_part(values, scheme):
    form, view = scheme.format, grouped(values, scheme.scale)[0]
    scales = np.broadcast_to(scales_of(values, scheme), view.shape).reshape(values.shape)
    left = quantised(values, scheme)
    clipped = np.maximum(np.abs(values) - scales * form.largest, 0)
    part = {"E4M3": 1 / 8, "E2M1": 1 / 2}.get(form.name, 0)  # how a float's steps grow with the number
    step = np.maximum(np.abs(values) * part, form.smallest * scales)
    assert (np.abs(left - values) <= step / 2 * (1 + 1e-9) + clipped).all()
    assert (np.abs(left) <= scales * form.largest).all()
    assert (left * values >= 0).all()


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: f"{s.element}-{s.scale}-{s.scaletype}")
def test_zeros_stay_zero(scheme):
    values = np.zeros((2, 128))
    assert (quantised(values, scheme) == 0).all()
    values[0, 0] = 3.0  # blocks of zeros beside one that is not
    left = quantised(values, scheme)
    assert left[0, 0] == pytest.approx(3, rel=0.26)
    assert np.count_nonzero(left) == 1


def test_scale_that_rounds_to_zero_in_e4m3_empties_its_block():
    values = np.ones((1, 32))
    values[0, :16] = 1e7
    left = quantised(values, Scheme("block 16", "E2M1", "E4M3"))
    assert (left[0, 16:] == 0).all()
    assert quantised(values, Scheme("block 16", "E2M1"))[0, 16:] == pytest.approx(1)


def test_measures_judge_the_normal_channels_alone():
    # By hand, INT4: amax 7, scale 1; the channel of 7s is the outlier; 0.4 becomes 0, 0.6 becomes 1, and 0 was 0.
    found = measured(
        Tensor(np.array([[7.0, 0.4], [7.0, 0.6], [7.0, 0.0]]), np.array([False, True])), Scheme("tensor", "INT4")
    )
    assert found.zeroed == 50
    assert found.normal_signal == pytest.approx((0.16 + 0.36) / 3)
    assert found.normal_noise == pytest.approx((0.16 + 0.16) / 3)
    assert found.normal == pytest.approx(10 * math.log10(0.52 / 0.32))
    assert found.signal == pytest.approx((3 * 49 + 0.52) / 6)
    assert ratio(1.0, 0.0) == math.inf


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Scheme("row", "INT8"), "unknown 'row', expected one of tensor, token"),
        (lambda: Scheme("tensor", "INT3"), "unknown 'INT3'"),
        (lambda: Scheme("tensor", "INT8", "FP16"), "unknown 'FP16', expected one of FP32"),
        (lambda: tensor("laplace"), "unknown data 'laplace', expected one of bell, outlier"),
        (lambda: grouped(np.ones((1, 20)), "block 16"), "rows of 20 do not divide into blocks of 16"),
        (
            lambda: measured(Tensor(np.ones((1, 2)), np.array([False, False])), Scheme("tensor", "INT8")),
            "nothing but zeros",
        ),
    ],
)
def test_mistakes_are_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()
