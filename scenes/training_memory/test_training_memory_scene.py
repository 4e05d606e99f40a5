"""Check what the reader meets: walls as large as their bytes, the knob on its curve, and words that agree."""

from itertools import pairwise

import pytest

from loom.draw import text_width
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.training_memory.drawing import THIN
from scenes.training_memory.model import CAPACITIES, STAGES, Training
from scenes.training_memory.scene import SCENE
from scenes.training_memory.stage import GAP, NARROW, RANKS, WIDE
from scenes.training_memory.story import PARTS, size
from tests.boxes import answer_lines, beneath, box

GRID = list(SCENE.grid())
SOME = [*GRID[::7], GRID[-1]]
STAGES_OF = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def step(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def test_page_opens_with_a_model_that_just_does_not_fit():
    state = SCENE.run().steps[SCENE.opening]
    drawn = marks(state)
    assert drawn["answer"].text == "84.6\u00a0GB" and "dropped" in drawn["answer"].role
    assert answer_lines(drawn)[1] == "fits no H100, but fits an H200’s 141\u00a0GB"
    assert "divided among 141 ranks they fit" in SCENE.say(state)


def corners(mark):
    return [tuple(map(float, one.split())) for one in mark.shape["d"][1:].removesuffix("Z").split("L")]


def area(mark):
    """Oracle: what a closed line encloses, by the shoelace formula."""
    points = corners(mark)
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_every_part_of_every_wall_is_as_large_as_its_bytes_beside_one_tile(params, width):
    """However much it is: nothing is cut off, and nothing has a scale of its own."""
    one = Training(**params)
    drawn = marks(step("activations", **params).states[-1], width)
    (side,) = {drawn[f"tile-{zero}"].shape["width"] for zero in STAGES}
    for zero in STAGES:
        parts = dict(zip(PARTS, (*one.states_at(zero), one.activations), strict=True))
        for name, part in parts.items():
            if f"{name}-{zero}" in drawn:
                mark = drawn[f"{name}-{zero}"]
                assert area(mark) == pytest.approx(part / CAPACITIES["H100"] * side**2, abs=1.1 * side)  # whole units
                assert len(corners(mark)) == 8  # as many in every picture, so that it moves
            else:
                assert zero != one.stage and part / CAPACITIES["H100"] * side < THIN
        assert drawn[f"total-{zero}"].text == size(sum(parts.values()))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_walls_stay_in_the_room_of_their_stage(params, width):
    stage = STAGES_OF[width]
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        for zero, room in enumerate(stage.bars.columns(len(STAGES))):
            for key in (f"{name}-{zero}" for name in (*PARTS, "spared")):
                if key in drawn:
                    left, top, right, bottom = bounds(drawn[key])
                    assert room.x - 2 <= left and right <= room.right - GAP + 2
                    assert room.y - 2 <= top and bottom <= room.bottom + 2


def test_wall_goes_on_in_the_next_column():
    wall = WIDE.wall(0, "405B", "none")
    assert wall.columns(wall.rows * CAPACITIES["H100"]) == 1 < wall.columns((wall.rows + 1) * CAPACITIES["H100"])
    drawn = marks(step("states", model="405B", stage=0).states[-1])
    assert drawn["tile"].text == "each tile: an H100’s 80\u00a0GB"
    left, top, right, bottom = bounds(drawn["optimizer-0"])
    assert right - left > 4 * wall.side and bottom - top == pytest.approx(wall.rows * wall.side, abs=3)
    last = marks(step("zero").states[-1])
    sizes = [sum(area(last[f"{name}-{zero}"]) for name in PARTS[:3] if f"{name}-{zero}" in last) for zero in STAGES]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 7 * sizes[2] > 70 * sizes[3] / 10


def test_tile_is_outlined_in_the_colour_of_useful_work_where_the_chosen_stage_fits_into_it():
    last, zero = marks(SCENE.run().steps[-1]), marks(step("zero").states[-1])
    assert "work" in zero["tile-3"].role and not any("work" in zero[f"tile-{at}"].role for at in (0, 1, 2))
    assert "work" not in last["tile-3"].role


@pytest.mark.parametrize("width", WIDTHS)
def test_line_of_each_gpu_bears_its_name_and_leads_there(width):
    drawn = marks(SCENE.run().steps[-1], width)
    told = [name for name in CAPACITIES if name in drawn]
    assert told == (["H100"] if width == "narrow" else [*CAPACITIES])  # three would stand within 6 units of a phone
    for name, capacity in ((name, CAPACITIES[name]) for name in told):
        words, (left, *_) = drawn[f"{name}-size"], bounds(drawn[name])
        assert words.text == f"{name} {size(capacity)}" and 0 < left - bounds(words)[2] < 4
        begin = float(drawn[name].shape["d"].split("L")[0].split()[1])
        assert begin == pytest.approx(sum(box(words)[1::2]) / 2, abs=2)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_knob_stands_on_the_chosen_stage_s_curve(params, width):
    first, *others = SCENE.run(**params).steps
    assert "gpus" not in marks(first, width)  # more ranks change nothing there
    for state, extra in zip(others, ("", "activations", "recomputed"), strict=True):
        one, knob = Training(**params), marks(state, width)["gpus"]
        held = one.states + (getattr(one, extra) if extra else 0)
        assert (knob.shape["cx"], knob.shape["cy"]) == STAGES_OF[width].plot.at(one.gpus, held)
        assert knob.handle.rail[RANKS.index(one.gpus)] == (knob.shape["cx"], knob.shape["cy"])


def test_curves_on_a_phone_are_not_named_as_the_ticks_of_an_axis_are():
    drawn = marks(SCENE.run().steps[-1], "narrow")
    for zero in STAGES:
        assert drawn[f"curve-{zero}-name"].text == f"Z{zero}"
        assert bounds(drawn[f"curve-{zero}-name"])[2] <= WIDTHS["narrow"]


def test_slider_stays_where_it_is_on_a_phone_however_many_ranks():
    """The choice and the slider take 217 px of a line there; what is said between and after them has the rest."""
    between, after = SCENE.sentence.split("{stage}")[1].split("{gpus}")
    longest = max(SCENE.param("gpus").options.values(), key=lambda one: text_width(one, 16))
    assert 217 + text_width(f"{between}{longest}{after}", 16) <= WIDTHS["narrow"]


def test_parts_come_one_after_another_and_stages_too():
    first, second = step("states").states, step("zero").states
    small = step("states", model="8B").states
    assert [sum(f"{name}-0" in marks(state) for name in PARTS) for state in small] == [1, 1, 2, 2, 3, 3]
    assert [sum(f"part-{name}" in marks(state) for name in PARTS) for state in first] == [0, 1, 1, 2, 2, 3]
    assert [sum(f"total-{zero}" in marks(state) for zero in STAGES) for state in second] == [1, 1, 1, 2, 2, 3, 3, 4]
    assert marks(first[-1])["answer"].text == "6.49\u00a0TB"
    assert "answer" not in marks(first[0])
    answers = [marks(state)["answer"].text for state in second]  # each number once its wall stands
    tera, giga = "6.49\u00a0TB", "856\u00a0GB"
    assert answers == [tera, tera, tera, "1.66\u00a0TB", "1.66\u00a0TB", giga, giga, "50.7\u00a0GB"]


def test_recomputing_shrinks_activations_alone():
    kept, again = (marks(step(name).states[-1]) for name in ("activations", "recompute"))
    assert again["part-activations-size"].text == "33.8\u00a0GB" and kept["part-activations-size"].text == "537\u00a0GB"
    kept, again = (marks(step(name, model="8B").states[-1]) for name in ("activations", "recompute"))
    for name in PARTS[:3]:
        assert kept[f"{name}-3"].shape == again[f"{name}-3"].shape


@pytest.mark.parametrize("params", SOME, ids=str)
def test_on_a_phone_sizes_stand_under_the_names_of_their_parts(params):
    drawn = marks(step("activations", **params).states[-1], "narrow")
    boxes = [box(drawn[f"part-{name}-size"]) for name in PARTS]
    for name, (left, top, right, _) in zip(PARTS, boxes, strict=True):
        above = box(drawn[f"part-{name}"])
        assert left == pytest.approx(above[0], abs=1) and 0 <= top - above[1] < 20 and right <= WIDTHS["narrow"]
    assert all(one[2] + 12 < other[0] for one, other in pairwise(boxes))  # clear of the next swatch
    assert len({one[1] for one in boxes}) == 1


def test_stages_can_be_pressed():
    drawn = marks(SCENE.run(stage=1).steps[-1])
    assert [drawn[f"name-{zero}"].set for zero in STAGES] == [{"stage": str(zero)} for zero in STAGES]
    assert "strong" in drawn["name-1"].role and "strong" not in drawn["name-2"].role


def test_llama_s_own_placement_fits():
    params = {"model": "405B", "split": "tp8pp16", "stage": 2, "gpus": 128}
    drawn = marks(step("activations", **params).states[-1])
    assert drawn["answer"].text == "74.9\u00a0GB" and "work" in drawn["answer"].role
    assert answer_lines(drawn)[0] == "on each of 16,384 GPUs, ZeRO-2"


def test_only_the_largest_model_is_split():
    assert {params["split"] for params in GRID if params["model"] != "405B"} == {"none"}
    assert {params["split"] for params in GRID if params["model"] == "405B"} == {"none", "tp8", "tp8pp16"}


def test_values_are_those_of_the_facts():
    values = SCENE.run(model="70B", split="none", stage=2, gpus=512).values
    assert str(values["states"]) == "143\u00a0GB" and str(values["floor"]) == "141\u00a0GB"
    assert values["fewest"].value == 0
    assert str(SCENE.run(model="405B", split="none", stage=0, gpus=1).values["states"]) == "6.49\u00a0TB"


@pytest.mark.parametrize("params", SOME, ids=str)
def test_words_agree_with_the_values(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    assert str(run.values["activations"]) in said[2]
    assert str(run.values["total_recomputed"]) in said[3]
    fits = run.values["total_recomputed"].value <= CAPACITIES["H100"]
    assert fits == ("fit in an H100’s" in said[3])


def test_activations_pile_up_while_the_states_stay():
    beats = [marks(state) for state in step("activations", model="8B").states]
    grown = [area(one["activations-3"]) for one in beats[::2]]
    assert grown == [area(one["activations-3"]) for one in beats[1::2]]
    assert len(beats) == 8 and grown == sorted(set(grown))
    assert len({one["optimizer-3"].shape["d"] for one in beats}) == 1


def test_curve_of_a_stage_comes_with_its_wall():
    first, last = (marks(step(name).states[-1]) for name in ("states", "zero"))
    assert [f"curve-{zero}" in first for zero in STAGES] == [True, False, False, False]
    assert all(f"curve-{zero}" in last for zero in STAGES)


@pytest.mark.parametrize("width", WIDTHS)
def test_ghost_over_the_chosen_wall_is_what_recomputing_takes_away(width):
    for params in ({"model": "70B", "stage": 3, "gpus": 1024}, {"model": "8B", "stage": 1, "gpus": 8}):
        kept, again = (marks(step(name, **params).states[-1], width) for name in ("activations", "recompute"))
        zero = params["stage"]
        before, now = area(kept[f"activations-{zero}"]), area(again[f"activations-{zero}"])
        assert area(again[f"spared-{zero}"]) == pytest.approx(before - now, rel=0.02)
        assert f"spared-{zero}" not in kept
    drawn = marks(SCENE.run().steps[-1], width)
    assert drawn["total-3"].shape["y"] <= drawn["ground"].shape["y1"] - 4, "no number stands on the ground"
    assert (drawn["before-3"].text, drawn["total-3"].text) == ("588\u00a0GB", "84.6\u00a0GB")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("model", "gpus"), [("8B", 128), ("8B", 1024), ("405B", 1)])
def test_knob_at_the_floor_and_at_the_top_leaves_numbers_and_title_free(model, gpus, width):
    run = SCENE.run(model=model, gpus=gpus, split="none", stage=3)
    assert not [state.phase for state in run.steps[1:] if beneath(marks(state, width), "gpus", rim=6)]


def test_floor_where_less_than_a_gigabyte_stands_does_not_say_that_it_is_one():
    run = SCENE.run(model="8B", gpus=1024, split="none", stage=3)
    drawn = marks(run.steps[1])
    assert run.result.states < 1e9 and drawn["gpus"].shape["cy"] == WIDE.chart.bottom
    assert drawn["level-1e+09-size"].text == "≤ 1\u00a0GB" and drawn["level-1e+13-size"].text == "10\u00a0TB"


def test_parts_of_a_wall_say_of_which_stage_they_are():
    said = [mark.read for mark in marks(SCENE.run().steps[-1]).values() if mark.read]
    assert len(said) == len({*said}) and "ZeRO-1, weights: 812\u00a0GB" in said
