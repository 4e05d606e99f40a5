"""The picture: chunks travel round a ring of arrays, what each GPU sends, and in the end the time it takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from loom.draw import Mark, count, headline, paragraph, quantity
from loom.scene import Moment

from .chart import draw_chart
from .model import sent_chunk
from .pace import CROWDED, TIME, added, stands_framed, steps_done, steps_out
from .sent import draw_sent
from .stage import NARROW, WIDE, Stage
from .story import arrays, share, summands

# Of what a GPU begins with, apart from the hand's colour; of eight GPUs, the last begin again.
OWN = ("series-1", "series-2", "series-4", "series-6", "series-5")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, one = NARROW if width == NARROW.width else WIDE, moment.result
    aside = stage.narrow and moment.phase == TIME
    yield from draw_answer(stage, moment)
    yield from draw_ring(stage, one.gpus, aside)
    if not aside:
        words = f"{count(one.gpus, 'chunk')} of {quantity(one.chunk, 'B')} on each GPU"
        yield stage.text("chunks", stage.arrays.x, stage.arrays.y - 9, words, "note")
        if moment.phase != TIME:
            yield from draw_sent(stage, one.gpus, steps_out(moment))
        yield from draw_arrays(stage, one.gpus, steps_done(moment))
        if one.gpus < CROWDED:
            yield from draw_sums(stage, one.gpus, added(moment))
    if moment.phase == TIME:
        yield draw_owned(stage, one.gpus)
        yield from draw_chart(stage, moment)
    elif stands_framed(moment):
        yield draw_parcels(stage, one.gpus, steps_out(moment))


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many times what it holds each GPU has sent so far."""
    one, steps = moment.result, steps_done(moment)
    words = share(one.gpus, steps)
    sent = f"{steps} of {one.steps} chunks"
    if steps == one.steps:
        sent = f"{count(steps, 'chunk')}, together {quantity(one.sent, 'B')}"
    told = ("its array, each GPU has sent", sent)
    if stage.narrow and moment.phase == TIME:
        yield stage.text("answer", 0, stage.huge, words, "value strong answer", size=stage.huge)
        yield from paragraph(stage, "answer-words", 0, 46, f"{told[0]}: {told[1]}", stage.aside.x - 12, "label answer")
        return
    widest = [share(one.gpus, step) for step in range(one.steps + 1)]
    yield from headline(stage, 0, stage.huge, words, told, widest=widest, rest="note")


@cache
def draw_sums(stage: Stage, gpus: int, done: int) -> list[Mark]:
    """The row that all arrays have to become: the sum of those that are done, and a frame around the next."""
    table = stage.table(gpus)
    boxes, sums = table.sums, arrays(gpus)[0][: max(done, 0)].sum(axis=0).tolist()
    first, last = boxes[0], boxes[-1]
    rim = first._replace(width=last.right - first.x).corners
    marks = [stage.strokes("sums", [rim, *([(box.x, box.y), (box.x, box.bottom)] for box in boxes[1:])], "ghost")]
    for chunk, (box, whole) in enumerate(zip(boxes, sums, strict=True)) if done > 0 else ():
        marks.append(stage.text(f"sum-{chunk}", box.x + box.width / 2, box.y + box.height / 2, str(whole), "note",
                                anchor="middle", middle=True))  # fmt: skip
    y = boxes[0].y + boxes[0].height / 2
    marks.append(stage.text("sums-name", boxes[0].x - 8, y, stage.pick("sum", "the sum"), "note", anchor="end",
                            middle=True))  # fmt: skip
    if 0 <= done < gpus:
        marks.append(stage.rect("added", table.rows[done], "hot outline", round=1))
    return marks


@cache
def draw_ring(stage: Stage, gpus: int, aside: bool) -> list[Mark]:
    """Rows for the arrays, and the way from each GPU down to the next, and back from the last to the first."""
    rows = stage.table(gpus, aside).rows
    middles = [row.y + row.height / 2 for row in rows]
    role = "work soft" if aside else "cell"
    marks = [stage.rect(f"{'full' if aside else 'row'}-{gpu}", row, role, round=1) for gpu, row in enumerate(rows)]
    if aside:
        return marks
    left, right = stage.pick((3.0, 13.0), (4.0, 22.0))
    marks.append(draw_loop(stage, left, right, middles))
    for gpu, y in enumerate(middles):
        words = str(gpu) if stage.narrow else f"GPU {gpu}"
        marks.append(stage.text(f"gpu-{gpu}", right + 8, y, words, "label", middle=True))
    return marks


