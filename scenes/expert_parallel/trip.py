"""One token's trip: to its nodes over the network, to its experts over NVLink, and back the same way."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, number, quantity

from .model import BACK, OUT
from .narration import HOPS
from .pace import picked_at
from .placing import LOCAL
from .router import PICKED
from .stage import Stage


def draw_trip(stage: Stage, phase: str, beat: int) -> Iterator[Mark]:
    """The nodes and their GPUs, the token or its copies, and what they weigh so far."""
    pen, trip, far = stage.pen, stage.trip.first(picked_at(phase, beat)), hop(phase, beat)
    for node, box in enumerate(stage.nodes):
        yield pen.rect(f"node-{node}", box, "cell soft", round=4)
        role, words = "label strong" if node in trip.nodes else "note", f"node {node}"
        if node == trip.home // LOCAL:
            role, words = "hot strong", pen.pick("token", f"{words}: token")
        yield pen.text(f"node-{node}-name", *stage.name(node), words, role)
    for node in range(len(stage.nodes)):
        cells = stage.cells[node * LOCAL : (node + 1) * LOCAL]
        yield pen.strokes(f"gpus-{node}", [cell.corners for cell in cells], "axis thin soft")
    for gpu in sorted({*trip.gpus, trip.home}):
        told = f"GPU {gpu}: the token’s own" if gpu == trip.home else f"GPU {gpu}"
        role = f"{'hot' if gpu == trip.home else 'data'} outline"
        yield pen.rect(f"gpu-{gpu}", stage.cells[gpu], role, round=2, read=told)
    yield from draw_ways(stage, phase)
    yield from draw_copies(stage, phase, far, {*trip.experts})
    yield from draw_bytes(stage, phase, far)


def hop(phase: str, beat: int) -> int:
    """How far copies are: 0 at home, 1 at its way to the network, 2 at the nodes' ways, 3 inside, 4 at the experts."""
    if phase == "back":
        return HOPS - 1 - beat
    return beat if phase == "send" else 0


def crossed(phase: str, far: int) -> bool:
    """Whether the network is behind what travels."""
    return far < 2 if phase == "back" else far > 1


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
    yield pen.strokes("nvlink", zip(entries, stage.spots, strict=True), "memory thin")


def draw_copies(stage: Stage, phase: str, far: int, picked: set[int]) -> Iterator[Mark]:
    """What travels: a copy for each node, and one for each expert; on the way back, results and their sums."""
    pen, trip = stage.pen, stage.trip
    radius, back = pen.pick(3.5, 4.5), phase == "back"
    role, home, door = "work" if back else "hot", stage.middle(trip.home), stage.drop(trip.home // LOCAL)
    for at, (spot, expert, gpu) in enumerate(zip(stage.spots, trip.experts, trip.gpus, strict=True)):
        if expert in picked:
            yield pen.circle(f"spot-{at}", *spot, radius, "data outline", read=f"expert {expert} on GPU {gpu}")
        if far > 2:
            place = spot if far > 3 else stage.middle(stage.entry(gpu // LOCAL))
            yield pen.circle(f"visit-{at}", *place, radius - 1, role)
    if phase != "pick":
        for at, node in enumerate(trip.nodes):
            place = (home, door, stage.drop(node), stage.middle(stage.entry(node)))[min(far, 3)]
            yield pen.circle(f"copy-{at}", *place, radius, role)
    yield pen.circle("token", *home, pen.pick(5.5, 7.5), "work" if back and not far else "hot")


def draw_bytes(stage: Stage, phase: str, far: int) -> Iterator[Mark]:
    """What the copies weigh: of a place for each expert, one is filled for each node."""
    pen, back, nodes = stage.pen, phase == "back", len(stage.trip.nodes)
    rows = pen.pick(Box(0, 266, 328, 50), Box(510, 92, 330, 218)).rows(pen.pick(2, 3), pen.pick(16, 44))
    unit = (rows[0].width - pen.text_width("88.8 kB of 888 kB", strong=True) - 8) / (PICKED * BACK)
    ways = (("out", "out, FP8", OUT, back or crossed(phase, far)),
            ("back", "back, BF16", BACK, back and crossed(phase, far)))  # fmt: skip
    for (key, name, each, sent), row in zip(ways, rows, strict=False):
        yield pen.text(f"{key}-name", row.x, row.y - pen.pick(3, 8), f"{name}: {each:,} B a copy", "label")
        bar = Box(row.x, row.y + 2, unit * PICKED * each, pen.pick(14, 24))
        copies, words = bar.columns(PICKED), quantity(PICKED * each, "B")
        between = [((copy.x, bar.y), (copy.x, bar.bottom)) for copy in copies[1:]]
        yield pen.strokes(f"{key}-naive", [bar.corners, *between], "ghost", read=f"a copy for each expert: {words}")
        if sent:
            size = quantity(nodes * each, "B")
            words = f"{size} of {words}"
            boxes = [copy.inset(1, 0, 1, 0).corners for copy in copies[:nodes]]
            yield pen.strokes(f"{key}-sent", boxes, "memory solid", read=f"a copy for each node: {size}")
        role = "value strong" if sent else "note"
        yield pen.text(f"{key}-size", bar.right + 6, bar.y + bar.height / 2, words, role, middle=True)


def draw_favourites(pen: Pen, wanted: float) -> Iterator[Mark]:
    """What the limit costs: how many of its favourite experts a token gets."""
    row = Box(510, 92, 330, 218).rows(3, 44)[-1]
    words = f"favourite experts that a token gets: {number(wanted, 2)} of {PICKED}"
    yield pen.text("wanted-name", row.x, row.y - 8, words, "label")
    gap, side = 6, 24.0
    for at in range(PICKED):
        place = Box(row.x + at * (side + gap), row.y + 2, side, side)
        yield pen.rect(f"wanted-{at}", place, "ghost", round=2)
        share = min(max(wanted - at, 0), 1)
        yield pen.rect(f"gotten-{at}", place._replace(width=side * share), "work", round=2)
