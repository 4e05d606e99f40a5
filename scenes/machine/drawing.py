"""The picture of the machine: what each memory holds as area, and the way to it as length and width."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, quantity
from loom.scene import Moment

from .._gpus.memory import TERA, Gpu
from .measured import by_level
from .measured import nearest as nearest_measured
from .model import FAR, HBM, SIZES, Level, Sent, spelled
from .narration import cycles, rate
from .plan import places, plan
from .stage import NARROW, WIDE, Stage
from .stairs import draw_stairs


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, sent = NARROW if width == NARROW.width else WIDE, moment.result
    if moment.phase == "staircase":
        yield from draw_stairs(stage, sent)
        yield from ruler(stage, sent)
        return
    gone = moment.past("send") * sent.found.cycles
    here = sent.levels[sent.reached(gone)] if moment.since("send") else None
    yield from plan(stage, sent.gpu)
    yield from data(stage, sent)
    if here:
        yield stage.outlines("here", places(stage, sent.gpu)[here.name], "hot")
    yield from way(stage, sent.gpu, moment.phase == "rates")
    if here:
        yield stage.circle("load", stage.along(gone), stage.way[1], stage.pick(5, 6), "hot steady")
    if moment.since("send"):
        yield from answer(stage, sent, gone, moment)
    elif moment.phase == "rates" and sent.found.rate and sent.found.name != FAR:
        yield from stream(stage, sent.found)
    yield from ruler(stage, sent)


def data(stage: Stage, sent: Sent) -> Iterator[Mark]:
    """How much of L1 and L2 the data take up: a memory that they overfill can't hold them."""
    upper, lower = stage.l2_boxes(sent.gpu)
    share = 2 * min(1.0, sent.size / sent.gpu.l2)
    l1 = stage.sm_parts(sent.gpu)[1]
    levels = (("l1", l1, min(1.0, sent.size / sent.gpu.l1)), ("near", upper, min(1.0, share)),
              ("far", lower, max(0.0, share - 1)))  # fmt: skip
    for name, box, part in levels:
        strip = Box(box.x, box.bottom - box.height / 4, box.width * part, box.height / 4)
        yield stage.rect(f"data-{name}", strip, "data", round=0)


def way(stage: Stage, gpu: Gpu, rates: bool) -> Iterator[Mark]:
    """From the registers to HBM: as long as the cycles, as wide as the bytes that come each second."""
    levels = Sent(gpu, SIZES[0]).levels
    x, y = stage.way
    for before, level in zip((None, *levels), levels, strict=False):
        wide = level.rate / TERA * stage.thick
        left, right = (
            (x - stage.pick(2, 4), x) if before is None else (stage.along(before.cycles), stage.along(level.cycles))
        )
        if level.rate:
            pipe = Box(left, y - wide / 2, right - left, wide)
            yield stage.rect(f"pipe-{level.name}", pipe, "memory", round=0, read=told(level, gpu))
        else:
            yield stage.line(f"unknown-{level.name}", left, y, right, y, "memory dashed")
    for at, level in enumerate(levels):
        yield from flag(stage, at, level, rates)


def told(level: Level, gpu: Gpu) -> str:
    seen = by_level(gpu.name).get(level.name)
    came = f" ({round(seen)} on an {gpu.name} of ours)" if seen else ""
    return f"{level.name}: {rate(level.rate)}, after {cycles(level.cycles)}{came}"


def flag(stage: Stage, at: int, level: Level, rates: bool) -> Iterator[Mark]:
    """A post where a level is, with its name and its cycles, or the rate of what lies before it."""
    x, y, size = stage.along(level.cycles), stage.way[1], stage.size
    if at == 0:
        words = f"registers: {rate(level.rate)}" if rates else "registers"
        yield stage.text("flag-registers", x + 6, y - stage.pick(28, 40), words)
        return
    name, number = level.name, cycles(level.cycles)
    if stage.narrow:
        name = name.replace(",", "").replace(" half", "")
        number = number if name == HBM else f"{level.cycles}"
    if rates:
        number = "" if level.name == FAR else rate(level.rate) if level.rate else "not known"
    yield stage.line(f"post-{at}", x, y - 0.6 * size, x, y + 1.9 * size, "axis")
    yield stage.text(f"flag-{at}", x + 5, y - 0.7 * size, name)
    yield stage.text(f"number-{at}", x + 5, y + 1.7 * size, number, "value")


def stream(stage: Stage, found: Level) -> Iterator[Mark]:
    """What comes each second from where the data lie."""
    (x, y), anchor = stage.answer, stage.pick("end", "start")
    yield stage.text("rate", x, y, rate(found.rate), "value strong answer", anchor=anchor, size=stage.huge)
    yield stage.text("rate-of", x, y + 1.5 * stage.size, f"from {found.name}", "label answer", anchor=anchor)


def answer(stage: Stage, sent: Sent, gone: float, moment: Moment) -> Iterator[Mark]:
    x, y = stage.answer
    anchor = stage.pick("end", "start")
    yield stage.text("cycles", x, y, cycles(gone), "value strong answer", anchor=anchor, size=stage.huge)
    done = moment.past("send") == 1
    name = sent.found.name
    words = (
        f"from {name}: {quantity(sent.seconds, 's')}" if done and sent.at else ("in registers" if done else "so far")
    )
    yield stage.text("found", x, y + 1.5 * stage.size, words, "label answer", anchor=anchor)
    seen = nearest_measured(sent.gpu.name, sent.size)
    if done and sent.at and seen:
        words = f"measured, {spelled(seen[0])}: {cycles(seen[1])}"
        yield stage.text("measured", x, y + 2.9 * stage.size, words, "note answer", anchor=anchor)


def ruler(stage: Stage, sent: Sent) -> Iterator[Mark]:
    """All sizes, with a bead at the chosen one; a stretch for each level that answers there."""
    box, size = stage.ruler, stage.size
    left = box.x
    for at, level in enumerate(sent.levels):
        right = min(stage.on_ruler(level.holds), box.right)
        role = "memory" if at == sent.at else "memory soft"
        strip = Box(left, box.y, right - left, box.height).inset(0, 0, 1)
        yield stage.rect(f"sizes-{level.name}", strip, role, round=0, set={"size": nearest(level, sent)},
                         label=f"data that {level.name} answers for",
                         read=f"{level.name}: up to {spelled(level.holds)}")  # fmt: skip
        words = level.name.split(",")[0] if level.name != FAR else ""
        if stage.text_width(words) < right - left:
            yield stage.text(f"sizes-{level.name}-name", (left + right) / 2, box.bottom + 1.1 * size, words, "note",
                             anchor="middle")  # fmt: skip
        left = right
    x, y = stage.rail[SIZES.index(sent.size)]
    anchor = "start" if x < box.x + 30 else "end" if x > box.right - 30 else "middle"
    yield stage.text(
        "size", x + (6 if anchor == "start" else 0), box.y - 0.6 * size, spelled(sent.size), "hot strong", anchor=anchor
    )
    yield stage.knob("size-knob", x, y, "size", stage.rail)


def nearest(level: Level, sent: Sent) -> int:
    """A size that this level answers for: the largest there is."""
    return max((size for size in SIZES if size <= level.holds), default=SIZES[0])
