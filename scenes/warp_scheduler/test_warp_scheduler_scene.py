"""Check the scene: its contract, its words, and that the picture shows the model's numbers."""

import re

import pytest

from loom.draw import Pen, count
from scenes.warp_scheduler.curve import percent, samples
from scenes.warp_scheduler.drawing import Stage
from scenes.warp_scheduler.model import NOBODY, SLOTS, Load
from scenes.warp_scheduler.scene import SCENE

GRID = list(SCENE.grid())
WIDTHS = (328, 840)
ALONE, TOGETHER, LANE, CURVE = range(1, 5)  # the steps


def frame(params, step, width=328):
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[step - 1], width)}


def test_parameters_are_those_of_the_contract():
    assert {param.name: (tuple(param.values), param.start) for param in SCENE.params} == {
        "warps": ((1, 2, 4, 8, 16), 4),
        "latency": ((20, 100, 400), 100),
        "instructions": ((1, 4, 10, 20), 10),
    }
    assert len(GRID) == 60


def test_values_of_the_contract_are_there():
    values = SCENE.run().values
    assert {name: str(values[name]) for name in ("used", "saturate", "hidden", "period", "cycles")} == {
        "used": "36%",
        "saturate": "11\u00a0warps",
        "hidden": "0",
        "period": "110\u00a0cycles",
        "cycles": "20,000\u00a0cycles",
    }


def test_table_has_a_row_for_each_number_of_warps():
    table = SCENE.run(warps=4, latency=100, instructions=10).table
    assert [column.name for column in table.columns] == ["warps", "used", "idle"]
    assert [row[0] for row in table.rows] == [1, 2, 4, 8, 16]
    assert [row[2] for row in table.rows] == [100, 90, 70, 30, 0]
    assert [f"{row[1]:.1f}" for row in table.rows] == ["9.1", "18.2", "36.4", "72.7", "100.0"]


@pytest.mark.parametrize("params", GRID, ids=lambda params: "-".join(map(str, params.values())))
def test_narration_differs_from_step_to_step_and_quotes_the_state(params):
    states = SCENE.run(**params).steps
    said = [SCENE.say(state) for state in states]
    assert len(set(said)) == len(said) == 4
    load = Load(**params)
    assert f"{load.latency} cycles" in said[0]
    assert f"= {load.issues} slots" in said[LANE - 1]
    assert str(load.saturate) in said[CURVE - 1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID, ids=lambda params: "-".join(map(str, params.values())))
def test_lengths_of_the_used_stretches_are_the_slots_used(params, width):
    marks = frame(params, LANE, width)
    load = SCENE.run(**params).result
    bars = [mark.shape["width"] for key, mark in marks.items() if re.fullmatch(r"used-\d+", key)]
    full = marks["lane"].shape["width"]
    drawn_wider = 1.2 * len(bars) / full  # a single cycle of many is drawn wider than it is
    share = sum(bars) / full
    assert share == pytest.approx(float((load.issued(2 * load.turn) != NOBODY).mean()), abs=drawn_wider)
    assert ("empty" in marks) == (not load.hidden)


@pytest.mark.parametrize("params", GRID, ids=lambda params: "-".join(map(str, params.values())))
def test_pictures_keep_to_their_stage_and_to_few_marks(params):
    for step in range(1, 5):
        assert len(frame(params, step)) <= 120
        for width, most in zip(WIDTHS, (460, 430), strict=True):
            for mark in frame(params, step, width).values():
                bottom = float(mark.shape.get("y", 0)) + float(mark.shape.get("height", 0))
                assert bottom <= most


def test_opening_picture_is_small():
    assert SCENE.opening == CURVE
    assert len(frame(SCENE.defaults, SCENE.opening)) <= 80


def test_first_step_shows_one_warp_however_many_are_chosen():
    marks = frame({"warps": 16, "latency": 100, "instructions": 10}, ALONE)
    assert {key.split("-")[1] for key in marks if key.startswith("run-")} == {"0"}
    assert marks["warps-name"].text == "1 warp"


@pytest.mark.parametrize(("instructions", "latency"), [(1, 20), (10, 400), (4, 100), (20, 20)])
def test_curve_passes_through_its_knee(instructions, latency):
    load = Load(1, latency, instructions)
    knee = load.period / instructions
    xs, ys = samples(load, 0, 500)
    assert knee in xs
    assert (xs[0], xs[-1]) == (0, 500)
    assert ys == [0, 100, 100]


def test_dots_on_the_curve_set_the_number_of_warps():
    marks = frame(SCENE.defaults, CURVE)
    assert {mark.set["warps"] for mark in marks.values() if mark.set} == {"1", "2", "4", "8", "16"}
    assert marks["pick-1"].label == "Give the scheduler 1 warp"


def test_rows_of_all_warps_stand_over_the_issue_slots():
    for width in WIDTHS:
        stage = Stage(Pen(width))
        assert stage.slots[SLOTS - 1].bottom < stage.lane.y


@pytest.mark.parametrize(
    ("share", "shown"), [(100.0, "100%"), (99.7, "99%"), (36.36, "36%"), (0.249, "0.2%"), (5, "5%")]
)
def test_percentages_are_never_rounded_up_to_all(share, shown):
    assert percent(share) == shown
    assert (count(1, "warp"), count(2_000, "warp")) == ("1 warp", "2,000 warps")
