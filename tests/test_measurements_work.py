"""What the measurements of products, attention, decoding and experts expect: the textbook's numbers, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from measurements.attention import effect as attention
from measurements.experts import effect as experts
from measurements.experts.routing import ROUTINGS, TILE, loads, rows_run, tiles
from measurements.harness.counters import Launch
from measurements.harness.gpu import Gpu
from measurements.matmul import effect as matmul
from measurements.precision import effect as precision
from measurements.split_kv import effect as split_kv

H100 = Gpu("NVIDIA H100 80GB HBM3", "580", "9.0", 132, 85_000_000_000, 50 * 2**20, 700, 1.98e9, 2.619e9)


@pytest.mark.parametrize(
    ("rung", "teraflops"),
    [("strided", 0.507), ("coalesced", 8.36), ("shared 32", 8.36), ("registers 4x4", 33.5), ("registers 8x8", 66.9)],
)
def test_rung_in_float_is_held_up_by_wavefronts_until_its_sums_are_in_registers(rung: str, teraflops: float):
    cycles = 132 * 1.98e9
    wavefronts = {"strided": 33, "coalesced": 2, "shared 32": 2, "registers 4x4": 0.5, "registers 8x8": 0.25}
    expected = min(66.9e12, cycles * 64 / wavefronts[rung])
    assert matmul.predict(H100, "speed", {"rung": rung}) == pytest.approx(expected)
    assert expected == pytest.approx(teraflops * 1e12, rel=1e-2)


def test_bytes_into_l1_are_counted_tile_by_tile():
    for rung, tile in (("shared 16", 16), ("registers 8x8", 128)):
        blocks, steps = (4096 // tile) ** 2, 4096 // tile
        one_step = 2 * tile * tile * 4
        assert matmul.predict(H100, "l1_bytes", {"rung": rung}) == blocks * steps * one_step


def test_a_side_that_opens_another_wave_is_expected_to_lose_a_fifth():
    on, off = (matmul.predict(H100, "off_grid", {"side": side}) for side in (4096, 4097))
    assert on and off and off / on == pytest.approx(0.8, abs=0.01)


def test_stages_are_expected_to_hide_latency_and_then_to_bring_nothing():
    speeds = [matmul.predict(H100, "stages", {"tile": "64x64", "stages": stages}) or 0 for stages in range(1, 7)]
    assert speeds == sorted(speeds)
    assert speeds[4] == speeds[5] < 989.4e12
    assert speeds[1] == pytest.approx(2 * speeds[0])


def test_formats_of_as_many_bits_are_expected_to_run_alike():
    found = {name: precision.predict(H100, "rate", {"format": name}) for name in ("bf16", "fp16", "fp8", "int8")}
    assert found == {"bf16": 989.4e12, "fp16": 989.4e12, "fp8": 1978.9e12, "int8": 1978.9e12}


def test_attention_s_bytes_are_those_of_every_tensor_that_passes():
    tokens, heads, dim = 8192, 16, 128
    scores, rows = heads * tokens**2 * 2, heads * tokens * dim * 2
    places = {"method": "materialised", "tokens": tokens}
    assert attention.predict(H100, "bytes", places) == 2 * scores + 2 * scores + 4 * rows
    assert attention.predict(H100, "bytes", {**places, "method": "flash"}) == 4 * rows
    assert attention.predict(H100, "extra_memory", places) == 2 * scores
    assert attention.predict(H100, "time", {**places, "method": "math"}) is None


def test_splits_are_expected_to_help_until_every_sm_has_a_block():
    times = [split_kv.predict(H100, "time", {"keys": 131072, "splits": 2**at}) or 0 for at in range(9)]
    assert times[0] / times[4] == pytest.approx(16)
    assert min(times) == pytest.approx(131072 * 8 * 128 * 2 * 2 / 3.352e12 * 132 / 128)


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize(("rows", "count"), [(8192, 64), (512, 256)])
def test_tiles_take_every_row_once_and_with_its_own_expert(rows: int, count: int, routing: str):
    given = loads(rows, count, routing)
    assert given.sum() == rows
    owners, taken = np.repeat(np.arange(count), given), np.zeros(rows, dtype=int)
    for expert, first, end in tiles(given):
        assert first < end
        inside = np.arange(first, min(first + TILE, end))
        taken[inside] += 1
        assert (owners[inside] == expert).all()
    assert (taken == 1).all()
    assert rows_run(given, "grouped") == len(tiles(given)) * TILE


def test_skew_is_expected_to_cost_padded_products_and_to_spare_few_rows_their_weights():
    speeds = [experts.predict(H100, "speed", {"method": "padded", "routing": routing}) or 0 for routing in ROUTINGS]
    assert speeds[0] > speeds[1] > 5 * speeds[2]
    times = [experts.predict(H100, "few_rows", {"experts": 256, "routing": routing}) or 0 for routing in ROUTINGS]
    assert times[0] > times[1] > 1.5 * times[2]
    weights = 256 * 4096 * 2048 * 2
    assert times[0] == pytest.approx((weights + 512 * (4096 + 2048) * 2) / 3.352e12)


def test_bytes_of_attention_are_parted_by_the_kernel_between():
    names = ["randn", "spin_kernel", "gemm", "softmax", "gemm", "spin_kernel", "flash", "spin_kernel", "cudnn"]
    launches = [Launch(name, dict.fromkeys(attention.BYTES, 1.0)) for name in names]

    class Replayed:
        def program(self, source: str) -> list[object]:
            return []

        def counters(self, source: str, *arguments: object, metrics: object) -> list[Launch]:
            return launches

    found = list(attention.measure(Replayed()))  # type: ignore[arg-type]
    assert [(one.at["method"], one.samples) for one in found] == [
        ("materialised", [6.0]), ("flash", [2.0]), ("cudnn", [2.0]),
    ]  # fmt: skip
