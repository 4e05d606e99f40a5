"""Check what plays: each chapter moves at once, and a word or a number comes with what it tells of."""

import re

import numpy as np
import pytest

from loom.scene import WIDTHS
from scenes.block_formats.case import PEAKS
from scenes.block_formats.narration import shortened
from scenes.block_formats.pace import COUNTED, DOWN, FEWER, STEPS, TAKEN, TRIED
from scenes.block_formats.scene import SCENE
from tests.beats import drawn_beats

AMAX, SCALE, ROUNDED, CODES, ERROR = range(5)  # chapters
FORMS = ({}, {"rule": "ceil"}, {"rule": "even"}, {"format": "NVFP4"}, {"peak": 4.0}, {"peak": 9.0})


def pictures(chapter, width="wide", **params):
    states = SCENE.run(**params).chapters[chapter].states
    return drawn_beats(SCENE, states, width)


@pytest.mark.parametrize("params", FORMS)
def test_every_chapter_moves_within_three_tenths_of_a_second(params):
    before = None
    for number, chapter in enumerate(SCENE.run(**params).chapters):
        drawn = pictures(number, **params)
        assert len(drawn) > 1 and drawn[0] != before
        later = [one for one, time in zip(drawn, chapter.times, strict=True) if 0 < time <= 0.3]
        new = {key for key, mark in drawn[0].items() if key not in (before or {}) or mark.shape != before[key].shape}
        tried = number == SCALE and {"rungs", "limit"} <= new
        assert tried or (later and later[0] != drawn[0])
        before = drawn[-1]


@pytest.mark.parametrize("params", FORMS)
def test_a_lid_comes_down_on_the_largest_of_each_block_and_then_bytes_are_counted(params):
    case, drawn = SCENE.run(**params).result, pictures(AMAX, **params)
    for block, at in enumerate(case.largest):
        heights = [one[f"lid{block}"].shape["y1"] for one in drawn]
        tops = [drawn[0][f"n{one}"].shape["y"] for one in range(32) if case.largest[block] // 16 == one // 16]
        assert heights[0] < min(tops) and set(heights[DOWN:]) == {drawn[0][f"n{at}"].shape["y"]}
        assert [f"flag{block}" in one for one in drawn] == [beat >= FEWER for beat in range(4)]
    left = [one["before-left"].shape["width"] if "before-left" in one else 0 for one in drawn]
    full = [one["after-full"].shape["width"] for one in drawn]
    assert left[DOWN] > left[FEWER] == 0 == full[DOWN] < full[FEWER]
    assert ["takes" in one for one in drawn] == [beat >= COUNTED for beat in range(4)]


@pytest.mark.parametrize("rule", ["floor", "even", "ceil"])
@pytest.mark.parametrize("peak", PEAKS)
def test_powers_of_two_are_tried_until_the_rule_is_content(peak, rule):
    case, drawn = SCENE.run(peak=peak, rule=rule).result, pictures(SCALE, peak=peak, rule=rule)
    assert [sum(f"ruler{row}" in one for row in range(3)) for one in drawn] == [1, 2, 3, 3]
    limit = peak if rule == "ceil" else shortened(case)
    says = [drawn[-1][f"ruler{row}-asks"].text for row in range(3)]
    rung = 6 if rule == "ceil" else 4
    held = [rung * scale >= limit if rule == "ceil" else rung * scale <= limit for scale in TRIED]
    signs = ("≥", "<") if rule == "ceil" else ("≤", ">")
    assert [signs[0 if one else 1] in text for one, text in zip(held, says, strict=True)] == [True] * 3
    content = [scale for scale, one in zip(TRIED, held, strict=True) if one]
    assert case.scales[0] == (min(content) if rule == "ceil" else max(content))
    chosen = [scale for row, scale in enumerate(TRIED) if "hot" in drawn[-1][f"ruler{row}-name"].role]
    assert chosen == [case.scales[0]] and "cut" not in drawn[-2]
    assert ("cut" in drawn[-1]) == bool(case.clipped)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", FORMS)
def test_rungs_only_rise_and_the_number_under_the_block_is_that_of_their_height(params, width):
    case, drawn = SCENE.run(**params).result, pictures(SCALE, width, **params)
    assert len({re.sub(r"[^A-Z]", "", one["rungs"].shape["d"]) for one in drawn}) == 1
    base = drawn[0]["base"].shape["y1"]
    tops = [base - min(float(y) for y in re.findall(r" ([\d.]+)", one["rungs"].shape["d"])) for one in drawn]
    assert tops == sorted(tops) and tops[0] < tops[-1]
    if case.format == "MXFP4":
        said = [float(one["block0-label"].text.split()[-1]) for one in drawn]
        assert said == [min(scale, case.scales[0]) for scale in (*TRIED, 2)]
        assert np.divide(tops, tops[-1]) == pytest.approx(np.divide(said, said[-1]), abs=0.02)
    else:
        assert ["share" in one["block0-label"].text for one in drawn] == [False, False, False, True]


def test_numbers_are_rounded_a_few_at_a_time_over_both_scales():
    drawn, plain = pictures(ROUNDED), pictures(SCALE)[-1]
    case = SCENE.run().result
    for beat, found in enumerate(drawn):
        done = 32 * beat // STEPS
        changed = [at for at in range(32) if found[f"n{at}"].role.split()[0] != plain[f"n{at}"].role]
        assert changed == [at for at in range(done) if at != case.top]
        assert ("clipped" in found["flag0"].text) == (done > case.top)
        assert all((key in found) == (done == 32) for key in ("answer", "other", "there0"))
        assert ("not-yet" in found) == ("now" in found) == (done < 32)
        if done < 32:  # the lower picture shows what is rounded, and no more
            edge, column = found["not-yet"].shape["x"], found[f"n{done}"].shape
            assert edge <= column["x"] and (not done or edge >= found[f"n{done - 1}"].shape["x"] + column["width"])
            assert found["now"].shape["d"].startswith(f"M{round(edge * 2) / 2:g} ")


def test_digits_come_under_their_numbers_then_the_low_halves_and_the_high_ones_go_to_their_bytes():
    drawn = pictures(CODES)
    count = [sum(f"d{at}" in found for at in range(32)) for found in drawn]
    assert count == [0, 8, 16, 24, 32, 32, 32, 32]
    moved = [
        [at for at in range(32) if found[f"d{at}"].shape != drawn[TAKEN][f"d{at}"].shape] for found in drawn[TAKEN:]
    ]
    assert moved == [[], list(range(16)), list(range(32)), list(range(32))]
    assert ["bytes" in found for found in drawn] == [False] * 5 + [True] * 3
    assert ["own-byte" in found for found in drawn] == [False] * 7 + [True]
    narrow = pictures(CODES, "narrow")
    assert ["d0" in found for found in narrow] == [False] * 5 + [True] * 3  # under the columns is no room to read them


def test_bars_of_the_rivals_grow_one_after_another_and_their_numbers_come_with_them():
    drawn = pictures(ERROR)
    for beat, found in enumerate(drawn):
        assert [found[f"rival{row}"].shape["width"] > 0 for row in range(4)] == [row < beat for row in range(4)]
        assert [f"rival{row}-value" in found for row in range(4)] == [row < beat for row in range(4)]
