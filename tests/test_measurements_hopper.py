"""What the measurements of the copy engine and of choosing tokens expect, and that programs and effects agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from loom.paths import OWN
from measurements.harness.counters import Launch
from measurements.harness.effect import Sample
from measurements.harness.gpu import Gpu, State
from measurements.sampling import effect as sampling
from measurements.tma import effect as tma

HOME = OWN / "measurements"
H100 = Gpu("NVIDIA H100 80GB HBM3", "580.1", "9.0", 132, 85_000_000_000, 52_428_800, 700.0, 1.98e9, 2.619e9)


@dataclass
class Counting:
    """A machine that times nothing, and whose counters of launch n read n, in units of the whole copy's sectors."""

    gpu: Gpu = H100
    quick: bool = False
    folder: Path = Path()
    vectors: Path = Path()

    def state(self) -> State:
        return State(1.98e9, 2.619e9, 120.0)

    def program(self, source: str, *arguments: object) -> Iterator[Sample]:
        return iter(())

    def counters(
        self, source: str, *arguments: object, metrics: Sequence[str], kernels: str = ".*", cold: bool = True
    ) -> list[Launch]:
        launches = 12 if source == "copies.cu" else 8
        return [Launch(source, dict.fromkeys(metrics, tma.SIZE / 32 * n)) for n in range(launches)]


def constant(program: str, name: str) -> str:
    found = re.search(rf"\b{name} = ([^,;]+)[,;]", (HOME / program).read_text(encoding="utf-8"))
    assert found, name
    return found[1]


def test_textbook_s_price_of_a_token_is_reading_its_logits_whatever_the_method():
    for method in ("argmax", "sample", "top-k", "top-p"):
        for by in ("hand", "torch"):
            place = {"by": by, "method": method, "batch": 64}
            assert sampling.predict(H100, "time", place) == pytest.approx(64 * 513_024 / 3.352e12)
    assert [sampling.predict(H100, "passes", {"method": one}) for one in ("sample", "top-p")] == [1, None]


def test_program_by_hand_chooses_among_what_pytorch_chooses_among():
    assert int(constant("sampling/sampling.cu", "VOCABULARY")) == sampling.VOCABULARY
    assert float(constant("sampling/sampling.cu", "K")) == sampling.K
    assert float(constant("sampling/sampling.cu", "P").rstrip("f")) == sampling.P
    source = (HOME / "sampling/sampling.cu").read_text(encoding="utf-8")
    assert f"batch : {{{', '.join(map(str, sampling.BATCHES))}}}" in source


def test_copy_is_expected_to_follow_little_s_law_both_ways_and_then_memory():
    rates = [tma.predict(H100, "copied", {"by": "bulk", "in_flight": size}) for size in tma.IN_FLIGHT]
    assert rates[0] == pytest.approx(2 * 4096 * 132 / (690 / 1.98e9))  # 3.1 TB/s
    assert rates[1:] == [3.352e12] * 5


def test_tile_is_expected_to_take_two_instructions_and_a_warp_s_sixteen_bytes_a_lane_as_many():
    # 4,096 bytes are eight times 32 lanes of 16 bytes, or four tiles of 1,024
    assert tma.predict(H100, "instructions", {"by": "loads", "in_flight": 4096}) == 2 * 8
    assert tma.predict(H100, "instructions", {"by": "bulk", "in_flight": 4096}) == 2 * 4
    assert tma.predict(H100, "instructions", {"by": "bulk", "in_flight": 131072}) == 2 / 8


def test_tile_that_is_sent_to_all_is_expected_to_be_read_once():
    sectors = [
        [tma.predict(H100, "sectors", {"asking": "SMs", "how": how, "blocks": blocks}) for blocks in tma.BLOCKS]
        for how in tma.HOW
    ]
    assert sectors == [[1, 2, 4, 8], [1, 1, 1, 1]]
    assert tma.predict(H100, "delivered", {"how": "multicast", "blocks": 4}) == 4 * 3.352e12


def test_counters_of_copies_come_back_to_the_places_that_were_launched():
    found = list(tma.measure(Counting()))
    instructions = [(one.at, one.samples) for one in found if one.series == "instructions"]
    assert instructions[0] == ({"by": "loads", "in_flight": 4096}, [0])
    assert instructions[3] == ({"by": "bulk", "in_flight": 8192}, [3 * 4096 / 32])
    sectors = [(tuple(one.at.values()), one.samples) for one in found if one.series == "sectors"]
    assert sectors[:3] == [(("SMs", "each for itself", 1), [0]), (("all", "each for itself", 1), [0]),
                           (("SMs", "multicast", 1), [1])]  # fmt: skip
    assert sectors[-1] == (("all", "multicast", 8), [7])


def test_programs_of_the_copy_engine_go_through_the_places_of_their_effect():
    copies = (HOME / "tma/copies.cu").read_text(encoding="utf-8")
    assert f"in_flight = {tma.IN_FLIGHT[0]}; in_flight <= {tma.IN_FLIGHT[-1]}; in_flight *= 2" in copies
    assert 'by : {"loads", "bulk"}' in copies
    assert "blocks : {1, 2, 4, 8}" in (HOME / "tma/multicast.cu").read_text(encoding="utf-8")
    assert int(constant("tma/bulk.cuh", "STAGES")) == tma.STAGES
    assert constant("tma/copies.cu", "SIZE") == constant("tma/multicast.cu", "SIZE") == "size_t(1) << 30"
