"""The picture of attention in tiles: the map that stays empty, the memory on the chip, and bytes counted two ways."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, count, memoized
from loom.scene import Moment

from .answer import draw_answer, draw_never
from .chart import draw_chart, draw_runners
from .measured import PART
from .measured import moved as measured
from .model import KIB, Case
from .narration import all_done, amount, doublings, kernel_of, place, plain_so_far, so_far
from .stage import NARROW, WIDE, Stage

FINEST = 4  # units: tiles that are smaller on the map have no lines between them
RING = 3.5  # units: the radius of what was measured
LEAST = 5.0  # units: a tile that is smaller is drawn as large as can be seen


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    yield from draw_map(stage, moment.result)
    if moment.phase == "plain":
        yield from draw_plain(stage, moment)
    else:
        yield from draw_tile(stage, moment)
    yield from draw_chip(stage, moment)
    yield from draw_answer(stage, moment)
    if not stage.narrow or moment.phase != "bound":
        yield from draw_bars(stage, moment)
    yield from draw_chart(stage, moment.result, moment.phase == "bound")
    if moment.phase == "bound" and moment.progress < 1:
        yield from draw_runners(stage, moment.result, doublings(moment.result)[moment.beat])


@memoized
def draw_map(stage: Stage, case: Case) -> Iterator[Mark]:
    """The empty map of all queries against all keys, and the four matrices along it."""
    box = stage.map
    told = f"{case.tokens:,} × {case.tokens:,} scores would fill {amount(case.matrix)}"
    yield stage.rect("map", box, "cell soft", round=0, read=told)
    strips = {"Q": stage.beside(box, True), "KV": stage.above(box), "O": stage.beside(box, False)}
    for name, strip in strips.items():
        yield stage.rect(f"strip-{name}", strip, "cell", round=1)
    left, right = strips["Q"], strips["O"]
    yield stage.text("name-Q", left.x + left.width / 2, box.y - 6, "Q", "label strong", anchor="middle")
    yield stage.text("name-O", right.x + right.width / 2, box.y - 6, "O", "label strong", anchor="middle")
    yield stage.text("name-KV", box.x, strips["KV"].y - 5, "K and V", "label strong")
    yield stage.text("name-keys", box.right, strips["KV"].y - 5, f"{case.tokens:,} keys", "note", anchor="end")
    edge = case.block * box.width / case.tokens
    if edge >= FINEST:
        inner = [at * edge for at in range(1, case.side)]
        down = [[(box.x + at, box.y), (box.x + at, box.bottom)] for at in inner]
        yield stage.strokes("grid", down + [[(box.x, box.y + at), (box.right, box.y + at)] for at in inner], "grid")


def draw_plain(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Three kernels: scores fill the map, weights take their place, and weights are read for the output."""
    kernel, share = kernel_of(moment)
    box, done = stage.map, stage.map.height * share
    if kernel == 0:
        yield stage.rect("scores", box._replace(height=done), "dropped soft", round=0)
    else:
        yield stage.rect("scores", box, "dropped soft", round=0)
        yield stage.rect("weights", box._replace(height=done if kernel == 1 else box.height), "dropped", round=0)
    if kernel == 2:
        output = stage.beside(box._replace(height=done), False)
        yield stage.rect("written", output, "work", round=1)
    yield stage.line("sweep", box.x, box.y + done, box.right, box.y + done, "hot thick")
    words = ("scores written", "scores read, weights written", "weights read")[kernel]
    yield stage.text("stored", box.x, box.bottom + stage.size + 4, words, "dropped strong")


