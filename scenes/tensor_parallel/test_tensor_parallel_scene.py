"""Check what the reader meets: numbers in the colour of their GPU, bars and a strip to scale, and words."""

import itertools
import re

import numpy as np
import pytest

from loom.draw import Pen
from loom.draw.extent import bounds
from loom.draw.text import text_width
from loom.scene import WIDTHS
from scenes.tensor_parallel.grid import LEFT, OWN, SUMMED
from scenes.tensor_parallel.model import GPUS, Split
from scenes.tensor_parallel.scene import SCENE
from scenes.tensor_parallel.toy import EXACT, MIDDLE, A, B, X

GRID = list(SCENE.grid())
SEVERAL = [one for one in GRID if one["gpus"] > 1 and one["order"] == "columns" and one["model"] == "405B"]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def shown(drawn, key, shape):
    """The numbers of a matrix as they stand there."""
    texts = [[drawn[f"{key}-{row}-{column}-text"].text for column in range(shape[1])] for row in range(shape[0])]
    return [[int(text.replace("−", "-")) for text in row] for row in texts]


def cells(mark):
    """The boxes that one mark fills: left, top, right and bottom of each."""
    corners = [re.findall(r"[-\d.]+", one) for one in mark.shape["d"].split("M")[1:]]
    return [(*map(float, one[:2]), *map(float, one[4:6])) for one in corners]


def colours(drawn, key, shape):
    """The role of what is filled behind each number of a matrix."""
    filled = [(box, mark.role.split()[0]) for name, mark in drawn.items()
              if name.startswith(key) and "solid" in mark.role for box in cells(mark)]  # fmt: skip

    def behind(text):
        x, y = text.shape["x"], text.shape["y"] - 5
        return next(role for (left, top, right, bottom), role in filled if left < x < right and top < y < bottom)

    rows, columns = shape
    return [[behind(drawn[f"{key}-{row}-{column}-text"]) for column in range(columns)] for row in range(rows)]


def test_page_opens_with_the_share_that_is_waited():
    drawn = marks(SCENE.run().steps[SCENE.opening])
    assert drawn["answer"].text == "24.0%" and drawn["strip-time"].text == "8.69\u00a0ms"
    assert shown(drawn, "sum", EXACT.shape) == EXACT.tolist()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", [2, 4])
