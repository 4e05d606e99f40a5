"""Check what the reader meets: columns and bars as long as what they stand for, and knobs on their curves."""

from __future__ import annotations

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.speculation_pays.loads import batch_plot, height
from scenes.speculation_pays.model import ALPHAS, BATCHES, GAMMAS, LOADS, PLANS, Case, reached
from scenes.speculation_pays.panels import LEAST
from scenes.speculation_pays.scene import SCENE
from tests.boxes import beneath, box

GRID = list(SCENE.grid())
ALONE = [params for params in GRID if params["view"] == "alone"]
BATCH = [params for params in GRID if params["view"] == "batch"]
SOME = [*ALONE[::7], ALONE[-1], *BATCH[::7], BATCH[-1]]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, params):
    return marks(next(one for one in SCENE.run(**params).chapters if one.name == name).states[-1])


def test_page_opens_where_a_batch_of_short_texts_gains_least():
    drawn = marks(SCENE.run().steps[SCENE.opening])
    assert drawn["answer"].text == "1.93×"
    assert drawn["pass-words"].text == "4 × 0.05 + 1.54 = 1.74 steps"


def test_each_question_has_the_parameters_and_steps_that_matter_to_it():
    assert len(ALONE) == len(ALPHAS) * len(GAMMAS) and len(BATCH) == len(PLANS) * len(BATCHES) * len(LOADS)
    assert {tuple(one.name for one in SCENE.run(**params).chapters) for params in ALONE} == {("tokens", "cost")}
    assert {tuple(one.name for one in SCENE.run(**params).chapters) for params in BATCH} == {("check", "pays")}


@pytest.mark.parametrize("width", WIDTHS)
def test_a_single_line_beside_the_number_stands_on_its_line(width):
    drawn = marks(SCENE.run(view="alone").steps[-1], width)
    number, words = (mark.shape["y"] for key, mark in drawn.items() if key.startswith("answer"))
    assert number == words


def test_number_of_tokens_says_what_it_supposes_from_no_guess_on():
    (tokens, _) = SCENE.run(view="alone", gamma=2, alpha=0.8).chapters
    drawn = map(marks, tokens.states)
    said = [" ".join(one[key].text for key in sorted(one) if key.startswith("answer-words")) for one in drawn]
    assert said == [
        "tokens of one pass without a guess",
        "tokens of one pass, if its one guess stays with 80%",
        "tokens of one pass, if each of 2 guesses stays with 80%",
    ]


@pytest.mark.parametrize("params", ALONE[::5], ids=str)
def test_columns_are_as_tall_as_places_are_often_reached(params):
    drawn = chapter("tokens", params)
    shares = reached(params["gamma"], params["alpha"])
    for place, share in enumerate(shares):
        whole = drawn[f"place-{place}"].shape["height"]
        assert drawn[f"reached-{place}"].shape["height"] == pytest.approx(share * whole)
        assert (f"vain-{place}" in drawn) == (share < 1)
    assert f"place-{len(shares)}" not in drawn


@pytest.mark.parametrize("params", SOME, ids=str)
def test_what_guesses_save_fills_the_shorter_way_up_to_the_longer(params):
    drawn = chapter("cost" if params["view"] == "alone" else "pays", params)
    gap = bounds(drawn["plain"])[2] - bounds(drawn["check"])[2]
    assert ("saved" in drawn) == (abs(gap) >= LEAST)
    if "saved" in drawn:
        saved = drawn["saved"].shape
        assert saved["width"] == pytest.approx(abs(gap))
        assert saved["y"] == drawn["check" if gap > 0 else "plain"].shape["y"]
        assert ("saved" if gap > 0 else "lost") in drawn["saved"].read


def test_what_guesses_save_is_told_once_both_ways_have_arrived():
    states = next(one for one in SCENE.run().chapters if one.name == "pays").states
    assert ["saved" in marks(state) for state in states] == [*[False] * (len(states) - 1), True]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_times_are_as_long_as_their_steps(params):
    alone = params["view"] == "alone"
    drawn = chapter("cost" if alone else "pays", params)
    case = SCENE.run(**params).result.case
    lengths = [drawn[key].shape["width"] for key in ("plain", "draft", "check")]
    unit = lengths[0] / case.tokens
    assert lengths[1:] == pytest.approx([case.gamma * 0.05 * unit, (1 if alone else case.check) * unit])
    gain = lengths[0] / (lengths[1] + lengths[2])
    assert drawn["answer"].text == f"{gain:.2f}×" and ("dropped" in drawn["answer"].role) == (gain < 1)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "view"), [("cost", "alone"), ("pays", "batch")])
