"""Check what the scene says and draws: values, table, narration, and marks whose places are the cycles."""

import itertools
import json
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.pipelining import measured
from scenes.pipelining.model import STAGES, WINDOW, steady_span
from scenes.pipelining.scene import SCENE
from scenes.pipelining.timeline import now
from tests.boxes import touching

FILL, RUN, STEADY, MACHINE = range(4)  # the steps

GRID = list(SCENE.grid())
EDGES = [
    {}, {"stages": 1}, {"stages": 4}, {"stages": 5}, {"stages": 5, "latency": 800, "compute": 100},
    {"stages": 1, "latency": 800, "compute": 400}, {"stages": 5, "latency": 200, "compute": 400},
    {"stages": 3, "latency": 200, "compute": 100},
]  # fmt: skip


def name(params):
    return "-".join(map(str, params.values())) or "opening"


def run(params):
    return SCENE.run(**params)


def marks(state, width="wide"):
    """The marks of a picture, by key."""
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def frame(params, step, width="wide"):
    return marks(run(params).steps[step], width)


def values_of(params):
    return {key: value.value for key, value in run(params).values.items()}


def cycle_of(drawn):
    """Where a place on the stage lies in time."""
    lane = drawn["lane-compute"].shape
    return lambda x: (x - lane["x"]) / lane["width"] * WINDOW


def test_opening_shows_two_buffers_that_halve_the_period_and_do_not_end_the_wait():
    values = values_of({})
    assert (values["period"], values["stall"], values["speedup"], values["needed"]) == (400, 50, 2, 4)
    assert (values["shared"], values["fits_a100"], values["fits_h100"]) == (64, 5, 7)
    drawn = frame({}, SCENE.opening - 1)
    assert drawn["needed"].text == "4 buffers" and "answer" in drawn["needed"].role
    assert drawn["stall"].text == "50%" and drawn["steady-words"].text == "2 tiles in 800 cycles"


@pytest.mark.parametrize("params", GRID, ids=name)
def test_table_has_a_row_for_one_to_six_stages_and_agrees_with_the_values(params):
    table, values = run(params).table, values_of(params)
    assert [column.name for column in table.columns] == ["stages", "period", "stall", "speedup", "shared"]
    assert [row[0] for row in table.rows] == [1, 2, 3, 4, 5, 6]
    row = table.rows[params["stages"] - 1]
    assert list(row[1:]) == [values[key] for key in ("period", "stall", "speedup", "shared")]
    assert table.rows[0][3] == 1
    assert [row[4] for row in table.rows] == [32, 64, 96, 128, 160, 192]


@pytest.mark.parametrize("params", GRID, ids=name)
def test_narration_differs_from_step_to_step_and_quotes_the_numbers(params):
    said, values = [SCENE.say(state) for state in run(params).steps], values_of(params)
    assert len(set(said)) == len(said) == 4
    assert f"{params['latency']} cycles after" in said[FILL]
    assert f"{values['done']:.0f} tile" in said[RUN]
    stall = str(run(params).values["stall"])
    assert ".0%" not in said[STEADY]
    assert f"waits {stall} of the time" in said[STEADY] or (stall == "0%" and "never waits" in said[STEADY])


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"stages": 4}, "one every 200 cycles, and the arithmetic never waits. That takes 4 buffers."),
        ({"stages": 5}, "That takes 5 buffers; 4 would have done it."),
        ({"stages": 5, "compute": 100}, "600 + 100 = 700 cycles, shared by 5: a tile every 140"),
    ],
)
def test_rhythm_is_explained_by_what_bounds_it(params, words):
    assert words in SCENE.say(run(params).steps[STEADY])


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_compute_lane_is_filled_by_tiles_and_waits_and_nothing_else(params, width):
    drawn = frame(params, STEADY, width)
    cycle = cycle_of(drawn)
    tiles = [key for key in drawn if re.fullmatch(r"compute-\d+", key)]
    spans = [(drawn[key].shape["x"] - 0.5, drawn[key].shape["x"] + drawn[key].shape["width"] + 0.5) for key in tiles]
    times = [(round(cycle(left)), round(cycle(right))) for left, right in spans]
    one = run(params).result
    begun = [start for start in one.shown.start.tolist() if start < WINDOW]
    assert times == [(start, min(start + one.compute, WINDOW)) for start in begun]
    waits = [(0, begun[0]), *((start + one.compute, then) for start, then in itertools.pairwise(begun))]
    end = begun[-1] + one.compute
    gaps = {f"wait-{free}": (free, then) for free, then in [*waits, (end, WINDOW)] if free < then}
    assert {key for key in drawn if key.startswith("wait-")} == gaps.keys()
    for key, (free, then) in gaps.items():
        left, _, right, _ = bounds(drawn[key])
        assert cycle(left) >= free - 1 and cycle(right) <= then + 1


