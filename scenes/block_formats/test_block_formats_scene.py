"""Check what the reader meets: values, words, table and picture agree with the stored bytes in every state."""

import re

import numpy as np
import pytest

from loom.draw import number
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.block_formats.case import PEAKS
from scenes.block_formats.model import RUNGS
from scenes.block_formats.narration import percent
from scenes.block_formats.pace import TAKEN
from scenes.block_formats.scene import SCENE

AMAX, SCALE, ROUNDED, CODES, ERROR = range(1, 6)  # steps
EVERY = list(SCENE.grid())
GRID = [params for params in EVERY if params["peak"] in (4, 5, 6, 6.5, 7, 7.5, 8, 9)]


def values(**params):
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def states(**params):
    return SCENE.run(**params).steps


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def test_grid_is_four_ways_of_storing_for_every_largest_number():
    assert len(EVERY) == 4 * len(PEAKS)
    assert (PEAKS[0], PEAKS[-1]) == (4, 9) and set(np.diff(PEAKS)) == {0.25}
    assert SCENE.resting({"format": "NVFP4", "rule": "ceil"})["rule"] == "floor"


def test_rounding_the_scale_down_spares_the_small_numbers_and_up_the_largest():
    # By hand: 7.5 over 1 is clipped to 6; over 2 it is 3.75, goes to 4 and comes back as 8.
    floor, ceil = values(peak=7.5), values(peak=7.5, rule="ceil")
    assert (floor["scale"], floor["decoded"], floor["clipped"], floor["worst"]) == (1, 6, 1, 20)
    assert (ceil["scale"], ceil["decoded"], ceil["clipped"]) == (2, 8, 0)
    assert ceil["worst"] == pytest.approx(100 / 15, abs=1e-4) and floor["rest"] < ceil["rest"]
    assert values(peak=7.5, rule="even") == ceil and values(peak=6.75, rule="even") == values(peak=6.75)
    says = [SCENE.say(state) for state in states(peak=7.5)]
    assert "7.5 is clipped to 6" in says[ROUNDED - 1] and "20% off" in says[ERROR - 1]
    assert not any("clipped" in SCENE.say(state) for state in states(peak=7.5, rule="ceil"))
    for rule, words in (("floor", "rounded down"), ("even", "amax rounded first"), ("ceil", "rounded up")):
        assert f"{words} ({rule})" in SCENE.say(states(rule=rule)[ERROR - 1])  # as the control, and as the bars
    assert "18 bytes, not 17" in SCENE.say(states(format="NVFP4")[AMAX - 1])


