"""Check what the reader meets: values, table, words and pictures agree with each other in every state."""

import itertools
import re

import pytest

from loom.draw import tidy
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.occupancy.launch import SHARED
from scenes.occupancy.rows import LETTERS, stage_of
from scenes.occupancy.scene import SCENE
from scenes.occupancy.stairs import REGISTERS, plot_of
from tests.boxes import answer_lines, beneath

DEFAULT = SCENE.defaults
NEEDS, DROP, STAIRS = range(3)  # the steps
GRID = list(SCENE.grid())
SOME = GRID[::17]


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def drops(params, width="wide"):
    """The pictures of blocks that come one after another."""
    return [marks(state, width) for state in SCENE.run(**params).chapters[DROP].states]


def test_opening_loses_a_quarter_of_the_warps_to_one_register():
    # facts/hardware.md, section 9, rows 1 and 2.
    assert DEFAULT == {"threads": 256, "registers": 33, "shared": 0, "gpu": "H100"}
    assert values()["occupancy"] == 75
    assert values(registers=32)["occupancy"] == 100
    assert values()["granted"] == 40
    # 6 blocks of 256 threads with 33 registers are 50,688 of 65,536.
    assert values()["wasted_registers"] == pytest.approx(100 * (1 - 50_688 / 65_536), rel=1e-12)


def test_same_blocks_fit_fewer_times_into_the_shared_memory_of_an_a100():
    # Section 9, rows 13 and 16.
    found = {gpu: values(registers=32, shared=32, gpu=gpu) for gpu in ("A100", "H100")}
    assert [found[gpu]["by_shared"] for gpu in found] == [4, 6]
    assert [found[gpu]["shared_block"] for gpu in found] == [33_792, 33_792]
    large = {"threads": 384, "registers": 168, "shared": 192}
    assert [values(**large, gpu=gpu)["occupancy"] for gpu in found] == [0, 18.75]


def test_values_print_as_prose_would_write_them():
    found = SCENE.run(registers=65, shared=32).values
    assert str(found["occupancy"]) == "37.5%"
    assert str(found["shared_block"]) == "33,792\u00a0bytes"
    assert str(found["registers_block"]) == "18,432"


@pytest.mark.parametrize("params", SOME, ids=str)
def test_table_and_values_are_one_reckoning(params):
    found = {name: value.value for name, value in SCENE.run(**params).values.items()}
    names = [column.name for column in SCENE.run(**params).table.columns]
    assert names == ["resource", "has", "one_block_takes", "blocks_that_fit", "left_over"]
    rows = SCENE.run(**params).table.rows
    assert [row[3] for row in rows] == [found[f"by_{key}"] for key in ("warps", "registers", "shared", "blocks")]
    assert found["blocks"] == min(row[3] for row in rows)
    assert [row[2] for row in rows[1:3]] == [found["registers_block"], found["shared_block"]]
    for _, has, takes, _, left in rows:
        assert left == has - found["blocks"] * takes >= 0
    assert found["warps"] + found["idle_warps"] == 64
    assert found["occupancy"] == 100 * found["warps"] / 64 <= found["unrounded"] * (1 + 1e-12)
    assert 0 <= found["wasted_registers"] <= 100
    assert params["registers"] <= found["last_registers"] <= 255
    assert found["granted"] <= found["last_registers"] + 1


def test_opening_answers_the_title():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    assert (drawn["answer"].text, answer_lines(drawn)[0]) == ("75%", "48 of 64 warps")
    assert drawn["told-1"].text == "no room for G"


def test_prediction_hides_all_but_the_first_block():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    seen = {key for key, mark in drawn.items() if "answer" not in mark.role.split()}
    assert {key for key in seen if key.startswith("block-")} == {f"block-0-{at}" for at in range(4)}
    hidden = {"answer", "answer-words-0", "answer-words-1", "told-1", "unusable", "stairs-path", "registers"}
    assert hidden <= drawn.keys() - seen


def test_prediction_shows_what_it_is_made_from():
    drawn = marks(SCENE.run().steps[SCENE.opening - 1])
    known = [drawn[key] for key in ("places", "stairs-before", "stairs-here", *(f"asked-{at}" for at in range(4)))]
    assert drawn["asked-1"].text == "33 a thread"
    assert not [mark for mark in known if "answer" in mark.role.split()]
    assert bounds(drawn["stairs-before"])[2] < drawn["stairs-here"].shape["x1"] == drawn["registers"].shape["cx"]
    assert "answer" in marks(SCENE.run().steps[NEEDS])["told-1"].role  # that 33 become 40


