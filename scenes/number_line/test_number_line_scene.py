"""Check that the picture holds every number exactly once, and that words and values are those of the model."""

import itertools
import re

import numpy as np
import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.number_line.curves import stairs, teeth
from scenes.number_line.model import PAIRS, WINDOWS, pair
from scenes.number_line.scene import SCENE
from scenes.number_line.stage import NEAREST, stage
from scenes.number_line.words import number, percent
from tests.boxes import box

FIRST, SECOND, RELATIVE = range(3)
EVERY = [(formats, window, width) for formats in PAIRS for window in WINDOWS[::7] for width in WIDTHS.values()]
EVERY += [("E4M3 and INT8", window, width) for window in (1.0, 1.25, 32.0, 128.0, 448.0) for width in WIDTHS.values()]


def frame(step, formats="E4M3 and INT8", window=32.0, width=840, beat=-1):
    chapter = SCENE.run(formats=formats, window=window).chapters[step]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], width)}


def upright(marks, key):
    """Where the lines of a format stand, without those that have no height."""
    found = [re.findall(r"M(\S+) (\S+?)L\S+ ([^M]+)", mark.shape["d"]) for name, mark in marks.items()
             if name == key or re.fullmatch(rf"{key}-[\d.e-]+-lines", name)]  # fmt: skip
    return sorted(float(x) for lines in found for x, top, foot in lines if float(foot) > float(top))


def said(formats, window):
    return [SCENE.say(step) for step in SCENE.run(formats=formats, window=window).steps]


@pytest.mark.parametrize(("formats", "window", "width"), EVERY)
def test_every_number_in_the_window_is_a_line_or_in_the_block(formats, window, width):
    at = stage(pair(formats, window), width)
    for fmt, lane, inside in zip(at.pair.both, at.lanes, at.pair.inside, strict=True):
        blocked = int((fmt.from_zero < lane.block[1]).sum())
        assert len(lane.lines) + blocked == inside
        assert np.all(np.diff(lane.lines) * at.scale >= NEAREST - 1e-9)
        assert all(line >= lane.block[1] for line in lane.lines)


@pytest.mark.parametrize(("formats", "window", "width"), EVERY)
def test_boxes_hold_the_numbers_of_a_power_of_two_and_join(formats, window, width):
    at = stage(pair(formats, window), width)
    for fmt, lane in zip(at.pair.both, at.lanes, strict=True):
        for octave in lane.octaves:
            values = fmt.from_zero
            assert octave.count == int(((values >= octave.low) & (values < octave.high)).sum()) or octave.high > window
            assert octave.place.width >= 9.9 or octave.high == window
        assert all(b.high in (a.low, window) for a, b in itertools.pairwise(lane.octaves))


@pytest.mark.parametrize(("formats", "window", "width"), EVERY)
def test_curves_have_the_gap_of_the_numbers_under_them(formats, window, width):
    at = stage(pair(formats, window), width)
    for fmt in at.pair.both:
        points = stairs(at, fmt)
        assert all(a[0] <= b[0] for a, b in itertools.pairwise(points))
        for (low, size), (high, same) in itertools.pairwise(points):
            if size == same and high > low:
                assert set(fmt.gap(fmt.from_zero[(fmt.from_zero >= low) & (fmt.from_zero < high)]).tolist()) <= {size}
        normal = [share for value, share in teeth(at, fmt) if value > fmt.smallest_normal]
        assert all(share <= (1 if fmt.integer else 2.0**-fmt.mantissa_bits) * (1 + 1e-12) for share in normal)


def test_texts_stay_on_the_stage_in_every_state():
    for formats, window, width in EVERY:
        for step in range(3):
            marks = frame(step, formats, window, width).values()
            boxes = [bounds(mark) for mark in marks if mark.tag == "text"]
            assert all(box[3] <= 340 and box[0] >= -2 and box[2] <= width + 2 for box in boxes)


