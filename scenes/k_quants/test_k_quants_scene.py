"""What the scene of k-quants says, quotes and tabulates, against the bytes it is about."""

import json
import math
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from loom.draw import percent
from scenes.k_quants.case import PARTS, case_of
from scenes.k_quants.data import DATA
from scenes.k_quants.kinds import KINDS
from scenes.k_quants.scene import SCENE

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())
SPLIT, IDEAL, ROUNDED, CODED, DECODED, BYTES = range(1, 7)
VARIANTS = [(name, data, part) for name in KINDS for data, part in (("bell", 1), ("outlier", 4), ("above", 1))]


def half(low, high):
    return struct.unpack("<e", bytes([low, high]))[0]


def read_q4_k(stored):
    """Oracle: Q4_K decoded in plain Python, one weight at a time, as the struct's comment describes it."""
    d, dmin, scales, weights = half(*stored[:2]), half(*stored[2:4]), stored[4:16], []
    for sub in range(8):
        if sub < 4:
            sc, m = scales[sub] % 64, scales[sub + 4] % 64
        else:
            sc = scales[sub + 4] % 16 + scales[sub - 4] // 64 * 16
            m = scales[sub + 4] // 16 + scales[sub] // 64 * 16
        for at in range(32):
            byte = stored[16 + 32 * (sub // 2) + at]
            q = byte // 16 if sub % 2 else byte % 16
            weights.append(d * sc * q - dmin * m)
    return weights


@pytest.mark.parametrize("data", DATA)
def test_values_of_q4_k_follow_from_its_bytes_read_one_by_one(data):
    weights = read_q4_k(bytes.fromhex(VECTORS["bytes"][data]["Q4_K"]))
    for part in PARTS:
        values, case = SCENE.run(type="Q4_K", data=data, part=part).values, case_of("Q4_K", data, part)
        assert values["decoded"].value == pytest.approx(weights[case.own], rel=1e-5)
        lost = math.fsum((a - b) ** 2 for a, b in zip(weights, case.numbers, strict=True))
        signal = math.fsum(b**2 for b in case.numbers)
        assert values["sqnr"].value == pytest.approx(-10 * math.log10(lost / signal), rel=1e-4)
        assert values["error"].value == pytest.approx(100 * math.sqrt(lost / signal), rel=1e-4)


# facts, section 5: bits per weight, sub-blocks, bits of a sub-block's scale.
@pytest.mark.parametrize(("name", "bits", "stored", "blocks", "scale_bits"), [
    ("Q2_K", 2.625, 84, 16, 4), ("Q3_K", 3.4375, 110, 16, 6), ("Q4_K", 4.5, 144, 8, 6), ("Q5_K", 5.5, 176, 8, 6),
    ("Q6_K", 6.5625, 210, 16, 8), ("Q4_0", 4.5, 144, 8, 16), ("Q4_1", 5, 160, 8, 16), ("Q8_0", 8.5, 272, 8, 16),
])  # fmt: skip
def test_values_that_prose_quotes_are_those_of_the_formats(name, bits, stored, blocks, scale_bits):
    values = SCENE.run(type=name, data="bell", part=1).values
    shown = [values[key].value for key in ("bits", "bytes", "blocks", "scale_bits")]
    assert shown == [bits, stored, blocks, scale_bits]
    assert sum(values[key].value for key in ("code_bits", "scales_share", "super_share")) == bits


@pytest.mark.parametrize("data", DATA)
def test_more_bits_lose_less_and_outliers_lose_more(data):
    sqnr = {name: SCENE.run(type=name, data=data, part=1).values["sqnr"].value for name in KINDS}
    assert sorted(sqnr, key=sqnr.get) == [
        "Q2_K",
        "Q3_K",
        *sorted(("Q4_0", "Q4_1", "Q4_K"), key=sqnr.get),
        "Q5_K",
        "Q6_K",
        "Q8_0",
    ]
    assert sqnr["Q4_K"] > sqnr["Q4_0"] + 1
    for name in KINDS:
        clean, spoilt = (SCENE.run(type=name, data=kind, part=1).values["normal"].value for kind in DATA)
        assert spoilt < clean - 5


def test_rounding_the_scales_costs_little_unless_outliers_set_their_unit():
    cost = {}
    for data in DATA:
        values = SCENE.run(type="Q2_K", data=data, part=1).values
        cost[data] = values["ideal_sqnr"].value - values["sqnr"].value
    assert 0 < cost["bell"] < 0.3 < cost["outlier"]


@pytest.mark.parametrize(("name", "data", "part"), VARIANTS)
def test_a_table_has_a_row_for_each_sub_block_and_its_columns_agree(name, data, part):
    kind, values = KINDS[name], SCENE.run(type=name, data=data, part=part).values
    table = SCENE.run(type=name, data=data, part=part).table
    assert len(table.rows) == kind.blocks
    for _, _, _, sc, m, scale, minimum, _ in table.rows:
        if kind.nested:
            assert scale == pytest.approx(values["d"].value * sc)
            assert minimum == pytest.approx(values["dmin"].value * m)
    errors = [row[-1] ** 2 for row in table.rows]
    rms = math.sqrt(np.mean(case_of(name, data, part).numbers ** 2))
    assert 100 * math.sqrt(sum(errors) / len(errors)) / rms == pytest.approx(values["error"].value)


@pytest.mark.parametrize(("name", "data", "part"), VARIANTS)
def test_every_step_says_something_new_with_its_own_numbers(name, data, part):
    said = [SCENE.say(state) for state in SCENE.run(type=name, data=data, part=part).steps]
    assert len(set(said)) == len(said) == 6
    values = SCENE.run(type=name, data=data, part=part).values
    assert f"{values['bytes'].value} bytes" in said[SPLIT - 1]
    assert percent(values["error"].value) in said[DECODED - 1]
    assert said[BYTES - 1].replace(" bits", "\u00a0bits").startswith(f"{values['bits']}: ")
    assert f"Weight {case_of(name, data, part).own}, " in said[CODED - 1]
    assert max(map(len, said)) <= 190
    assert not any("nan" in words or "-" in re.sub(r"[a-z6484]-[a-z]", "", words) for words in said)


def test_the_followed_weight_is_number_17_of_its_32():
    # facts, vectors/formats.json: x[17] of gauss256 and outlier256
    shown = [SCENE.run(type="Q5_K", data=data, part=1).values["weight"].value for data in DATA]
    assert shown == [0.5351170301437378, 10.702341079711914]


def test_one_bit_is_not_several():
    says = {name: SCENE.say(SCENE.run(type=name).steps[IDEAL - 1]) for name in ("Q4_0", "Q4_K")}
    assert says["Q4_0"].endswith("this is 1 bit per weight.") and says["Q4_K"].endswith("this is 2 bits per weight.")


def test_weight_that_is_read_back_never_reads_like_the_one_it_is_not():
    for params in SCENE.grid():
        words = SCENE.say(SCENE.run(**params).steps[DECODED - 1])
        back, given = re.search(r"= (\S+), not (\S+)\. ", words).groups()
        assert back != given, params
        assert "·" not in words and "× −" not in words, params
