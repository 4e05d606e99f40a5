"""Eight requests that can be followed by hand: who has which slot, who waits, and how long each of them takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, count, memoized, number

from .case import NAMES, Case
from .model import CONTINUOUS, SLOTS, Served
from .stage import LONGEST, STEPS, Stage


@memoized
def draw_eight(stage: Stage, case: Case) -> Iterator[Mark]:
    """The whole schedule, as it will have been."""
    served = case.eight.served
    yield stage.rect("slots", stage.slots, "cell", round=0)
    yield stage.rect("queue", stage.queue, "cell", round=0)
    held = [stage.span(stage.slot(one.slot), one.end, one.free, STEPS) for one in served if one.free > one.end]
    yield stage.hatches("held", held, "dropped thin", stage.pick(5, 7))
    for name, one in zip(NAMES, served, strict=True):
        box = stage.span(stage.slot(one.slot), one.start, one.end, STEPS, stage.pick(2, 4))
        words = f"{name}: {count(one.tokens, 'token')}, steps {one.start} to {one.end}"
        yield stage.rect(f"run-{name}", box, "work soft", round=0, read=words)
        yield stage.text(f"run-{name}-name", box.x + 6, box.y + box.height / 2, name, "value strong", middle=True)
    yield from draw_waiting(stage, served)
    steps = [[(x, stage.slots.y), (x, stage.slots.bottom)] for x in (stage.x(at, STEPS) for at in range(1, STEPS))]
    yield stage.strokes("steps", steps, "grid thin")
    base = stage.slots.bottom + stage.size + 3
    for at in (0, 5, 10, STEPS):
        anchor = "start" if not at else "end" if at == STEPS else "middle"
        words = f"step {at}" if at == STEPS else str(at)
        yield stage.text(f"step-{at}", stage.x(at, STEPS), base, words, "note", anchor=anchor)


def draw_waiting(stage: Stage, served: Sequence[Served]) -> Iterator[Mark]:
    """Who waits, from arrival to slot; late comers stand below."""
    rows: list[float] = [0.0] * SLOTS  # from when on each row of the queue is free
    for name, one in zip(NAMES, served, strict=True):
        if not one.wait:
            continue
        row = next(at for at, free in enumerate(rows) if free <= one.arrival)
        rows[row] = one.start
        box = stage.span(stage.place(row), one.arrival, one.start, STEPS)
        words = f"{name} waits {steps_of(one.wait)}"
        yield stage.rect(f"wait-{name}", box, "dropped soft", round=0, read=words)
        yield stage.text(f"wait-{name}-name", box.x + 6, box.y + box.height / 2, name, "value strong", middle=True)


def steps_of(time: float) -> str:
    return f"{number(time, 4)} step{'s' * (time != 1)}"


def draw_each(stage: Stage, case: Case, now: float, done: bool) -> Iterator[Mark]:
    """How long each request has taken until now: its wait, its tokens, and in the end how long its answer was held."""
    unit = stage.each.width / LONGEST
    for at, (name, one) in enumerate(zip(NAMES, case.eight.served, strict=True)):
        row = stage.row(at)
        yield stage.text(f"each-{name}", row.x - 6, row.y + row.height / 2, name, "label", anchor="end", middle=True)
        wait = max(min(now, one.start) - one.arrival, 0)
        run = max(min(now, one.end) - one.start, 0)
        left = row.x + wait * unit
        if wait:
            yield stage.rect(f"each-{name}-wait", row._replace(width=wait * unit), "dropped soft", round=0)
        yield stage.rect(f"each-{name}-run", Box(left, row.y, run * unit, row.height), "work soft", round=0,
                         read=told(name, one, case.policy) if done else "")  # fmt: skip
        if done:
            left += run * unit
            if held := one.free - one.end:
                yield stage.hatch(f"each-{name}-held", Box(left, row.y, held * unit, row.height), "dropped thin", 5)
            yield stage.text(f"each-{name}-steps", left + held * unit + 5, row.y + row.height / 2,
                             number(one.latency), "value", middle=True)  # fmt: skip


def told(name: str, one: Served, policy: str) -> str:
    """When a request's first token and its last are handed over; of a static batch all are at once."""
    first = f"first token after {steps_of(one.wait + 1)}, " if policy == CONTINUOUS else ""
    return f"{name}: {first}answer after {steps_of(one.latency)}"


def eight_words(case: Case) -> tuple[str, str]:
    """What the mean number of steps is, and its parts."""
    eight = case.eight
    parts = [f"{number(eight.wait)} waiting", f"{number(eight.early - eight.wait)} in a slot"]
    if held := eight.latency - eight.early:
        parts.append(f"{number(held)} held")
    return "from arrival to answer, in the mean", " + ".join(parts)