def test_bits_and_bytes_are_those_of_the_fact_table():
    # facts/formats.md section 3 and 4: 4.25 and 4.5 bits, 17 bytes for 32 numbers, 9 for 16.
    for params in GRID:
        found = values(**params)
        wanted = (4.25, 17) if params["format"] == "MXFP4" else (4.5, 18)
        assert (found["bits"], found["bytes"], found["before"]) == (*wanted, 64)
        assert found["times"] == pytest.approx(64 / wanted[1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EVERY)
def test_heading_of_the_rivals_keeps_clear_of_the_bracket_and_of_their_bars(params, width):
    drawn = marks(states(**params)[-1], width)
    _, top, _, bottom = bounds(drawn["rivals-head"])
    names = [mark for mark in drawn.values() if " share the scale" in (mark.text or "")]
    assert all(bounds(mark)[3] + 3 <= top for mark in names)
    assert bottom <= bounds(drawn["track0"])[1]


def test_values_agree_with_each_other():
    for params in GRID:
        found = values(**params)
        assert found["peak"] * found["scale"] == pytest.approx(found["amax"], rel=1e-12)
        assert found["element"] * found["scale"] == found["decoded"]
        assert found["worst"] == pytest.approx(100 * abs(found["decoded"] / found["amax"] - 1), abs=5e-5)
        assert found["sqnr"] == pytest.approx(-20 * np.log10(found["error"] / 100))
        assert found["amax"] == params["peak"]


def test_the_error_of_all_is_that_of_the_largest_and_of_the_rest_together():
    for params in GRID:
        found, numbers = values(**params), SCENE.run(**params).result.numbers
        squares = (
            found["error"] ** 2 * (numbers**2).sum(),
            found["rest"] ** 2 * ((numbers**2).sum() - params["peak"] ** 2),
        )
        assert squares[0] == pytest.approx(squares[1] + (found["worst"] * params["peak"]) ** 2, rel=1e-3, abs=1e-3)


def test_table_has_a_row_for_each_byte_that_holds_two_numbers():
    for params in GRID:
        case, rows = SCENE.run(**params).result, SCENE.run(**params).table.rows
        codes = b"".join(block[1:] for block in case.stored)
        assert [int(row[6], 16) for row in rows] == list(codes) and len(rows) == 16
        seen = []
        for row, byte in zip(rows, codes, strict=True):
            low, high = map(int, row[0].split(", "))
            seen += [low, high]
            assert (row[1], row[2]) == (case.numbers[low], case.numbers[high])
            assert (row[4], row[5]) == (byte & 15, byte >> 4)
            assert (row[7], row[8]) == (case.decoded[low], case.decoded[high])
            for code, back in ((row[4], row[7]), (row[5], row[8])):
                assert abs(back) == pytest.approx(RUNGS[code % 8] * row[3])
        assert sorted(seen) == list(range(32))


def test_every_step_says_something_else_and_has_no_raw_minus():
    for params in GRID:
        says = [SCENE.say(state) for state in states(**params)]
        assert len(set(says)) == len(says) == 5
        assert not any(re.search(r"-\d|nan|inf\b|\^", words) or len(words) > 190 for words in says)


@pytest.mark.parametrize("width", ["narrow", "wide"])
def test_columns_stand_on_rungs_once_they_are_rounded(width):
    for params in GRID:
        given, rounded = states(**params)[SCALE - 1], states(**params)[ROUNDED - 1]
        case, before, after = given.result, marks(given, width), marks(rounded, width)
        heights = [float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)L", after["rungs"].shape["d"])]
        heights.append(float(after["base"].shape["y1"]))
        for at in range(32):
            top = after[f"n{at}"].shape["y"]
            assert min(abs(top - height) for height in heights) <= 0.26  # paths are rounded to halves
        floor, top = before["base"].shape["y1"], before[f"n{case.top}"].shape
        for at in range(32):
            share = before[f"n{at}"].shape["height"] / top["height"]
            assert share == pytest.approx(abs(case.numbers[at]) / case.peak, abs=1e-9)
        assert top["y"] + top["height"] == pytest.approx(floor)


def written(found):
    """The bytes of a picture as they are read: digits that touch, line by line from the left."""
    digits = [mark for key, mark in found.items() if re.fullmatch(r"[ds]\d+", key)]
    digits.sort(key=lambda mark: (mark.shape["y"], mark.shape["x"]))
    words, last = [], None
    for mark in digits:
        near = last is not None and mark.shape["y"] == last.shape["y"] and mark.shape["x"] - last.shape["x"] < 12
        words[-1:] = [words[-1] + mark.text] if near and len(words[-1]) == 1 else [*words[-1:], mark.text]
        last = mark
    return words


def test_half_a_byte_under_each_number_is_its_code():
    for params in GRID:
        state = SCENE.run(**params).chapters[CODES - 1].states[TAKEN]
        case, found = state.result, marks(state)
        assert [int(found[f"d{at}"].text, 16) for at in range(32)] == case.codes
        for at in range(32):
            column = found[f"n{at}"].shape
            assert found[f"d{at}"].shape["x"] == pytest.approx(column["x"] + column["width"] / 2)
        assert [int(found[f"s{block}"].text, 16) for block in range(len(case.stored))] == [b[0] for b in case.stored]


@pytest.mark.parametrize("width", ["narrow", "wide"])
def test_bytes_in_the_picture_are_the_stored_ones(width):
    for params in GRID:
        state = states(**params)[CODES - 1]
        found, flat = marks(state, width), b"".join(state.result.stored)
        assert written(found) == [f"{byte:02x}" for byte in flat]
        _, low, high = state.result.pair(state.result.top)
        for key, at in (("hi", high), ("lo", low)):
            digits = "".join(found[f"{key}-{field}0"].text for field in "sem").replace("\u00a0", "")
            assert int(digits, 2) == state.result.codes[at]


def test_chosen_byte_of_the_picture_holds_the_largest_number():
    for params in GRID:
        state = states(**params)[CODES - 1]
        case = state.result
        which, low, high = case.pair(case.top)
        code_bytes = b"".join(block[1:] for block in case.stored)
        assert code_bytes[which] == case.codes[high] << 4 | case.codes[low] and case.top in (low, high)
        hot = {key for key, mark in marks(state).items() if re.fullmatch(r"d\d+", key) and "hot" in mark.role}
        assert hot == {f"d{low}", f"d{high}"}


def test_scale_bits_in_the_picture_are_those_of_its_byte():
    for params in GRID:
        state = states(**params)[SCALE - 1]
        found = marks(state)
        for block, code in enumerate(state.result.packed.scale_codes):
            digits = "".join(mark.text for key, mark in found.items() if re.fullmatch(rf"scale{block}-[a-z]+\d", key))
            assert int(digits.replace("\u00a0", ""), 2) == code


def test_opening_shows_what_is_clipped_and_says_in_large_type_what_rounding_loses():
    for width, size in (("narrow", 26), ("wide", 32)):
        found = marks(states()[SCENE.opening - 1], width)
        assert (found["answer"].text, found["answer"].shape["font-size"]) == ("18.1%", size)
        assert "takes" not in found and "over-1" in found
        assert marks(states()[AMAX - 1], width)["takes"].text == "17 bytes"
    assert [("answer" in marks(state)) for state in states()] == [False, False, True, True, True]


def test_a_waiting_prediction_shows_the_numbers_as_they_are_and_nothing_that_rounding_makes_of_them():
    for width in ("narrow", "wide"):
        found = marks(states()[SCENE.opening - 1], width)
        hidden = {key for key, mark in found.items() if "answer" in mark.role.split()}
        losses = {"there", "there-was"} | {key for key in found if re.fullmatch(r"t?here(\d|-loss)", key)}
        assert len(losses) == (4 if width == "narrow" else 7)
        assert {"answer", "flag0", "over-1", *losses, *(f"n{at}" for at in range(32))} <= hidden
        assert {"rungs", "given", "was", "peak"} <= found.keys() - hidden
        assert not [mark.text for key, mark in found.items() if key not in hidden and "→" in (mark.text or "")]


@pytest.mark.parametrize("width", ["narrow", "wide"])
def test_the_largest_number_is_dragged_up_and_down_on_one_scale_in_every_step(width):
    rails = set()
    for params in GRID:
        for state in states(**params):
            found = marks(state, width)
            knob = found["peak"]
            assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[PEAKS.index(params["peak"])]
            rails |= {knob.handle.rail} if params["format"] == "MXFP4" else set()
    (rail,) = rails
    base = found["base"].shape["y1"]
    assert [(base - y) / (base - rail[-1][1]) for _, y in rail] == pytest.approx([peak / 9 for peak in PEAKS])


@pytest.mark.parametrize("form", ["MXFP4", "NVFP4"])
def test_on_a_phone_each_half_of_the_byte_has_its_number_under_its_own_bits(form):
    found = marks(states(format=form)[CODES - 1], "narrow")
    case = states(format=form)[CODES - 1].result
    for key, at in zip(("lo", "hi"), case.pair(case.top)[1:], strict=True):
        digits = [mark for name, mark in found.items() if re.fullmatch(rf"{key}-[sem]\d", name)]
        assert found[f"{key}-is0"].text == f"number {at}"
        assert found[f"{key}-is1"].text.endswith(f"= {number(case.decoded[at])}")
        left, right = bounds(digits[0])[0], bounds(digits[-1])[2]
        assert left < found[f"{key}-is0"].shape["x"] < right


def test_clipped_part_is_hatched_and_only_there():
    assert {"over-1", "over-1-hatch"} <= set(marks(states()[ROUNDED - 1]))
    for params in ({"rule": "ceil"}, {"peak": 6.0}, {"rule": "even"}):
        assert not [key for key in marks(states(**params)[ROUNDED - 1]) if key.startswith("over")]


def test_error_step_offers_every_format_and_the_longest_bar_is_the_worst():
    for params in GRID:
        state = states(**params)[ERROR - 1]
        found, rivals = marks(state), state.result.rivals
        assert [found[f"track{row}"].set["format"] for row in range(4)] == ["MXFP4"] * 3 + ["NVFP4"]
        assert [(found[f"track{row}"].set or {}).get("rule") for row in range(4)] == ["floor", "even", "ceil", None]
        lengths = [found[f"rival{row}"].shape["width"] for row in range(4)]
        for rival, length in zip(rivals, lengths, strict=True):
            assert length / max(lengths) == pytest.approx(rival.error / max(r.error for r in rivals), abs=0.01)


def test_opening_picture_is_small_and_stages_are_no_taller_than_they_may_be():
    opening = states()[SCENE.opening - 1]
    assert opening.phase == "rounded"
    for width, tall in (("narrow", 342), ("wide", 338)):
        assert len(marks(opening, width)) <= 105
        for params in GRID:
            for state in states(**params):
                drawn = marks(state, width).values()
                assert max(bounds(mark)[3] for mark in drawn) <= tall and len(drawn) <= 150


@pytest.mark.parametrize("width", ["narrow", "wide"])
def test_no_two_labels_lie_over_each_other(width):
    for params in GRID:
        for state in states(**params):
            texts = [bounds(mark) for mark in marks(state, width).values() if mark.tag == "text"]
            for at, (left, top, right, bottom) in enumerate(texts):
                for other in texts[at + 1 :]:
                    across = min(right, other[2]) - max(left, other[0])
                    down = min(bottom, other[3]) - max(top, other[1])
                    assert across <= 1 or down <= 2.5, (params, state.phase, texts[at], other)


def test_numbers_are_written_short_and_with_a_true_minus():
    assert [number(value) for value in (-2.3902, 0.5, 448.0, 7.900000095, 0.000889, -0.0)] == [
        "−2.39", "0.5", "448", "7.9", "0.000889", "0"]  # fmt: skip
    assert (percent(24.0506), percent(2.5e-6), percent(0.0)) == ("24.1%", "under 0.01%", "0%")
    assert marks(SCENE.run(peak=4.0).steps[-1])["flag0"].text == "exact"
    assert len(states()) == 5
