"""The pictures of k-quants: weights, levels, codes and bytes stand where the model has them."""

import math
import re

import numpy as np
import pytest

from loom.draw import percent
from loom.draw.extent import bounds
from scenes.k_quants.case import OWN, PARTS, SHOWN, case_of
from scenes.k_quants.drawing import draw
from scenes.k_quants.kinds import KINDS
from scenes.k_quants.kinds import PARTS as SPENT
from scenes.k_quants.narration import exactly
from scenes.k_quants.near import GROUP, stride
from scenes.k_quants.packing import pack
from scenes.k_quants.scene import SCENE
from scenes.k_quants.stage import stage_of
from tests.boxes import answer_lines, beneath, box

WIDTHS = (328, 840)
SPLIT, IDEAL, ROUNDED, CODED, DECODED, BYTES = range(1, 7)
VARIANTS = [(name, data, part) for name in KINDS for data, part in (("bell", 1), ("outlier", 4), ("above", 1))]
NEAR = 0.26  # paths are rounded to halves


def frame(name, data, part, step, width):
    return {mark.key: mark for mark in draw(SCENE.run(type=name, data=data, part=part).steps[step - 1], width)}


def lines(mark):
    """The strokes of a mark, each a list of points."""
    return [
        [tuple(map(float, point.split())) for point in stroke.split("L")] for stroke in mark.shape["d"].split("M")[1:]
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "data", "part"), VARIANTS)
def test_all_256_weights_stand_where_they_belong(name, data, part, width):
    case, marks = case_of(name, data, part), frame(name, data, part, ROUNDED, width)
    stage = stage_of(width, case)
    drawn = [line for at in range(case.kind.blocks) for line in lines(marks[f"w{at}"])]
    unit = stage.all.height / (case.numbers.max() - min(case.numbers.min(), 0))
    if width == 840:
        heights = np.array([stroke[0][1] - stroke[1][1] for stroke in drawn])
        np.testing.assert_allclose(heights, case.numbers * unit, atol=2 * NEAR)
    else:  # one line reaches as far as two neighbours
        pairs = np.column_stack([case.numbers.reshape(-1, 2), np.zeros(128)])
        (zero,), ends = stage.y([0]), np.array([[stroke[0][1], stroke[1][1]] for stroke in drawn])
        reach = np.column_stack([pairs.min(axis=1), pairs.max(axis=1)])
        np.testing.assert_allclose(zero - ends, reach * unit, atol=3 * NEAR)  # both ends are rounded
    assert (np.diff([stroke[0][0] for stroke in drawn]) > 0).all()
    shown = [stage.frames[sub.index] for sub in case.shown]
    left, _, right, _ = bounds(marks["frame"])
    assert (left, right) == (pytest.approx(shown[0].x), pytest.approx(shown[-1].right))
    assert len(case.shown) * case.kind.size == SHOWN


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "data", "part"), VARIANTS)
def test_stored_weights_end_on_levels_and_ticks_stay_where_they_were(name, data, part, width):
    case, marks = case_of(name, data, part), frame(name, data, part, DECODED, width)
    stage = stage_of(width, case)
    ends, was = ([stroke[1][1] for at in range(0, SHOWN, GROUP) for stroke in lines(marks[f"{key}{at}"])]
                 for key in ("near", "was"))  # fmt: skip
    np.testing.assert_allclose(was, stage.levels(case.numbers[case.near].tolist()), atol=NEAR)
    assert len(ends) == SHOWN
    for side, sub in enumerate(case.shown):
        levels = [stroke[0][1] for stroke in lines(marks[f"level{side}"])]
        assert len(levels) == math.ceil(len(sub.levels()) / stride(stage, sub))
        if stride(stage, sub) == 1:
            mine = ends[side * case.kind.size : (side + 1) * case.kind.size]
            assert max(min(abs(end - level) for level in levels) for end in mine) <= 2 * NEAR


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "data", "part"), VARIANTS)
def test_error_bars_are_the_errors_so_many_times_as_large_and_can_be_seen(name, data, part, width):
    case, marks = case_of(name, data, part), frame(name, data, part, DECODED, width)
    stage, factor = stage_of(width, case), int(marks["error-sum"].text.split()[0])
    (zero, one), off = stage.levels([0, 1]), (case.decoded - case.numbers)[case.near]
    drawn = [stroke[0][1] - stroke[1][1] for stroke in lines(marks["lost"])]
    np.testing.assert_allclose(drawn, off * abs(zero - one) * factor, atol=2 * NEAR)
    assert max(map(abs, drawn)) > 4
    assert percent(case.error) in marks["error-sum"].text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_codes_under_the_weights_give_the_decoded_weights(name, width):
    case, marks = case_of(name, "bell", 4), frame(name, "bell", 4, CODED, width)
    shown = {at: int(marks[f"q{at}"].text.replace("−", "-")) for at in range(SHOWN) if f"q{at}" in marks}
    assert len(shown) == SHOWN or (name == "Q8_0" and set(shown) == {OWN})
    for at, code in shown.items():
        sub = case.subs[(case.start + at) // case.kind.size]
        scale, minimum = sub.kept
        assert scale * (code - case.kind.zero) - minimum == pytest.approx(case.decoded[case.start + at], abs=1e-5)


def test_weights_are_rounded_in_turn_with_their_codes():
    states = SCENE.run(type="Q4_K").chapters[CODED - 1].states
    assert len(states) == SHOWN // GROUP
    for beat, state in enumerate(states, 1):
        marks = {mark.key: mark for mark in draw(state, 840)}
        codes = [at for at in range(SHOWN) if f"q{at}" in marks]
        rounded = [at for at in range(0, SHOWN, GROUP) if "work" in marks[f"near{at}"].role]
        assert (len(codes), len(rounded)) == (beat * GROUP, beat)
        assert marks["answer"].text == ("4.5" if beat == len(states) else "0.5")  # told when the last one has landed


def test_scales_become_whole_numbers_sub_block_by_sub_block():
    case, states = case_of("Q4_K", "bell", 1), SCENE.run(type="Q4_K").chapters[ROUNDED - 1].states
    for beat, state in enumerate(states, 1):
        marks = {mark.key: mark for mark in draw(state, 840)}
        assert [marks[f"s{at}-n"].text for at in range(beat)] == [str(sub.counts[0]) for sub in case.subs[:beat]]
        assert all("." in marks[f"s{at}-n"].text for at in range(beat, 8))


@pytest.mark.parametrize("width", WIDTHS)
def test_once_it_is_about_codes_only_the_sub_block_seen_from_near_keeps_its_numbers(width):
    for part in PARTS:
        rounded, coded = (frame("Q4_K", "bell", part, step, width) for step in (ROUNDED, CODED))
        for key in "sm":
            assert [at for at in PARTS if f"{key}{at - 1}-n" in rounded] == [*PARTS]
            assert [at for at in PARTS if f"{key}{at - 1}-n" in coded] == [part]
            assert all(rounded[f"{key}{at - 1}"] == coded[f"{key}{at - 1}"] for at in PARTS)  # the bars stay


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_codes_end_above_what_is_drawn_under_them(name, width):
    marks = frame(name, "bell", 1, DECODED, width)
    foot = max(bounds(mark)[3] for key, mark in marks.items() if re.fullmatch(r"q\d+", key))
    assert foot < bounds(marks["lost"])[1] + 5  # the room of a descender, which no digit has


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_lengths_are_bits_and_bytes(name, width):
    kind, marks = KINDS[name], frame(name, "bell", 1, BYTES, width)
    bar = sum(marks[part].shape["width"] for part in SPENT if part in marks)
    for part in SPENT:
        if kind.spent(part):
            assert marks[part].shape["width"] / bar == pytest.approx(kind.spent(part) / kind.total)
            assert marks[f"{part}-bits"].text == exactly(kind.spent(part))
    assert bar == pytest.approx(marks["whole"].shape["width"])
    stage = stage_of(width, case_of(name, "bell", 1))
    fields = [mark.shape["width"] + 0.5 for key, mark in marks.items() if key.startswith("field-")]
    assert sum(fields) == pytest.approx(stage.strip.width)
    assert f"{kind.bytes} bytes" in marks["bytes"].text
    assert marks["answer"].text == exactly(kind.total) and "answer" in marks["answer"].role


@pytest.mark.parametrize("name", KINDS)
def test_marked_byte_holds_bits_of_the_weight(name):
    case, marks = case_of(name, "bell", 3), frame(name, "bell", 3, BYTES, 840)
    stored, box = pack(case.packed)[0].tolist(), stage_of(840, case).strip
    places = [int((stroke[0][0] - box.x) / box.width * case.kind.bytes) for stroke in lines(marks["spots"])]
    code = 0
    for field, at, low, value in case.own_bytes:
        assert value == stored[at] and any(abs(at - place) <= 1 for place in places)
        code |= (value >> low) % 2**field.bits << field.low
    assert code == case.codes[case.own] % 2**case.kind.bits


@pytest.mark.parametrize("width", WIDTHS)
def test_the_ledger_fills_step_by_step(width):
    frames = [frame("Q4_K", "bell", 1, step, width) for step in (SPLIT, IDEAL, ROUNDED, CODED)]
    spent = [sum(one[part].shape["width"] for part in SPENT if part in one) for one in frames]
    assert spent[:2] == [0, 0]
    whole = frames[0]["whole"].shape["width"]
    assert spent[2] / whole == pytest.approx(0.5 / 4.5)
    assert spent[3] == pytest.approx(whole)
    assert frames[1]["naive"].shape["width"] / whole == pytest.approx(2 / 4.5)
    assert [one["answer"].text for one in frames] == ["0", "0", "0.5", "4.5"]
    assert answer_lines(frames[3]) == ["bits a weight"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["Q2_K", "Q3_K", "Q4_K", "Q6_K"])
def test_what_rounded_scales_take_stands_beside_what_they_would_take_as_fp32(name, width):
    kind, marks = KINDS[name], frame(name, "bell", 1, ROUNDED, width)
    naive = 32 * (2 if kind.min_bits else 1) / kind.size
    taken = kind.spent("scales") + kind.spent("super")
    assert (marks["answer"].text, answer_lines(marks)[0].split()[-1]) == (exactly(taken), exactly(naive))
    rounded, full = [marks[part].shape for part in ("scales", "super")], marks["naive"].shape
    assert rounded[0]["x"] == full["x"]
    assert sum(shape["width"] for shape in rounded) / full["width"] == pytest.approx(taken / naive)


def test_scale_and_minimum_are_told_as_multiples_of_d_and_dmin():
    case, marks = case_of("Q4_K", "bell", 1), frame("Q4_K", "bell", 1, CODED, 840)
    (sub,) = case.shown
    assert f"{sub.counts[0]}·d = " in marks["head0"].text and f"{sub.counts[1]}·dmin = " in marks["head0"].text
    assert sub.counts[0] * float(case.packed.d[0, 0]) == pytest.approx(sub.kept[0])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["Q4_K", "Q6_K"])
