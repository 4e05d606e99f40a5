"""Check what the reader meets: the bead's rail, marks in their places, words and numbers that agree with the model."""

import math

import pytest

from loom.scene import WIDTHS
from scenes.fragments.model import LANES, REGISTERS, fragment, held
from scenes.fragments.scene import SCENE
from scenes.fragments.stage import NARROW, WIDE
from tests.boxes import answer_lines, box

GRID = list(SCENE.grid())
SOME = [*GRID[::29], GRID[-1]]
NAME_OF = {"a": "A", "b": "B", "d": "C"}
NAMES = ("fma", "bring", "hold", "multiply", "wgmma")


def frame(params, phase, width="wide", beat=-1):
    chapter = SCENE.run(**params).chapters[NAMES.index(phase)]
    return {mark.key: mark for mark in SCENE.draw(chapter.states[beat], WIDTHS[width])}


def elements(stage, box, matrix):
    """The rows and columns that a rectangle covers."""
    (wide, high), whole = stage.cell, stage.boxes[matrix]
    rows = range(round((box["y"] - whole.y) / high), round((box["y"] + box["height"] - whole.y) / high))
    columns = range(round((box["x"] - whole.x) / wide), round((box["x"] + box["width"] - whole.x) / wide))
    return [(row, column) for row in rows for column in columns]


def test_every_register_of_every_lane_can_be_looked_at():
    assert [(params["lane"], params["register"]) for params in GRID] == [
        (lane, register) for lane in range(LANES) for register in REGISTERS
    ]


def test_opening_names_the_lane_of_a_number():
    assert SCENE.opening == 1 + NAMES.index("hold")
    marks = frame({}, "hold")
    assert (marks["answer"].text, marks["answer"].shape["font-size"]) == ("lane 5", 32)
    assert answer_lines(marks) == ["has A[9,\u00a02] and A[9,\u00a03]"]


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("params", SOME, ids=str)
def test_what_a_lane_holds_is_lit_where_it_stands(params, stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[2], stage.width)}
    for register in REGISTERS:
        found = elements(stage, marks[register].shape, register[0])
        assert sorted(found) == sorted(held(params["lane"], register))


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_bead_stands_on_its_number_and_can_be_moved_to_every_other(stage):
    for params in SOME:
        marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[2], stage.width)}
        knob, spot = marks["grasp"], marks[params["register"]].shape
        middle = (spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
        assert knob.handle.params == ("lane", "register")
        assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[GRID.index(params)] == pytest.approx(middle)
    assert len(set(stage.rail)) == len(GRID)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("params", SOME, ids=str)
def test_lanes_stand_as_their_numbers_do_in_the_piece_that_is_held(params, stage):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[2], stage.width)}
    matrix, piece, corner = params["register"][0], SCENE.run(**params).result.piece, stage.warp
    assert marks["warp"].text.endswith(f"a piece of {NAME_OF[matrix]}")
    for lane in range(LANES):
        row, column = fragment(matrix)[lane, 0].tolist()  # of its first number, which stands in the first piece
        shape = marks[f"lane-{lane}"].shape
        across, down = (shape["x"] + 1 - corner.x) / corner.width, (shape["y"] + 1 - corner.y) / corner.height
        assert (int(8 * across + 0.2), int(8 * down + 0.2)) == (column, row)
    frame_of_piece = stage.piece(matrix, piece)
    spot = marks[params["register"]].shape
    assert frame_of_piece.x <= spot["x"] and spot["x"] + spot["width"] <= frame_of_piece.right + 1e-6
    assert frame_of_piece.y <= spot["y"] and spot["y"] + spot["height"] <= frame_of_piece.bottom + 1e-6
    assert marks["lens"].shape["d"].count("M") == 2 and marks["lens"].role == "hot"


def outlined(marks):
    """How many lanes are outlined because they hold what the sums need."""
    return sum(mark.shape["d"].count("M") for key, mark in marks.items() if key.startswith("lenders"))


@pytest.mark.parametrize("params", SOME, ids=str)
def test_lanes_that_hold_the_rest_of_what_the_sums_need_are_outlined(params):
    result = SCENE.run(**params).result
    needed = {("a", row, k) for row in result.rows for k in range(16)}
    needed |= {("b", k, column) for column in result.columns for k in range(16)}
    owners = {(matrix, *place): lane for matrix in "ab" for lane in range(LANES)
              for place in fragment(matrix)[lane].tolist()}  # fmt: skip
    lenders = {owners[one] for one in needed} - {params["lane"]}
    assert set(result.lenders) == lenders
    assert outlined(frame(params, "multiply")) == len(lenders)
    assert f"{len(lenders)} others" in SCENE.say(SCENE.run(**params).steps[3])


