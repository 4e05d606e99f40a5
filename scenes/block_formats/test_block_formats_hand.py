"""Check that what is taken hold of lies on no words."""

import pytest

from loom.scene import WIDTHS
from scenes.block_formats.case import PEAKS
from scenes.block_formats.scene import SCENE
from tests.boxes import beneath, touching


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("peak", PEAKS)
@pytest.mark.parametrize("form", ["MXFP4", "NVFP4"])
def test_what_becomes_of_the_largest_number_stands_clear_of_its_knob(form, peak, width):
    for state in SCENE.run(format=form, peak=peak).steps:
        drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
        assert not [key for key in beneath(drawn, "peak") if key.startswith("flag")]
        assert not [pair for pair in touching(drawn.values()) if "flag" in str(pair)]