def draw_tile(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The tile at work, what it is made of, and the outputs that are finished."""
    case: Case = moment.result
    at, tiles = place(moment)
    row, column = case.order[at], tiles - 1
    tile = stage.tile(case, row, column)
    words = f"{case.side} × {case.side} tiles of {case.block} × {case.block}"
    yield stage.text("tiles", stage.map.x, stage.map.bottom + stage.size + 4, words, "note")
    if case.causal and case.skipped:
        yield from draw_skipped(stage, case)
    passed = stage.part(case, row * case.block, 0, case.block, tiles * case.block)
    yield stage.rect("passed", passed, "work soft", round=0)
    least = tile._replace(width=max(tile.width, LEAST), height=max(tile.height, LEAST))
    yield stage.rect("tile", least, "hot", round=0, read="this tile is computed, used and forgotten")
    yield stage.rect("now-Q", stage.beside(tile, True), "memory", round=1)
    yield stage.rect("now-KV", stage.above(tile), "hot", round=1)
    finished = at + (tiles == case.counts[row])
    if finished:
        rows = sorted(case.order[:finished])
        part = stage.part(case, rows[0] * case.block, 0, len(rows) * case.block, case.tokens)
        yield stage.rect("finished", stage.beside(part, False), "work", round=1)
    if all_done(moment) and case.side > 2:
        yield from draw_never(stage, case)


@memoized
def draw_skipped(stage: Stage, case: Case) -> Iterator[Mark]:
    yield stage.strokes("skipped", hatched(stage.map, case), "pad", read=f"{count(case.skipped, 'tile')} skipped")


def hatched(box: Box, case: Case, gap: float = 9) -> list[list[tuple[float, float]]]:
    """Slanted lines over the tiles that a causal mask empties, from the staircase of tiles to the map's edges."""
    lines, side, edge = [], box.width, box.width * case.block / case.tokens
    for at in range(1, int(2 * side // gap) + 1):
        across = at * gap  # x + y on the line, from the map's corner
        row = int(across / 2 // edge)
        low = max(row * edge, across - min((row + 1) * edge, side))
        top = max(0.0, across - side)
        if low - top > 1:
            lines.append([(box.x + across - low, box.y + low), (box.x + across - top, box.y + top)])
    return lines


def draw_chip(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The memory on the chip: what stays in it while a row is computed, and what passes through."""
    case, box = moment.result, stage.chip
    yield stage.text("chip-title", box.x - 5, box.y - 16, "on the chip", "label strong")
    yield stage.text("chip-size", box.right + 5, box.y - 16, f"{case.memory // KIB} KB", "hot strong", anchor="end")
    yield stage.rect("chip", Box(box.x - 5, box.y - 10, box.width + 10, box.height + 20), "cell soft", round=4)
    slots = box.rows(4, stage.pick(6, 10))
    for (name, what, role), slot in zip(contents(moment), slots, strict=False):
        key = f"chip-{name}"
        yield stage.rect(key, slot, f"{role} soft", round=3)
        yield stage.text(f"{key}-name", slot.x + 8, slot.y + stage.pick(11.5, 22), name, "label strong")
        if what:
            yield stage.text(f"{key}-what", slot.x + 8, slot.y + stage.pick(23.5, 42), what)


# What each kernel of a plain program reads and writes.
COMES_AND_LEAVES = (
    (("Q comes", "memory"), ("K comes", "memory"), ("scores leave", "dropped")),
    (("scores come", "dropped"), ("weights leave", "dropped")),
    (("weights come", "dropped"), ("V comes", "memory"), ("O leaves", "work")),
)


def contents(moment: Moment) -> tuple[tuple[str, str, str], ...]:
    """What the quarters of the memory hold: a name, a stretch of rows, and how it is drawn."""
    case: Case = moment.result
    if moment.phase == "plain":
        return tuple((name, "", role) for name, role in COMES_AND_LEAVES[kernel_of(moment)[0]])
    at, tiles = place(moment)
    first, key = case.order[at] * case.block, (tiles - 1) * case.block
    keys = f"keys {key:,}–{min(key + case.block, case.tokens) - 1:,}"
    queries = f"rows {first:,}–{min(first + case.block, case.tokens) - 1:,}"
    sums = f"{tiles:,} of {case.counts[case.order[at]]:,} summed"
    return (
        ("Q stays", queries, "memory"),
        ("K passes", keys, "hot"),
        ("V passes", "the same keys", "hot"),
        ("m, l, O stay", sums, "work"),
    )


def draw_bars(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What both ways have moved so far: what has to move, and what could be spared."""
    case: Case = moment.result
    names = stage.text_width(("stored", "in tiles")) + 8
    seen = {} if moment.phase == "plain" else measured(case)  # a value stands clear of its bar's ring
    full = stage.bars.width - names - stage.text_width("88.8 MB", strong=True) - (14 if measured(case) else 8)
    unit = full / max(case.plain, case.tiled)
    ways = (("stored", plain_so_far(moment), "dropped"), ("in tiles", float(so_far(moment)), "memory soft"))
    for (name, moved, rest), row in zip(ways, stage.bars.rows(2, stage.pick(6, 10)), strict=True):
        middle, x = row.y + row.height / 2, row.x + names
        needed = min(float(case.once), moved)
        yield stage.text(f"{name}-name", row.x, middle, name, "label", middle=True)
        why = "to write and read the matrix" if rest == "dropped" else "to read again"
        read = f"{amount(needed)} once, {amount(moved - needed)} {why}" if moment.since("bound") else ""
        yield stage.rect(f"{name}-bar", Box(x, row.y, moved * unit, row.height), rest, round=1, read=read)
        yield stage.rect(f"{name}-once", Box(x, row.y, needed * unit, row.height), "memory", round=1)
        if moved:
            end = max(moved * unit, seen[name] * unit + RING) if name in seen else moved * unit
            yield stage.text(f"{name}-value", x + end + 6, middle, amount(moved), "value strong", middle=True)
    yield from draw_measured(stage, seen, unit, names)


def draw_measured(stage: Stage, seen: dict[str, float], unit: float, names: float) -> Iterator[Mark]:
    """A ring on each bar, where an H100's counters say that it ends."""
    rows = stage.bars.rows(2, stage.pick(6, 10))
    for (name, size), row in zip(seen.items(), rows, strict=False):
        told = f"measured in HBM of an {PART}: {amount(size)}"
        yield stage.circle(f"{name}-measured", row.x + names + size * unit, row.y + row.height / 2, RING,
                           "axis measured", read=told)  # fmt: skip
    if seen:
        y = stage.bars.bottom + stage.pick(13, 18)
        yield stage.text("measured-words", stage.bars.right, y, f"○ HBM of an {PART}", "note measured", anchor="end")
