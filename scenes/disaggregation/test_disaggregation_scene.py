"""Check what the reader meets: lanes that keep to one scale of time, playheads, short words."""

import re
from itertools import pairwise

import numpy as np
import pytest

from loom.draw import significant
from loom.scene import WIDTHS
from scenes.disaggregation.case import NAMES
from scenes.disaggregation.lanes import ARRIVALS, SHOWN
from scenes.disaggregation.model import LINKS
from scenes.disaggregation.scene import SCENE
from scenes.disaggregation.stage import GROUPS, NARROW, WIDE
from scenes.disaggregation.timeline import LETTERS

GRID = list(SCENE.grid())
SOME = [*GRID[::23], GRID[-1]]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def right(mark):
    return mark.shape["x"] + mark.shape["width"]


def test_page_opens_with_the_waits_of_all_three_ways_and_those_that_are_too_long_are_red():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert drawn["answer"].text == "7.47\u00a0ms"
    told = [drawn[f"longest-{way}"] for way in GROUPS]
    assert [mark.text for mark in told] == [f"{time}\u00a0ms at most" for time in ("70.4", "9.40", "7.47")]
    assert ["dropped" in mark.role for mark in told] == [True, False, False]


@pytest.mark.parametrize("width", WIDTHS)
def test_all_three_ways_have_the_same_time_and_prompts_and_stay_on_the_stage(width):
    for state in SCENE.run().steps[2 : 5 if width == "wide" else 3]:
        drawn = marks(state, width)
        for lanes in GROUPS.values():
            assert all(f"lane-{lane}" in drawn for lane in lanes)
        starts = [re.findall(r"M([\d.]+)", drawn[f"come-{way}"].shape["d"]) for way in GROUPS]
        assert len(starts[0]) == len(ARRIVALS) and starts[0] == starts[1] == starts[2]
        letters = [{key[-8] for key in drawn if key.startswith(lanes) and key.endswith("-letter")}
                   for lanes in GROUPS.values()]  # fmt: skip
        assert letters == [set(LETTERS)] * 3


def test_on_a_phone_the_chart_comes_when_caches_travel_in_place_of_what_does_not_travel():
    heights = set[float]()
    for step, state in enumerate(SCENE.run().steps):
        drawn = marks(state, "narrow")
        assert ("length" in drawn or "pace" in drawn) == (step > 2)
        assert [f"lane-{GROUPS[way][0]}" in drawn for way in GROUPS] == [step < 3, step < 3, True]
        heights |= {drawn["lane-link"].shape["y"]}
        assert min(drawn[key].shape["height"] for key in drawn if key.startswith("lane-")) >= 20
        lines = [mark.shape["y"] for key, mark in drawn.items() if key.startswith("answer-words")]
        assert len(lines) <= 2
    assert len(heights) == 1  # what stays, stays where it is


@pytest.mark.parametrize("link", LINKS)
def test_on_a_phone_every_step_names_the_link(link):
    for state in SCENE.run(link=link).steps:
        assert marks(state, "narrow")["title-apart"].text == f"apart, over {NAMES[link]}"


@pytest.mark.parametrize("link", LINKS)
def test_short_waits_behind_a_slow_link_are_told_to_be_those_of_few_newcomers(link):
    state = chapter("apart", link=link).states[-1]
    drawn, said = marks(state), SCENE.say(state)
    come = sum(right(drawn[key]) < WIDE.right - 0.01 for key in drawn if re.fullmatch("link-[A-E]", key))
    assert ("prompt D has to queue" in said) == (come == len(ARRIVALS))
    verb = "comes" if come == 1 else "come"
    assert (f"only {come} of 5 caches {verb} over the link in time" in said) == (0 < come < len(ARRIVALS))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_a_prefill_is_as_wide_in_all_lanes_and_a_transfer_as_its_time(params, width):
    steps = SCENE.run(**params).steps
    drawn, stage, case = marks(steps[2], width), STAGES[width], steps[2].result
    together = marks(steps[0], width)
    unit = (stage.right - stage.left) / SHOWN
    for at, letter in enumerate(LETTERS):
        assert together[f"whole-{at % 2}-{letter}"].shape["width"] == pytest.approx(unit)
        assert drawn[f"chunks-{at % 2}-{letter}"].shape["width"] > 0.999 * unit or letter == "E"
        assert drawn[f"prefill-{letter}"].shape["width"] == pytest.approx(unit)
    assert drawn["prefill-A"].shape["x"] == pytest.approx(stage.x(ARRIVALS[0]))
    sent = drawn["link-A"]
    assert sent.shape["x"] == pytest.approx(right(drawn["prefill-A"]))
    wide = min(unit * case.sending / case.prompt.prefill, stage.right - sent.shape["x"])
    assert sent.shape["width"] == pytest.approx(wide)


