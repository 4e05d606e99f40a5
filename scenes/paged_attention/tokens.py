"""What is in the slots: tokens with the letter of their request, and slots that are taken and hold nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark

from .moments import NAMES, State
from .stage import COLUMNS, Stage, runs
from .words import series

HATCH = 6  # units from line to line
Piece = tuple[str, int, int, int]  # name, place of its first token, first slot, end


def draw_empty(stage: Stage, state: State) -> Iterator[Mark]:
    """Slots that are taken and hold nothing: dashed if their request will use them, hatched if not or not yet."""
    pen, (later, unused) = stage.pen, empty_runs(state)
    for name, at, first, end in later:
        box = stage.run(first, end).inset(1, 1, 1, 1)
        yield pen.rect(f"{name}-later-{at}", box, "ghost", round=0)
        yield from _named(stage, f"{name}-later-{at}-label", box, f"kept for {name}")
    for key, first, end in unused:
        box, name = stage.run(first, end).inset(1, 1, 1, 1), key.partition("-")[0]
        label = [] if state.paged else list(_named(stage, f"unused-{key}-label", box, f"{name} never uses this", 24))
        yield pen.rect(f"unused-{key}", box, "pad", round=0)
        left = pen.room(label[0].text) + 13 if label else 0
        right = sum(pen.room(word, strong=True) + 6 for word in end_words(stage, state, end) if word)
        yield pen.hatch(f"unused-{key}-hatch", box.inset(left=left, right=right), gap=HATCH)
        yield from label


def _named(stage: Stage, key: str, box: Box, words: str, more: float = 0) -> Iterator[Mark]:
    """A label at the left end of a piece, where there is room for it and for `more`."""
    if stage.pen.room(words) + 14 + more <= box.width:
        yield stage.pen.text(key, box.x + 7, box.y + box.height / 2, words, "note", middle=True)


def empty_runs(state: State) -> tuple[list[tuple[str, int, int, int]], list[tuple[str, int, int]]]:
    """Pieces kept for later: name, row, first slot, end; and pieces without use: key, first slot, end."""
    now, later, unused = state.now, [], []
    for name, (start, size) in sorted(now.pieces.items()):
        used, final, end = start + len(now.slots[name]), start + NAMES[name].final, start + size
        later += [(name, first // COLUMNS - start // COLUMNS, first, stop) for first, stop in runs(range(used, final))]
        unused += [(f"{name}-{stop}", first, stop) for first, stop in runs(range(final, end))]
    if state.paged:
        written = {int(slot) for slots in now.slots.values() for slot in slots}
        blocks = np.flatnonzero(now.refs)
        rest = [slot for b in blocks for slot in range(b * now.block, (b + 1) * now.block) if slot not in written]
        unused += [(str(stop), first, stop) for first, stop in _cut(runs(rest), now.block)]
    return later, unused


def _cut(pieces: list[tuple[int, int]], block: int) -> list[tuple[int, int]]:
    """Runs cut where a block ends."""
    return [
        (max(first, at), min(end, at + block))
        for first, end in pieces
        for at in range(first // block * block, end, block)
    ]


def draw_tokens(stage: Stage, state: State) -> Iterator[Mark]:
    """What holds a token, in the colour and with the letter of its request; a shared slot has two halves."""
    pen, letters = stage.pen, []
    owners = owners_of(state)
    for name, at, first, end in pieces_of(stage, state):
        box, users = stage.run(first, end).inset(1, 1, 1, 1), owners[first]
        part = box.rows(len(users))[users.index(name)]
        yield pen.rect(f"{name}-token-{at}", part, f"{series(name)} soft", round=0)
        if users[0] == name and pen.room("".join(users)) + 3 <= box.width:
            words = users if len(users) == 1 else f"{users[0]} and {users[1]}"
            words = words if pen.room(words) + 50 <= box.width or len(users) == 1 else " ".join(users)
            letters.append((f"{name}-letter-{at}", box, words))
    for key, box, words in letters:
        yield pen.text(key, box.x + box.width / 2, box.y + box.height / 2, words, "value strong", anchor="middle",
                       middle=True)  # fmt: skip


def owners_of(state: State) -> dict[int, str]:
    """Whose token stands in each slot: letters in the order of arrival."""
    owners: dict[int, str] = {}
    for name in sorted(state.now.slots):
        for slot in state.now.slots[name]:
            owners[int(slot)] = owners.get(int(slot), "") + name
    return owners


def pieces_of(stage: Stage, state: State) -> list[Piece]:
    """Each request's tokens as runs of slots; where blocks have numbers, every block is a run of its own."""
    now, owners, found = state.now, owners_of(state), []
    for name in sorted(now.slots):
        slots = [int(slot) for slot in now.slots[name]]
        start = 0
        for at in range(1, len(slots) + 1):
            ends = at == len(slots) or slots[at] != slots[at - 1] + 1 or slots[at] % COLUMNS == 0
            ends = ends or owners[slots[at]] != owners[slots[start]]
            if ends or (numbered(stage, state) and slots[at] % now.block == 0):
                found.append((name, start, slots[start], slots[at - 1] + 1))
                start = at
    return found


def numbered(stage: Stage, state: State) -> bool:
    """Whether blocks are large enough to carry their number."""
    return state.paged and state.block >= (8 if stage.pen.narrow else 4)


def end_words(stage: Stage, state: State, end: int) -> tuple[str, str]:
    """What stands at the end of the block that ends at this slot: where it was copied from, and its number."""
    block = state.now.block
    if end % block or not numbered(stage, state):
        return "", ""
    number = end // block - 1
    for copy in state.now.copies:
        room = (block - copy.tokens - 1) * stage.run(0, 1).width - stage.pen.room(str(number)) - 13
        for words in (f"from {copy.source}", "copy") if copy.target == number else ():
            if stage.pen.room(words, strong=True) <= room:
                return words, str(number)
    return "", str(number)
