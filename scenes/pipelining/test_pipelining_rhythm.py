"""Check how the rhythm is told: a bracket opens over one period, and the dot shares it among the buffers."""

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.pipelining.model import STAGES, WINDOW, period, steady_span
from scenes.pipelining.scene import SCENE

BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("stages", STAGES)


def told(width="wide", **params):
    """The result, the times of the chapter's pictures, and the marks of each, by key."""
    run = SCENE.run(**params)
    one = next(one for one in run.chapters if one.name == "steady")
    return run.result, one.times, [{mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
                                   for state in one.states]  # fmt: skip


def span(drawn):
    """The cycles over which the bracket stands."""
    lane, (left, _, right, _) = drawn["lane-compute"].shape, bounds(drawn["steady"])
    return [(x - lane["x"]) / lane["width"] * WINDOW for x in (left, right)]


@BOTH
@EVERY
def test_bracket_opens_over_the_load_and_then_over_the_whole_round_trip(stages, width):
    one, times, frames = told(width, stages=stages, latency=600, compute=200)
    _, start, end = steady_span(one)
    spans, near = [span(drawn) for drawn in frames], WINDOW / 450  # it stands on halves
    part = 600 if stages < 4 else (end - start) / 2
    assert 0 < times[1] <= 0.3
    for (left, right), open_ in zip(spans, (0, part, *[end - start] * (stages + 1)), strict=True):
        assert left == pytest.approx(start, abs=near) and right - left == pytest.approx(open_, abs=near)
    assert ["steady-words" in drawn for drawn in frames] == [at >= 3 for at in range(len(frames))]


@EVERY
def test_dot_goes_along_the_curve_from_one_buffer_to_those_that_there_are(stages):
    _, _, frames = told(stages=stages, latency=800, compute=100)
    low, high = (frames[0][f"curve-y-grid-{tick}"].shape["y1"] for tick in (0, 1200))
    first, second = (frames[0][f"curve-x-tick-{tick}"].shape["x1"] for tick in (1, 2))
    at = [1 + (drawn["here"].shape["cx"] - first) / (second - first) for drawn in frames]
    assert at == pytest.approx([1, 1, 1, *range(2, stages + 1), stages])
    for drawn, buffers in zip(frames, at, strict=True):
        cycles = 1200 * (drawn["here"].shape["cy"] - low) / (high - low)
        assert cycles == pytest.approx(float(period(round(buffers), 800, 100, 100)))


@BOTH
@EVERY
def test_answer_comes_when_the_dot_has_come_and_takes_the_place_of_the_tiles_that_are_done(stages, width):
    _, _, frames = told(width, stages=stages)
    for drawn in frames[:-1]:
        assert "done" in drawn and not {"needed", "stall", "enough"} & {*drawn}
    assert "needed" in frames[-1] and "stall" in frames[-1] and "done" not in frames[-1]
