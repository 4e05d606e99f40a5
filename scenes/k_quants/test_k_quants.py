"""k-quants against ggml's own bytes, against gguf's decoders, and against what the formats promise."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._formats.blocks import decibels
from scenes.k_quants.data import DATA, OUTLIERS, SHIFTS, super_block
from scenes.k_quants.kinds import CODES, KINDS, SCALES, SUPER, WEIGHTS, kind_of
from scenes.k_quants.model import quantize
from scenes.k_quants.packing import pack, place, unpack
from scenes.k_quants.search import affine, descent, symmetric, total

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())
NESTED = [name for name, kind in KINDS.items() if kind.nested]
example_budget = settings(max_examples=60, deadline=None, derandomize=True)


def many_super_blocks(count=700):
    """Super-blocks of all sorts, the same on every machine: integers hashed, then only exactly rounded arithmetic."""
    state = (np.arange(4 * count * WEIGHTS, dtype=np.uint64) + 1) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    uniform = ((state ^ (state >> np.uint64(27))) >> np.uint64(11)).astype(np.float64) / 2**53
    rows = uniform.reshape(4, count, WEIGHTS).sum(axis=0) - 2  # nearly Gaussian
    rows[200:260] *= rows[200:260] ** 2  # long tails
    rows[260:300] = np.abs(rows[260:300])
    rows[300:340] = -np.abs(rows[300:340])
    rows[340:380] = np.round(2 * rows[340:380])  # many ties
    rows[380:420] = np.where(rows[380:420] > 0.5, rows[380:420], 0)  # many zeros
    rows[420:500] *= np.repeat(2.0 ** (np.arange(80 * 16).reshape(80, 16) % 21 - 10), 16, axis=1)
    rows[500:520, 17] *= 500
    rows[520:524] = np.array([0, 1, -1, 1e-16])[:, None]
    rows[524:540] *= 1e-20
    return rows.astype(np.float32) + np.float32(0)


def hexed(stored):
    return stored.tobytes().hex()


FROZEN = [name for name in KINDS if name != "Q4_1"]  # whose bytes are compared with gguf's own instead


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", FROZEN)
def test_the_bytes_of_the_two_super_blocks_are_those_of_ggml(name, data):
    assert hexed(pack(quantize(super_block(data)[None], name).packed)[0]) == VECTORS["bytes"][data][name]


@pytest.mark.parametrize("name", FROZEN)
def test_the_bytes_of_super_blocks_of_all_sorts_are_those_of_ggml(name):
    stored = pack(quantize(many_super_blocks(), name).packed)
    assert hashlib.sha256(stored.tobytes()).hexdigest() == VECTORS["many"][name]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", NESTED)
def test_the_error_is_the_one_measured_with_ggml(name, data):
    # facts, vectors/formats.json: rel_rmse of gauss256 and outlier256
    stored = quantize(super_block(data)[None], name)
    error = np.sqrt(np.mean((stored.packed.decoded - stored.numbers).astype(float) ** 2))
    assert error / np.sqrt(np.mean(stored.numbers.astype(float) ** 2)) == pytest.approx(VECTORS["error"][data][name])


# facts, section 9: SQNR on Gaussian data with numpy's default_rng(12345), 512 × 4096; here its first 48 rows.
@pytest.mark.parametrize(("name", "sqnr"), [
    ("Q2_K", 10.57), ("Q3_K", 16.42), ("Q4_K", 22.94), ("Q5_K", 28.84), ("Q6_K", 35.03), ("Q4_0", 21.32),
    ("Q8_0", 45.43),
])  # fmt: skip
def test_noise_on_gaussian_weights_is_that_of_the_error_table(name, sqnr):
    weights = np.random.default_rng(12345).standard_normal((48, 4096)).astype(np.float32).reshape(-1, WEIGHTS)
    decoded = quantize(weights, name).packed.decoded.reshape(weights.shape)
    assert decibels(weights.astype(float), decoded.astype(float)) == pytest.approx(sqnr, abs=0.08)


# facts, section 5 (struct sizes of ggml-common.h): blocks × size, bits of scale and minimum, range of q, bytes, bpw.
@pytest.mark.parametrize(("name", "blocks", "size", "scale", "minimum", "lowest", "highest", "in_all", "per_weight"), [
    ("Q2_K", 16, 16, 4, 4, 0, 3, 84, 2.625),
    ("Q3_K", 16, 16, 6, 0, -4, 3, 110, 3.4375),
    ("Q4_K", 8, 32, 6, 6, 0, 15, 144, 4.5),
    ("Q5_K", 8, 32, 6, 6, 0, 31, 176, 5.5),
    ("Q6_K", 16, 16, 8, 0, -32, 31, 210, 6.5625),
    ("Q4_0", 8, 32, 16, 0, -8, 7, 144, 4.5),
    ("Q4_1", 8, 32, 16, 16, 0, 15, 160, 5.0),
    ("Q8_0", 8, 32, 16, 0, -127, 127, 272, 8.5),
])  # fmt: skip
def test_each_type_has_the_sizes_of_its_struct(name, blocks, size, scale, minimum, lowest, highest, in_all, per_weight):
    kind = kind_of(name)
    assert (kind.blocks, kind.size, kind.scale_bits, kind.min_bits) == (blocks, size, scale, minimum)
    assert (kind.lowest, kind.highest, kind.bytes, kind.total) == (lowest, highest, in_all, per_weight)
    assert sum(kind.spent(part) for part in (CODES, SCALES, SUPER)) == per_weight
    assert kind.spent(CODES) == kind.bits
    assert kind.spent(SCALES) == (scale + minimum) / size


def finite_bytes(name, rows, seed=7):
    """Random bytes whose FP16 numbers are finite: the top bit of their exponents is cleared."""
    stored = np.random.default_rng(seed).integers(0, 256, (rows, KINDS[name].bytes)).astype(np.uint8)
    kind = KINDS[name]
    structs = stored.reshape(rows * kind.structs, -1)
    at = 0
    for field in kind.fields:
        if field.name in ("d", "dmin", "m"):
            structs[:, at + 1] &= 0xBF
        at += field.bytes
    return stored


@pytest.mark.parametrize("name", KINDS)
def test_any_bytes_decode_as_gguf_decodes_them_bit_for_bit(name):
    gguf = pytest.importorskip("gguf")
    quants = pytest.importorskip("gguf.quants")
    for stored in (finite_bytes(name, 400), pack(quantize(many_super_blocks(), name).packed)):
        theirs = quants.dequantize(stored, gguf.GGMLQuantizationType[name])
        ours = unpack(stored, name).decoded.reshape(len(stored), -1)
        np.testing.assert_array_equal(ours.view(np.uint32), theirs.view(np.uint32))


@pytest.mark.parametrize("name", ["Q4_0", "Q4_1", "Q8_0"])
def test_types_without_super_blocks_have_the_bytes_of_gguf_too(name):
    gguf = pytest.importorskip("gguf")
    quants = pytest.importorskip("gguf.quants")
    weights = many_super_blocks()
    theirs = quants.quantize(weights, gguf.GGMLQuantizationType[name])
    np.testing.assert_array_equal(pack(quantize(weights, name).packed), theirs)


@pytest.mark.parametrize("name", KINDS)
def test_any_bytes_survive_unpacking_and_packing(name):
    stored = finite_bytes(name, 300, seed=8)
    np.testing.assert_array_equal(pack(unpack(stored, name)), stored)


@pytest.mark.parametrize("name", KINDS)
def test_place_is_where_the_bytes_change_when_one_code_does(name):
    kind, stored = KINDS[name], finite_bytes(name, 1, seed=9)
    for weight in range(WEIGHTS):
        for field in (field for field in kind.fields if field.part == CODES):
            byte, low = place(kind, field, weight)
            for bit in range(field.bits):
                changed = stored.copy()
                changed[0, byte] ^= 1 << (low + bit)
                moved = (unpack(changed, name).codes - unpack(stored, name).codes).ravel()
                assert np.flatnonzero(moved).tolist() == [weight]
                assert abs(moved[weight]) == 1 << (field.low + bit)


@st.composite
def super_blocks(draw):
    """A super-block of any shape, of a size that FP16 scales can hold."""
    seed, power = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([1, 3]))
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal(WEIGHTS) ** power
    weights[: draw(st.integers(0, 64))] *= draw(st.sampled_from([0, 1, 30]))
    return (weights + draw(st.sampled_from([0, 2, -2]))).astype(np.float32)[None]


@pytest.mark.parametrize("name", NESTED)
@example_budget
@given(weights=super_blocks())
def test_a_weight_within_the_levels_is_off_by_half_a_step_at_most(name, weights):
    stored = quantize(weights, name)
    packed, kind = stored.packed, KINDS[name]
    assert (packed.codes >= kind.lowest).all()
    assert (packed.codes <= kind.highest).all()
    steps, minima = packed.scales[..., None], packed.minima[..., None]
    ends = np.sort(np.stack([steps * kind.lowest - minima, steps * kind.highest - minima]), axis=0)
    within = (stored.numbers >= ends[0]) & (stored.numbers <= ends[1]) & (steps != 0)
    away = np.abs(packed.decoded - stored.numbers)
    assert (away <= np.abs(steps) / 2 * (1 + 1e-4) + 1e-6)[within].all()


@pytest.mark.parametrize("name", KINDS)
@example_budget
@given(weights=super_blocks(), power=st.integers(-1, 3))
def test_weights_times_a_power_of_two_have_the_same_codes(name, weights, power):
    before, after = (quantize(weights * np.float32(2.0**by), name).packed for by in (0, power))
    if min(np.abs(before.d).min(), before.dmin[before.dmin > 0].min(initial=1)) >= 2.0**-12:  # FP16 stays normal
        np.testing.assert_array_equal(after.codes, before.codes)
        np.testing.assert_array_equal(after.decoded, before.decoded * np.float32(2.0**power))


@pytest.mark.parametrize("name", ["Q6_K", "Q8_0", "Q4_0"])
@example_budget
@given(weights=super_blocks())
def test_types_without_minimum_treat_both_signs_alike(name, weights):
    there, back = quantize(weights, name), quantize(-weights, name)
    if name == "Q4_0":  # it adds a half and cuts off, so that ties go up on either side
        assert np.abs(there.packed.decoded + back.packed.decoded).max() <= np.abs(there.packed.scales).max() * 1.01
    else:
        np.testing.assert_array_equal(back.packed.decoded, -there.packed.decoded)


@pytest.mark.parametrize("name", ["Q2_K", "Q4_K", "Q5_K"])
@example_budget
@given(weights=super_blocks())
def test_minima_only_lower(name, weights):
    stored = quantize(weights, name)
    assert (stored.ideal_minima >= 0).all()
    assert (stored.packed.minima >= 0).all()
    assert (quantize(np.abs(weights), name).packed.decoded <= np.abs(weights).max() * 1.2).all()


def test_the_search_finds_an_affine_row_exactly_and_beats_the_plain_guess_elsewhere():
    codes = np.arange(16, dtype=np.float32)[None]
    found = affine(codes / 4 - 1, np.ones_like(codes), 15, -1.0, 21)
    assert (found.scales, found.minima) == (pytest.approx(0.25), pytest.approx(1))
    np.testing.assert_array_equal(found.codes, codes)
    rows = many_super_blocks()[:100].reshape(-1, 16)
    ones = np.ones_like(rows)
    searched, plain = (affine(rows, ones, 3, -0.5, trials) for trials in (16, 0))
    errors = [((fit.scales[:, None] * fit.codes - fit.minima[:, None] - rows) ** 2).sum(axis=1).astype(float)
              for fit in (searched, plain)]  # fmt: skip
    assert (errors[0] <= errors[1] * (1 + 1e-5)).all()
    assert errors[0].sum() < 0.9 * errors[1].sum()


def test_the_descent_of_q3_k_rests_where_the_largest_weight_is_positive():
    # make_q3_quants compares sums that are negative there, so that no code is changed.
    rows = many_super_blocks()[:100].reshape(-1, 16)
    top = rows[np.arange(len(rows)), np.abs(rows).argmax(axis=1)]
    plain = np.clip(np.rint(np.float32(-4) / top[:, None] * rows), -4, 3)
    changed = (descent(rows, 4).codes != plain).any(axis=1)
    assert not changed[top > 0].any()
    assert changed[top < 0].mean() > 0.3


def test_sums_are_taken_from_left_to_right():
    assert total(np.float32([1, 2**24, -(2**24), 1])) == 1
    assert total(np.float32([[2**24, 1, 1, 1], [1, 1, 1, 2**24]])).tolist() == [2**24, 2**24 + 4]


def test_the_stored_largest_scale_takes_the_last_integer():
    packed = quantize(super_block("outlier")[None], "Q6_K").packed
    assert packed.scale_codes.min() == -128
    assert symmetric(np.float32([[1, 2, -4]]), 32).codes.tolist() == [[8, 16, -32]]
    assert quantize(super_block("bell")[None], "Q4_K").packed.scale_codes.max() == 63


def test_q8_0_rounds_halves_away_from_zero_as_c_does():
    weights = np.zeros((1, WEIGHTS), dtype=np.float32)
    weights[0, :5] = 127, 0.5, 2.5, -0.5, -2.5  # the scale is 1
    assert quantize(weights, "Q8_0").packed.codes[0, 0, :5].tolist() == [127, 1, 3, -1, -3]


def test_q4_0_stores_zeros_of_either_sign_alike():
    # ggml starts from +0 and divides by −8: the scale is −0, whatever the weights' sign
    zeros = [pack(quantize(np.full((1, WEIGHTS), zero), "Q4_0").packed) for zero in (0.0, -0.0)]
    np.testing.assert_array_equal(*zeros)
    assert zeros[0][0, :3].tolist() == [0x00, 0x80, 0x88]


def test_three_weights_stand_out_in_the_second_super_block():
    there, back = super_block("bell"), super_block("outlier")
    assert np.flatnonzero(there != back).tolist() == list(OUTLIERS)
    # facts, vectors/formats.json: the first of gauss256 and the three of outlier256
    assert there[:3].tolist() == [-1.7229022979736328, 0.7468288540840149, -0.23773305118083954]
    assert back[list(OUTLIERS)].tolist() == [10.702341079711914, 17.930133819580078, 5.4138970375061035]


@pytest.mark.parametrize(("call", "message"), [
    (lambda: super_block("flat"), "one of .*'bell', 'outlier'"),
    (lambda: quantize(np.zeros((1, 256)), "Q4_K_M"), "unknown type 'Q4_K_M', expected one of Q2_K"),
    (lambda: quantize(np.zeros((1, 128)), "Q4_K"), "in rows of 256"),
    (lambda: quantize(np.zeros(256), "Q4_K"), "in rows of 256"),
    (lambda: quantize(np.full((1, 256), np.nan), "Q8_0"), "must be finite"),
    (lambda: unpack(np.zeros((1, 145)), "Q4_K"), "256 weights in Q4_K are 144 bytes"),
    (lambda: place(KINDS["Q4_K"], KINDS["Q4_K"].fields[-1], 256), "one of 0 … 255, not 256"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_shifted_weights_are_those_of_the_bell_curve_and_more_or_less_all_above_zero():
    bell = super_block("bell").astype(float)
    for data, shift in SHIFTS.items():
        assert super_block(data) - bell == pytest.approx(np.full(WEIGHTS, shift), abs=1e-6)
    assert (super_block("above") > 0).all() and 0.8 < (super_block("shifted") > 0).mean() < 1


def test_a_minimum_of_its_own_sign_helps_weights_above_zero_where_a_k_quant_s_is_held_at_zero():
    # ggml-quants.c, make_qkx2_quants: a positive min becomes 0, so that what is stored, −min, has no sign.
    found = {
        (name, data): quantize(super_block(data)[None], name) for name in ("Q4_0", "Q4_1", "Q4_K") for data in SHIFTS
    }
    assert (found["Q4_K", "above"].packed.minima >= 0).all() and found["Q4_K", "shifted"].packed.minima.any()
    assert (found["Q4_1", "above"].packed.minima < 0).all()
    noise = {key: decibels(one.numbers.astype(float), one.packed.decoded.astype(float)) for key, one in found.items()}
    for data in SHIFTS:
        assert noise["Q4_0", data] < noise["Q4_K", data] - 3
    assert (
        noise["Q4_1", "above"] > noise["Q4_K", "above"] + 3 and noise["Q4_K", "shifted"] > noise["Q4_1", "shifted"] - 1
    )