@pytest.mark.parametrize("width", WIDTHS.values())
def test_window_is_dragged_along_the_powers_of_two(width):
    for place in (0, 1, 60, len(WINDOWS) - 1):
        knob = frame(SECOND, window=WINDOWS[place], width=width)["end"]
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[place]
    xs = [x for x, _ in knob.handle.rail]
    assert xs == sorted(set(xs))
    assert len(WINDOWS) > 100
    octaves = {round(xs[at + 4] - xs[at], 6) for at in range(0, 100, 4)}
    assert len(octaves) == 1


def test_opening_counts_what_lies_in_the_window_in_large_type():
    marks = frame(SCENE.opening - 1)
    assert (marks["a-inside"].text, marks["a-inside"].shape["font-size"]) == ("96", 32)
    assert (marks["a-whole"].text, marks["a-rest"].text) == ("of 127", "lie below 32")
    assert (marks["b-inside"].text, marks["b-whole"].text) == ("32", "of 128")
    assert len(upright(marks, "b")) == 32


def test_zooming_in_by_half_leaves_a_float_as_it_is_and_an_integer_half_empty():
    wide, half = (upright(frame(FIRST, window=window), "a") for window in (64.0, 32.0))
    assert [x for x in wide if x > 370] == [x for x in half if x > 370]
    assert frame(SECOND, window=64.0)["b-inside"].text == "64"


def test_curve_of_the_first_format_grows_and_that_of_the_second_comes_behind_the_zoom():
    beats = len(SCENE.run().chapters[FIRST].states)
    assert SCENE.run().chapters[FIRST].times[1] <= 0.3  # as soon as the chapter plays
    drawn = [frame(FIRST, beat=beat)["a-gap"].shape.get("stroke-dasharray", "100 200") for beat in range(beats)]
    lengths = [float(one.split()[0]) for one in drawn]
    assert lengths == sorted(set(lengths)) and lengths[-1] == 100
    assert "b-gap" not in frame(FIRST) and {"a-gap", "b-gap"} <= frame(SECOND).keys()


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("formats", PAIRS)
def test_ruler_bends_until_every_power_of_two_is_as_wide_and_its_numbers_move_along(formats, width):
    even, bent = frame(SECOND, formats, width=width), frame(RELATIVE, formats, width=width, beat=0)
    last = frame(RELATIVE, formats, width=width)
    assert len([key for key in last if re.fullmatch(r"[ab]-[\d.]+", key)]) > 5
    boxes = [mark.shape["width"] for key, mark in bent.items() if re.fullmatch(r"[ab]-[\d.]+", key)]
    assert boxes == pytest.approx([stage(pair(formats, 32.0), width).map.width / 8] * len(boxes))
    if "FP16" not in formats:  # its lines would touch everywhere
        paths = [key for key in even if re.fullmatch(r"[ab](-[\d.]+-lines)?", key)]
        assert len(paths) > 6 - 3 * ("INT4" in formats)
        assert all(even[key].shape["d"].count("M") == bent[key].shape["d"].count("M") for key in paths)
    assert not {"a-share", "b-share"} & bent.keys()
    assert {"a-share", "b-share"} <= last.keys()
    ticks = {key for key in bent if key.startswith("x-")}
    assert ticks < {key for key in last if key.startswith("x-")}, "new ones would lie in the way of those that move"
    assert ticks <= even.keys()


def test_share_of_a_float_keeps_its_height_on_the_bent_ruler_and_that_of_an_integer_falls():
    at = stage(pair("E4M3 and INT8", 32.0), 840, 1.0)
    floats, integers = (np.array(teeth(at, fmt)) for fmt in at.pair.both)
    assert set(np.round(floats[:, 1], 6)) == {0.125, 0.0625} and len(floats) == 16
    assert integers[0].tolist() == [1, 1] and integers[-1].tolist() == [32, 1 / 32]


def test_lane_that_the_bent_ruler_leaves_behind_says_so():
    marks = frame(RELATIVE, "E2M1 and INT4", 2.0**14)
    assert (marks["a-none"].text, marks["b-none"].text) == ("no number from 64 up", "no number from 64 up")
    assert "a-none" not in frame(SECOND, "E2M1 and INT4", 2.0**14)


