"""Check what the reader meets: lanes whose coloured area is the work, gaps that come down, and words."""

import itertools
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.pipeline_schedule.curve import COUNTS
from scenes.pipeline_schedule.model import SCHEDULES, solve
from scenes.pipeline_schedule.narration import clock
from scenes.pipeline_schedule.scene import SCENE
from scenes.pipeline_schedule.stage import Stage
from tests.boxes import beneath

SIZES = ((2, 1), (2, 64), (4, 8), (16, 1), (16, 8), (16, 64))
EXTREMES = [
    {"schedule": schedule, "stages": stages, "microbatches": count} for schedule in SCHEDULES for stages, count in SIZES
]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def boxes(mark):
    """Left, top, right and bottom of each box of a path."""
    for part in mark.shape["d"].split("M")[1:]:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", part)]
        yield min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


def test_page_opens_with_both_definitions_and_the_memory_of_each_stage():
    drawn = marks(SCENE.run().steps[SCENE.opening])
    assert (drawn["share"].text, drawn["share-words"].text) == ("27.3%", "idle 9 of 33 forwards")
    assert (drawn["ratio"].text, drawn["ratio-words"].text) == ("37.5%", "of the work: 9 to 24")
    assert [drawn[f"held-{device}-words"].text for device in range(4)] == ["4", "3", "2", "1"]
    kept_back = ("share", "share-words", "ratio", "ratio-words")
    assert all("answer" in drawn[key].role.split() for key in kept_back), "a guess keeps words back with their number"


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_beside_the_lanes_say_what_is_held_in_a_word_of_the_field(width):
    assert marks(chapter("run").states[-1], width)["held"].text == "activations"
    assert marks(chapter("held").states[-1], width)["held"].text == "held at most"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_coloured_area_of_each_lane_is_its_work(params, width):
    state = SCENE.run(**params).steps[-1]
    case, stage, drawn = state.result, Stage(WIDTHS[width], state.result), marks(state, width)
    for device in range(case.stages):
        row, filled = stage.row(device), set()
        for kind in "BFW":
            for left, top, right, bottom in boxes(drawn[f"work-{kind}"]) if f"work-{kind}" in drawn else ():
                if top >= row.y - 0.6 and bottom <= row.bottom + 0.6:
                    steps = range(round(2 * (top - row.y)), round(2 * (bottom - row.y)))
                    filled |= {(x, y) for x in range(round(left), round(right)) for y in steps}
        share = len(filled) / (row.width * round(2 * row.height))
        assert share == pytest.approx(case.ideal / case.time, abs=0.03)
        assert all("sign" in drawn[key].role for key in drawn if key.startswith("work-")), "paper parts turns, no hatch"


@pytest.mark.parametrize("width", WIDTHS)
def test_way_of_the_first_microbatch_lies_on_paper(width):
    drawn = marks(SCENE.run().steps[SCENE.opening], width)
    assert drawn["route-edge"].shape == drawn["route"].shape and drawn["route-edge"].role == "sign thick"
    assert list(drawn).index("route-edge") == list(drawn).index("route") - 1


@pytest.mark.parametrize("params", EXTREMES)
def test_gaps_of_the_last_gpu_come_down_and_fill_what_its_work_leaves(params):
    case = SCENE.run(**params).result
    if not case.idle:
        return
    first, last = (marks(state) for state in chapter("idle", **params).states)
    gaps = [key for key in first if key.startswith("gap-")]
    assert [first[key].shape["width"] for key in gaps] == [last[key].shape["width"] for key in gaps]
    bar = last["sum"].shape
    edges = [bar["x"] + bar["width"], *(bounds(last[key])[2] for key in gaps)]
    assert [bounds(last[key])[0] for key in gaps] == pytest.approx(edges[:-1])
    lanes = first["whole"].shape
    assert edges[-1] == pytest.approx(lanes["x"] + lanes["width"])
    assert bar["width"] / lanes["width"] == pytest.approx(case.ideal / case.time)


