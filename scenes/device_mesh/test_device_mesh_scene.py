"""Check what the reader meets: groups lit where they stand, a parcel that keeps to them, and words that quote them."""

import itertools
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.device_mesh.groups import aside, made_of, spot, way
from scenes.device_mesh.model import NVLINK, POD, PODS
from scenes.device_mesh.narration import corners, crossings, ordinal, round_of
from scenes.device_mesh.places import RANKS, parameter
from scenes.device_mesh.scene import ORDERS, PRESETS, SCENE
from scenes.device_mesh.stage import NARROW, WIDE, patches, slot
from scenes.device_mesh.traffic import DIMENSIONS
from tests.boxes import beneath, box, overlap

EDGES = [{"preset": preset, "order": order, **at}
         for preset, order in itertools.product(("stage-1", "stage-2", "long"), ORDERS)
         for at in ({"rank": 0, "early": 0}, {"rank": 16_383, "early": 8191}, {"rank": 12_345, "early": 4444})
         ] + [{"preset": "paper", "gpu": gpu} for gpu in (0, 5, 15)]  # fmt: skip


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def nodes(drawn, name, stage):
    """The nodes that lit rectangles of a group cover, read back from the picture."""
    found = set()
    for key, mark in drawn.items():
        if key.rpartition("-")[0] == name and key.rpartition("-")[2].isdigit():
            left, top, right, bottom = bounds(mark)
            for at in range(2048):
                x, y = stage.spot(8 * at)
                if left < x < right and top < y < bottom:
                    found.add(at)
    return found


def test_page_opens_with_most_bytes_on_nvlink_and_turned_round_with_few():
    run = SCENE.run()
    assert marks(run.steps[SCENE.opening])["answer"].text == "92%"
    assert run.values["nvlink"].value == pytest.approx(92.3, abs=0.05)
    assert marks(SCENE.run(order="dp-pp-cp-tp").steps[-1])["answer"].text == "6.4%"


