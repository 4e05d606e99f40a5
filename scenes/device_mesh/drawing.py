"""The picture of a mesh: pods of racks, one rack of GPUs, the groups of one GPU, and what each of them sends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from loom.draw import Box, Mark, number, paragraph, percent
from loom.scene import Moment

from .._clusters.links import NODE
from .map import draw_map
from .model import NETWORK, NVLINK, PODS, RACK
from .narration import corners, near, ordinal, size, split
from .places import RANKS, parameter
from .stage import NARROW, WIDE, Point, Stage
from .traffic import DIMENSIONS, Placed

ROLES = {NVLINK: "kept", NETWORK: "memory", PODS: "dropped"}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    yield from still(stage, moment.result, moment.phase)
    if moment.phase in DIMENSIONS:
        yield stage.circle("parcel", *parcel(stage, moment), stage.pick(3.5, 5), "hot steady")


@lru_cache(maxsize=4)  # the same for all beats of a step
def still(stage: Stage, placed: Placed, phase: str) -> list[Mark]:
    """What does not move within a step: all but what travels."""
    names = split(placed) if phase == "all" else [phase] if phase in DIMENSIONS else []
    few = placed.mesh.gpus == RACK
    parts = [draw_few] if few else [draw_map, draw_rack]
    marks = [*draw_answer(stage, placed)]
    for part in parts:
        marks += part(stage, placed, names)
    return [*marks, *draw_title(stage, placed), *draw_bars(stage, placed, phase), *draw_hand(stage, placed)]


def spot(stage: Stage, placed: Placed, name: str, rank: int) -> Point:
    """Where a GPU is met on a round."""
    if not near(placed, name):
        return stage.spot(rank)
    few = placed.mesh.gpus == RACK
    box = stage.among_few(rank) if few else stage.in_rack(rank)
    return box.x + (30 if few and stage.narrow else box.width / 2), box.y + box.height / 2


def parcel(stage: Stage, moment: Moment) -> Point:
    """What travels, where it is at this beat."""
    return spot(stage, moment.result, moment.phase, corners(moment.result, moment.phase)[moment.beat])


def draw_answer(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """How much of what a GPU sends stays in its node."""
    share = placed.shares[NVLINK]
    words = f"{number(share, 2)}%"
    x, y = stage.answer
    role = "kept" if share > 50 else "dropped"
    yield stage.text("answer", x, y, words, f"{role} strong answer", size=stage.huge)
    said = (
        f"of the bytes stay on NVLink, in the node: {size(placed.over(NVLINK))} of the {size(placed.total)} that a GPU "
        "sends in a step"
    )
    left = x + stage.pick(68, 82)
    room = stage.pick(256, 380)
    yield from paragraph(stage, "answer-words", left, y - stage.pick(11, 14), said, room, "label answer")


def tones(placed: Placed, names: Sequence[str]) -> dict[int, str]:
    """The roles of the GPUs that are lit: the chosen one, and its groups in the colour of their farthest wire."""
    found = {}
    for name in reversed(names):
        role = f"{ROLES[placed.mesh.farthest(placed.rank, name)]} soft"
        found |= dict.fromkeys(placed.mesh.group(placed.rank, name), role)
    return found | {placed.rank: "hot soft"}


def draw_rack(stage: Stage, placed: Placed, names: Sequence[str]) -> Iterator[Mark]:
    """The rack of the chosen GPU: two nodes of eight."""
    first, lit = placed.rank // RACK * RACK, tones(placed, names)
    for at in range(RACK):
        box, rank = stage.in_rack(at), first + at
        if at % NODE == 0:
            yield stage.text(f"node-{at // NODE}", box.x, box.y - 4, f"node {rank // NODE:,}", "note")
        yield stage.rect(f"gpu-{at}", box, lit.get(rank, "cell"))


def draw_few(stage: Stage, placed: Placed, names: Sequence[str]) -> Iterator[Mark]:
    """Sixteen GPUs with their coordinates; from the chosen one a line to each partner that is lit."""
    lit = tones(placed, names)
    for rank in range(RACK):
        box = stage.among_few(rank)
        if rank % NODE == 0:
            yield stage.text(f"node-{rank // NODE}", box.x, box.y - 4, f"node {rank // NODE}", "note")
        yield stage.rect(f"one-{rank}", box, lit.get(rank, "cell"), set={"gpu": rank}, label=f"choose GPU {rank}")
    for name in names:
        ends = [spot(stage, placed, name, rank) for rank in placed.mesh.group(placed.rank, name)]
        yield stage.strokes(f"pair-{name}", [ends], ROLES[placed.mesh.farthest(placed.rank, name)])
    for rank in range(RACK):
        yield from coordinates(stage, placed, rank)


def coordinates(stage: Stage, placed: Placed, rank: int) -> Iterator[Mark]:
    """A GPU's number and its places."""
    box = stage.among_few(rank)
    places = [str(placed.mesh.place(rank, name)) for name in DIMENSIONS]
    if stage.narrow:
        y = box.y + box.height / 2
        yield stage.text(f"one-{rank}-name", box.x + 4, y, str(rank), "value strong", middle=True)
        yield stage.text(f"one-{rank}-at", box.right - 4, y, " ".join(places), anchor="end", middle=True)
        return
    yield stage.text(f"one-{rank}-name", box.x + 6, box.y + 22, str(rank), "value strong", size=stage.large)
    named = [f"{name.upper()} {at}" for name, at in zip(DIMENSIONS, places, strict=True)]
    for line, words in enumerate((named[:2], named[2:])):
        yield stage.text(f"one-{rank}-{line}", box.x + 6, box.bottom - 28 + 18 * line, " ".join(words), "label")


