"""The plan of a GPU: one SM, the chip that it is a part of, and the HBM in which the chip is a speck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark

from .._gpus.memory import KB, MB, SUB_PARTITIONS, Gpu
from .model import FAR, HBM, L1, NEAR, REGISTERS, spelled
from .stage import ROWS, Stage


@lru_cache(maxsize=8)  # the same for all sizes and beats
def plan(stage: Stage, gpu: Gpu) -> list[Mark]:
    """Three scales side by side."""
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
    cores = Box(registers.x, stage.one.y, registers.width, stage.cores - 2)
    yield stage.rect("cores", cores, "work soft", round=0,
                     read="four sub-partitions, each with a scheduler, 32 lanes and a tensor core")  # fmt: skip
    parts = [(registers, "registers", 256), (l1, "L1 and shared", gpu.l1 // KB)]
    if gpu.tensor_memory:
        parts.append((tensor, "tensor memory", gpu.tensor_memory // KB))
    for box, name, size in parts:
        top = 0 if box == registers else 2
        yield stage.rect(f"one-{name}", box.inset(top=top), "memory soft", round=0, read=f"{name}: {size} KB")
    quarters = registers.columns(SUB_PARTITIONS)[:-1]
    yield stage.strokes("quarters", ([(one.right, cores.y), (one.right, one.bottom)] for one in quarters), "grid")
    for box, name, size in parts:
        words = stage.pick(name, f"{name} {size} KB")
        yield stage.text(f"one-{name}-words", box.x + box.width / 2, box.y + box.height / 2, words, anchor="middle",
                         middle=True)  # fmt: skip


def chip(stage: Stage, gpu: Gpu) -> Iterator[Mark]:
    """Two banks of SMs, and between them the halves of L2."""
    rows, columns = stage.sm_rows(gpu), gpu.sms // ROWS[gpu.name]
    lines = []
    for bank in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
        whole = bank[0]._replace(height=bank[-1].bottom - bank[0].y)
        yield stage.rect(f"bank-{'lower' if lines else 'upper'}", whole, "memory soft", round=0)
        lines += [[(cell.right, whole.y), (cell.right, whole.bottom)] for cell in whole.columns(columns)[:-1]]
        lines += [[(row.x, row.bottom), (row.right, row.bottom)] for row in bank[:-1]]
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
