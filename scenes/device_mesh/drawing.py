"""The picture of a mesh: pods of racks, one rack of GPUs, the groups of one GPU, and what each of them sends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from loom.draw import Mark, headline, number, percent
from loom.scene import Moment

from .._clusters.links import NODE
from .address import come, draw_walk, stops, under_way
from .few import draw_few
from .groups import ROLES, made_of, tones, way
from .map import draw_map
from .model import NETWORK, NVLINK, PODS, RACK
from .narration import near, ordinal, size, split
from .places import RANKS, parameter
from .sent import LAST, draw_sent
from .stage import NARROW, WIDE, Point, Stage
from .traffic import DIMENSIONS, Placed


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    yield from still(stage, moment.result, moment.phase, moment.beat if moment.phase in ("place", "all") else LAST)
    if moment.phase == "place":
        yield from draw_walk(stage, moment.result, moment.beat)
    if moment.phase in DIMENSIONS:
        yield stage.circle("parcel", *parcel(stage, moment), stage.pick(3.5, 5), "hot steady")


@lru_cache(maxsize=4)  # the same for all beats of a step, but of the last
def still(stage: Stage, placed: Placed, phase: str, beat: int) -> list[Mark]:
    """All but what travels; in the last step the bar of what is sent grows, from beat to beat."""
    names = split(placed) if phase == "all" else [phase] if phase in DIMENSIONS else []
    marks, ways, now = [*draw_answer(stage, placed)], come(placed, phase, beat), under_way(placed, phase, beat) or phase
    if placed.mesh.gpus == RACK:
        marks += draw_few(stage, placed, names, phase == "experts", ways)
    else:
        found = ways == len(stops(placed)) - 1
        marks += [*draw_map(stage, placed, names, found), *draw_rack(stage, placed, names)]
        marks += draw_title(stage, placed, ways)
    sent = draw_sent(stage, placed, phase, beat if phase == "all" else LAST)
    return [*marks, *sent, *draw_rows(stage, placed, now), *draw_hand(stage, placed)]


def parcel(stage: Stage, moment: Moment) -> Point:
    """What travels, where it is at this beat."""
    return way(stage, moment.result, moment.phase)[moment.beat]


def draw_answer(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """How much of what a GPU sends stays in its node."""
    share = placed.shares[NVLINK]
    words = f"{number(share, 2)}%"
    x, y = stage.answer
    role = "kept" if share > 50 else "dropped"
    said = (
        f"of the bytes stay on NVLink, in the node: {size(placed.over(NVLINK))} of the {size(placed.total)} that a GPU "
        "sends in a step"
    )
    yield from headline(stage, x, y, words, said, role, widest=["88%"], right=x + stage.pick(324, 462))


def draw_rack(stage: Stage, placed: Placed, names: Sequence[str]) -> Iterator[Mark]:
    """The rack of the chosen GPU: two nodes of eight."""
    first, lit = placed.rank // RACK * RACK, tones(placed, names)
    for at in range(RACK):
        box, rank = stage.in_rack(at), first + at
        if at % NODE == 0:
            yield stage.text(f"node-{at // NODE}", box.x, box.y - 4, f"node {rank // NODE:,}", "note")
        yield stage.rect(f"gpu-{at}", box, lit.get(rank, "cell"))
    if len(names) == 1 and near(placed, names[0]):
        yield stage.path("wire", way(stage, placed, names[0]), "kept")
    if not any(near(placed, name) for name in names) or len(names) > 1:  # nothing travels over it
        own = stage.in_rack(placed.rank)
        yield stage.text("gpu-own", own.x + own.width / 2, own.y + own.height / 2, f"{placed.rank:,}", "label strong",
                         anchor="middle", middle=True)  # fmt: skip


def draw_title(stage: Stage, placed: Placed, ways: int) -> Iterator[Mark]:
    """Which GPU, and how its number is made up of its places, as far as it has been counted."""
    words = f"GPU {stops(placed)[ways].rank:,} = {made_of(placed, ways)}"
    yield stage.text("title", *stage.title, words, "hot strong")


def draw_rows(stage: Stage, placed: Placed, phase: str) -> Iterator[Mark]:
    """For each dimension its place, its stride, what it sends, and its farthest wire."""
    area, names = stage.few_rows if placed.mesh.gpus == RACK else stage.rows, split(placed)
    for name, row in zip(names, area.rows(len(names)), strict=True):
        base, strong = row.y + stage.pick(11, 13), " strong" if phase == name else ""
        words = f"{name.upper()} {placed.at(name)} of {placed.mesh.sizes[name]}"
        words += "" if stage.narrow else f", {apart(placed, name)}"
        yield stage.text(f"{name}-name", row.x, base, words, f"value{strong}")
        yield stage.text(f"{name}-sent", row.right, base, size(placed.sent(name)), f"value{strong}", anchor="end")
        hops = placed.mesh.hops[name]
        farthest = next(wire for wire in (PODS, NETWORK, NVLINK) if hops[wire])
        part = "" if hops[farthest] == 1 else f"{percent(100 * hops[farthest], 2)} "
        yield stage.text(f"{name}-wire", row.x, base + stage.pick(12.5, 16), part + farthest, ROLES[farthest])


def apart(placed: Placed, name: str) -> str:
    stride = placed.mesh.strides[name]
    return "side by side" if stride == 1 else f"every {ordinal(stride)}"


def draw_hand(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """The chosen GPU, to be moved."""
    name = parameter(placed.mesh.gpus)
    rail = rail_of(stage, placed.mesh.gpus)
    yield stage.knob("hand", *rail[RANKS[name].index(placed.rank)], name, rail, "the GPU")


@lru_cache(maxsize=8)  # the same for all ranks
def rail_of(stage: Stage, gpus: int) -> list[Point]:
    """Where each GPU stands that may be chosen."""
    if gpus == RACK:
        return [stage.met(stage.among_few(rank)) for rank in RANKS[parameter(gpus)]]
    return [stage.spot(rank) for rank in RANKS[parameter(gpus)]]
