"""Check what the scene says and draws: values, narration, and marks that stand for what the model computes."""

import re

import pytest

from loom.draw import Pen
from loom.scene import WIDTHS
from scenes.bank_conflicts.drawing import Stage, shown_layout
from scenes.bank_conflicts.model import LAYOUTS, request
from scenes.bank_conflicts.scene import SCENE

GRID = list(SCENE.grid())
BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("params", GRID, ids=lambda params: "-".join(map(str, params.values())))


def states(**params):
    """All steps, with the parameters not named at their defaults."""
    return SCENE.run(**params).steps


def frame(state, width):
    """The marks of one step, by key."""
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def values(**params):
    """All values by name, with the parameters not named at their defaults."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def test_grid_is_small():
    assert len(GRID) == 38
    assert sum(len(states(**params)) for params in GRID) < 300


def test_defaults_are_the_column_of_a_plain_tile():
    assert SCENE.defaults == {"layout": "plain", "access": "column", "stride": 2, "width": 32}
    found = values()
    assert (found["degree"], found["passes"], found["banks_used"], found["words"]) == (32, 32, 1, 32)
    assert found["bytes_per_pass"] == 4


@EVERY
def test_values_agree_with_each_other_and_with_the_table(params):
    found = {name: value.value for name, value in SCENE.run(**params).values.items()}
    table = SCENE.run(**params).table
    names, row = (
        [column.name for column in table.columns],
        next(row for row in table.rows if row[0] == params["layout"]),
    )
    assert [found[name] for name in names[1:]] == list(row[1:])
    assert found["groups"] <= found["passes"] <= found["groups"] * found["degree"]
    assert found["bytes"] == 4 * found["words"] == pytest.approx(found["bytes_per_pass"] * found["passes"])
    assert found["bytes_per_pass"] <= 128
    assert [row[0] for row in table.rows] == [name for name in LAYOUTS if name != "padded" or params["width"] == 32]


def test_extra_memory_of_padding_is_shown_with_one_decimal():
    shown = {layout: SCENE.run(layout=layout).values for layout in LAYOUTS}
    assert [str(shown[layout]["extra"]) for layout in LAYOUTS] == ["0%", "3.1%", "0%"]
    assert [str(shown[layout]["footprint"]) for layout in LAYOUTS] == [
        f"{n}\u00a0words" for n in ("1,024", "1,056", "1,024")
    ]


def test_cycles_are_those_of_the_32_bit_load_of_the_same_read():
    assert values()["cycles"] == 23 + 2 * 31
    assert values(width=128)["cycles"] == values()["cycles"]
    assert values(layout="padded")["cycles"] == 23


@EVERY
def test_steps_go_from_the_tile_through_passes_to_the_other_layouts(params):
    found = states(**params)
    request = found[0].result.request
    passes = [state.at for state in found if state.phase == "pass"]
    assert [state.phase for state in found] == ["tile", "ask", "queue", *(["pass"] * len(passes)), "others"]
    assert passes[0] == 1
    assert passes[-1] == request.passes
    assert request.served_by(found[-2].at) == 32
    assert request.handed_by(found[-2].at) == request.handed


@EVERY
def test_narration_differs_from_step_to_step_and_counts_right(params):
    said = [SCENE.say(state) for state in states(**params)]
    assert len(set(said)) == len(said)
    assert all(words.endswith(".") for words in said)
    assert not any(re.search(r"(?<!\d)1 (?:passes|banks|words|lanes)\b", words) for words in said)


def test_narration_quotes_the_conflict_of_a_column_and_its_cures():
    said = [SCENE.say(state) for state in states()]
    assert "Bank 4 is asked for 32 different words" in said[2]
    assert "128 bytes took 32 passes, 4 bytes a pass, where the banks could hand over 128." in said[-2]
    assert "3.1% more memory" in said[-1]
    assert "takes 1 pass." in said[-1]


def test_narration_says_when_padding_makes_things_worse():
    said = SCENE.say(states(layout="padded", access="stride", stride=3)[-1])
    assert said.startswith("A plain tile takes 1 pass for this read")


def test_narration_says_why_padded_rows_have_no_wide_reads():
    assert "rows of 132 bytes do not start at multiples of 16 bytes" in SCENE.say(states(width=128)[-1])


@BOTH
@EVERY
def test_words_stand_in_their_banks_until_they_are_handed_over(params, width):
    piece = params["width"] // 32
    for state in states(**params):
        if state.phase == "others":
            continue
        marks, read = frame(state, width), state.result.request
        unit = marks["tile"].shape["width"] / 32
        left, top = marks["tile"].shape["x"], marks["tile"].shape["y"]
        for lane in range(32):
            shape = marks[f"words-{lane}"].shape
            if state.phase == "pass" and read.served_in[lane] <= state.at:
                assert shape["y"] + shape["height"] < top  # up at its lane
                assert (shape["x"] - left) // unit == lane
            else:
                assert (shape["x"] - left) // unit == read.words[lane, 0] % 32
                assert shape["width"] == pytest.approx(piece * unit - 1.6)
                assert shape["y"] > top


@BOTH
@EVERY
def test_roles_count_lanes_served_before_now_and_later(params, width):
    for state in states(**params):
        if state.phase != "pass":
            continue
        marks = frame(state, width)
        read, served = state.result.request, state.result.request.served_by(state.at)
        roles = [marks[f"words-{lane}"].role for lane in range(32)]
        assert roles.count("kept") + roles.count("hot") == served
        assert roles.count("hot") == sum(turn == state.at for turn in read.served_in)
        assert ("dropped" in roles) == (read.degree > 1 and served < 32)


@BOTH
@EVERY
def test_bars_are_as_long_as_passes_are_many(params, width):
    for state in states(**params):
        marks = frame(state, width)
        for layout, read in state.result.rivals.items():
            track, bar = marks[f"{layout}-track"].shape, marks[f"{layout}-all"].shape
            assert 32 * bar["width"] / track["width"] == pytest.approx(read.passes)
        if state.phase == "pass":
            made, now = (marks[f"{params['layout']}-{part}"].shape for part in ("made", "now"))
            assert 32 * (made["width"] + now["width"]) / track["width"] == pytest.approx(state.at)


@BOTH
def test_hatching_marks_the_unused_words_of_padding_and_nothing_else(width):
    def slants(state):
        numbers = [float(number) for number in re.findall(r"[\d.]+", frame(state, width)["unused"].shape["d"])]
        return list(zip(*[iter(numbers)] * 4, strict=True))

    assert all((a, b) == (c, d) for a, b, c, d in slants(states()[0]))
    at = Stage(Pen(WIDTHS[width]))
    middles = {
        ((a - at.memory.x) // at.pitch, ((b + d) / 2 - at.memory.y) // at.row)
        for a, b, _, d in slants(states(layout="padded")[0])
    }
    assert middles == {divmod(33 * row + 32, 32)[::-1] for row in range(32)}


@BOTH
def test_last_step_shows_the_words_in_the_best_layout(width):
    at, state = Stage(Pen(WIDTHS[width])), states()[-1]
    padded = request("padded", "column")
    marks = frame(state, width)
    places = [at.place(bank, row) for row, bank in padded.places]
    assert [marks[f"words-{lane}"].shape["x"] for lane in range(32)] == pytest.approx([box.x for box in places])
    assert [marks[f"words-{lane}"].shape["y"] for lane in range(32)] == pytest.approx([box.y for box in places])
    assert len({box.x for box in places}) == 32


@pytest.mark.parametrize(
    ("params", "shown"),
    [
        ({}, "padded"),
        ({"width": 128}, "swizzled"),
        ({"layout": "swizzled"}, "swizzled"),
        ({"access": "row"}, "plain"),
        ({"layout": "padded", "access": "stride", "stride": 3}, "plain"),
    ],
)
def test_the_best_layout_is_the_chosen_one_unless_another_needs_fewer_passes(params, shown):
    assert shown_layout(states(**params)[-1]) == shown
    assert all(shown_layout(state) == state.result.layout for state in states(**params)[:-1])


@BOTH
def test_bars_are_buttons_for_their_layout(width):
    marks = frame(states(width=64)[2], width)
    assert [marks[f"{layout}-track"].set for layout in LAYOUTS] == [{"layout": layout} for layout in LAYOUTS]
    assert marks["padded-name"].text == "padded: rows are not aligned"
    assert marks["padded-all"].shape["width"] == 0


@BOTH
def test_the_same_marks_are_there_in_every_step_so_that_none_pops_up(width):
    keys = {
        tuple(key for key in frame(state, width) if "foot" not in key and key != "padded-words")
        for params in GRID
        for state in states(**params)
    }
    assert len(keys) == 1


@BOTH
def test_frames_stay_small(width):
    most = max(len(frame(state, width)) for params in GRID for state in states(**params))
    assert most <= 120
