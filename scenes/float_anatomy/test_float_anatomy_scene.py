"""The scene: one story for every code, pictures that keep their room, words that quote the state."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from scenes._formats.floats import FLOATS
from scenes.float_anatomy.nearest import FORMATS
from scenes.float_anatomy.reading import read_so_far
from scenes.float_anatomy.scene import SCENE
from scenes.float_anatomy.words import digits, equals, number, percent

GRID = list(SCENE.grid())
SAMPLE = [*(params for params in GRID if "M" not in params["format"]), *GRID[:16], *GRID[16:144:3], *GRID[144:656:11]]
SPECIAL = [{"format": "E4M3", "code8": 127}, {"format": "E4M3", "code8": 128}, {"format": "E5M2", "code8": 124},
           {"format": "E5M2", "code8": 253}, {"format": "E4M3", "code8": 7}]  # fmt: skip
EXPONENT, MANTISSA, VALUE, EVERYWHERE = range(4)  # places of the steps


def states(**params):
    return SCENE.run(**params).steps


def test_every_code_of_the_small_formats_and_every_number_of_the_wide_ones_is_in_the_grid():
    sizes = {name: sum(params["format"] == name for params in GRID) for name in FORMATS}
    wide = len(SCENE.param("number").values)
    assert sizes == {"E2M1": 16, "E2M3": 64, "E3M2": 64, "E4M3": 256, "E5M2": 256} | dict.fromkeys(FORMATS[5:], wide)
    assert all(params == SCENE.resting(params) for params in GRID)
    assert len({SCENE.key(params) for params in GRID}) == len(GRID)
    assert len(GRID) * len(SCENE.steps) <= 3500


@pytest.mark.parametrize("width", [328, 840])
def test_pictures_keep_their_room(width):
    for params in SAMPLE:
        for state in SCENE.run(**params).steps:
            frame = list(SCENE.draw(state, width))
            assert len(frame) <= (104 if FLOATS[params["format"]].bits <= 16 else 116), (
                params,
                state.phase,
                len(frame),
            )
            boxes = [bounds(mark) for mark in frame if mark.tag == "text" and mark.text]
            assert all(box[0] >= -2 and box[2] <= width + 2 and box[3] <= 345 for box in boxes), (
                params,
                state.phase,
            )


@pytest.mark.parametrize(("name", "bits", "param"), [("E2M1", 4, "code4"), ("E3M2", 6, "code6"), ("E5M2", 8, "code8")])
def test_pressing_a_bit_leads_to_the_code_with_that_bit_flipped(name, bits, param):
    code = 2**bits * 2 // 3
    frame = SCENE.draw(states(**{"format": name, param: code})[0], 328)
    flips = [int(mark.set[param]) ^ code for mark in frame if mark.set]
    assert flips == [2 ** (bits - 1 - bit) for bit in range(bits)]


def test_opening_answers_its_question_in_large_type_and_says_what_can_be_touched():
    for width, size in ((328, 26), (840, 32)):
        frame = {mark.key: mark for mark in SCENE.draw(states()[SCENE.opening - 1], width)}
        assert (frame["is"].text, frame["is"].shape["font-size"]) == ("= 3.25", size)
        assert frame["press"].text == "press a bit to flip it, or drag the dot"


@pytest.mark.parametrize("width", [328, 840])
@pytest.mark.parametrize("code", [0, 69, 127, 128, 200, 255])
def test_dot_is_dragged_along_the_powers_of_two_through_all_codes_of_its_sign(code, width):
    frame = {mark.key: mark for mark in SCENE.draw(states(format="E4M3", code8=code)[VALUE], width)}
    dot, (left, _, right, _) = frame["code"], bounds(frame["ruler"])
    own = dot.handle.rail[128:] if code > 127 else dot.handle.rail[:128]
    assert (dot.shape["cx"], dot.shape["cy"]) == dot.handle.rail[code]
    assert all(left <= x <= right for x, _ in own)
    away = [a[0] - b[0] for a, b in itertools.pairwise(own)]
    assert min(away) > 0 if code > 127 else max(away) < 0  # a negative number grows to the left
    assert all(x > width for x, _ in {*dot.handle.rail} - {*own})


def test_ones_of_the_mantissa_are_added_one_after_another_and_the_sum_is_told_when_each_has_landed():
    for code in (64, 65, 71):
        chapter = SCENE.run(format="E4M3", code8=code).chapters[MANTISSA]
        ones, whole = (code % 8).bit_count(), chapter.states[0].result.significand
        told, bound = zip(*map(read_so_far, chapter.states), strict=True)
        assert len(set(bound)) == ones + 1 and told[-1] == bound[-1] == whole
        assert told[1:-1] == bound[:-2] and told[0] == bound[0] == (1.0 if ones else whole)
    frames = [{mark.key: mark for mark in SCENE.draw(state, 840)}
              for state in SCENE.run(format="E4M3", code8=71).chapters[MANTISSA].states]  # fmt: skip
    assert [frame["sum"].text for frame in frames] == [f"+ 2¹ × {told}" for told in ("1", "1", "1.5", "1.75", "1.875")]
    lengths = [[frame[f"part{depth}"].shape["width"] for frame in frames if f"part{depth}" in frame]
               for depth in (1, 2, 3)]  # fmt: skip
    assert [len(lengths[at]) for at in range(3)] == [5, 4, 3]  # without length it is there a beat before it grows
    assert all(one[0] == 0 < one[1] == one[-1] for one in lengths)
    assert [sum(f"half{depth}" in frame for frame in frames) for depth in (1, 2, 3)] == [3, 2, 1]


@pytest.mark.parametrize("code", [64, 71, 71 + 128, 3, 127])
def test_dot_rides_on_the_end_of_what_has_been_added_and_then_goes_to_its_own_line(code):
    chapters = SCENE.run(format="E4M3", code8=code).chapters
    for state in chapters[MANTISSA].states:
        frame = {mark.key: mark for mark in SCENE.draw(state, 840)}
        dot, bar = frame["value"].shape, bounds(frame["bar"])
        parts = [bounds(mark) for key, mark in frame.items() if key.startswith("part")]
        start = bar[2] if state.result.negative else bar[0]
        ends = [box[0] if state.result.negative else box[2] for box in parts] or [start]
        assert abs(dot["cx"] - start) == pytest.approx(max(abs(end - start) for end in ends), abs=1)
        assert dot["cy"] == pytest.approx(bar[3], abs=1)
    after = [{mark.key: mark for mark in SCENE.draw(state, 840)} for state in chapters[VALUE].states]
    if code == 127:  # NaN has no place on a line
        assert len(after) == 1 and "value" not in after[0]
        return
    lengths = [frame["basin"].shape["width"] for frame in after]
    assert lengths[0] == 0 < lengths[1]
    assert after[0]["value"].shape == after[1]["value"].shape


def test_long_mantissa_is_added_in_six_parts_at_most():
    for label in ("1/3", "0.1"):
        chapter = SCENE.run(format="FP32", number=label).chapters[MANTISSA]
        assert len(chapter.states) == 8 and chapter.times[-1] < 4
        assert read_so_far(chapter.states[-1])[0] == chapter.states[0].result.significand


@pytest.mark.parametrize("params", SAMPLE[:44])
def test_digits_of_the_row_spell_the_code(params):
    state = SCENE.run(**params).steps[0]
    shown = "".join(mark.text for mark in SCENE.draw(state, 840) if mark.key[0] == "d" and mark.key[1:].isdigit())
    assert int(shown.replace("\u00a0", ""), 2) == state.result.code


def test_filled_part_of_the_bar_ends_at_the_mantissa_s_share():
    for code in range(256):
        state = states(format="E4M3", code8=code)[VALUE]
        frame = {mark.key: mark for mark in SCENE.draw(state, 840)}
        if state.result.negative:
            continue
        ends = [bounds(mark)[2] for key, mark in frame.items() if key.startswith("part")]
        bar = bounds(frame["bar"])
        assert max(ends, default=bar[0]) == pytest.approx(bar[0] + (bar[2] - bar[0]) * (code % 8) / 8, abs=1)


def test_a_negative_number_is_the_mirror_image_of_its_positive_twin():
    plus, minus = ({mark.key: bounds(mark) for mark in SCENE.draw(states(format="E4M3", code8=code)[VALUE], 840)}
                   for code in (69, 69 + 128))  # fmt: skip
    for key in ("slot", "part1", "part3", "basin"):
        assert minus[key][0] == pytest.approx(840 - plus[key][2], abs=1)


def test_narration_quotes_the_state_and_differs_from_step_to_step():
    for params in GRID:
        said = [SCENE.say(state) for state in SCENE.run(**params).steps]
        assert len(set(said)) == len(said)
        assert not [words for words in said if re.search(r"nan|inf\b|-\d|None", words)], said
        assert all(words.count(". ") <= 1 and words.endswith(".") and words[0] != "a" for words in said), said


@pytest.mark.parametrize("params", SPECIAL)
def test_special_values_are_told_in_words(params):
    kind = states(**params)[0].result.kind
    words = {"nan": "NaN, not a number", "infinite": "∞", "zero": "−0 equals 0", "subnormal": "subnormal"}[kind]
    assert words in " ".join(SCENE.say(state) for state in states(**params))


# facts/formats.md section 1, E4M3 and FP16.
@pytest.mark.parametrize(("name", "facts"), [
    ("E4M3", {"bits": 8, "exponent_bits": 4, "mantissa_bits": 3, "bias": 7, "largest": 448, "smallest_normal": 0.015625,
              "smallest": 0.001953125, "epsilon": 0.125, "finite": 253, "infinities": 0, "nans": 2}),
    ("FP16", {"bits": 16, "exponent_bits": 5, "mantissa_bits": 10, "bias": 15, "largest": 65504, "epsilon": 2**-10,
              "smallest_normal_power": -14, "smallest_power": -24, "finite": 63_487, "nans": 2046}),
    ("FP32", {"bits": 32, "bias": 127, "smallest_power": -149, "largest_power": 127, "finite": 4_278_190_079}),
])  # fmt: skip
def test_values_are_the_constants_of_the_format(name, facts):
    values = SCENE.run(format=name).values
    assert {key: values[key].value for key in facts} == facts


def test_values_are_finite_for_every_code():
    for params in GRID:
        assert all(math.isfinite(value.value) for value in SCENE.run(**params).values.values()), params


def test_table_has_a_row_for_each_format_and_is_finite_or_text():
    for params in GRID[::9]:
        table = SCENE.run(**params).table
        assert [row[0] for row in table.rows] == list(FORMATS)
        assert all(isinstance(cell, str) or math.isfinite(cell) for row in table.rows for cell in row)
    row = dict(zip([row[0] for row in table.rows], table.rows, strict=True))["FP32"]
    assert row[1:4] == (32, 8, 23)


@pytest.mark.parametrize(("value", "most", "words"), [
    (3.25, 7, "3.25"), (-0.0, 7, "−0"), (-math.inf, 7, "−∞"), (math.nan, 7, "NaN"), (65504.0, 7, "65,504"),
    (2.0**-149, 9, "1.40129846 × 10⁻⁴⁵"), (1e30, 7, "10³⁰"), (9.9999999e-9, 3, "10⁻⁸"), (-1.5e-5, 7, "−1.5 × 10⁻⁵"),
    (16777216.0, 7, "16,777,216"),
])  # fmt: skip
def test_numbers_are_written_as_a_reader_writes_them_and_kept_on_one_line(value, most, words):
    assert number(value, most) == words.replace(" ", "\u00a0")


def test_rounded_digits_are_marked_and_neighbours_are_never_written_alike():
    assert (equals(0.1, 3), equals(0.099975586, 3), equals(16777216.0, 3)) == ("=", "≈", "=")
    assert percent(0.0769230769) == "7.69%"
    for params in GRID:
        one = SCENE.run(**params).steps[0].result
        texts = [number(v, digits(one.fmt.name)) for v in (*one.neighbours, one.value) if v is not None]
        assert len(set(texts)) == len(texts), params


def test_exponent_of_a_nan_promises_no_number():
    said = SCENE.say(states(format="E4M3", code8=255)[0])
    assert said.endswith("it would lie from −256 to −512, were it a number.")
