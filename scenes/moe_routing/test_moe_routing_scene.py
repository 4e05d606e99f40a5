"""Check what the scene of routing shows: tokens where they have arrived, loads that count them, words that agree."""

import itertools
import json
import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.moe_routing import measured
from scenes.moe_routing.scene import SCENE
from scenes.moe_routing.story import CAPACITIES, TILE, TOKENS, arrived, flow_of

GRID = list(SCENE.grid())


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def inside(mark, other):
    (left, top, right, bottom), (x1, y1, x2, y2) = bounds(mark), bounds(other)
    return x1 <= left and right <= x2 + 0.1 and y1 <= top and bottom <= y2


def test_opening_shows_a_skewed_batch():
    run = SCENE.run()
    loads = [row[1] for row in run.table.rows]
    assert loads[0] >= 2 * np.mean(loads)
    assert marks(run.steps[SCENE.opening])["number-3"].text == str(run.values["straggler"])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [GRID[0], GRID[-1], {}, {"capacity": "1.0"}], ids=str)
def test_loads_are_the_tokens_that_have_arrived_at_every_beat(params, width):
    chapter = SCENE.run(**params).chapters[0]
    assert len(chapter.states) == TOKENS + 1 and chapter.times[-1] < 10
    for beat, state in enumerate(chapter.states):
        drawn, flow = marks(state, width), state.result
        tokens = [drawn[f"token-{number}"] for number in range(TOKENS)]
        on_their_way = [number for number, mark in enumerate(tokens) if mark.role == "hot"]
        assert on_their_way == ([beat] if beat < TOKENS else [])
        for e in range(flow.experts):
            here = [number for number, mark in enumerate(tokens) if inside(mark, drawn[f"lane-{e}"])]
            assert drawn[f"load-{e}"].text == str(len([number for number in here if number < beat]))


