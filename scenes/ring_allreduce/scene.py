"""All-reduce: the sum of all GPUs' arrays on each of them, by chunks that go round a ring."""

from __future__ import annotations

from loom.draw import quantity
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import RING, SWITCH, TREE, AllReduce
from .stage import SIZES
from .story import PHASES, WORDS


def table(one: AllReduce) -> Table:
    columns = (
        Column("way", "way"),
        Column("time", "time", "µs", digits=1),
        Column("algbw", "algbw", "B/s"),
        Column("busbw", "busbw", "B/s"),
        Column("fastest", "fastest from", "B"),
    )
    return Table(columns, [(WORDS[name], 1e6 * time, one.size / time, one.bus_bandwidth(time), fastest_from(one, name))
                           for name, time in one.times().items()])  # fmt: skip


def fastest_from(one: AllReduce, name: str) -> float | str:
    """From which size on it is the fastest, in words where it never is."""
    return one.leads_from(name) if any(leader == name for _, leader in one.leaders) else "never"


def values(one: AllReduce) -> dict[str, Value]:
    times, ring = one.times(), one.times()[RING]
    return {
        "times": Value(one.sent / one.size, "×"),  # of its array that each GPU sends
        "sent": Value(one.sent, "B"),
        "chunk": Value(one.chunk, "B"),
        "steps": Value(one.steps),
        "ring": Value(ring, "s"),
        "tree": Value(times[TREE], "s"),
        "switch": Value(AllReduce(one.gpus, one.size, "nvlink").times()[SWITCH], "s"),  # there is none elsewhere
        "best": Value(times[one.fastest], "s"),
        "algbw": Value(one.size / ring, "B/s"),
        "busbw": Value(one.bus_bandwidth(ring), "B/s"),
        "crossover": Value(one.leads_from(RING), "B"),  # 0: the ring is the fastest from the first byte on
        "switch_from": Value(AllReduce(one.gpus, one.size, "nvlink").leads_from(SWITCH), "B"),  # 0: never
    }


SCENE = Scene(
    title="How does every GPU get the sum?",
    summary="Chunks go round a ring of GPUs twice: first each GPU adds its own numbers to what comes by, then the "
    "finished sums are copied. A tree has fewer hops, a switch that adds sends fewer bytes; which is the fastest "
    "depends on the size.",
    params=(
        Choice("gpus", "GPUs", (2, 4, 8, 16), default=8),
        Choice(
            "link", "Link", {"nvlink": "NVLink", "network": "a network"}, default="network", when={"gpus": (2, 4, 8)}
        ),
        Range("size", "Each holds", {size: quantity(size, "B") for size in SIZES}, default=100_000_000),
    ),
    sentence="Sum {size} from each of {gpus} GPUs[ on {link}].",
    solve=AllReduce,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(1, -1),
    sources=("nccl-tests", "nccl-repo", "ml-engineering", "deepseek-insights"),
    leaves_out="A chunk is shown as one number, 10 times its GPU plus its place; NCCL cuts chunks into slices that "
    "follow one another, so that the time has no gaps, and runs many rings at once. Over the network each node has one "
    "GPU with a card of 400 Gb/s, a hop takes 5 µs, and a tree sends up and down at the same time; measured delays of "
    "64 bytes are 2.8 to 5.6 µs. For NVLink the delays are those that NCCL’s tuner reckons with, for each protocol: an "
    "order of magnitude, and older than the H100. Its tree is a chain inside a node. The switch’s 25 µs and its 85% of "
    "the link are the tuner’s too; it moves 1 + 1/n times the array each way, and NCCL does not choose it for four "
    "H200 GPUs, where it hardly gains. Rings get all of the link here; eight H200 GPUs reach four fifths. Switches of "
    "a network that add, such as InfiniBand’s SHARP, are left out: we know of no delays to reckon with. Sixteen GPUs "
    "share NVLink only in racks, not in a node of eight.",
)
