"""Check what moves at the two ends of the story: products that are made one by one, and bits that become fewer."""

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.ternary.case import ACTIVATIONS, COLUMNS, DENSE, KINDS, ROWS, matrix_of
from scenes.ternary.narration import trit
from scenes.ternary.packing import FIVE, PLACES
from scenes.ternary.scene import SCENE
from scenes.ternary.test_ternary_scene import PACKED, WEIGHTS, marks, number


def film(step, width="wide", **params):
    """The marks of each beat of a step, by key."""
    return [marks(state, width) for state in SCENE.run(**params).chapters[step - 1].states]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("data", "row"), [(kind, row) for kind in KINDS for row in (1, 4)])
def test_products_are_counted_one_by_one_with_their_bars_and_their_sum(data, row, width):
    beats, weights = film(WEIGHTS, width, data=data, row=row), matrix_of(data)[row - 1]
    for made, beat in enumerate(beats[: COLUMNS + 1]):
        assert sum(key[0] == "t" and key[1:].isdigit() for key in beat) == made == number(beat["answer"].text)
        sums = [number(beat[key].text) for key in beat if key.startswith("sum")]
        assert sums == ([pytest.approx(weights[:made] @ ACTIVATIONS[:made], abs=0.5)] if made else [])
        terms = " ".join(mark.text for key, mark in beat.items() if key[0] == "l" and key[1:].isdigit()).split("=")[0]
        assert terms.count("·") == made
    rows = [number(beat["answer"].text) for beat in beats[COLUMNS:]]
    assert rows == [COLUMNS * so_many for so_many in range(1, ROWS + 1)] and rows[-1] == DENSE
    if width == "wide":
        full = beats[-1]["ox"].shape["width"] + 1
        lengths = [(beat["ox"].shape["width"] + 1) / full * DENSE for beat in beats[1:]]
        assert lengths == pytest.approx([number(beat["answer"].text) for beat in beats[1:]])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("row", [1, 3, ROWS])
def test_frame_is_around_what_is_multiplied_next_and_gone_when_nothing_is(row, width):
    *beats, last = film(WEIGHTS, width, row=row)
    for column, beat in enumerate(beats[:COLUMNS]):
        left, top, right, bottom = bounds(beat["turn"])
        inside = [key for key, mark in beat.items() if key[0] in "ab" and key[1:].isdigit()
                  and left < mark.shape["x"] < right and top < mark.shape["y"] < bottom]  # fmt: skip
        assert sorted(inside) == [f"a{column}", f"b{column}"]
    bands = [bounds(beat["turn"]) for beat in beats[COLUMNS:]]
    assert bands == [bounds(last[f"r{at}"]) for at in range(ROWS) if at != row - 1]
    assert "turn" not in last


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("data", KINDS)
def test_weights_go_down_before_they_get_one_more_and_sums_stand_before_their_bits(data, width):
    beats, pick = film(PACKED, width, data=data), SCENE.run(data=data).result
    for column, (sign, digit) in enumerate(zip(pick.trits.tolist(), pick.digits.tolist(), strict=True)):
        copies = [beat[f"b{column}"] for beat in beats]
        assert [mark.text for mark in copies] == [trit(sign)] * 2 + [str(digit)] * (len(beats) - 2)
        assert copies[0].shape["y"] == beats[0][f"a{column}"].shape["y"] < copies[1].shape["y"] == copies[-1].shape["y"]
    for group, value in enumerate(pick.numbers):
        first = next(at for at, beat in enumerate(beats) if f"s{group}-label" in beat)
        assert beats[first][f"s{group}-label"].text.endswith(f" = {value}") and f"p{FIVE * group}" in beats[first - 1]
        assert f"i{group}0" not in beats[first]
        assert int("".join(beats[first + 1][f"i{group}{place}"].text for place in range(8)), 2) == value
        assert sum(pick.digits[FIVE * group :][:FIVE] * PLACES) == value
        tight, wide = (bounds(beats[at][f"k{group}"]) for at in (first, first + 1))
        assert (wide[2] - wide[0]) == pytest.approx(8 * (tight[2] - tight[0]), rel=0.05)


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_of_bits_come_out_of_that_of_before_and_are_named_when_they_have_come(width):
    beats, case = film(PACKED, width), SCENE.run().result.case
    for at in (1, 2):
        places = [bounds(beat[f"z{at}"]) for beat in beats]
        come = next(beat for beat, place in enumerate(places) if place != places[0])
        assert places[0] == bounds(beats[0]["z0"]) and set(places[come:]) == {places[-1]}
        assert [f"z{at}-name" in beat for beat in beats] == [beat > come for beat in range(len(beats))]
    told = [beat["bits"].text for beat in beats if "bits" in beat]
    assert set(told) == {str(case.packed)} and "bits" not in beats[come]