@pytest.mark.parametrize("params", EXTREMES)
def test_time_only_goes_on_and_what_is_held_ends_at_its_peak(params):
    states = [state for one in SCENE.run(**params).chapters for state in one.states]
    times = [clock(state) for state in states]
    case = states[0].result
    assert times == sorted(times) and times[-1] == case.time
    drawn = marks(states[-1])
    stage = Stage(WIDTHS["wide"], case)
    for device, peak in enumerate(case.peaks):
        assert drawn[f"held-{device}"].shape["width"] == pytest.approx(peak / case.microbatches * stage.track)
    assert sum(one.times[-1] for one in SCENE.run(**params).chapters) < 10


@pytest.mark.parametrize("params", [*EXTREMES, {"schedule": "dualpipe", "stages": 2}], ids=str)
def test_time_sets_out_from_the_beginning_as_soon_as_the_scene_plays(params):
    chapter = SCENE.run(**params).chapters[0]
    begin, later = (marks(state) for state in chapter.states[:2])
    assert clock(chapter.states[0]) == 0 < clock(chapter.states[1]) and 0 < chapter.times[1] <= 0.3
    assert begin["now"].shape["x1"] == begin["whole"].shape["x"] < later["now"].shape["x1"]
    assert "share" not in begin and "share" in later, "no time has gone by of which any could be idle"


def test_batches_that_are_too_small_say_how_many_the_schedule_takes():
    drawn = marks(SCENE.run(schedule="dualpipe", stages=16, microbatches=4).steps[-1])
    assert drawn["fewest"].text == "DualPipe takes 32"
    assert SCENE.run(schedule="dualpipe", stages=16, microbatches=4).values["shown"].value == 32
    assert "fewest" not in marks(SCENE.run(schedule="dualpipe", stages=4).steps[-1])


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_prediction_asks_for_is_hidden_until_the_guess(width):
    drawn = marks(SCENE.run(**SCENE.defaults).steps[1], width)
    assert all("answer" in drawn[key].role.split() for key in ("share", "found", "microbatches"))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_runs_along_the_share_for_every_batch(params, width):
    knob = marks(SCENE.run(**params).steps[-1], width)["microbatches"]
    heights = [y for _, y in knob.handle.rail]
    shares = [solve(params["schedule"], params["stages"], count).share for count in COUNTS]
    order = sorted(range(len(COUNTS)), key=lambda at: shares[at])
    assert len(heights) == len(COUNTS) and heights == sorted(heights)
    assert all(heights[one] >= heights[other] for one, other in itertools.pairwise(order))


@pytest.mark.parametrize("params", EXTREMES)
def test_words_quote_the_numbers(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    assert not any(" 1 microbatches" in words for words in said)
    case = run.result
    if case.idle:
        assert f"waits as long as {case.idle:g}:" in said[-2] and str(run.values["share"]) in said[-2]
    row = next(row for row in run.table.rows if row[2:] == (case.time, case.share, case.ratio, case.peaks[0]))
    assert row[1] == case.microbatches == run.values["shown"].value


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_no_gpu_holds_activations_when_all_is_done(schedule):
    drawn = marks(chapter("run", schedule=schedule).states[-1])
    assert {drawn[f"held-{gpu}"].shape["width"] for gpu in range(4)} == {0}


def test_more_microbatches_than_asked_for_are_told():
    few = {"stages": 2, "schedule": "dualpipe", "microbatches": 1}
    run, idle = (SCENE.say(chapter(name, **few).states[-1]) for name in ("run", "idle"))
    assert run.endswith("It takes 4 microbatches or more, so 4 are shown.")
    long = "Each GPU works for 4 microbatches, the fewest, as long as 12 forwards take"
    assert idle == f"{long}, and waits for nothing: no bubble."
    assert "microbatches" not in SCENE.say(chapter("run", **few | {"microbatches": 4}).states[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES, ids=str)
def test_the_way_of_a_microbatch_is_named_and_no_number_lies_under_the_knob(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    assert drawn["legend-route-words"].text == "microbatch 1"
    assert beneath(drawn, "microbatches") == []
    assert "curve-y-title" in drawn


def test_what_a_gpu_has_held_is_said_with_its_name():
    drawn = marks(chapter("held").states[-1], "wide")
    assert [drawn[f"held-{at}"].read for at in (0, 3)] == ["GPU 1 holds 4 at most", "GPU 4 holds 1 at most"]
