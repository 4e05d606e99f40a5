"""The sums: what one more user adds, the steps of one user and of all on one scale, and what users and GPUs get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from loom.draw import Box, Mark, headline

from .._serving.step import Step
from .chart import CACHE, NAMES
from .model import Load
from .narration import clock, gpus, rate, users
from .stage import Stage

BEHIND = 24  # units: a strip that is shorter has no name


def draw_answer(stage: Stage, load: Load) -> Iterator[Mark]:
    """The answer to the title, in large type."""
    answer = f"+{clock(load.more)}"
    lines = ("on each step, with one more", f"user of {load.context:,} tokens")
    yield from headline(stage, 0, stage.pick(24, 30), answer, lines, widest=["+88.8\u00a0ms"])


def draw_bars(stage: Stage, load: Load, shown: int) -> Iterator[Mark]:
    """One user's step, and under it that of as many as are shown: all on the scale of the step that was chosen."""
    steps = {1: load.alone, shown: replace(load, batch=shown).step} if shown > 1 else {1: load.alone}
    box, long = stage.bars, max(float(one.time) for one in (load.alone, load.step))
    for row, (batch, one) in enumerate(steps.items()):
        bar, key, strong = box._replace(y=box.y + row * stage.pitch), "all" if row else "alone", " strong" * row
        y = stage.pick(bar.y - 5, bar.y + bar.height / 2 + 0.35 * stage.size)
        yield stage.text(f"{key}-who", 0, y, users(batch), f"label{strong}")
        yield stage.text(f"{key}-time", stage.width, y, clock(one.time), f"value{strong}", anchor="end")
        yield from draw_step(stage, key, bar, one, long)
    yield from draw_parts(stage, one, bar, float(one.time) / long * bar.width)


def draw_parts(stage: Stage, one: Step, bar: Box, length: float) -> Iterator[Mark]:
    """The names of the parts under a step, with their times: each where its part begins, if there is room."""
    linear = ("weights", one.read_weights) if one.read_weights >= one.multiply else ("arithmetic", one.multiply)
    attention = ("cache", one.read_cache) if one.read_cache >= one.attend else ("attention", one.attend)
    y, words = bar.bottom + 4 + 0.8 * stage.size, [f"{name} {clock(time)}" for name, time in (linear, attention)]
    begins = bar.x + length * float(linear[1] / one.time)
    second = max(begins, bar.x + stage.text_width(words[0]) + 16)
    yield stage.text("part-linear", bar.x, y, words[0], NAMES[linear[0]])
    place = min(second, stage.width - stage.text_width(words[1]))
    yield stage.text("part-attention", place, y, words[1], NAMES[attention[0]])
    hidden = f"arithmetic {clock(one.multiply)}"
    x = bar.x + stage.text_width(words[0]) + 16
    seen = linear[0] == "weights" and length * float(one.multiply / one.time) > BEHIND
    if not stage.narrow and seen and x + stage.text_width(hidden) + 16 < place:
        yield stage.text("part-behind", x, y, hidden, "work")


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
