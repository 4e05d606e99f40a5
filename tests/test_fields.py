"""Fields: what is painted where, against the numbers themselves; how much they weigh; and the colour scale."""

from __future__ import annotations

import re
from itertools import pairwise

import brotli
import numpy as np
import pytest
from coloraide import Color
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from loom.draw import Axis, Box, Pen, Plot, contours, field, shade_role
from loom.draw.contour import rings, simplified
from loom.draw.marks import LEVELS, SIDE, fields
from loom.draw.terrain import STRONG
from loom.paths import OWN
from loom.render.palette import picture_rules, variables, worked_out

FRAME = Box(20, 10, 200, 160)
PLOT = Plot(Pen(328), FRAME, Axis("x"), Axis("y"))
HEAT = Axis("heat", "K", (0, 1))
example_budget = settings(max_examples=60, deadline=None, derandomize=True)
TOKENS, RULES, SCALES = (
    (OWN / f"static/{name}.css").read_text(encoding="utf-8") for name in ("css/tokens", "css/scenes", "scale/scale")
)


def inside(d: str, x: float, y: float) -> bool:
    """Whether a filled path covers a place, by the rule of SVG: how often its rings go round it is not 0."""
    rounds = 0
    for ring in re.findall("M([^MZ]*)", d):
        numbers = [float(one) for one in ring.split()]
        corners = [*zip(numbers[::2], numbers[1::2], strict=True)]
        for (left, top), (right, low) in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (top <= y) != (low <= y) and left + (y - top) / (low - top) * (right - left) > x:
                rounds += 1 if low > top else -1
    return rounds != 0


def shade_at(marks, x, y):
    """The number of the shade that is seen at a place: the last that covers it."""
    for at, mark in reversed([*enumerate(marks)]):
        if mark.tag == "rect" or inside(mark.shape["d"], x, y):
            return at
    return None


@given(values=arrays(float, (4, 5), elements=st.floats(0, 1).map(lambda one: round(one, 2))))
@example_budget
def test_each_cell_has_the_shade_of_its_number(values):
    marks = [*field(PLOT, "f", values, HEAT, levels=5, cells=True)]
    for row in range(4):
        for column in range(5):
            x, y = FRAME.x + (column + 0.5) * 40, FRAME.bottom - (row + 0.5) * 40
            assert shade_at(marks, x, y) == min(4, int(values[row, column] * 5 + 1e-9))


@given(corners=arrays(float, (3, 3), elements=st.floats(0, 1)), x=st.floats(0.02, 0.98), y=st.floats(0.02, 0.98))
@example_budget
def test_field_between_its_numbers_changes_evenly(corners, x, y):
    fine = np.linspace(0, 2, 41)
    values = np.array([[bilinear(corners, column, row) for column in fine] for row in fine])
    marks = [*field(PLOT, "f", values, HEAT, levels=5)]
    found = shade_at(marks, FRAME.x + x * FRAME.width, FRAME.bottom - y * FRAME.height)
    near = [bilinear(corners, 2 * x + across, 2 * y + up) for across in (-0.02, 0, 0.02) for up in (-0.02, 0, 0.02)]
    assert int(5 * min(near) - 0.02) <= found <= min(4, int(5 * max(near) + 0.02))  # as fine as places are written


def bilinear(corners, x, y):
    x, y = min(max(x, 0), 2), min(max(y, 0), 2)
    column, row = min(int(x), 1), min(int(y), 1)
    x, y = x - column, y - row
    low = (1 - x) * corners[row, column] + x * corners[row, column + 1]
    return (1 - y) * low + y * ((1 - x) * corners[row + 1, column] + x * corners[row + 1, column + 1])


@pytest.mark.parametrize("cells", [False, True])
def test_there_is_nothing_where_there_is_no_number(cells):
    values = np.full((9, 9), 0.5)
    values[3:6, 3:6] = np.nan
    marks = [*field(PLOT, "f", values, HEAT, levels=4, cells=cells)]
    assert shade_at(marks, FRAME.x + FRAME.width / 2, FRAME.y + FRAME.height / 2) is None
    assert shade_at(marks, FRAME.x + 5, FRAME.y + 5) == 2


