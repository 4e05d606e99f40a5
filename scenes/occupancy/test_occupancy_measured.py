"""Check the last step, in which an H100 answers: rings and lines against the stored result, and where blocks end."""

import itertools
import json

import pytest

from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.occupancy import measured
from scenes.occupancy.scene import SCENE
from scenes.occupancy.test_occupancy_scene import SOME, marks, values


def told_by_the_gpu(loads):
    told = json.loads((FOLDER / "h100/occupancy.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == "copy")
    return {one["at"]["warps"]: one for one in points if one["at"]["loads"] == loads}


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_where_the_result_says(width):
    drawn = marks(SCENE.run().steps[-1], width)
    left, right = (drawn[f"machine-tick-{share}"].shape["x1"] for share in (0, 100))
    low, high = drawn["machine-axis"].shape["y1"], drawn["machine-peak"].shape["y1"]
    for loads in (1, 4):
        found = told_by_the_gpu(loads)
        for at, warps in enumerate(measured.SHOWN):
            ring = drawn[f"copied-{loads}-measured-{at}"].shape
            if loads == 1:  # a square, so that the two can be told apart
                ring = {"cx": ring["x"] + ring["width"] / 2, "cy": ring["y"] + ring["height"] / 2}
            assert ring["cx"] == pytest.approx(left + (right - left) * warps / 64)
            assert ring["cy"] == pytest.approx(low + (high - low) * found[warps]["median"] / 3352e9)


def test_lines_are_what_was_expected_of_each_number_of_warps():
    for loads in (1, 4):
        for warps, one in told_by_the_gpu(loads).items():
            law = min(measured.peak(), loads * warps * measured.slope())
            assert law == pytest.approx(one["predicted"], rel=1e-5)
            assert one["median"] < law


def test_few_warps_are_enough_if_each_thread_has_loads_enough():
    four, one = told_by_the_gpu(4), told_by_the_gpu(1)
    found = values()
    assert found["measured_few"] == 18.75
    most = max(point["median"] for point in four.values())
    assert 1e9 * found["measured_few_copied"] > 0.99 * most
    assert 1e9 * found["measured_few_one_load"] < 0.8 * max(point["median"] for point in one.values())
    assert found["measured_twenty_multiplied"] < 0.7 * found["measured_sixteen_multiplied"]


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, SOME)], ids=str)
def test_blocks_end_over_their_occupancy(width, params):
    run = SCENE.run(**params)
    assert (run.chapters[-1].name == "machine") == (not run.result.fails)
    if run.result.fails:
        return
    drawn = marks(run.steps[-1], width)
    last = drawn[f"block-{run.result.blocks - 1}-0"].shape
    assert drawn["machine-here"].shape["x1"] == pytest.approx(last["x"] + last["width"], abs=1.01)


def test_scene_draws_without_results(monkeypatch):
    measured.result.cache_clear()
    monkeypatch.setattr(measured, "results", lambda name: {})
    run = SCENE.run()
    assert [one.name for one in run.chapters] == ["needs", "drop", "stairs"]
    assert "measured_few" not in run.values
    measured.result.cache_clear()


@pytest.mark.parametrize(
    ("registers", "verdict"), [(33, "enough for both"), (96, "enough with 4"), (255, "too little")]
)
def test_the_sentence_says_for_which_loads_the_occupancy_is_enough(registers, verdict):
    run = SCENE.run(registers=registers)
    shown = marks(run.steps[-1], "wide")["answer"].text
    assert f" {shown} is {verdict}" in SCENE.say(run.steps[-1])
