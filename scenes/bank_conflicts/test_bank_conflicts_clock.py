"""Check how passes become cycles: the dot runs along the line of a warp alone, and the number goes with it."""

import pytest

from loom.scene import WIDTHS
from scenes.bank_conflicts.scene import SCENE
from tests.beats import drawn_beats

# A stride of so many words has the same degree of conflict in a plain tile.
STRIDES = (1, 2, 8, 16, 32)
BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("stride", STRIDES)


def clock(stride, width="wide"):
    """The times of the chapter's pictures, and the marks of each, by key."""
    run = SCENE.run(layout="plain", access="stride", stride=stride)
    told = next(one for one in run.chapters if one.name == "clock")
    return told.times, drawn_beats(SCENE, told.states, width)


def drawn(mark):
    """How much of a line shows [%]."""
    return float(mark.shape.get("stroke-dasharray", "100").split()[0])


@BOTH
@EVERY
def test_both_lines_set_out_within_300_ms_and_grow_evenly_to_their_end(stride, width):
    times, frames = clock(stride, width)
    assert 0 < times[1] <= 0.3
    for key in ("alone", "busy"):
        shares = [drawn(one[key]) for one in frames]
        assert shares[0] == 0 and shares[-2:] == [100, 100]
        assert shares == sorted(shares) and len({*shares}) == len(shares) - 1


@BOTH
@EVERY
def test_dot_runs_along_the_line_as_far_as_the_read_has_passes(stride, width):
    _, frames = clock(stride, width)
    low, high = (frames[0][f"clock-y-grid-{tick}"].shape["y1"] for tick in (0, 80))
    left, right = (frames[0][f"clock-x-tick-{tick}"].shape["x1"] for tick in (1, 32))
    at = [one["clock-here"].shape["cx"] for one in frames]
    assert at == sorted(at) and at[0] == pytest.approx(left)
    assert at[-1] == pytest.approx(left + (stride - 1) / 31 * (right - left))
    for one, x in zip(frames, at, strict=True):
        passes = 1 + 31 * (x - left) / (right - left)
        assert one["clock-here"].shape["cy"] == pytest.approx(low + (high - low) * (23 + 2 * (passes - 1)) / 80)


@EVERY
def test_number_changes_when_the_dot_has_come_and_ends_as_it_is_said(stride):
    _, frames = clock(stride)
    numbers = [int(one["answer"].text) for one in frames]
    reached = [int(one["clock-here"].read.split()[-2]) for one in frames]
    assert numbers[0] == reached[0] == 23 and numbers[-1] == reached[-1] == 23 + 2 * (stride - 1)
    assert numbers[1:-1] == reached[:-2]
    assert frames[-1]["clock-here"].read == f"this read: {numbers[-1]} cycles"


@BOTH
def test_gpu_answers_when_the_lines_have_come_to_their_end(width):
    _, frames = clock(32, width)
    rings = [sum("measured" in key for key in one) for one in frames]
    assert rings == [0] * (len(frames) - 1) + [12] and "clock-part" in frames[-1]
