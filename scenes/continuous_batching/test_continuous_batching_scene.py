"""Check what the reader meets: boxes that are tokens, a queue that is counted, a knob on its curve, and words."""

import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.continuous_batching.case import FEW, STREAM
from scenes.continuous_batching.model import CONTINUOUS, EIGHT, POLICIES, SPAN, STATIC
from scenes.continuous_batching.narration import clock
from scenes.continuous_batching.queueing import LOADS, limit
from scenes.continuous_batching.scene import SCENE
from scenes.continuous_batching.stage import NARROW, QUEUED, STEPS, WIDE
from tests.boxes import answer_lines, beneath

LOADED = (5, 45, 60, 95, 100, 120)
FLOWS = [{"traffic": STREAM, "policy": policy, "load": load} for policy in POLICIES for load in LOADED]
EXTREMES = [*({"policy": policy} for policy in POLICIES), *FLOWS]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def states(**params):
    return [state for one in SCENE.run(**params).chapters for state in one.states]


def test_page_opens_with_eight_requests_and_a_stream_has_a_queue_that_never_empties_while_slots_are_idle():
    opened = marks(SCENE.run().steps[SCENE.opening])
    assert opened["answer"].text == "8.5 steps" and "held" in opened
    state = SCENE.run(traffic=STREAM).steps[-1]
    drawn = marks(state)
    assert drawn["answer"].text == "no end" and answer_lines(drawn)[0] == "the queue never empties:"
    assert "held" in drawn and SCENE.run().values["limit"].value < 60 == state.result.load
    assert marks(SCENE.run(traffic=STREAM, policy=CONTINUOUS).steps[-1])["answer"].text.startswith("19")


def test_the_load_can_be_set_only_where_it_changes_the_picture():
    assert all("load" not in marks(state) for state in states())
    assert SCENE.resting({"traffic": FEW, "load": 95}) == SCENE.defaults
    drawn = [marks(SCENE.run(traffic=STREAM, load=load).steps[-1]) for load in LOADS]
    assert all("load" in one for one in drawn) and len({one["waiting"].shape["d"] for one in drawn}) == len(LOADS)


def holders(policy):
    """For whom each of the eight waits before it has a slot, and after it is done; from the steps alone."""
    served = dict(zip("ABCDEFGH", POLICIES[policy](EIGHT), strict=True))
    before, after = {}, {}
    for name, one in served.items():
        ended = [other for other, its in served.items() if its.end == one.start == its.free]
        mine = [other for other in ended if served[other].slot == one.slot]
        if one.wait:
            before[name] = (mine or ended)[0]
        if one.free > one.end:
            [after[name]] = [other for other, its in served.items() if its.start == one.start and its.end == one.free]
    return before, after


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_who_waits_says_for_whom(policy, width):
    drawn = marks(SCENE.run(policy=policy).steps[-1], width)
    before, after = holders(policy)
    said = {key[5:-5]: mark.text for key, mark in drawn.items() if key.endswith("-whom")}
    assert said == {name: f"for {other}" for name, other in before.items()}
    said = {key[5:]: mark.text for key, mark in drawn.items() if key.startswith("held-")}
    assert said == {name: f"for {other}" for name, other in after.items()} and bool(after) == (policy == STATIC)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_rooms_of_the_eight_end_with_the_last_answer(policy, width):
    stage = STAGES[width]
    for state in SCENE.run(policy=policy).steps:
        drawn, end = marks(state, width), stage.x(state.result.eight.steps, STEPS)
        for room in ("queue", "slots"):
            assert bounds(drawn[room])[2] == pytest.approx(end, abs=1)
        assert ("sooner" in drawn) == (state.result.eight.steps < STEPS)


@pytest.mark.parametrize("policy", POLICIES)
def test_each_request_is_set_beside_what_the_other_policy_makes_of_it(policy):
    other = CONTINUOUS if policy == STATIC else STATIC
    drawn = marks(SCENE.run(policy=policy).steps[-1])
    places = sorted({float(x) for x in re.findall(r"M([\d.]+)", drawn["contrast"].shape["d"])})
    unit, latencies = WIDE.each.width / 12, sorted({one.latency for one in POLICIES[other](EIGHT)})
    assert places == pytest.approx([WIDE.each.x + latency * unit for latency in latencies], abs=0.1)
    assert str(SCENE.run(policy=other).values["latency"]) in drawn["contrast-words"].text


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


