"""One token's trip: to its nodes over the network, to its experts over NVLink, and back the same way."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, number, quantity

from .model import BACK, OUT
from .narration import HOPS
from .placing import LOCAL
from .router import PICKED
from .stage import Stage


def draw_trip(stage: Stage, phase: str, beat: int) -> Iterator[Mark]:
    """The nodes and their GPUs, the token or its copies, and what they weigh so far."""
    pen, trip = stage.pen, stage.trip
    for node, box in enumerate(stage.nodes):
        yield pen.rect(f"node-{node}", box, "cell soft", round=4)
        role = "label strong" if node in trip.nodes else "note"
        yield pen.text(f"node-{node}-name", *stage.name(node), f"node {node}", role)
    for node in range(len(stage.nodes)):
        cells = stage.cells[node * LOCAL : (node + 1) * LOCAL]
        yield pen.strokes(f"gpus-{node}", [cell.corners for cell in cells], "axis thin soft")
    for gpu in sorted({*trip.gpus, trip.home}):
        told = f"GPU {gpu}: the token’s own" if gpu == trip.home else f"GPU {gpu}"
        role = f"{'hot' if gpu == trip.home else 'data'} outline"
        yield pen.rect(f"gpu-{gpu}", stage.cells[gpu], role, round=2, read=told)
    far = hop(phase, beat)
    yield from draw_ways(stage, phase)
    yield from draw_copies(stage, phase, far)
    yield from draw_bytes(stage, phase, far)


def hop(phase: str, beat: int) -> int:
    """How far the copies are from home: 0 there, 1 on the network, 2 in each node, 3 at the experts."""
    if phase == "back":
        return HOPS - 1 - beat
    return beat if phase == "send" else 0


def draw_ways(stage: Stage, phase: str) -> Iterator[Mark]:
    """The network between the rows, with a way into each node, and NVLink to each expert."""
    pen, trip, box = stage.pen, stage.trip, stage.nodes[0]
    yield pen.line("spine", box.x, stage.spine, stage.nodes[-1].right, stage.spine, "memory")
    yield pen.text(
        "spine-name", (box.x + stage.nodes[-1].right) / 2, stage.spine - 5, "network", "note", anchor="middle"
    )
    if phase == "pick":
        return
    lines = []
    for gpu in (trip.home, *[stage.entry(node) for node in trip.nodes]):
        (x, y), middle = stage.drop(gpu // LOCAL), stage.middle(gpu)
        lines.append([(x, y), (x, middle[1]), middle])
    yield pen.strokes("network", lines, "memory")
    entries = [stage.middle(stage.entry(gpu // LOCAL)) for gpu in trip.gpus]
    yield pen.strokes("nvlink", zip(entries, stage.spots, strict=True), "axis")


def draw_copies(stage: Stage, phase: str, far: int) -> Iterator[Mark]:
    """What travels: a copy for each node, and one for each expert; on the way back, results and their sums."""
    pen, trip = stage.pen, stage.trip
    radius, back = pen.pick(4, 5.5), phase == "back"
    role, home = "work" if back else "hot", stage.middle(trip.home)
    for at, (spot, expert, gpu) in enumerate(zip(stage.spots, trip.experts, trip.gpus, strict=True)):
        yield pen.circle(f"spot-{at}", *spot, radius, "data outline", read=f"expert {expert} on GPU {gpu}")
        if phase != "pick":
            node = gpu // LOCAL
            place = (home, stage.drop(node), stage.middle(stage.entry(node)), spot)[far]
            yield pen.circle(f"visit-{at}", *place, radius - 1, role)
    if phase != "pick":
        for at, node in enumerate(trip.nodes):
            place = (home, stage.drop(node), stage.middle(stage.entry(node)))[min(far, 2)]
            yield pen.circle(f"copy-{at}", *place, radius, role)
    yield pen.circle("token", *home, pen.pick(5.5, 7.5), "work" if back and not far else "hot")


def draw_bytes(stage: Stage, phase: str, far: int) -> Iterator[Mark]:
    """What the copies weigh: one for each node, over an outline of one for each expert."""
    pen, back = stage.pen, phase == "back"
    box = pen.pick(Box(0, 266, 328, 50), Box(510, 92, 330, 210))
    rows = box.rows(pen.pick(2, 3), pen.pick(16, 34))
    sent = phase != "pick" and (back or far > 0)
    unit = (box.width - pen.text_width("59.1 kB") - 8) / (PICKED * BACK)
    for (key, name, each), row in zip((("out", "out, FP8", OUT), ("back", "back, BF16", BACK)), rows, strict=False):
        yield pen.text(f"{key}-name", row.x, row.y - pen.pick(3, 8), f"{name}: {each:,} B a copy", "label")
        bar = Box(row.x, row.y + 2, unit * PICKED * each, pen.pick(14, 24))
        told = f"a copy for each expert: {quantity(PICKED * each, 'B')}"
        yield pen.rect(f"{key}-naive", bar, "ghost", round=0, read=told)
        if sent if key == "out" else back and far == 0:
            size = len(stage.trip.nodes) * each
            told = f"a copy for each node: {quantity(size, 'B')}"
            yield pen.rect(f"{key}-sent", bar._replace(width=unit * size), "memory", round=0, read=told)
        middle = bar.y + bar.height / 2
        yield pen.text(f"{key}-size", bar.right + 6, middle, quantity(PICKED * each, "B"), "note", middle=True)


def draw_favourites(pen: Pen, wanted: float) -> Iterator[Mark]:
    """What the limit costs: how many of its favourite experts a token gets."""
    row = Box(510, 92, 330, 210).rows(3, 34)[-1]
    words = f"favourite experts that a token gets: {number(wanted, 2)} of {PICKED}"
    yield pen.text("wanted-name", row.x, row.y - 8, words, "label")
    gap, side = 6, 24.0
    for at in range(PICKED):
        place = Box(row.x + at * (side + gap), row.y + 2, side, side)
        yield pen.rect(f"wanted-{at}", place, "ghost", round=2)
        share = min(max(wanted - at, 0), 1)
        yield pen.rect(f"gotten-{at}", place._replace(width=side * share), "work", round=2)
