"""Check what the reader meets: areas, lengths and widths are to scale, and the load goes as far as it must."""

import itertools
import json
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._gpus.memory import GPUS, MB
from scenes._silicon.results import FOLDER
from scenes.machine import measured
from scenes.machine.model import MACHINES, SIZES
from scenes.machine.scene import SCENE
from scenes.machine.stage import NARROW, WIDE
from tests.boxes import beneath

PLAN, RATES, SEND, STAIRCASE = range(4)
EDGES = [{"gpu": gpu, "size": size} for gpu in MACHINES for size in (512, 64 << 10, 16 << 20, 32 << 20, 8 << 30)]


def frame(params, step, width="wide", beat=-1):
    """The marks of one beat of a step, by key."""
    chapter = SCENE.run(**params).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def area(mark):
    return mark.shape["width"] * mark.shape["height"]


def said(params):
    return [SCENE.say(state) for state in SCENE.run(**params).steps]


def test_opening_shows_a_load_that_went_all_the_way():
    assert SCENE.opening == SEND + 1
    marks = frame({}, SEND)
    assert "after 690\u00a0cycles" in said({})[SEND]
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


def test_bytes_of_all_gpus_are_drawn_on_one_scale():
    sides = {gpu: WIDE.hbm_box(GPUS[gpu]).width ** 2 / GPUS[gpu].hbm for gpu in GPUS}
    assert max(sides.values()) == pytest.approx(min(sides.values()))
    chips = {gpu: WIDE.chip_box(GPUS[gpu]) for gpu in GPUS}
    scales = [box.width * box.height / GPUS[gpu].on_chip for gpu, box in chips.items()]
    assert max(scales) == pytest.approx(min(scales))


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("gpu", MACHINES)
def test_memories_stand_in_their_order_over_the_way_to_them(gpu, stage):
    machine = MACHINES[gpu]
    sm, chip, hbm = stage.cores_box(machine), stage.chip_box(machine), stage.hbm_box(machine)
    places = [
        0,
        stage.along(machine, machine.l1_cycles),
        sm.right,
        stage.along(machine, machine.near),
        chip.x,
        chip.right,
        stage.along(machine, machine.far) if machine.far else chip.right,
        hbm.x,
    ]
    assert places == sorted(places) and hbm.x == stage.along(machine, machine.hbm_cycles)
    assert hbm.right <= stage.width < hbm.right + 28  # as far as the stage goes, whichever GPU
    width = "wide" if stage is WIDE else "narrow"
    stems = frame({"gpu": gpu}, PLAN, width)["stems"].shape["d"]
    ends = {x for x, y in re.findall(r"([\d.]+) ([\d.]+)", stems) if float(y) > stage.way[1]}
    cycles = (machine.l1_cycles, machine.near, machine.far, machine.hbm_cycles)
    assert sorted(map(float, ends)) == pytest.approx([stage.along(machine, one) for one in cycles if one], abs=0.3)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", GPUS)
def test_data_take_their_bytes_of_each_memory(gpu, width):
    machine, stage = GPUS[gpu], WIDE if width == "wide" else NARROW
    for size in (64 << 10, 12 << 20, 1 << 30):
        marks = frame({"gpu": gpu, "size": size}, SEND, width)
        halves = [mark.shape["width"] for key, mark in marks.items() if key in ("data-near", "data-far")]
        assert sum(halves) / stage.chip_box(machine).width / 2 == pytest.approx(min(1, size / machine.l2), rel=1e-6)
        assert area(marks["data-hbm"]) / area(marks["hbm"]) == pytest.approx(size / machine.hbm)
        whole = marks["data-l1"].shape["width"]
        assert whole / stage.one == pytest.approx(min(1, size / machine.l1))
        assert ("free-l1" in marks) == (whole < stage.one)


