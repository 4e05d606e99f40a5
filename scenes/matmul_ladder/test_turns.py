"""Check that of two kernels side by side each does as many products as its published speed says."""

import itertools

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.matmul_ladder.scene import SCENE
from scenes.matmul_ladder.turns import SPAN, turns

SPEEDS = [5, 155.0, 288.3, 293.6, 360.2, 1429, 1493, 1772]  # as published [TFLOP/s]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def dashes(mark):
    """What of each line of a mark is drawn: pairs of places, by height."""
    on, off = map(float, mark.shape["stroke-dasharray"].split())
    found = {}
    for line in mark.shape["d"].split("M")[1:]:
        at, y, end, _ = map(float, line.replace("L", " ").split())
        while at < end:
            found.setdefault(y, []).append((at, min(at + on, end)))
            at += on + off
    return found


@pytest.mark.parametrize("rung", range(1, 9))
def test_a_step_takes_as_long_as_the_speed_says(rung):
    assert 1 / turns(rung).period == pytest.approx(SPEEDS[rung - 1] / 2250)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rung", range(2, 9))
def test_green_is_the_share_of_the_peak_within_one_product(rung, width):
    drawn = marks(SCENE.run().steps[rung - 1], width)
    long = {"wide": 840 - 76 - 196, "narrow": 328}[width]
    for one in (rung - 1, rung):
        if one == 1:
            continue
        for line in dashes(drawn[f"turns-{one}-multiplied"]).values():
            green = sum(end - start for start, end in line) / long
            assert green == pytest.approx(SPEEDS[one - 1] / 2250, abs=1 / SPAN)


@pytest.mark.parametrize("rung", range(2, 9))
def test_copies_and_products_take_turns_until_there_are_stages(rung):
    drawn = marks(SCENE.run().steps[rung - 1])
    copies = [one for line in dashes(drawn[f"turns-{rung}-copied"]).values() for one in line]
    products = next(iter(dashes(drawn[f"turns-{rung}-multiplied"]).values()))
    both = any(min(a[1], b[1]) - max(a[0], b[0]) > 0.5 for a, b in itertools.product(copies, products))
    assert both == (rung >= 6)


@pytest.mark.parametrize("rung", range(6, 9))
def test_with_stages_a_product_begins_when_a_copy_has_come(rung):
    drawn = marks(SCENE.run().steps[rung - 1])
    ends = [end for line in dashes(drawn[f"turns-{rung}-copied"]).values() for _, end in line]
    for start, _ in next(iter(dashes(drawn[f"turns-{rung}-multiplied"]).values()))[1:]:
        assert min(abs(start - end) for end in ends) < 1.5


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("base", range(1, 8))
def test_two_kernels_run_for_the_same_time_and_the_share_of_the_second_comes_at_its_end(base, width):
    _, *others = SCENE.run(base=base).chapters
    for rung, chapter in enumerate(others, base + 1):
        grown, running, rest = (marks(state, width) for state in chapter.states)
        cover = f"turns-cover-{rung}"
        assert grown[cover].shape["width"] > 300 and running[cover].shape["width"] == 0 and cover not in rest
        assert f"turns-{rung}-share" not in running and f"turns-{rung - 1}-share" in running
        assert rest[f"turns-{rung}-share"].text.startswith(f"{SPEEDS[rung - 1] / 22.50:.2g}%")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("base", range(1, 8))
def test_first_kernel_of_a_climb_runs_alone_and_its_share_comes_at_its_end(base, width):
    chapter = SCENE.run(base=base).chapters[0]
    covered, running, rest = (marks(state, width) for state in chapter.states)
    cover, share = f"turns-cover-{base}", f"turns-{base}-share"
    assert covered[cover].shape["width"] > 300 and running[cover].shape["width"] == 0 and cover not in rest
    assert covered[cover].shape["height"] < 35  # of one lane, not of two
    assert share not in covered and share not in running and share in rest
    assert chapter.times[1] <= 0.3


@pytest.mark.parametrize("width", WIDTHS)
def test_cover_of_what_is_to_come_hides_no_name(width):
    for chapter in SCENE.run().chapters[1:]:
        keys = [mark.key for mark in SCENE.draw(chapter.states[0], WIDTHS[width])]
        cover = next(at for at, key in enumerate(keys) if key.startswith("turns-cover"))
        assert not [key for key in keys[:cover] if key.startswith("turns") and "-name" in key]


@pytest.mark.parametrize("base", range(1, 8))
def test_on_a_phone_lanes_are_told_apart_beside_the_names_of_library_and_peak(base):
    for state in SCENE.run(base=base).steps:
        drawn = marks(state, "narrow")
        row = [drawn[key] for key in ("turns-copies", "turns-loads", "turns-products", "cublas-words", "peak-words")
               if key in drawn]  # fmt: skip
        assert len(row) == 4 and len({mark.shape["y"] for mark in row}) == 1
        assert row[0].text == ("loads" if state.at == 1 else "copies")
        places = [bounds(mark) for mark in row]
        assert all(one[2] < other[0] for one, other in itertools.pairwise(places)) and places[-1][2] <= 328
        lines = [drawn[key].shape["x1"] for key in ("cublas", "peak")]
        assert places[2][2] < lines[0] < lines[1] < places[3][0]


@pytest.mark.parametrize("width", WIDTHS)
def test_first_kernel_of_a_climb_stays_where_it_is_when_the_second_comes(width):
    first, second = (marks(state, width) for state in SCENE.run().steps[:2])
    assert first["turns-1-name"].shape == second["turns-1-name"].shape
    assert first["turns-1-copied"].shape == second["turns-1-copied"].shape
