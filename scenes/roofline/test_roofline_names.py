"""Check that names beside dots and rings are clear of all lines and dots, and are there where there is room."""

import itertools

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.roofline.scene import SCENE
from tests.boxes import beneath, box, overlap

from .test_roofline_scene import GRID, MACHINE, MEET, frame, name


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID[::5], ids=name)
def test_no_line_and_no_dot_meets_a_name(params, width):
    for step in (MEET, MACHINE)[: len(SCENE.run(**params).chapters) - 1]:
        drawn = frame(params, step, width)
        (left, low), (right, high) = (map(float, one.split()) for one in drawn["slope"].shape["d"][1:].split("L"))
        names = [mark for key, mark in drawn.items() if key.startswith(("name-", "side-")) or key[-5:] == "-name"]
        met = [mark for mark in drawn.values() if mark.tag == "circle" or mark.key in ("ridge-line", "down", "ceiling")]
        slope = [(x, low + (high - low) * (x - left) / (right - left)) for x in range(int(left) + 1, int(right))]
        for mark in names:
            seen = box(mark)
            assert not [one.key for one in met if overlap(seen, bounds(one), -0.5)], mark.key
            assert not [x for x, y in slope if seen[0] < x < seen[2] and seen[1] < y < seen[3]], mark.key


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("intensity", [1290.0, 4100.0])
def test_no_two_sides_read_as_one_number(intensity, width):
    drawn = frame({"kernel": "any", "intensity": intensity}, MEET, width)
    names = [bounds(mark) for key, mark in drawn.items() if key.startswith("name-")]
    for (_, top, right, bottom), (left, over, _, under) in itertools.permutations(names, 2):
        assert not (top < under and over < bottom and right - 1 < left < right + 3)


@pytest.mark.parametrize("width", WIDTHS)
def test_dots_have_names_where_there_is_room(width):
    texts = {mark.text for mark in frame({}, MEET, width).values() if mark.key.startswith("name-")}
    assert {"decode, gemv", "add", "prefill", "512²", "4,096²"} <= texts
    assert width == "narrow" or {"1,024²", "copy"} <= texts


@pytest.mark.parametrize("width", WIDTHS)
def test_dots_keep_their_names_where_they_stood_when_rings_come(width):
    for params in ({"gpu": "H100"}, {"gpu": "H200"}, {"kernel": "gemm-4096"}, {"precision": "FP32"}):
        both = [frame(params, step, width).items() for step in (MEET, MACHINE)]
        before, after = ({key: mark.shape for key, mark in one if key.startswith("name-")} for one in both)
        assert after.items() <= before.items() and len(before) - len(after) <= 3  # where a ring is in the way
        assert {*frame({}, MEET, "wide")} >= before.keys()


def test_knob_on_the_highest_ceiling_lies_on_no_words():
    for precision in ("BF16", "FP8", "FP4"):
        params = {"gpu": "B200", "precision": precision, "kernel": "any", "intensity": 4100.0}
        assert not beneath(frame(params, MEET, "narrow"), "intensity", rim=6)
