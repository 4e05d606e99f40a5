"""Check the scene: its contract, its words, and that the picture shows the model's numbers."""

import itertools
import json
import re

import pytest

from loom.draw import count
from loom.draw.extent import bounds
from scenes._silicon.results import FOLDER
from scenes.warp_scheduler import measured
from scenes.warp_scheduler.curve import percent, samples
from scenes.warp_scheduler.model import NOBODY, SLOTS, Load, stretches
from scenes.warp_scheduler.scene import SCENE
from tests.boxes import beneath, box, touching

GRID = list(SCENE.grid())
WIDTHS = (328, 840)


def name(params):
    return "-".join(map(str, params.values()))


def frame(params, phase, width=328, beat=-1):
    chapter = next(one for one in SCENE.run(**params).chapters if one.name == phase)
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], width)}


def test_parameters_are_those_of_the_contract():
    assert {param.name: (tuple(param.values), param.start) for param in SCENE.params} == {
        "warps": (tuple(range(1, 17)), 8),
        "latency": ((20, 100, 400), 400),
        "instructions": ((1, 4, 10, 20), 20),
    }


def test_values_of_the_contract_are_there():
    values = SCENE.run(warps=4, latency=100, instructions=10).values
    assert {name: str(values[name]) for name in ("used", "saturate", "hidden", "period", "cycles")} == {
        "used": "36%",
        "saturate": "11\u00a0warps",
        "hidden": "0",
        "period": "110\u00a0cycles",
        "cycles": "20,000\u00a0cycles",
    }


def test_table_has_a_row_for_each_number_of_warps():
    table = SCENE.run(warps=4, latency=100, instructions=10).table
    assert [column.name for column in table.columns] == ["warps", "used", "idle"]
    assert [row[0] for row in table.rows] == list(range(1, 17))
    assert [table.rows[warps - 1][2] for warps in (1, 2, 4, 8, 16)] == [100, 90, 70, 30, 0]
    assert [f"{table.rows[warps - 1][1]:.1f}" for warps in (1, 2, 4, 8, 16)] == ["9.1", "18.2", "36.4", "72.7", "100.0"]


@pytest.mark.parametrize("params", GRID, ids=name)
def test_narration_differs_from_step_to_step_and_quotes_the_state(params):
    chapters, load = SCENE.run(**params).chapters, Load(**params)
    said = {one.name: SCENE.say(one.states[-1]) for one in chapters}
    assert len(set(said.values())) == len(said) == (4 if load.warps > 1 else 3)
    assert f"{load.latency} cycles" in said["alone"]
    assert f"÷ {load.instructions} = {load.saturate} warp" in said["curve"]
    assert load.saturate * load.instructions == load.period  # so that it is said rightly
    if load.warps > 1:
        assert ("no slot is empty" in said["together"]) == load.hidden


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID[::5], ids=name)
def test_lengths_of_the_used_stretches_are_the_slots_used(params, width):
    marks = frame(params, "curve", width)
    load = SCENE.run(**params).result
    bars = [mark.shape["width"] for key, mark in marks.items() if re.fullmatch(r"used-\d+", key)]
    left, _, right, _ = bounds(marks["lane"])
    full = right - left
    drawn_wider = 1.2 * len(bars) / full  # a single cycle of many is drawn wider than it is
    share = sum(bars) / full
    assert share == pytest.approx(float((load.issued(2 * load.turn) != NOBODY).mean()), abs=drawn_wider + 0.01)
    assert (marks["empty"].shape["d"] == "M0 0") == load.hidden


def test_first_step_shows_one_warp_however_many_are_chosen():
    marks = frame({"warps": 16, "latency": 100, "instructions": 10}, "alone")
    assert {key.split("-")[1] for key in marks if key.startswith("run-")} == {"0"}