@pytest.mark.parametrize("width", WIDTHS)
def test_answer_stands_in_one_place_and_its_words_beside_it(width):
    keys = ("times", "rate", "cycles", "cycles")
    marks = [frame({}, step, width) for step in (PLAN, RATES, SEND, STAIRCASE)]
    assert len({(one[key].shape["x"], one[key].shape["y"]) for one, key in zip(marks, keys, strict=True)}) == 1
    assert marks[PLAN]["times"].text == "660×"  # 80 GB over 116 MB
    words = [bounds(one[key])[0] for one, key in zip(marks, ("times-of", "rate-of", "found", "found"), strict=True)]
    ends = [bounds(one[key])[2] for one, key in zip(marks, keys, strict=True)]
    assert all(6 <= left - end <= 12 for left, end in zip(words, ends, strict=True))
    assert frame({}, SEND, width, beat=0)["found"].shape == marks[SEND]["found"].shape  # while the number counts


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", GPUS)
def test_the_widest_pipe_keeps_clear_of_the_memories_over_it(gpu, width):
    marks, stage = frame({"gpu": gpu}, RATES, width), WIDE if width == "wide" else NARROW
    assert marks["pipe-registers"].shape["y"] >= stage.ground


@pytest.mark.parametrize("gpu", GPUS)
def test_lengths_are_cycles_and_widths_are_rates(gpu):
    marks, machine = frame({"gpu": gpu}, RATES), GPUS[gpu]
    hbm, l1 = marks["pipe-HBM"].shape, marks["pipe-L1"].shape
    assert (hbm["x"] + hbm["width"] - WIDE.way[0]) / WIDE.cycle(machine) == pytest.approx(machine.hbm_cycles)
    assert l1["width"] / WIDE.cycle(machine) == pytest.approx(machine.l1_cycles)
    assert l1["height"] / hbm["height"] == pytest.approx(machine.l1_rate / machine.hbm_rate)
    assert ("unknown-L2" in marks) == (gpu == "B200")  # no pipe where no rate is known


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_load_goes_outward_evenly_and_stops_where_it_is_found(params):
    chapter, found = SCENE.run(**params).chapters[SEND], SCENE.run(**params).result.found
    places = [frame(params, SEND, beat=beat)["load"].shape["cx"] for beat in range(len(chapter.states))]
    gaps = [there - here for here, there in itertools.pairwise([WIDE.way[0], *places[:-1]])]
    assert gaps == pytest.approx([gaps[0]] * len(gaps))
    assert places[-1] == pytest.approx(WIDE.along(MACHINES[params["gpu"]], found.cycles))
    beats = [frame(params, SEND, beat=beat) for beat in range(len(chapter.states))]
    assert [one["gone"].shape["x2"] for one in beats] == places and beats[0]["gone"].shape["x1"] == WIDE.way[0]
    passed = [WIDE.along(MACHINES[params["gpu"]], float(one["cycles"].text.split()[0])) for one in beats]
    assert passed == pytest.approx([WIDE.way[0], *places[:-1]], abs=1)  # where the load has been
    assert beats[-1]["cycles"].text == f"{found.cycles}\u00a0cycles" and beats[-1]["found"].text != "so far"


def test_time_of_play_is_that_of_the_cycles():
    long, short = (SCENE.run(gpu="A100", size=size).chapters[SEND] for size in (8 << 30, 1 << 20))
    each = [(len(one.times) - 1) * one.times[1] / cycles for one, cycles in ((long, 550), (short, 205))]
    assert each[0] == pytest.approx(each[1])


def test_what_is_passed_lights_up_on_the_way():
    beats = range(len(SCENE.run().chapters[SEND].states))
    seen = [tuple(map(round, bounds(frame({}, SEND, beat=beat)["here"]))) for beat in beats]
    assert len(dict.fromkeys(seen)) == 5  # registers, L1, the two halves, HBM


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
def test_no_text_lies_under_the_knob_of_the_size_or_its_ring(params, width):
    for step in (PLAN, RATES, SEND, STAIRCASE):
        assert not beneath(frame(params, step, width), "size-knob", 12)


def told(series, part="h100"):
    """The points of the result as plain JSON: an oracle that shares no code with the scene."""
    result = json.loads((FOLDER / f"{part}/latency.json").read_text())
    return next(one["points"] for one in result["series"] if one["id"] == series)