def test_both_ways_run_side_by_side_and_the_gain_is_told_when_both_are_done(name, view, width):
    run = SCENE.run(view=view)
    beats = [marks(state, width) for one in run.chapters if one.name == name for state in one.states]
    plain, check = ([one[key].shape["width"] for one in beats] for key in ("plain", "check"))
    assert plain == sorted(set(plain)) and check == sorted(check)
    assert ["answer" in one for one in beats] == [False] * (len(beats) - 1) + [True]
    first = next(at for at, one in enumerate(beats) if "pass-words" in one)
    assert check[first] == check[-1] > check[first - 1] and "plain-words" not in beats[first]


def test_guesses_come_one_by_one_and_their_number_with_them():
    looked = [marks(state) for state in SCENE.run().chapters[0].states]
    assert [one["pass-name"].text for one in looked] == [f"{guesses + 1} positions" for guesses in (1, 2, 3, 4)]
    assert [one["answer"].text for one in looked][-1] == "1.54×"
    places = [marks(state) for state in SCENE.run(view="alone", gamma=2, alpha=0.8).chapters[0].states]
    assert [one["answer"].text for one in places] == ["1.00", "1.80", "2.44"]
    assert [sum(key.startswith("reached") for key in one) for one in places] == [1, 2, 3]


@pytest.mark.parametrize("params", BATCH[::5], ids=str)
def test_steps_are_made_of_what_is_waited_for(params):
    drawn, case = chapter("check", params), SCENE.run(**params).result.case
    kinds = ("weights", "arithmetic", "cache", "attention")
    lengths = [sum(drawn[key].shape["width"] for kind in kinds if (key := f"{bar}-{kind}") in drawn)
               for bar in ("plain", "pass")]  # fmt: skip
    assert lengths[1] / lengths[0] == pytest.approx(case.check)
    assert drawn["answer"].text == f"{case.check:.2f}×"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_knobs_stand_where_their_rails_say(params, width):
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        if params["view"] == "alone":
            knob, at = drawn["gamma-alpha"], GAMMAS.index(params["gamma"]) * len(ALPHAS) + ALPHAS.index(params["alpha"])
        else:
            knob, at = drawn["batch"], BATCHES.index(params["batch"])
        assert knob.handle.rail[at] == (knob.shape["cx"], knob.shape["cy"])


def points_of(mark):
    return [tuple(map(float, one.split())) for one in mark.shape["d"][1:].split("L")]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", BATCH[::5], ids=str)
def test_knob_stays_on_the_curve_of_its_own_model_wherever_it_is_dragged(params, width):
    for quantity, state in zip(("cost", "gain"), SCENE.run(**params).steps, strict=True):
        drawn = marks(state, width)
        handle = drawn["batch"].handle
        own = [mark for key, mark in drawn.items() if key.startswith(f"{quantity}-{params['load']}")]
        xs, ys = zip(*sorted(point for mark in own for point in points_of(mark)), strict=True)
        assert handle.params == ("batch",) and len(handle.rail) == len(BATCHES)
        assert [np.interp(x, xs, ys) for x, _ in handle.rail] == pytest.approx([y for _, y in handle.rail], abs=1)


@pytest.mark.parametrize("width", WIDTHS)
def test_curves_are_round_between_the_numbers_that_can_be_chosen(width):
    drawn = marks(SCENE.run().steps[-1], width)
    xs, ys = zip(*points_of(drawn["gain-experts"]), strict=True)
    plot = batch_plot(WIDTHS[width], 0.8, 4)
    for batch in (1.5, 3, 6, 12, 24, 48, 96, 192, 384):
        x, y = plot.at(batch, height(0.8, 4, "experts", batch))
        assert np.interp(x, xs, ys) == pytest.approx(y, abs=0.8)


@pytest.mark.parametrize("width", WIDTHS)
def test_break_even_is_named_at_its_line(width):
    drawn = marks(SCENE.run().steps[-1], width)
    even, (_, top, _, _) = drawn["even"].shape["y1"], bounds(drawn["slower"])
    assert even < top + 3 < even + 12


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("load", "room"), [("short", 416), ("long", 52)])
@pytest.mark.parametrize("plan", PLANS)
def test_curves_are_dashed_from_where_the_memory_is_full(load, room, plan, width):
    for quantity, state in zip(("cost", "gain"), SCENE.run(load=load, plan=plan).steps, strict=True):
        drawn = marks(state, width)
        curve, beyond = drawn[f"{quantity}-{load}"], drawn[f"{quantity}-{load}-beyond"]
        full, (left, _, right, _) = drawn["full"].shape["x1"], bounds(curve)
        assert right == pytest.approx(full, abs=0.3) and bounds(beyond)[0] == pytest.approx(full, abs=0.3)
        assert "dashed" in beyond.role.split() and drawn["full-words"].text.startswith(f"{room} ")
        rail = drawn["batch"].handle.rail
        assert [x < full for x, _ in rail] == [batch <= room for batch in BATCHES] and left < full


