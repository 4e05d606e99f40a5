"""Check what the reader meets: SMs over time, the curve with its knob, the merge, and words that quote them."""

import itertools
import json
import math
import re

import numpy as np
import pytest

from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.split_kv import measured
from scenes.split_kv.drawing import SPLITS
from scenes.split_kv.model import SMS, Case
from scenes.split_kv.narration import clock, micro
from scenes.split_kv.scene import KEYS, SCENE, SEQUENCES
from tests.boxes import box, overlap

EXTREMES = [dict(zip(("splits", "sequences", "keys"), one, strict=True))
            for one in itertools.product((1, 2, 15, 17, 32), (1, 2, 8, 16), KEYS)]  # fmt: skip


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def test_page_opens_with_the_gain_in_full():
    state = SCENE.run().steps[SCENE.opening]
    drawn = marks(state)
    assert drawn["answer"].text == "5.3×"
    assert drawn["clock"].text == "after 13.2\u00a0µs"
    assert Case(1, 1, 8192).total / Case(15, 1, 8192).total == pytest.approx(5.3, abs=0.05)


@pytest.mark.parametrize("width", WIDTHS)
def test_answer_waits_until_its_run_is_over(width):
    drawn = {name: [marks(state, width) for state in chapter(name).states] for name in ("alone", "split", "merge")}
    assert "answer" not in drawn["alone"][-2]
    assert drawn["alone"][-1]["answer"].text == drawn["split"][-2]["answer"].text == "69.9\u00a0µs"
    assert drawn["split"][-1]["answer"].text == drawn["merge"][-2]["answer"].text == micro(Case(15, 1, 8192).reading)
    assert drawn["split"][-1]["clock"].text == f"after {drawn['split'][-1]['answer'].text}"
    assert drawn["merge"][-1]["answer"].text == "5.3×"


@pytest.mark.parametrize("width", WIDTHS)
def test_one_part_is_told_without_a_ratio_and_its_knob_is_clear_of_the_times(width):
    drawn = marks(SCENE.run(splits=1).steps[-1], width)
    assert drawn["answer"].text == "69.9\u00a0µs"
    assert not [mark.text for key, mark in drawn.items() if key.startswith("answer-words") and "as fast" in mark.text]
    knob, reach = drawn["splits"].shape["cx"], drawn["splits"].shape["r"] + 8
    assert knob - reach >= max(mark.shape["x"] for key, mark in drawn.items() if "curve-y-tick" in key) - 0.5


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_curve_does_not_run_through_the_name_of_the_part_that_a_library_takes(params, width):
    drawn = marks(SCENE.run(**params).steps[1], width)
    if "chosen-words" in drawn:
        left, top, right, bottom = box(drawn["chosen-words"])
        points = np.array(re.findall(r"-?[\d.]+", drawn["times"].shape["d"]), float).reshape(-1, 2)
        heights = np.interp(np.linspace(left, right, 50), *points.T)
        assert not np.any((heights > top) & (heights < bottom))


@pytest.mark.parametrize("width", WIDTHS)
def test_merge_has_its_name_and_time_once_it_is_done(width):
    drawn = marks(SCENE.run().steps[-1], width)
    assert drawn["merging-words"].text == f"merge {micro(Case(15, 1, 8192).merging)}"
    assert "merging-words" not in marks(chapter("merge").states[0], width)


def test_unsplit_run_leaves_most_sms_idle_and_says_how_many():
    last = marks(chapter("alone").states[-1])
    assert last["idle"].text == "124 SMs wait"
    assert last["alone"].shape["height"] / last["lanes"].shape["height"] == pytest.approx(8 / SMS)
    assert "idle" not in marks(chapter("alone", sequences=16).states[-1])


def test_unsplit_run_sets_out_from_the_beginning_as_soon_as_the_scene_plays():
    run = chapter("alone")
    assert clock(run.states[0]) == 0 and run.times[1] <= 0.3
    assert marks(run.states[0])["alone"].shape["width"] <= 1 < marks(run.states[1])["alone"].shape["width"]


