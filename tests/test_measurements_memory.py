"""What the measurements of memory expect is what the scenes' models say."""

from __future__ import annotations

import numpy as np
import pytest

from measurements.coalescing.effect import predict as coalescing
from measurements.coalescing.effect import sectors
from measurements.elementwise.effect import predict as elementwise
from measurements.harness.gpu import Gpu
from measurements.latency.effect import predict as latency
from measurements.launches.effect import predict as launches
from measurements.littles_law.effect import predict as littles_law
from measurements.waves.effect import predict as waves
from scenes._gpus.memory import GPUS
from scenes.coalescing.model import units_touched
from scenes.littles_law.model import rate_reached

H100 = Gpu("NVIDIA H100 80GB HBM3", "580.1", "9.0", 132, 85_000_000_000, 52_428_800, 700.0, 1.98e9, 2.619e9)
MIB = 2**20


@pytest.mark.parametrize("element", [4, 8, 16])
@pytest.mark.parametrize("offset", [0, 1, 7, 8])
def test_sectors_of_a_warp_are_those_of_the_scene(element, offset):
    for stride in range(1, 65):
        addresses = (offset + np.arange(32) * stride) * element
        assert sectors(element, stride, offset) == len(units_touched(addresses, element, 32))


def test_useful_share_falls_to_an_eighth_at_eight_words_and_stays():
    shares = [
        coalescing(H100, "useful", {"element": 4, "stride": stride}) / 3.352e12 for stride in (1, 2, 4, 8, 16, 64)
    ]
    assert shares == pytest.approx([1, 1 / 2, 1 / 4, 1 / 8, 1 / 8, 1 / 8])


def test_copy_off_by_less_than_a_sector_reads_five_for_four():
    full, off, next_sector = (coalescing(H100, "copied", {"kernel": "rows", "offset": at}) for at in (0, 1, 8))
    assert (off / full, next_sector / full) == pytest.approx((8 / 9, 1))


def test_sector_that_two_warps_need_is_read_twice_of_l2_and_once_of_hbm():
    found = {
        (level, kernel): coalescing(H100, "read", {"level": level, "kernel": kernel, "offset": 1})
        for level in ("L2", "HBM")
        for kernel in ("blocks", "rows")
    }
    assert found == {("L2", "blocks"): 5, ("L2", "rows"): 5, ("HBM", "blocks"): 4, ("HBM", "rows"): 5}


def test_staircase_has_the_scene_s_steps():
    gpu = GPUS["H100"]
    found = [latency(H100, "chase", {"working_set": size}) for size in (1024, 25 * MIB, 26 * MIB, 50 * MIB, 51 * MIB)]
    assert found == [gpu.l1_cycles, gpu.near, gpu.far, gpu.far, gpu.hbm_cycles]
    assert latency(H100, "cluster", {"blocks": 2, "rank": 1}) is None


def test_bytes_in_flight_bring_what_little_s_law_says():
    gpu = GPUS["H100"]
    for in_flight in (128, 8192, 131072):
        place = {"in_flight": in_flight, "warps": 1, "loads": 1, "width": 4}
        expected = rate_reached(in_flight * 132, gpu.latency, gpu.hbm_rate)
        assert littles_law(H100, "read", place) == pytest.approx(float(expected))


def test_one_block_past_the_last_sm_begins_a_wave():
    wave = waves(H100, "time", {"on_sm": 1, "blocks": 1})
    assert wave == pytest.approx(20.2e-6, rel=1e-3)
    for blocks in range(1, 401):
        left, count = blocks, 0  # by hand: wave after wave
        while left > 0:
            left, count = left - 132, count + 1
        assert waves(H100, "time", {"on_sm": 1, "blocks": blocks}) == pytest.approx(count * wave)


def test_textbook_has_neither_launches_nor_caches():
    assert launches(H100, "busy_graph", {"work": 2e-6}) == 2e-6
    assert launches(H100, "stream", {"launches": 20}) is None
    assert elementwise(H100, "moved", {"mode": "warm", "size": 65536}) == 3.352e12
