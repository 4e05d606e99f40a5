"""Check the order of the story: what waits, what is not yet told, and a chart that keeps its measure."""

import pytest

from loom.scene import WIDTHS
from scenes.waves.model import launches
from scenes.waves.narration import BEATS
from scenes.waves.scene import SCENE
from scenes.waves.stage import TILES, WIDE

RUN, SAW, COMPARE = range(3)


def frame(params, step, width="wide", beat=-1):
    chapter = SCENE.run(**params).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def test_a_tile_more_does_not_change_the_measure_of_the_chart():
    assert WIDE.window(132) == WIDE.window(133) == WIDE.window(264) < WIDE.window(265)
    full, over = frame({"tiles": 132}, SAW), frame({"tiles": 133}, SAW)
    assert all(full[key].shape == over[key].shape for key in ("span-0", "span-1"))
    assert max(launch.time for tiles in TILES for launch in launches(tiles).values()) <= WIDE.window(TILES[-1])


@pytest.mark.parametrize("width", WIDTHS)
def test_picture_keeps_its_answer_until_the_tiles_have_run(width):
    for step, beats in ((RUN, BEATS + 2), (SAW, BEATS)):
        for beat in range(beats):
            marks = frame({}, step, width, beat)
            assert not {"saw", "tiles", "measured-0", "tail", "took-stream"} & {*marks}
            assert ("fewer" in marks) == (step == SAW or beat == beats - 1)
    assert {"saw", "tiles", "tail"} <= {*frame({}, SAW, width)}
    assert frame({}, RUN, width)["fewer-share"].text == "132 tiles: 89%"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [{}, {"tiles": 265, "schedule": "persistent"}, {"tiles": 67, "schedule": "split-2"}])
def test_the_last_tile_waits_over_the_chart_and_then_lies_where_it_is_computed(params, width):
    waits, goes, done = (frame(params, step, width, beat) for step, beat in ((RUN, 0), (SAW, 0), (SAW, -1)))
    spans = [mark.shape for key, mark in done.items() if key.startswith("span-") and mark.read.endswith("mainloop")]
    assert goes["last"].shape == spans[-1]
    assert (
        waits["last"].shape["x"] == goes["last"].shape["x"] and waits["last"].shape["y"] + 6 < goes["last"].shape["y"]
    )
    assert waits["last-name"].text == f"tile {params.get('tiles', 133)} waits"
    assert "last" not in done and "last" not in frame({"tiles": 132}, RUN, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_schedules_come_to_light_as_time_goes_by(width):
    pictures = [frame({}, COMPARE, width, beat) for beat in range(4)]
    covers = [marks["yet"].shape["x"] for marks in pictures[:-1]]
    assert pictures[0]["yet"].shape["x"] == pictures[-1]["bar-tile"].shape["x"]
    assert covers == sorted(covers) and "yet" not in pictures[-1]
    assert all(marks["took-stream"] == pictures[-1]["took-stream"] for marks in pictures)


def test_bars_of_schedules_stand_under_the_chart_in_its_measure():
    marks = frame({}, COMPARE)
    bar, time = marks["bar-tile"].shape, marks["time"].shape
    assert bar["x"] == WIDE.chart.x and bar["x"] + bar["width"] == pytest.approx(time["x"])
