"""What is said of the machine: what holds how much, how the way narrows, and where a load is found."""

from __future__ import annotations

from loom.draw import significant
from loom.scene import Moment, Phase

from .._gpus.memory import MB, TERA
from . import measured
from .model import FAR, HBM, L1, NEAR, REGISTERS, Sent, spelled
from .pace import plan_beats, rates_beats, send_beats, stairs_beats


def cycles(number: float) -> str:
    return f"{round(number)}\u00a0cycles"


def rate(number: float) -> str:
    return f"{number / TERA:.3g}\u00a0TB/s"


def _plan(moment: Moment) -> str:
    gpu = moment.result.gpu
    article = "a" if gpu.name.startswith("B") else "an"
    times = significant(float(f"{gpu.hbm / gpu.on_chip:.2g}"))
    held = spelled(round(gpu.on_chip / MB) * MB)
    return (
        f"Area is bytes. {gpu.sms} SMs and the L2 of {article} {gpu.name} hold {held}; "
        f"its HBM holds {times} times as much."
    )


def _send(moment: Moment) -> str:
    sent: Sent = moment.result
    size, found = spelled(sent.size), sent.found
    if found.name == REGISTERS:
        return f"{size} stays in a thread’s own registers: no load is sent, and nothing is waited for."
    before = sent.levels[sent.at - 1]
    lacks = f"the {spelled(before.holds)} of {_the(before.name)}"
    if found.name == HBM:
        return f"{size} is more than {lacks}. The load is found in HBM, after {cycles(found.cycles)}."
    return f"{size} is more than {lacks}, but fits in {_the(found.name)}: found after {cycles(found.cycles)}."


def _the(name: str) -> str:
    """L2's halves as a sentence says them."""
    said = {REGISTERS: "a thread’s registers", NEAR: "the near half of L2", FAR: "both halves of L2"}
    return said.get(name, name)


def _rates(moment: Moment) -> str:
    gpu = moment.result.gpu
    ends = [rate(one) for one in (gpu.register_rate, gpu.hbm_rate)]
    return (
        f"Below, length is cycles, and width bytes a second. The farther, the narrower: {ends[0]} from all registers, "
        f"{ends[1]} from HBM."
    )


def _staircase(moment: Moment) -> str:
    part = moment.result.gpu.name
    if not measured.staircase(part):
        return "Cycles over data: a step where they outgrow a memory. On a tread, twice the data cost nothing."
    l1, near = (spelled(measured.reach(part, name)) for name in (L1, NEAR))
    return (
        f"Cycles step up where data outgrow a memory. On an {part} of ours L1 held {l1}, half of L2 {near}; past "
        "that, steps are ramps."
    )


PHASES = (
    Phase("plan", _plan, beats=plan_beats),
    Phase("rates", _rates, beats=rates_beats),
    Phase("send", _send, beats=send_beats),
    Phase("staircase", _staircase, beats=stairs_beats),
)
