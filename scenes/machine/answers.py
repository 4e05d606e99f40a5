"""The large number of each chapter, always in the same place, and what it is the answer to."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, quantity, significant
from loom.scene import Moment

from .measured import nearest
from .model import FAR, Sent, spelled
from .narration import cycles, rate
from .pace import PARTS, filling, open_now
from .stage import Stage

WIDEST = "888\u00a0cycles"  # so that words beside a number that counts stay where they are


def draw_answer(stage: Stage, moment: Moment, gone: float) -> Iterator[Mark]:
    """How much more HBM holds, how much comes each second, or how many cycles the load has been under way."""
    sent: Sent = moment.result
    if moment.phase == "plan":
        yield from fitting(stage, moment)
    elif moment.phase == "rates":
        if sent.found.rate and sent.found.name != FAR and open_now(moment) > sent.at:
            yield from large(stage, "rate", rate(sent.found.rate), "rate-of", f"from {sent.found.name}")
    else:
        yield from arrival(stage, sent, gone, moment.past("send") == 1)


def fitting(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many chips the part of HBM holds that is filled."""
    gpu, done = moment.result.gpu, filling(moment)
    if moment.progress < 1 and not done:
        return
    side = stage.hbm_box(gpu).width / stage.speck(gpu).width
    all_of_it = gpu.hbm / gpu.on_chip
    now = all_of_it if done is None else (1.0, side)[done - 1] if done <= 2 else all_of_it * (done - 2) / PARTS
    numbers = [f"{significant(float(f'{one:.2g}'))}×" for one in (now, all_of_it)]
    yield stage.text("times", *stage.answer, numbers[0], "value strong answer", size=stage.huge)
    yield stage.text("times-of", *beside(stage, numbers[1]), "as much fits in HBM as on the chip", "label answer")


def arrival(stage: Stage, sent: Sent, gone: float, done: bool) -> Iterator[Mark]:
    """The cycles, with their time and what a GPU of ours took when the load has come to its data."""
    found = f"from {sent.found.name}: {quantity(sent.seconds, 's')}" if sent.at else "in registers"
    seen = nearest(sent.gpu.name, sent.size) if sent.at else None
    x, y = beside(stage, WIDEST)
    yield stage.text("cycles", *stage.answer, cycles(gone), "value strong answer", size=stage.huge)
    yield stage.text("found", x, y - (1.3 * stage.size if seen else 0), found if done else "so far", "label answer")
    if done and seen:
        words = f"measured, {spelled(seen[0])}: {cycles(seen[1])}"
        yield stage.text("measured", x, y, words, "note answer measured")


def large(stage: Stage, key: str, number: str, name: str, words: str) -> Iterator[Mark]:
    """A number, and what it counts."""
    yield stage.text(key, *stage.answer, number, "value strong answer", size=stage.huge)
    yield stage.text(name, *beside(stage, number), words, "label answer")


def beside(stage: Stage, number: str) -> tuple[float, float]:
    """The place of words beside a number."""
    x, y = stage.answer
    return (x + stage.text_width(number, size=stage.huge, strong=True) + 10, y)
