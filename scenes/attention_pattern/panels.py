"""Beside the columns: the number that answers, and the output as it is mixed."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, fixed, headline
from loom.scene import Moment

from .layout import MOST_VALUE, Layout
from .model import Asked
from .weights import TOKENS
from .words import answer, percent, shared


def draw_answer(at: Layout, moment: Moment) -> Iterator[Mark]:
    """How much the best key counts, from its score to its share of the output."""
    pen, box = at.pen, at.answer
    number, words = answer(moment)
    y = box.y + pen.huge
    role = "kept" if shared(moment) else "value"
    yield from headline(pen, box.x, y, number, words, role, under=True, right=box.x + pen.pick(112, box.width))


def draw_output(at: Layout, moment: Moment) -> Iterator[Mark]:
    """The room of the output; the weights as one bar of 100%, and under it each entry, stacked of weighted values."""
    pen, box, asked = at.pen, at.output, moment.result
    thick, gap = pen.pick((8, 4), (13, 6))
    room = pen.text_width("0.00") + 8
    shares = Box(box.x, box.y + pen.pick(0, 14), box.width - room, thick)
    lanes = shares.inset(top=pen.pick(14, 24), bottom=pen.pick(-14, -24)).vstack(*[thick] * 4, gap=gap)
    for entry, lane in enumerate(lanes):
        yield pen.rect(f"lane-{entry}", lane, "quiet soft", round=1)
    if shared(moment):
        yield from draw_shares(at, asked, shares)
    if moment.phase == "blend":
        yield from draw_parts(at, moment, lanes)
    if moment.past("blend") == 1:
        for entry, (total, lane) in enumerate(zip(asked.of.output[asked.row].tolist(), lanes, strict=True)):
            y = lane.y + lane.height / 2
            yield pen.text(f"output-{entry}", lane.right + 6, y, fixed(total), "value", middle=True)
    y = lanes[3].bottom + pen.size + pen.pick(3, 5)
    yield pen.text("output-name", box.x, y, f"output of {asked.query}", "label")


def draw_shares(at: Layout, asked: Asked, box: Box) -> Iterator[Mark]:
    """The weights side by side, each with its word where there is room."""
    pen, weights = at.pen, asked.of.weights[asked.row, : asked.row + 1].tolist()
    for key, share in enumerate(box.hstack(*(box.width * weight for weight in weights))):
        width, word = share.width - 1.5, TOKENS[key]
        place = Box(share.x, box.y, max(width, 0.5), box.height)
        yield pen.rect(f"share-{key}", place, tone(asked, key), round=1, read=f"{word}: {percent(weights[key])}")
        if pen.text_width(word) + 2 <= width:
            yield pen.text(f"share-{key}-name", share.x + width / 2, box.y - 4, word, "label", anchor="middle")


def parts_of(asked: Asked) -> list[list[float]]:
    """Each value that the query may see, times its weight."""
    seen = asked.row + 1
    return (asked.of.weights[asked.row, :seen, None] * asked.of.V[:seen]).tolist()


def draw_parts(at: Layout, moment: Moment, lanes: list[Box]) -> Iterator[Mark]:
    """Each value times its weight, at first in its column; then, one key a beat, in the output's lanes."""
    asked, tall = moment.result, at.pen.pick(4, 5)
    ends = [lane.x for lane in lanes]
    for key, parts in enumerate(parts_of(asked)):
        strip = at.value(key)
        for entry, (part, lane) in enumerate(zip(parts, lanes, strict=True)):
            wide, role = part * lane.width / MOST_VALUE, "kept"
            if key < moment.beat or moment.beats == 1:
                place, role = Box(ends[entry], lane.y, max(wide - 1, 0.5), lane.height), tone(asked, key)
            else:
                y = strip.y + (entry + 0.5) * at.lines - tall / 2
                place = Box(strip.x, y, part * strip.width / MOST_VALUE, tall)
            yield at.pen.rect(f"part-{key}-{entry}", place, role, round=0)
            ends[entry] += wide


def tone(asked: Asked, key: int) -> str:
    """Neighbours in a stack differ, so that each can be followed down from the weights."""
    return "kept soft" if (asked.row - key) % 2 else "kept"