@pytest.mark.parametrize("params", FLOWS)
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
def test_time_only_goes_on(params):
    times = [clock(state) for state in states(**params)]
    assert times == sorted(times) and times[0] > 0
    assert times[-1] == (SPAN if "traffic" in params else SCENE.run(**params).result.eight.steps)
    assert sum(one.times[-1] for one in SCENE.run(**params).chapters) < 12


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_knob_rises_along_the_curve_and_stays_at_the_top_beyond_the_limit(policy, width):
    stage = STAGES[width]
    knob = marks(SCENE.run(traffic=STREAM, policy=policy).steps[-1], width)["load"]
    heights = [y for _, y in knob.handle.rail]
    assert heights == sorted(heights, reverse=True) and len(heights) == len(LOADS)
    for load, (_, y) in zip(LOADS, knob.handle.rail, strict=True):
        if load >= limit(policy):
            assert y == stage.plot_box.y


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("load", LOADS[::4])
def test_a_wait_without_end_has_an_arrow_out_of_the_chart(policy, load, width):
    drawn = marks(SCENE.run(traffic=STREAM, policy=policy, load=load).steps[-1], width)
    assert ("endless" in drawn) == ("endless-name" in drawn) == (load >= limit(policy))
    if "endless" in drawn:
        left, top, right, bottom = bounds(drawn["endless"])
        assert (left + right) / 2 == pytest.approx(drawn["load"].shape["cx"], abs=0.5)
        assert top < bottom < STAGES[width].plot_box.y


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_names_of_the_policies_keep_away_from_the_limits(policy, width):
    mine = SCENE.run(traffic=STREAM, policy=policy, load=30).steps[-1]
    drawn, pen = marks(mine, width), STAGES[width]
    walls = [drawn[f"limit-{one}"].shape["x1"] for one in POLICIES]
    for one in POLICIES:
        name = drawn[f"name-{one}"]
        left = name.shape["x"] - pen.text_width(one, strong="strong" in name.role)
        assert not any(left - 2 < wall < name.shape["x"] + 2 for wall in walls)


@pytest.mark.parametrize("params", EXTREMES)
def test_words_quote_the_numbers(params):
    run = SCENE.run(**params)
    said = [SCENE.say(state) for state in run.steps]
    if params not in FLOWS:
        assert str(run.values["used"]) in said[1] and str(run.values["latency"]) in said[2]
        return
    case = run.result
    assert ("queue never empties" in said[-1]) == case.endless == (case.load >= case.limit)
    if case.policy == STATIC:
        assert "48.1%" in said[-1]


@pytest.mark.parametrize("width", WIDTHS)
def test_load_from_which_the_queue_has_no_end_can_not_be_read_before_it_has_been_guessed(width):
    run = SCENE.run()
    for state in run.steps:
        drawn, limit_words = marks(state, width), str(run.values["limit"])
        told = [key for key, mark in drawn.items() if limit_words in (mark.text or "")]
        assert told == ["outlook"] and "answer" in drawn["outlook"].role.split()
        assert "answer" not in drawn["answer"].role.split()  # who of the eight has waited is not asked
        assert limit_words not in SCENE.say(state)


@pytest.mark.parametrize("width", WIDTHS)
def test_limits_come_in_the_chapter_that_tells_of_them(width):
    *_, stream, load = SCENE.run(traffic=STREAM).chapters
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
    eight, stream = (
        {key for state in states(traffic=traffic) for key in marks(state) if "future" in key}
        for traffic in (FEW, STREAM)
    )
    assert eight and stream and not eight & stream


@pytest.mark.parametrize("width", WIDTHS)
def test_playhead_crosses_no_words(width):
    for state in (*states(), *states(traffic=STREAM)):
        drawn = SCENE.draw(state, WIDTHS[width])
        [now] = [mark for mark in drawn if mark.key in ("eight-now", "stream-now")]
        places = [tuple(map(float, one)) for one in re.findall(r"([\d.]+) ([\d.]+)", now.shape["d"])]
        for words in (mark for mark in drawn if mark.key in ("queue-words", "slots-words")):
            left, top, right, bottom = bounds(words)
            for (x, start), (_, end) in zip(places[::2], places[1::2], strict=True):
                assert not (left < x < right and start < bottom - 4 and end > top + 4)


def test_slots_that_are_busy_in_this_stretch_are_told_apart_from_the_mean():
    stream = SCENE.run(traffic=STREAM, policy="continuous", load=60).steps[0]
    assert SCENE.say(stream).endswith("60% of what 4 slots could give. In this stretch 65% are busy.")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("policy", POLICIES)
def test_no_words_lie_under_the_knob_at_any_load(policy, width):
    for load in LOADS:
        for state in states(traffic=STREAM, policy=policy, load=load):
            assert not beneath({mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}, "load", rim=6), load