@pytest.mark.parametrize("params", EXTREMES)
def test_time_runs_on_from_beat_to_beat_and_ends_with_the_merge(params):
    for name in ("alone", "merge"):
        chapters = [one for one in SCENE.run(**params).chapters if one.name == name]
        assert len(chapters) == (name == "alone" or params["splits"] > 1)
        for one in chapters:
            times = [clock(state) for state in one.states]
            assert times == sorted(times)
            assert len(set(times)) == len(times) - 1 and times[-2] == times[-1]  # it lands, and then it is told
    assert clock(SCENE.run(**params).steps[-1]) == pytest.approx(SCENE.run(**params).result.total)
    assert sum(one.times[-1] for one in SCENE.run(**params).chapters) <= 16


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_stands_on_the_curve_at_its_number_of_parts(params, width):
    for state in SCENE.run(**params).steps:
        knob = marks(state, width)["splits"]
        assert len(knob.handle.rail) == len(SPLITS)
        assert knob.handle.rail[params["splits"] - 1] == (knob.shape["cx"], knob.shape["cy"])
        totals = [Case(splits, params["sequences"], params["keys"]).total for splits in SPLITS]
        lowest = max(range(len(totals)), key=lambda at: knob.handle.rail[at][1])
        assert totals[lowest] == pytest.approx(min(totals), rel=1e-6)


@pytest.mark.parametrize("width", WIDTHS)
def test_parts_are_bars_that_grow_as_wide_as_their_weights_and_level_out_at_the_exact_output(width):
    states = chapter("merge", splits=8).states
    before, weighed, met, _ = (marks(state, width) for state in states)
    weights = states[-1].result.merged[0].tolist()
    bars = [[drawn[f"part-{at}"].shape for at in range(8)] for drawn in (before, weighed, met)]
    assert max(one["width"] for one in bars[0]) - min(one["width"] for one in bars[0]) <= 1
    assert [one["height"] for one in bars[0]] == [one["height"] for one in bars[1]]
    assert bars[1] == bars[2]
    floor, unit = met["merge-floor"].shape, met["merge-floor"].shape["x2"] - met["merge-floor"].shape["x1"]
    for one, weight in zip(bars[1], weights, strict=True):
        assert one["width"] + 1 == pytest.approx(weight * unit, abs=0.6)
        assert one["y"] + one["height"] == pytest.approx(floor["y1"])
    for key, drawn, shares in (("end-0", met, weights), ("end-1", before, [1 / 8] * 8)):
        level = sum(one["height"] * share for one, share in zip(bars[0], shares, strict=True))
        assert floor["y1"] - drawn[key].shape["y1"] == pytest.approx(level, abs=0.5)  # a line at the level of the bars
    assert met["end-0-words"].text == "merged 10.698"
    assert weighed["end-0-words"].text == "unsplit 10.698" and "end-1" in before
    assert weighed["end-0"].shape == met["end-0"].shape  # the level was there before it was reached


def test_value_of_the_error_is_a_rounding():
    for splits in SPLITS:
        assert SCENE.run(splits=splits).values["error"].value <= 1e-14


def test_words_say_where_a_split_does_not_pay():
    assert "would not split" in SCENE.say(SCENE.run(sequences=16, splits=4).steps[-1])
    answer = marks(SCENE.run(sequences=16, splits=4).steps[-1])["answer"]
    assert answer.text == f"{Case(4, 16, 8192).times_faster:.2f}×" == "0.98×" and "dropped" in answer.role
    assert marks(SCENE.run(sequences=16, splits=1).steps[-1])["answer"].text == "160\u00a0µs"
    assert "15 parts" in SCENE.say(SCENE.run().steps[-1])


@pytest.mark.parametrize("params", EXTREMES)
def test_words_quote_the_time(params):
    run = SCENE.run(**params)
    assert micro(run.result.total) in SCENE.say(run.steps[-1])


