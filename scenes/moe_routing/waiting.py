"""The experts at work, a tile at a time: how far time has come, and who waits for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, bounding_box, count
from loom.scene import Moment

from .stage import Stage
from .story import TILE, clock


def draw_waiting(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The time between an expert's last tile and the very last one; at the end the mean load."""
    pen, run, now = stage.pen, stage.flow.run, stage.edge(clock(moment) * TILE)
    last = stage.edge(int(run.tiles.max()) * TILE)
    words, said = pen.text_width("waits", strong=True), list(name_padding(stage))
    yield from draw_now(stage, moment, now)  # beneath the words that it comes by
    for e, tiles in enumerate(run.tiles.tolist()):
        x, y, room = stage.edge(tiles * TILE) + 4, stage.middles[e], stage.rows[e].height > pen.size + 4
        begin = x + 6
        if begin - 4 < stage.hold < begin + words + 4:  # behind the wall, and not across it
            begin = stage.hold + 6
        if room and last - begin > words + 14:
            if now - begin > words + 2:
                said.append(pen.text(f"idle-{e}-words", begin, y, "waits", "dropped strong halo", middle=True))
                yield said[-1]
            x = begin + words + 6
        if now - x > 1:
            yield pen.line(f"idle-{e}", x, y, now, y, "dropped dashed steady")
    if moment.progress == 1:
        yield from draw_mean(stage, [bounding_box([mark], 3) for mark in said])


def draw_now(stage: Stage, moment: Moment, now: float) -> Iterator[Mark]:
    """How far time has come: the edge of what the busiest expert has computed."""
    pen, box, done = stage.pen, stage.box, clock(moment)
    yield pen.line("now", now, box.y, now, box.bottom, "hot steady")
    words, foot = f"after {count(done, 'tile')}", box.bottom + pen.size + 2
    if done and not stage.flow.run.dropped.any():
        right = now + pen.text_width(words) < pen.pick(pen.width, stage.loads + 30)
        yield pen.text("now-words", now, foot, words, "hot", anchor="start" if right else "end")


def name_padding(stage: Stage) -> Iterator[Mark]:
    """What the hatching is, said once, where it takes most room."""
    if box := named(stage):
        x, y = box.x + box.width / 2, box.y + box.height / 2
        yield stage.pen.text("padding", x, y, "padding", "label halo", anchor="middle", middle=True)


def named(stage: Stage) -> Box | None:
    """Where the word stands, if there is room for it."""
    run, pen = stage.flow.run, stage.pen
    e = int(run.padded_slots.argmax())
    room = stage.slots(e, int(run.kept_tokens[e]), int(run.kept_tokens[e] + run.padded_slots[e]))
    wide = pen.text_width("padding") + 6
    if room.width <= wide:
        return None
    if room.x < stage.hold < room.right:  # on one side of the wall, and not across it
        sides = (room._replace(width=stage.hold - room.x), room.inset(left=stage.hold - room.x))
        room = next((side for side in sides if side.width > wide - 4), room)
    if room.height <= pen.size + 4:
        return None
    tall = pen.size + 2
    return Box(room.x + (room.width - wide) / 2, stage.middles[e] - tall / 2, wide, tall)


def draw_mean(stage: Stage, words: Sequence[Box]) -> Iterator[Mark]:
    """The mean load, as a line through all lanes that makes way for words."""
    pen, run, y = stage.pen, stage.flow.run, stage.box.y
    mean, lines = stage.edge(float(run.kept_tokens.mean())), []
    for box in sorted(words, key=lambda box: box.y):
        if box.x < mean < box.right:
            lines.append([(mean, y), (mean, box.y)])
            y = box.bottom
    yield pen.strokes("mean", [*lines, [(mean, y), (mean, stage.box.bottom)]], "ghost")
    if not run.dropped.any():  # else they lie there
        yield pen.text("mean-words", mean - 6, stage.box.bottom + pen.size + 2, "mean", "note", anchor="end")
