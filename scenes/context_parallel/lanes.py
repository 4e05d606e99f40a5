"""The GPUs' time: what each computes in a step of the ring, with the keys that have come to it, and where it waits."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, count, number

from .model import LAYOUTS, Ring
from .stage import Stage, hue


def draw_lanes(stage: Stage, phase: str, beat: int) -> Iterator[Mark]:
    pen, ring, lanes = stage.pen, stage.ring, stage.lanes
    done = steps_done(phase, beat, ring.ranks)
    yield pen.text("lanes-title", lanes.x, lanes.y - pen.pick(8, 16), "time in pairs", "note")
    for rank, row in enumerate(stage.rows):
        middle = row.y + row.height / 2
        name = pen.pick(f"{rank}", f"GPU {rank}")
        yield pen.rect(f"lane-{rank}", row, "cell soft", round=1)
        yield pen.text(f"lane-{rank}-name", stage.names, middle, name, "label", middle=True)
        if total := int(ring.begun(stage.told)[rank]):
            role = "value strong" if total == ring.totals.max() else "value"
            x = (row.right if done else stage.x(int(ring.begun(stage.asking)[rank]))) + 5
            yield pen.text(f"total-{rank}", x, middle, str(total), f"{role} answer", middle=True)
    yield from draw_ring(stage, min(done, ring.ranks) - 1 if done else 0)
    for rank in range(ring.ranks):
        yield from draw_spans(stage, rank, done)
    yield from draw_waits(stage, done)
    yield from draw_ends(stage, done)


def steps_done(phase: str, beat: int, ranks: int) -> int:
    """How many steps have run, and one more where all is over."""
    return {"own": 0, "ring": beat + 1}.get(phase, ranks + 1)


def draw_spans(stage: Stage, rank: int, done: int) -> Iterator[Mark]:
    """A GPU's work in each step, and the rest behind it: waiting pushes it back."""
    pen, ring, row = stage.pen, stage.ring, stage.rows[rank]
    left = int(ring.begun(stage.asking)[rank])
    for step, (start, pairs) in enumerate(zip([0, *ring.ends[:done]], ring.pairs[rank, :done].tolist(), strict=False)):
        told = f"GPU {rank} with the keys of GPU {(rank - step) % ring.ranks}: {count(pairs, 'pair')}"
        box = Box(stage.x(start), row.y, pairs * stage.unit, row.height).inset(right=1)
        yield pen.rect(f"span-{rank}-{step}", box, hue(rank), round=1, read=told)
        left -= pairs
    if left or not done:
        start = ring.ends[done - 1] if done else 0
        box = Box(stage.x(start), row.y, max(left * stage.unit - 1, 0), row.height)
        yield pen.rect(f"rest-{rank}", box, f"{hue(rank)} {'soft' if done else 'steady'}", round=1)


def draw_waits(stage: Stage, done: int) -> Iterator[Mark]:
    """Hatching where a GPU has nothing to do until the slowest is done."""
    ring = stage.ring
    for step, (start, end) in enumerate(zip([0, *ring.ends], ring.ends[:done], strict=False)):
        waits = []
        for row, pairs in zip(stage.rows, ring.pairs[:, step].tolist(), strict=True):
            free = start + pairs
            waits += [Box(stage.x(free), row.y, (end - free) * stage.unit, row.height)] * (free < end)
        if waits:
            yield stage.pen.hatches(f"waits-{step}", waits, "dropped thin", stage.pen.pick(5, 7))


def draw_ends(stage: Stage, done: int) -> Iterator[Mark]:
    """The end of the present step, and when all would be done with equal shares."""
    pen, ring, lanes, base = stage.pen, stage.ring, stage.lanes, stage.floor + stage.pen.size + 5
    ideal = stage.x(ring.ideal)
    yield pen.line("ideal", ideal, lanes.y - 4, ideal, stage.floor + 4, "data dashed")
    words = f"{number(ring.ideal)} each"
    yield pen.text("ideal-words", ideal, base, words, "note", anchor="middle")
    if done:
        now = ring.ends[min(done, ring.ranks) - 1]
        x = stage.x(now)
        yield pen.line("now-line", x, lanes.y - 4, x, stage.floor + 4, "hot steady")
        if abs(x - ideal) > (pen.text_width(words) + pen.text_width("100", strong=True)) / 2 + 6:
            # One for each end: on its way from one to the next it would come by the other words.
            yield pen.text(f"now-words-{now}", x, base, str(now), "hot strong", anchor="middle")
        words = f"without a mask {ring.bare}"
        yield pen.text("bare", lanes.right, lanes.y - pen.pick(8, 16), words, "note", anchor="end")
    if done > ring.ranks and (sooner := stage.longest - ring.time):
        yield pen.text("sooner", lanes.right, base, f"{sooner} sooner", "kept strong", anchor="end")


def draw_ring(stage: Stage, step: int) -> Iterator[Mark]:
    """The keys and values of each GPU's tokens, at the GPU that works on them in this step."""
    pen, ring = stage.pen, stage.ring
    first, last = stage.chip(0), stage.chip(ring.ranks - 1)
    left, top, bottom = first.x - pen.pick(5, 7), first.y + first.height / 2, last.y + last.height / 2
    back = [(last.x, bottom), (left, bottom), (left, top), (first.x, top)]
    head = [(first.x - 4, top - 3), (first.x, top), (first.x - 4, top + 3)]
    yield pen.strokes("ring", [back, head], "axis")
    yield pen.text(
        "ring-title", first.right, stage.lanes.y - pen.pick(8, 16), pen.pick("keys", "keys of"), "note", anchor="end"
    )
    if pen.narrow:
        yield pen.text("lanes-name", 0, stage.lanes.y - 8, "GPU", "note")
    for rank in range(ring.ranks):
        chip = stage.chip((rank + step) % ring.ranks)
        yield pen.rect(f"chip-{rank}", chip, f"{hue(rank)} soft", round=3, read=f"keys and values of GPU {rank}")
        middle = chip.x + chip.width / 2, chip.y + chip.height / 2
        yield pen.text(f"chip-{rank}-name", *middle, str(rank), "value", anchor="middle", middle=True)


def draw_choices(stage: Stage) -> Iterator[Mark]:
    """The time of each layout, to press: on the lanes' scale where there is room."""
    pen, ranks = stage.pen, stage.ring.ranks
    box = pen.pick(Box(196, 76, 132, 112), Box(312, 264, 488, 62))
    yield pen.text("choices", box.x, box.y - pen.pick(10, 8), "each cut takes", "note")
    for layout, row in zip(LAYOUTS, box.rows(3, 4), strict=True):
        time, chosen = Ring(layout, ranks).time, layout == stage.ring.layout
        role, middle = "label strong" if chosen else "label", row.y + row.height / 2
        bar = Box(stage.lanes.x, row.y + 2, time * stage.unit, row.height - 4)
        y, end = middle, bar.right + 6
        if pen.narrow:
            bar = Box(row.x, row.y + 18, (row.width - 28) * time / stage.longest, 10)
            y, end, middle = row.y + 9, bar.right + 6, bar.y + 5
        yield pen.text(f"choice-{layout}-name", box.x, y, layout, role, middle=True)
        yield pen.rect(f"choice-{layout}", bar, "data" if chosen else "quiet", round=1, set={"layout": layout},
                       label=f"Cut the sequence {layout}: {time} pairs long")  # fmt: skip
        role = "value strong answer" if chosen else "value answer"
        yield pen.text(f"choice-{layout}-time", end, middle, str(time), role, middle=True)
