"""Check what the reader meets: areas, lengths and widths are to scale, and the load goes as far as it must."""

import itertools
import json
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._gpus.memory import GPUS, MB
from scenes._silicon.results import FOLDER
from scenes.machine import measured
from scenes.machine.model import SIZES
from scenes.machine.scene import SCENE
from scenes.machine.stage import NARROW, WIDE
from tests.boxes import touching

PLAN, RATES, SEND = range(3)
EDGES = [{"gpu": gpu, "size": size} for gpu in GPUS for size in (512, 64 << 10, 16 << 20, 32 << 20, 8 << 30)]


def frame(params, step, width="wide", beat=-1):
    """The marks of one beat of a step, by key."""
    chapter = SCENE.run(**params).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def area(mark):
    return mark.shape["width"] * mark.shape["height"]


def said(params):
    return [SCENE.say(state) for state in SCENE.run(**params).steps]


def test_opening_shows_a_load_that_went_all_the_way():
    marks = frame({}, SCENE.opening)
    assert "after 690\u00a0cycles" in said({})[SCENE.opening]
    assert (marks["cycles"].text, marks["cycles"].shape["font-size"]) == ("690\u00a0cycles", 32)
    assert marks["found"].text == "from HBM: 348\u00a0ns"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", GPUS)
def test_areas_of_the_chip_are_bytes(gpu, width):
    marks, stage = frame({"gpu": gpu}, PLAN, width), WIDE if width == "wide" else NARROW
    part, machine = stage.area, GPUS[gpu]
    rows = sum(area(mark) for key, mark in marks.items() if key.startswith("bank-"))
    assert rows / part == pytest.approx(machine.sms * machine.on_sm / MB)
    halves = stage.l2_boxes(machine)
    assert sum(box.width * box.height for box in halves) / part == pytest.approx(machine.l2 / MB)
    assert area(marks["speck"]) / area(marks["hbm"]) == pytest.approx(machine.on_chip / machine.hbm)


def test_all_gpus_are_drawn_on_one_scale():
    sides = {gpu: WIDE.hbm_box(GPUS[gpu]).width ** 2 / GPUS[gpu].hbm for gpu in GPUS}
    assert max(sides.values()) == pytest.approx(min(sides.values()))
    chips = {gpu: WIDE.chip_box(GPUS[gpu]) for gpu in GPUS}
    scales = [box.width * box.height / GPUS[gpu].on_chip for gpu, box in chips.items()]
    assert max(scales) == pytest.approx(min(scales))


@pytest.mark.parametrize("gpu", GPUS)
def test_lengths_are_cycles_and_widths_are_rates(gpu):
    marks, machine = frame({"gpu": gpu}, RATES), GPUS[gpu]
    hbm, l1 = marks["pipe-HBM"].shape, marks["pipe-L1"].shape
    assert (hbm["x"] + hbm["width"] - WIDE.way[0]) / WIDE.cycle == pytest.approx(machine.hbm_cycles)
    assert l1["width"] / WIDE.cycle == pytest.approx(machine.l1_cycles)
    assert l1["height"] / hbm["height"] == pytest.approx(machine.l1_rate / machine.hbm_rate)
    assert ("unknown-L2" in marks) == (gpu == "B200")  # no pipe where no rate is known


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_load_goes_outward_evenly_and_stops_where_it_is_found(params):
    chapter, found = SCENE.run(**params).chapters[SEND], SCENE.run(**params).result.found
    places = [frame(params, SEND, beat=beat)["load"].shape["cx"] for beat in range(len(chapter.states))]
    gaps = [there - here for here, there in itertools.pairwise([WIDE.way[0], *places])]
    assert gaps == pytest.approx([gaps[0]] * len(gaps))
    assert places[-1] == pytest.approx(WIDE.along(found.cycles))
    last = frame(params, SEND)
    assert last["cycles"].text == f"{found.cycles}\u00a0cycles"


def test_time_of_play_is_that_of_the_cycles():
    long, short = (SCENE.run(gpu="A100", size=size).chapters[SEND] for size in (8 << 30, 1 << 20))
    per_beat = [chapter.times[1] / (cycles / len(chapter.times)) for chapter, cycles in ((long, 550), (short, 205))]
    assert per_beat[0] == pytest.approx(per_beat[1])


