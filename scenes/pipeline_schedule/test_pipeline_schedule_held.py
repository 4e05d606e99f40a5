"""Check how the last chapter plays: time begins anew, and what each GPU holds piles up to the most that it ever is."""

import pytest

from loom.scene import WIDTHS
from scenes.pipeline_schedule.model import SCHEDULES, solve
from scenes.pipeline_schedule.scene import SCENE
from tests.beats import drawn_beats

CASES = [
    {"schedule": schedule, "stages": stages, "microbatches": many}
    for schedule in SCHEDULES for stages in (2, 4, 8) for many in (1, 8, 64)
]  # fmt: skip


def film(width="wide", **params):
    """The marks of each beat of the last chapter, by key."""
    states = SCENE.run(**params).chapters[-1].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("params", CASES, ids=str)
def test_bars_grow_with_a_second_playhead_and_stop_at_the_peak(params):
    *beats, last = film(**params)
    places = [marks["again"].shape["x1"] for marks in beats]
    assert len(places) > 2 and places == sorted(places)
    assert all("now" not in marks and "future" not in marks for marks in beats)
    assert "again" not in last and "now" in last
    for device in range(params["stages"]):
        widths = [marks[f"held-{device}"].shape["width"] for marks in (*beats, last)]
        assert widths[0] == 0 and widths[:-1] == sorted(widths[:-1])
        assert widths[-2] >= widths[-1] > 0  # while it moves it is drawn in eighths, rounded up


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_count_what_the_playhead_has_passed(width):
    *beats, last = film(width, schedule="gpipe", stages=4, microbatches=8)
    for device in range(4):
        told = [float(marks[f"held-{device}-words"].text) for marks in (*beats, last)]
        assert told[:2] == [0, 0] and told == sorted(told) and told[-1] == 8 > told[2]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_most_held_comes_to_the_peak_when_all_are_full(schedule):
    case = solve(schedule, 4, 8)
    for device, peak in enumerate(case.peaks):
        assert case.most_held(device, case.filled) == case.most_held(device, case.time) == peak
        assert case.most_held(device, -1.0) == 0
    assert any(case.most_held(device, case.filled - 0.25) < peak for device, peak in enumerate(case.peaks))
