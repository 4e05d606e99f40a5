"""The sums: what one more user adds, the steps of one user and of all on one scale, and what users and GPUs get."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, headline

from .._serving.step import Step
from .chart import CACHE, NAMES
from .model import Load
from .narration import clock, gpus, rate, users
from .pace import PARTS
from .stage import Stage

BEHIND = 24  # units: a strip that is shorter has no name
SLICES = 3.5, 5.5  # units: one user's part of the caches; narrower ones are not told apart


def draw_answer(stage: Stage, load: Load) -> Iterator[Mark]:
    """The answer to the title, in large type."""
    answer = f"+{clock(load.more)}"
    lines = ("on each step, with one more", f"user of {load.context:,} tokens")
    yield from headline(stage, 0, stage.pick(24, 30), answer, lines, "value hot", widest=["+88.8\u00a0ms"])


def draw_bars(stage: Stage, load: Load, shown: int, there: bool, parts: int, done: int) -> Iterator[Mark]:
    """One user's step, and under it that of as many as are shown; once all are `there`, what one more adds at its end.

    All are on the scale of the step that was chosen, with one more. So many parts of one user's have begun or are done.
    """
    loads = [load.of(batch) for batch in ((1, shown) if shown > 1 else (1,))]
    box = stage.bars
    unit = box.width / max(load.time + load.more, loads[0].time)
    for row, one in enumerate(loads):
        bar, key, strong = box._replace(y=box.y + row * stage.pitch), "all" if row else "alone", " strong" * row
        bar = bar._replace(width=one.time * unit)
        y = stage.pick(bar.y - 5, bar.y + bar.height / 2 + 0.35 * stage.size)
        yield stage.text(f"{key}-who", 0, y, users(one.batch), f"label{strong}")
        if done == PARTS:
            anchor = stage.pick("end", "start")
            yield stage.text(f"{key}-told", stage.told, y, told(one), f"value{strong}", anchor=anchor)
        yield from draw_step(stage, key, bar, one.step, unit, parts)
    if there:
        yield from draw_cuts(stage, bar, one, unit)
        added = Box(round(bar.right), bar.y, max(round(one.more * unit), 1), bar.height)
        yield stage.rect("more", added, "hot", round=0)
    yield from draw_parts(stage, one.step, bar, done)


def told(load: Load) -> str:
    """How long a step takes, what all get by it together, and what each gets."""
    each = f", {rate(load.user)} each" if load.batch > 1 else ""
    return f"{clock(load.time)}: {rate(load.everyone)} tokens/s{each}"


def draw_cuts(stage: Stage, bar: Box, load: Load, unit: float) -> Iterator[Mark]:
    """Between the caches of two users, where each is wide enough to be seen."""
    caches = float(load.step.read_cache)
    each = caches / load.batch * unit
    if load.batch > 1 and caches >= load.step.attend and each >= stage.pick(*SLICES):
        places = [bar.right - each * after for after in range(load.batch - 1, 0, -1)]
        yield stage.strokes("cuts", ([(x, bar.y), (x, bar.bottom)] for x in places), "grid thin")


def draw_parts(stage: Stage, one: Step, bar: Box, done: int) -> Iterator[Mark]:
    """The names of the parts that are done under a step, with their times: each where it begins, if there is room."""
    linear = ("weights", one.read_weights) if one.read_weights >= one.multiply else ("arithmetic", one.multiply)
    attention = ("cache", one.read_cache) if one.read_cache >= one.attend else ("attention", one.attend)
    y, words = bar.bottom + 4 + 0.8 * stage.size, [f"{name} {clock(time)}" for name, time in (linear, attention)]
    begins = bar.x + bar.width * float(linear[1] / one.time)
    second = max(begins, bar.x + stage.text_width(words[0]) + 16)
    if done:
        yield stage.text("part-linear", bar.x, y, words[0], NAMES[linear[0]])
    place = round(min(second, stage.width - stage.text_width(words[1])))
    if done == PARTS:
        yield stage.text("part-attention", place, y, words[1], NAMES[attention[0]])
    hidden = f"arithmetic {clock(one.multiply)}"
    x = bar.x + stage.text_width(words[0]) + 16
    seen = linear[0] == "weights" and bar.width * float(one.multiply / one.time) > BEHIND
    if not stage.narrow and seen and x + stage.text_width(hidden) + 16 < place:
        yield stage.text("part-behind", x, y, hidden, "work")


def draw_step(stage: Stage, key: str, box: Box, one: Step, unit: float, begun: int) -> Iterator[Mark]:
    """The linear layers and then attention, each as long as what is waited for; a strip is what hides behind it."""
    x, runs = box.x, " steady" if key == "alone" else ""
    pairs = (
        (("weights", "memory", one.read_weights), ("arithmetic", "work", one.multiply)),
        (("cache", CACHE, one.read_cache), ("attention’s arithmetic", "work", one.attend)),
    )
    for number, pair in enumerate(pairs):
        hidden, shown = sorted(pair, key=lambda part: float(part[2]))
        long, short = round(float(shown[2]) * unit, 1), round(float(hidden[2]) * unit)
        bar, told = Box(x, box.y, max(long, 0.5) if number < begun else 0, box.height), f"{shown[0]} {clock(shown[2])}"
        yield stage.rect(f"{key}-{number}-{shown[1]}", bar, f"{shown[1]}{runs}", round=0, read=told)
        if short > 2 and key == "all":
            strip = Box(x, box.bottom - box.height / 3, short, box.height / 3)
            yield stage.rect(f"all-{number}-{hidden[1]}-behind", strip, hidden[1], round=0,
                             read=f"meanwhile {hidden[0]} {clock(hidden[2])}")  # fmt: skip
        x += long


def draw_facts(stage: Stage, load: Load) -> Iterator[Mark]:
    """How many GPUs hold the users, and how long these take."""
    number = load.gpus
    held = f"{gpus(number, load.gpu)} {'holds' if number == 1 else 'hold'} that"
    if number > 1:
        held += f": at best {clock(load.time / number)}"
    role = "label strong" if number == load.limits.least else "dropped strong"
    yield stage.text("fact-held", stage.width, stage.facts, held, role, anchor="end")
