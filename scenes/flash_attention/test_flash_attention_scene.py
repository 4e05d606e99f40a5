"""Check what the reader meets: the map, the memory on the chip, the two counts, the chart and its knob."""

import itertools
import json

import pytest

from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.flash_attention import measured
from scenes.flash_attention.drawing import hatched
from scenes.flash_attention.model import KIB, Case, bound_bytes
from scenes.flash_attention.narration import amount, doublings, place, so_far
from scenes.flash_attention.scene import DIMS, SCENE, TOKENS
from scenes.flash_attention.stage import MEMORIES, NARROW, WIDE
from tests.boxes import answer_lines, beneath, box, overlap

EXTREMES = [dict(zip(("tokens", "dim", "causal", "memory"), one, strict=True))
            for one in itertools.product(TOKENS, DIMS, (False, True), (16, 64, 224))]  # fmt: skip


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def test_page_opens_with_the_whole_count_done_and_the_answer_in_it():
    state = SCENE.run().steps[SCENE.opening - 1]
    drawn = marks(state)
    assert (state.phase, drawn["answer"].text) == ("rest", "3.8×")
    assert (drawn["stored-value"].text, drawn["in tiles-value"].text) == ("8.91\u00a0MB", "2.36\u00a0MB")
    assert round(8_912_896 / 2_363_392, 1) == 3.8


def test_tiles_that_are_too_small_move_more_than_a_stored_matrix_and_the_answer_says_so():
    run = SCENE.run(tokens=8192, dim=128, memory=16)
    drawn = marks(run.steps[-1])
    assert run.values["times"].value < 1
    assert drawn["answer"].text == "3.9×"
    assert answer_lines(drawn)[0].startswith("as many bytes")
    assert "3.9 times as many as" in SCENE.say(run.steps[2])


@pytest.mark.parametrize("params", EXTREMES)
def test_tiles_run_through_the_map_one_row_after_the_other_and_the_counter_grows(params):
    seen, counts = [], []
    for name in ("row", "rest"):
        for state in chapter(name, **params).states:
            seen.append(place(state))
            counts.append(so_far(state))
    assert seen == sorted(seen)
    assert counts == sorted(counts)
    case = SCENE.run(**params).result
    assert seen[-1] == (case.side - 1, case.counts[case.order[-1]])
    assert counts[-1] == case.tiled


def test_first_row_takes_its_tiles_one_a_beat_while_queries_and_sums_stay():
    states = chapter("row").states
    drawn = [marks(state) for state in states]
    assert len(states) == 8
    width = WIDE.map.width / 8
    assert [one["tile"].shape["x"] for one in drawn] == pytest.approx([WIDE.map.x + at * width for at in range(8)])
    assert len({one["now-Q"].shape["y"] for one in drawn}) == 1
    assert {one["chip-Q stays-what"].text for one in drawn} == {"rows 0–127"}
    assert drawn[2]["chip-K passes-what"].text == "keys 256–383"
    assert drawn[2]["chip-m, l, O stay-what"].text == "3 of 8 summed"


@pytest.mark.parametrize("width", WIDTHS)
def test_words_on_the_filled_quarters_of_the_memory_are_in_full_ink(width):
    words = {key: mark for key, mark in marks(SCENE.run().steps[SCENE.opening - 1], width).items()
             if key.startswith("chip-") and key.endswith("-what")}  # fmt: skip
    assert len(words) == 4
    assert {mark.role for mark in words.values()} == {"label"}  # softer ink on a soft fill is not legible


def test_stored_scores_and_weights_fill_the_map_of_a_plain_program_and_nothing_of_the_tiled_one():
    last = marks(chapter("plain").states[-1])
    assert last["weights"].shape["height"] == WIDE.map.height
    for state in (*chapter("row").states, *chapter("rest").states):
        assert not {"scores", "weights"} & marks(state).keys()


def test_plain_counter_grows_with_each_kernel_to_the_whole():
    bars = [marks(state)["stored-bar"].shape["width"] for state in chapter("plain").states]
    assert bars == sorted(bars)
    assert len(set(bars)) == 6
    assert marks(chapter("plain").states[-1])["stored-value"].text == amount(SCENE.run().result.plain)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_bars_have_the_lengths_of_their_bytes(params, width):
    state = SCENE.run(**params).steps[2]
    drawn, case = marks(state, width), state.result
    stored, tiled = (drawn[f"{name}-bar"].shape["width"] for name in ("stored", "in tiles"))
    assert stored / tiled == pytest.approx(case.plain / case.tiled)
    assert drawn["in tiles-once"].shape["width"] / tiled == pytest.approx(case.once / case.tiled)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_knob_stands_at_its_memory_and_where_there_is_a_chart_on_its_count(params, width):
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        knob = drawn["memory"]
        here = knob.handle.rail[MEMORIES.index(params["memory"])]
        assert here == (knob.shape["cx"], knob.shape["cy"])
        assert ("count" in drawn) == (width == "wide" or state.phase == "bound")
        if "count" in drawn:
            counts = [SCENE.run(**{**params, "memory": memory}).result.tiled for memory in MEMORIES]
            heights = [y for _, y in knob.handle.rail]
            order = sorted(range(len(counts)), key=counts.__getitem__)
            assert [heights[at] for at in order] == sorted(heights, reverse=True)