def test_registers_do_not_run_out_before_registers():
    said = SCENE.say(SCENE.run(threads=256, registers=255, shared=192).steps[STAIRS])
    assert said == "Here, no number of registers changes the 12.5%: shared memory runs out before them."


@pytest.mark.parametrize("width", WIDTHS)
def test_slots_are_places_of_their_own(width):
    drawn, stage = marks(SCENE.run().steps[NEEDS], width), stage_of(WIDTHS[width])
    ticks = drawn["places"].shape["d"].count("M")
    assert ticks == 63 + 31 + 3  # between warps, blocks, and the quarters' registers
    assert stage.rows[0].y == max(row.y for row in stage.rows)


def test_last_step_keeps_the_blocks_in_all_rows():
    before, after = (marks(SCENE.run().steps[at]) for at in (STAIRS, -1))
    stays = {key for key in before if not key.startswith("stairs-")} - {"registers", "unrounded"}
    assert stays <= after.keys()
    assert all(before[key] == after[key] for key in stays)


def standing(drawn, launch, width):
    """The blocks that stand in a row, for each row: those that are as wide as what they take, and in their place."""
    stage = stage_of(WIDTHS[width])
    found = [0, 0, 0, 0]
    for key, mark in drawn.items():
        if named := re.fullmatch(r"block-(\d+)-(\d)", key):
            block, resource = map(int, named.groups())
            box, shape = stage.place(launch, resource, block), mark.shape
            if "data" in mark.role and shape["y"] == box.y:
                assert (shape["x"], shape["width"]) == (box.x, pytest.approx(box.width - min(1, box.width / 4)))
                found[resource] += 1
    return found


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, SOME)], ids=str)
def test_blocks_drop_in_one_after_another_into_all_four_rows_until_one_does_not_fit(width, params):
    launch = SCENE.run(**params).result
    pictures = drops(params, width)
    assert len(pictures) == launch.blocks + 3
    for come, drawn in enumerate(pictures):
        assert standing(drawn, launch, width) == [min(come, launch.blocks)] * 4
        refused = {key for key, mark in drawn.items() if "outline" in mark.role}
        last = come > launch.blocks
        assert refused == ({f"block-{launch.blocks}-{at}" for at in range(4)} if last else set())
    for resource in range(4):
        bound = resource in launch.binding
        assert ("dropped" in drawn[f"block-{launch.blocks}-{resource}"].role) == bound
        assert ("no room" in drawn[f"told-{resource}"].text) == bound


@pytest.mark.parametrize("params", SOME, ids=str)
def test_what_does_not_fit_stands_over_the_end_of_what_can_be_used(params):
    launch = SCENE.run(**params).result
    drawn = drops(params)[-1]
    for resource in launch.binding:
        end = bounds(drawn[f"track-{resource}"])[2]
        if resource == 1 and "unusable" in drawn:
            end = bounds(drawn["unusable"])[0]
        assert bounds(drawn[f"block-{launch.blocks}-{resource}"])[2] > end - 0.1 or launch.fails


def test_registers_too_few_for_a_warp_are_hatched_and_said():
    drawn = drops({})[-1]
    left, _, right, _ = bounds(drawn["unusable"])
    row = drawn["track-1"].shape
    unusable = 65_536 - 4 * 12 * 1280
    assert (right - left) / row["width"] == pytest.approx(unusable / 65_536, abs=0.002)
    assert f"{unusable:,} registers" in drawn["unusable"].read


def test_a_block_is_the_same_mark_while_it_waits_and_when_it_has_come():
    before, after = drops({})[2:4]
    for resource in range(4):
        assert before[f"block-2-{resource}"].shape["y"] < before["track-1"].shape["y"]
        assert after[f"block-2-{resource}"].shape["y"] == after[f"track-{resource}"].shape["y"]
    assert before["next"].text == f"block {LETTERS[2]}"


def test_occupancy_grows_with_the_blocks_that_have_landed():
    said = [drawn["answer"].text for drawn in drops({})]
    assert said == ["0%", "0%", "12.5%", "25%", "37.5%", "50%", "62.5%", "75%", "75%"]


def test_staircase_and_its_bead_come_when_the_blocks_have_come():
    *before, last = drops({})
    for drawn in (marks(SCENE.run().steps[NEEDS]), *before):
        assert "stairs-before" in drawn
        assert not {"stairs-path", "registers"} & drawn.keys()
    assert {"stairs-path", "registers"} <= last.keys()


