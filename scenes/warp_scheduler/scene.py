"""Hiding latency: while one warp waits for memory, the scheduler issues for another."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Column, Moment, Phase, Range, Scene, Table, Value

from .curve import COUNTS, percent
from .drawing import draw
from .model import H100_BANDWIDTH, H100_LATENCY, H100_SMS, LANES, NOBODY, SIMULATED, SLOTS, Load, bytes_in_flight

RUNS = {number: count(number, "instruction") for number in (1, 4, 10, 20)}


def say_alone(moment: Moment) -> str:
    load = moment.result
    alone = Load(1, load.latency, load.instructions)
    return (
        f"A warp is {LANES} threads that execute together. This one issues {count(load.instructions, 'instruction')}, "
        f"one a cycle, then waits {load.latency} cycles for a load from memory. Alone it uses {percent(alone.used)} of "
        "the issue slots: the chances, one a cycle, to start an instruction."
    )


def say_together(moment: Moment) -> str:
    load = moment.result
    if load.warps == 1:
        return "With one warp there is nobody to take over: while it waits, the scheduler has nothing to issue."
    first = f"Now {load.warps} warps take turns: when one has to wait, the one that has been ready for longest issues"
    if load.hidden and load.turn > load.period:
        return f"{first}. Each is ready again after {load.period} cycles, before its turn comes after {load.turn}."
    return f"{first}. When all have issued, the first is {'ready again' if load.hidden else 'still waiting'}."


def say_lane(moment: Moment) -> str:
    load = moment.result
    slots = f"{count(load.warps, 'warp')} × {load.instructions} = {load.issues} slots"
    if load.hidden:
        return (
            f"No slot is empty: {slots}, and a warp is back after {load.period} cycles. Memory is as slow as before, "
            "yet the wait is hidden."
        )
    return (
        f"A warp is back after {load.instructions} + {load.latency} = {load.period} cycles. In them {slots} are used; "
        f"{load.idle} stay empty."
    )


def say_curve(moment: Moment) -> str:
    load = moment.result
    every = f"({load.instructions} + {load.latency}) ÷ {load.instructions}, rounded up, is {load.saturate}"
    if load.hidden:
        return (
            f"{every}: that many warps fill all slots, and more add nothing. "
            f"{load.warps} {'is' if load.warps == 1 else 'are'} enough."
        )
    start = f"Each warp adds as much as the one before until all slots are used. {every}"
    if load.saturate > SLOTS:
        most = percent(Load(SLOTS, load.latency, load.instructions).used)
        return (
            f"{start}: more than the {SLOTS} that there is room for, which reach {most}. The rest has to come from "
            "more work between loads."
        )
    return f"{start} warps: {load.saturate - load.warps} more than now."


def table(load: Load) -> Table:
    columns = (
        Column("warps", "warps"),
        Column("used", "issue slots used", "%", digits=1),
        Column("idle", "idle cycles a period", "cycles"),
    )
    loads = [Load(number, load.latency, load.instructions) for number in COUNTS]
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
    }


SCENE = Scene(
    title="How can a processor that waits 400 cycles for memory stay busy?",
    summary="One scheduler issues an instruction a cycle from whichever warp is ready: with enough warps there is "
    "always one, and the wait for memory is hidden.",
    params=(
        Range("warps", "Warps", {number: count(number, "warp") for number in COUNTS}, default=4),
        Range("latency", "Latency of a load", (20, 100, 400), default=100, unit="cycles"),
        Range("instructions", "Instructions between loads", RUNS, default=10),
    ),
    sentence="With {warps}, each waiting {latency} for a load after every {instructions}.",
    solve=Load,
    steps=(
        Phase("alone", say_alone),
        Phase("together", say_together),
        Phase("lane", say_lane),
        Phase("curve", say_curve),
    ),
    draw=draw,
    table=table,
    values=values,
    opening=4,
    key_steps=(1, -1),
    sources=("gpu-glossary", "cuda-guide", "littles-law", "volkov-thesis"),
    leaves_out="One of the four schedulers of an SM, and warps that all do the same. Here the scheduler stays with a "
    "warp until it has to wait, then takes the one that has been ready for longest; one that changes warps after every "
    "instruction would let them all run into their loads together, and leave more slots empty while the warps are few. "
    "Real latencies vary with caches and traffic, memory bandwidth can run out first, and warps also wait for "
    "arithmetic, for shared memory and for each other. A real warp goes on until it needs the loaded value: several "
    "loads and other instructions of one warp can be in flight at once, which hides latency with fewer warps. A warp "
    "slot is also of no use when the registers for one more warp are taken.",
)
