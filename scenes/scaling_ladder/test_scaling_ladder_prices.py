"""Check what the scene shows before anything is rounded: its numbers to scale, and the bits that scales take."""

import re
from itertools import pairwise

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.scaling_ladder.model import ELEMENTS
from scenes.scaling_ladder.scene import SCENE
from scenes.scaling_ladder.strip import stage
from tests.boxes import beneath


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("element", ELEMENTS)
def test_what_each_choice_takes_of_a_number_is_drawn_to_scale_before_anything_is_rounded(element, width):
    shown = SCENE.run(data="outlier", scale="block 32", element=element, scaletype="FP32").steps[2]
    marks = {mark.key: mark for mark in SCENE.draw(shown, width)}
    for rung in shown.result.rungs(element):
        name = rung.scheme.scale
        own, scale = marks[f"own-{name}"], marks[f"scale-{name}"]
        bit = own.shape["width"] / rung.scheme.format.bits
        assert scale.shape["width"] == pytest.approx(bit * (rung.bits - rung.scheme.format.bits), abs=0.01)
        assert scale.shape["x"] == pytest.approx(own.shape["x"] + own.shape["width"])
        assert own.set == (None if width == 328 else {"scale": name}) and (own.role == "work") == (name == "block 32")
        assert float(marks[f"price-{name}-bits"].text) == pytest.approx(rung.bits, abs=1e-4)
        assert scale.shape["x"] + scale.shape["width"] + 6 <= bounds(marks[f"price-{name}-bits"])[0]


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("data", ["outlier", "bell"])
def test_numbers_stand_to_scale_beside_the_axis_of_doublings_and_on_a_phone_under_it(data, width):
    shown = SCENE.run(data=data).steps[1]
    marks = {mark.key: mark for mark in SCENE.draw(shown, width)}
    lines = re.findall(r"M\S+ ([\d.]+)L\S+ ([\d.]+)", marks["linear"].shape["d"])
    sizes = [abs(number) for number in shown.result.numbers.tolist()[stage(width).first :]]
    heights = [float(foot) - float(top) for foot, top in lines]
    assert heights == pytest.approx([size / max(sizes) * max(heights) for size in sizes], abs=0.51)
    assert float(marks["linear-name"].text.split()[-1]) == pytest.approx(max(sizes), rel=0.01)
    assert bounds(marks["linear-name"])[2] <= width + 2
    assert "linear" not in {mark.key for mark in SCENE.draw(SCENE.run(data=data).steps[2], width)}


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("scale", SCENE.param("scale").values)
def test_names_of_stops_stand_apart_and_clear_of_the_ring_of_the_knob(scale, width):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(scale=scale).steps[-1], width)}
    assert not beneath(marks, "end")
    names = sorted(bounds(mark) for key, mark in marks.items() if key.startswith("stop-"))
    assert all(after[0] - before[2] >= 3.5 for before, after in pairwise(names))


def test_what_can_be_chosen_is_called_as_in_the_sentence():
    labels = {mark.label for mark in SCENE.draw(SCENE.run().steps[-1], WIDTHS["wide"]) if mark.set}
    assert labels == {f"a scale for {each}" for each in SCENE.params[2].options.values()}
