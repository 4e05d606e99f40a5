"""The picture of the machine: what each memory holds as area, and the way to it as length and width."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, quantity
from loom.scene import Moment
from scenes._gpus.memory import KB, MB, SUB_PARTITIONS, TERA, Gpu

from .model import FAR, HBM, L1, NEAR, REGISTERS, SIZES, Level, Sent, spelled
from .narration import cycles, rate
from .stage import NARROW, ROWS, WIDE, Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, sent = NARROW if width == NARROW.width else WIDE, moment.result
    gone = moment.past("send") * sent.found.cycles
    here = sent.levels[sent.reached(gone)] if moment.since("send") else None
    yield from plan(stage, sent.gpu)
    yield from data(stage, sent)
    if here:
        yield stage.outlines("here", places(stage, sent.gpu)[here.name], "hot")
    yield from way(stage, sent.gpu, moment.phase == "rates")
    if here:
        yield stage.circle("load", stage.along(gone), stage.way[1], stage.pick(5, 6), "hot steady")
    yield from answer(stage, sent, gone, moment)
    yield from ruler(stage, sent)


@lru_cache(maxsize=8)  # the same for all sizes and beats
def plan(stage: Stage, gpu: Gpu) -> list[Mark]:
    """Three scales side by side: one SM, the chip that it is a part of, and the HBM in which the chip is a speck."""
    base = stage.one.y - 0.45 * stage.size
    hbm, speck = stage.hbm_box(gpu), stage.speck(gpu)
    words = stage.pick("chip", "the chip")
    return [
        stage.text("one-name", 0, base, "one SM", "note"),
        stage.text(
            "chip-name",
            stage.chip[0],
            base,
            stage.pick(f"{gpu.sms} SMs, L2", f"the chip: {gpu.sms} SMs and L2"),
            "note",
        ),
        stage.text("hbm-name", stage.hbm[0], base, stage.pick("HBM", f"HBM: {gpu.hbm / 1e9:.0f} GB"), "note"),
        wedges(stage, gpu),
        *large_sm(stage, gpu),
        *chip(stage, gpu),
        stage.rect("hbm", hbm, "memory soft", round=0, read=f"HBM: {gpu.hbm / 1e9:.0f} GB"),
        stage.rect("speck", speck, "data", round=0, read=f"the chip: {spelled(round(gpu.on_chip / MB) * MB)}"),
        stage.text("speck-name", speck.right + 4, hbm.bottom - 4, words),
    ]


def wedges(stage: Stage, gpu: Gpu) -> Mark:
    """From what is drawn large to the same thing where it is small."""
    registers, l1, tensor = stage.sm_parts(gpu)
    row, chip_box, speck = stage.sm_rows(gpu)[0], stage.chip_box(gpu), stage.speck(gpu)
    right, bottom = registers.right, max(l1.bottom, tensor.bottom)
    lines = [[(right, stage.one.y), (row.x, row.y)], [(right, bottom), (row.x, row.bottom)],
             [(chip_box.right, chip_box.y), (speck.x, speck.y)],
             [(chip_box.right, chip_box.bottom), (speck.x, speck.bottom)]]  # fmt: skip
    return stage.strokes("wedges", lines, "axis thin dashed")


def large_sm(stage: Stage, gpu: Gpu) -> Iterator[Mark]:
    """Its four sub-partitions side by side, each with what computes and a quarter of the registers; L1 under all."""
    registers, l1, tensor = stage.sm_parts(gpu)
    for at, box in enumerate(registers.columns(SUB_PARTITIONS, 2)):
        top = Box(box.x, stage.one.y, box.width, stage.cores - 2)
        yield stage.rect(f"cores-{at}", top, "work soft", round=0,
                         read="a sub-partition: a scheduler, 32 lanes and a tensor core")  # fmt: skip
        yield stage.rect(f"registers-{at}", box, "memory soft", round=0, read="registers of a sub-partition: 64 KB")
    parts = [(registers, "registers", 256), (l1, "L1 and shared", gpu.l1 // KB)]
    if gpu.tensor_memory:
        parts.append((tensor, "tensor memory", gpu.tensor_memory // KB))
    for box, name, size in parts:
        if name != "registers":
            yield stage.rect(f"one-{name}", box.inset(top=2), "memory soft", round=0, read=f"{name}: {size} KB")
        words = stage.pick(name, f"{name} {size} KB")
        yield stage.text(f"one-{name}-words", box.x + box.width / 2, box.y + box.height / 2, words, anchor="middle",
                         middle=True)  # fmt: skip


def chip(stage: Stage, gpu: Gpu) -> Iterator[Mark]:
    """Rows of SMs, each with its registers above its L1, and between the rows the halves of L2."""
    rows, columns = stage.sm_rows(gpu), gpu.sms // ROWS[gpu.name]
    lines = []
    for at, row in enumerate(rows):
        yield stage.rect(f"row-{at}", row, "memory soft", round=0)
        lines += [[(cell.right, row.y), (cell.right, row.bottom)] for cell in row.columns(columns)[:-1]]
        lines.append([(row.x, row.bottom), (row.right, row.bottom)])
    yield stage.strokes("chip-lines", lines, "grid")
    halves = stage.l2_boxes(gpu)
    words = "L2" if stage.narrow else f"half of L2: {spelled(gpu.l2 / 2)}"
    for name, box in zip(("near", "far"), halves, strict=True):
        told = f"half of L2: {spelled(gpu.l2 / 2)}"
        yield stage.rect(f"l2-{name}", box.inset(top=1, bottom=1), "memory soft", round=0, read=told)
        yield stage.text(f"l2-{name}-words", box.x + box.width / 2, box.y + 0.42 * box.height, words, anchor="middle",
                         middle=True)  # fmt: skip


@lru_cache(maxsize=8)
def places(stage: Stage, gpu: Gpu) -> dict[str, list[Box]]:
    """Where each level is in the plan."""
    registers, l1, _ = stage.sm_parts(gpu)
    upper, lower = stage.l2_boxes(gpu)
    return {REGISTERS: [registers.columns(SUB_PARTITIONS)[0]], L1: [l1], NEAR: [upper], FAR: [lower],
            "L2": [upper, lower], HBM: [stage.hbm_box(gpu)]}  # fmt: skip


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
            yield stage.rect(f"pipe-{level.name}", pipe, "memory", round=0, read=told(level))
        else:
            yield stage.line(f"unknown-{level.name}", left, y, right, y, "memory dashed")
    for at, level in enumerate(levels):
        yield from flag(stage, at, level, rates)


def told(level: Level) -> str:
    return f"{level.name}: {rate(level.rate)}, after {cycles(level.cycles)}"


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


def answer(stage: Stage, sent: Sent, gone: float, moment: Moment) -> Iterator[Mark]:
    x, y = stage.answer
    anchor = stage.pick("end", "start")
    yield stage.text("cycles", x, y, cycles(gone), "value strong answer", anchor=anchor, size=stage.huge)
    done = moment.since("send") and moment.past("send") == 1
    name = sent.found.name
    words = (
        f"from {name}: {quantity(sent.seconds, 's')}" if done and sent.at else ("in registers" if done else "so far")
    )
    yield stage.text("found", x, y + 1.5 * stage.size, words, "label answer", anchor=anchor)


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
        if stage.room(words) < right - left:
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