def test_frame_slides_along_all_weights(name, width):
    for part in PARTS:
        marks = frame(name, "bell", part, CODED, width)
        knob, (left, _, right, _) = marks["part"], bounds(marks["frame"])
        assert knob.handle.params == ("part",) and len(knob.handle.rail) == len(PARTS)
        assert knob.handle.rail[part - 1] == (knob.shape["cx"], knob.shape["cy"])
        assert knob.shape["cx"] == pytest.approx((left + right) / 2)


@pytest.mark.parametrize("width", WIDTHS)
def test_types_lie_on_a_rail_by_bits_and_error_in_their_order(width):
    for name in KINDS:
        knob = frame(name, "bell", 1, DECODED, width)["type"]
        assert knob.handle.rail[list(KINDS).index(name)] == (knob.shape["cx"], knob.shape["cy"])
    places = dict(zip(KINDS, knob.handle.rail, strict=True))
    assert places["Q4_K"][0] == places["Q4_0"][0] and places["Q4_K"][1] > places["Q4_0"][1]  # less error lies lower
    *early, last = SCENE.run(type="Q4_K").chapters[CODED - 1].states
    told = [any(mark.key == "type-error" for mark in draw(state, width)) for state in (*early, last)]
    assert told == [False] * len(early) + [True]  # no error before all weights have their code
    assert not [one for one in KINDS if "type-error" in beneath(frame(one, "bell", 1, CODED, width), "type")]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_scene_opens_with_all_bits_of_a_weight_by_what_they_are_for(name, width):
    kind, marks = KINDS[name], frame(name, "bell", 1, SCENE.opening, width)
    shares = [float(marks[f"{part}-bits"].text) for part in SPENT if f"{part}-bits" in marks]
    assert sum(shares) == kind.total == float(marks["answer"].text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("step", [SPLIT, CODED])
def test_bar_of_bits_ends_under_the_type_that_takes_as_many(step, name, width):
    marks = frame(name, "bell", 1, step, width)
    end, (left, top, right, bottom) = marks["type"].shape["cx"], bounds(marks["type-bits"])
    assert bounds(marks["whole"])[2] == pytest.approx(end) == left == right
    assert (bottom, top) == (pytest.approx(bounds(marks["whole"])[1]), pytest.approx(marks["type"].shape["cy"]))
    dots = [mark for key, mark in marks.items() if key.startswith("type-Q")]
    assert len(dots) == len(KINDS) and max(bounds(dot)[3] for dot in dots) <= bottom  # they stand on the bar


@pytest.mark.parametrize("width", WIDTHS)
def test_parts_of_a_weight_wait_in_their_places_for_their_numbers(width):
    frames = [frame("Q4_K", "bell", 1, step, width) for step in range(SPLIT, BYTES + 1)]
    for part in SPENT:
        assert len({(one[f"{part}-name"].shape["x"], one[f"{part}-name"].shape["y"]) for one in frames}) == 1
    assert [sum(f"{part}-bits" in one for part in SPENT) for one in frames] == [0, 0, 2, 3, 3, 3]
    assert float(frames[IDEAL - 1]["naive-bits"].text) == 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_what_all_256_share_spans_them_all_with_its_numbers(name, width):
    case, marks = case_of(name, "bell", 1), frame(name, "bell", 1, ROUNDED, width)
    assert ("shared" in marks) == case.kind.nested and "shared" not in frame(name, "bell", 1, IDEAL, width)
    if case.kind.nested:
        ends = bounds(marks["b0"])[0], bounds(marks[f"b{case.kind.blocks - 1}"])[2]
        assert bounds(marks["shared"])[::2] == pytest.approx(ends)
        numbers = [float(told) for told in re.findall(r"= ([\d.]+)", marks["shared-name"].text)]
        both = [float(case.packed.d[0, 0]), float(case.packed.dmin[0, 0])][: 2 if case.kind.min_bits else 1]
        assert width == 328 or numbers == pytest.approx([abs(one) for one in both], rel=5e-3)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "data", "part"), [*VARIANTS, ("Q3_K", "bell", 8)])