def test_that_a_block_does_not_fit_is_said_when_it_stands_there():
    *_, before, refused, told = drops({})
    assert "block-6-1" in refused
    assert "no room" not in before["told-1"].text + refused["told-1"].text
    assert told["told-1"].text == "no room for G"


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (
            {"threads": 1024, "registers": 65},
            "73,728 registers; the 65,536 of an SM are enough for 28 such warps",
        ),
        ({"threads": 384, "registers": 255}, "98,304 registers; the 65,536 of an SM are enough for 8 such warps"),
        ({"shared": 192, "gpu": "A100"}, "asks for 192 KB of shared memory; on A100, a block may have 163 KB"),
    ],
)
def test_launch_that_fails_is_called_so(params, why):
    states = SCENE.run(**params).steps
    assert why in SCENE.say(states[DROP])
    assert "The launch fails" in SCENE.say(states[DROP])
    for width, state in itertools.product(WIDTHS, states[DROP:]):
        drawn = marks(state, width)
        assert drawn["answer"].text == "0%"
        assert "0 blocks" in answer_lines(drawn)[-1]
        assert not [key for key, mark in drawn.items() if key.startswith("block-") and "data" in mark.role]
    found = values(**params)
    assert (found["blocks"], found["warps"], found["occupancy"], found["wasted_registers"]) == (0, 0, 0, 100)


@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_words_differ_from_step_to_step_and_quote_the_state(params):
    states = SCENE.run(**params).steps
    said = [SCENE.say(state) for state in states]
    launch = states[0].result
    assert len(set(said)) == len(said) == 2 + bool(launch.fits[SHARED]) + (not launch.fails)
    assert not [words for words in said if re.search(r"\bnan\b|\binf\b|-\d|\{|  |\.\.", words)]
    assert f"{launch.threads:,} threads is {launch.warps} warp" in said[0]
    assert f"gets {launch.granted}" in said[0] or launch.granted == launch.registers
    assert f"{launch.resident} of 64 warps" in said[1] or launch.fails
    assert not launch.fits[SHARED] or f"{launch.occupancy:.3g}%" in said[2]
    assert not re.search(r"\b1 (warps|blocks|such warps)\b", " ".join(said))


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, SOME)], ids=str)
def test_registers_are_dragged_down_the_staircase(width, params):
    stage = stage_of(WIDTHS[width])
    state = next(one for one in SCENE.run(**params).steps if one.past("drop") == 1)
    plot = plot_of(stage.pen, stage.plot)
    drawn = marks(state, width)
    knob = drawn["registers"]
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[REGISTERS.index(params["registers"])]
    for registers, place in zip(REGISTERS, knob.handle.rail, strict=True):
        assert place == plot.at(registers, values(**params | {"registers": registers})["occupancy"])
    path = drawn["stairs-path"].shape["d"]
    for first, last, height in state.result.treads:
        for at in (first, last):
            x, y = plot.at(at, height)
            assert f"{tidy(x)} {tidy(y)}" in path


@pytest.mark.parametrize("resource", range(4))
def test_on_a_phone_names_keep_clear_of_the_row_above(resource):
    drawn = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[-1], WIDTHS["narrow"])}
    top = bounds(drawn[f"name-{resource}"])[1]
    above = [bounds(drawn[f"track-{other}"])[3] for other in range(4)]
    assert all(bottom + 2 <= top for bottom in above if bottom < drawn[f"track-{resource}"].shape["y"])


@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_all_words_stand_in_a_column_behind_the_block_that_does_not_fit_or_one_within_it(params):
    drawn, launch = marks(SCENE.run(**params).steps[DROP]), SCENE.run(**params).result
    for resource in launch.binding:
        left, _, right, _ = bounds(drawn[f"told-{resource}"])
        edge = bounds(drawn[f"block-{launch.blocks}-{resource}"])[2]
        assert not left < edge < right
    beside = {mark.shape["x"] for key, mark in drawn.items() if key.startswith("asked-")}
    assert len(beside) == 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_no_number_lies_under_the_knob_and_the_axis_keeps_its_name(params, width):
    drawn = drops(params, width)[-1]
    assert beneath(drawn, "registers") == [] and "stairs-y-title" in drawn


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("registers", [65, 255])
def test_words_of_what_a_block_needs_stand_clear_of_its_outline_also_where_it_is_too_large(registers, width):
    drawn = marks(SCENE.run(threads=1024, registers=registers).steps[NEEDS], width)
    (left, _, right, bottom), need = bounds(drawn["told-1"]), drawn["need-1"].shape
    assert drawn["told-1"].text.startswith("1,024 × ")
    edge = need["x"] + need["width"]
    assert not left < edge < right or bottom <= need["y"] + 1