def test_what_is_passed_lights_up_on_the_way():
    seen = []
    for beat in range(len(SCENE.run().chapters[SEND].states)):
        box = bounds(frame({}, SEND, beat=beat)["here"])
        seen.append(tuple(round(edge) for edge in box))
    assert len(dict.fromkeys(seen)) == 4  # L1, the two halves, HBM: the first beat is past the registers


@pytest.mark.parametrize("stage", [NARROW, WIDE])
def test_bead_stands_on_the_ruler_at_its_size(stage):
    for size in (SIZES[0], 3 << 20, SIZES[-1]):
        marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(size=size).steps[-1], stage.width)}
        knob = marks["size-knob"]
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[SIZES.index(size)]
    steps = [there[0] - here[0] for here, there in itertools.pairwise(stage.rail)]
    assert min(steps) > 0 and steps[0] + steps[1] == pytest.approx(stage.ruler.width / 24)  # an octave each


def test_stretches_of_the_ruler_can_be_pressed_and_answer_there():
    marks = frame({}, RATES)
    for level in SCENE.run().result.levels:
        size = int(marks[f"sizes-{level.name}"].set["size"])
        assert SCENE.run(size=size).result.found == level


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_narration_says_where_and_after_how_many_cycles(params):
    words, found = said(params), SCENE.run(**params).result.found
    assert f"{found.cycles}\u00a0cycles" in words[SEND] or found.cycles == 0
    for sentence in words:
        assert re.search(r"[^.]\.$", sentence), sentence
        assert len(sentence) <= 175


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EDGES, ids=str)
def test_texts_keep_apart_from_each_other(params, width):
    for step in (PLAN, RATES, SEND):
        assert not touching(frame(params, step, width).values(), across=0, down=2)


def chase():
    """The result as plain JSON: an oracle that shares no code with the scene."""
    told = json.loads((FOLDER / "h100/latency.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == "chase")
    return {one["at"]["working_set"]: one["median"] for one in points}


def test_measured_cycles_stand_under_those_of_the_model():
    seen = chase()
    assert frame({}, SEND)["measured"].text == f"measured, 1\u00a0GB: {seen[1 << 30]:.0f}\u00a0cycles"
    assert (
        frame({"size": 256 << 10}, SEND)["measured"].text == f"measured, 256\u00a0KB: {seen[1 << 18]:.0f}\u00a0cycles"
    )
    assert frame({"size": 3 << 9}, SEND)["measured"].text.endswith(": 32\u00a0cycles")
    assert "measured" not in frame({}, SEND, beat=0)
    assert "measured" not in frame({"gpu": "A100"}, SEND)
    assert "measured" not in frame({"size": 512}, SEND)


def test_levels_measured_on_an_h100_are_near_those_of_the_gh200():
    rows = SCENE.run(gpu="H100").table.rows
    for row in rows[1:]:
        assert row[-1] == pytest.approx(row[2], rel=0.05)
    assert {row[-1] for row in SCENE.run(gpu="B200").table.rows} == {"–"}
    middles = {"l1": 16 << 10, "near": 3 << 20, "far": 36 << 20, "hbm": 2 << 30}
    assert {name: SCENE.run().values[f"measured_{name}"].value for name in middles} == {
        name: chase()[size] for name, size in middles.items()
    }


def test_memories_reach_as_far_as_loads_take_no_longer():
    values, seen = SCENE.run().values, chase()
    l1, near = values["measured_l1_reach"].value * 2**10, values["measured_near_reach"].value * 2**20
    assert all((cycles < 36) == (size <= l1) for size, cycles in seen.items())
    assert all((cycles < 305) == (size <= near) for size, cycles in seen.items())


def test_scene_draws_without_results(monkeypatch):
    def forget():
        measured.staircase.cache_clear()
        measured.by_level.cache_clear()

    monkeypatch.setattr(measured, "results", lambda name: {})
    forget()
    assert "measured" not in frame({}, SEND)
    assert not any(key.startswith("measured") for key in SCENE.run().values)
    assert {row[-1] for row in SCENE.run().table.rows} == {"–"}
    forget()