def test_one_warp_has_nobody_to_take_turns_with():
    assert [one.name for one in SCENE.run(warps=1).chapters] == ["alone", "curve", "machine"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("phase", ["alone", "together"])
def test_playhead_goes_evenly_to_the_end_and_what_lies_before_it_is_covered(phase, width):
    places = []
    for beat in range(len(next(one for one in SCENE.run().chapters if one.name == phase).states)):
        marks = frame({}, phase, width, beat)
        places.append(marks[f"{phase}-now"].shape["x1"])
        cover, last = marks[f"{phase}-future"].shape, bounds(marks["tracks"])[2]
        assert cover["x"] == places[-1]
        assert cover["x"] + cover["width"] >= last
        assert {f"{phase}-now", f"{phase}-future"} == {key for key, mark in marks.items() if "steady" in mark.role}
    gaps = [there - here for here, there in itertools.pairwise(places)]
    assert gaps == pytest.approx([gaps[0]] * len(gaps))
    assert places[-1] == pytest.approx(bounds(frame({}, phase, width)["tracks"])[2], abs=0.5)


def test_share_that_is_counted_lies_behind_the_playhead_and_ends_on_that_of_the_formula():
    chapter = SCENE.run().chapters[1]
    said = [frame({}, "together", beat=beat)["answer"].text for beat in range(len(chapter.states))]
    assert (said[0], said[-1]) == ("–", percent(SCENE.run().result.used))
    assert said[1] == "100%"  # in the first cycles one warp after the other issues


@pytest.mark.parametrize("width", WIDTHS)
def test_warps_are_added_by_dragging_their_end_down_the_rows(width):
    for warps in (1, 5, 16):
        marks = frame({"warps": warps}, "curve", width)
        knob, row = marks["warps"], marks[f"run-{warps - 1}-0"].shape
        assert len(knob.handle.rail) == SLOTS
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[warps - 1]
        assert knob.shape["cy"] == pytest.approx(row["y"] + row["height"] / 2)
        assert f"run-{warps}-0" not in marks


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("warps", [1, 8, 13, 15, 16])
def test_room_for_more_warps_is_one_place_without_rows_under_those_that_there_are(warps, width):
    for phase in ("alone", "curve", "machine"):
        marks = frame({"warps": warps}, phase, width)
        assert marks["tracks"].shape["d"].count("M") == warps
        assert ("free" in marks) == (warps < SLOTS)
        if warps < SLOTS:
            _, top, _, bottom = bounds(marks["free"])
            assert top > marks["warps"].shape["cy"] and bottom < bounds(marks["lane"])[1]
        if "free-words" in marks and phase != "curve":
            assert marks["free-words"].text == f"room for {SLOTS - warps} more warps"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [one for one in GRID if one["warps"] in (1, 5, 8, 15, 16)], ids=name)
