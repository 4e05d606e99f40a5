"""Eight requests that can be followed by hand: who has which slot, who waits for whom, and how long each takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, count, memoized, number

from .case import NAMES, Case
from .model import CONTINUOUS, SLOTS, Served
from .stage import LONGEST, STEPS, Stage


@memoized
def draw_eight(stage: Stage, case: Case) -> Iterator[Mark]:
    """The whole schedule, as it will have been; the rooms end with it."""
    served, end = case.eight.served, case.eight.steps
    for name, room in (("slots", stage.slots), ("queue", stage.queue)):
        yield stage.rect(name, room._replace(width=stage.x(end, STEPS) - room.x), "cell", round=0)
    held = {at: stage.span(stage.slot(one.slot), one.end, one.free, STEPS)
            for at, one in enumerate(served) if one.free > one.end}  # fmt: skip
    yield stage.hatches("held", [*held.values()], "dropped thin", stage.pick(5, 7))
    for name, one in zip(NAMES, served, strict=True):
        box = stage.span(stage.slot(one.slot), one.start, one.end, STEPS, stage.pick(2, 4))
        words = f"{name}: {count(one.tokens, 'token')}, steps {one.start} to {one.end}"
        yield stage.rect(f"run-{name}", box, "work soft", round=0, read=words)
        yield stage.text(f"run-{name}-name", box.x + 6, box.y + box.height / 2, name, "value strong", middle=True)
    for at, box in held.items():
        whom = f"for {NAMES[holder(served, served[at].free)]}"
        yield stage.text(f"held-{NAMES[at]}", box.x + box.width / 2, box.y + box.height / 2, whom, "label halo",
                         anchor="middle", middle=True)  # fmt: skip
    yield from draw_waiting(stage, served)
    yield from draw_steps(stage, case)


def draw_waiting(stage: Stage, served: Sequence[Served]) -> Iterator[Mark]:
    """Who waits, from arrival to slot, and for whom; later comers stand below."""
    for at, one in enumerate(served):
        if not one.wait:
            continue
        name, box = NAMES[at], stage.span(stage.place(at - SLOTS), one.arrival, one.start, STEPS)
        whom, middle = f"for {NAMES[holder(served, one.start, one.slot)]}", box.y + box.height / 2
        yield stage.rect(f"wait-{name}", box, "dropped soft", round=0, read=f"{name} waits {steps_of(one.wait)} {whom}")
        yield stage.text(f"wait-{name}-name", box.x + 6, middle, name, "value strong", middle=True)
        inside = box.width > 60
        yield stage.text(f"wait-{name}-whom", box.right + (-6 if inside else 6), middle, whom, "label",
                         anchor="end" if inside else "start", middle=True)  # fmt: skip


def holder(served: Sequence[Served], free: int, slot: int = -1) -> int:
    """For whom one has waited until then: who wrote to the end in this slot, or the longest of the batch."""
    last = [at for at, one in enumerate(served) if one.end == one.free == free]
    return next((at for at in last if served[at].slot == slot), last[0])


def draw_steps(stage: Stage, case: Case) -> Iterator[Mark]:
    """The lines between the steps, their numbers, and how much sooner than in batches everything is done."""
    end, middle = case.eight.steps, stage.slots.y + stage.slots.height / 2
    steps = [[(x, stage.slots.y), (x, stage.slots.bottom)] for x in (stage.x(at, STEPS) for at in range(1, end))]
    yield stage.strokes("steps", steps, "grid thin")
    base = stage.slots.bottom + stage.size + 3
    for at in (0, 5, 10, end) if end == STEPS else (0, 5, end):
        anchor = "start" if not at else "end" if at == STEPS else "middle"
        words = f"step {at}" if at == end else str(at)
        yield stage.text(f"step-{at}", stage.x(at, STEPS), base, words, "note", anchor=anchor)
    if end < STEPS:
        right = stage.slots.right
        x = (stage.x(end, STEPS) + right) / 2
        yield stage.line("sooner", right, stage.queue.y, right, stage.slots.bottom, "axis dashed")
        for at, words in enumerate((count(STEPS - end, "step"), "sooner")):
            yield stage.text(f"sooner-{at}", x, middle + (at - 0.5) * stage.size * 1.2, words, "work strong",
                             anchor="middle", middle=True)  # fmt: skip


def steps_of(time: float) -> str:
    return f"{number(time, 4)} step{'s' * (time != 1)}"


def draw_each(stage: Stage, case: Case, now: float, done: bool) -> Iterator[Mark]:
    """How long each request has taken until now; in the end how long its answer was held, too."""
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
    if done:
        yield from draw_contrast(stage, case)


def draw_contrast(stage: Stage, case: Case) -> Iterator[Mark]:
    """Where each request would have its answer under the other policy."""
    places = ((stage.row(at), stage.each.x + one.latency * stage.each.width / LONGEST)
              for at, one in enumerate(case.contrast.served))  # fmt: skip
    ends = [[(x, row.y - 1), (x, row.bottom + 1)] for row, x in places]
    yield stage.strokes("contrast", ends, "axis strong")
    words = f"| {case.other}: {number(case.contrast.latency, 4)} on average"
    yield stage.text("contrast-words", stage.each.x, stage.each.bottom + stage.size + 4, words, "note")


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
    return "from arrival to answer, on average", " + ".join(parts)