@pytest.mark.parametrize("width", WIDTHS)
def test_lanes_and_registers_can_be_pressed(width):
    marks = frame({}, "hold", width)
    assert [marks[f"lane-{lane}"].set for lane in range(LANES)] == [{"lane": str(lane)} for lane in range(LANES)]
    assert [marks[f"slot-{name}"].set for name in REGISTERS] == [{"register": name} for name in REGISTERS]
    assert marks["slot-a1"].role == "hot outline"


@pytest.mark.parametrize("params", SOME, ids=str)
def test_narration_differs_and_quotes_the_model(params):
    said = [SCENE.say(state) for state in SCENE.run(**params).steps]
    values = {name: value.value for name, value in SCENE.run(**params).values.items()}
    assert len(set(said)) == len(NAMES)
    assert f"[{values['row']},\u00a0{values['column']}]" in said[2]
    assert f"{values['own']} of these {values['needed']};" in said[3]
    assert f"= {values['instructions']} instructions" in said[0]


def test_registers_fill_piece_by_piece():
    for beat in range(6):
        marks = frame({}, "bring", beat=beat)
        assert [name for name in REGISTERS[:6] if name in marks] == list(REGISTERS[: beat + 1])
        assert marks["answer"].text == str(2 * (beat + 1))
        matrix = "ab"[beat // 4]
        piece = elements(WIDE, marks["piece"].shape, matrix)
        assert len(piece) == 64
        assert set(elements(WIDE, marks[REGISTERS[beat]].shape, matrix)) <= set(piece)


def test_row_whose_address_the_lane_gives_is_shown_with_its_piece():
    assert "addressed" in frame({"lane": 13}, "bring", beat=1)
    assert elements(WIDE, frame({"lane": 13}, "bring", beat=1)["addressed"].shape, "a") == [
        (13, column) for column in range(8)
    ]
    assert "addressed" not in frame({"lane": 13}, "bring", beat=0)
    assert "addressed" not in frame({"lane": 20}, "bring", beat=5)  # B is asked for by 16 lanes


@pytest.mark.parametrize("params", SOME, ids=str)
def test_rows_and_columns_that_the_sums_need_are_lit(params):
    marks = frame(params, "multiply")
    rows = {row for at in range(2) for row, _ in elements(WIDE, marks[f"need-row-{at}"].shape, "a")}
    columns = {column for at in range(2) for _, column in elements(WIDE, marks[f"need-column-{at}"].shape, "b")}
    sums = fragment("d")[params["lane"]].tolist()
    assert {(row, column) for row in rows for column in columns} == {tuple(place) for place in sums}


def test_multiply_adds_are_counted_up_beside_a_single_instruction():
    counts = [int(frame({}, "fma", beat=beat)["answer"].text) for beat in range(4)]
    assert SCENE.run().chapters[0].times[1] <= 0.3  # the scene moves as soon as it plays
    assert counts == [16, 32, 48, 64]
    marks = frame({}, "fma")
    assert marks["bar-fma"].shape["width"] == 64 * marks["bar-mma"].shape["width"]


def test_a_warpgroup_takes_all_the_width():
    marks = frame({}, "wgmma")
    assert box(marks["warp-0"])[2] > 0.96 * WIDTHS["wide"] and box(marks["wide-a-name"])[0] == 0


@pytest.mark.parametrize("phase", NAMES)
def test_on_a_phone_the_answer_stands_above_the_picture_with_its_words_beside_it(phase):
    marks = frame({}, phase, "narrow")
    answer, words = (mark.shape for key, mark in marks.items() if key.startswith("answer"))
    assert answer["y"] == words["y"] < min(mark.shape["y"] for mark in marks.values() if mark.tag == "rect")
    assert words["x"] > answer["x"]


@pytest.mark.parametrize("width", WIDTHS)
def test_number_of_the_lane_that_is_looked_at_is_the_most_legible_one(width):
    roles = [frame({}, "hold", width)[f"lane-{lane}-name"].role.split() for lane in range(LANES)]
    assert [set(role) - {"middle"} for role in roles] == [{"note"}] * 5 + [{"label", "strong"}] + [{"note"}] * 26
    assert all("middle" in role for role in roles)


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
def test_bead_leaves_the_names_of_the_matrices_clear(stage):
    glow = 8  # units of it around the bead
    for params in GRID:
        marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[2], stage.width)}
        bead, names = marks["grasp"].shape, {name: box(marks[f"name-{name}"]) for name in "abd"}
        for left, top, right, bottom in names.values():
            near = (min(max(bead["cx"], left), right), min(max(bead["cy"], top), bottom))
            assert math.dist(near, (bead["cx"], bead["cy"])) > bead["r"] + glow - 1.5, params
        assert min(names["a"][1], names["d"][1]) >= stage.boxes["b"].bottom
