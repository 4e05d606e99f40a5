"""Check the pieces of a split run: cut from the strip, spread over SMs that are free, and slowed by memory."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes.split_kv.model import BANDWIDTH, ONE_SM, SMS, Case
from scenes.split_kv.pieces import is_shared, pieces
from scenes.split_kv.scene import KEYS, SCENE
from tests.boxes import beneath, box, overlap

EXTREMES = [dict(zip(("splits", "sequences", "keys"), one, strict=True))
            for one in itertools.product((2, 15, 17, 32), (1, 2, 8, 16), KEYS)]  # fmt: skip
ROUNDED = 0.8  # units: gaps between pieces are up to 1, and places are rounded to halves


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def cut_run(width="wide", **params):
    """The pictures of the chapter that splits, and what it shows."""
    one = next(one for one in SCENE.run(**params).chapters if one.name == "split")
    return [marks(state, width) for state in one.states], one.states[-1].result


def drawn_pieces(drawn):
    return {key: mark.shape for key, mark in drawn.items() if key.startswith("piece-")}


@pytest.mark.parametrize("case", [Case(**params) for params in EXTREMES])
def test_no_sm_has_two_pieces_at_a_time_and_every_block_is_in_one(case):
    found = list(pieces(case))
    taken = [(one.wave, lane) for one in found for lane in range(one.lane, one.lane + one.lanes)]
    assert len(taken) == len(set(taken)) == case.blocks
    assert max(lane for _, lane in taken) < SMS
    assert [sum(one.lanes for one in found if one.wave == wave) for wave in range(len(case.waves))] == case.waves


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_pieces_are_cut_from_the_unsplit_strip_and_the_same_ones_move(params, width):
    pictures, case = cut_run(width, **params)
    assert len(pictures) == 3 + is_shared(case)  # the last is told when all is read
    strip, cut = pictures[0]["unsplit"].shape, drawn_pieces(pictures[0])
    for one in cut.values():
        assert strip["x"] - ROUNDED <= one["x"] and one["x"] + one["width"] <= strip["x"] + strip["width"] + ROUNDED
        assert strip["y"] - ROUNDED <= one["y"] and one["y"] + one["height"] <= strip["y"] + strip["height"] + ROUNDED
    assert all(drawn_pieces(picture).keys() == cut.keys() for picture in pictures)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_pieces_end_when_their_waves_do(params, width):
    pictures, case = cut_run(width, **params)
    lanes, spread = pictures[-1]["lanes"].shape, drawn_pieces(pictures[-1])
    unit = lanes["width"] / max(case.total, case.unsplit.total)
    ends = list(itertools.accumulate(case.times))
    for one, drawn in zip(pieces(case), spread.values(), strict=True):
        assert drawn["x"] + drawn["width"] == pytest.approx(lanes["x"] + ends[one.wave] * unit, abs=1 + ROUNDED)
        assert drawn["y"] == pytest.approx(lanes["y"] + one.lane * lanes["height"] / SMS, abs=ROUNDED)
    assert pictures[-1]["now"].shape["x1"] == pytest.approx(lanes["x"] + ends[-1] * unit)


def test_where_memory_is_shared_pieces_get_longer_and_it_is_said_by_how_much():
    (_, spread, shared, _), case = cut_run(splits=15)
    before, after = spread["piece-3"].shape, shared["piece-3"].shape
    slower = 120 * ONE_SM / BANDWIDTH
    assert (after["width"] + 1) / (before["width"] + 1) == pytest.approx(slower, rel=0.04)
    assert shared["clock"].text == "4.66\u00a0µs if HBM kept up"
    assert case.bytes / 120 / ONE_SM == pytest.approx(4.66e-6, rel=1e-3)
    assert [shared[f"rate-{at}"].text for at in (0, 1)] == ["120 SMs at once get", "28 of their 60 GB/s each"]
    assert pytest.approx(28e9, rel=0.01) == BANDWIDTH / 120


def test_where_memory_keeps_up_nothing_is_slowed():
    pictures, case = cut_run(splits=4)
    assert len(pictures) == 3 and case.blocks * ONE_SM < BANDWIDTH
    assert pictures[-1]["rate-1"].text == "their full 60 GB/s each"


def test_one_wave_more_is_seen_in_the_picture_and_told():
    pictures, case = cut_run(splits=17)
    late = [one for one in pieces(case) if one.wave == 1]
    assert [(one.part, one.lanes) for one in late] == [(16, 4)] and "piece-16-more" in pictures[-1]
    assert "2 waves over 132 SMs, with 4 in the last" in SCENE.say(SCENE.run(splits=17).steps[1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EXTREMES)
def test_no_words_lie_on_pieces_or_under_the_knob(params, width):
    for state in (state for one in SCENE.run(**params).chapters for state in one.states):
        drawn = marks(state, width)
        words = [mark for key, mark in drawn.items() if key.startswith(("rate-", "merging-words"))]
        blocks = [mark for key, mark in drawn.items() if key.startswith("piece-") or key == "merging"]
        assert not [(one.key, other.key) for one in words for other in blocks if overlap(box(one), box(other))]
        assert "chosen-words" not in beneath(drawn, "splits", rim=2)


def test_toy_shows_the_unsplit_output_before_it_is_cut():
    alone = marks(SCENE.run().steps[0])
    assert alone["whole"].shape["y"] == alone["end-0"].shape["y1"] and alone["end-0-words"].text == "unsplit 10.698"
    assert "part-0" in marks(SCENE.run().steps[1])
