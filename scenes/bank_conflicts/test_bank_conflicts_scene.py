"""Check what the scene says and draws: values, narration, and marks that stand for what the model computes."""

import json
import re

import pytest

from loom.draw import Pen
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.bank_conflicts import measured
from scenes.bank_conflicts.drawing import Stage
from scenes.bank_conflicts.model import LAYOUTS
from scenes.bank_conflicts.scene import SCENE
from tests.boxes import answer_lines

GRID = list(SCENE.grid())
FEW = [params for params in GRID if params["column"] in (0, 4, 30) and params["stride"] in (2, 3, 12, 31, 32)]
BOTH = pytest.mark.parametrize("width", WIDTHS)
EVERY = pytest.mark.parametrize("params", FEW, ids=lambda params: "-".join(map(str, params.values())))


def chapter(name, **params):
    """The states of a chapter's beats, with the parameters not named at their defaults."""
    return next(one for one in SCENE.run(**params).chapters if one.name == name).states


def frame(state, width):
    """The marks of one beat, by key."""
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def values(**params):
    """All values by name, with the parameters not named at their defaults."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def test_every_stride_is_on_offer_and_every_second_column():
    assert len(GRID) == 3 * 16 + 3 * 32 + 3 + (3 + 2 * 2) + 2 * 2
    assert list(SCENE.param("stride").values) == list(range(1, 33))


def test_defaults_are_the_column_of_a_plain_tile_and_answer_the_title():
    assert SCENE.defaults == {"layout": "plain", "access": "column", "column": 4, "stride": 2, "width": 32}
    found = values()
    assert (found["degree"], found["passes"], found["banks_used"], found["words"]) == (32, 32, 1, 32)
    assert found["bytes_per_pass"] == 4
    marks = frame(SCENE.run().steps[SCENE.opening - 1], "wide")
    assert (marks["answer"].text, answer_lines(marks)) == ("32", ["passes"])
    assert sum("dropped" in mark.role for key, mark in marks.items() if key.startswith("words-")) == 31


@EVERY
def test_values_agree_with_each_other_and_with_the_table(params):
    found = {name: value.value for name, value in SCENE.run(**params).values.items()}
    table = SCENE.run(**params).table
    names, row = (
        [column.name for column in table.columns],
        next(row for row in table.rows if row[0] == params["layout"]),
    )
    assert [found[name] for name in names[1:-1]] == list(row[1:-1])
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


@pytest.mark.parametrize("column", [0, 4, 18, 30])
def test_no_column_is_better_than_another(column):
    assert [values(layout=layout, column=column)["passes"] for layout in LAYOUTS] == [32, 1, 1]


@EVERY
def test_words_are_handed_over_one_pass_a_beat(params):
    found = chapter("pass", **params)
    read = found[0].result.request
    assert len(found) == read.passes
    for turn, state in enumerate(found, 1):
        marks = frame(state, "wide")
        assert marks["answer"].text == str(turn)
        up = [lane for lane in range(32) if marks[f"words-{lane}"].shape["y"] < marks["tile"].shape["y"]]
        assert len(up) == read.served_by(turn)
    assert read.served_by(read.passes) == 32


@EVERY
def test_narration_differs_from_step_to_step_and_counts_right(params):
    said = [SCENE.say(state) for state in SCENE.run(**params).steps]
    assert len(set(said)) == len(said) == 3 + (params["width"] == 32)
    assert not any(re.search(r"(?<!\d)1 (?:passes|banks|words|lanes)\b", words) for words in said)


def test_narration_quotes_the_conflict_of_a_column_and_its_cures():
    said = [SCENE.say(state) for state in SCENE.run().steps]
    assert "Bank 4 is asked for 32 words" in said[0]
    assert "128 bytes took 32 passes, 4 bytes a pass; the banks can hand over 128." in said[1]
    assert "(hatched, 3.1% more memory)" in said[3] and "1 pass" in said[3]
    assert "c XOR r: 1 pass." in said[3]


def test_narration_says_when_padding_makes_things_worse():
    state = chapter("others", layout="padded", access="stride", stride=3)[-1]
    assert SCENE.say(state).startswith("A plain tile takes 1 pass:")


def test_narration_says_why_padded_rows_have_no_wide_reads():
    state = chapter("others", width=128)[-1]
    assert "rows of 132 bytes do not start at multiples of 16." in SCENE.say(state)


@pytest.mark.parametrize(("layout", "other"), [("plain", "Swizzled"), ("swizzled", "Plain")])
def test_wide_row_is_compared_with_the_layout_that_is_not_chosen(layout, other):
    (state,) = chapter("others", layout=layout, access="row", width=128)
    assert SCENE.say(state).startswith(f"{other}, too: 4 passes.")


@pytest.mark.parametrize(("access", "cost"), [("column", "32 passes cost 32 cycles."), ("row", "each pays 1 cycle.")])
def test_what_passes_cost_busy_warps_has_a_unit(access, cost):
    assert SCENE.say(chapter("clock", access=access)[0]).endswith(cost)


@BOTH
@EVERY
def test_words_stand_in_their_banks_until_they_are_handed_over(params, width):
    piece = params["width"] // 32
    for state in (*chapter("ask", **params), *chapter("pass", **params)[:3]):
        marks, read = frame(state, width), state.result.request
        turn = state.beat + 1 if state.phase == "pass" else 0
        unit = marks["tile"].shape["width"] / 32
        left, top = marks["tile"].shape["x"], marks["tile"].shape["y"]
        for lane in range(32):
            shape = marks[f"words-{lane}"].shape
            if read.served_in[lane] <= turn:
                assert shape["y"] + shape["height"] < top  # up at its lane
                assert (shape["x"] - left) // unit == lane
            else:
                assert (shape["x"] - left) // unit == read.words[lane, 0] % 32
                assert shape["width"] == pytest.approx(piece * unit - 1.6)
                assert shape["y"] > top


@EVERY
def test_loss_is_what_waits_in_a_conflict_and_nothing_else(params):
    for state in chapter("pass", **params):
        read, marks = state.result.request, frame(state, "narrow")
        roles = [marks[f"words-{lane}"].role for lane in range(32)]
        served = read.served_by(state.beat + 1)
        assert roles.count("work") + roles.count("hot") == served
        assert ("dropped" in roles) == (read.degree > 1 and served < 32)
    assert "hot" not in roles


@BOTH
@EVERY
def test_bars_are_as_long_as_passes_are_many(params, width):
    for state in (chapter("ask", **params)[-1], chapter("pass", **params)[0]):
        marks = frame(state, width)
        full = 32 / (marks["plain-row"].shape["width"] - 12)
        for layout, read in state.result.rivals.items():
            assert full * marks[f"{layout}-all"].shape["width"] == pytest.approx(read.passes)
        made = full * marks[f"{params['layout']}-made"].shape["width"]
        assert made == pytest.approx(float(state.phase == "pass"))


@BOTH
def test_hatching_marks_the_unused_words_of_padding_and_nothing_else(width):
    assert "unused" not in frame(chapter("ask")[0], width)
    padded = frame(chapter("ask", layout="padded")[0], width)["unused"].shape["d"]
    numbers = [float(number) for number in re.findall(r"[\d.]+", padded)]
    at = Stage(Pen(WIDTHS[width]))
    middles = {
        ((a - at.memory.x) // at.pitch, ((b + d) / 2 - at.memory.y) // at.row)
        for a, b, _, d in zip(*[iter(numbers)] * 4, strict=True)
    }
    assert middles == {divmod(33 * row + 32, 32)[::-1] for row in range(32)}


@BOTH
@pytest.mark.parametrize("layout", LAYOUTS)
def test_column_and_stride_are_dragged_along_the_banks(layout, width):
    for name, access, choices in (("column", "column", (0, 8, 30)), ("stride", "stride", (1, 8, 31, 32))):
        for value in choices:
            marks = frame(chapter("ask", layout=layout, access=access, **{name: value})[0], width)
            knob, unit = marks[name].shape, marks["tile"].shape["width"] / 32
            place = list(SCENE.param(name).values).index(value)
            assert (knob["cx"], knob["cy"]) == marks[name].handle.rail[place]
            assert knob["cx"] == pytest.approx(marks["tile"].shape["x"] + (value + 0.5) * unit)


def test_nothing_is_dragged_where_neither_matters():
    for params in ({"access": "row"}, {"access": "broadcast"}, {"width": 128}):
        assert not [mark for mark in frame(chapter("ask", **params)[0], "wide").values() if mark.handle]


@pytest.mark.parametrize(
    ("params", "best"),
    [
        ({}, "padded"),
        ({"width": 128}, "swizzled"),
        ({"layout": "swizzled"}, "swizzled"),
        ({"access": "row"}, "plain"),
        ({"layout": "padded", "access": "stride", "stride": 3}, "plain"),
    ],
)
def test_the_best_layout_is_the_chosen_one_unless_another_needs_fewer_passes(params, best):
    state = chapter("others", **params)[-1]
    assert state.result.best == best
    assert "work" in frame(state, "wide")[f"{best}-all"].role


@BOTH
def test_bars_are_buttons_for_their_layout(width):
    marks = frame(chapter("ask", width=64)[0], width)
    assert [marks[f"{layout}-row"].set for layout in LAYOUTS] == [{"layout": layout} for layout in LAYOUTS]
    assert marks["padded-words"].text == "not aligned"
    assert marks["padded-all"].shape["width"] == 0


@BOTH
def test_frames_stay_small(width):
    assert max(len(frame(chapter(name, **params)[-1], width)) for params in FEW for name in ("ask", "pass")) <= 120


def told_by_the_gpu(series):
    told = json.loads((FOLDER / "h100/bank_conflicts.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == series)
    return {one["at"]["stride"]: one["median"] for one in points}


@BOTH
def test_rings_stand_where_the_result_says(width):
    marks = frame(chapter("clock")[-1], width)
    low, high = (marks[f"clock-y-grid-{tick}"].shape["y1"] for tick in (0, 80))
    left, right = (marks[f"clock-x-tick-{tick}"].shape["x1"] for tick in (1, 32))
    for key, series in (("alone", "stride_latency"), ("busy", "stride_cycles")):
        taken = told_by_the_gpu(series)
        for at, degree in enumerate((1, 2, 4, 8, 16, 32)):
            ring = marks[f"{key}-measured-{at}"].shape
            assert ring["cx"] == pytest.approx(left + (degree - 1) / 31 * (right - left))
            assert ring["cy"] == pytest.approx(low + (high - low) * taken[degree] / 80)


def test_law_of_one_gpu_holds_to_the_cycle_on_another():
    alone, busy = told_by_the_gpu("stride_latency"), told_by_the_gpu("stride_cycles")
    for stride, cycles in alone.items():
        degree = next(d for d in (32, 16, 8, 4, 2, 1) if stride % d == 0)
        assert cycles == pytest.approx(23 + 2 * (degree - 1), abs=0.1)
        assert busy[stride] == pytest.approx(degree, rel=0.004)
    found = values()
    assert (found["measured_strides_as_said"], found["measured_strides"]) == (48, 48)
    assert (found["measured_patterns_as_said"], found["measured_patterns"]) == (28, 36)


def test_wide_reads_have_no_clock():
    assert [len(SCENE.run(width=width).chapters) for width in (32, 64, 128)] == [4, 3, 3]
    assert {row[-1] for row in SCENE.run(width=128).table.rows} == {"–"}


def test_scene_draws_without_results(monkeypatch):
    measured.result.cache_clear()
    monkeypatch.setattr(measured, "results", lambda name: {})
    assert "measured_row" not in values()
    assert {row[-1] for row in SCENE.run().table.rows} == {"–"}
    marks = frame(chapter("clock")[-1], "wide")
    assert "alone" in marks
    assert not [mark for mark in marks.values() if "measured" in mark.role.split()]
    measured.result.cache_clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_name_of_the_many_warps_stands_between_the_two_lines(width):
    marks = frame(chapter("clock")[-1], width)
    left, top, _, bottom = bounds(marks["clock-many"])
    plot = {name: bounds(marks[name]) for name in ("alone", "busy")}
    (start, high, end, low), (_, summit, _, _) = plot["alone"], plot["busy"]
    assert bottom <= summit + 3
    assert top > low + (high - low) * (left - start) / (end - start)
