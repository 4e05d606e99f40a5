"""Check what the reader meets: bars as tall as their bytes, lines, the knob on its curve, and words that agree."""

import itertools

import pytest

from loom.draw import text_width
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.training_memory.drawing import THIN
from scenes.training_memory.model import CAPACITIES, STAGES, Training
from scenes.training_memory.scene import SCENE
from scenes.training_memory.stage import GAP, NARROW, RANKS, TOP, WIDE
from scenes.training_memory.story import PARTS, size, spared_of, stacks
from tests.boxes import answer_lines, touching

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
    assert answer_lines(drawn)[1] == "fits no H100, but an H200’s 141\u00a0GB"
    assert "over 141 ranks it would fit" in SCENE.say(state)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_parts_have_their_shares_of_every_bar_and_are_to_scale_where_it_is_not_cut(params, width):
    stage, one = STAGES_OF[width], Training(**params)
    drawn = marks(step("activations", **params).states[-1], width)
    for zero in STAGES:
        parts = dict(zip(PARTS, (*one.states_at(zero), one.activations), strict=True))
        total, heights = sum(parts.values()), {name: drawn[f"{name}-{zero}"].shape["height"] for name in PARTS
                                              if f"{name}-{zero}" in drawn}  # fmt: skip
        tall = stage.bars.bottom - stage.height(total)
        assert heights == pytest.approx({name: tall * parts[name] / total for name in heights})
        assert all(tall * part / total < THIN and zero != one.stage for name, part in parts.items()
                   if name not in heights)  # fmt: skip
        assert (f"cut-{zero}" in drawn) == (total > TOP)
        assert drawn[f"total-{zero}"].text == size(total)
        if total <= TOP:
            assert tall == pytest.approx(total / TOP * (stage.bars.bottom - stage.cut))
        else:
            assert tall > stage.bars.bottom - stage.cut + GAP


def test_bar_of_terabytes_is_mostly_optimizer_and_taller_than_those_of_less():
    drawn = marks(step("states", model="405B", stage=0).states[-1])
    heights = [drawn[f"{name}-0"].shape["height"] for name in PARTS[:3]]
    assert heights == pytest.approx([one / 8 * sum(heights) for one in (1, 1, 6)])
    last = marks(step("zero").states[-1])
    tops = [min(last[f"{name}-{zero}"].shape["y"] for name in PARTS[:3] if f"{name}-{zero}" in last) for zero in STAGES]
    assert tops == sorted(tops) and tops[0] < tops[1] < tops[3]


def pieces(line):
    """The pieces of a GPU's line: where each begins and ends, and their height."""
    ends = [[tuple(map(float, one.split())) for one in piece.split("L")] for piece in line.shape["d"].split("M")[1:]]
    (y,) = {y for piece in ends for _, y in piece}
    return [(piece[0][0], piece[-1][0]) for piece in ends], y


def test_lines_stand_where_a_bar_of_that_size_would_end():
    drawn = marks(SCENE.run().steps[-1])
    for name, capacity in CAPACITIES.items():
        assert pieces(drawn[f"line-{name}"])[1] == pytest.approx(WIDE.height(capacity), abs=0.3)
        assert drawn[f"line-{name}-size"].text == f"{size(capacity)}, {name}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_number_stands_right_over_its_bar_and_lines_open_for_it(params, width):
    stage = STAGES_OF[width]
    for state in SCENE.run(**params).steps[1:]:
        drawn = marks(state, width)
        for (zero, parts), name in itertools.product(stacks(state).items(), CAPACITIES):
            (left, top, right, bottom), (lines, y) = bounds(drawn[f"total-{zero}"]), pieces(drawn[f"line-{name}"])
            if not spared_of(state):
                assert drawn[f"total-{zero}"].shape["y"] == pytest.approx(stage.height(sum(parts)) - 5)
            if top < y < bottom:
                assert not any(start < right and left < end for start, end in lines)
            assert len(lines) == len(STAGES) + 1  # in every picture: a path of the same pieces can move


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
    assert [sum(f"{name}-0" in marks(state) for name in PARTS) for state in small] == [1, 2, 3]
    assert [sum(f"part-{name}" in marks(state) for name in PARTS) for state in first] == [1, 2, 3]
    assert [sum(f"total-{zero}" in marks(state) for zero in STAGES) for state in second] == [1, 2, 3, 4]
    assert marks(first[-1])["answer"].text == "6.49\u00a0TB"
    answers = [marks(state)["answer"].text for state in second]
    assert answers == ["6.49\u00a0TB", "1.66\u00a0TB", "856\u00a0GB", "50.7\u00a0GB"]


def test_recomputing_shrinks_activations_alone():
    kept, again = (marks(step(name).states[-1]) for name in ("activations", "recompute"))
    assert again["part-activations-size"].text == "33.8\u00a0GB" and kept["part-activations-size"].text == "537\u00a0GB"
    kept, again = (marks(step(name, model="8B").states[-1]) for name in ("activations", "recompute"))
    for name in PARTS[:3]:
        assert kept[f"{name}-3"].shape == pytest.approx(again[f"{name}-3"].shape)


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
def test_words_are_short_and_agree_with_the_values(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    assert all(len(words) <= 180 for words in said)
    assert str(run.values["activations"]) in said[2]
    assert str(run.values["total_recomputed"]) in said[3]
    fits = run.values["total_recomputed"].value <= CAPACITIES["H100"]
    assert fits == ("fit in an H100’s" in said[3])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_no_two_texts_overlap(params, width):
    for state in (state for one in SCENE.run(**params).chapters for state in one.states):
        assert not touching(SCENE.draw(state, WIDTHS[width])), state.phase


def test_activations_pile_up_while_the_states_stay():
    beats = [marks(state) for state in step("activations", model="8B").states]
    grown = [one["activations-3"].shape["height"] for one in beats]
    assert len(beats) == 4 and grown == sorted(set(grown))
    assert len({round(one["optimizer-3"].shape["height"], 6) for one in beats}) == 1


def test_curve_of_a_stage_comes_with_its_bar_and_lines_stop_at_bars_that_are_cut():
    first, last = (marks(step(name).states[-1]) for name in ("states", "zero"))
    assert [f"curve-{zero}" in first for zero in STAGES] == [True, False, False, False]
    assert all(f"curve-{zero}" in last for zero in STAGES)
    column = WIDE.column(0)
    for name in CAPACITIES:
        assert not any(start < column.right and column.x < end for start, end in pieces(last[f"line-{name}"])[0])


@pytest.mark.parametrize("width", WIDTHS)
def test_ghost_over_the_chosen_bar_ends_where_the_bar_ended_before_recomputing(width):
    for params in ({"model": "70B", "stage": 3, "gpus": 1024}, {"model": "8B", "stage": 1, "gpus": 8}):
        kept, again = (marks(step(name, **params).states[-1], width) for name in ("activations", "recompute"))
        zero = params["stage"]
        ghost = again[f"spared-{zero}"].shape["d"]
        ends = sorted({float(pair.split()[1]) for pair in ghost.replace("Z", "").replace("M", "L").split("L")[1:]})
        now, before = (drawn[f"activations-{zero}"].shape["y"] for drawn in (again, kept))
        assert ends == pytest.approx([before, now], abs=0.5) and f"spared-{zero}" not in kept
    drawn = marks(SCENE.run().steps[-1], width)
    assert (drawn["before-3"].text, drawn["total-3"].text) == ("588\u00a0GB", "84.6\u00a0GB")
