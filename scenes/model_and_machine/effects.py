"""What is compared: a place in the results of each measurement, what it is called, and why machine and model part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Place = Mapping[str, float | str]


@dataclass(frozen=True)
class Effect:
    """One number of one result; with `over`, that number over another of the same series."""

    id: str
    label: str
    result: str
    series: str
    unit: str
    at: Place
    why: str
    over: Place = field(default_factory=dict)


KB, MB = 1024, 1024**2
# Those of a kind beside each other, in the order of their ratios on an H100.
EFFECTS = (
    Effect("wide_word", "all lanes at one 16-byte word", "bank_conflicts", "pattern_wavefronts", "wavefronts",
           {"bytes": 16, "pattern": "one word for all"},
           "Quarters of a warp that want the same are served together; no manual says so."),
    Effect("tile_bytes", "bytes into L1, tiles of 32 × 32", "matmul", "l1_bytes", "B", {"rung": "shared 32"},
           "Tiling saves the traffic that it should, though little time: this rung waits for something else."),
    Effect("ones", "65,536 ones added up in FP8", "fp8_accumulation", "ones", "1", {"length": 65536, "promote": 0},
           "The accumulator keeps 13 bits behind its leading one: 16,384 + 1 is 16,384."),
    Effect("stored", "bytes of attention, scores stored", "attention", "bytes", "B",
           {"method": "materialised", "tokens": 8192},
           "Every score is written and read twice, and goes all the way to HBM."),
    Effect("tiled", "bytes of attention in tiles", "attention", "bytes", "B", {"method": "flash", "tokens": 8192},
           "Some keys and values are fetched a second time, and that is all."),
    Effect("hbm", "a load from HBM", "latency", "chase", "cycles", {"working_set": 4 * 1024 * MB},
           "No step for the tables of addresses shows on the way up to it."),
    Effect("bank_32", "a 32-way bank conflict", "bank_conflicts", "stride_latency", "cycles", {"stride": 32},
           "Each further word in the same bank costs two cycles, without exception."),
    Effect("l2_far", "a load from L2’s far half", "latency", "chase", "cycles", {"working_set": 40 * MB},
           "The expectation was measured on another Hopper, whose SMs lie elsewhere on the die."),
    Effect("off_grid", "a side of 4,097, not 4,096", "matmul", "off_grid", "FLOP/s", {"side": 4097},
           "Rows no longer begin at multiples of 16 bytes, and quick kernels can’t load them."),
    Effect("stride_16", "loads with a stride of 16", "coalescing", "useful", "B/s", {"element": 4, "stride": 16},
           "L2 fetches two sectors at a time, so the loss ends at a stride of 16 words, not at 8."),
    Effect("in_flight", "8 KB in flight on each SM", "littles_law", "read", "B/s",
           {"in_flight": 8192, "loads": 1, "warps": 16, "width": 16},
           "Latency grows while memory is busy: full speed takes two to four times as much in flight."),
    Effect("library", "cuBLAS in BF16", "matmul", "speed", "FLOP/s", {"rung": "cuBLAS bf16"},
           "The peak is that of a clock which the power limit does not allow for long."),
    Effect("occupancy", "a copy with 12 warps on an SM", "occupancy", "copy", "B/s", {"loads": 4, "warps": 12},
           "No copy gets all of the data sheet’s bandwidth. More warps than these bring nothing."),
    Effect("wave", "133 blocks for 132 SMs", "waves", "time", "s", {"blocks": 133, "on_sm": 1},
           "A second wave doubles the work; the launch before both is paid once.",
           over={"blocks": 132, "on_sm": 1}),
    Effect("stride_8", "loads with a stride of 8", "coalescing", "useful", "B/s", {"element": 4, "stride": 8},
           "Whole sectors of 32 bytes travel, and one word of each is used, as the model says."),
    Effect("splits", "one query, keys in 16 parts", "split_kv", "time", "s", {"keys": 131072, "splits": 16},
           "128 programs keep nearly all SMs busy, and memory gives what it can."),
    Effect("cache", "14 MB moved again and again", "elementwise", "moved", "B/s",
           {"mode": "20 launches", "size": 14 * MB},
           "It stays in L2: a benchmark that repeats itself measures a cache."),
    Effect("round", "a load, then 64 multiply-adds", "warp_scheduler", "round", "cycles",
           {"instructions": 64, "warps": 32},
           "Work takes longer than the wait and should hide it, but warps are in each other’s way."),
)  # fmt: skip
# What is counted, what is timed while nothing else is under way; everything else happens all at once.
COUNTED = frozenset({"wide_word", "tile_bytes", "ones", "stored", "tiled"})
ALONE = frozenset({"l2_far", "hbm", "bank_32"})
KINDS = ("counted", "alone", "all at once")


def kind(effect: Effect) -> str:
    return KINDS[0 if effect.id in COUNTED else 1 if effect.id in ALONE else 2]
