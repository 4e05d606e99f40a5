"""Check that the machine shows what each rung brings, and nothing that comes only later."""

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.matmul_ladder.scene import SCENE

# For rungs 1 to 8: copies of a tile, SMs, stages of each, buffers of each for the output, and whether blocks stay.
BROUGHT = [
    (0, 0, 0, 0, False),
    (8, 1, 0, 0, False),
    (1, 1, 1, 0, False),
    (1, 1, 1, 1, False),
    (1, 2, 1, 1, False),
    (1, 2, 5, 1, False),
    (1, 2, 5, 2, False),
    (1, 2, 5, 2, True),
]
NAMED = ["threads", "cores", "shared", "output", "cores", "shared", "output", "A, B"]


def machine(state):
    found = {mark.key: mark for mark in SCENE.draw(state, WIDTHS["wide"])}
    return {key.removeprefix("machine-"): mark for key, mark in found.items() if key.startswith("machine-")}


def pieces(mark):
    return mark.shape["d"].count("M") if mark else 0


@pytest.mark.parametrize("rung", range(1, 9))
def test_machine_has_what_the_rungs_so_far_have_brought(rung):
    drawn = machine(SCENE.run().steps[rung - 1])
    copies, sms, stages, buffers, again = BROUGHT[rung - 1]
    assert pieces(drawn.get("strips")) + pieces(drawn.get("copies")) == copies * sms
    assert pieces(drawn.get("sms")) == sms
    assert sum(key.startswith("tile-") and key != "tile-strips" for key in drawn) == stages * sms
    assert pieces(drawn.get("tile-strips")) == (8 if rung == 2 else 0)
    assert sum(key.startswith("buffer-") for key in drawn) == buffers * sms
    assert ("again" in drawn) == again
    assert ("threads" in drawn) == (rung == 1)


@pytest.mark.parametrize("rung", range(1, 9))
def test_what_a_rung_changes_is_in_the_colour_of_now_and_has_the_one_name_that_is(rung):
    drawn = machine(SCENE.run().steps[rung - 1])
    assert [mark.text for mark in drawn.values() if mark.text and "hot" in mark.role] == [NAMED[rung - 1]]
    assert any("hot" in mark.role for mark in drawn.values() if not mark.text)


def test_one_multiplication_grows_over_both_sms_when_they_become_a_pair():
    alone, pair = (bounds(machine(SCENE.run().steps[rung - 1])["cores"]) for rung in (4, 5))
    assert alone[0] == pair[0] and pair[2] - pair[0] > 2 * (alone[2] - alone[0])


def test_machine_changes_when_the_numbers_of_a_rung_are_told():
    before, after = (machine(state) for state in SCENE.run().chapters[5].states[:2])
    assert sum(key.startswith("tile-") for key in before) == 2
    assert sum(key.startswith("tile-") for key in after) == 10


@pytest.mark.parametrize("base", range(1, 8))
def test_words_that_a_line_may_cross_part_it(base):
    marks = SCENE.draw(SCENE.run(base=base).steps[-1], WIDTHS["wide"])
    crossed = [mark.role for mark in marks if mark.key.startswith(("factor-", "cublas-words"))]
    assert crossed and all("halo" in role for role in crossed)
