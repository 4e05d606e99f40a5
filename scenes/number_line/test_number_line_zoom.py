"""Check that numbers move with their power of two when the window changes, and that the second format zooms in."""

import re

import numpy as np
import pytest

from loom.scene import WIDTHS
from scenes.number_line.model import PAIRS, WINDOWS, pair
from scenes.number_line.scene import SCENE
from scenes.number_line.stage import stage
from scenes.number_line.test_number_line_scene import SECOND, frame, upright

EVERY = [(formats, window, width) for formats in PAIRS for window in (*WINDOWS[::9], 1.25) for width in WIDTHS.values()]


@pytest.mark.parametrize(("formats", "window", "width"), EVERY)
def test_lines_of_a_box_are_as_many_in_every_window_so_that_they_move_with_it(formats, window, width):
    marks, at = frame(SECOND, formats, window, width), stage(pair(formats, window), width)
    for key, fmt, lane in zip("ab", at.pair.both, at.lanes, strict=True):
        assert upright(marks, key) == pytest.approx([at.x(value) for value in lane.lines], abs=0.3)
        for name, mark in marks.items():
            if found := re.fullmatch(rf"{key}-([\d.e-]+)-lines", name):
                low = float(found[1])
                many = fmt.per_power.get(round(np.log2(low)), 0) if low else None
                assert many is None or mark.shape["d"].count("M") == many
                assert f"{key}-{found[1]}" in marks


def test_second_format_comes_in_a_wider_window_and_is_thinned_out_by_half_and_by_half():
    chapter = SCENE.run(window=1.0).chapters[SECOND]
    drawn = [frame(SECOND, window=1.0, beat=beat) for beat in range(len(chapter.states))]
    assert [(marks["a-inside"].text, marks["b-inside"].text) for marks in drawn] == [
        ("72", "4"), ("64", "2"), ("56", "1")
    ]  # fmt: skip
    ends = [marks["window"].shape["x"] + marks["window"].shape["width"] for marks in drawn]
    for marks, end in zip(drawn[:-1], ends, strict=False):
        assert marks["zooms"].shape["cx"] == pytest.approx(end)
        assert {"a-gap", "b-gap"} <= marks.keys() and "end" not in marks
    assert drawn[-1]["end"].shape["cx"] == pytest.approx(ends[-1]) and "zooms" not in drawn[-1]
    assert [len(SCENE.run(window=window).chapters[SECOND].states) for window in (40, 32, 32768, 65536)] == [1, 3, 2, 1]


@pytest.mark.parametrize("width", WIDTHS.values())
def test_a_curve_with_a_name_can_be_seen_in_every_window(width):
    for formats in PAIRS:
        for window in WINDOWS:
            marks = frame(SECOND, formats, window, width)
            for key in "ab":
                assert (f"{key}-end" in marks) == ("L" in getattr(marks.get(f"{key}-gap"), "shape", {"d": ""})["d"])
