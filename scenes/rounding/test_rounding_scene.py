"""Check what the reader meets: values, words and pictures of every choice agree with the model."""

import itertools
import math
import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.rounding.chart import BEND, chart, knots
from scenes.rounding.lens import lens
from scenes.rounding.model import MODES
from scenes.rounding.scene import SCENE
from scenes.rounding.story import RUNS, UPDATES, story
from scenes.rounding.update import HOPS, turn
from scenes.rounding.words import amount, decimal, number, percent, step_of

GRID, SUM, ROUND, FEW, MANY, RUNS_STEP = range(1, 7)
GRID_OF_ALL = list(SCENE.grid())
STATES = [(params, state) for params in GRID_OF_ALL[::4] for state in SCENE.run(**params).steps]
BEATS = [(params, state) for params in GRID_OF_ALL[::20] for chapter in SCENE.run(**params).chapters
         for state in chapter.states]  # fmt: skip
WEIGHT = {"task": "weight", "update": 0.001, "format": "BF16", "mode": "nearest"}


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def state(step, **params):
    return SCENE.run(**params).steps[step - 1]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def test_scene_opens_with_a_weight_whose_thousand_updates_vanish():
    assert SCENE.defaults == WEIGHT
    found = values()
    assert (found["final"], found["exact"], found["lost"], found["stuck"]) == (1, pytest.approx(2), 100, 0)
    # 1,000 steps of 0.001 make 1; BF16 has steps of 2^-7 from 1 on, and 0.001 · 2^7 = 0.128.
    assert (found["spacing"], found["up"]) == (2.0**-7, pytest.approx(12.8))


# facts/formats.md, section 8, as the prose may quote it.
@pytest.mark.parametrize(("format", "stops", "count"), [("E4M3", 16, 100), ("BF16", 256, 1000), ("FP16", 2048, 10000)])
def test_sums_of_ones_stop_at_the_facts_values_and_lose_all_later_terms(format, stops, count):
    found = values(task="sum", update=1, format=format)
    assert (found["final"], found["base"], found["stuck"]) == (stops, stops, stops)
    assert (found["updates"], found["ignored"], found["exact"]) == (count, count - stops, count)
    assert found["error"] == pytest.approx(found["lost"])  # ones: what is lost is what is missing


@pytest.mark.parametrize("format", ["E4M3", "BF16", "FP16"])
@pytest.mark.parametrize(("task", "update"), [("sum", 1), *(("weight", update) for update in UPDATES)])
def test_truncation_loses_most_and_the_mean_of_stochastic_runs_is_exact_within_its_error(task, format, update):
    found = {mode: values(task=task, format=format, update=update, mode=mode) for mode in MODES}
    told = story(task, format, update)
    assert found["truncation"]["final"] <= min(found["nearest"]["final"], found["truncation"]["exact"] + 1e-9)
    ends = told.far.walks[-1]
    spread = 4 * float(ends.std()) / math.sqrt(RUNS) + 1e-9
    assert abs(found["stochastic"]["mean"] - found["stochastic"]["exact"]) <= spread
    assert found["stochastic"]["low"] <= found["stochastic"]["mean"] <= found["stochastic"]["high"]
    inside = np.count_nonzero((ends >= found["stochastic"]["low"]) & (ends <= found["stochastic"]["high"]))
    assert inside >= 0.9 * RUNS


def test_values_of_rules_without_chance_have_no_spread():
    found = values(mode="truncation")
    assert found["mean"] == found["low"] == found["high"] == found["final"]
    assert found["runs"] == 1 and values(mode="stochastic")["runs"] == RUNS


def test_table_has_a_row_for_each_mode_with_the_values_of_that_mode():
    for params in GRID_OF_ALL[::7]:
        for row, mode in zip(SCENE.run(**params).table.rows, MODES, strict=True):
            found = values(**params | {"mode": mode})
            assert row == (mode, *(found[name] for name in ("final", "exact", "error", "lost", "stuck")))


def test_lens_looks_at_the_value_where_a_sum_is_stuck_and_at_the_start_of_a_weight():
    assert story("sum", "E4M3", 1).base == 16
    assert {story("weight", format, 0.1).base for format in ("E4M3", "BF16", "FP16")} == {1}


def test_few_updates_of_a_weight_are_the_first_of_the_many():
    for mode in MODES:
        told = state(FEW, mode=mode).result.story
        near, far = told.near.paths[mode], told.far.paths[mode]
        assert (far[: near.size] == near).all()


def test_tie_is_told_as_a_tie():
    said = SCENE.say(state(ROUND, task="sum", format="E4M3", update=1))
    assert said == (
        "17 is exactly halfway, and a tie goes to the neighbour whose last bit is 0 (ties to even), 16. "
        "The update is lost."
    )


