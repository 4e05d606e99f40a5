"""Check what plays in the last two chapters: strips run to the sums, and dots come where the field has grown."""

import re

import pytest

from loom.scene import WIDTHS
from scenes.fragments.model import LANES, fragment, warpgroup_sums
from scenes.fragments.scene import SCENE
from scenes.fragments.stage import NARROW, WIDE
from scenes.fragments.warpgroup import parts

STAGES = {"narrow": NARROW, "wide": WIDE}
BOTH = pytest.mark.parametrize("width", WIDTHS)
LANE = pytest.mark.parametrize("lane", [0, 5, 31])
STOPS = (0, 4, 8, 12, 16, 16)  # of the products of each sum: where the strips are when a picture ends
COLUMNS = (8, 16, 32, 64, 128, 256, 256)


def chapter(name, lane, width="wide"):
    """The times of a chapter's pictures, and the marks of each, by key."""
    run = SCENE.run(lane=lane, register="a0")
    told = next(one for one in run.chapters if one.name == name)
    return run.result, told.times, [{mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}
                                    for state in told.states]  # fmt: skip


@pytest.mark.parametrize("name", ["fma", "multiply", "wgmma"])
def test_something_sets_out_within_300_ms(name):
    _, times, _ = chapter(name, 5)
    assert 0 < times[1] <= 0.3


@BOTH
@LANE
def test_strips_run_along_rows_of_a_and_columns_of_b_to_the_sums(lane, width):
    (wide, high), (_, _, frames) = STAGES[width].cell, chapter("multiply", lane, width)
    for stop, marks in zip(STOPS, frames, strict=True):
        for at in range(2):
            row, column = marks[f"need-row-{at}"], marks[f"need-column-{at}"]
            assert row.shape["width"] == stop * wide and column.shape["height"] == stop * high
            assert "steady" in row.role and "steady" in column.role


@LANE
def test_numbers_count_and_lanes_join_where_the_strips_have_come(lane):
    result, _, frames = chapter("multiply", lane)
    known = {}
    for stop, marks in zip((0, *STOPS[:-2], 16), frames, strict=True):
        owners = {(matrix, *place): one for matrix in "ab" for one in range(LANES)
                  for place in fragment(matrix)[one].tolist()}  # fmt: skip
        passed = {("a", row, k) for row in result.rows for k in range(stop)}
        passed |= {("b", k, column) for column in result.columns for k in range(stop)}
        found = [owners[one] for one in passed]
        assert marks["answer"].text == f"{found.count(lane)} of 64"
        outlines = {key: mark.shape for key, mark in marks.items() if key.startswith("lenders-")}
        assert sum(one["d"].count("M") for one in outlines.values()) == len({*found} - {lane})
        assert known.items() <= outlines.items(), "who is outlined stays so"
        known = outlines


@BOTH
@LANE
def test_sums_of_a_warpgroup_double_with_each_beat_and_are_marked_where_the_field_has_grown(lane, width):
    boxes, (_, _, frames) = parts(STAGES[width]), chapter("wgmma", lane, width)
    for columns, grown, marks in zip(COLUMNS, (8, *COLUMNS[:-2], 256), frames, strict=True):
        assert marks["answer"].text == str(grown // 2)
        assert marks["wide-b"].shape["width"] == marks["wide-d"].shape["width"] == boxes["d"].width * columns / 256
        starts = [one for key, mark in marks.items() if key.startswith("share-")
                  for one in re.findall(r"M([\d.]+) ([\d.]+)", mark.shape["d"])]  # fmt: skip
        found = {(int((float(y) - boxes["d"].y) * 64 / boxes["d"].height),
                  round((float(x) - boxes["d"].x) * 256 / boxes["d"].width)) for x, y in starts}  # fmt: skip
        held = warpgroup_sums(grown)[lane::32].reshape(-1, 2).tolist()
        assert found == {(row, column) for row, column in held if column % 2 == 0}
        assert 2 * len(starts) == 4 * grown // 2  # two neighbours a stroke, in four warps