def test_hatching_covers_the_skipped_tiles_and_no_other():
    case = SCENE.run(causal=True).result
    edge = WIDE.map.width / case.side
    lines = hatched(WIDE.map, case)
    rows = set()
    for (x1, y1), (x2, y2) in lines:
        for share in (0.001, 0.25, 0.5, 0.75, 0.999):
            row = int((y1 + share * (y2 - y1) - WIDE.map.y) / edge)
            column = int((x1 + share * (x2 - x1) - WIDE.map.x) / edge)
            assert 0 <= row < column < case.side
            rows.add(row)
    assert rows == set(range(case.side - 1))


def test_mask_is_told_where_it_spares_tiles():
    assert "28 of 64 tiles" in SCENE.say(SCENE.run(causal=True).steps[2])
    assert "skipped" in marks(SCENE.run(causal=True).steps[2])
    assert "skipped" not in marks(SCENE.run().steps[2])
    assert "tiles hold" not in SCENE.say(SCENE.run().steps[2])


@pytest.mark.parametrize("params", EXTREMES)
def test_words_quote_the_counts_in_the_picture(params):
    run = SCENE.run(**params)
    assert marks(run.steps[2])["in tiles-value"].text in SCENE.say(run.steps[2])


def test_play_lasts_no_longer_than_twenty_seconds_of_beats():
    for params in EXTREMES:
        assert sum(one.times[-1] for one in SCENE.run(**params).chapters) <= 16


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_on_the_bars_where_the_counters_say(width):
    told = json.loads((FOLDER / "h100/attention.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == "bytes")
    counted = {one["at"]["method"]: one["median"] for one in points}
    state = chapter("rest", tokens=8192, dim=128, memory=64).states[-1]
    drawn = marks(state, width)
    bar = drawn["stored-bar"].shape
    unit = bar["width"] / state.result.plain
    for name, method in (("stored", "materialised"), ("in tiles", "flash")):
        ring = drawn[f"{name}-measured"].shape
        assert ring["cx"] == pytest.approx(bar["x"] + counted[method] / 16 * unit)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("memory", MEMORIES)
def test_no_ring_lies_on_a_number(memory, width):
    states = [state for one in SCENE.run(tokens=8192, dim=128, memory=memory).chapters for state in one.states]
    for drawn in (marks(state, width) for state in states):
        rings = [box(mark) for key, mark in drawn.items() if key.endswith("-measured")]
        words = [mark for mark in drawn.values() if mark.tag == "text"]
        assert not [word.text for ring in rings for word in words if overlap(ring, box(word), slack=0)]
        assert all(box(word)[2] <= WIDTHS[width] for word in words)


def test_only_what_was_measured_has_rings():
    for other in ({"tokens": 1024}, {"dim": 64}, {"causal": True}):
        params = {"tokens": 8192, "dim": 128, "causal": False} | other
        assert "stored-measured" not in marks(chapter("rest", **params).states[-1])


def test_scene_draws_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    measured.found.cache_clear()
    run = SCENE.run(tokens=8192, dim=128, memory=80)
    assert not any(name.startswith("measured") for name in run.values)
    assert not any("measured" in key for key in marks(run.steps[-2]))
    measured.found.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_answer_comes_only_when_its_bytes_have_moved_and_compares_when_both_ways_have(width):
    told = {}
    for name in ("plain", "row", "rest", "bound"):
        *before, last = [marks(state, width) for state in chapter(name).states]
        assert name == "bound" or not any("answer" in drawn for drawn in before)
        told[name] = last["answer"].text, last["answer"].role.split()[0]
    case = SCENE.run().result
    assert told["plain"] == (amount(case.plain), "dropped") and told["row"] == (amount(case.moved(1, 0)), "value")
    assert told["rest"] == told["bound"] == ("3.8×", "value")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_map_says_when_all_is_done_how_large_a_matrix_was_never_stored(params, width):
    run = SCENE.run(**params)
    for state in (state for one in run.chapters for state in one.states):
        done = state.phase != "plain" and so_far(state) == run.result.tiled
        assert ("never" in marks(state, width)) == (done and run.result.side > 2)
    if run.result.side > 2:
        assert amount(run.result.matrix) in marks(run.steps[-1], width)["never"].text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dim", DIMS)
def test_numbers_and_names_keep_clear_of_the_knob(dim, width):
    for memory in MEMORIES:
        for state in SCENE.run(tokens=TOKENS[-1], memory=memory, dim=dim).steps:
            assert not beneath(marks(state, width), "memory", rim=7), (memory, state.phase)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("memory", [16, 64, 224])
def test_dots_run_along_the_count_and_the_bound_as_the_memory_doubles(memory, width):
    chapter = next(one for one in SCENE.run(memory=memory).chapters if one.name == "bound")
    *frames, last = [marks(state, width) for state in chapter.states]
    case, stage = chapter.states[0].result, {"narrow": NARROW, "wide": WIDE}[width]
    memories = doublings(case)
    assert memories[0] == MEMORIES[0] * KIB and memories[-1] == case.memory
    assert len(frames) == (len(memories) if memory > 16 else 0)
    for frame, some in zip(frames, memories, strict=False):
        moved = {"run-count": Case(case.tokens, case.dim, some, case.causal).tiled,
                 "run-bound": bound_bytes(case.tokens, case.dim, some)}  # fmt: skip
        for key, size in moved.items():
            dot = frame[key].shape
            assert (dot["cx"], dot["cy"]) == pytest.approx(stage.plot(case).at(some / KIB, size))
        assert frame["answer"].text == last["answer"].text
    assert "run-count" not in last
