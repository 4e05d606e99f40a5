"""Check places, groups and wires against published ones, NumPy's own indices, and hops that are counted one by one."""

import itertools

import numpy as np
import pytest

from scenes.device_mesh.experts import EXPERTS, tile_of
from scenes.device_mesh.model import NETWORK, NVLINK, PODS, WIRES, Mesh
from scenes.device_mesh.scene import solve
from scenes.device_mesh.traffic import DIMENSIONS, RUNS, Placed

LLAMA, MEGATRON, REVERSE = (tuple(order.split("-")) for order in ("tp-cp-pp-dp", "tp-cp-dp-pp", "dp-pp-cp-tp"))
EVERY = [(RUNS[name], order) for name in RUNS for order in (LLAMA, MEGATRON, REVERSE)]


# facts/scaling.md, section 9: worked coordinates in Llama 3's order.
@pytest.mark.parametrize(
    ("run", "rank", "places", "node"),
    [
        ("stage-2", 1000, (0, 0, 13, 7), 125),
        ("stage-2", 12_345, (1, 0, 7, 96), 1543),
        ("long", 1000, (0, 13, 7, 0), 125),
        ("long", 12_345, (1, 7, 0, 6), 1543),
    ],
)
def test_golden_coordinates_are_reproduced(run, rank, places, node):
    placed = Placed(RUNS[run], LLAMA, rank)
    assert tuple(placed.at(name) for name in DIMENSIONS) == places
    assert rank // 8 == node


def test_papers_example_has_the_papers_groups():
    # The Llama 3 Herd of Models, figure 5: GPU 0 shares TP with 1, CP with 2, PP with 4, DP with 8.
    mesh = Mesh(RUNS["paper"].sizes, LLAMA)
    assert [list(mesh.group(0, name)) for name in DIMENSIONS] == [[0, 1], [0, 2], [0, 4], [0, 8]]


def test_groups_are_those_of_megatrons_docstring():
    # megatron/core/parallel_state.py: 16 GPUs, tensor 2, pipeline 4: 8 data-parallel and 4 pipeline groups.
    mesh = Mesh({"tp": 2, "dp": 2, "pp": 4}, ("tp", "dp", "pp"))
    data = [[0, 2], [1, 3], [4, 6], [5, 7], [8, 10], [9, 11], [12, 14], [13, 15]]
    stages = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]
    for name, groups in (("dp", data), ("pp", stages)):
        assert all(list(mesh.group(rank, name)) == group for group in groups for rank in group)


@pytest.mark.parametrize(("run", "order"), EVERY)
def test_coordinates_are_those_of_numpys_indices(run, order):
    mesh = Mesh(run.sizes, order)
    ranks = np.arange(mesh.gpus)
    shape = [run.sizes[name] for name in reversed(order)]  # NumPy's last axis runs fastest
    for name, expected in zip(reversed(order), np.unravel_index(ranks, shape), strict=True):
        assert np.array_equal(mesh.coordinate(ranks, name), expected)
        assert mesh.place(1000 % mesh.gpus, name) == expected[1000 % mesh.gpus]


@pytest.mark.parametrize(("run", "order"), EVERY)
def test_groups_of_a_dimension_share_out_all_gpus(run, order):
    mesh = Mesh(run.sizes, order)
    for name in order:
        groups = {tuple(mesh.group(rank, name)) for rank in range(mesh.gpus)}
        assert sorted(itertools.chain.from_iterable(groups)) == list(range(mesh.gpus))


def counted(mesh, name):
    """Oracle: every hop of every group, told by the nodes and pods of its two ends."""
    found = dict.fromkeys(WIRES, 0)
    for group in {tuple(mesh.group(rank, name)) for rank in range(mesh.gpus)}:
        line = list(itertools.pairwise(group)) if name == "pp" else list(zip(group, group[1:] + group[:1], strict=True))
        for here, there in line if len(group) > 1 else ():
            same_node, same_pod = here // 8 == there // 8, here // 3072 == there // 3072
            found[NVLINK if same_node else NETWORK if same_pod else PODS] += 1
    return {wire: hops / max(1, sum(found.values())) for wire, hops in found.items()}


@pytest.mark.parametrize(("run", "order"), EVERY)
def test_shares_of_hops_are_those_counted_one_by_one(run, order):
    mesh = Mesh(run.sizes, order)
    for name in order:
        assert mesh.hops[name] == pytest.approx(counted(mesh, name))