@pytest.mark.parametrize("params", EDGES, ids=name)
def test_a_tile_is_computed_where_its_buffer_is_read_and_never_before_it_has_landed(params):
    drawn, one = frame(params, STEADY), run(params).result
    for tile in range(len(one.shown.start)):
        load, read, compute = (drawn.get(f"{key}-{tile}") for key in ("load", "read", "compute"))
        assert load.shape["y"] == drawn[f"lane-buffer-{tile % one.stages + 1}"].shape["y"] + 2
        if read:
            assert (read.shape["x"], read.shape["width"]) == (compute.shape["x"], compute.shape["width"])
            assert read.shape["x"] >= load.shape["x"] + load.shape["width"]
            assert read.shape["y"] == load.shape["y"]


@pytest.mark.parametrize("params", GRID, ids=name)
def test_bracket_spans_the_period_times_its_tiles(params):
    one = run(params).result
    tiles, start, end = steady_span(one)
    assert end - start == pytest.approx(tiles * one.period)
    assert one.trip <= start < end <= WINDOW
    drawn = frame(params, STEADY)
    cycle = cycle_of(drawn)
    left, _, right, _ = bounds(drawn["steady"])
    assert (cycle(left), cycle(right)) == pytest.approx((start, end), abs=WINDOW / 900)  # it stands on halves


@pytest.mark.parametrize("params", EDGES, ids=name)
@pytest.mark.parametrize("width", WIDTHS)
def test_time_only_goes_on_and_nothing_is_drawn_before_it_happens(params, width):
    chapters = run(params).chapters[: STEADY + 1]
    states = [state for chapter in chapters for state in chapter.states]
    times = [now(state) for state in states]
    assert times == [*range(100, WINDOW + 1, 100), *[WINDOW] * len(chapters[STEADY].states)]
    assert sum(chapter.times[-1] for chapter in chapters) < 10
    for state in states:
        drawn = marks(state, width)
        x = bounds(drawn["now"])[0]
        assert all(bounds(mark)[2] <= x for key, mark in drawn.items() if mark.read and key != "here")
        done = sum(end <= now(state) for end in state.result.shown.end.tolist())
        if state.phase != "steady":
            assert drawn["done"].text == f"{done} tile{'s' * (done != 1)} done"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("stages", STAGES)
def test_the_one_knob_is_that_of_the_buffers_and_stands_at_the_last_of_them(stages, width):
    for step in (FILL, STEADY, MACHINE):
        drawn = frame({"stages": stages}, step, width)
        assert [key for key, mark in drawn.items() if mark.handle] == ["stages"]
        knob = drawn["stages"]
        assert [y for _, y in knob.handle.rail] == sorted(y for _, y in knob.handle.rail)
        row = drawn[f"lane-buffer-{stages}"].shape
        assert row["y"] < knob.shape["cy"] < row["y"] + row["height"] and len(knob.handle.rail) == len(STAGES)


@pytest.mark.parametrize("width", WIDTHS)
def test_buffers_that_are_not_there_are_strips_and_those_that_are_have_room(width):
    drawn = frame({"stages": 2}, STEADY, width)
    tall = [drawn[f"lane-buffer-{number}"].shape["height"] for number in STAGES]
    assert tall[0] == tall[1] > 2 * tall[2] == 2 * tall[4]
    assert tall[3] == tall[0]  # with four it never waits, which stands in there


def test_other_numbers_of_buffers_can_be_pressed_in_every_step():
    for step in (FILL, RUN, STEADY):
        pressed = {mark.set["stages"] for mark in frame({"stages": 2}, step).values() if mark.set}
        assert pressed == set("1345")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EDGES, ids=name)
def test_no_knob_stands_on_a_word(params, width):
    drawn = frame(params, STEADY, width)
    texts = {mark.text: bounds(mark) for mark in drawn.values() if mark.tag == "text"}
    left, top, right, bottom = bounds(drawn["stages"])
    assert not [
        text for text, box in texts.items() if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]
    ]


