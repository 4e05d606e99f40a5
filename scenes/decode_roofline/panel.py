"""The sums: what one more user adds, the steps of one user and of all on one scale, and what users and GPUs get."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .._serving.step import Step
from .chart import CACHE, NAMES
from .model import Load
from .narration import clock, gpus, rate, users
from .stage import Stage


def draw_answer(stage: Stage, load: Load) -> Iterator[Mark]:
    """The answer to the title, in large type."""
    x = stage.bars.x
    yield stage.text("answer", x, stage.huge, f"+{clock(load.more)}", "value strong answer", size=stage.huge)
    lines = ("on each step, with one more", f"user of {load.context:,} tokens")
    beside = x + stage.room("+88.8\u00a0ms", size=stage.huge, strong=True) + 10
    for at, line in enumerate(lines):
        place = stage.pick((beside, 12 + 15 * at), (x, stage.huge + 22 + 19 * at))
        yield stage.text(f"answer-words-{at}", *place, line, "label answer")


def draw_bars(stage: Stage, load: Load, shown: int) -> Iterator[Mark]:
    """One user's step, and under it that of all, as long as their times."""
    steps = {1: load.alone, shown: load.step} if shown > 1 else {1: load.alone}
    longest, box = max(float(one.time) for one in steps.values()), stage.bars
    high, pitch = stage.pick((9, 28), (15, 46))
    for row, (batch, one) in enumerate(steps.items()):
        y, key = box.y + row * pitch, "all" if row else "alone"
        yield stage.text(f"{key}-who", box.x, y, users(batch), "label strong" if row else "label")
        yield stage.text(f"{key}-time", box.right, y, clock(one.time), "value strong" if row else "value", anchor="end")
        yield from draw_step(stage, key, Box(box.x, y + 5, box.width, high), one, longest)
    if not stage.narrow:
        yield from draw_parts(stage, one, box.y + (len(steps) - 1) * pitch + high + 8 + stage.size)


def draw_parts(stage: Stage, one: Step, y: float) -> Iterator[Mark]:
    """The names of the parts under a step, with their times."""
    linear = ("weights", one.read_weights) if one.read_weights >= one.multiply else ("arithmetic", one.multiply)
    attention = ("cache", one.read_cache) if one.read_cache >= one.attend else ("attention", one.attend)
    yield stage.text("part-linear", stage.bars.x, y, f"{linear[0]} {clock(linear[1])}", NAMES[linear[0]])
    words = f"{attention[0]} {clock(attention[1])}"
    yield stage.text("part-attention", stage.bars.right, y, words, NAMES[attention[0]], anchor="end")


def draw_step(stage: Stage, key: str, box: Box, one: Step, longest: float) -> Iterator[Mark]:
    """The linear layers and then attention, each as long as what is waited for; a strip is what hides behind it."""
    unit, x = box.width / longest, box.x
    pairs = (
        (("weights", "memory", one.read_weights), ("arithmetic", "work", one.multiply)),
        (("cache", CACHE, one.read_cache), ("attention’s arithmetic", "work", one.attend)),
    )
    for number, pair in enumerate(pairs):
        hidden, shown = sorted(pair, key=lambda part: float(part[2]))
        long, short = round(float(shown[2]) * unit, 1), round(float(hidden[2]) * unit)
        bar = Box(x, box.y, max(long, 0.5), box.height)
        yield stage.rect(f"{key}-{number}-{shown[1]}", bar, shown[1], round=0, read=f"{shown[0]} {clock(shown[2])}")
        if short > 2 and key == "all":
            strip = Box(x, box.bottom - box.height / 3, short, box.height / 3)
            yield stage.rect(f"all-{number}-{hidden[1]}-behind", strip, hidden[1], round=0,
                             read=f"meanwhile {hidden[0]} {clock(hidden[2])}")  # fmt: skip
        x += long


def draw_facts(stage: Stage, load: Load) -> Iterator[Mark]:
    """What users get from as many GPUs as hold them."""
    (x, y), number = stage.facts, load.gpus
    held = f"{gpus(number, load.gpu)} {'holds' if number == 1 else 'hold'} that"
    if number > 1:
        held += f": at best {clock(load.time / number)}"
    role = "label strong" if number == load.limits.least else "dropped strong"
    yield stage.text("fact-held", x, y, held, role)
    rates = f"{rate(number * load.user)} tokens/s each, {rate(number * load.everyone)} for all"
    yield stage.text("fact-rates", x, y + 1.45 * stage.size, rates)