def runs(drawn, lane):
    return sorted((mark.shape["x"], right(mark)) for key, mark in drawn.items()
                  if key.startswith(f"{lane}-") and mark.role == "work")  # fmt: skip


@pytest.mark.parametrize("params", SOME, ids=str)
def test_decoding_stops_for_whole_prompts_and_neither_in_chunks_nor_apart(params):
    whole, _, apart, *_ = (marks(state) for state in SCENE.run(**params).steps)
    found = runs(whole, "whole-0")
    assert len(found) == 4 and all(end < start for (_, end), (start, _) in pairwise(found))
    for lane in ("chunks-0", "decode"):
        ((_, end),) = runs(apart, lane)
        assert end == pytest.approx(WIDE.right)


def test_tokens_are_late_where_the_gap_passes_the_pace_and_by_so_much():
    case = SCENE.run(pace=10).steps[0].result
    late = marks(SCENE.run(pace=10).steps[0])["whole-0-late"].shape["d"]
    assert len(late.split("M")) - 1 == 3  # prompts A, C and E
    x = np.array(re.findall(r"-?[\d.]+", late), dtype=float).reshape(-1, 2)[:, 0]
    unit = (WIDE.right - WIDE.left) / (SHOWN * case.prompt.prefill)
    assert x.max() - x[x > x.max() - 100].min() == pytest.approx((case.whole.longest - 0.01) * unit, rel=0.02)
    assert "whole-0-late" not in marks(SCENE.run(pace=100).steps[0])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", GROUPS)
def test_cover_gives_way_to_the_playhead_until_all_is_seen(name, width):
    states, box = chapter(name).states, STAGES[width].group(GROUPS[name])
    covers = [marks(state, width).get(f"future-{name}") for state in states]
    assert covers[-1] is None and all(right(one) == pytest.approx(box.right + 1) for one in covers[:-1])
    lefts = [one.shape["x"] for one in covers[:-1]]
    assert lefts == sorted(lefts) and len({round(b - a, 6) for a, b in pairwise(lefts)}) == 1
    assert all(one.role == "cell steady" for one in covers[:-1])


def test_longest_wait_is_told_when_the_token_that_ends_it_has_come():
    states = chapter("whole").states
    told = [marks(state)["answer"].text for state in states]
    assert told[0] == "5.76\u00a0ms" and told[-1] == "70.4\u00a0ms"
    first = told.index(next(words for words in told if words != told[0]))
    assert (first + 1) / len(states) * SHOWN > ARRIVALS[0] + 1


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_of_prompts_lie_over_the_ends_of_steps(width):
    drawn = marks(chapter("chunks").states[-1], width)
    keys = [*drawn]
    for lane in GROUPS["chunks"]:
        letters = [key for key in keys if key.startswith(lane) and key.endswith("-letter")]
        assert letters
        assert min(map(keys.index, letters)) > keys.index(f"{lane}-steps")
        assert all("halo" in drawn[key].role for key in letters)


def test_lanes_apart_are_empty_until_their_chapter():
    drawn = marks(chapter("whole").states[-1])
    assert "prefill-A" not in drawn and "lane-prefill" in drawn and "longest-apart" not in drawn
    assert "chunks-0-A" not in drawn and "lane-chunks-0" in drawn and "longest-chunks" not in drawn