def test_further_warps_would_issue_in_cycles_that_are_empty_now_until_all_are_used(params, width):
    load, marks = Load(**params), frame(params, "curve", width)
    fit = min(load.saturate, SLOTS)
    assert ("coming" in marks) == (load.warps < fit)
    if load.warps >= fit:
        return
    left, _, right, _ = bounds(marks["lane"])
    cycle = (right - left) / (2 * load.period)
    whole = stretches(Load(fit, load.latency, load.instructions).issued(2 * load.period) >= load.warps)
    boxes = [[float(x) for x in re.findall(r"[\d.]+", one)[::2]] for one in marks["coming"].shape["d"].split("M")[1:]]
    assert len(boxes) == 2 * (fit - load.warps)
    edges = sorted({min(xs) for xs in boxes})
    assert edges[0] == pytest.approx(left + whole[0][0] * cycle, abs=0.6)  # paths are rounded to halves
    for turn, (start, end) in enumerate(whole):
        ours = [xs for xs in boxes if turn == min(xs) // (left + load.period * cycle - 0.6)]
        assert (min(map(min, ours)) - left) / cycle == pytest.approx(start, abs=0.6 / cycle)
        assert (max(map(max, ours)) - left) / cycle == pytest.approx(end, abs=1.8 / cycle)
    if "free-words" in marks:
        all_of_them = percent(Load(16, load.latency, load.instructions).used)
        wanted = f"with {SLOTS - load.warps} more, {all_of_them}" if fit < load.saturate else "would fill all slots"
        assert marks["free-words"].text.endswith(wanted)


@pytest.mark.parametrize("width", WIDTHS)
def test_words_in_the_empty_slots_are_not_struck_through(width):
    marks = frame({}, "together", width)
    left, _, right, _ = box(marks["empty-words"])
    ends = re.findall(r"[ML]([\d.]+) ", marks["empty"].shape["d"])
    assert not [x for x in map(float, ends) if left - 1 < x < right + 1]


def test_opening_answers_the_title():
    chapters = SCENE.run().chapters
    assert SCENE.opening == 3
    assert frame({}, chapters[2].name, 840)["answer"].text == "38%"


@pytest.mark.parametrize(("instructions", "latency"), [(1, 20), (10, 400), (4, 100), (20, 20)])
def test_curve_passes_through_its_knee(instructions, latency):
    load = Load(1, latency, instructions)
    knee = load.period / instructions
    xs, ys = samples(load, 0, 500)
    assert knee in xs
    assert (xs[0], xs[-1]) == (0, 500)
    assert ys == [0, 100, 100]


@pytest.mark.parametrize(
    ("share", "shown"), [(100.0, "100%"), (99.7, "99%"), (36.36, "36%"), (0.249, "0.2%"), (5, "5%")]
)
def test_percentages_are_never_rounded_up_to_all(share, shown):
    assert percent(share) == shown
    assert (count(1, "warp"), count(2_000, "warp")) == ("1 warp", "2,000 warps")


def told_by_the_gpu(series, **where):
    told = json.loads((FOLDER / "h100/warp_scheduler.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == series)
    return {one["at"]["warps"]: one["median"] for one in points if where.items() <= one["at"].items()}


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_where_the_result_says(width):
    marks = frame({}, "machine", width)
    low, high = (marks[f"curve-y-grid-{share}"].shape["y1"] for share in (0, 100))
    left, right = (marks[f"curve-x-tick-{warps}"].shape["x1"] for warps in (0, 16))
    rounds = told_by_the_gpu("round", instructions=64)
    assert f"round-measured-{len(rounds)}" not in marks
    for at, (warps, cycles) in enumerate(rounds.items()):
        ring = marks[f"round-measured-{at}"].shape
        assert ring["cx"] == pytest.approx(left + (right - left) * warps / 4 / 16)
        assert ring["cy"] == pytest.approx(low + (high - low) * warps / 4 * 64 / cycles)


def test_chains_keep_to_the_formula_and_rounds_stay_below_it():
    chains = told_by_the_gpu("chains", chains=1)  # FLOP a cycle of an SM's four schedulers, 256 at the most
    for warps in (4, 8, 12, 16, 32, 64):
        assert chains[warps] / 256 == pytest.approx(min(1, warps / 4 / 4), rel=0.05)
    assert all(share <= measured.expected(warps) + 0.1 for warps, share in measured.used().items())
    assert measured.expected(6) > 1.7 * measured.used()[6]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("warps", [1, 6, 7, 16])
def test_last_step_keeps_the_rows_and_slots_and_says_what_the_machine_used(warps, width):
    marks, before = frame({"warps": warps}, "machine", width), frame({"warps": warps}, "curve", width)
    for key in ("tracks", "lane", "warps", *(f"run-{warp}-0" for warp in range(warps))):
        assert key in marks
        assert key in before
    lane, seen = bounds(marks["machine-lane"]), measured.used().get(warps)
    assert ("machine-used" in marks) == (warps != 7)
    assert ("not measured" in marks["machine-told"].text) == (warps == 7)
    if seen:
        assert marks["machine-used"].shape["width"] == pytest.approx((lane[2] - lane[0]) * seen / 100, abs=1.5)
        empty, words = bounds(marks["machine-empty"]), bounds(marks["machine-told"])
        assert empty[0] > words[2] or words[2] < bounds(marks["machine-used"])[2]
    assert marks["answer"].text == percent(measured.expected(warps))


@pytest.mark.parametrize("width", WIDTHS)
def test_where_no_slot_is_used_it_is_said_that_all_wait(width):
    assert frame({}, "together", width)["empty-words"].text == "all wait"
    assert frame({}, "alone", width)["empty-words"].text == "it waits"
    assert "empty-words" not in frame({"warps": 16, "latency": 20}, "together", width)


def test_scene_draws_without_results(monkeypatch):
    measured.result.cache_clear()
    monkeypatch.setattr(measured, "results", lambda name: {})
    run = SCENE.run()
    assert [one.name for one in run.chapters] == ["alone", "together", "curve"]
    assert "measured_corner" not in run.values
    measured.result.cache_clear()


@pytest.mark.parametrize("warps", range(1, SLOTS + 1))
def test_last_sentence_is_of_the_warps_in_the_picture(warps):
    said, seen = SCENE.say(SCENE.run(warps=warps).chapters[-1].states[-1]), measured.used()
    assert f": {count(warps, 'warp')} should use {percent(measured.expected(warps))} " in said
    nearest = min(abs(one - warps) for one in seen)
    told = [one for one in seen if abs(one - warps) == nearest and f"{seen[one]:.0f}%" in said]
    assert told
    assert warps in seen or f"The nearest measured, {told[-1]} warps" in said


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_say_where_they_were_measured(width):
    drawn = frame({}, "machine", width)
    assert drawn["round-words"].text == "○ on an H100" and "measured" in drawn["round-words"].role


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [{}, {"latency": 20, "instructions": 1}], ids=str)
def test_last_step_says_in_the_picture_which_numbers_it_takes(params, width):
    marks = frame(params, "machine", width)
    assert marks["machine-given"].text == "an H100: 64 multiply-adds, then 322 cycles"
    assert not touching(marks.values(), across=8)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("warps", [1, 10, 16])
def test_number_of_warps_keeps_clear_of_the_ring_of_its_knob(warps, width):
    assert not beneath(frame({"warps": warps}, "curve", width), "warps")


def test_a_run_of_one_cycle_names_that_cycle():
    told = [mark.read for mark in frame({"instructions": 1, "warps": 1}, "alone").values() if "cycle" in mark.read]
    assert told[0] == "warp 0: cycle 0" and "an instruction in cycle 0" in told
