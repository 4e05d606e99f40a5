"""Check the bar of all that one GPU sends: every byte is in it, in the order of the wires, and its words are true."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes.device_mesh.model import NVLINK, PODS, WIRES
from scenes.device_mesh.scene import ORDERS, PRESETS, SCENE
from scenes.device_mesh.traffic import DIMENSIONS

EDGES = [{"preset": preset, "order": order} for preset in PRESETS for order in ORDERS]


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EDGES, ids=str)
def test_one_bar_holds_all_that_a_gpu_sends_and_what_stays_in_the_node_comes_first(params, width):
    run = SCENE.run(**params)
    drawn, placed = marks(run.steps[-1], width), run.result
    found = {}
    for name, wire in itertools.product(DIMENSIONS, WIRES):
        if mark := drawn.get(f"whole-{name}-{wire}"):
            found[name, wire] = (mark.shape["x"], mark.shape["width"])
    ends = [(x, x + wide) for x, wide in found.values()]
    assert (min(ends)[0], max(right for _, right in ends)) == pytest.approx((0, {"narrow": 328, "wide": 578}[width]))
    for (name, wire), (_, wide) in found.items():
        share = placed.sent(name) * placed.mesh.hops[name][wire] / placed.total
        assert wide / sum(one for _, one in found.values()) == pytest.approx(share)
    assert [wire for wire in WIRES if any(key[1] == wire for key in found)] == list(
        dict.fromkeys(wire for _, wire in sorted(found, key=lambda key: found[key]))
    )


def test_words_under_the_bar_say_who_stays_and_who_goes_and_a_chapter_keeps_its_own_part():
    drawn = marks(SCENE.run().steps[-1])
    assert drawn["sent-inside"].text == "TP in the node"
    assert drawn["sent-across"].text == "PP and DP to other nodes: 19.9\u00a0GB"
    assert marks(SCENE.run(order="dp-pp-cp-tp").steps[-1])["sent-across"].text.startswith("TP, PP and DP to other")
    drawn = marks(chapter("tp").states[-1])
    assert (drawn[f"tp-{NVLINK}"].role, drawn[f"dp-{PODS}"].role) == ("kept", "dropped soft")


@pytest.mark.parametrize(("preset", "who"), [("paper", "GPUs 0 and 1 add up"), ("stage-2", "GPUs 0 to 7 add up")])
def test_two_gpus_are_named_one_and_the_other(preset, who):
    assert who in SCENE.say(chapter("tp", preset=preset, rank=0, gpu=0).states[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", EDGES, ids=str)
def test_in_the_end_the_bar_grows_by_what_stays_in_the_node_and_then_by_the_rest(params, width):
    frames = [marks(state, width) for state in chapter("all", **params).states]
    widths = [{key: mark.shape["width"] for key, mark in one.items() if key.startswith("whole-")} for one in frames]
    assert [one.keys() for one in widths] == [widths[-1].keys()] * 3
    for key, whole in widths[-1].items():
        inside = key.endswith(f"-{NVLINK}")
        assert [one[key] for one in widths] == [0, whole if inside else 0, whole]