def test_shade_says_its_span_when_it_is_pointed_at():
    told = [mark.read for mark in field(PLOT, "f", [[0, 1], [1, 0.5]], HEAT, levels=4)]
    assert told[:2] == ["heat: 0 to 0.25 K", "heat: 0.25 to 0.5 K"]


BOTH = Axis("away", "mm", (-1, 1), diverging=True)


def test_field_that_goes_both_ways_tells_signs_where_it_is_strong():
    marks = [*field(PLOT, "f", [[-0.9, -0.4, 0], [0.9, np.nan, 0.6]], BOTH, levels=4, cells=True)]
    assert [mark.role for mark in marks] == ["below-8", "below-4", "above-4", "above-8", "sign"]
    assert marks[3].read == "away: +0.5 to +1 mm" and marks[0].read == "away: −1 to −0.5 mm"
    strokes = [stroke for stroke in marks[-1].shape["d"].split("M") if stroke]
    assert [len({*stroke.split("L")}) - 1 for stroke in strokes] == [1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1]


@given(values=arrays(float, (9, 12), elements=st.floats(-1, 1)), cells=st.booleans())
@example_budget
def test_signs_of_a_field_lie_within_it_apart_and_are_those_of_its_numbers(values, cells):
    d = [*field(PLOT, "f", values, BOTH, cells=cells)][-1].shape["d"]
    ends = [[*map(float, stroke.replace("L", " ").split())] for stroke in d.split("M") if stroke]
    for (left, y, right, _), (x, top, _, low) in zip(ends[::2], ends[1::2], strict=True):
        assert FRAME.x + 3 <= x <= FRAME.right - 3 and FRAME.y + 3 <= y <= FRAME.bottom - 3
        across, up = (x - FRAME.x) / FRAME.width, (FRAME.bottom - y) / FRAME.height
        place = (int(up * 9), int(across * 12)) if cells else (round(up * 8), round(across * 11))
        assert (low > top, right > left) == (values[place] >= 0.5, abs(values[place]) >= 0.5)


def test_signs_of_a_field_are_moved_in_place():
    def letters(shift):
        x, y = np.meshgrid(np.linspace(0, 6, 50), np.linspace(0, 4, 40))
        (*_, signs) = field(PLOT, "f", np.sin(x + y + shift), BOTH)
        return re.sub("[^a-z]", "", str(fields(signs)["d"]))

    assert letters(0) == letters(1.5)


def test_ring_round_a_peak_is_a_circle():
    x, y = np.meshgrid(np.linspace(-2, 2, 81), np.linspace(-2, 2, 81))
    (ring,) = rings(1 - np.hypot(x, y), 0)
    assert np.hypot(*((ring - 40) / 20).T) == pytest.approx(1, abs=2e-3)


def test_hole_runs_the_other_way_than_what_it_lies_in():
    x, y = np.meshgrid(np.linspace(-2, 2, 41), np.linspace(-2, 2, 41))
    sizes = sorted(signed(ring) for ring in rings(0.5 - abs(np.hypot(x, y) - 1), 0))
    assert (len(sizes) == 2 and sizes[0] < 0 < sizes[1]) or sizes[0] * sizes[1] < 0


def signed(ring):
    x, y = ring.T
    return np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))


@given(line=arrays(float, (30, 2), elements=st.floats(0, 100)))
@example_budget
def test_line_that_is_simplified_goes_near_all_its_points(line):
    short = simplified(line, 5)
    for point in line:
        assert min(away(point, a, b) for a, b in pairwise(short)) <= 5 + 1e-9


def away(point, a, b):
    length = float((b - a) @ (b - a))
    share = np.clip((point - a) @ (b - a) / length, 0, 1) if length else 0
    return np.hypot(*(a + share * (b - a) - point))


def test_lines_of_equal_height_are_numbered_where_there_is_room():
    x, y = np.meshgrid(np.linspace(-1, 1, 40), np.linspace(-1, 1, 40))
    marks = [*contours(PLOT, "c", 1 - np.hypot(x, y), [0.2, 0.6], labels=True)]
    assert [mark.text for mark in marks if mark.tag == "text"] == ["0.2", "0.6"]


def two_sources(apart: float) -> np.ndarray:
    """The mean square of two waves of length 1 over ten by ten."""
    x, y = np.meshgrid(np.linspace(-5, 5, 200), np.linspace(-5, 5, 200))
    return np.cos(np.pi * (np.hypot(x - apart / 2, y) - np.hypot(x + apart / 2, y))) ** 2


