"""Little's law: the bytes that an SM keeps in flight set the rate at which memory brings them."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._gpus.memory import GPUS
from . import measured
from .drawing import draw
from .model import COUNTS, LOADS, WIDTHS, Traffic, solve
from .narration import PHASES


def table(traffic: Traffic) -> Table:
    columns = (
        Column("warps", "warps"),
        Column("in_flight", "in flight on an SM", "B"),
        Column("rate", "rate", "GB/s", digits=4),
        Column("used", "of the bandwidth", "%", digits=3),
        Column("wait", "a load takes", "ns", digits=3),
        Column("measured", f"measured on an {measured.PART}", "GB/s", digits=0),
    )
    cases = [traffic.at(warps) for warps in COUNTS]
    return Table(columns, [(one.warps, one.in_flight, one.rate / 1e9, one.used, 1e9 * one.wait, _measured(one))
                           for one in cases])  # fmt: skip


def _measured(traffic: Traffic) -> float | str:
    """The rate that a table shows [GB/s]."""
    found = measured.rate(traffic)
    return found.median / 1e9 if found else "–"


def values(traffic: Traffic) -> dict[str, Value]:
    return {
        "rate": Value(traffic.rate, "B/s"),
        "used": Value(traffic.used, "%", digits=2),
        "in_flight": Value(traffic.in_flight, "B", digits=5),
        "knee": Value(traffic.knee, "B", digits=2),
        "needed": Value(traffic.needed, "warps"),
        "latency": Value(traffic.gpu.latency, "s"),
        "wait": Value(traffic.wait, "s"),
        "all": Value(traffic.knee * traffic.gpu.sms, "B"),
        **measured.values(),
    }


SCENE = Scene(
    title="How much must be on its way?",
    summary="Bytes in flight as an area: latency is its length, the rate its height. More come faster until the "
    "bandwidth is reached, and wait in line beyond.",
    params=(
        Choice("gpu", "GPU", {name: gpu.part for name, gpu in GPUS.items()}, default="H100"),
        Choice("width", "A thread’s load", {width: f"{width} B" for width in WIDTHS}),
        Choice("loads", "Loads at once", {loads: count(loads, "load") for loads in LOADS}),
        Range("warps", "Warps", {warps: count(warps, "warp") for warps in COUNTS}, default=32),
    ),
    sentence="Each SM of {gpu} has {warps}, each with {loads} of {width} a thread on the way.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("littles-law", "rrze-gpu-benches", "a100-datasheet", "h100-whitepaper", "hgx-platform",
             "semianalysis-blackwell", "volkov-thesis"),
    leaves_out="Latency is that of a single load. Under load it grows before the knee is reached, so that the corner "
    "is round: the law is a bound. The rings on an H100 are the worst and the best of our mixes of warps, "
    "loads and widths; many warps with one load each do best, for a warp of this program waits for all its "
    "loads before it sends new ones. The rings on a B200 are another’s, the best of several ways to have so "
    "many bytes in flight, by copies of 16 bytes into shared memory. All 32 lanes are taken to read "
    "side by side, and every byte to come from HBM, at a rate that none keeps for long. "
    "Registers limit how many loads fit: four of 16 bytes take 16 registers of each thread.",
)  # fmt: skip
