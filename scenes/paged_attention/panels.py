"""Beside the memory: a line for each request with its table, and both memories as bars on one scale."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .moments import CONTIGUOUS, PAGED, State, parts
from .stage import Stage
from .story import SLOTS, Request
from .tokens import HATCH
from .words import listed, series, share, spans


def draw_requests(stage: Stage, state: State) -> Iterator[Mark]:
    """Who is there, who waits, and where the tokens of each are."""
    pen, box = stage.pen, stage.requests
    head = "requests and their block tables" if state.paged else "requests and their pieces"
    yield pen.text("requests-head", box.x, box.y - 9, head, "note")
    for request, row in zip(state.arrived, box.rows(6, stage.row_gap), strict=False):
        name, middle = request.name, row.y + row.height / 2
        chip = Box(row.x, row.y, row.height * 1.15, row.height)
        words, role = _line(stage, state, request, row.width - chip.width - 8)
        waits = name in state.now.waiting
        if name in state.now.running:
            yield pen.rect(f"{name}-chip", chip, f"{series(name)} soft")
        else:
            yield pen.rect(f"{name}-chip", chip, "dropped outline" if waits else "ghost")
        yield pen.text(f"{name}-chip-letter", chip.x + chip.width / 2, middle, name, "value strong", anchor="middle",
                       middle=True)  # fmt: skip
        yield pen.text(f"{name}-line", chip.right + 8, middle, words, role, middle=True)


def _line(stage: Stage, state: State, request: Request, room: float) -> tuple[str, str]:
    now, name = state.now, request.name
    if name in now.ended:
        return "has ended", "note"
    if name in now.waiting:
        first = name == now.waiting[0]
        need = f"needs {request.most} in one piece" if not state.paged else "too few free blocks"
        return (f"waits: {need}" if first else f"waits behind {now.waiting[0]}"), "dropped strong"
    tokens = f"{len(now.slots[name])} tokens"
    role = "hot" if name in state.actors else "label"
    if not state.paged:
        start, size = now.pieces[name]
        return f"{tokens} in slots {start}–{start + size - 1}", role
    shown, numbers, where = "", spans(now.tables[name]), "blocks" if len(now.tables[name]) > 1 else "block"
    for at, word in enumerate(numbers):
        longer = f"{shown}, {word}" if shown else f"{tokens} in {where} {word}"
        if stage.pen.room(longer + (" …" if at < len(numbers) - 1 else "")) > room:
            return f"{shown} …", role
        shown = longer
    return shown, role


def draw_bars(stage: Stage, state: State) -> Iterator[Mark]:
    """How much of either memory holds tokens at this moment; pressing one shows it."""
    for layout, row in zip((CONTIGUOUS, PAGED), stage.bars.rows(2, 10 if stage.pen.narrow else 16), strict=True):
        yield from _bar(stage, state, layout, row)


def _bar(stage: Stage, state: State, layout: str, row: Box) -> Iterator[Mark]:
    pen, snapshot = stage.pen, state.of(layout)
    name = "in one piece" if layout == CONTIGUOUS else f"in blocks of {state.block}"
    role, top = ("hot strong" if layout == state.layout else "label"), row.y
    if pen.narrow:
        yield pen.text(f"{layout}-name", row.x, row.y + 9, name, role)
        top += 14
    bar = Box(row.x, top, row.width, 13 if pen.narrow else 22)
    if not pen.narrow:
        yield pen.text(f"{layout}-name", 0, bar.y + bar.height / 2, name, role, middle=True)
    yield from _share(stage, layout, bar, snapshot.live_share, snapshot.taken, role)
    yield pen.rect(f"{layout}-track", bar, "cell", round=0, set={"layout": layout}, label=f"show the memory {name}")
    words, x = [], bar.x
    for kind, size in zip(("token", "later", "unused", "free"), parts(snapshot), strict=True):
        part = Box(x, bar.y, size * bar.width / SLOTS, bar.height)
        x = part.right
        if size and kind != "free":
            yield pen.rect(f"{layout}-{kind}", part, {"token": "kept", "later": "ghost", "unused": "pad"}[kind],
                           round=0)  # fmt: skip
        if size and kind == "unused":
            yield pen.hatch(f"{layout}-unused-hatch", part, gap=HATCH)
        if size:
            words.append((kind, part.x, _label(kind, size), "note"))
    if snapshot.waiting:
        wait = f"{listed(snapshot.waiting)} {'waits' if len(snapshot.waiting) == 1 else 'wait'}"
        words.append(("waits", x, wait, "dropped strong"))
    yield from _under(stage, layout, bar, words)


def _share(stage: Stage, layout: str, bar: Box, live: float, taken: int, role: str) -> Iterator[Mark]:
    pen, strong, words = stage.pen, role if "strong" in role else "value strong", f"{share(live)} used"
    if pen.narrow:
        yield pen.text(f"{layout}-share", bar.right, bar.y - 5, f"{words} of {taken} taken", strong, anchor="end")
        return
    yield pen.text(f"{layout}-share", bar.right + 12, bar.y + 0.8 * bar.height, words, strong, size=pen.large)
    yield pen.text(f"{layout}-taken", bar.right + 12, bar.bottom + pen.size + 2, f"of {taken} slots taken", "note")


def _label(kind: str, size: int) -> str:
    return f"{size} " + {"token": "tokens", "later": "for later", "unused": "unused", "free": "free"}[kind]


def _under(stage: Stage, layout: str, bar: Box, words: list[tuple[str, float, str, str]]) -> Iterator[Mark]:
    """Labels under the parts that they name, moved along where they would touch, and back from the right edge."""
    pen, places, gap = stage.pen, [], 10 if stage.pen.narrow else 14
    rooms = [pen.room(text, strong="strong" in role) for _, _, text, role in words]
    x = bar.x
    for (_, wanted, _, _), room in zip(words, rooms, strict=True):
        places.append(max(wanted, x))
        x = places[-1] + room + gap
    limit = bar.right
    for at in reversed(range(len(words))):
        places[at] = min(places[at], limit - rooms[at])
        limit = places[at] - gap
    for (key, _, text, role), place in zip(words, places, strict=True):
        yield pen.text(f"{layout}-{key}-label", place, bar.bottom + pen.size + 1, text, role)
