"""Sums of any length on Hopper: the rule's losses, a GPU's rings over them, and the scene without any GPU."""

import json

import numpy as np
import pytest

from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.fp8_accumulation import longer, measured
from scenes.fp8_accumulation.lengths import LENGTHS, NEVER, STALL, factors, lost, lost_of_ones
from scenes.fp8_accumulation.model import running_sum
from scenes.fp8_accumulation.scene import SCENE
from scenes.fp8_accumulation.story import CHAPTERS

HOPPER = {"accumulator": "Hopper", "kind": "ones", "terms": 4096}


def series(name, promote):
    told = json.loads((FOLDER / "h100/fp8_accumulation.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == name)
    return {one["at"]["length"]: one["median"] for one in points if one["at"]["promote"] == promote}


def last(width="wide", **params):
    step = SCENE.run(**{**HOPPER, **params}).steps[-1]
    return {mark.key: mark for mark in SCENE.draw(step, WIDTHS[width])}


@pytest.mark.parametrize("promote", [NEVER, 128])
def test_losses_are_those_of_the_scenes_own_running_sum(promote):
    a, b, _ = factors()
    short, found = LENGTHS[3], []
    for x, y in zip(a[:, :short], b[:, :short], strict=True):
        powers = np.floor(np.log2(np.maximum(x, 2.0**-6))) + np.floor(np.log2(np.maximum(y, 2.0**-6)))
        powers = np.where((x == 0) | (y == 0), -10_000, powers).astype(int)
        run = running_sum(x * y, "Hopper", promote or "never", powers)
        found.append(100 * (run.exact[-1] - run.final) / run.exact[-1])
    assert lost(promote)[3] == pytest.approx(np.mean(found), rel=1e-9)


@pytest.mark.parametrize("promote", [NEVER, 32, 64, 128, 256])
def test_losses_are_what_a_gpu_lost_of_other_random_numbers(promote):
    ours = dict(zip(LENGTHS, lost(promote), strict=True))
    for length, share in series("uniform", promote).items():
        assert ours[length] == pytest.approx(100 * share, rel=0.12 if length == 128 else 0.06)


def test_a_sum_of_ones_stalls_where_the_rule_and_a_gpu_say():
    assert running_sum(np.ones(2 * STALL), "Hopper").final == STALL == 16_384
    assert series("ones", NEVER)[65536] == STALL
    assert (lost_of_ones(STALL), lost_of_ones(65536)) == (0, 75)


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_where_the_result_says(width):
    drawn, plot = last(width, promote=64), longer.plot_of(WIDTHS[width])
    for key, promote in (("measured", NEVER), ("promoted-measured", 64)):
        for at, (length, share) in enumerate(series("uniform", promote).items()):
            ring = drawn[f"{key}-{at}"].shape
            assert (ring["cx"], ring["cy"]) == pytest.approx(plot.at(length, 100 * share))
    assert [mark.read for key, mark in drawn.items() if key.startswith("ones-measured-") and mark.read] == [
        f"measured on an H100, {length:,} ones: the sum is 16,384" for length in (32768, 65536)
    ]


def test_only_hopper_has_the_step_of_any_length():
    steps = [len(SCENE.run(accumulator=name).steps) - len(CHAPTERS) for name in ("E4M3", "FP32", "Hopper")]
    assert steps == [0, 0, 1]
    said = SCENE.say(SCENE.run(**HOPPER, promote=32).steps[-1])
    assert said.startswith("By the rule, ")  # beside it the page quotes what was measured
    assert said.endswith("0.004% if promoted every 32. A sum of ones stops at 16,384.")


def test_table_has_the_sums_that_a_gpu_was_asked_for():
    column = [row[-1] for row in SCENE.run(**HOPPER).table.rows]
    assert column == ["–"] * 5 + [4096]
    assert {row[-1] for row in SCENE.run(accumulator="Hopper", kind="golden").table.rows} == {"–"}


def test_scene_draws_without_results(monkeypatch):
    measured.result.cache_clear()
    monkeypatch.setattr(measured, "results", lambda name: {})
    run = SCENE.run(**HOPPER, promote=128)
    assert "measured_stall" not in run.values
    assert run.table.rows[-1][-1] == "–"
    drawn = longer.draw_losses.__wrapped__(longer.plot_of(WIDTHS["wide"]), 128)
    assert not [mark for mark in drawn if "measured" in mark.role.split()]
    measured.result.cache_clear()
