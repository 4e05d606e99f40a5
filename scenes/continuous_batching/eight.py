"""Eight requests that can be followed by hand: who has which slot, who waits for whom, and how long each takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, count, memoized, number

from .case import NAMES, Case
from .model import CONTINUOUS, SLOTS, Served
from .stage import LONGEST, STEPS, Stage

LEAD, STEP = 0.25, 0.4  # how long the picture before anything sets out stands, and an answer is held a step [s]


@memoized
def draw_eight(stage: Stage, case: Case) -> Iterator[Mark]:
    """The whole schedule, as it will have been; the rooms end with it."""
    served, end = case.eight.served, case.eight.steps
    for name, room in (("slots", stage.slots), ("queue", stage.queue)):
        yield stage.rect(name, room._replace(width=stage.x(end, STEPS) - room.x), "cell", round=0)
    held = {at: stage.span(stage.slot(one.slot), one.end, one.free, STEPS)
            for at, one in enumerate(served) if one.held}  # fmt: skip
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


def draw_each(stage: Stage, case: Case, now: float, beat: int = -1) -> Iterator[Mark]:
    """How long each request has taken until now; then its answer is held, beat by beat, until its batch ends."""
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
                         read=told(name, one, case.policy) if beat >= 0 else "")  # fmt: skip
        if beat >= 0:
            yield from draw_held(stage, name, Box(left + run * unit, row.y, one.held * unit, row.height), one, beat)


def draw_held(stage: Stage, name: str, box: Box, one: Served, beat: int) -> Iterator[Mark]:
    """The steps for which an answer is held: their outline grows, and gives way when the answer is handed over."""
    if one.held and beat <= one.held + 1:  # a beat longer than it grows: it does not go before the hatching has come
        grown = box._replace(width=box.width * min(beat / one.held, 1))
        yield stage.rect(f"each-{name}-holds", grown, "dropped outline steady", round=0)
    if one.held > held_by(beat):
        return
    if one.held:
        yield stage.hatch(f"each-{name}-held", box, "dropped thin", 5)
    yield stage.text(f"each-{name}-steps", box.right + 5, box.y + box.height / 2, number(one.latency), "value",
                     middle=True)  # fmt: skip


def held_by(beat: int) -> int:
    """For how many steps answers have been held, in a beat of the chapter that tells of it: a step sets out in each."""
    return max(beat - 1, 0)


def draw_contrast(stage: Stage, case: Case, beat: int) -> Iterator[Mark]:
    """Where each request would have its answer under the other policy: marks set out for there from where it has it."""
    since = beat - last_handed(case)  # they stand, are on their way, and have come
    if since < 0:
        return
    unit, shown = stage.each.width / LONGEST, (case.contrast if since else case.eight).served
    places = ((stage.row(at), stage.each.x + one.latency * unit) for at, one in enumerate(shown))
    ends = [[(x, row.y - 1), (x, row.bottom + 1)] for row, x in places]
    yield stage.strokes("contrast", ends, "axis strong")
    if since > 1:
        words = f"| {case.other}: {number(case.contrast.latency, 4)} on average"
        yield stage.text("contrast-words", stage.each.x, stage.each.bottom + stage.size + 4, words, "note")


def last_handed(case: Case) -> int:
    """The beat in which the last answer is handed over."""
    longest = max(one.held for one in case.eight.served)
    return longest + 1 if longest else 0


def held_beats(case: Case) -> tuple[float, ...]:
    """Answers are held for a step more in each beat; then the marks of the other policy set out, and have come."""
    steps = [LEAD + STEP * step for step in range(last_handed(case))]
    away = steps[-1] + STEP if steps else LEAD
    return (0.0, *steps, away, away + 0.45)


def told(name: str, one: Served, policy: str) -> str:
    """When a request's first token and its last are handed over; of a static batch all are at once."""
    first = f"first token after {steps_of(one.wait + 1)}, " if policy == CONTINUOUS else ""
    return f"{name}: {first}answer after {steps_of(one.latency)}"


def eight_words(case: Case, beat: int) -> tuple[str, str]:
    """What the mean number of steps is, and its parts."""
    eight = case.eight
    parts = [f"{number(eight.wait)} waiting", f"{number(eight.taken() - eight.wait)} in a slot"]
    if spent := eight.taken(held_by(beat)) - eight.taken():
        parts.append(f"{number(spent, 4)} held")
    ends = "to answer" if beat >= last_handed(case) else "so far"
    return f"from arrival {ends}, on average", " + ".join(parts)
