"""What the measurements of banks, schedulers, stages and tensor cores expect is what the scenes' models say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from measurements.bank_conflicts import effect as banks
from measurements.fp8_accumulation import effect as sums
from measurements.harness.counters import Launch
from measurements.harness.effect import MeasurementError, Sample
from measurements.harness.gpu import Gpu, State
from measurements.occupancy import effect as occupancy
from measurements.pipelining import effect as stages
from measurements.warp_scheduler import effect as warps
from scenes.bank_conflicts.model import load_latency, serve
from scenes.pipelining.model import period

H100 = Gpu("NVIDIA H100 80GB HBM3", "580.1", "9.0", 132, 85_000_000_000, 52_428_800, 700.0, 1.98e9, 2.619e9)
WORDS = 2048  # of shared memory in bank_conflicts.cu


@dataclass
class Replay:
    """A machine whose program and counters answer what they are told to."""

    folder: Path
    answers: Sequence[Sample]
    launches: list[Launch]
    gpu: Gpu = H100
    quick: bool = False
    vectors: Path = Path()
    asked: list[str] = field(default_factory=list)

    def state(self) -> State:
        return State(1.98e9, 2.619e9, 120.0)

    def program(self, source: str, *arguments: object) -> Iterator[Sample]:
        return iter(self.answers)

    def counters(
        self, source: str, *arguments: object, metrics: Sequence[str], kernels: str = ".*", cold: bool = True
    ) -> list[Launch]:
        return self.launches


@pytest.mark.parametrize("pattern", banks.PATTERNS.values(), ids=lambda one: f"{one.name}-{one.bytes}")
def test_expected_passes_of_a_pattern_are_the_scene_s(pattern):
    words = np.array(pattern.places)[:, None] // 4 + np.arange(pattern.bytes // 4)
    assert banks.passes(pattern) == serve(words).passes
    assert all(place % pattern.bytes == 0 and place + pattern.bytes <= 4 * WORDS for place in pattern.places)


def test_expected_latency_is_the_scene_s_and_strides_fit_in_the_program_s_memory():
    for stride in banks.STRIDES:
        at = {"stride": stride}
        passes = banks.predict(H100, "stride_cycles", at)
        assert passes == np.gcd(stride, 32)
        assert banks.predict(H100, "stride_latency", at) == load_latency(int(passes))
        assert max(banks.pattern_at(at).places) + 4 <= 4 * WORDS


def test_patterns_are_written_in_the_order_in_which_their_numbers_come_back(tmp_path: Path):
    wanted = banks.chosen(False)
    answers = [Sample("cycles", {"pattern": index}, [float(index)], True) for index in range(len(wanted))]
    launches = [Launch("counted", {banks.WAVEFRONTS: banks.COUNTED * index}) for index in range(len(wanted))]
    found = list(banks.measure(Replay(tmp_path, answers, launches)))
    lines = (tmp_path / "patterns").read_text().splitlines()
    for kind in ("cycles", "wavefronts"):
        for line, (family, at, pattern), sample in zip(
            lines, wanted, [one for one in found if one.series.endswith(kind)], strict=True
        ):
            assert line.split() == [str(pattern.bytes), *map(str, pattern.places)]
            assert (sample.series, sample.at) == (f"{family}_{kind}", at)
            assert banks.EFFECT.find(sample.series).unfit(sample.at) is None
    assert [one.samples for one in found] == 2 * [[float(index)] for index in range(len(wanted))]
    with pytest.raises(MeasurementError, match="1 launches were counted"):
        list(banks.measure(Replay(tmp_path, [], launches[:1])))


@pytest.mark.parametrize("count", [1, 2, 4, 6])
@pytest.mark.parametrize("chain", [32, 384])
def test_expected_cycles_of_a_tile_are_the_scene_s(count, chain):
    compute, latency, transfer = 4 * chain + 23, 690, 4096 * 132 / 3.352e12 * 1.98e9
    found = stages.predict(H100, "shared", {"stages": count, "chain": chain})
    assert found == pytest.approx(float(period(count, latency, transfer, compute)))
    assert stages.predict(H100, "arithmetic", {"chain": chain}) == compute


def test_expected_throughput_rises_with_what_is_in_flight_and_ends_at_the_peak():
    assert warps.predict(H100, "chains", {"warps": 4, "chains": 1}) == 64
    assert warps.predict(H100, "chains", {"warps": 8, "chains": 4}) == 256
    assert warps.predict(H100, "chains", {"warps": 1, "chains": 8}) == 64  # one scheduler, an instruction a cycle
    assert warps.predict(H100, "chains", {"warps": 5, "chains": 4}) == 160  # one scheduler has two warps
    assert warps.predict(H100, "round", {"instructions": 64, "warps": 4}) == 344
    assert warps.predict(H100, "round", {"instructions": 64, "warps": 64}) == 1024
    flying = 132 * 4 * 32 * 16  # bytes that are read
    copied = occupancy.predict(H100, "copy", {"warps": 4, "loads": 1})
    assert copied == pytest.approx(2 * flying / (690 / 1.98e9))
    assert occupancy.predict(H100, "copy", {"warps": 64, "loads": 4}) == 3.352e12
    assert occupancy.predict(H100, "multiply_add", {"warps": 64, "chains": 4}) == 66.9e12


def test_factors_of_expected_sums_are_rounded_as_e4m3():
    numbers = np.concatenate([np.random.default_rng(5).standard_normal(5000) * 3, [0, 1e-9, 464, -1000, 0.0009765625]])
    cast = np.clip(numbers, -448, 448).astype(np.float32).astype(ml_dtypes.float8_e4m3fn).astype(np.float64)
    np.testing.assert_array_equal(sums.near(numbers.astype(np.float32).astype(np.float64)), cast)


def test_expected_sums_of_ones_stall_where_13_bits_end():
    stalls = [sums.predict(H100, "ones", {"length": length, "promote": 0}) for length in (4096, 16384, 65536)]
    assert stalls == [4096, 16384, 16384]
    assert sums.predict(H100, "library_ones", {"length": 65536, "accumulation": "promoted"}) == 65536


def test_probes_come_back_from_the_program_s_file(tmp_path: Path):
    random, file = np.random.default_rng(0), tmp_path / "probes"
    parts = {}
    for name, tiles in sums.TILES.items():
        for part, width in (("a", 64 * 32), ("b", 8 * 32)):
            parts[f"{name}_{part}"] = random.integers(0, 256, tiles * width, dtype=np.uint8)
        for part in "cd":
            parts[f"{name}_{part}"] = random.integers(0, 2**32, tiles * 512, dtype=np.uint32)
    file.write_bytes(b"".join(part.tobytes() for part in parts.values()))
    found = sums.arrays(file)
    assert list(found) == list(parts)
    for name, part in parts.items():
        np.testing.assert_array_equal(found[name].ravel(), part)
    assert found["e4m3_a"].shape == (16, 64, 32) and found["bf16_d"].shape == (4, 64, 8)