def test_columns_of_a_and_rows_of_b_have_the_colour_of_the_gpu_that_holds_them(gpus, width):
    drawn = marks(chapter("middle", gpus=gpus).states[-1], width)
    own = [OWN[at * gpus // 8] for at in range(8)]
    assert shown(drawn, "a", A.shape) == A.tolist() and shown(drawn, "b", B.shape) == B.tolist()
    assert colours(drawn, "a", A.shape) == [own] * 4 and colours(drawn, "middle-0", MIDDLE.shape) == [own] * 2
    assert colours(drawn, "b", B.shape) == [[one] * 4 for one in own]
    assert shown(drawn, "middle-0", MIDDLE.shape) == np.maximum(MIDDLE, 0).tolist()


@pytest.mark.parametrize("order", ["columns", "rows"])
@pytest.mark.parametrize("gpus", [2, 4])
def test_parts_of_the_result_come_together_and_become_their_sum(gpus, order):
    toy, states = Split(gpus, order, "nvlink", "405B").toy, chapter("sum", gpus=gpus, order=order).states
    apart, left, merged, last = (marks(state) for state in states[LEFT - 1 : SUMMED + 1])
    for gpu in range(gpus):
        assert shown(apart, f"result-{gpu}", EXACT.shape) == toy.results[gpu].tolist()
        assert bounds(merged[f"result-{gpu}-{OWN[gpu]}"]) == bounds(merged[f"result-0-{OWN[0]}"])
        down, across = bounds(left[f"result-{gpu}-{OWN[gpu]}"]), bounds(merged[f"result-{gpu}-{OWN[gpu]}"])
        assert down[0] == bounds(apart[f"result-{gpu}-{OWN[gpu]}"])[0] and down[1] == across[1]
        assert shown(last, f"part-{gpu}", EXACT.shape) == toy.results[gpu].tolist()
        assert bounds(last[f"part-{gpu}-{OWN[gpu]}"]) == bounds(apart[f"result-{gpu}-{OWN[gpu]}"])
    assert shown(last, "sum", EXACT.shape) == toy.result.tolist()
    assert order == "columns" or shown(last, "uncut", EXACT.shape) == EXACT.tolist()
    assert last["uncut-name"].text == ("the same as uncut" if order == "columns" else "what it should be")
    wrong = [role == "dropped" for row in colours(last, "sum", EXACT.shape) for role in row]
    assert wrong == (toy.result != EXACT).ravel().tolist()


@pytest.mark.parametrize("gpus", [1, 2, 8])
@pytest.mark.parametrize("order", ["columns", "rows"])
def test_every_result_is_made_column_by_column_from_within_300_ms_on(order, gpus):
    told = chapter("sum", gpus=gpus, order=order)
    made = [{key[-6] for key in marks(state) if key.startswith("result-0-") and key.endswith("-text")}
            for state in told.states[:3]]  # fmt: skip
    assert made == [set(), {*"01"}, {*"0123"}] and 0 < told.times[1] <= 0.3


@pytest.mark.parametrize("gpus", [2, 4])
def test_part_of_a_gpu_stands_beside_the_rows_of_b_that_make_it_and_no_bar_of_times_beside_both(gpus):
    for state in (chapter(name, gpus=gpus).states[-1] for name in ("middle", "sum")):
        drawn = marks(state)
        for gpu in range(gpus):
            name, rows = bounds(drawn[f"part-{gpu}-name"]), bounds(drawn[f"b-{OWN[gpu]}"])
            assert rows[1] < (name[1] + name[3]) / 2 < rows[3] and rows[2] < name[0]
        assert "bar-1" not in drawn and max(bounds(mark)[2] for mark in drawn.values()) > 800


@pytest.mark.parametrize(("width", "least"), [("narrow", 315), ("wide", 790)])
def test_one_gpu_s_matrices_fill_the_stage_and_give_way_to_what_a_layer_takes(width, least):
    alone = marks(chapter("sum", gpus=1).states[-1], width)
    wide, high = (max(bounds(mark)[at] for mark in alone.values()) for at in (2, 3))
    assert wide > least and 240 < high < 340
    if width == "wide":
        beside = marks(SCENE.run(gpus=1).steps[-1], width)
        assert bounds(beside["b-series-1"])[2] < bounds(beside["bar-1"])[0]


def test_wrong_order_says_so_in_large_type_and_is_not_taken_further():
    run = SCENE.run(order="rows", gpus=2)
    assert [one.name for one in run.chapters] == ["middle", "sum"]
    assert marks(run.steps[-1])["answer"].text == "8 of 8" and run.values["wrong"].value == 8
    assert "8 of 8 are wrong" in SCENE.say(run.steps[-1]) and "106,496 numbers a token" in SCENE.say(run.steps[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_right_order_is_seen_beside_the_wrong_one_which_can_be_pressed(gpus, width):
    first, last = (marks(chapter("sum", gpus=gpus).states[at], width) for at in (0, -1))
    toy = Split(gpus, "rows", "nvlink", "405B").toy
    assert "rows-first" not in first and last["rows-first"].set == {"order": "rows"}
    assert shown(last, "rows-first", EXACT.shape) == toy.result.tolist()
    assert len(cells(last["rows-first-wrong"])) == toy.wrong
    assert last["rows-first-words"].text == f"rows first: {toy.wrong} of {EXACT.size} wrong"
    assert last["sums"].text == "1 sum" and "answer" not in last
    assert "rows-first" not in marks(chapter("sum", gpus=gpus, order="rows").states[-1], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SEVERAL)
def test_strip_is_to_scale_and_its_gaps_take_nothing_from_the_sums(params, width):
    one = SCENE.run(**params).result
    for name in ("layer", "cost"):
        drawn = marks(chapter(name, **params).states[-1], width)
        left, right = bounds(drawn["attention-0"])[0], bounds(drawn["sum-1-gather"])[2]
        unit = (right - left) / one.total
        for key, time in zip(("attention-0", "MLP-0"), one.parts, strict=True):
            assert drawn[key].shape["width"] == pytest.approx(unit * time)
        for at in (0, 1):
            edges = bounds(drawn[f"sum-{at}-scatter"])[0], bounds(drawn[f"sum-{at}-gather"])[2]
            assert edges[1] - edges[0] == pytest.approx(unit * one.communication / 2)
            assert (f"sum-{at}-norm-0" in drawn) == (name == "cost")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID, ids=lambda one: "-".join(map(str, one.values())))
def test_bars_are_to_scale_for_every_number_of_gpus_and_the_knob_is_on_top(params, width):
    run = SCENE.run(**params)
    one, drawn = run.result, marks(run.steps[-1], width)
    if "bar-1" not in drawn:
        assert params["order"] == "rows"
        return
    unit = drawn["bar-1"].shape["height"] / one.over(1).compute
    for gpus in GPUS:
        assert drawn[f"bar-{gpus}"].shape["height"] == pytest.approx(unit * one.over(gpus).compute)
        other = Split(gpus, one.order, "network" if one.link == "nvlink" else "nvlink", one.model)
        assert drawn[f"other-{gpus}"].shape["height"] == pytest.approx(unit * other.total)
        assert drawn[f"wait-{gpus}"].shape["height"] == pytest.approx(unit * one.over(gpus).communication)
    # The knob rides on the bar, and hides nothing of what is waited.
    top = drawn[f"wait-{params['gpus']}"].shape["y"]
    assert drawn["gpus"].shape["cy"] == pytest.approx(top - Pen(WIDTHS[width]).knob_radius)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", GPUS)
@pytest.mark.parametrize("model", ["8B", "70B", "405B"])
def test_every_gpu_has_as_many_query_heads_and_the_kv_heads_that_they_read(model, gpus, width):
    one, drawn = (
        SCENE.run(model=model, gpus=gpus).result,
        marks(chapter("layer", model=model, gpus=gpus).states[0], width),
    )
    heights = {key: mark.shape["height"] for key, mark in drawn.items() if key.startswith("queries-")}
    column = sum(height for key, height in heights.items() if key.startswith("queries-0-"))
    # Each query head is read back from the picture: its column, and whose colour it has.
    owners = []
    for head in range(one.shape.heads):
        at, inside = divmod(head, one.shape.heads // 8)
        parts = sum(key.startswith(f"queries-{at}-") for key in heights)
        part = inside * parts // (one.shape.heads // 8)
        owners.append(drawn[f"queries-{at}-{part}"].role.split()[0])
        assert drawn[f"kv-{at}-{part}"].role == owners[-1]
        assert heights[f"queries-{at}-{part}"] == pytest.approx(column / parts)
    assert owners == [OWN[head * gpus // one.shape.heads % 4] for head in range(one.shape.heads)]
    assert ("head-sum" in drawn) == (gpus > 1)


def test_playhead_stops_where_each_part_of_a_layer_ends():
    states = chapter("layer").states
    places = [bounds(marks(state)["now"])[0] for state in states]
    last = marks(states[-1])
    ends = [bounds(last[key])[2] for key in ("attention-0", "sum-0-gather", "MLP-0", "sum-1-gather")]
    assert places == pytest.approx(ends) and all(a < b for a, b in itertools.pairwise(places))


def test_table_has_a_row_for_each_number_of_gpus_and_agrees_with_the_values():
    run = SCENE.run(gpus=16, link="network")
    row = next(row for row in run.table.rows if row[0] == 16)
    values = {key: value.value for key, value in run.values.items()}
    assert row[1:] == (values["weights"] / 1e6, values["sent"] / 1e6, 1e3 * values["compute"],
                       1e3 * values["communication"], values["share"])  # fmt: skip
    assert [row[0] for row in run.table.rows] == list(GPUS)


def test_numbers_are_compared_with_the_uncut_product_and_then_make_room_for_the_layer():
    compared = [any(key.startswith("uncut") for key in marks(state)) for state in SCENE.run(gpus=4).steps]
    assert compared == [False, True, False, False, False]
    toy, strip = marks(SCENE.run(gpus=16).steps[-1]), ("legend-work", "attention-0")
    bottom = max(bounds(mark)[3] for key, mark in toy.items() if key.startswith(("sum-right", "name-x", "fewer")))
    assert bottom < min(bounds(toy[key])[1] for key in strip)


def test_no_gpu_s_colour_is_that_of_the_hand():
    assert len(set(OWN)) == 4 and "series-3" not in OWN


def test_numbers_that_a_gpu_holds_of_a_matrix_are_one_mark_and_come_without_another_taking_its_place():
    first, last = (marks(chapter("middle", gpus=2).states[at]) for at in (0, -1))
    for gpu in range(2):
        here, there = (cells(drawn[f"middle-0-{OWN[gpu]}"]) for drawn in (first, last))
        assert len(here) == len(there) == MIDDLE.size / 2
        assert sum(right > left for left, _, right, _ in here) == 2 and all(right > left for left, _, right, _ in there)


def test_speed_is_that_with_any_number_of_tokens():
    assert SCENE.say(chapter("cost").states[-1]).endswith(" times as fast as one, with any number of tokens.")


@pytest.mark.parametrize("width", WIDTHS)
def test_numbers_of_a_row_stand_at_least_two_spaces_apart(width):
    drawn = marks(chapter("sum").states[-1], width)
    for key, (rows, columns) in {"x": X.shape, "a": A.shape, "b": B.shape, "sum": EXACT.shape}.items():
        for row in range(rows):
            texts = [drawn[f"{key}-{row}-{column}-text"] for column in range(columns)]
            space = text_width(" ", texts[0].shape["font-size"])
            gaps = [bounds(right)[0] - bounds(left)[2] for left, right in itertools.pairwise(texts)]
            assert min(gaps) > 2 * space, (key, row)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpus", GPUS)
def test_each_bar_leaves_the_one_before_it_and_its_sums_come_when_it_stands(gpus, width):
    drawn = [marks(state, width) for state in chapter("cost", gpus=gpus).states]
    for at, (fewer, more) in enumerate(itertools.pairwise(GPUS), 1):
        before, on_its_way, there = drawn[at - 1], drawn[at], drawn[min(at + 1, len(drawn) - 1)]
        edge, beside = bounds(before[f"bar-{more}"]), bounds(before[f"bar-{fewer}"])
        assert edge[0] == edge[2] == beside[2] and edge[1] == beside[1]
        assert bounds(on_its_way[f"bar-{more}"])[0] > bounds(on_its_way[f"bar-{fewer}"])[2]
        assert on_its_way[f"wait-{more}"].shape["height"] == 0 < there[f"wait-{more}"].shape["height"]
    assert [("gpus" in one, "other-1" in one) for one in drawn] == [(False, False)] * 5 + [(True, True)]


@pytest.mark.parametrize("width", WIDTHS)
def test_knob_on_the_tallest_bar_keeps_clear_of_the_axis_s_name(width):
    drawn = marks(SCENE.run(gpus=1).steps[-1], width)
    assert drawn["gpus"].shape["cy"] - Pen(WIDTHS[width]).knob_radius > bounds(drawn["bars-y-title"])[3]
