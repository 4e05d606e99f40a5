"""Check what moves before a load is sent: what becomes small, what fills HBM, and how far pipes have opened."""

import itertools

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._gpus.memory import TERA
from scenes.machine.model import MACHINES
from scenes.machine.scene import SCENE
from scenes.machine.stage import NARROW, WIDE
from scenes.machine.test_machine_scene import PLAN, RATES, area, frame


def film(step, width, **params):
    """The marks of each beat of a step, by key."""
    return [frame(params, step, width, beat) for beat in range(len(SCENE.run(**params).chapters[step].states))]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", MACHINES)
def test_frame_goes_from_the_sm_by_its_place_in_the_chip_and_the_chip_to_the_speck(gpu, width):
    *beats, last = film(PLAN, width, gpu=gpu)
    stage, machine = WIDE if width == "wide" else NARROW, MACHINES[gpu]
    places = [bounds(beat["smaller"]) for beat in beats]
    sm, cell, chip, speck = dict.fromkeys(places)
    assert (sm[0], sm[2], sm[3]) == (0, stage.one, stage.ground)
    assert chip == bounds(last["bank-upper"])[:2] + bounds(last["bank-lower"])[2:]
    parts = (cell[2] - cell[0]) * (cell[3] - cell[1]) / area(last["bank-upper"])
    assert parts == pytest.approx(2 / machine.sms)  # one SM of half of them
    assert speck == bounds(last["speck"]) and "smaller" not in last


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", MACHINES)
def test_chips_are_counted_as_hbm_is_filled_with_their_area(gpu, width):
    beats = film(PLAN, width, gpu=gpu)
    chip, whole = area(beats[0]["speck"]), area(beats[0]["hbm"])
    filled = [area(beat["filled"]) / chip for beat in beats if "filled" in beat]
    counted = [float(beat["times"].text.rstrip("×").replace(",", "")) for beat in beats if "times" in beat]
    assert counted == pytest.approx(filled, rel=0.06)  # it goes there until the next picture; two digits are told
    assert filled[0] == pytest.approx(1) and filled[-1] == pytest.approx(whole / chip) and "filled" not in beats[-1]
    assert all(before < after for before, after in itertools.pairwise(filled))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", MACHINES)
def test_pipes_open_outward_and_say_their_rate_when_they_are_open(gpu, width):
    stage, levels = WIDE if width == "wide" else NARROW, SCENE.run(gpu=gpu).result.levels
    beats, least = film(RATES, width, gpu=gpu), MACHINES[gpu].hbm_rate / TERA * stage.thick
    for at, level in enumerate(levels):
        if not level.rate:
            continue
        wide = [beat[f"pipe-{level.name}"].shape["height"] for beat in beats]
        opens, full = at + 1, level.rate / TERA * stage.thick
        assert wide == pytest.approx([least] * opens + [full] * (len(beats) - opens))
        flag = "flag-registers" if at == 0 else f"number-{at}"
        words = [beat[flag].text if flag in beat else "" for beat in beats]
        assert words[opens] == words[0] != words[opens + 1] and words[opens + 1] == words[-1]


@pytest.mark.parametrize("size", [512, 64 << 10, 1 << 30])
def test_rate_is_told_large_when_the_pipe_of_its_memory_is_open(size):
    beats, at = film(RATES, "wide", size=size), SCENE.run(size=size).result.at
    assert ["rate" in beat for beat in beats] == [beat > at + 1 for beat in range(len(beats))]


@pytest.mark.parametrize("gpu", MACHINES)
def test_before_it_is_about_rates_all_pipes_are_as_narrow_as_that_of_hbm(gpu):
    marks = frame({"gpu": gpu}, PLAN)
    assert len({mark.shape["height"] for key, mark in marks.items() if key.startswith("pipe-")}) == 1
