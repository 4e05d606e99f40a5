"""Check that what is taken hold of lies on no words."""

import math

import pytest

from loom.scene import WIDTHS
from scenes.block_formats.case import PEAKS
from scenes.block_formats.scene import SCENE
from tests.boxes import box, touching


def beneath(drawn, knob):
    """The texts whose letters lie under the rim of a knob."""
    x, y, reach = drawn[knob].shape["cx"], drawn[knob].shape["cy"], drawn[knob].shape["r"] + 8
    boxes = {key: box(mark) for key, mark in drawn.items() if mark.tag == "text" and mark.text}
    return [
        key for key, (left, top, right, bottom) in boxes.items()
        if math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) < reach
    ]  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("peak", PEAKS)
@pytest.mark.parametrize("form", ["MXFP4", "NVFP4"])
def test_what_becomes_of_the_largest_number_stands_clear_of_its_knob(form, peak, width):
    for state in SCENE.run(format=form, peak=peak).steps:
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
        assert not [key for key in beneath(drawn, "peak") if key.startswith("flag")]
        assert not [pair for pair in touching(drawn.values()) if "flag" in str(pair)]
