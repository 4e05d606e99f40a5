"""Check occupancy against NVIDIA's calculator, a simulation that places warps one by one, and its invariants."""

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenes.occupancy.launch import solve
from scenes.occupancy.model import (
    A100,
    H100,
    block_shared,
    block_warps,
    blocks_by,
    dealt,
    occupancy,
    treads,
    unrounded,
    warp_registers,
)
from scenes.occupancy.scene import SCENE

# 300 rows of cuda_occupancy.h of CUDA 13.5 (references: cuda-occupancy-h), compiled with g++; `factors` is a bit field.
VECTORS = list(csv.DictReader(Path(__file__).with_name("cuda_occupancy.csv").read_text(encoding="utf-8").splitlines()))
BITS = (1, 2, 4, 8)  # of `factors`: warps, registers, shared memory, blocks
THREADS, REGISTERS = st.integers(1, 1024), st.integers(1, 255)
SHARED, GPU = st.integers(0, 240_000), st.sampled_from([A100, H100])
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


def portions(need, unit):
    """How many portions of `unit` cover `need`, counted one by one."""
    count = 0
    while count * unit < need:
        count += 1
    return count


def simulated(threads, registers, shared, gpu, limited=("warps", "registers", "shared", "blocks")):
    """Oracle: blocks that fit when warps are placed one by one, each in the quarter that holds the fewest."""
    endless = 10**9
    slots = [16 if "warps" in limited else endless] * 4
    files = [64 if "registers" in limited else endless] * 4  # portions of 256 registers: 16,384 in a quarter
    memory = gpu.shared // 128 if "shared" in limited else endless
    most = 32 if "blocks" in limited else 10**4
    lanes, takes, share = portions(threads, 32), portions(registers * 32, 256), portions(shared + 1024, 128)
    blocks = 0
    while blocks < most:
        if "shared" in limited and (shared > gpu.opt_in or memory < share):
            return blocks
        memory -= share
        for _ in range(lanes):
            quarter = max(range(4), key=lambda place: (files[place], slots[place]))
            if slots[quarter] < 1 or files[quarter] < takes:
                return blocks
            slots[quarter] -= 1
            files[quarter] -= takes
        blocks += 1
    return blocks


def test_every_number_of_nvidias_calculator_is_reproduced():
    column = {name: np.array([int(row[name]) for row in VECTORS]) for name in ("threads", "regs", "smem", "blocks")}
    for name, gpu in (("a100", A100), ("h100", H100)):
        of = np.array([row["gpu"] == name for row in VECTORS])
        threads, registers, shared = (column[key][of] for key in ("threads", "regs", "smem"))
        rows = [row for row in VECTORS if row["gpu"] == name]
        limits = blocks_by(threads, registers, shared, gpu)
        for found, key in zip(limits, ("limWarps", "limRegs", "limSmem", "limBlocks"), strict=True):
            assert found.tolist() == [int(row[key]) for row in rows], key
        assert limits.min(axis=0).tolist() == column["blocks"][of].tolist()
        assert occupancy(threads, registers, shared, gpu) == pytest.approx(
            [float(row["occ"]) for row in rows], abs=5.1e-5
        )
        warps = block_warps(threads)
        assert (limits.min(axis=0) * warps).tolist() == [int(row["warps"]) for row in rows]
        assert (warps * warp_registers(registers)).tolist() == [int(row["regsPerBlock"]) for row in rows]
        assert block_shared(shared).tolist() == [int(row["smemPerBlock"]) for row in rows]
        binding = [sum(bit for bit, limit in zip(BITS, four, strict=True) if limit == min(four))
                   for four in limits.T.tolist()]  # fmt: skip
        assert binding == [int(row["factors"], 16) for row in rows]
    assert len(VECTORS) == 300


# facts/hardware.md, section 9: T, R, S [B], blocks on A100 and on H100, occupancy on H100 [%].
@pytest.mark.parametrize(
    ("threads", "registers", "shared", "a100", "h100", "percent"),
    [
        (256, 32, 0, 8, 8, 100), (256, 33, 0, 6, 6, 75), (256, 64, 0, 4, 4, 50), (256, 65, 0, 3, 3, 37.5),
        (128, 128, 0, 4, 4, 25), (128, 168, 0, 3, 3, 18.75), (128, 255, 0, 2, 2, 12.5), (96, 64, 0, 10, 10, 46.875),
        (1024, 65, 0, 0, 0, 0), (1000, 32, 0, 2, 2, 100), (32, 32, 0, 32, 32, 50), (256, 32, 16_384, 8, 8, 100),
        (256, 32, 32_768, 4, 6, 75), (256, 64, 49_152, 3, 4, 50), (128, 64, 65_536, 2, 3, 18.75),
        (384, 168, 196_608, 0, 1, 18.75), (256, 128, 232_448, 0, 1, 12.5), (288, 72, 20_000, 3, 3, 42.1875),
    ],
)  # fmt: skip
def test_table_of_the_facts_is_reproduced(threads, registers, shared, a100, h100, percent):
    assert blocks_by(threads, registers, shared, A100).min() == a100
    assert blocks_by(threads, registers, shared, H100).min() == h100
    assert 100 * occupancy(threads, registers, shared, H100) == percent