def test_odds_in_the_narration_make_the_exact_sum():
    said = SCENE.say(state(ROUND, mode="stochastic", format="E4M3", update=0.1))
    up, high, down, low, exact = map(float, re.findall(r"([\d.]+)% of ([\d.]+) and ([\d.]+)% of ([\d.]+) "
                                                       r"make ([\d.]+)\.", said)[0])  # fmt: skip
    assert up + down == 100
    assert (up * high + down * low) / 100 == pytest.approx(exact)


def test_what_it_should_be_is_not_said_as_if_it_were_so():
    said = SCENE.say(state(FEW, **{**WEIGHT, "mode": "stochastic"}))
    assert said.endswith("The weight is 1.0156; it should be 1.024.")


def test_words_of_every_state_differ_and_are_at_most_two_sentences():
    for params in GRID_OF_ALL[::2]:
        said = [SCENE.say(state) for state in SCENE.run(**params).steps]
        assert len(set(said)) == len(said) == 6
        assert all(len(re.findall(r"[.](?: |$)", words)) <= 2 for words in said), said


@pytest.mark.parametrize("width", WIDTHS)
def test_texts_stay_on_the_stage(width):
    for params, shown in STATES + BEATS:
        marks = list(SCENE.draw(shown, WIDTHS[width]))
        boxes = [bounds(mark) for mark in marks if mark.tag == "text"]
        assert max(box[3] for box in boxes) <= 340
        assert all(box[0] >= 0 and box[2] <= WIDTHS[width] for box in boxes), params


@pytest.mark.parametrize("width", WIDTHS)
def test_marks_are_few_and_drawn_in_one_order(width):
    after: dict[str, set[str]] = {}
    for _, shown in STATES + BEATS:
        keys = [mark.key for mark in SCENE.draw(shown, WIDTHS[width])]
        assert len(keys) == len(set(keys)) <= 70
        for place, key in enumerate(keys):
            after.setdefault(key, set()).update(keys[place + 1 :])
    assert not [(a, b) for a, later in after.items() for b in later if a in after.get(b, ())]


def test_height_of_the_dot_in_the_gap_is_the_chance():
    for mode, share in (("stochastic", 0.128), ("nearest", 0), ("truncation", 0)):
        shown = state(ROUND, mode=mode)
        view = lens(shown.result.story, WIDTHS["wide"])
        dot = marks(shown)["odds"].shape
        assert view.axis - dot["cy"] == pytest.approx(share * (view.axis - view.top), abs=0.3)
        assert dot["cx"] == pytest.approx(view.x(1.001), abs=0.3)


def test_value_moves_to_the_exact_sum_and_then_to_a_number_of_the_format():
    at = [marks(state(step))["held"].shape["cx"] for step in (GRID, SUM, ROUND)]
    assert at[0] == at[2] < at[1]
    up = [marks(state(step, format="E4M3", update=0.1))["held"].shape["cx"] for step in (GRID, SUM, ROUND)]
    assert up[0] < up[1] < up[2]


def test_rungs_of_the_lens_are_numbers_of_the_format_and_halve_below_a_power_of_two():
    rungs = lens(state(GRID).result.story, WIDTHS["wide"]).rungs()
    assert rungs == [1 - 2.0**-8, *(1 + step * 2.0**-7 for step in range(4))]


def test_other_modes_are_buttons_at_the_end():
    last = marks(state(RUNS_STEP, mode="nearest"))
    assert {key: mark.set for key, mark in last.items() if mark.set} == {
        "b-stochastic": {"mode": "stochastic"},
        "b-truncation": {"mode": "truncation"},
    }


@pytest.mark.parametrize("format", ["E4M3", "BF16", "FP16"])
def test_drawn_curve_stays_close_to_its_samples(format):
    told = story("sum", format, 1)
    view, path = chart(told, False, WIDTHS["wide"]), told.far.paths["stochastic"]
    most = (view.span[1] - view.span[0]) * BEND
    places = knots(path, most)
    even = np.unique(np.linspace(0, path.size - 1, 61).round().astype(int))
    assert set(places) <= set(even.tolist())
    assert np.abs(np.interp(even, places, path[places]) - path[even]).max() <= most


def test_numbers_are_written_as_a_reader_reads_them():
    near = story("weight", "BF16", 0.001)
    assert [number(x, near) for x in (1.0, 1 + 2.0**-7, 1.001, 0.99609375)] == ["1", "1.0078", "1.001", "0.9961"]
    assert [step_of(x) for x in (2.0, 0.125, 2.0**-7, 2.0**-9, 2.0**-10)] == [
        "2",
        "0.125",
        "0.0078",
        "0.00195",
        "0.00098",
    ]
    assert [amount(x) for x in (0.0, 1.9766, 10004.2, -0.5)] == ["0", "1.977", "10,004", "−0.5"]
    assert [percent(x) for x in (0, 1, 0.128, 0.0008, 0.9992)] == [
        "0%", "100%", "12.8%", "0.08%", "99.92%",
    ]  # fmt: skip
    assert decimal(0.03125, 2) == "0.03125"


