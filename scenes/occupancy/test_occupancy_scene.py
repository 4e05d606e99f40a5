"""Check what the reader meets: values, table, words and pictures agree with each other in every state."""

import itertools
import re

import pytest

from loom.draw import tidy
from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.occupancy.launch import FILE, SHARED, SLOTS, WARPS
from scenes.occupancy.rows import LETTERS, colour, stage_of
from scenes.occupancy.scene import SCENE
from scenes.occupancy.stairs import REGISTERS, plot_of

DEFAULT = SCENE.defaults
NEEDS, ALONE, TOGETHER, STAIRS = range(4)  # the steps
GRID = list(SCENE.grid())
SOME = GRID[::7]


def values(**params):
    """Every value as a plain number."""
    return {name: value.value for name, value in SCENE.run(**params).values.items()}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def spans(drawn, prefix):
    """Left and right of the marks whose key begins so."""
    return [bounds(mark)[::2] for key, mark in drawn.items() if key.startswith(prefix)]


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


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, SOME)], ids=str)
def test_every_row_shows_the_blocks_that_are_meant(width, params):
    for state in SCENE.run(**params).steps:
        drawn, launch = marks(state, width), state.result
        told = [row[3] for row in SCENE.run(**params).table.rows]
        shown = {"needs": [min(fit, 1) for fit in told], "alone": told}.get(state.phase, 4 * [min(told)])
        slots = [key for key in drawn if re.fullmatch(rf"block-{SLOTS}-\d+", key)]
        assert len(slots) == shown[SLOTS]
        posts = [key for key in drawn if re.fullmatch(r"warps-\d+", key)]
        assert len(posts) == min(shown[WARPS], 32)
        assert sum(drawn[key].shape["d"].count("M") for key in posts) == len(posts) * launch.warps
        row = stage_of(WIDTHS[width]).quarters(FILE)
        filled = sum(right - left for left, right in spans(drawn, f"block-{FILE}-") + spans(drawn, "rest-"))
        wanted = shown[FILE] * launch.takes[FILE] / 65_536 * sum(box.width for box in row)
        pieces = len(spans(drawn, f"block-{FILE}-"))
        assert filled == pytest.approx(wanted - pieces, abs=0.1 * pieces + 1e-6)  # each leaves a gap of 1


def test_block_keeps_its_colour_and_letter_in_every_row():
    state = SCENE.run(shared=16).steps[TOGETHER]
    drawn = marks(state)
    for block in range(state.result.blocks):
        mine = [drawn[f"warps-{block}"], drawn[f"block-{SLOTS}-{block}"], drawn[f"block-{SHARED}-{block}"]]
        mine += [drawn[f"block-{FILE}-{block}-{quarter}"] for quarter in range(4)]
        assert {mark.role for mark in mine} == {colour(block)}
        letters = {drawn[f"letter-{row}-{block}"].text for row in (SHARED, SLOTS)}
        assert letters == {drawn[f"letter-{FILE}-{block}-3"].text} == {LETTERS[block]}


@pytest.mark.parametrize("params", SOME, ids=str)
def test_what_runs_out_is_framed_and_its_rest_hatched_once_it_is_known(params):
    for state in SCENE.run(**params).steps:
        drawn, launch = marks(state), state.result
        framed = {int(key[-1]) for key in drawn if key.startswith("binds-")}
        hatched = {int(key[-1]) for key in drawn if re.fullmatch(r"left-\d", key)}
        if state.since("together"):
            assert framed == set(launch.binding)
            assert hatched == {at for at in launch.binding if launch.left[at]}
            role = "dropped outline" if launch.fails else "hot outline"
            assert {drawn[f"binds-{at}"].role for at in framed} == {role}
        elif state.phase == "alone":
            assert not framed | hatched
        else:
            assert framed == {at for at in range(4) if not launch.fits[at]}
    rank = "runs out first" if len(launch.binding) == 1 else "tied for first"
    told = [drawn[f"told-{at}"].text for at in launch.binding]
    assert all(("cannot launch" if launch.fails else rank) in words for words in told)


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (
            {"threads": 1024, "registers": 65},
            "73,728 registers; the 65,536 of an SM are enough for 28 such warps",
        ),
        ({"threads": 384, "registers": 255}, "98,304 registers; the 65,536 of an SM are enough for 8 such warps"),
        ({"shared": 192, "gpu": "A100"}, "asks for 192 KiB of shared memory; on A100, a block may have 163 KiB"),
    ],
)
def test_launch_that_fails_is_called_so(params, why):
    states = SCENE.run(**params).steps
    assert why in SCENE.say(states[TOGETHER])
    assert "The launch fails" in SCENE.say(states[TOGETHER])
    for width, state in itertools.product(WIDTHS, states[TOGETHER:]):
        drawn = marks(state, width)
        assert drawn["result"].text == "0%"
        assert "cannot launch" in drawn["result-made"].text + drawn.get("result-blocks", drawn["result"]).text
        assert not [key for key in drawn if key.startswith(("block-", "warps-"))]
    assert any(key.startswith("over-") for key in marks(states[NEEDS]))
    found = values(**params)
    assert (found["blocks"], found["warps"], found["occupancy"], found["wasted_registers"]) == (0, 0, 0, 100)


@pytest.mark.parametrize("params", GRID[::3], ids=str)
def test_words_differ_from_step_to_step_and_quote_the_state(params):
    states = SCENE.run(**params).steps
    said = [SCENE.say(state) for state in states]
    launch = states[0].result
    assert len(set(said)) == len(said) == len(SCENE.steps)
    assert not [words for words in said if re.search(r"\bnan\b|\binf\b|-\d|\{|  |\.\.", words)]
    assert f"{launch.threads:,} threads is {launch.warps} warp" in said[0]
    assert f"gets {launch.granted}" in said[0] or launch.granted == launch.registers
    assert all(str(fit) in said[1] for fit in launch.fits)
    assert f"{launch.occupancy:.3g}%" in said[2]
    assert f"{launch.occupancy:.3g}%" in said[3]
    assert not re.search(r"\b1 (warps|blocks|such warps)\b", " ".join(said))


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, SOME)], ids=str)
def test_dot_and_choices_stand_on_the_staircase(width, params):
    state = SCENE.run(**params).steps[STAIRS]
    drawn, plot = marks(state, width), plot_of(stage_of(WIDTHS[width]))
    dot = drawn["stairs-dot"].shape
    assert (dot["cx"], dot["cy"]) == plot.at(params["registers"], values(**params)["occupancy"])
    path = drawn["stairs-path"].shape["d"]
    for registers in REGISTERS:
        place = plot.at(registers, values(**params | {"registers": registers})["occupancy"])
        if f"choice-{registers}" in drawn:
            choice = drawn[f"choice-{registers}"]
            assert (choice.shape["cx"], choice.shape["cy"]) == place
            assert choice.set == {"registers": str(registers)}
    for first, last, height in state.result.treads:
        for at in (first, last):
            x, y = plot.at(at, height)
            assert f"{tidy(x)} {tidy(y)}" in path
    assert f"choice-{params['registers']}" not in drawn


@pytest.mark.parametrize(("width", "params"), [*itertools.product(WIDTHS, SOME)], ids=str)
def test_no_words_stand_on_others(width, params):
    for state in SCENE.run(**params).steps:
        texts = [(key, bounds(mark)) for key, mark in marks(state, width).items()
                 if mark.tag == "text" and not key.startswith(("letter-", "stairs-"))]  # fmt: skip
        for (one, a), (other, b) in itertools.combinations(texts, 2):
            apart = a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
            assert apart, (one, other, state.phase)