@pytest.mark.parametrize(("width", "stage"), [("wide", WIDE), ("narrow", NARROW)])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("preset", ["stage-2", "long"])
def test_lit_nodes_are_exactly_those_of_the_group(preset, order, width, stage):
    run = SCENE.run(preset=preset, order=order)
    for one in run.chapters:
        if one.name in DIMENSIONS:
            group = run.result.mesh.group(1000, one.name)
            assert nodes(marks(one.states[-1], width), one.name, stage) == {rank // 8 for rank in group}


def test_patches_cover_their_nodes_once_and_no_others():
    for slots in (
        [slot(rank) for rank in range(0, 16_384, 128)],
        [slot(8 * at) for at in (0, 1, 2, 16, 17, 18, 20, 400)],
    ):
        covered = [(pod, row + down, column + across)
                   for pod, row, column, columns, rows in patches(slots)
                   for down in range(rows) for across in range(columns)]  # fmt: skip
        assert sorted(covered) == sorted(set(slots))
    assert len(patches(slot(rank) for rank in range(0, 16_384, 128))) == 6  # a column in each pod


def test_row_of_the_map_is_one_copy_of_the_model():
    drawn = marks(chapter("place").states[-1])
    left, top, right, bottom = bounds(drawn["copy-0"])
    assert "copy-1" not in drawn
    assert (right - left, bottom - top) == pytest.approx((WIDE.pod.width, WIDE.pod.height / 24))


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_parcel_goes_straight_from_turn_to_turn_and_passes_every_member(params):
    placed = SCENE.run(**params).result
    for name in DIMENSIONS:
        if placed.mesh.sizes[name] == 1:
            continue
        ring, turns = list(round_of(placed, name)), corners(placed, name)
        assert set(ring) == set(placed.mesh.group(placed.rank, name))
        assert (turns[0], turns[-1]) == (ring[0], ring[-1])
        assert [rank for rank in ring[:-1] if rank in turns[:-1]] == turns[:-1]
        for stage in (NARROW, WIDE):
            places = way(stage, placed, name)
            assert len(chapter(name, **params).states) == len(places)
            met = iter(places)
            assert all(spot(stage, placed, name, rank) in met for rank in turns)


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_every_hop_to_another_pod_is_a_line(params):
    run = SCENE.run(**params)
    drawn = marks(run.steps[-1])
    for name in DIMENSIONS:
        lines = drawn[f"far-{name}"].shape["d"].count("M") if f"far-{name}" in drawn else 0
        assert lines == crossings(run.result, name)


def test_lines_between_pods_are_the_hops_that_change_pods():
    drawn = marks(chapter("dp").states[-1])
    assert drawn["far-dp"].shape["d"].count("M") == SCENE.run().values["dp_crossings"].value == 6
    assert "far-tp" not in marks(chapter("tp").states[-1])
    assert "6 of 128 hops change pods" in SCENE.say(chapter("dp").states[-1])


def test_bytes_that_go_over_the_network_are_told_apart_and_hops_of_one_ring_from_the_mean():
    said = SCENE.say(chapter("dp", order="dp-pp-cp-tp").states[-1])
    assert "18.9\u00a0GB each, 2.36\u00a0GB of it over the network in 47\u00a0ms" in said
    said = SCENE.say(chapter("tp", order="dp-pp-cp-tp").states[-1])
    assert "237\u00a0GB each, over the network" in said
    assert said.endswith("Here 5 of 8 hops change pods, on average 69%.")


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("order", ORDERS)
def test_way_to_another_pod_is_upright_or_level_and_crosses_no_third_pod(order, stage):
    placed = SCENE.run(order=order).result
    for name in DIMENSIONS:
        for here, there in itertools.pairwise(corners(placed, name)):
            if here // POD == there // POD:
                continue
            assert placed.mesh.farthest(placed.rank, name) == PODS
            line = [stage.spot(here), *aside(stage, here, there), stage.spot(there)]
            for (x0, y0), (x1, y1) in itertools.pairwise(line):
                assert x0 == x1 or y0 == y1
                for pod in {*range(6)} - {here // POD, there // POD}:
                    box = stage.pod_box(pod)
                    assert max(x0, x1) <= box.x or min(x0, x1) >= box.right or max(y0, y1) < box.y


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("preset", PRESETS)
def test_knob_stands_at_its_gpu_and_places_are_apart(preset, stage):
    gpus = SCENE.run(preset=preset).result.mesh.gpus
    name = parameter(gpus)
    for rank in RANKS[name]:
        mark = next(one for one in SCENE.draw(SCENE.run(**{"preset": preset, name: rank}).steps[-1], stage.width)
                    if one.key == "hand")  # fmt: skip
        assert mark.handle.params == (name,)
        assert mark.handle.rail[RANKS[name].index(rank)] == (mark.shape["cx"], mark.shape["cy"])
        gaps = [abs(ax - bx) + abs(ay - by) for (ax, ay), (bx, by) in itertools.combinations(mark.handle.rail, 2)]
        assert min(gaps) >= 16


def test_rank_is_written_as_its_coordinates_and_the_sum_comes_out():
    for params in EDGES:
        placed = SCENE.run(**params).result
        sum_of = made_of(placed)
        assert eval(sum_of.replace("·", "*")) == placed.rank, sum_of


def test_dimension_that_splits_nothing_is_left_out():
    assert [one.name for one in SCENE.run().chapters] == ["place", "tp", "pp", "dp", "all"]
    assert [one.name for one in SCENE.run(preset="long").chapters] == ["place", *DIMENSIONS, "all"]
    assert "cp-name" not in marks(SCENE.run().steps[-1])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", range(16))
def test_experts_divide_the_same_gpus_into_tiles_of_four(gpu, width):
    drawn = marks(chapter("experts", preset="paper", gpu=gpu).states[-1], width)
    tile = range(gpu // 4 * 4, gpu // 4 * 4 + 4)
    for rank in range(16):
        tone = drawn[f"one-{rank}"].role
        assert tone == ("hot soft" if rank == gpu else "kept soft" if rank in tile
                        else "memory soft" if rank == (gpu + 8) % 16 else "cell")  # fmt: skip
        held = drawn[f"one-{rank}-{'at' if width == 'narrow' else '1'}"].text
        assert held == f"{2 * (rank % 4)}, {2 * (rank % 4) + 1}"
    assert drawn["title"].text.endswith(f"EP {gpu % 4} of 4, copy {gpu // 8}, PP {gpu // 4 % 2}")
    assert "experts" not in [one.name for one in SCENE.run().chapters]


def test_few_gpus_can_be_pressed_and_partners_are_joined():
    drawn = marks(chapter("all", preset="paper").states[-1])
    assert [drawn[f"one-{rank}"].set for rank in (0, 15)] == [{"gpu": "0"}, {"gpu": "15"}]
    assert {key for key in drawn if key.startswith("pair-")} == {f"pair-{name}" for name in DIMENSIONS}
    assert drawn["pair-dp"].role == "memory" and drawn["pair-tp"].role == "kept"


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_words_say_whether_tensor_parallel_gpus_are_far_apart(params):
    run = SCENE.run(**params)
    away = run.result.mesh.hops["tp"][NVLINK] < 1
    assert ("far apart" in SCENE.say(run.steps[-1])) == away


def test_ordinals_are_those_of_english():
    assert [ordinal(number) for number in (2, 8, 13, 23, 101, 112, 1024)] == [
        "2nd", "8th", "13th", "23rd", "101st", "112th", "1,024th",
    ]  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
def test_groups_on_the_map_and_the_gpu_in_its_rack_are_called_by_name(width):
    drawn = marks(SCENE.run().steps[-1], width)
    assert {key for key in drawn if key.endswith("-here")} == {"pp-here", "dp-here"}
    assert drawn["tp-home"].role.startswith("kept")
    assert drawn["gpu-own"].text == "1,000"
    travelling = marks(next(one for one in SCENE.run().chapters if one.name == "tp").states[0], width)
    assert "gpu-own" not in travelling and "parcel" in travelling


@pytest.mark.parametrize("width", WIDTHS)
def test_what_travels_in_a_node_goes_along_a_wire_in_the_colour_of_nvlink(width):
    states = chapter("tp").states
    drawn = [marks(state, width) for state in states]
    assert drawn[0]["wire"].role == "kept" and all(one["wire"] == drawn[0]["wire"] for one in drawn)
    corners = drawn[0]["wire"].shape["d"].replace("M", "L").split("L")[1:]
    assert [tuple(map(float, one.split())) for one in corners] == [
        pytest.approx((one["parcel"].shape["cx"], one["parcel"].shape["cy"]), abs=0.3) for one in drawn
    ]
    assert "wire" not in marks(chapter("pp").states[-1], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rank", RANKS["rank"])
def test_copy_of_the_model_is_called_so_beside_the_hand_and_its_words_lie_on_none_of_its_nodes(rank, width):
    drawn = marks(chapter("place", rank=rank).states[-1], width)
    left, top, right, bottom = bounds(drawn["copy-words"])
    x, y = drawn["hand"].shape["cx"], drawn["hand"].shape["cy"]
    assert abs(y - (top + bottom) / 2) < 40 and left - x < 40
    for key in drawn:
        if key.startswith("copy-") and key != "copy-words":
            start, high, end, low = bounds(drawn[key])
            assert max(left, start) >= min(right, end) - 1 or max(top, high) >= min(bottom, low) - 1
    assert "copy-words" not in marks(SCENE.run(rank=rank).steps[-1], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("gpu", range(16))
def test_lines_between_the_few_and_the_hand_strike_no_words(gpu, width):
    for name in (*DIMENSIONS, "all"):
        drawn = marks(chapter(name, preset="paper", gpu=gpu).states[-1], width)
        letters = {key: box(mark) for key, mark in drawn.items() if mark.tag == "text"}
        lines = [bounds(mark) for key, mark in drawn.items() if key.startswith("pair-")]
        assert lines and not beneath(drawn, "hand")
        for left, top, right, bottom in lines:
            line = (left - 1, top - 1, right + 1, bottom + 1)  # an upright or a level one
            assert not [key for key, one in letters.items() if overlap(line, one, slack=0)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "params", [{"rank": rank, "order": order} for rank in RANKS["rank"] for order in ORDERS], ids=str
)
def test_the_hand_lies_on_no_name_of_a_pod_or_group(params, width):
    for state in SCENE.run(**params).steps:
        drawn = marks(state, width)
        assert not [key for key in beneath(drawn, "hand") if key.endswith(("-name", "-here", "-home"))]


@pytest.mark.parametrize("width", WIDTHS)
def test_name_of_a_row_is_clear_of_the_column_that_stands_at_its_head(width):
    drawn = marks(SCENE.run(rank=0).steps[-1], width)
    column = next(box(mark) for key, mark in drawn.items() if re.fullmatch(r"dp-\d+", key))
    assert not overlap(box(drawn["pp-here"]), column)
