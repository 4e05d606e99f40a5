"""The first two chapters in time: a bar goes from bit to bit, and what is read so far is told."""

import itertools

import pytest

from loom.draw.extent import bounds
from scenes.float_anatomy.nearest import FORMATS
from scenes.float_anatomy.scene import SCENE

WIDTHS = (328, 840)
SAMPLE = [{"format": "E4M3", "code8": code} for code in (0, 5, 85, 127, 213)] + [
    {"format": "E2M1", "code4": 5}, {"format": "E3M2", "code6": 41}, {"format": "E5M2", "code8": 252},
    {"format": "FP16", "number": "π"}, {"format": "FP32", "number": "1/3"}, {"format": "BF16", "number": "1e-40"},
]  # fmt: skip
EXPONENT, MANTISSA = range(2)


def played(step, width=840, **params):
    run = SCENE.run(**params)
    return run.result, run.chapters[step].times, [
        {mark.key: mark for mark in SCENE.draw(state, width)} for state in run.chapters[step].states
    ]  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_each_bit_of_the_exponent_halves_what_is_left_of_the_line_and_keeps_the_half_that_it_picks(params, width):
    one, times, frames = played(EXPONENT, width, **params)
    bits, (left, _, right, _) = one.fmt.exponent_bits, bounds(frames[0]["ruler"])
    slots = [bounds(frame["slot"]) for frame in frames[:-1]]
    assert (slots[0][0], slots[0][2]) == pytest.approx((left, right), abs=0.1)
    for bit, (before, after) in enumerate(itertools.pairwise(slots)):
        picked = one.fields[1] >> bits - 1 - bit & 1
        middle = (before[0] + before[2]) / 2
        kept = (middle, before[2]) if picked != one.negative else (before[0], middle)  # below 0 the line is mirrored
        assert (after[0], after[2]) == pytest.approx(kept, abs=0.2)
    assert len(slots) == bits + 1
    assert times[1] <= 0.3 and times[-1] < 4


@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_power_of_two_its_dot_and_its_enlargement_come_when_the_last_bit_of_the_exponent_has_been_read(params):
    one, _, frames = played(EXPONENT, **params)
    small = one.fmt.name not in FORMATS[5:]
    for frame in frames[:-1]:
        assert not {"code", "bar", "zoom", "is"} & frame.keys() and "soft" in frame["slot"].role
        assert frame["sum"].text == ("−" if one.negative else "+")
    assert {"bar", "zoom", *(["code"] * small)} <= frames[-1].keys() and "soft" not in frames[-1]["slot"].role


@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_bar_stands_under_the_bit_that_is_read_and_what_the_field_is_worth_is_told_when_it_goes_on(params):
    one, _, frames = played(EXPONENT, **params)
    bits = one.fmt.exponent_bits
    digits = f"{one.fields[1]:0{bits}b}"
    lefts = [bounds(frame["reading"])[0] for frame in frames[:-1]]
    assert lefts == sorted(set(lefts)) and "reading" not in frames[-1]
    said = [frame["exponent-name"].text for frame in frames]
    read = [int(digits[:bit].ljust(bits, "0"), 2) for bit in range(1, bits + 1)]
    assert said == ["exponent", "exponent", *(f"exponent {worth}" for worth in read)]
    assert {frame["mantissa-name"].text for frame in frames} == {"mantissa"}


def test_mantissa_is_worth_what_has_been_added_and_its_bar_skips_naughts():
    _, _, frames = played(MANTISSA, format="E4M3", code8=85)  # 101
    said = [frame["mantissa-name"].text for frame in frames]
    assert said == ["mantissa", "mantissa", "mantissa 4", "mantissa 5"]
    bars = [bounds(frame["reading"]) for frame in frames[:-1]]
    squares = [bounds(frames[0][f"b{bit}"]) for bit in (5, 5, 7)]
    assert [(bar[0], bar[2]) for bar in bars] == [(square[0], square[2]) for square in squares]
    assert "reading" not in frames[-1]


def test_bar_stands_under_all_bits_of_a_long_mantissa_that_are_added_as_one():
    _, _, frames = played(MANTISSA, format="FP32", number="1/3")
    frame, wide = frames[-2], bounds(frames[1]["reading"])
    last = bounds(frame["reading"])
    assert last[2] == pytest.approx(bounds(frame["mantissa"])[2], abs=0.1)
    assert last[2] - last[0] == pytest.approx(12 * (wide[2] - wide[0]), abs=0.1)  # from the sixth of its ones


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_bar_keeps_off_squares_and_names_in_every_picture(params, width):
    for step in (EXPONENT, MANTISSA):
        _, _, frames = played(step, width, **params)
        for frame in (one for one in frames if "reading" in one):
            name = frame["sign-name"].shape
            top, foot = bounds(frame["reading"])[1::2]
            assert bounds(frame["sign"])[3] < top
            assert foot < float(name["y"]) - 0.7 * float(name["font-size"])  # of its capitals
