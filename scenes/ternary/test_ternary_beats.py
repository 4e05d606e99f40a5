"""Check what happens while weights are rounded and outputs scaled: each number comes with what causes it."""

import numpy as np
import pytest

from loom.scene import WIDTHS
from scenes.ternary.case import COLUMNS, KINDS, ROWS, case_of
from scenes.ternary.pace import AT_ONCE, ERROR, ERRORS, EXACT, KNOWN, MILLION, ONES, OTHERS, OUTPUT, SORTED
from scenes.ternary.scene import SCENE
from scenes.ternary.test_ternary_motion import film
from scenes.ternary.test_ternary_scene import number

GAMMA, ROUNDED, SCALED = 2, 3, 5


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("data", KINDS)
def test_mean_is_that_of_the_rows_framed_so_far_and_known_before_weights_are_sorted(data, width):
    beats, weights = film(GAMMA, width, data=data), case_of(data).weights
    assert len(beats) == SORTED + 1 and "share" not in beats[0]
    for done, beat in enumerate(beats[1:], 1):
        mean = float(np.abs(weights[: AT_ONCE * done]).mean())
        assert number(beat["share"].text) == pytest.approx(mean, abs=0.0006)
    assert ["averaged" in beat for beat in beats] == [at < KNOWN for at in range(len(beats))]
    assert ["half" in beat for beat in beats] == [at >= KNOWN for at in range(len(beats))]
    assert ["t0" in beat for beat in beats] == [at >= KNOWN for at in range(len(beats))]  # in units of γ
    red = [any("dropped" in mark.role for key, mark in beat.items() if key[0] == "w") for beat in beats]
    assert red == [at >= SORTED for at in range(len(beats))]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("data", "row"), [(kind, row) for kind in KINDS for row in (1, 4)])
def test_small_weights_go_first_and_digits_are_told_when_their_bars_have_come(data, row, width):
    beats, pick = film(ROUNDED, width, data=data, row=row), SCENE.run(data=data, row=row).result
    before, last = film(GAMMA, width, data=data, row=row)[-1], beats[-1]
    for column, sign in enumerate(pick.trits.tolist()):
        start = ONES if sign else 0
        for at, beat in enumerate(beats):
            bar = (last if at >= start else before)[f"t{column}"].shape
            assert beat[f"t{column}"].shape == bar
            assert (beat[f"a{column}"].text == last[f"a{column}"].text) == (at > start)
    flat = [beat["h0"].shape["height"] == 0 for beat in beats]
    assert flat == [at < MILLION for at in range(len(beats))]
    assert ["off" in beat for beat in beats] == [at >= ERROR for at in range(len(beats))]
    told = [beat["share"].text for beat in beats]
    zeros = f"{pick.case.fidelity.zeros:.1f}%"
    assert told[ONES:] == [str(pick.case.operations.nothing)] * (ERROR - ONES) + [zeros]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("row", [1, 3, ROWS])
def test_picked_output_comes_out_of_its_sum_and_the_others_after_it(row, width):
    beats = film(SCALED, width, row=row)
    for at in range(ROWS):
        grows = OUTPUT if at == row - 1 else OTHERS
        assert [beat[f"q{at}"].shape["width"] > 0 for beat in beats] == [beat >= grows for beat in range(len(beats))]
        told = EXACT if at == row - 1 else ERRORS
        assert [f"v{at}" in beat and f"e{at}" in beat for beat in beats] == [b >= told for b in range(len(beats))]
    assert ["lost" in beat for beat in beats] == [at >= ERRORS for at in range(len(beats))]
    pick = SCENE.run(row=row).result
    sums = [number(beat["sum-0"].text.rpartition("= ")[2]) for beat in beats]
    assert sums == [pick.sum] + [round(pick.output)] * ERRORS
    assert all(beat[f"t{at}"] == beats[-1][f"t{at}"] for beat in beats for at in range(COLUMNS))
