"""Check the frame that measures how far apart a format's numbers lie, before anything is added to one."""

import itertools
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._formats.floats import spacing
from scenes.rounding.lens import lens
from scenes.rounding.pace import numbers
from scenes.rounding.scene import SCENE
from scenes.rounding.story import FORMATS
from tests.beats import drawn_beats

CASES = [{"task": "sum", "format": fmt} for fmt in FORMATS]
CASES += [{"task": "weight", "format": fmt, "update": update} for fmt in FORMATS for update in (0.0001, 0.001, 0.15)]


def film(width, **params):
    """The marks of each beat of the first chapter, by key."""
    states = SCENE.run(**params).chapters[0].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", CASES, ids=str)
def test_frame_goes_from_number_to_number_and_says_how_far_that_is(params, width):
    story, (start, *beats, last) = SCENE.run(**params).result.story, film(width, **params)
    view, name = lens(story, WIDTHS[width]), params["format"]
    assert start["pace"].shape["width"] == 0 and "pace-name" not in start
    ends = [bounds(beat["pace"])[::2] for beat in beats]
    assert ends[0][0] == start["pace"].shape["x"] and len(ends) > 1
    assert all(before[1] == pytest.approx(after[0]) for before, after in itertools.pairwise(ends))
    for value, beat, (left, right) in zip(numbers(story), beats, ends, strict=False):
        step = float(spacing(value, name))
        assert (left, right) == (pytest.approx(view.x(value)), pytest.approx(view.x(value + step)))
        assert float(beat["pace-name"].text.replace(",", "")) == pytest.approx(step, rel=0.02)
    assert not [key for key in last if key.startswith("pace")]


@pytest.mark.parametrize("width", WIDTHS)
def test_number_that_the_frame_comes_to_is_a_line_of_the_chart(width):
    start, *beats, last = film(width)
    lines = [float(y) for y in re.findall(r"M\S+ (\S+?)L", last["grid"].shape["d"])]
    middles = [(bounds(beat["pace-line"])[1] + bounds(beat["pace-line"])[3]) / 2 for beat in (start, *beats)]
    assert middles == pytest.approx(lines[: len(middles)], abs=0.26) and len(middles) > 2
