"""Hiding latency: while one warp waits for memory, the scheduler issues for another."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Moment, Phase, Range, Scene, Table, Value, evenly

from . import measured
from .curve import percent
from .drawing import draw
from .machine import asked, say_machine, sweeping
from .model import H100_BANDWIDTH, H100_LATENCY, H100_SMS, NOBODY, SIMULATED, SLOTS, Load, bytes_in_flight

RUNS = {number: count(number, "instruction") for number in (1, 4, 10, 20)}
WAITS = {number: f"{number} cycles" for number in (20, 100, 400)}


def say_alone(moment: Moment) -> str:
    load = moment.result
    alone = Load(1, load.latency, load.instructions)
    pace = ", one a cycle" if load.instructions > 1 else ""
    return (
        f"A warp issues {count(load.instructions, 'instruction')}{pace}, then waits {load.latency} cycles for "
        f"memory. Alone it uses {percent(alone.used)} of the cycles."
    )


def say_together(moment: Moment) -> str:
    load = moment.result
    first = f"{load.warps} warps take turns: while one waits, another issues"
    if load.hidden:
        return f"{first}. Each is back in time for its next turn: no slot is empty."
    return f"{first}. Of {load.period} cycles {load.issues} are used; in {load.idle} all of them wait."


def say_curve(moment: Moment) -> str:
    load = moment.result
    every = f"({load.instructions} + {load.latency}) ÷ {load.instructions} = {count(load.saturate, 'warp')}"
    if load.hidden:
        return f"{every} fill all slots. Memory is as slow as before, yet the wait is hidden."
    if load.saturate > SLOTS:
        return f"{every} would fill all slots, and {SLOTS} fit. Each needs more work between its loads."
    return f"{every} would fill all slots: {load.saturate - load.warps} more than now."


def table(load: Load) -> Table:
    columns = (
        Column("warps", "warps"),
        Column("used", "issue slots used", "%", digits=1),
        Column("idle", "idle cycles a period", "cycles"),
    )
    loads = [Load(number, load.latency, load.instructions) for number in range(1, SLOTS + 1)]
    return Table(columns, [(one.warps, one.used, one.idle) for one in loads])


def values(load: Load) -> dict[str, Value]:
    h100 = bytes_in_flight(H100_BANDWIDTH, H100_LATENCY)
    return {
        "used": Value(load.used, "%", digits=2),
        "saturate": Value(load.saturate, "warps"),
        "hidden": Value(int(load.hidden)),
        "period": Value(load.period, "cycles"),
        "idle": Value(load.idle, "cycles"),
        "simulated": Value(100 * float((load.issued(SIMULATED) != NOBODY).mean()), "%", digits=3),
        "cycles": Value(SIMULATED, "cycles"),
        "slots": Value(SLOTS, "warps"),
        "bytes_in_flight_h100": Value(h100, "B"),
        "bytes_in_flight_h100_sm": Value(h100 / H100_SMS, "B"),
        **measured.values(),
    }


SCENE = Scene(
    title="What hides the wait for memory?",
    summary="One scheduler issues an instruction a cycle from whichever warp is ready: with enough warps there is "
    "always one, and the wait for memory is hidden.",
    params=(
        Range("warps", "Warps", {number: count(number, "warp") for number in range(1, SLOTS + 1)}, default=8),
        Choice("latency", "Latency of a load", WAITS, default=400),
        Choice("instructions", "Instructions between loads", RUNS, default=20),
    ),
    sentence="Each warp issues {instructions}, then waits {latency}.",
    solve=Load,
    steps=(
        Phase("alone", say_alone, beats=lambda _: evenly(9, 3.6, lead=0.25)),
        Phase("together", say_together, lambda load: (0,) if load.warps > 1 else (), lambda _: evenly(12, 5.0)),
        Phase("curve", say_curve, beats=lambda _: evenly(3, 0.6)),
        Phase("machine", say_machine, asked, sweeping),
    ),
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(1, 3),
    sources=("gpu-glossary", "cuda-guide", "littles-law", "volkov-thesis"),
    leaves_out="One of the four schedulers of an SM, and warps that all do the same. Here the scheduler stays with a "
    "warp until it has to wait, then takes the one that has been ready for longest; one that changes warps after "
    "every instruction would let them all run into their loads together, and leave more slots empty while the warps "
    "are few. Real latencies vary with caches and traffic, memory bandwidth can run out first, and warps also wait "
    "for arithmetic, for shared memory and for each other. A real warp goes on until it needs the loaded value: "
    "several loads and other instructions of one warp can be in flight at once, which hides latency with fewer warps. "
    "A warp slot is also of no use when the registers for one more warp are taken. Real warps run into their loads "
    "together, so an H100’s corner is soft; where nothing is "
    "loaded, its multiply-adds by a constant keep to the formula.",
)
