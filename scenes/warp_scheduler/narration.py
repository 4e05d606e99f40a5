"""The four steps: one warp alone, all warps, the issue slots, and the curve over the number of warps."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Moment, Phase

from .curve import percent
from .model import LANES, SLOTS, Load


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


PHASES = (
    Phase("alone", say_alone),
    Phase("together", say_together),
    Phase("lane", say_lane),
    Phase("curve", say_curve),
)