def test_every_row_of_the_table_multiplies_to_its_gpus_and_to_16_million_tokens():
    # The Llama 3 Herd of Models, Table 4; DP 8 in the last row, where the text prints another.
    gpus = {name: Mesh(run.sizes, LLAMA).gpus for name, run in RUNS.items()}
    assert gpus == {"paper": 16, "stage-1": 8192, "stage-2": 16_384, "long": 16_384}
    assert {run.sequences * run.sequence for name, run in RUNS.items() if name != "paper"} == {16_777_216}
    assert all(run.sequences % run.dp == 0 for run in RUNS.values())


def test_bytes_of_tensor_parallelism_are_those_of_the_worked_layer():
    # facts/scaling.md, section 5: 1.879 GB per layer and microbatch, 2.09 ms forward over NVLink, 18.8 ms over a card.
    placed = Placed(RUNS["stage-2"], LLAMA, 0)
    steps = 16 * 126 / 16
    assert placed.sent("tp") / steps == pytest.approx(1.879e9, rel=1e-3)
    assert placed.seconds("tp") / steps / 2 == pytest.approx(2.09e-3, rel=2e-3)
    assert placed.seconds("tp", REVERSE) / steps / 2 == pytest.approx(18.8e-3, rel=2e-3)


def test_bytes_of_the_other_dimensions_are_those_worked_by_hand():
    stage_2, long = Placed(RUNS["stage-2"], LLAMA, 0), Placed(RUNS["long"], LLAMA, 0)
    # A boundary hands over 268.4 MB, an eighth of it from each GPU; 16 microbatches, to and fro, 15 boundaries in 16.
    assert stage_2.sent("pp") == pytest.approx(16 * 2 * 268.435456e6 / 8 * 15 / 16)
    # 405,853,388,800 parameters over 128 GPUs: 2 B gathered and 4 B reduced of each, 127/128 of it.
    assert stage_2.sent("dp") == pytest.approx(405_853_388_800 / 128 * 6 * 127 / 128)
    # 131,072 tokens, one of 8 KV heads, 128 wide, keys and values: 67.1 MB; 15/16, to and fro, 7.875 layers, 16 times.
    assert long.sent("cp") == pytest.approx(2 * 131_072 * 128 * 2 * 15 / 16 * 2 * 7.875 * 16)
    assert stage_2.sent("cp") == 0


def test_gpus_of_one_node_share_its_cards():
    placed = Placed(RUNS["stage-2"], REVERSE, 0)
    assert placed.seconds("dp") == pytest.approx(placed.sent("dp") / (8 * 50e9))
    assert Placed(RUNS["long"], REVERSE, 0).seconds("dp") == pytest.approx(
        placed.sent("dp") * 7 / 8 * 128 / 127 / 450e9
    )


@pytest.mark.parametrize(("run", "order"), EVERY)
def test_all_bytes_go_over_some_wire(run, order):
    placed = Placed(run, order, 5)
    assert sum(placed.shares.values()) == pytest.approx(100)
    assert sum(placed.over(wire) for wire in WIRES) == pytest.approx(placed.total)


def test_copy_of_the_model_fits_in_eight_racks_with_data_parallelism_outermost():
    placed = Placed(RUNS["stage-2"], LLAMA, 1000)
    assert placed.replica == 128 == 8 * 16
    assert [placed.mesh.farthest(1000, name) for name in ("tp", "pp", "dp")] == [NVLINK, NETWORK, PODS]


def test_impossible_meshes_and_ranks_are_refused():
    with pytest.raises(ValueError, match="other dimensions"):
        Mesh({"tp": 2}, ("tp", "dp"))
    with pytest.raises(ValueError, match="at least one GPU"):
        Mesh({"tp": 0}, ("tp",))
    with pytest.raises(ValueError, match="ranks are 0 to 15"):
        Mesh(RUNS["paper"].sizes, LLAMA).group(16, "tp")
    with pytest.raises(ValueError, match="ranks are 0 to 8,191"):
        solve("stage-1", "tp-cp-pp-dp", 0, 8192, 0)
    with pytest.raises(ValueError, match="preset is one of"):
        solve("stage-9", "tp-cp-pp-dp", 0, 0, 0)


def test_second_division_covers_each_stage_once_and_holds_all_experts_in_each_tile():
    # By definition: the GPUs of a stage in the order of (DP, CP, TP), dealt out in fours.
    placed = Placed(RUNS["paper"], LLAMA, 0)
    for stage in (0, 1):
        ranks = [tp + 2 * cp + 4 * stage + 8 * dp for dp in (0, 1) for cp in (0, 1) for tp in (0, 1)]
        for copy, group in enumerate((ranks[:4], ranks[4:])):
            assert sorted(one for rank in group for one in tile_of(placed, rank).experts) == list(range(EXPERTS))
            for at, rank in enumerate(group):
                assert tile_of(placed, rank)[:3] == (at, copy, group)
                assert tile_of(placed, rank).twins == [ranks[at], ranks[at + 4]]