@given(THREADS, REGISTERS, SHARED, GPU)
@example(96, 64, 0, H100)
@example(1024, 65, 0, H100)
@example(288, 192, 0, H100)  # 55,296 registers of 65,536, and yet it fails: 8 whole warps fit, and it has 9
@example(32, 32, H100.opt_in + 1, H100)
@example(32, 32, A100.opt_in, A100)
@example_budget
def test_warps_placed_one_by_one_come_to_the_same_blocks(threads, registers, shared, gpu):
    limits = blocks_by(threads, registers, shared, gpu).tolist()
    assert simulated(threads, registers, shared, gpu) == min(limits)
    for name, limit in zip(("warps", "registers", "shared", "blocks"), limits, strict=True):
        assert simulated(threads, registers, shared, gpu, (name,)) == limit, name


@given(THREADS, REGISTERS, SHARED, GPU, st.integers(0, 200), st.integers(0, 60_000))
@example_budget
def test_more_of_any_need_never_raises_blocks_and_registers_and_memory_never_raise_occupancy(
    threads, registers, shared, gpu, more, bytes_more
):
    before = blocks_by(threads, registers, shared, gpu)
    for larger in (
        blocks_by(threads, min(registers + more, 255), shared, gpu),
        blocks_by(threads, registers, shared + bytes_more, gpu),
        blocks_by(min(threads + more, 1024), registers, shared, gpu),
    ):
        assert (larger <= before).all()
    here = occupancy(threads, registers, shared, gpu)
    assert occupancy(threads, min(registers + more, 255), shared, gpu) <= here
    assert occupancy(threads, registers, shared + bytes_more, gpu) <= here
    assert occupancy(threads, registers, shared, A100) <= occupancy(threads, registers, shared, H100)


@given(THREADS, REGISTERS, SHARED, GPU)
@example_budget
def test_no_resource_is_overdrawn_and_one_more_block_would_overdraw_one(threads, registers, shared, gpu):
    limits, warps = blocks_by(threads, registers, shared, gpu), int(block_warps(threads))
    blocks, each = int(limits.min()), int(warp_registers(registers))
    hands = dealt(blocks, warps)
    assert hands.shape == (blocks, 4)
    assert hands.sum() == blocks * warps <= 64
    in_quarters = hands.sum(axis=0)
    assert in_quarters.max() <= 16
    assert in_quarters.max() - in_quarters.min() <= 1
    assert in_quarters.max() * each <= 16_384
    assert blocks * int(block_shared(shared)) <= gpu.shared
    assert 0 <= occupancy(threads, registers, shared, gpu) <= 1
    room = 4 * (16_384 // each)
    more = blocks + 1
    assert (more * warps > min(64, room) or more > 32 or shared > gpu.opt_in
            or more * int(block_shared(shared)) > gpu.shared)  # fmt: skip


@given(THREADS, REGISTERS, SHARED, GPU)
@example(32, 32, A100.opt_in + 1, A100)
@example_budget
def test_rounding_only_ever_costs(threads, registers, shared, gpu):
    ideal = float(unrounded(threads, registers, shared, gpu))
    assert occupancy(threads, registers, shared, gpu) <= ideal * (1 + 1e-12)
    warps = Fraction(-(-threads // 32))
    parts = [Fraction(65_536, 32 * registers), Fraction(gpu.shared, shared + 1024) * warps, 64, 32 * warps]
    assert ideal == pytest.approx(float(min(parts) / 64) if shared <= gpu.opt_in else 0, rel=1e-12)


@given(st.integers(0, 65_536))
@example_budget
def test_units_are_those_of_the_machine(size):
    taken = int(block_shared(size))
    assert taken % 128 == 0
    assert 0 <= taken - size - 1024 < 128
    registers, threads = size % 255 + 1, size % 1024 + 1
    assert int(warp_registers(registers)) == 32 * 8 * portions(registers, 8)
    assert int(block_warps(threads)) == portions(threads, 32)


@pytest.mark.parametrize("params", [*SCENE.grid()][::11], ids=str)
def test_staircase_has_every_knee_exactly(params):
    launch = solve(**params)
    heights = {at: height for first, last, height in launch.treads for at in range(first, last + 1)}
    assert list(heights) == list(range(16, 256))
    for registers, height in heights.items():
        blocks = simulated(launch.threads, registers, launch.shared * 1024, launch.gpu)
        assert height == 100 * blocks * launch.warps / 64, registers
    levels = [height for _, _, height in launch.treads]
    assert levels == sorted(set(levels), reverse=True)
    first, last, height = launch.treads[launch.tread(launch.registers)]
    assert first <= launch.registers <= last
    assert height == launch.occupancy


def test_staircase_of_256_threads_falls_where_registers_round_up():
    # 65,536 / 32 = 2,048 registers for each lane of 64 warps: 32 for all, then in steps of 8.
    found = treads(256, 0, H100, 16, 255)
    assert found[:4] == [(16, 32, 1.0), (33, 40, 0.75), (41, 48, 0.625), (49, 64, 0.5)]


def test_arrays_and_numbers_give_the_same():
    registers = np.array([32, 33, 255])
    together = blocks_by(256, registers, 0)
    assert together.shape == (4, 3)
    assert together[:, 1].tolist() == blocks_by(256, 33, 0).tolist()


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "words"),
    [
        (0, 32, 0, "a block has 1 to 1,024 threads, not 0"),
        (1025, 32, 0, "a block has 1 to 1,024 threads, not 1025"),
        (256, 0, 0, "a thread has 1 to 255 registers, not 0"),
        (256, 256, 0, "a thread has 1 to 255 registers, not 256"),
        (256, 32, -1, "0 bytes of shared memory or more, not -1"),
    ],
)
def test_needs_that_no_block_can_have_are_refused(threads, registers, shared, words):
    with pytest.raises(ValueError, match=words):
        blocks_by(threads, registers, shared)
