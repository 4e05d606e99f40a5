"""The last chapter: the values of each format about a number, and how far off the nearest one is."""

import math
import re

import pytest

from loom.draw.extent import bounds
from scenes._formats.floats import FLOATS, decoded
from scenes.float_anatomy.nearest import FORMATS, SMALL
from scenes.float_anatomy.octave import BEYOND, LEAST, steps
from scenes.float_anatomy.scene import SCENE

WIDTHS = (328, 840)
SAMPLE = [{"format": "E4M3", "code8": code} for code in (1, 8, 85, 126, 254)] + [
    {"format": "FP16", "number": "π"}, {"format": "E2M1", "code4": 13}, {"format": "FP32", "number": "1e-40"},
]  # fmt: skip


def last(width, **params):
    state = SCENE.run(**params).steps[-1]
    return state.result, {mark.key: mark for mark in SCENE.draw(state, width)}


def lines(mark):
    found = [[float(x) for x in re.findall(r"[\d.]+", one)] for one in mark.shape["d"].split("M")[1:]]
    return [one for one in found if len(one) == 4]


@pytest.mark.parametrize("name", SMALL)
def test_values_of_a_stretch_are_those_of_the_codes(name):
    fmt = FLOATS[name]
    values = {abs(value) for value in decoded(range(2**fmt.bits), name).tolist() if math.isfinite(value)}
    for low in range(-18, 17):
        many, reach = steps(fmt, low)
        drawn = [at / many for at in range(many + 1) if at / many <= reach] if many else []
        wanted = {value for value in values if 2.0**low <= value <= 2.0 ** (low + 1)}
        if 2.0 ** (low + 1) == fmt.smallest:  # too small for a step; its end is drawn all the same
            assert (many, wanted) == (0, {fmt.smallest})
            continue
        assert {2.0**low * (1 + share) for share in drawn} == wanted


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SAMPLE, ids=str)
def test_a_line_goes_from_the_nearest_value_to_the_number_and_out_of_the_stretch_where_that_lies_nearer_to_zero(
    params, width
):
    one, drawn = last(width, **params)
    axis, here = lines(drawn["axes"])[0], float(drawn["number" if one.rounds else "value"].shape["cx"])
    low = 2.0 ** (math.frexp(abs(one.number))[1] - 1)
    for near in one.everywhere:
        name = near.fmt.name
        assert (f"off-{name}" in drawn, f"exact-{name}" in drawn) == (near.error > 0, near.error == 0)
        box = bounds(drawn[f"off-{name}" if near.error else f"exact-{name}"])
        if not near.error:
            assert (box[0] + box[2]) / 2 == pytest.approx(here)
            continue
        ahead = (abs(near.value) > abs(one.number)) != one.negative  # to the right
        start, end = (box[0], box[2]) if ahead else (box[2], box[0])
        assert start == pytest.approx(here)
        if abs(near.value) < low:
            assert end == pytest.approx(axis[0] + (BEYOND if one.negative else -BEYOND), abs=0.3)
        else:
            share = abs(abs(near.value) - abs(one.number)) / low
            assert abs(end - start) == pytest.approx(max(share * abs(axis[2] - axis[0]), LEAST), abs=0.3)


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_of_numbers_stand_apart(width):
    for number in ("π", "1/3", "1e-8", "16777217"):
        _, drawn = last(width, format="FP32", number=number)
        for name in FORMATS:
            assert bounds(drawn[f"{name}-is"])[2] + 3 <= bounds(drawn[f"{name}-off"])[0]
            assert bounds(drawn[f"{name}-is"])[0] >= lines(drawn["axes"])[0][2]


@pytest.mark.parametrize("code", [0, 127, 255])
def test_zero_and_what_is_no_number_have_no_stretch(code):
    one, drawn = last(840, format="E4M3", code8=code)
    assert not one.number or not math.isfinite(one.number)
    assert not {"axes", "zoom", "values", "steps-head"} & drawn.keys()


def test_steps_say_what_no_tick_can_show():
    _, drawn = last(840, format="E4M3", code8=85)
    said = [drawn[f"{name}-steps"].text for name in FORMATS]
    assert said == ["–", "–", "4", "8", "4", "1,024", "128", "1,024", "8,388,608"]
    assert drawn["bands"].shape["d"].count("M") == 4 and drawn["values"].shape["d"].count("M") == 5 + 9 + 5