def draw_loop(stage: Stage, left: float, right: float, middles: list[float]) -> Mark:
    """A loop that comes by all GPUs on its right side, with heads that tell its direction."""
    top, bottom, turn = middles[0], middles[-1], stage.pick(4, 6)
    loop = [(right, bottom), (right - turn, bottom + turn), (left + turn, bottom + turn), (left, bottom), (left, top),
            (left + turn, top - turn), (right - turn, top - turn), (right, top), (right, bottom)]  # fmt: skip
    half = (top + bottom) / 2
    heads = [[(left - 3, half + 4), (left, half - 1), (left + 3, half + 4)]]
    for here, there in [*pairwise(middles)][:: len(middles) // 8 or 1]:
        y = (here + there) / 2
        heads.append([(right - 3, y - 4), (right, y + 1), (right + 3, y - 4)])
    stubs = [[(right, y), (right + 5, y)] for y in middles]
    return stage.strokes("ring", [loop, *heads, *stubs], "link")


@cache
def draw_arrays(stage: Stage, gpus: int, step: int) -> list[Mark]:
    """What each GPU holds after so many steps: its own numbers in its colour, then the fuller, the more summands."""
    table, numbers, held = stage.table(gpus), arrays(gpus)[step].tolist(), summands(gpus)[step].tolist()
    marks, texts = [], []
    for gpu in range(gpus):
        for chunk in range(gpus):
            key, whole, some = f"{gpu}-{chunk}", numbers[gpu][chunk], held[gpu][chunk]
            role = "work soft" if some == gpus else "data soft" if some > 1 else f"{OWN[gpu % len(OWN)]} soft"
            whose = f"chunk {chunk} of GPU {gpu}: " if gpus < CROWDED else ""  # too many to walk through
            told = f"{whose}{whole}, from {count(some, 'GPU')}"
            begun = some == 1 and gpus >= CROWDED  # a sixteenth of a chunk is no colour: all of it, and pale
            fill = stage.rect(f"fill-{key}", table.fill(gpu, chunk, gpus if begun else some), role, round=0, read=told)
            if 1 < some < gpus < CROWDED:  # the more summands, the darker
                fill = fill._replace(role="data", shape={**fill.shape, "opacity": round(0.08 + 0.47 * some / gpus, 2)})
            marks.append(fill)
            if gpus < CROWDED:
                x, y, wide, tall = table.place(gpu, chunk)
                role = "value strong" if some == gpus else "value"
                texts.append(stage.text(f"number-{key}", x + wide / 2, y + tall / 2, str(whole), role,
                                        anchor="middle", middle=True))  # fmt: skip
    return [*marks, *texts]


@cache
def draw_parcels(stage: Stage, gpus: int, step: int) -> Mark:
    """Frames round the chunks that the last step brings, or before the first those that it will send."""
    table, last = stage.table(gpus), max(step - 1, 0)
    arrived = {sent_chunk(gpus, gpu, last): (gpu + (step > 0)) % gpus for gpu in range(gpus)}
    pale = [[gpus] * gpus] * gpus  # before the first step, chunks of many GPUs are pale and whole
    held = summands(gpus)[step].tolist() if step or gpus < CROWDED else pale
    places = [table.fill(arrived[chunk], chunk, held[arrived[chunk]][chunk]) for chunk in range(gpus)]
    return stage.outlines("parcels", places, "hot")


@cache
def draw_owned(stage: Stage, gpus: int) -> Mark:
    """In the end, frames round the sums that were finished first."""
    table = stage.table(gpus, stage.narrow)
    return stage.outlines("owned", [table.place(gpu, (gpu + 1) % gpus) for gpu in range(gpus)], "work")