def test_field_of_40_000_numbers_weighs_less_than_a_scene_may_at_first():
    plot = Plot(Pen(840), Box(40, 20, 320, 320), Axis("x"), Axis("y"))
    sent = "".join(str(fields(mark)) for mark in field(plot, "f", two_sources(3), HEAT, levels=16))
    assert len(brotli.compress(sent.encode())) < 10_000


def test_field_that_changes_is_changed_in_place():
    """The player moves a path whose letters stay as they are, and fades one out whose letters differ."""

    def letters(apart):
        return [re.sub("[^a-z]", "", str(fields(mark).get("d", ""))) for mark in field(PLOT, "f", two_sources(apart),
                                                                                       HEAT)]  # fmt: skip

    assert letters(1.0) == letters(2.0)  # three rings, and five


def shade(at: int, theme: str, side: str = "level") -> Color:
    light, dark = re.findall(rf"\.{side}-{at} {{ fill: light-dark\((\S+), (\S+)\)", SCALES)[0]
    return Color(light if theme == "light" else dark)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_shades_are_evenly_far_apart_and_further_and_further_from_the_paper(theme):
    colours = [shade(at, theme).convert("oklab") for at in range(LEVELS)]
    steps = [one.distance(other, space="oklab") for one, other in pairwise(colours)]
    assert min(steps) > 0.05 and max(steps) < 0.058
    falls = [(one["l"] - other["l"]) * (1 if theme == "light" else -1) for one, other in pairwise(colours)]
    assert min(falls) > 0.03


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_shades_on_both_sides_of_a_middle_are_equally_strong_and_evenly_far_apart(theme):
    paper = Color("#fbf8f2" if theme == "light" else "#17181b")
    below, above = ([shade(at, theme, side) for at in range(1, SIDE + 1)] for side in ("below", "above"))
    for colours in (below, above):
        steps = [one.distance(other, space="oklab") for one, other in pairwise(colours)]
        assert min(steps) > 0.08 and max(steps) < 0.095
        assert all(one.contrast(paper) >= 3 for one in colours[4:])  # where signs of paper stand
        assert paper.distance(colours[0], space="oklab") < paper.distance(colours[1], space="oklab")
    for one, other in zip(below, above, strict=True):
        assert one.convert("oklch")["l"] == pytest.approx(other.convert("oklch")["l"], abs=0.005)
        assert one.convert("oklch")["c"] == pytest.approx(other.convert("oklch")["c"], abs=0.005)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", ["protan", "deutan", "tritan"])
def test_shades_below_and_above_are_told_apart_by_who_sees_two_colours(theme, sight):
    for at in range(2, SIDE + 1):
        one, other = (shade(at, theme, side).filter(sight) for side in ("below", "above"))
        assert one.distance(other, space="oklab") > 0.1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_ink_is_read_on_soft_marks_that_cover_a_cell(theme):
    soft = float(re.search(r"\.picture \.soft \{ opacity: ([\d.]+)", RULES)[1])
    hues = ["data", "memory", "useful", "loss", "now", *(f"series-{number}" for number in range(1, 7))]
    ink, cell, *marks = (Color(worked_out(f"var(--{name})", variables(TOKENS), theme)) for name in
                         ("ink", "ink-mist", *hues))  # fmt: skip
    seen = [cell.mix(mark, soft, space="srgb") for mark in marks]
    assert min(ink.contrast(one) for one in seen) >= 4.5


def test_signs_stand_only_on_shades_that_paper_is_seen_on():
    assert {shade_role(at, 2 * half, diverging=True) for half in range(1, SIDE + 1) for at in range(half, 2 * half)
            if (at - half + 1) / half > 2 * STRONG} <= {f"above-{at}" for at in range(5, SIDE + 1)}  # fmt: skip


def test_social_card_knows_the_shades():
    rules = worked_out(picture_rules(RULES + SCALES), variables(TOKENS))
    assert ".picture .level-0{fill:#f5f3cc;stroke:none}" in rules
    assert "paint-order:stroke" in rules


def test_saddle_is_one_hill_below_its_middle_and_two_above():
    saddle = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert (len(rings(saddle, 0.4)), len(rings(saddle, 0.6))) == (1, 2)
