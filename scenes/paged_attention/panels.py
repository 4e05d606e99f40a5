"""Beside the memory: a line for each request with its table, and both memories as bars on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from loom.draw import Box, Mark, headline, listed, percent

from .model import NAMES, SLOTS, Request
from .stage import HATCH, Stage, series
from .steps import CONTIGUOUS, PAGED, State, parts

ROLES = {"token": "kept", "later": "ghost", "unused": "pad", "free": ""}  # of the parts of a bar
LABELS = {"token": "tokens", "later": "for later", "unused": "unused", "free": "free"}

CELLS_FROM = 16  # slots in a block: the tables of smaller ones have no room to be drawn


def draw_answer(stage: Stage, state: State) -> Iterator[Mark]:
    """How much is free, and whether that is of use."""
    pen, now = stage.pen, state.now
    x, y = stage.answer
    words, role = f"of {SLOTS} slots", "label"
    if now.waiting:
        first = NAMES[now.waiting[0]]
        words, role = f"and {first.name} waits: too few blocks", "dropped strong"
        if not state.paged:
            words = f"and {first.name} waits: it needs {first.most} in a row"
        if not state.ending and first.name not in state.telling.chosen[state.step - 1].waiting:  # it gets in next
            words, role = f"enough for {first.name}", "label"
    number, widest = f"{now.free} free", [f"{SLOTS} free"]
    yield from headline(pen, x, y, number, [words], widest=widest, under=not pen.narrow, tone=role)


def draw_requests(stage: Stage, state: State) -> Iterator[Mark]:
    """The queue: who is there, who waits with its prompt beside it, and where the tokens of each are."""
    pen, box, now = stage.pen, stage.requests, state.now
    for request, row in zip(state.arrived, box.rows(6, stage.row_gap), strict=False):
        name = request.name
        chip = Box(row.x, row.y, row.height * 1.3, row.height)
        words, role = _line(stage, state, request, row.width - chip.width - 8)
        colour = "dropped outline" if name in now.waiting else "ghost"
        colour = f"{series(name)} soft" if name in now.running else colour
        yield pen.rect(f"{name}-chip", chip, colour)
        yield stage.centred(f"{name}-chip-letter", chip, name, "value strong")
        x, room = chip.right + 8, pen.text_width(words, strong="strong" in role)
        if name in now.running and state.paged and state.block >= CELLS_FROM:
            table = Box(x, row.y, row.right - x - room - 8, row.height)
            yield from _table(stage, state, name, table)
            x += 8 + len(now.tables[name]) * cell_width(stage, table, len(now.tables[name]))
        if pen.narrow and name in {*now.running, *now.ended} and state.paged and state.block >= CELLS_FROM:
            x = row.right - room  # in a column, however long the tables are
        yield pen.text(f"{name}-line", x, row.y + row.height / 2, words, role, middle=True)


def draw_prompts(stage: Stage, state: State) -> Iterator[Mark]:
    """The prompts of those who are in the queue, each beside its request: in a column, whatever is said of it."""
    longest = "waits: too few free blocks" if state.paged else "waits: needs 96 in one piece"
    for request, row in zip(state.arrived, stage.requests.rows(6, stage.row_gap), strict=False):
        name, now = request.name, state.now
        if name not in now.running and name not in now.ended:
            start = row.x + row.height * 1.3 + 16 + stage.pen.text_width(longest, strong=True)
            prompt = Box(start, row.y + 3, min(request.prompt, row.right - start), row.height - 6)
            yield stage.pen.rect(f"{name}-token-0", prompt, f"{series(name)} soft", round=0)


def _table(stage: Stage, state: State, name: str, box: Box) -> Iterator[Mark]:
    """A request's block table, a cell for each block; framed, as in the memory, if the step is about this request."""
    pen, table = stage.pen, state.now.tables[name]
    wide = cell_width(stage, box, len(table))
    for at, number in enumerate(table):
        cell = Box(box.x + at * wide, box.y, wide - 1, box.height)
        yield pen.rect(f"{name}-cell-{at}", cell, "hot outline" if name in state.actors else "cell", round=1)
        yield stage.centred(f"{name}-cell-{at}-number", cell, str(number), "label")


def cell_width(stage: Stage, box: Box, count: int) -> float:
    return min(box.width / count, stage.pen.pick(26, 28))