@pytest.mark.parametrize("width", WIDTHS)
def test_padding_and_waiting_are_named_where_they_are_drawn(width):
    run = SCENE.run()
    drawn = marks(run.steps[-1], width)
    assert inside(drawn["padding"], drawn["pad-3"])
    idle = [key for key in drawn if key.startswith("idle-") and not key.endswith("-words")]
    assert len(idle) == 3
    for key in idle:
        assert drawn[f"{key}-words"].text == "waits"
        assert bounds(drawn[f"{key}-words"])[2] < drawn[key].shape["x1"]
    assert "padding" not in marks(run.steps[0], width)


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_goes_through_the_word_padding(params, width):
    drawn = marks(SCENE.run(**params).steps[1], width)
    if "padding" in drawn:
        left, top, right, bottom = bounds(drawn["padding"])
        for key, mark in drawn.items():
            lines = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", mark.shape["d"]) if key[:4] == "pad-" else []
            for x, y, to, end in ([float(number) for number in line] for line in lines):
                middle = (x + to) / 2, (y + end) / 2
                assert not (left < middle[0] < right and top + 2 < middle[1] < bottom - 2)


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_line_of_the_mean_makes_way_for_words(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    numbers = [float(number) for number in re.findall(r"[\d.]+", drawn["mean"].shape["d"])]
    across, heights = set(numbers[::2]), numbers[1::2]
    words = [
        bounds(mark) for key, mark in drawn.items() if key == "padding" or (key.endswith("-words") and "idle" in key)
    ]
    for left, top, right, bottom in words:
        for low, high in zip(heights[::2], heights[1::2], strict=True):
            assert not any(left < x < right for x in across) or high <= top or low >= bottom


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_wall_goes_through_no_waiting(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    wall, words = (
        drawn["wall"].shape["x1"],
        [bounds(drawn[key]) for key in drawn if re.fullmatch(r"idle-\d+-words", key)],
    )
    assert not [one for one in words if one[0] < wall < one[2]]


@pytest.mark.parametrize("params", GRID, ids=str)
def test_every_token_ends_in_a_slot_of_its_own_or_with_the_dropped(params):
    run = SCENE.run(**params)
    for width in WIDTHS:
        drawn = marks(run.steps[-1], width)
        boxes = [bounds(drawn[f"token-{number}"]) for number in range(TOKENS)]
        for (l1, t1, r1, b1), (l2, t2, r2, b2) in itertools.combinations(boxes, 2):
            assert r1 <= l2 or r2 <= l1 or b1 <= t2 or b2 <= t1
        assert (
            sum(drawn[f"token-{number}"].role == "dropped" for number in range(TOKENS)) == run.values["dropped"].value
        )


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_capacity_is_held_at_the_edge_of_the_last_slot_that_it_allows(params, width):
    state = SCENE.run(**params).steps[-1]
    drawn, flow = marks(state, width), state.result
    rail = [x for x, _ in drawn["hold"].handle.rail]
    assert rail == sorted(rail)
    assert drawn["hold"].shape["cx"] == rail[CAPACITIES.index(params["capacity"])]
    assert (
        drawn["wall"].shape["x1"] == drawn["hold"].shape["cx"]
        and drawn["wall"].shape["y1"] == drawn["hold"].shape["cy"]
    )
    if flow.capacity is None:  # it stands where it stops nothing
        assert "dashed" in drawn["wall"].role
        assert drawn["wall"].shape["x1"] > bounds(drawn["lane-0"])[2] and "dashed" not in drawn["lane-0"].role
    else:
        assert "dashed" not in drawn["wall"].role
        tokens = [drawn[f"token-{number}"] for number in range(TOKENS)]
        lane, slots = drawn["lane-0"].shape, flow.capacity / flow.length
        assert drawn["wall"].shape["x1"] == pytest.approx(lane["x"] + slots * lane["width"])
        assert all(bounds(mark)[2] <= drawn["wall"].shape["x1"] for mark in tokens if mark.role != "dropped")


@pytest.mark.parametrize("params", GRID, ids=str)
def test_narration_quotes_the_numbers(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    values = {name: value.value for name, value in run.values.items()}
    assert len(set(said)) == 3
    assert not values["dropped"] or f"{values['dropped']} token" in said[0]
    assert f"{values['tiles']} tile" in said[1] and f"{values['slots_run']} slots" in said[1]
    assert ". 1 hold " not in said[1]
    assert f"{run.values['useful']} of the work" in said[1] or "no work is wasted" in said[1]


def test_capacity_leaves_the_length_of_the_lanes_as_it_is():
    assert len({flow_of(4, "collapsed", capacity).length for capacity in CAPACITIES}) == 1


def test_measured_values_are_those_of_the_result():
    told = json.loads((FOLDER / "h100/experts.json").read_text())
    points = {one["id"]: one["points"] for one in told["series"]}
    values = SCENE.run().values
    for one in points["few_rows"]:
        name = f"measured_few_{one['at']['experts']}_{one['at']['routing']}"
        assert (values[name].value, values[name].unit) == (one["median"], "s")
    assert values["measured_padded_zipf"].value < values["measured_grouped_zipf"].value / 2


def test_nothing_measured_leaves_the_model_alone(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    assert measured.values() == {}


@pytest.mark.parametrize("capacity", ["off", "1.0"])
def test_place_that_a_token_has_left_says_to_which_expert_it_went(capacity):
    run = SCENE.run(capacity=capacity)
    for state in (*run.chapters[0].states[::8], *run.steps[1:]):
        drawn, run = marks(state), state.result.run
        assert bounds(drawn["seats"])[0] <= 4
        for token in range(TOKENS):
            choice = drawn.get(f"choice-{token}")
            assert (choice is None) == (token >= arrived(state))
            if choice:
                assert choice.text == str(run.expert[token])
                assert ("dropped" in choice.role) == (run.slot[token] < 0)


@pytest.mark.parametrize("params", GRID, ids=str)
@pytest.mark.parametrize("width", WIDTHS)
def test_experts_compute_a_tile_at_a_time_and_wait_from_their_last_to_the_very_last(params, width):
    states = SCENE.run(**params).chapters[-1].states
    most = int(states[0].result.run.tiles.max())
    assert len(states) == most + 1
    for done, state in enumerate(states):
        drawn, run = marks(state, width), state.result.run
        lane, now = drawn["lane-0"].shape, drawn["now"].shape["x1"]
        assert now == pytest.approx(lane["x"] + min(done * TILE / state.result.length, 1) * lane["width"])
        computed = {token for token in range(TOKENS) if drawn[f"token-{token}"].role == "work"}
        assert computed == {token for token in range(TOKENS) if 0 <= run.slot[token] < done * TILE}
        for e, tiles in enumerate(run.tiles.tolist()):
            waits = drawn.get(f"idle-{e}")
            assert waits is None or (tiles < done and waits.shape["x2"] == now)
    ready, (*_, late) = [e for e, tiles in enumerate(run.tiles.tolist()) if tiles < most], states
    assert all(f"idle-{e}" in marks(late, width) for e in ready)


def test_tiles_are_framed_before_their_empty_slots_are_filled_up_and_counted():
    framed, filled = (marks(state) for state in SCENE.run().chapters[1].states)
    assert "tiles-3" in framed and "pad-3" not in framed and "pad-3" in filled
    assert "number-2" not in framed and filled["number-2"].text == "80%"


def test_cost_of_waiting_is_said_when_the_last_tile_is_done():
    *waiting, last = (marks(state) for state in SCENE.run().chapters[2].states)
    assert last["number-3"].text == "2×" and not any("number-3" in drawn for drawn in waiting)
