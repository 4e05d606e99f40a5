"""Check what the reader meets: chunks and gaps as long as they take, a row for each request, a knob, and words."""

import itertools

import pytest

from loom.draw import quantity
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.chunked_prefill.engine import served
from scenes.chunked_prefill.model import ALONE, BUDGETS, CHUNKS, PROMPTS, stall
from scenes.chunked_prefill.narration import STREAM, clock
from scenes.chunked_prefill.pace import stops
from scenes.chunked_prefill.scene import SCENE
from scenes.chunked_prefill.stage import NARROW, WIDE
from scenes.chunked_prefill.timeline import SPANS, longest
from scenes.chunked_prefill.traffic import WINDOW
from tests.boxes import answer_lines, beneath

EXTREMES = [
    {"prompt": prompt, "how": how, "budget": budget}
    for prompt in PROMPTS
    for how, budgets in ((ALONE, (512,)), (CHUNKS, (64, 256, 512, 2048, 16_416)))
    for budget in budgets
]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def states(**params):
    return [state for one in SCENE.run(**params).chapters for state in one.states]


def test_page_opens_with_the_gap_at_a_budget_of_512_and_what_it_costs_the_prompt():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert (drawn["answer"].text, drawn["gap-words"].text) == ("9.96\u00a0ms", "9.96\u00a0ms")
    assert (
        drawn["first-words"].text == "82.6\u00a0ms to its first token"
        and drawn["prompt"].text == "9 chunks of up to 480 tokens"
    )
    assert marks(SCENE.run(how=ALONE).steps[2])["answer"].text == "72.3\u00a0ms"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_usual_gap_is_no_loss_and_the_long_one_has_its_dot_once_it_is_over(prompt, width):
    arrive, work, price, _ = SCENE.run(prompt=prompt, how=ALONE).chapters
    first = marks(arrive.states[-1], width)
    assert "dropped" not in first["answer"].role and "here-gap" not in first
    assert "here-gap" not in marks(work.states[0], width)
    last = marks(price.states[-1], width)
    assert "dropped" in last["answer"].role and "here-gap" in last


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_chunks_stand_beside_what_the_prompt_costs_by_itself_once_that_would_be_over(params, width):
    stage, prompt = STAGES[width], params["prompt"]
    alone = SCENE.run(prompt=prompt, how=ALONE).steps[1]
    start, end = longest(alone.result)
    for state in (one for chapter in SCENE.run(**params).chapters[:3] for one in chapter.states):
        drawn = marks(state, width)
        shown = params["how"] == CHUNKS and clock(state) >= end
        assert ("uncut-wait" in drawn) == ("uncut-prompt" in drawn) == shown
        if not shown:
            continue
        left, _, right, _ = bounds(drawn["uncut-wait"])
        assert (left, right) == pytest.approx((stage.x(start, prompt), stage.x(end, prompt)), abs=0.6)
        assert right - left == pytest.approx(stage.x(alone.result.gap, prompt) - stage.x(0, prompt), abs=1.1)
        assert drawn["uncut-words"].text.startswith(marks(alone, width)["gap-words"].text)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_time_sets_out_from_the_beginning_as_soon_as_the_scene_plays(prompt):
    arrive, work, *_ = SCENE.run(prompt=prompt).chapters
    clocks = [clock(state) for state in (*arrive.states, *work.states)]
    assert arrive.times[1] <= 0.3 and clocks == sorted(set(clocks)) and clocks[len(arrive.states) - 1] == 0
    left, right = (bounds(marks(state)["now"])[0] for state in arrive.states[:2])
    assert left == WIDE.lane.x < right


@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_streams_gaps_by_themselves_stand_over_those_in_chunks_where_they_are_much_longer(prompt):
    plot, other = WIDE.scatter(prompt), served(ALONE, prompt, BUDGETS[0])
    drawn = marks(SCENE.run(prompt=prompt, budget=256).steps[-1])
    mine = max(max(one.gaps) for one in served(CHUNKS, prompt, 256))
    much = [one for one in other if max(one.gaps) > 2.5 * mine]
    assert ("uncut-each" in drawn) == bool(much)
    if much:
        assert drawn["uncut-each"].shape["d"].count("M") == len(much)
        top = min(plot.at(one.first * 1e3, max(one.gaps) * 1e3)[1] for one in much)
        assert bounds(drawn["uncut-each"])[1] == pytest.approx(top, abs=0.6) and top < bounds(drawn["tops"])[1]