def test_values_of_the_opening_state_are_the_facts():
    values = {name: value.value for name, value in SCENE.run().values.items()}
    assert {name: values[name] for name in ("count", "largest", "below_one", "gap", "per_binade", "inside")} == {
        "count": 253, "largest": 448, "below_one": 56, "gap": 0.125, "per_binade": 8, "inside": 96,
    }  # fmt: skip
    assert values["range"] == pytest.approx(np.log2(448 * 512))
    assert values["decades"] == pytest.approx(np.log10(448 * 512))
    assert (values["second_count"], values["second_below_one"], values["second_per_binade"]) == (256, 1, 1)
    one = SCENE.run(window=1.0).values
    assert (one["inside"].value, one["second_inside"].value) == (56, 1)


def test_table_has_a_row_for_each_of_the_two_formats():
    table = SCENE.run(formats="E2M1 and INT4").table
    assert [column.name for column in table.columns] == [
        "format", "bits", "count", "smallest", "largest", "range", "below_one", "gap", "per_binade",
    ]  # fmt: skip
    first, second = ([*row[:5], round(float(row[5]), 3), *row[6:]] for row in table.rows)
    assert first == ["E2M1", 4, 15, "0.5", "6", 3.585, 2, 0.5, 2]
    assert second == ["INT4", 4, 16, "1", "7", 2.807, 1, 1, 1]


def test_narration_quotes_the_numbers_of_the_state():
    first, second, relative = said("E4M3 and INT8", 32.0)
    assert "into 8 equal gaps" in first
    assert "INT8 has 32" in second and "same from 8 to 16 and larger from 16 up" in second
    assert said("E4M3 and INT8", 1.0)[1].endswith("The gaps of E4M3 are smaller here.")
    assert (
        "between 6.67% and 12.5%" in relative
        and "0.787% at 127" in relative
        and "every power of two is as wide" in relative
    )
    near, second, relative = said("E4M3 and INT8", 2.0**-6)
    assert "7 subnormal numbers of E4M3 and 0 stand 2⁻⁹ apart" in near
    assert "no number but 0 here" in second
    assert "nothing but 0" in said("E2M1 and INT4", 0.5)[FIRST]
    assert "1 mantissa bit of E2M1 cuts" in said("E2M1 and INT4", 4.0)[FIRST]


def test_every_step_says_something_else():
    for formats, window, _ in EVERY:
        words = said(formats, window)
        assert len({*words}) == 3


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (-0.5, "−0.5"), (7.5, "7.5"), (448, "448"), (65504, "65,504"), (3.3895314e38, "3.39 × 10³⁸"),
        (0.125, "0.125"), (2**-4, "2⁻⁴"), (2**-9, "2⁻⁹"), (2**19, "524,288"), (2.0**20, "2²⁰"),
    ],
)  # fmt: skip
def test_numbers_are_written_short(value, words):
    assert number(value) == words


def test_shares_are_written_with_three_digits():
    assert [percent(share) for share in (1, 0.125, 1 / 15, 1 / 127)] == ["100%", "12.5%", "6.67%", "0.787%"]


def test_one_number_lies_and_several_lie_below_the_window():
    one, many = (frame(SECOND, window=window, width=328) for window in (1.0, 32.0))
    assert one["b-inside"].text == "1"
    assert (one["b-rest"].text, many["b-rest"].text) == ("of 128 lies below 1", "of 128 lie below 32")


def test_names_of_curves_that_end_in_one_place_stand_over_and_under_it():
    marks = frame(RELATIVE, window=10.0, width=328)
    end = float(marks["b-share"].shape["d"].replace("L", " ").split()[-1])
    upper, lower = sorted((bounds(marks[key]) for key in ("a-end", "b-end")), key=lambda one: one[1])
    assert upper[3] - 4 < end < lower[1] + 4


