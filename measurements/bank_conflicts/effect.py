"""Loads from shared memory by pattern: passes through the banks, counted and in cycles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from measurements.harness.effect import NAME, Effect, MeasurementError, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

LANES = BANKS = 32
WORD = 4  # bytes
ROW = 128  # bytes of a row of 32 words, across all banks
COUNTED = 64  # loads in the kernel that is counted, as in bank_conflicts.cu
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
STRIDES = (*range(1, 33), *range(33, 49))  # words; from 32 on they are the pitches of a tile whose column is read
FEW = (1, 2, 4, 8, 16, 32, 33)
LATENCY = 23  # cycles of a load without conflicts, and 2 for each pass more: an A100's


@dataclass(frozen=True)
class Pattern:
    """Where the lanes of a warp load from [B], so many bytes each."""

    name: str
    bytes: int
    places: tuple[int, ...]


def spread(name: str, width: int, step: int) -> Pattern:
    """Lanes `step` bytes apart."""
    return Pattern(name, width, tuple(lane * step for lane in range(LANES)))


def others(width: int) -> list[Pattern]:
    """What the strides are not, by the bytes of a load."""
    pieces = ROW // width
    found = [
        spread("row", width, width),
        Pattern("row backwards", width, tuple(lane * width for lane in reversed(range(LANES)))),
        Pattern("one word for all", width, (0,) * LANES),
        Pattern("one word for two lanes", width, tuple(lane // 2 * width for lane in range(LANES))),
        Pattern("one word for four lanes", width, tuple(lane // 4 * width for lane in range(LANES))),
        Pattern("two words in turn", width, tuple(lane % 2 * width for lane in range(LANES))),
        spread("column", width, ROW),
        Pattern("column swizzled", width, tuple(row * ROW + row % pieces * width for row in range(LANES))),
    ]
    if width == WORD:
        lot = random.Random(1)
        words = [tuple(lot.randrange(1024) * WORD for _ in range(LANES)) for _ in range(8)]
        found += [Pattern(f"random {index}", WORD, places) for index, places in enumerate(words, 1)]
    else:
        found += [spread("every second", width, 2 * width), spread("every fourth", width, 4 * width)]
    return found


PATTERNS = {(one.name, one.bytes): one for width in (4, 8, 16) for one in others(width)}


def passes(pattern: Pattern) -> int:
    """The textbook's passes: 8-byte loads by half warps, 16-byte loads by quarters; in each the fullest bank counts."""
    groups, total = pattern.bytes // WORD, 0
    for group in range(groups):
        lanes = pattern.places[group * LANES // groups : (group + 1) * LANES // groups]
        words = {place // WORD + index for place in lanes for index in range(groups)}
        total += max(sum(word % BANKS == bank for word in words) for bank in range(BANKS))
    return total


def pattern_at(at: Place) -> Pattern:
    """The pattern of a place on our axes."""
    if "stride" in at:
        return spread("stride", WORD, int(at["stride"]) * WORD)
    return PATTERNS[str(at["pattern"]), int(at["bytes"])]


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """A pass takes a cycle."""
    count = passes(pattern_at(at))
    return LATENCY + 2 * (count - 1) if series.endswith("latency") else count


def chosen(quick: bool) -> list[tuple[str, Place, Pattern]]:
    """All patterns: the series' family, the place on its axes, the lanes' places."""
    strides: list[Place] = [{"stride": stride} for stride in (FEW if quick else STRIDES)]
    patterns: list[Place] = [{"pattern": name, "bytes": width} for name, width in PATTERNS]
    return [
        *(("stride", at, pattern_at(at)) for at in strides),
        *(("pattern", at, pattern_at(at)) for at in patterns),
    ]


def measure(machine: Machine) -> Iterator[Sample]:
    """Time every pattern, then count the wavefronts of a kernel with 64 loads of one warp."""
    wanted, file = chosen(machine.quick), machine.folder / "patterns"
    file.write_text("".join(f"{one.bytes} {' '.join(map(str, one.places))}\n" for _, _, one in wanted))
    for sample in machine.program("bank_conflicts.cu", "time", file):
        family, at, _ = wanted[int(sample.at["pattern"])]
        yield replace(sample, series=f"{family}_{sample.series}", at=at)
    launches = machine.counters(
        "bank_conflicts.cu", "count", file, metrics=(WAVEFRONTS,), kernels="counted", cold=False
    )
    if launches and len(launches) != len(wanted):
        raise MeasurementError(f"{len(launches)} launches were counted, and {len(wanted)} were made")
    for (family, at, _), launch in zip(wanted, launches, strict=False):
        yield Sample(f"{family}_wavefronts", at, [launch.values[WAVEFRONTS] / COUNTED], False)


def family(name: str, axes: tuple[str, ...], units: tuple[str, ...]) -> tuple[Series, ...]:
    """What is asked of every pattern."""
    return (
        Series(f"{name}_wavefronts", "wavefronts of a load, counted", "wavefronts", axes, units, counted=True),
        Series(f"{name}_cycles", "cycles for a warp's load, 32 warps", "cycles", axes, units),
        Series(f"{name}_alone", "cycles for a warp's load, one warp", "cycles", axes, units),
        Series(f"{name}_latency", "latency of dependent loads", "cycles", axes, units),
    )


EFFECT = Effect(
    title="Bank conflicts",
    question="How long does a load from shared memory take when its words lie in the same banks?",
    series=(*family("stride", ("stride",), ("words",)), *family("pattern", ("pattern", "bytes"), (NAME, "B"))),
    predicted_from="As many passes as the fullest bank has different words, by half warps for 8-byte and by quarters "
    "for 16-byte loads, a cycle each; a latency of 23 cycles and 2 for each further pass, as on an A100.",
    predict=predict,
    measure=measure,
    limit=90.0,
)
