"""Check what the reader meets: boxes that are tokens, a queue that is counted, a knob on its curve, and words."""

import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.continuous_batching.model import CONTINUOUS, POLICIES, SPAN, STATIC
from scenes.continuous_batching.narration import STREAM, clock
from scenes.continuous_batching.queueing import LOADS, limit
from scenes.continuous_batching.scene import SCENE
from scenes.continuous_batching.stage import NARROW, QUEUED, STEPS, WIDE
from tests.boxes import answer_lines, touching

EXTREMES = [{"policy": policy, "load": load} for policy in POLICIES for load in (5, 45, 60, 95, 100, 120)]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def states(**params):
    return [state for one in SCENE.run(**params).chapters for state in one.states]


def test_page_opens_with_a_queue_that_never_empties_while_slots_are_idle():
    state = SCENE.run().steps[SCENE.opening]
    drawn = marks(state)
    assert drawn["answer"].text == "no end" and answer_lines(drawn)[0] == "the queue never empties:"
    assert "held" in drawn and SCENE.run().values["limit"].value < 60 == state.result.load
    assert marks(SCENE.run(policy=CONTINUOUS).steps[-1])["answer"].text.startswith("19")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("width", WIDTHS)
def test_boxes_of_the_eight_are_as_long_as_their_tokens(policy, width):
    stage, state = STAGES[width], SCENE.run(policy=policy).steps[2]
    drawn, unit = marks(state, width), stage.slots.width / STEPS
    for name, one in zip("ABCDEFGH", state.result.eight.served, strict=True):
        assert drawn[f"run-{name}"].shape["width"] == pytest.approx(one.tokens * unit, abs=4.5)
        assert drawn[f"run-{name}"].shape["y"] == stage.slot(one.slot).y
        assert (f"wait-{name}" in drawn) == (one.wait > 0)
        parts = [drawn.get(f"each-{name}-{part}") for part in ("wait", "run", "held")]
        ends = [bounds(part)[2] for part in parts if part]
        long = max(ends) - stage.each.x
        assert long == pytest.approx(one.latency * stage.each.width / 12, abs=5.1)  # hatching ends where a line does