@pytest.mark.parametrize("params", EXTREMES)
def test_number_that_says_at_worst_is_that_of_the_whole_prompt(params):
    run = SCENE.run(**params)
    for state in run.chapters[1].states:
        drawn = marks(state)
        seen = drawn["answer"].text == quantity(state.result.gap, "s")
        worst = answer_lines(drawn)[0] == "between two tokens, at worst"
        assert seen or not worst
    assert worst == (longest(state.result)[1] <= SPANS[params["prompt"]])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_chunks_and_the_longest_gap_are_as_long_as_they_take(params, width):
    stage, state = STAGES[width], SCENE.run(**params).steps[2]
    case, drawn = state.result, marks(state, width)
    unit = (stage.x(SPANS[case.prompt], case.prompt) - stage.x(0, case.prompt)) / SPANS[case.prompt]
    left, _, right, _ = bounds(drawn["chunks"])
    assert right - left == pytest.approx(min(case.first, SPANS[case.prompt]) * unit, abs=2)
    if "gap" in drawn:
        left, _, right, _ = bounds(drawn["gap"])
        assert right - left == pytest.approx(case.gap * unit, abs=1.1)
    else:
        assert case.first > SPANS[case.prompt]
    assert ("→" in drawn["first-words"].text) == (case.first > SPANS[case.prompt])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_each_request_has_a_row_from_its_first_token_to_its_last(params, width):
    stage, state = STAGES[width], SCENE.run(**params).steps[-1]
    case, drawn = state.result, marks(state, width)
    whole = WINDOW[case.prompt]
    for at, one in enumerate(served(case.how, case.prompt, case.budget)):
        box = drawn[f"row-{at}"].shape
        assert box["x"] == pytest.approx(stage.over(one.times[0], whole), abs=0.3)
        assert box["x"] + box["width"] == pytest.approx(stage.over(one.times[-1], whole), abs=0.3)
        assert f"{one.prompt:,} tokens: TTFT" in drawn[f"row-{at}"].read
    assert drawn["answer"].text == str(SCENE.run(**params).values["stream_gap"])
    assert str(SCENE.run(**params).values["stream_tpot"]) in answer_lines(drawn)[1]
    if case.how == ALONE:
        assert all(one.times[-1] < whole for one in served(case.how, case.prompt, case.budget))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_first_tokens_and_gaps_take_most_of_their_chart(prompt, width):
    box = STAGES[width].each
    assert box.height > 100
    drawn = [marks(SCENE.run(**params).steps[-1], width) for params in EXTREMES if params["prompt"] == prompt]
    ends = [bounds(one[key]) for one in drawn for key in ("dots", "rises")]
    left, top, right, _ = (pick(side) for pick, side in zip((min, min, max, max), zip(*ends, strict=True), strict=True))
    assert right - left > 0.6 * box.width and box.bottom - top > 0.75 * box.height


@pytest.mark.parametrize("params", EXTREMES)
def test_time_only_goes_on_in_each_half_of_the_story(params):
    told = states(**params)
    for half in (False, True):
        times = [clock(state) for state in told if state.since(STREAM) == half]
        assert times == sorted(times)
    assert sum(one.times[-1] for one in SCENE.run(**params).chapters) < 12


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_no_gap_of_chunks_can_be_read_before_it_has_been_guessed(prompt, width):
    said = {"name-gap", "here-gap", "gap", "gap-words", "answer"}
    for state in (one for one in states(prompt=prompt) if not one.since(STREAM)):
        drawn = marks(state, width)
        for key in ({"curve-gap"} | said) & drawn.keys():
            assert "answer" in drawn[key].role.split(), key
    # The prompt that is not cut is what the guess is held against: all of it is there but the way to the answer.
    for state in (one for one in states(prompt=prompt, how=ALONE) if not one.since(STREAM)):
        drawn = marks(state, width)
        assert [key for key in ({"curve-gap"} | said) & drawn.keys() if "answer" in drawn[key].role] == ["curve-gap"]
    assert "curve-gap" in marks(SCENE.run(how=ALONE).steps[0], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_knob_rises_with_the_budget_along_the_longest_gap(prompt, width):
    knob = marks(SCENE.run(prompt=prompt).steps[2], width)["budget"]
    heights = [y for _, y in knob.handle.rail]
    assert all(after < before + 0.1 for before, after in itertools.pairwise(heights))
    assert len(heights) == len(BUDGETS)
    assert "budget" not in marks(SCENE.run(prompt=prompt, how=ALONE).steps[2], width)


@pytest.mark.parametrize("params", EXTREMES)
def test_words_quote_the_numbers(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    assert str(run.values["usual"]) in said[0]
    case = run.result
    shown = run.values["first"] if case.how == ALONE else run.values["gap"]
    assert str(shown) in said[1]
    row = next(row for row in run.table.rows if row[0] == ("by itself" if case.how == ALONE else case.budget))
    assert row[2:4] == (1e3 * case.gap, 1e3 * case.first)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_no_name_lies_under_the_knob_at_any_budget(prompt, width):
    for budget in BUDGETS:
        drawn = marks(SCENE.run(prompt=prompt, budget=budget).steps[2], width)
        assert {"name-gap", "name-first"} <= set(drawn) and not beneath(drawn, "budget", rim=5)


def test_name_of_the_longest_gap_hangs_close_under_its_curve():
    drawn = marks(SCENE.run(how=CHUNKS).steps[2])
    _, curve = drawn["budget"].handle.rail[BUDGETS.index(2048)]
    assert curve < drawn["name-gap"].shape["y"] < curve + 28


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_dots_run_along_both_waits_to_the_steps_that_are_compared(params, width):
    chapter, stage = SCENE.run(**params).chapters[2], STAGES[width]
    drawn = [marks(state, width) for state in chapter.states]
    case = chapter.states[0].result
    for frame, budget in zip(drawn[:-1], stops(case), strict=False):
        one = stall(CHUNKS, case.prompt, budget)
        for key, time in (("gap", one.gap), ("first", one.first)):
            dot = frame[f"run-{key}"].shape
            assert (dot["cx"], dot["cy"]) == pytest.approx(stage.plot.at(budget, 1e3 * time), abs=0.3)
    assert ("run-gap" in drawn[-1]) == (params["how"] == ALONE)
    if params["how"] == ALONE:
        said = SCENE.say(chapter.states[-1])
        assert all(drawn[-1][f"run-{key}"].read.split(": ")[1] in said for key in ("gap", "first"))


def test_dots_say_which_wait_they_stand_for():
    last = SCENE.run(how=ALONE).chapters[2].states[-1]
    said = [marks(last)[key].read.split(":")[0] for key in ("here-gap", "here-first", "run-gap")]
    assert said == ["longest gap", "first token", "in chunks of 480, longest gap"]
