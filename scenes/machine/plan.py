"""The plan of a GPU: one SM, the chip that it is a part of, and the HBM in which the chip is a speck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark

from .._gpus.memory import KB, MB, SUB_PARTITIONS, Gpu
from .model import FAR, HBM, L1, NEAR, REGISTERS, spelled
from .stage import ROWS, Point, Stage


@lru_cache(maxsize=8)  # the same for all sizes and beats
def plan(stage: Stage, gpu: Gpu) -> list[Mark]:
    """Three scales side by side, each memory over the place where the way comes to it."""
    hbm, speck = stage.hbm_box(gpu), stage.speck(gpu)
    return [
        stage.strokes("stems", stems(stage, gpu), "axis"),
        wedges(stage, gpu),
        *large_sm(stage, gpu),
        *chip(stage, gpu),
        stage.rect("hbm", hbm, "memory soft", round=0, read=f"HBM: {gpu.hbm / 1e9:.0f} GB"),
        stage.rect("speck", speck, "data", round=0, read=f"the chip: {spelled(round(gpu.on_chip / MB) * MB)}"),
    ]


@lru_cache(maxsize=8)
def names(stage: Stage, gpu: Gpu) -> list[Mark]:
    """What is what, and over it how much of it there is: to be drawn over the data that fill it."""
    registers, l1, tensor = stage.sm_parts(gpu)
    near, far = stage.l2_boxes(gpu)
    gigabytes = f"HBM: {gpu.hbm / 1e9:.0f} GB"
    over = {
        "one": (stage.cores_box(gpu), "one SM"),
        "chip": (stage.chip_box(gpu), stage.pick(f"{gpu.sms} SMs, L2", f"the chip: {gpu.sms} SMs and L2")),
        "hbm": (stage.hbm_box(gpu), stage.pick("HBM", gigabytes)),
    }
    marks = [stage.text(f"{name}-name", box.x, box.y - 0.45 * stage.size, words, "note")
             for name, (box, words) in over.items()]  # fmt: skip
    half = stage.pick("L2", f"{spelled(gpu.l2 / 2)} of L2")
    inside = [(REGISTERS, registers, stage.pick("registers", "registers 256 KB")),
              ("l1", l1, stage.pick("L1", f"L1 and shared {gpu.l1 // KB} KB")),
              ("near", near, half), ("far", far, half)]  # fmt: skip
    if gpu.tensor_memory:
        inside.append(("tensor", tensor, stage.pick("tensor", f"tensor memory {gpu.tensor_memory // KB} KB")))
    for name, (x, y, width, height), words in inside:
        place = (x + width / 2, y + height / 2)
        marks.append(stage.text(f"{name}-words", *place, words, anchor="middle", middle=True))
    speck, hbm = stage.speck(gpu), stage.hbm_box(gpu)
    return [*marks, stage.text("speck-name", speck.right + 4, hbm.bottom - 4, stage.pick("chip", "the chip"))]


def stems(stage: Stage, gpu: Gpu) -> list[list[Point]]:
    """From under the way up to each memory that a load comes to."""
    y, l1, hbm = stage.way[1] + 1.9 * stage.size, stage.sm_parts(gpu)[1], stage.hbm_box(gpu)
    lines = []
    for cycles, box in zip((gpu.near, gpu.far), stage.l2_boxes(gpu), strict=True):
        x, middle = stage.along(gpu, cycles), box.y + box.height / 2
        if cycles:
            lines.append([(x, y), (x, middle), (box.x if x < box.x else box.right, middle)])
    straight = ((gpu.l1_cycles, l1), (gpu.hbm_cycles, hbm))
    return [
        *lines,
        *([(stage.along(gpu, cycles), y), (stage.along(gpu, cycles), box.bottom)] for cycles, box in straight),
    ]


def wedges(stage: Stage, gpu: Gpu) -> Mark:
    """From what is drawn large to the same thing where it is small."""
    sm, row = stage.cores_box(gpu), stage.sm_rows(gpu)[0]
    chip_box, speck = stage.chip_box(gpu), stage.speck(gpu)
    lines = [[(sm.right, sm.y), (row.x, row.y)], [(sm.right, stage.ground), (row.x, row.bottom)],
             [(chip_box.right, chip_box.y), (speck.x, speck.y)],
             [(chip_box.right, chip_box.bottom), (speck.x, speck.bottom)]]  # fmt: skip
    return stage.strokes("wedges", lines, "axis thin dashed")


def large_sm(stage: Stage, gpu: Gpu) -> Iterator[Mark]:
    """What computes in its four sub-partitions, each with a quarter of the registers."""
    registers, _, tensor = stage.sm_parts(gpu)
    cores = stage.cores_box(gpu)
    yield stage.rect("cores", cores, "work soft", round=0,
                     read="four sub-partitions, each with a scheduler, 32 lanes and a tensor core")  # fmt: skip
    parts = [(registers, "registers", 256)]
    if gpu.tensor_memory:
        parts.append((tensor, "tensor memory", gpu.tensor_memory // KB))
    for box, name, size in parts:
        told = f"{name}: {size} KB"
        yield stage.rect(f"one-{name}", box.inset(bottom=2), "memory soft", round=0, read=told)
    quarters = registers.columns(SUB_PARTITIONS)[:-1]
    yield stage.strokes("quarters", ([(one.right, cores.y), (one.right, one.bottom)] for one in quarters), "grid")


def chip(stage: Stage, gpu: Gpu) -> Iterator[Mark]:
    """Two banks of SMs, with room between them for L2."""
    rows, columns = stage.sm_rows(gpu), gpu.sms // ROWS[gpu.name]
    lines = []
    for bank in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
        whole = bank[0]._replace(height=bank[-1].bottom - bank[0].y)
        yield stage.rect(f"bank-{'lower' if lines else 'upper'}", whole, "memory soft", round=0)
        lines += [[(cell.right, whole.y), (cell.right, whole.bottom)] for cell in whole.columns(columns)[:-1]]
        lines += [[(row.x, row.bottom), (row.right, row.bottom)] for row in bank[:-1]]
    yield stage.strokes("chip-lines", lines, "grid")


@lru_cache(maxsize=8)
def places(stage: Stage, gpu: Gpu) -> dict[str, list[Box]]:
    """Where each level is in the plan."""
    registers, l1, _ = stage.sm_parts(gpu)
    upper, lower = stage.l2_boxes(gpu)
    return {REGISTERS: [registers.columns(SUB_PARTITIONS)[0]], L1: [l1], NEAR: [upper], FAR: [lower],
            "L2": [upper, lower], HBM: [stage.hbm_box(gpu)]}  # fmt: skip
