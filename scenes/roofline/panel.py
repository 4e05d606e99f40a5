"""The sums beside the plot: bandwidth, peak, intensity, and the two times of which the longer one counts."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, paragraph, quantity
from loom.scene import Moment

from .machines import GPUS
from .model import ARITHMETIC, MEMORY, Case, Chosen
from .narration import bandwidth, peak, ratio, share, short, told
from .stage import Stage


def draw_panel(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What is known so far, from the top down."""
    chosen, case, box, phase = moment.result, moment.result.case, stage.panel, moment.phase
    half = stage.pick(160, box.width)
    other = stage.pick(box.inset(left=168), box.inset(top=74))
    name, speed = f"memory of the {chosen.name}", bandwidth(case.bandwidth)
    yield from _fact(stage, "memory", box.x, box.y, half, phase == "slope", name, speed)
    if moment.since("ceiling"):
        top = peak(case.peak)
        yield from _fact(stage, "peak", other.x, other.y, half, phase == "ceiling", peak_head(chosen), top)
    if moment.since("intensity"):
        yield from _intensity(stage, chosen, box.inset(top=stage.pick(45, 148)), phase == "intensity")
    if phase == "meet":
        yield from _times(stage, case, box.inset(top=stage.pick(100, 248)))
    if moment.since("ceiling"):
        y = box.y + stage.pick(172, 366)
        yield from paragraph(stage, "lacking", box.x, y, lacking(chosen.precision), box.width)


def peak_head(chosen: Chosen) -> str:
    if chosen.falls_back:
        return f"no {chosen.precision}: peak in {chosen.computes_in}"
    return "peak in FP32" if chosen.precision == "FP32" else f"peak in {chosen.precision}, dense"


def lacking(precision: str) -> str:
    """Which GPUs have no rate for the precision, and what their roofs are then; empty if all have."""
    groups: dict[str, list[str]] = {}
    for gpu in GPUS.values():
        groups.setdefault(gpu.computes_in(precision), []).append(gpu.name)
    parts = [f"{', '.join(names)} in {used}" for used, names in groups.items() if used != precision]
    return f"No {precision}; drawn instead: {'; '.join(parts)}" if parts else ""


def _fact(stage: Stage, key: str, x: float, y: float, width: float, now: bool, head: str,
          value: str) -> Iterator[Mark]:  # fmt: skip
    """A rule, what it is, and how much."""
    role, low = "hot strong" if now else "value strong", y + 1.6 * stage.size + stage.large
    yield stage.line(f"{key}-rule", x, y + 1, x + width, y + 1, "hot" if now else "grid")
    yield stage.text(f"{key}-head", x, y + 1.35 * stage.size, head, "note")
    yield stage.text(f"{key}-value", x, low, value, role, size=stage.large)


def _intensity(stage: Stage, chosen: Chosen, box: Box, now: bool) -> Iterator[Mark]:
    """FLOPs over bytes, each with the product that it comes from."""
    work, size, (_, *products) = chosen.case.work, stage.size, told(chosen)
    yield stage.line("intensity-rule", box.x, box.y + 1, box.right, box.y + 1, "hot" if now else "grid")
    yield stage.text("intensity-head", box.x, box.y + 1.35 * size, f"{short(chosen.kernel)}, intensity", "note")
    role, y = "hot strong" if now else "value strong", box.y + stage.pick(1.35, 1.45) * size
    yield stage.text("intensity-value", box.right, y, ratio(work.intensity), role, anchor="end",
                     size=stage.pick(size, stage.large))  # fmt: skip
    amounts = quantity(work.flops, "FLOP"), quantity(work.bytes, "B")
    base = y + stage.pick(1.3, 1.8) * size
    for key, how, amount in zip(("flops", "bytes"), products, amounts, strict=True):
        yield stage.text(f"{key}-how", box.x, base, how, "note")
        yield stage.text(f"{key}-value", box.right, base, amount, "value", anchor="end")
        base += 1.4 * size
    if not stage.narrow:
        yield stage.line("fraction", box.x, y + 2.2 * size, box.right, y + 2.2 * size, "axis")


def _times(stage: Stage, case: Case, box: Box) -> Iterator[Mark]:
    """Two bars on one scale: the longer one is the limit."""
    yield stage.line("times-rule", box.x, box.y + 1, box.right, box.y + 1, "hot")
    y, high = box.y + stage.pick(5, 7), stage.pick(6, 9)
    for key, head, seconds in ((MEMORY, "to move the bytes", case.memory_time),
                               (ARITHMETIC, "to compute", case.arithmetic_time)):  # fmt: skip
        longer, words, base = case.bound == key, quantity(seconds, "s"), y + 0.95 * stage.size
        if seconds:
            words += ", the limit" if longer else f", {share(100 * seconds / case.time)} of it"
        track, length = Box(box.x, base + 5, box.width, high), box.width * seconds / case.time
        bar = Box(track.x, track.y, max(length, 1.0) if seconds else 0, high)
        yield stage.text(f"time-{key}-head", box.x, base, head, "hot strong" if longer else "label")
        yield stage.text(f"time-{key}-value", box.right, base, words, "hot strong" if longer else "value", anchor="end")
        yield stage.rect(f"time-{key}-track", track, "cell soft", round=1)
        yield stage.rect(f"time-{key}", bar, "hot" if longer else "kept", round=1)
        y = track.bottom + stage.pick(6, 10)