@pytest.mark.parametrize("formats", ["E4M3 and E5M2", "BF16 and FP16"])
@pytest.mark.parametrize("window", [1.0, 1.25, 10.0, 1024.0])
def test_teeth_strike_through_no_name(formats, window):
    marks = frame(RELATIVE, formats, window, width=328)
    for key in ("a", "b"):
        left, top, right, bottom = box(marks[f"{key}-end"])
        ways = [float(value) for value in marks[f"{key}-share"].shape["d"][1:].replace("L", " ").split()]
        along = np.linspace(0, 1, 40)
        corners = list(zip(ways[::2], ways[1::2], strict=True))
        for (x0, y0), (x1, y1) in itertools.pairwise(corners):
            x, y = x0 + along * (x1 - x0), y0 + along * (y1 - y0)
            assert not np.any((left < x) & (x < right) & (top < y) & (y < bottom))


@pytest.mark.parametrize("width", WIDTHS.values())
def test_lane_that_holds_only_0_says_so_and_the_words_leave_its_shares_out(width):
    marks, full = (frame(SECOND, window=window, width=width) for window in (1.0, 32.0))
    assert marks["b-none"].text == "no number but 0" and "answer" in marks["b-none"].role
    assert not {"a-none"} & marks.keys() and not {"a-none", "b-none"} & full.keys()
    relative = said("E4M3 and INT8", 1.0)[RELATIVE]
    assert "INT8 has no number but 0 here" in relative and "0.787%" not in relative


def test_words_leave_out_what_has_ended_below_the_ruler():
    assert said("E4M3 and INT8", 65536)[RELATIVE].endswith("12.5% up to 448; INT8 has ended at 127.")


def test_gaps_are_compared_only_where_one_is_drawn():
    assert said("E2M1 and INT4", 0.25)[SECOND] == (
        "Neither format has a number but 0 here. The next is 0.5 in E2M1 and 1 in INT4."
    )
    for formats, window in itertools.product(PAIRS, WINDOWS):
        drawn = {"a-gap", "b-gap"} & frame(SECOND, formats, window).keys()
        assert ("The gaps of" in said(formats, window)[SECOND]) == bool(drawn)


@pytest.mark.parametrize("width", WIDTHS.values())
def test_second_format_comes_into_a_lane_that_is_there_and_nothing_moves(width):
    before, after = frame(FIRST, width=width), frame(SECOND, width=width)
    stay = [key for key in before if key.startswith("x-") or key in ("b-name", "b-axis")]
    assert len(stay) > 4 and "b" not in before and "b-inside" not in before
    assert all(before[key] == after[key] for key in stay)


@pytest.mark.parametrize("width", WIDTHS.values())
def test_bars_of_the_map_have_their_formats_names_beside_them(width):
    marks = frame(SECOND, width=width)
    for key, name in (("a", "E4M3"), ("b", "INT8")):
        _, top, right, bottom = bounds(marks[f"{key}-map"])
        bar = marks[f"{key}-reach"].shape
        assert marks[f"{key}-map"].text == name and right < marks["window"].shape["x"]
        assert top < bar["y"] < bar["y"] + bar["height"] < bottom


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("formats", SCENE.param("formats").values)
def test_no_curve_strikes_the_name_of_a_format_through(formats, width):
    for window in SCENE.param("window").values[::2]:
        for state in SCENE.run(formats=formats, window=window).steps:
            drawn = {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
            curves = [mark.shape["d"] for key, mark in drawn.items() if key.endswith(("-gap", "-share"))]
            points = [[tuple(map(float, one.split())) for one in d[1:].split("L")] for d in curves]
            for left, top, right, bottom in (box(mark) for key, mark in drawn.items() if key in ("a-end", "b-end")):
                for (x0, y0), (x1, y1) in (piece for line in points for piece in itertools.pairwise(line)):
                    places = [(x0 + part * (x1 - x0), y0 + part * (y1 - y0)) for part in np.linspace(0, 1, 33)]
                    assert not [x for x, y in places if left < x < right and top + 1 < y < bottom - 1], window
