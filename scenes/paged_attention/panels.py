"""Beside the memory: a line for each request with its table, and both memories as bars on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, listed, percent

from .model import SLOTS, Request
from .stage import HATCH, Stage, series
from .steps import CONTIGUOUS, PAGED, State, parts

ROLES = {"token": "kept", "later": "ghost", "unused": "pad", "free": ""}  # of the parts of a bar
LABELS = {"token": "tokens", "later": "for later", "unused": "unused", "free": "free"}


def draw_requests(stage: Stage, state: State) -> Iterator[Mark]:
    """Who is there, who waits, and where the tokens of each are."""
    pen, box = stage.pen, stage.requests
    head = "requests and their block tables" if state.paged else "requests and their pieces"
    yield pen.text("requests-head", box.x, box.y - 9, head, "note")
    for request, row in zip(state.arrived, box.rows(6, stage.row_gap), strict=False):
        name = request.name
        chip = Box(row.x, row.y, row.height * 1.15, row.height)
        words, role = _line(stage, state, request, row.width - chip.width - 8)
        colour = "dropped outline" if name in state.now.waiting else "ghost"
        colour = f"{series(name)} soft" if name in state.now.running else colour
        yield pen.rect(f"{name}-chip", chip, colour)
        yield stage.centred(f"{name}-chip-letter", chip, name, "value strong")
        yield pen.text(f"{name}-line", chip.right + 8, row.y + row.height / 2, words, role, middle=True)


def _line(stage: Stage, state: State, request: Request, room: float) -> tuple[str, str]:
    """Where a request stands, in words that fit, and their role."""
    now, name = state.now, request.name
    if name in now.ended:
        return "has ended", "note"
    if name in now.waiting:
        need = "too few free blocks" if state.paged else f"needs {request.most} in one piece"
        return f"waits: {need}" if name == now.waiting[0] else f"waits behind {now.waiting[0]}", "dropped strong"
    tokens, role = f"{len(now.slots[name])} tokens", "hot" if name in state.actors else "label"
    if not state.paged:
        start, size = now.pieces[name]
        return f"{tokens} in slots {start}–{start + size - 1}", role
    numbers, shown = spans(now.tables[name]), f"{tokens} in {'blocks' if len(now.tables[name]) > 1 else 'block'}"
    for at, word in enumerate(numbers):
        longer = f"{shown}, {word}" if at else f"{shown} {word}"
        if stage.pen.room(longer + (" …" if at < len(numbers) - 1 else "")) > room:
            return f"{shown} …", role
        shown = longer
    return shown, role


def spans(numbers: Sequence[int]) -> list[str]:
    """Block numbers in their order, three and more neighbours as one span."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    joined = [[f"{group[0]}–{group[-1]}"] if len(group) > 2 else map(str, group) for group in groups]
    return [word for words in joined for word in words]


def draw_bars(stage: Stage, state: State) -> Iterator[Mark]:
    """How much of either memory holds tokens at this moment; pressing one shows it."""
    for layout, row in zip((CONTIGUOUS, PAGED), stage.bars.rows(2, stage.pen.pick(10, 16)), strict=True):
        yield from _bar(stage, state, layout, row)


def _bar(stage: Stage, state: State, layout: str, row: Box) -> Iterator[Mark]:
    pen, now = stage.pen, state.of(layout)
    name = "in one piece" if layout == CONTIGUOUS else f"in blocks of {state.block}"
    role, strong = ("hot strong",) * 2 if layout == state.telling.layout else ("label", "value strong")
    share, taken = f"{percent(now.live_share, 2)} used", f"of {now.taken} "
    bar = pen.pick(Box(row.x, row.y + 14, row.width, 13), Box(row.x, row.y, row.width, 22))
    if pen.narrow:
        yield pen.text(f"{layout}-name", row.x, row.y + 9, name, role)
        yield pen.text(f"{layout}-share", bar.right, bar.y - 5, f"{share} {taken}taken", strong, anchor="end")
    else:
        yield pen.text(f"{layout}-name", 0, bar.y + bar.height / 2, name, role, middle=True)
        yield pen.text(f"{layout}-share", bar.right + 12, bar.y + 0.8 * bar.height, share, strong, size=pen.large)
        yield pen.text(f"{layout}-taken", bar.right + 12, bar.bottom + pen.size + 2, f"{taken}slots taken", "note")
    yield pen.rect(f"{layout}-track", bar, "cell", round=0, set={"layout": layout}, label=f"show the memory {name}")
    sizes = parts(now)
    words = []
    for kind, size, part in zip(ROLES, sizes, bar.beside(*(size * bar.width / SLOTS for size in sizes)), strict=True):
        if size and kind != "free":
            yield pen.rect(f"{layout}-{kind}", part, ROLES[kind], round=0)
        if size and kind == "unused":
            yield pen.hatch(f"{layout}-unused-hatch", part, gap=HATCH)
        if size:
            words.append((kind, part.x, f"{size} {LABELS[kind]}", "note"))
    if now.waiting:
        words.append(("waits", bar.right, waits(now.waiting), "dropped strong"))
    yield from _under(stage, layout, bar, words)


def waits(names: Sequence[str]) -> str:
    """Who waits, and the verb."""
    return f"{listed(names)} {'waits' if len(names) == 1 else 'wait'}"


def _under(stage: Stage, layout: str, bar: Box, words: list[tuple[str, float, str, str]]) -> Iterator[Mark]:
    """Labels under the parts that they name, moved along where they would touch, and back from the right edge."""
    pen, places, gap = stage.pen, [], stage.pen.pick(10, 14)
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
