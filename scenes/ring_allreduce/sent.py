"""What each GPU has sent, as lengths beside its array: a bar for each, or on a phone one for all."""

from __future__ import annotations

from functools import cache

from loom.draw import Box, Mark

from .stage import Stage
from .story import share

RIM = 2.0  # units between a bar and the outline that it is compared with


def draw_sent(stage: Stage, gpus: int, steps: int) -> list[Mark]:
    if stage.narrow:
        return draw_meter(stage, gpus, steps)
    done = gpus > 2 and steps == 2 * (gpus - 1)
    return [*draw_scale(stage, gpus), *draw_bars(stage, gpus, steps), *(draw_total(stage, gpus) if done else ())]


@cache
def draw_meter(stage: Stage, gpus: int, steps: int) -> list[Mark]:
    """The rail is as long as twice an array, and never full."""
    box = stage.sent
    sent, once = Box(box.x, box.y, box.width * steps / gpus / 2, box.height), box.x + box.width / 2
    return [
        stage.rect("meter", box, "cell answer", round=1),
        stage.rect("sent", sent, "memory answer", round=0, read=f"sent: {share(gpus, steps)} its array"),
        stage.line("once", once, box.y - 3, once, box.bottom + 3, "axis answer"),
        stage.text("twice", box.right + 6, box.y + box.height / 2, "2×", "note answer", middle=True),
    ]


def lengths(stage: Stage, gpus: int, arrays: list[float]) -> list[Box]:
    """A bar beside each GPU's array, on a scale where all that GPU 0 would have to send just fits."""
    unit, rows = stage.sent.width / max(gpus - 1, 2.2), stage.table(gpus).rows
    tall = min(18.0, rows[0].height / 2 + 2)
    return [Box(stage.sent.x, row.y + (row.height - tall) / 2, unit * many, tall)
            for row, many in zip(rows, arrays, strict=True)]  # fmt: skip


@cache
def draw_scale(stage: Stage, gpus: int) -> list[Mark]:
    """Lines at one array and at two, and an outline of what each would send if GPU 0 added up everything."""
    once, top, bottom = lengths(stage, gpus, [1.0] * gpus)[0], stage.table(gpus).rows[0].y, stage.table(gpus).rows[-1]
    places = [once.right, once.right + once.width]
    marks = [stage.strokes("times", [[(x, top), (x, bottom.bottom + 4)] for x in places], "grid")]
    for times, x in enumerate(places, 1):
        marks.append(stage.text(f"times-{times}", x, bottom.bottom + 6 + stage.size, f"{times}×", "note",
                                anchor="middle"))  # fmt: skip
    y = stage.arrays.y - 9
    marks.append(stage.text("sent-name", stage.sent.x, y, "sent by each", "note"))
    if gpus > 2:  # two send as much either way
        hub = lengths(stage, gpus, [gpus - 1.0, *[1.0] * (gpus - 1)])
        marks.append(stage.outlines("hub", [bar.inset(0, -RIM, 0, -RIM) for bar in hub], "ghost"))
        words = f"all through GPU 0: {gpus - 1}×"
        marks.append(stage.text("hub-name", hub[0].right, y, words, "note", anchor="end"))
    return marks


@cache
def draw_bars(stage: Stage, gpus: int, steps: int) -> list[Mark]:
    bars = lengths(stage, gpus, [steps / gpus] * gpus)
    return [stage.strokes("sent", [bar.corners for bar in bars], "memory solid",
                          read=f"each GPU has sent {share(gpus, steps)} its array")]  # fmt: skip


@cache
def draw_total(stage: Stage, gpus: int) -> list[Mark]:
    """The ring sends no less in all: it shares it out. Under the lines' names where it would run into them."""
    words, twice = f"together {2 * (gpus - 1)} arrays, either way", lengths(stage, gpus, [2.0] * gpus)[-1].right
    row, right = stage.table(gpus).rows[-1].bottom + 6 + stage.size, stage.sent.right
    lower = right - stage.text_width(words, strong=True) < twice + stage.size
    y = row + 1.5 * stage.size * lower
    return [stage.text("total", right, y, words, "label strong", anchor="end")]