def draw_title(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """Which GPU, and how its number is made up of its places."""
    rank, (x, y) = placed.rank, stage.title
    yield stage.text("title", x, y, f"GPU {rank:,} = {made_of(placed)}", "hot strong")
    if stage.narrow and placed.mesh.gpus == RACK:
        yield stage.text("cells", 328, y, "TP CP PP DP", "note", anchor="end")


def made_of(placed: Placed) -> str:
    """A rank from its coordinates, innermost first: 0 + 8 × (13 + 16 × 7)."""
    inner = [name for name in placed.order if placed.mesh.sizes[name] > 1]
    *before, last = inner
    words = str(placed.at(last))
    for depth, name in enumerate(reversed(before)):
        nested = f"({words})" if depth else words
        words = f"{placed.at(name)} + {placed.mesh.sizes[name]}·{nested}"
    return words


def draw_bars(stage: Stage, placed: Placed, phase: str) -> Iterator[Mark]:
    """For each dimension its place, its stride, what it sends, and over which wires."""
    area = stage.few_bars if placed.mesh.gpus == RACK else stage.bars
    largest = max(placed.sent(name) for name in DIMENSIONS)
    room = stage.pick(48 if area is stage.bars else 200, 112)
    names = split(placed)
    for name, row in zip(names, area.rows(len(names)), strict=True):
        base, strong = row.y + stage.pick(11, 13), " strong" if phase == name else ""
        words = f"{name.upper()} {placed.at(name)} of {placed.mesh.sizes[name]}"
        words += "" if stage.narrow else f", {apart(placed, name)}"
        yield stage.text(f"{name}-name", row.x, base, words, f"value{strong}")
        yield stage.text(f"{name}-sent", row.right, base, size(placed.sent(name)), f"value{strong}", anchor="end")
        yield from draw_wires(
            stage, placed, name, Box(row.x, base + stage.pick(5, 7), room / largest, stage.pick(6, 8))
        )


def draw_wires(stage: Stage, placed: Placed, name: str, scale: Box) -> Iterator[Mark]:
    """A bar of bytes in the colours of their wires, and the farthest wire by name; `scale.width` is that of a byte."""
    left, sent = scale.x, placed.sent(name)
    hops = placed.mesh.hops[name]
    for wire, share in hops.items():
        if share:
            box = Box(left, scale.y, sent * share * scale.width, scale.height)
            yield stage.rect(f"{name}-{wire}", box, ROLES[wire], round=0,
                             read=f"{name.upper()}, {wire}: {size(sent * share)}")  # fmt: skip
            left = box.right
    farthest = next(wire for wire in (PODS, NETWORK, NVLINK) if hops[wire])
    part = "" if hops[farthest] == 1 else f"{percent(100 * hops[farthest], 2)} "
    yield stage.text(f"{name}-wire", left + 6, scale.y + scale.height / 2, part + farthest,
                     f"{ROLES[farthest]}", middle=True)  # fmt: skip


def apart(placed: Placed, name: str) -> str:
    stride = placed.mesh.strides[name]
    return "side by side" if stride == 1 else f"every {ordinal(stride)}"


def draw_hand(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """The chosen GPU, to be moved."""
    name = parameter(placed.mesh.gpus)
    ranks = RANKS[name]
    if placed.mesh.gpus == RACK:
        boxes = [stage.among_few(rank) for rank in ranks]
        rail = [(box.x + stage.pick(30, box.width - 15), box.y + stage.pick(box.height / 2, 15)) for box in boxes]
    else:
        rail = [stage.spot(rank) for rank in ranks]
    yield stage.knob("hand", *rail[ranks.index(placed.rank)], name, rail, "the GPU")