@pytest.mark.parametrize("mode", MODES)
def test_bead_tries_each_update_and_falls_back_or_stays_before_the_next(mode):
    told, chapter = state(FEW, mode=mode).result, SCENE.run(mode=mode).chapters[FEW - 1]
    path, view = told.story.near.paths[mode], lens(told.story, WIDTHS["wide"])
    for beat, shown in enumerate(chapter.states[: 2 * HOPS]):
        at, trying = turn(shown)
        assert (at, trying) == ((beat + 1) // 2, beat % 2 == 0)
        value = float(path[at]) + (told.story.update if trying else 0)
        assert marks(shown)["held"].shape["cx"] == pytest.approx(view.x(value))
    counts = [turn(shown)[0] for shown in chapter.states]
    assert counts == sorted(counts) and counts[-1] == told.story.near.count


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("mode", MODES)
def test_updates_that_are_lost_or_by_chance_move_the_weight_are_counted_as_the_bead_lands(mode, width):
    path = state(FEW, mode=mode).result.story.near.paths[mode]
    for shown in SCENE.run(mode=mode).chapters[FEW - 1].states:
        at = len(path) - 1 if shown.progress == 1 else turn(shown)[0]
        gone = sum(before == after for before, after in itertools.pairwise(path[: at + 1].tolist()))
        told, fair = marks(shown, width), mode == "stochastic"
        assert told["tally"].text == f"{at - gone if fair else gone} of {len(path) - 1}"
        assert told["tally-words"].text == ("updates moved it" if fair else "updates lost")
        assert told["tally"].role.split()[0] == ("dropped" if gone and not fair else "work")


def test_on_a_phone_the_number_that_sums_up_stands_where_the_title_was():
    for step in range(GRID, RUNS_STEP + 1):
        shown = marks(state(step), "narrow")
        assert ("title" in shown) == (step < FEW) != bool({"tally", "final"} & shown.keys())
        assert "title" in marks(state(step))


def test_path_grows_with_the_updates_and_the_result_is_told_when_the_last_is_made():
    for shown in SCENE.run(mode="stochastic").chapters[MANY - 1].states:
        drawn, dot = marks(shown), marks(shown)["now"].shape
        view = chart(shown.result.story, False, WIDTHS["wide"])
        made = round(1000 * shown.progress)
        assert dot["cx"] == pytest.approx(view.plot.at(made, 1)[0])
        partly = drawn["path"].shape["stroke-dasharray"] != "100.0 200"
        assert partly == (shown.progress < 1) == ("final" not in drawn)


@pytest.mark.parametrize("width", WIDTHS)
def test_scene_opens_with_what_became_of_the_weight_and_what_it_should_be(width):
    opening = marks(SCENE.run().steps[SCENE.opening - 1], width)
    assert opening["final"].text == "1, not 2" and opening["final"].role.startswith("dropped strong answer")
    fair = marks(state(MANY, mode="stochastic"), width)
    assert fair["final"].role.startswith("work") and "exactly 2" in fair["final-words"].text


@pytest.mark.parametrize("width", WIDTHS)
def test_a_waiting_prediction_shows_where_the_value_begins_and_the_line_on_which_it_ends(width):
    for mode in MODES:
        told = state(MANY, **{**WEIGHT, "mode": mode})
        found = marks(told, width)
        seen = {key: mark.shape for key, mark in found.items() if "answer" not in mark.role.split()}
        assert {"ground", "exact", "final-words"} <= seen.keys() and not {"final", "path", "now"} & seen.keys()
        assert seen["last"]["x1"] == found["now"].shape["cx"]
        assert (seen["start"]["cx"], seen["start"]["cy"]) == chart(told.result.story, False, WIDTHS[width]).plot.at(
            0, 1
        )


def test_weight_that_is_stuck_elsewhere_is_said_to_be_stuck_there():
    for update, place, apart in ((0.02, 8, 0.0625), (0.15, 64, 0.5)):
        late, early = (state(step, **{**WEIGHT, "update": update}) for step in (MANY, ROUND))
        assert f"stops at {place}, " in SCENE.say(late) and f"numbers lie {apart} apart" in SCENE.say(late)
        assert marks(late)["verdict"].text.endswith(f"; lost at {place}") and "lost" not in marks(early)["verdict"].text