def test_every_number_of_conversations_is_offered_with_its_own_grammar():
    assert SCENE.param("sequences").label_of(1) == "1 conversation"
    assert {SCENE.param("sequences").label_of(number) for number in SEQUENCES[1:]} >= {"16 conversations"}


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_where_the_result_says(width):
    told = json.loads((FOLDER / "h100/split_kv.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == "time")
    medians = {one["at"]["splits"]: one["median"] for one in points if one["at"]["keys"] == 131072}
    drawn = marks(SCENE.run(keys=131072, splits=16).steps[-1], width)
    rail = drawn["splits"].handle.rail
    totals = [math.log(Case(splits, 1, 131072).total) for splits in (1, 32)]
    unit = (rail[31][1] - rail[0][1]) / (totals[0] - totals[1])
    for at, splits in enumerate((1, 2, 4, 8, 16, 32)):
        ring = drawn[f"measured-{at}"].shape
        assert ring["cx"] == rail[splits - 1][0]
        assert ring["cy"] == pytest.approx(rail[0][1] + (totals[0] - math.log(medians[splits])) * unit, abs=1e-6)
    assert "measured-6" not in drawn


def test_only_what_was_measured_has_rings():
    assert "measured-0" not in marks(SCENE.run(keys=8192).steps[-1])
    assert "measured-0" not in marks(SCENE.run(keys=131072, sequences=2).steps[-1])


def test_scene_draws_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    measured.measured.cache_clear()
    run = SCENE.run(keys=131072, splits=3)
    assert "measured_16" not in run.values
    drawn = marks(run.steps[-1])
    assert "times" in drawn
    assert not any(key.startswith("measured") for key in drawn)
    measured.measured.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_no_block_lies_under_the_words_for_the_unsplit_run(params, width):
    for state in (state for one in SCENE.run(**params).chapters[1:] for state in one.states):
        drawn = marks(state, width)
        words = drawn["unsplit-words"]
        assert "halo" not in words.role
        assert not [
            key for key in drawn if key.startswith(("piece-", "merging")) and overlap(box(drawn[key]), box(words))
        ]


def test_words_that_leave_the_sms_say_the_time_of_the_unsplit_run():
    words = marks(SCENE.run(sequences=16, keys=131072, splits=32).steps[-1])["unsplit-words"].text
    assert words == "without a split: 2.56\u00a0ms" == f"without a split: {micro(Case(1, 16, 131072).total)}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_axis_of_times_has_round_numbers_and_room_and_the_floor_a_name(params, width):
    drawn = marks(SCENE.run(**params).steps[-1], width)
    ticks = [float(mark.text.replace(",", "")) for key, mark in drawn.items() if key.startswith("curve-y-tick")]
    times = [Case(splits, params["sequences"], params["keys"]).total * 1e6 for splits in SPLITS]
    assert ticks and all(min(times) / 2 <= tick <= 4 * max(times) for tick in ticks)
    assert drawn["floor-name"].text == "dashed: HBM’s own time" and drawn["floor"].read.startswith("HBM’s own time")
    rail = [y for _, y in drawn["splits"].handle.rail]
    if max(times) > 4 * min(times):  # a curve that falls far uses its box
        assert max(rail) - min(rail) > 0.6 * (drawn["curve-x-axis"].shape["y1"] - min(rail))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_time_that_is_told_is_where_the_playhead_was_in_the_picture_before(params, width):
    for one in SCENE.run(**params).chapters:
        pictures = [marks(state, width) for state in one.states]
        case = one.states[0].result
        lanes = pictures[0]["lanes"].shape
        for before, shown in itertools.pairwise(pictures):
            seconds = (before["now"].shape["x1"] - lanes["x"]) / lanes["width"] * max(case.total, case.unsplit.total)
            words = shown["clock"].text
            assert words.startswith("cut into") or f"{micro(seconds)}" in words
        assert (pictures[-1]["now"], one.name != "alone" or "answer" in pictures[-1]) == (shown["now"], True)
        assert one.name != "alone" or not [drawn for drawn in pictures[:-1] if "answer" in drawn]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_dot_passes_fewer_parts_on_its_way_to_the_choice_and_names_it_when_it_is_there(params, width):
    one = SCENE.run(**params).chapters[-1]
    pictures, case = [marks(state, width) for state in one.states], one.states[0].result
    if case.chosen not in SPLITS:
        assert len(pictures) == 1 and "chosen" not in pictures[0]
        return
    rail = pictures[0]["splits"].handle.rail
    dots = [(drawn["chosen"].shape["cx"], drawn["chosen"].shape["cy"]) for drawn in pictures]
    assert dots[-1] == rail[case.chosen - 1] and dots == sorted(dots) and set(dots) <= set(rail)
    assert dots[0] == rail[0] and (case.chosen == 1 or dots[-2] == dots[-1])
    assert [drawn for drawn in pictures if "chosen-words" in drawn] == pictures[-1:]
