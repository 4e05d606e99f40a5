"""Check the motion: what is told has landed, and each chapter sets out at once."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes.occupancy.rows import stage_of
from scenes.occupancy.scene import SCENE
from scenes.occupancy.stairs import plot_of

NEEDS, _, STAIRS = range(3)
SOME = list(SCENE.grid())[::17]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME)
def test_what_a_block_needs_is_told_when_it_has_grown_and_registers_are_rounded_up_on_the_way(params, width):
    run = SCENE.run(**params)
    launch, pictures = run.result, [marks(state, width) for state in run.chapters[NEEDS].states]
    assert not [key for key in pictures[0] if key.startswith("told-")]
    assert not any(pictures[0][f"need-{at}"].shape["width"] for at in range(4))
    for before, shown in itertools.pairwise(pictures):
        for resource in range(4):
            if f"told-{resource}" in shown:  # its number is that of the outline in the picture before
                asked = resource == 1 and f"× {launch.registers} =" in shown["told-1"].text
                part = launch.registers / launch.granted if asked else 1
                need = stage_of(WIDTHS[width]).taken(launch, resource, 0)
                assert before[f"need-{resource}"].shape["width"] == pytest.approx(need.width * part, abs=0.51)
    assert len(pictures) == 6 + (launch.granted > launch.registers)
    assert len([key for key in pictures[-1] if key.startswith("told-")]) == 4


@pytest.mark.parametrize("params", SOME)
def test_walker_on_the_staircase_is_told_where_it_has_come_to(params):
    run = SCENE.run(**params)
    if len(run.chapters) <= STAIRS or run.steps[STAIRS].phase != "stairs":
        return
    plot, treads = plot_of(stage_of(840).pen, stage_of(840).plot), run.result.treads
    *walk, last = [marks(state) for state in run.chapters[STAIRS].states]
    there = walk[0]["walker"].shape
    for shown in walk:
        registers = int(shown["walker-words"].text.split()[0])
        height = treads[run.result.tread(registers)][2]
        assert (there["cx"], there["cy"]) == pytest.approx(plot.at(registers, height))
        there = shown["walker"].shape
    assert "walker" not in last and "unrounded" not in walk[-1]


@pytest.mark.parametrize("width", WIDTHS)
def test_end_of_the_blocks_comes_along_the_lines_of_the_copy_to_its_occupancy(width):
    run = SCENE.run()
    if run.steps[-1].phase == "machine":
        first, *ways = [marks(state, width)["machine-here"].shape["x1"] for state in run.chapters[-1].states]
        row = stage_of(WIDTHS[width]).rows[0]
        assert first == pytest.approx(row.x, abs=0.51)
        assert ways == pytest.approx([row.x + row.width * run.result.occupancy / 100] * 2, abs=0.51)


@pytest.mark.parametrize("params", SOME)
def test_something_sets_out_soon_after_each_chapter_begins(params):
    assert all(0 < chapter.times[1] <= 0.3 for chapter in SCENE.run(**params).chapters)