def _line(stage: Stage, state: State, request: Request, room: float) -> tuple[str, str]:
    """Where a request stands, in words that fit, and their role."""
    now, name = state.now, request.name
    if name in now.ended:
        return "has ended", "note"
    if name in now.waiting:
        need = "too few free blocks" if state.paged else f"needs {request.most} in one piece"
        return f"waits: {need}" if name == now.waiting[0] else f"waits behind {now.waiting[0]}", "dropped strong"
    if state.ending and name in now.event.names:
        return f"ends after {len(now.slots[name])} tokens", "hot"
    if name not in now.running:
        return f"arrives with {request.prompt} tokens", "hot"
    tokens, role = f"{len(now.slots[name])} tokens", "hot" if name in state.actors else "label"
    if not state.paged:
        start, size = now.pieces[name]
        return f"{tokens} in slots {start}–{start + size - 1}", role
    if state.block >= CELLS_FROM:
        return tokens, role
    numbers, shown = spans(now.tables[name]), f"{tokens} in {'blocks' if len(now.tables[name]) > 1 else 'block'}"
    for at, word in enumerate(numbers):
        longer = f"{shown}, {word}" if at else f"{shown} {word}"
        if stage.pen.text_width(longer + (" …" if at < len(numbers) - 1 else "")) > room:
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
    yield from draw_key(stage)
    for layout, row in zip((CONTIGUOUS, PAGED), stage.bars.rows(2, stage.pen.pick(4, 10)), strict=True):
        yield from _bar(stage, state, layout, row)
    rail = [_switch(stage, row) for row in stage.bars.rows(2, stage.pen.pick(4, 10))]
    yield stage.pen.knob("layout", *rail[state.paged], "layout", rail)


@cache
def draw_key(stage: Stage) -> list[Mark]:
    """On a phone, where parts have no room for labels: what is full or hatched. What is dashed, the memory names."""
    pen, (x, y), side, gap = stage.pen, (29, stage.bars.y - 3), 9, 5
    marks = []
    for kind in ("token", "unused") if pen.narrow else ():
        box = Box(x, y - side, side, side)
        marks.append(pen.rect(f"key-{kind}", box, ROLES[kind], round=0))
        if kind == "unused":
            marks.append(pen.hatch(f"key-{kind}-hatch", box, gap=HATCH))
        marks.append(pen.text(f"key-{kind}-words", box.right + gap, y, LABELS[kind], "note"))
        x = box.right + 4 * gap + pen.text_width(LABELS[kind])
    return marks


def _switch(stage: Stage, row: Box) -> tuple[float, float]:
    """Before the name of a memory: where the handle stands that chooses it."""
    return stage.pen.pick((15.0, row.y + 5), (16.0, row.y + 9))


def _bar(stage: Stage, state: State, layout: str, row: Box) -> Iterator[Mark]:
    pen, now = stage.pen, state.of(layout)
    name = "in one piece" if layout == CONTIGUOUS else f"in blocks of {state.block}"
    role, strong = ("hot strong",) * 2 if layout == state.telling.layout else ("label", "value strong")
    share = f"{percent(now.live_share, 2)} used" if now.taken else "nothing taken"
    bar = pen.pick(Box(row.x, row.y + 13, row.width, 10), Box(row.x, row.y, row.width, 18))
    if pen.narrow:
        yield pen.text(f"{layout}-name", row.x + 30, row.y + 9, name, role)
        whole = f"{share} of {now.taken} taken" if now.taken else share
        yield pen.text(f"{layout}-share", bar.right, bar.y - 5, whole, strong, anchor="end")
    else:
        yield pen.text(f"{layout}-name", 32, bar.y + bar.height / 2, name, role, middle=True)
        yield pen.text(f"{layout}-share", bar.right + 12, bar.y + bar.height / 2, share, strong, middle=True)
        if now.taken:
            taken = f"of {now.taken} slots taken"
            yield pen.text(f"{layout}-taken", bar.right + 12, bar.bottom + pen.size + 1, taken, "note")
    yield pen.rect(f"{layout}-track", bar, "cell", round=0, set={"layout": layout}, label=f"show the memory {name}")
    sizes = parts(now)
    words = []
    for kind, size, part in zip(ROLES, sizes, bar.hstack(*(size * bar.width / SLOTS for size in sizes)), strict=True):
        if size and kind != "free":
            yield pen.rect(f"{layout}-{kind}", part, ROLES[kind], round=0, read=f"{name}: {size} {LABELS[kind]}")
        if size and kind == "unused":
            yield pen.hatch(f"{layout}-unused-hatch", part, gap=HATCH)
        if size and layout == state.telling.layout:  # of the other one, parts say their numbers when pointed at
            words.append((kind, part.x, f"{size} {LABELS[kind]}", "note"))
    if now.waiting:
        words.append(("waits", bar.right, waits(now.waiting), "dropped strong"))
    if not pen.narrow:
        yield from _under(stage, layout, bar, words)


def waits(names: Sequence[str]) -> str:
    """Who waits, and the verb."""
    return f"{listed(names)} {'waits' if len(names) == 1 else 'wait'}"


def _under(stage: Stage, layout: str, bar: Box, words: list[tuple[str, float, str, str]]) -> Iterator[Mark]:
    """Labels under the parts that they name, moved along where they would touch, and back from the right edge."""
    pen, places, gap = stage.pen, [], stage.pen.pick(10, 14)
    rooms = [pen.text_width(text, strong="strong" in role) for _, _, text, role in words]
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