def chase(part="h100"):
    return {one["at"]["working_set"]: one["median"] for one in told("chase", part)}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", ["H100", "H200"])
def test_rings_climb_the_stairs_as_the_gpu_did(gpu, width):
    marks, seen = frame({"gpu": gpu, "size": 1 << 20}, STAIRCASE, width), chase(gpu.lower())
    near, far = (marks[f"stairs-{cycles}"].shape["y1"] for cycles in (200, 400))
    left, right = (marks[name].shape["x"] for name in ("sizes-registers", "sizes-L1"))  # 512 B and 1,020 B
    rings = [mark for key, mark in marks.items() if re.fullmatch(r"measured-\d+", key)]
    octave = (rings[-1].shape["cx"] - rings[0].shape["cx"]) / 23  # from 1 KB to 8 GB
    assert octave == pytest.approx((right - left) / math.log2(1020 / 512), rel=0.02)
    for mark in rings:
        size = 2 ** (10 + (mark.shape["cx"] - rings[0].shape["cx"]) / octave)
        found = min(seen, key=lambda one: abs(one - size))
        assert found == pytest.approx(size, rel=0.01)
        assert mark.shape["cy"] == pytest.approx(near + (seen[found] - 200) / 200 * (far - near))
    assert len(rings) == (sum(1024 <= size <= 8 << 30 for size in seen) if width == "wide" else 24 + 12)


def test_shared_memory_of_another_block_lies_between_l1_and_l2():
    others = [one["median"] for one in told("cluster") if one["at"]["rank"]]
    words = frame({}, STAIRCASE)["neighbour-0"].read
    assert f"{min(others):.0f} to {max(others):.0f} cycles" in words
    assert 100 < min(others) < max(others) < 250


@pytest.mark.parametrize("gpu", MACHINES)
def test_chosen_size_stands_on_the_stairs_over_its_bead(gpu):
    for size in SIZES[::6]:
        run = SCENE.run(gpu=gpu, size=size)
        marks = frame({"gpu": gpu, "size": size}, STAIRCASE)
        assert marks["load"].shape["cx"] == pytest.approx(marks["size-knob"].shape["cx"])
        assert marks["load"].shape["cy"] == pytest.approx(WIDE.stairs.at(size, run.result.found.cycles)[1])
    assert any(key.startswith("measured") for key in marks) == (gpu in ("H100", "H200"))


def test_measured_cycles_stand_under_those_of_the_model():
    seen = chase()
    assert frame({}, SEND)["measured"].text == f"measured, 1\u00a0GB: {seen[1 << 30]:.0f}\u00a0cycles"
    quarter = frame({"size": 256 << 10}, SEND)["measured"]
    assert quarter.text == f"measured, 256\u00a0KB: {seen[1 << 18]:.0f}\u00a0cycles"
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
    assert not measured.dots("H100", 8) and measured.neighbour("H100") is None
    assert "ramp" not in said({})[STAIRCASE]
    assert not any(key.startswith("measured") for key in SCENE.run().values)
    assert {row[-1] for row in SCENE.run().table.rows} == {"–"}
    forget()


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_no_cycles_are_counted_before_a_load_is_sent_and_rates_are_of_where_the_data_lie(params):
    found = SCENE.run(**params).result.found
    for step in (PLAN, RATES):
        assert "cycles" not in frame(params, step)
    rates = frame(params, RATES)
    if "rate-of" in rates:
        assert rates["rate-of"].text == f"from {found.name}"
    assert "cycles" in frame(params, SEND)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", GPUS)
def test_line_down_from_the_load_goes_through_no_number_of_the_scale(gpu, width):
    for size in SIZES[-24:]:
        marks = frame({"gpu": gpu, "size": size}, STAIRCASE, width)
        numbers = [bounds(mark) for key, mark in marks.items() if re.fullmatch(r"stairs-\d+-words", key)]
        x = marks["here-line"].shape["x1"]
        assert not [one for one in numbers if one[0] - 2 < x < one[2] + 2], size
        assert marks["here-line"].shape["y2"] < bounds(marks["size"])[1]
