"""Check what the plot shows before it has curves: what a pair gains in bytes alone, and in products alone."""

import itertools

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.width_pairs.limits import gain, limit
from scenes.width_pairs.model import GPUS, PAIRS, Case
from scenes.width_pairs.plot import curve
from scenes.width_pairs.scene import SCENE
from scenes.width_pairs.stage import NARROW, WIDE
from tests.beats import drawn_beats

BYTES, PRODUCTS, SPEED = range(3)
STAGES = {"narrow": NARROW, "wide": WIDE}


def played(step, width="wide", **params):
    chapter = SCENE.run(**params).chapters[step]
    return drawn_beats(SCENE, chapter.states, width)


def tall(frame, kind):
    """How many times as fast a column says that a pair is."""
    return float(frame[f"gain-{kind}"].shape["height"]) * 4.2 / WIDE.box.height


@pytest.mark.parametrize("batch", [1, 16, 4096])
@pytest.mark.parametrize("pair", PAIRS)
def test_column_grows_as_often_as_the_chosen_bar_goes_into_what_the_longest_has_come_to(pair, batch):
    for step, kind, attribute in ((BYTES, "move", "memory_time"), (PRODUCTS, "multiply", "arithmetic_time")):
        usual, own = (getattr(Case(GPUS["B200"], PAIRS[name], batch), attribute) for name in ("W16A16", pair))
        frames = played(step, pair=pair, batch=batch)
        least = 0.5 * 4.2 / WIDE.box.height  # a column that has not begun is half a unit tall
        unit, start = WIDE.unit(SCENE.run(pair=pair, batch=batch).result), WIDE.rows.x + WIDE.bar.x
        for frame in (one for one in frames if "now" in one):
            until = (float(frame["now"].shape["x1"]) - start) / unit
            assert tall(frame, kind) == pytest.approx(max(min(until, usual) / own, least), abs=0.01 + 0.01 / unit / own)
        after = [frame for frame in frames if "now" not in frame and f"gain-{kind}" in frame]
        assert all(tall(frame, kind) == pytest.approx(usual / own, abs=0.01) for frame in after)
        assert after or pair == "W16A16"  # which is laid along no other, so that its dot is there at once


@pytest.mark.parametrize("width", WIDTHS)
def test_plot_has_something_in_every_picture_and_the_limits_are_there_once_their_race_is_over(width):
    for step in (BYTES, PRODUCTS):
        for frame in played(step, width):
            assert frame.keys() & {"gain-move", "batch"}
            assert ("limit-move" in frame) == ("limit-move-name" in frame) == (step == PRODUCTS or "now" not in frame)
            assert ("limit-multiply" in frame) == (step == PRODUCTS and "now" not in frame)
    *sweep, last = played(SPEED, width)
    assert all({"limit-move", "limit-multiply"} <= frame.keys() for frame in sweep)
    assert not [key for key in last if key.startswith(("limit", "gain"))]


@pytest.mark.parametrize("stage", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize(("gpu", "pair"), [*itertools.product(GPUS, PAIRS)])
def test_curve_sets_out_on_the_limit_of_bytes_and_ends_on_that_of_products(gpu, pair, stage):
    points = curve(stage, gpu, pair)
    assert limit(stage, gpu, pair, "move")[0][1] == pytest.approx(points[0][1], abs=0.5)
    assert limit(stage, gpu, pair, "multiply")[-1][1] == pytest.approx(points[-1][1], abs=0.5)
    for batch in (1, 64, 200, 4096):
        case = Case(GPUS[gpu], PAIRS[pair], batch)
        low, high = sorted(gain(case, kind) for kind in ("move", "multiply"))
        assert low - 1e-9 <= case.speedup <= high + 1e-9


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("pair", PAIRS)
def test_columns_and_names_of_the_limits_stay_on_the_stage(pair, width):
    for gpu, batch, step in itertools.product(GPUS, (1, 4096), (BYTES, PRODUCTS)):
        for frame in played(step, width, gpu=gpu, pair=pair, batch=batch):
            for key in frame.keys() & {"gain-move", "gain-multiply", "limit-move-name", "limit-multiply-name"}:
                left, top, right, bottom = bounds(frame[key])
                assert left >= STAGES[width].box.x and right <= WIDTHS[width]
                assert top >= STAGES[width].box.y - 8 and bottom <= STAGES[width].box.bottom + 8