@pytest.mark.parametrize(("prompt", "pace", "pays"), [(2048, 10, False), (2048, 100, False), (32_768, 10, True),
                                                      (32_768, 30, False)])  # fmt: skip
def test_large_number_is_apart_over_the_better_way_together(prompt, pace, pays):
    state = SCENE.run(prompt=prompt, pace=pace).steps[4]
    one, other, apart = state.result.served
    answer = marks(state)["answer"].text
    assert answer == f"{apart / max(one, other):.2f}×" and (float(answer[:-1]) > 1) == pays


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_each_way_is_counted_when_its_curve_comes_and_then_what_is_gained(params, width):
    states = chapter("pays", **params).states
    served, ways = states[0].result.served, ("whole", "in chunks", "apart")
    for come, drawn in enumerate(marks(state, width) for state in states):
        named = [f"name-{way}" in drawn for way in ways]
        assert named == [at <= come for at in range(3)]
        dashes = [str(drawn[f"served-{way}"].shape.get("stroke-dasharray", "100 0")) for way in ways]
        assert [float(one.split()[0]) > 99 for one in dashes] == named and ("pace" in drawn) == (come > 1)
        assert come == len(ways) or drawn["answer"].text == significant(served[come])


@pytest.mark.parametrize("params", [{"pace": 8}, {"pace": 100}, {"prompt": 512}, {"link": "10gbe"}], ids=str)
def test_every_control_acts_on_every_step(params):
    for plain, other in zip(SCENE.run().steps, SCENE.run(**params).steps, strict=True):
        assert marks(plain) != marks(other), plain.phase


def test_a_pace_that_nobody_keeps_is_said_to_be_none():
    state = SCENE.run(prompt=131_072, pace=8).steps[4]
    assert marks(state)["answer"].text == "0" and "can’t be had" in SCENE.say(state)


def test_words_tell_whether_the_link_keeps_up():
    assert "hides the copy" in SCENE.say(SCENE.run().steps[3])
    assert "caches queue" in SCENE.say(SCENE.run(link="10gbe").steps[3])


def test_table_has_the_four_models_at_the_prompt_and_link():
    table = SCENE.run(prompt=8192, link="100gbe").table
    assert [row[0] for row in table.rows] == ["Llama 3 8B, BF16", "Llama 3 70B, BF16", "gpt-oss-120b", "DeepSeek-V3"]
    values = SCENE.run(prompt=8192, link="100gbe").values
    assert str(values["transfer_70b"]) == "215\u00a0ms" and str(values["queue_2"]) == "112.5\u00a0ms"


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_shows_at_least_two_digits_of_every_number(params):
    table = SCENE.run(**params).table
    assert [column.unit for column in table.columns[1:]] == ["MB", "ms", "ms", "%", "GB/s"]
    for row in table.rows:
        for column, cell in list(zip(table.columns, row, strict=True))[1:]:
            assert 0 < cell < 200_000 and cell == pytest.approx(round(cell, column.digits), rel=0.05)


def test_table_holds_all_digits_of_the_values():
    run = SCENE.run(prompt=8192, link="100gbe")
    row, found = run.table.rows[0], {name: float(one.value) for name, one in run.values.items()}
    wanted = (found["cache_8b"] / 1e6, 1e3 * found["prefill_8b"], 1e3 * found["transfer_8b"],
              100 * found["transfer_8b"] / found["prefill_8b"], found["hides_8b"] / 1e9)  # fmt: skip
    assert row[1:] == pytest.approx(wanted)


def test_no_two_stretches_of_a_lane_say_the_same():
    drawn = marks(SCENE.run().steps[-1])
    for lane in ("whole-0", "whole-1", "chunks-0", "chunks-1", "prefill"):
        said = [drawn[f"{lane}-{letter}"].read for letter in LETTERS if f"{lane}-{letter}" in drawn]
        assert len(said) == len({*said}) >= 2