@pytest.mark.parametrize("params", EXTREMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_area_of_the_stream_is_its_tokens_and_height_of_the_queue_who_waits(params, width):
    stage, state = STAGES[width], SCENE.run(**params).steps[-1]
    drawn, case = marks(state, width), state.result
    area = 0.0
    for part in drawn["work"].shape["d"].split("M")[1:]:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", part)]
        area += (max(numbers[::2]) - min(numbers[::2])) * (max(numbers[1::2]) - min(numbers[1::2]))
    boxes = len(drawn["work"].shape["d"].split("M")) - 1
    heights = stage.slot(0).height
    whole = 4 * stage.slots.width * heights
    assert area / whole == pytest.approx(case.stream.used(SPAN) / 100, abs=0.01 + boxes / whole * heights)
    top = bounds(drawn["waiting"])[1]
    most = max((waiting for time, waiting in case.stream.queue if time < SPAN), default=0)
    assert stage.queue.bottom - top == pytest.approx(min(most, QUEUED) * stage.queue.height / QUEUED, abs=0.5)
    assert ("more" in drawn) == (case.stream.waiting(SPAN) > QUEUED)


@pytest.mark.parametrize("params", EXTREMES)
def test_time_only_goes_on_in_each_half_of_the_story(params):
    told = states(**params)
    for half in (False, True):
        times = [clock(state) for state in told if state.since(STREAM) == half]
        assert times == sorted(times) and times[0] > 0
    assert times[-1] == SPAN
    assert sum(one.times[-1] for one in SCENE.run(**params).chapters) < 12


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_knob_rises_along_the_curve_and_stays_at_the_top_beyond_the_limit(policy, width):
    stage = STAGES[width]
    knob = marks(SCENE.run(policy=policy).steps[-1], width)["load"]
    heights = [y for _, y in knob.handle.rail]
    assert heights == sorted(heights, reverse=True) and len(heights) == len(LOADS)
    for load, (_, y) in zip(LOADS, knob.handle.rail, strict=True):
        if load >= limit(policy):
            assert y == stage.plot_box.y


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("load", LOADS[::4])
def test_a_wait_without_end_has_an_arrow_out_of_the_chart(policy, load, width):
    drawn = marks(SCENE.run(policy=policy, load=load).steps[-1], width)
    assert ("endless" in drawn) == ("endless-name" in drawn) == (load >= limit(policy))
    if "endless" in drawn:
        left, top, right, bottom = bounds(drawn["endless"])
        assert (left + right) / 2 == pytest.approx(drawn["load"].shape["cx"], abs=0.5)
        assert top < bottom < STAGES[width].plot_box.y


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_names_of_the_policies_keep_away_from_the_limits(policy, width):
    mine = SCENE.run(policy=policy, load=30).steps[-1]
    drawn, pen = marks(mine, width), STAGES[width]
    walls = [drawn[f"limit-{one}"].shape["x1"] for one in POLICIES]
    for one in POLICIES:
        name = drawn[f"name-{one}"]
        left = name.shape["x"] - pen.text_width(one, strong="strong" in name.role)
        assert not any(left - 2 < wall < name.shape["x"] + 2 for wall in walls)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_no_text_touches_another(params, width):
    for state in states(**params):
        assert not touching(SCENE.draw(state, WIDTHS[width])), state.phase


@pytest.mark.parametrize("params", EXTREMES)
def test_words_quote_the_numbers_and_stay_short(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    assert all(len(words) <= 190 and words.endswith(".") for words in said) and len(set(said)) == len(said)
    assert str(run.values["used"]) in said[1] and str(run.values["latency"]) in said[2]
    case = run.result
    assert ("queue never empties" in said[-1]) == case.endless == (case.load >= case.limit)
    if case.policy == STATIC:
        assert "48.1%" in said[-1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("load", LOADS[::4])
def test_load_can_be_set_and_answers_also_while_eight_requests_are_looked_at(policy, load, width):
    for state in SCENE.run(policy=policy, load=load).steps[:3]:
        drawn, rail = marks(state, width), STAGES[width].outlook
        knob, served = drawn["load"], drawn["outlook-served"].shape["width"]
        assert knob.handle.params == ("load",) and len(knob.handle.rail) == len(LOADS)
        assert knob.shape["cx"] == pytest.approx(rail.x + rail.width * load / 125)
        assert (knob.shape["cx"] >= rail.x + served) == (load >= limit(policy))
        assert ("no end" in drawn["outlook"].text and "wait" not in drawn["outlook"].text) == (load >= limit(policy))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("load", LOADS[::4])
def test_load_from_which_the_queue_has_no_end_can_not_be_read_before_it_has_been_guessed(policy, load, width):
    for state in SCENE.run(policy=policy, load=load).steps[:3]:
        drawn = marks(state, width)
        for key in ("outlook", "outlook-served", "outlook-endless"):
            assert "answer" in drawn[key].role.split(), key
        assert "answer" not in drawn["answer"].role.split()  # who of the eight has waited is not asked
        assert "answer" not in drawn["outlook-rail"].role.split()


@pytest.mark.parametrize("width", WIDTHS)
def test_limits_come_in_the_chapter_that_tells_of_them(width):
    *_, stream, load = SCENE.run().chapters
    told = {"limit", *(f"limit-{policy}" for policy in POLICIES)}
    assert not told & set(marks(stream.states[-1], width)) and told <= set(marks(load.states[-1], width))


@pytest.mark.parametrize("params", EXTREMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_what_has_not_happened_looks_as_an_empty_room(params, width):
    for state in states(**params):
        drawn = marks(state, width)
        for story, room in ((key.split("-")[0], key.split("-")[-1]) for key in drawn if "future" in key):
            cover, whole = drawn[f"{story}-future-{room}"], drawn[room]
            assert cover.role == f"{whole.role} steady"
            assert [cover.shape[name] for name in ("y", "height")] == [whole.shape[name] for name in ("y", "height")]
            right = cover.shape["x"] + cover.shape["width"]
            assert right == pytest.approx(whole.shape["x"] + whole.shape["width"])


@pytest.mark.parametrize("policy", POLICIES)
def test_answer_names_those_who_have_waited(policy):
    for chapter in SCENE.run(policy=policy).chapters[:2]:
        for state in chapter.states:
            drawn, now = marks(state), clock(state)
            late = [name for name in "ABCDEFGH" if (mark := drawn.get(f"wait-{name}")) and
                    mark.shape["x"] < WIDE.x(now, STEPS) - 0.5]  # fmt: skip
            assert drawn["answer"].text == (", ".join(late) or "nobody")


def test_each_story_has_its_own_cover_so_that_none_sweeps_back_over_what_is_new():
    for policy in POLICIES:
        covers = [
            {key for key in marks(chapter.states[0]) if "future" in key}
            for chapter in SCENE.run(policy=policy).chapters
        ]
        eight, *_, stream = covers
        assert eight and stream and not eight & stream


@pytest.mark.parametrize("width", WIDTHS)
def test_playhead_crosses_no_words(width):
    for state in states():
        drawn = SCENE.draw(state, WIDTHS[width])
        [now] = [mark for mark in drawn if mark.key in ("eight-now", "stream-now")]
        places = [tuple(map(float, one)) for one in re.findall(r"([\d.]+) ([\d.]+)", now.shape["d"])]
        for words in (mark for mark in drawn if mark.key in ("queue-words", "slots-words")):
            left, top, right, bottom = bounds(words)
            for (x, start), (_, end) in zip(places[::2], places[1::2], strict=True):
                assert not (left < x < right and start < bottom - 4 and end > top + 4)


def test_slots_that_are_busy_in_this_stretch_are_told_apart_from_the_mean():
    stream = next(one for one in SCENE.run(policy="continuous", load=60).chapters if one.name == "stream")
    assert SCENE.say(stream.states[-1]).endswith("60% of what 4 slots could give. In this stretch 65% are busy.")
