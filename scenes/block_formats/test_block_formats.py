"""Check scales, codes and bytes of MXFP4 and NVFP4 against frozen vectors, GGUF's own code and hand-worked blocks.

test_vectors.json holds three tensors of facts/vectors/formats.json. Their codes were made by a reference in numpy that
agreed with torchao, microxcaling and ggml (facts/formats.md section 3 and 4); their GGUF bytes by ggml itself.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from scenes.block_formats.case import bell_curve, block
from scenes.block_formats.model import MXFP4, NVFP4, pack, quantize, unpack

VECTORS = json.loads(Path(__file__).with_name("test_vectors.json").read_text())
SETS = sorted(VECTORS)


def numbers(name):
    return np.array(VECTORS[name]["x"])


def with_plain_zeros(blocks):
    """Bytes with −0 (code 8) written as 0, as GGUF does: it takes the first of the nearest values."""
    plain = [0 if code == 8 else code for code in range(16)]
    return [bytes([block[0], *(plain[b & 15] | plain[b >> 4] << 4 for b in block[1:])]) for block in blocks]


ONES = np.array([np.float32(7.9), *[1] * 31])


def test_numbers_are_those_of_the_vectors_but_for_the_largest():
    wanted = numbers("gauss64")[:32]
    assert bell_curve(1, 64).tolist() == VECTORS["gauss64"]["x"]
    assert block(7.5)[1] == 7.5 and abs(wanted[1]) == max(abs(wanted))
    assert np.delete(block(7.5), 1).tolist() == np.delete(wanted, 1).tolist()


def test_numbers_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        block(7.5)[0] = 1


def test_bell_curve_has_deviation_1_and_other_seeds_give_other_numbers():
    drawn = bell_curve(7, 2000)
    assert abs(drawn.mean()) < 0.1 and drawn.std() == pytest.approx(1, abs=0.05)
    assert not np.array_equal(drawn[:8], bell_curve(8, 8))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("rule", ["floor", "ceil"])
def test_mxfp4_scales_and_codes_equal_the_vectors(name, rule):
    found, wanted = quantize(numbers(name), MXFP4, rule), VECTORS[name][f"mxfp4_{rule}"]
    assert found.scale_codes.tolist() == wanted["scale_e8m0"]
    assert found.codes.ravel().tolist() == wanted["codes"]


@pytest.mark.parametrize("name", SETS)
def test_nvfp4_scales_codes_and_values_equal_the_vectors(name):
    found, wanted = quantize(numbers(name), NVFP4), VECTORS[name]["nvfp4"]
    assert found.tensor_scale == wanted["global_scale"]
    assert found.scale_codes.tolist() == wanted["block_scale_codes"]
    assert found.codes.ravel().tolist() == wanted["codes"]
    assert found.decoded.ravel() == pytest.approx(np.array(wanted["dequant"]), rel=2e-7)  # theirs are float32


@pytest.mark.parametrize("name", SETS)
def test_mxfp4_bytes_are_those_of_ggml_but_for_the_sign_of_zero(name):
    found = with_plain_zeros(pack(quantize(numbers(name), MXFP4)))
    assert b"".join(found).hex() == VECTORS[name]["gguf_MXFP4"]


def test_gguf_writes_the_same_bytes_and_reads_ours_as_we_do():
    quants = pytest.importorskip("gguf.quants")
    kind = pytest.importorskip("gguf").GGMLQuantizationType.MXFP4
    drawn = np.random.default_rng(5).normal(size=64 * 32).astype(np.float32) * np.float32(3)
    ours = quantize(drawn, MXFP4)
    theirs = quants.quantize(drawn, kind).reshape(64, 17)
    assert with_plain_zeros(pack(ours)) == [bytes(row) for row in theirs]
    raw = np.frombuffer(b"".join(pack(ours)), dtype=np.uint8)
    assert np.array_equal(quants.dequantize(raw, kind), ours.decoded.ravel())


def test_gguf_breaks_ties_the_other_way():
    # Ties go to the even code in the specification (section 5.3.3), to the smaller value in gguf: 3.5 is 4 or 3.
    quants = pytest.importorskip("gguf.quants")
    kind = pytest.importorskip("gguf").GGMLQuantizationType.MXFP4
    tied = np.array([4, 0.75, 1.75, 3.5, *[0] * 28], dtype=np.float32)
    assert quants.dequantize(quants.quantize(tied, kind), kind)[:4].tolist() == [4, 0.5, 1.5, 3]
    assert quantize(tied, MXFP4).decoded[0, :4].tolist() == [4, 1, 2, 4]


def test_gguf_reads_nvfp4_blocks_packed_here():
    # GGUF puts four scales before the codes of four blocks, and leaves the tensor's scale to the tensor.
    quants = pytest.importorskip("gguf.quants")
    gguf = pytest.importorskip("gguf")
    kind = getattr(gguf.GGMLQuantizationType, "NVFP4", None)
    if kind is None:
        pytest.skip("this gguf has no NVFP4")
    found = quantize(numbers("gauss64"), NVFP4)
    blocks = pack(found)
    raw = bytes(block[0] for block in blocks) + b"".join(block[1:] for block in blocks)
    read = quants.dequantize(np.frombuffer(raw, dtype=np.uint8), kind)
    assert read * found.tensor_scale == pytest.approx(found.decoded.ravel(), rel=1e-6)


# facts/formats.md section 3: 7.9 with 31 ones gives a scale of 1, and 6.
def test_floor_clips_7_9_among_ones_to_6_and_ceil_gives_8():
    floor, ceil = (quantize(ONES, MXFP4, rule) for rule in ("floor", "ceil"))
    assert (floor.scale_codes[0], floor.scales[0], floor.decoded[0, 0]) == (127, 1, 6)
    assert (ceil.scale_codes[0], ceil.scales[0], ceil.decoded[0, 0]) == (128, 2, 8)
    assert set(floor.decoded[0, 1:]) == set(ceil.decoded[0, 1:]) == {1}
    assert pack(floor) == [bytes([127, 0x27] + [0x22] * 15)]  # 1 is code 2, 6 is code 7


def test_blocks_take_17_and_9_bytes_and_unpack_to_what_was_stored():
    for name in SETS:
        for format, rule, size in ((MXFP4, "floor", 17), (MXFP4, "ceil", 17), (NVFP4, "floor", 9)):
            found = quantize(numbers(name), format, rule)
            assert {len(block) for block in pack(found)} == {size}
            assert np.array_equal(unpack(pack(found), format, found.tensor_scale), found.decoded)


def test_low_half_of_a_byte_holds_the_number_half_a_block_before_that_of_the_high_half():
    for format, size in ((MXFP4, 32), (NVFP4, 16)):
        row = np.zeros(size)
        row[0], row[1], row[size // 2] = 6, -6, 0.5
        assert pack(quantize(row, format))[0][1:3] == bytes([0x17, 0x0F])


@pytest.mark.parametrize(
    ("amax", "scales"),
    [(6, (1, 1, 1)), (6.5, (1, 1, 2)), (6.75, (1, 1, 2)), (7, (1, 2, 2)), (7.9, (1, 2, 2)), (8, (2, 2, 2))],
)  # fmt: skip
def test_even_goes_with_floor_below_seven_quarters_of_a_power_of_two_and_with_ceil_from_there(amax, scales):
    row = np.array([amax, *[0.5] * 31])
    assert tuple(quantize(row, MXFP4, rule).scales[0] for rule in ("floor", "even", "ceil")) == scales


def test_block_of_zeros_stays_zero_in_every_format():
    for format, rule in ((MXFP4, "floor"), (MXFP4, "ceil"), (NVFP4, "floor")):
        empty = quantize(np.zeros(32), format, rule)
        assert not empty.decoded.any() and not empty.scaled.any() and set(b"".join(pack(empty))) == {0}
        half = quantize(np.concatenate([np.zeros(32), np.ones(32)]), format, rule)
        assert not half.decoded[: 32 // half.size].any() and np.all(half.decoded[32 // half.size :] == pytest.approx(1))


@pytest.mark.parametrize(
    ("row", "format", "rule", "message"),
    [
        (np.ones(32), "MXFP6", "floor", "format is one of"),
        (np.ones(32), MXFP4, "round", "unknown rule"),
        (np.ones(31), MXFP4, "floor", "blocks of 32"),
        (np.ones(24), NVFP4, "floor", "blocks of 16"),
        (np.ones((2, 32)), MXFP4, "floor", "a row of numbers"),
        (np.array([]), NVFP4, "floor", "a row of numbers"),
        (np.full(32, np.nan), MXFP4, "floor", "finite"),
        (np.full(32, np.inf), NVFP4, "floor", "finite"),
    ],
)
def test_what_cannot_be_quantised_is_refused(row, format, rule, message):
    with pytest.raises(ValueError, match=message):
        quantize(row, format, rule)


def test_bytes_that_are_no_block_are_refused():
    for format in (MXFP4, NVFP4):
        with pytest.raises(ValueError, match="bytes"):
            unpack([bytes(12)], format)