def told_by_the_gpu():
    told = json.loads((FOLDER / "h100/pipelining.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == "alone")
    return {one["at"]["stages"]: one["median"] for one in points if one["at"]["chain"] == 32}


def test_rings_stand_where_the_result_says():
    drawn = frame({}, MACHINE)
    low, high = (drawn[f"curve-y-grid-{cycles}"].shape["y1"] for cycles in (0, 1200))
    for at, (stages, cycles) in enumerate(told_by_the_gpu().items()):
        ring = drawn[f"measured-{at}"].shape
        assert ring["cx"] == pytest.approx(drawn[f"curve-x-tick-{stages}"].shape["x1"])
        assert ring["cy"] == pytest.approx(low + (high - low) * cycles / 1200)


def test_formula_holds_with_the_times_of_the_gpu_itself():
    found = told_by_the_gpu()
    compute, latency = round(found[6]), round(found[1]) - round(found[6])
    assert (measured.compute(), measured.latency()) == (compute, latency)
    for stages, cycles in found.items():
        assert measured.expected(stages) == max(compute, (latency + compute) / stages)
        assert cycles == pytest.approx(measured.expected(stages), rel=0.1)
    assert values_of({})["measured_counted_compute"] < compute / 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("stages", STAGES)
def test_last_step_is_the_same_lanes_with_the_times_of_the_machine(stages, width):
    drawn, before = (frame({"stages": stages}, step, width) for step in (MACHINE, STEADY))
    stays = {key for key in before if key.startswith(("lane-", "now", "steady", "needed", "curve-"))}
    assert stays <= drawn.keys()
    cycle, load, compute = cycle_of(drawn), drawn["load-0"].shape, drawn["compute-0"].shape
    assert cycle(load["x"] + load["width"]) == pytest.approx(measured.latency(), abs=6)
    assert cycle(compute["x"] + compute["width"]) == pytest.approx(measured.latency() + measured.compute(), abs=6)
    assert drawn["machine-told"].text == f"an H100 took {told_by_the_gpu()[stages]:,.0f} cycles"


@pytest.mark.parametrize("params", EDGES, ids=name)
def test_curve_of_all_buffers_has_the_period_of_those_that_there_are(params):
    drawn, one = frame(params, STEADY), run(params).result
    low, high = (drawn[f"curve-y-grid-{cycles}"].shape["y1"] for cycles in (0, 1200))
    here = drawn["here"].shape
    assert here["cx"] == pytest.approx(drawn[f"curve-x-tick-{one.stages}"].shape["x1"])
    assert here["cy"] == pytest.approx(low + (high - low) * one.period / 1200)


def test_scene_draws_without_results(monkeypatch):
    measured.result.cache_clear()
    monkeypatch.setattr(measured, "results", lambda name: {})
    assert [one.name for one in run({}).chapters] == ["fill", "run", "steady"]
    assert "measured_one" not in values_of({})
    measured.result.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_strip_of_the_buffer_that_is_enough_says_so_until_it_is_there(width):
    drawn = frame({"stages": 2}, STEADY, width)
    lane = drawn["lane-buffer-4"].shape
    assert drawn["enough"].text == "with 4 it never waits" and "answer" in drawn["enough"].role
    assert bounds(drawn["enough"])[1] < lane["y"] + lane["height"] / 2 < bounds(drawn["enough"])[3]
    assert "enough" not in frame({"stages": 2}, RUN, width)
    assert "enough" not in frame({"stages": 4}, STEADY, width)


@pytest.mark.parametrize("params", EDGES, ids=name)
def test_words_in_a_buffer_stand_on_paper_or_on_a_soft_fill(params):
    drawn = frame(params, STEADY)
    named = [key.removesuffix("-words") for key in drawn if re.fullmatch(r"(load|held|read)-\d+-words", key)]
    assert named and all({"soft", "outline"} & {*drawn[key].role.split()} for key in named)


@pytest.mark.parametrize("stages", STAGES)
def test_last_sentence_foretells_a_tile_and_tells_what_was_measured(stages):
    said = SCENE.say(run({"stages": stages}).steps[MACHINE])
    assert said.startswith("An H100’s own times, not those chosen: ")
    assert f"every {measured.expected(stages):,.0f} with {stages} buffer" in said
    assert f"measured, it is {told_by_the_gpu()[stages]:,.0f}." in said


@pytest.mark.parametrize("params", [{}, {"stages": 4}, {"latency": 1000, "compute": 100}], ids=str)
def test_last_step_says_in_the_picture_which_times_it_takes_and_which_it_does_not(params):
    run = SCENE.run(**params)
    marks = {mark.key: mark for mark in SCENE.draw(run.steps[-1], WIDTHS["wide"])}
    chosen = f"not {run.result.latency} and {run.result.compute}"
    assert marks["machine-given"].text == f"an H100: load 795, arithmetic 343, {chosen}"
    assert not touching(marks.values(), across=8)
    narrow = {mark.key: mark for mark in SCENE.draw(run.steps[-1], WIDTHS["narrow"])}
    assert narrow["needed-words"].text == "never a wait with 795 + 343"


@pytest.mark.parametrize("width", WIDTHS)
def test_waits_come_to_light_under_a_cover_that_begins_at_the_playhead(width):
    for chapter in SCENE.run().chapters[:2]:
        for state in chapter.states:
            drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
            if "future" in drawn:
                cover = drawn["future"].shape
                assert cover["x"] == pytest.approx(drawn["now"].shape["x1"])
                lane = drawn["lane-compute"].shape
                assert cover["x"] + cover["width"] == pytest.approx(lane["x"] + lane["width"])
        assert ("future" in drawn) == (state.phase == "fill")