def test_a_model_that_one_gpu_cannot_hold_has_no_such_place():
    drawn = marks(SCENE.run(load="experts", plan="1x85").steps[-1])
    assert "full" not in drawn and "gain-experts-beyond" not in drawn


def test_curve_of_what_a_pass_costs_does_not_become_one_of_what_it_gains():
    cost, gain = (
        {key for key, mark in marks(state).items() if mark.tag == "path" and key.startswith(("cost-", "gain-"))}
        for state in SCENE.run().steps
    )
    assert len(cost) == len(gain) >= len(LOADS) and not cost & gain


def test_names_of_curves_choose_them():
    drawn = marks(SCENE.run().steps[-1])
    assert {drawn[f"name-gain-{load}"].set["load"] for load in LOADS} == set(LOADS)
    assert "strong" in drawn["name-gain-short"].role and "strong" not in drawn["name-gain-long"].role


def test_values_are_those_that_prose_quotes():
    shown = {name: str(value) for name, value in SCENE.run().values.items()}
    assert (shown["expected"], shown["check"], shown["gain"]) == ("3.36\u00a0tokens", "1.54×", "1.93×")
    alone = {name: str(value) for name, value in SCENE.run(view="alone").values.items()}
    assert (alone["alone"], alone["best_guesses"], alone["best"]) == ("2.80×", "8\u00a0guesses", "3.09×")
    assert str(SCENE.run(view="alone", alpha=0.8).values["limit"]) == "5\u00a0tokens"
    assert Case(4, 0.8, 128, "short").gain == SCENE.run().values["gain"].value


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_holds_the_chosen_case(params):
    run, case = SCENE.run(**params), SCENE.run(**params).result.case
    assert (case.gamma, case.batch, case.tokens, case.check, case.gain) in run.table.rows
    assert len(run.table.rows) == len(GAMMAS if params["view"] == "alone" else BATCHES)


def test_words_say_when_guesses_lose():
    for params in GRID:
        run = SCENE.run(**params)
        said = [SCENE.say(state) for state in run.steps]
        if params["view"] == "batch":
            assert ("make these requests slower" in said[-1]) == (run.values["gain"].value < 1)


@pytest.mark.parametrize(("load", "room"), [("short", 416), ("long", 52)])
def test_more_requests_than_fit_on_one_gpu_are_told(load, room):
    said = SCENE.say(SCENE.run(view="batch", batch=512, load=load).steps[-1])
    assert said.endswith(f"One H100 has room for {room} of these 512.")
    assert "room for" not in SCENE.say(SCENE.run(view="batch", batch=32, load=load).steps[-1])
    assert "room for" not in SCENE.say(SCENE.run(view="batch", batch=512, load="experts").steps[-1])


def test_looking_over_is_free_where_guessing_is_not():
    check, pays = map(SCENE.say, SCENE.run(view="batch", plan="1x85", batch=128, load="short").steps)
    assert check.endswith("looking guesses over takes no time.") and pays.endswith("no time; guessing does.")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("load", LOADS)
def test_no_line_goes_through_words_in_the_plot(load, plan, width):
    for state in SCENE.run(load=load, plan=plan, batch=1).steps:
        drawn = marks(state, width)
        even, words = drawn["even"].shape["y1"], [drawn[key] for key in ("slower", "full-words") if key in drawn]
        curves = [mark for key, mark in drawn.items() if mark.tag == "path" and key.startswith(("cost-", "gain-"))]
        points = [tuple(map(float, one.split())) for mark in curves for one in mark.shape["d"][1:].split("L")]
        for left, top, right, bottom in map(box, words):
            assert not top - 1 < even < bottom + 1, state.phase
            assert not [y for x, y in points if left < x < right and top < y < bottom], state.phase
        assert ("full-words" in drawn) == (LOADS[load].room > 0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("load", LOADS)
def test_knob_of_one_request_is_clear_of_the_numbers_of_the_axis(load, width):
    for state in SCENE.run(load=load, batch=1).steps:
        drawn = marks(state, width)
        assert not beneath({key: mark for key, mark in drawn.items() if "-y-tick-" in key or mark.handle}, "batch", 6)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("batch", BATCHES)
def test_knob_lies_on_no_words_of_the_full_memory(batch, width):
    for state in SCENE.run(batch=batch).steps:
        assert "full-words" not in beneath(marks(state, width), "batch", rim=6)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("load", LOADS)
def test_knob_lies_on_no_words_below_the_line_of_1(load, plan, width):
    for batch in BATCHES:
        assert "slower" not in beneath(marks(SCENE.run(load=load, plan=plan, batch=batch).steps[-1], width), "batch", 5)


def test_all_numbers_of_guesses_are_equally_wide_so_that_on_a_phone_their_slider_stays_in_its_line():
    guesses = SCENE.param("gamma")
    assert {len(guesses.label_of(value)) for value in guesses.values} == {1}