def test_all_stays_on_one_screen(name, data, part, width):
    for step in range(SPLIT, BYTES + 1):
        marks = frame(name, data, part, step, width)
        assert max(bounds(mark)[3] for mark in marks.values()) <= 348
        assert len(marks) <= 210


def test_weights_that_are_shifted_have_no_close_up_to_choose():
    assert SCENE.resting({"data": "above", "part": 4})["part"] == 1
    assert "part" in frame("Q4_K", "bell", 1, CODED, 840) and "part" not in frame("Q4_K", "above", 1, CODED, 840)


def test_q4_1_says_where_its_levels_start():
    case, marks = case_of("Q4_1", "above", 1), frame("Q4_1", "above", 1, CODED, 840)
    start = re.fullmatch(r"scale [\d.]+, from ([\d.]+) on", marks["head0"].text)
    assert start and float(start[1]) == pytest.approx(case.numbers[:SHOWN].min(), abs=0.01)
    says = [SCENE.say(state) for state in SCENE.run(type="Q4_1", data="above").steps]
    assert (
        "where its levels start" in says[IDEAL - 1]
        and "four bytes for 32 weights: 1 bit per weight" in says[ROUNDED - 1]
    )
    assert " + " in says[DECODED - 1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_numbers_of_a_sub_block_stand_within_their_frame_and_clear_of_its_handle(name, width):
    marks = frame(name, "bell", 1, ROUNDED, width)
    edge, handle, glow = bounds(marks["frame"])[3], bounds(marks["part"])[1], 8
    ends = [box(mark)[3] for key, mark in marks.items() if re.fullmatch(r"[sm]\d+-n", key)]
    assert bool(ends) == (width > 328 or KINDS[name].size == 32 or name == "Q2_K")  # others have no room for them
    assert all(end < edge - 3 for end in ends)
    assert all(end < handle - glow + 1.5 for end in ends)  # round, it only touches the line on which the numbers stand
