"""All pods, rack by rack, with the groups of one GPU lit, and the hops that leave a pod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from loom.draw import Mark

from .groups import aside
from .model import NVLINK, POD
from .narration import bends, corners
from .stage import ROWS, Point, Stage, patches, slot
from .traffic import Placed

SHOWN = 6  # pods


def draw_map(stage: Stage, placed: Placed, names: Sequence[str], found: bool) -> Iterator[Mark]:
    """All pods with what is lit; where there are no names, the copy of the model in which the GPU has been `found`."""
    yield from ground(stage, placed.mesh.gpus)
    yield from pods(stage, placed)
    if found and not names:
        yield from lit(stage, "copy", copy_of(placed), "data", f"a copy of the model: {placed.replica:,} GPUs")
    for name in names:
        inside = placed.mesh.farthest(placed.rank, name) == NVLINK
        told = f"{name.upper()}: {placed.mesh.sizes[name]} GPUs"
        yield from lit(stage, name, placed.mesh.group(placed.rank, name), "kept" if inside else "memory", told)
    yield lines(stage, placed.mesh.gpus)
    for name in names:
        yield from hops(stage, placed, name)
    if found and not names:
        yield from called_copy(stage, placed)
    yield from called(stage, placed, names)


def below_hand(stage: Stage, placed: Placed, room: float) -> Point:
    """Where words of some width begin that stand under the hand, clear of its row and of its column."""
    (x, y), end = stage.spot(placed.rank), stage.pod_box(SHOWN - 1).right
    return (x + 7 if x + 7 + room <= end else x - 7 - room), y + stage.knob_radius + 0.75 * stage.size


def called_copy(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """The name of what lies at the hand in the colour of data."""
    words = "a copy of the model"
    place = below_hand(stage, placed, stage.text_width(words, strong=True))
    yield stage.text("copy-words", *place, words, "label strong halo")


def called(stage: Stage, placed: Placed, names: Sequence[str]) -> Iterator[Mark]:
    """The name of each group beside the longest stretch of it: under one that lies, at the head of one that stands.

    That of a group which lies within a node stands under the hand.
    """
    room, taken = stage.text_width("DP", strong=True), list[Point]()
    hand, reach = stage.spot(placed.rank), stage.knob_radius
    for name in names:
        if placed.mesh.farthest(placed.rank, name) == NVLINK:
            taken.append(below_hand(stage, placed, room))
            yield stage.text(f"{name}-home", *taken[-1], name.upper(), "kept strong halo")
    for name in names:
        if placed.mesh.farthest(placed.rank, name) == NVLINK:
            continue
        parts = patches(slot(rank) for rank in placed.mesh.group(placed.rank, name))
        part = max(parts[::-1] if len(parts) > 1 and parts[0][3:] == (1, 1) else parts, key=lambda one: one[3] * one[4])
        box, size = stage.node_box(*part), stage.size
        x, y = (box.x - 4 - room, box.y + 0.9 * size)
        if part[3] > part[4]:  # the end away from the hand, whose column may be another group
            x, y = (box.right - room if hand[0] < box.x + box.width / 2 else box.x), box.bottom + size
        x, y = x if x >= 0 else box.right + 4, y if y <= stage.pod.bottom else box.y - 4  # the legend lies below
        while any(abs(x - left) < room + 4 and abs(y - base) < 1.2 * size for left, base in taken) or (
            hand[0] - reach - room < x < hand[0] + reach and hand[1] - reach < y < hand[1] + reach + 0.75 * size
        ):
            x, y = (x, y + size / 2) if y + size / 2 <= stage.pod.bottom else (x + size / 2, y)
        taken.append((x, y))
        yield stage.text(f"{name}-here", x, y, name.upper(), "memory strong halo")


def pods(stage: Stage, placed: Placed) -> Iterator[Mark]:
    """The names of the pods, each clear of the hand: beside it, or left out where its neighbours leave no room."""
    (x, y), base = stage.spot(placed.rank), stage.pod.y - 8
    reach, room = stage.knob_radius, stage.text_width("pod 5")
    for pod in range(SHOWN):
        box = stage.pod_box(pod)
        left, apart = box.x, box.width + stage.gap
        if y - base - 0.25 * stage.size < reach and left - reach < x < left + room + reach:
            sides = [x + reach + 1, x - reach - 1 - room]
            free = [one for one in sides if max(box.x - apart + room + 4, 0) <= one <= box.x + apart - room - 4]
            left = free[0] if free else -1
        if left >= 0:
            yield stage.text(f"pod-{pod}-name", left, base, f"pod {pod}", "note")


def copy_of(placed: Placed) -> list[int]:
    """The GPUs that hold the same copy of the model as the chosen one."""
    places = placed.mesh.coordinate(np.arange(placed.mesh.gpus), "dp")
    found: list[int] = np.flatnonzero(places == placed.at("dp")).tolist()
    return found


@lru_cache(maxsize=8)  # the same for all ranks
def ground(stage: Stage, gpus: int) -> list[Mark]:
    """The pods, and what of them the job does not take."""
    marks = []
    for pod in range(SHOWN):
        whole, used = stage.pod_box(pod), stage.used(gpus, pod)
        name = f"pod {pod}"
        if used.height < whole.height:
            marks.append(stage.rect(f"free-{pod}", whole, "ghost", round=0, read=f"{name}: not all in this job"))
        if used.height:
            told = f"{name}: {min(POD, gpus - pod * POD):,} GPUs"
            marks.append(stage.rect(f"pod-{pod}", used, "quiet soft", round=0, read=told))
    below = stage.pod.bottom + stage.pick(13, 18)
    return [*marks, stage.text("map-words", stage.pod.x, below, "a cell: a rack, 2 nodes, 16 GPUs", "note")]


@lru_cache(maxsize=8)
def lines(stage: Stage, gpus: int) -> Mark:
    """Between racks."""
    found = []
    for pod in range(SHOWN):
        box = stage.used(gpus, pod)
        rows = round(box.height / stage.pod.height * ROWS)
        found += [[(one.x, box.y), (one.x, box.bottom)] for one in box.columns(8)[1:]] if rows else []
        found += [[(box.x, one.y), (box.right, one.y)] for one in box.rows(rows)[1:]] if rows else []
    return stage.strokes("racks", found, "sign thin")


def lit(stage: Stage, key: str, ranks: Sequence[int], role: str, told: str) -> Iterator[Mark]:
    """The nodes of some GPUs."""
    for at, (pod, row, column, columns, rows) in enumerate(patches(slot(rank) for rank in ranks)):
        box = stage.node_box(pod, row, column, columns, rows)
        yield stage.rect(f"{key}-{at}", box, role, round=0, read=told)


def hops(stage: Stage, placed: Placed, name: str) -> Iterator[Mark]:
    """The way of a round, from turn to turn; hops to another pod stand out."""
    pairs = [pair for pair in pairwise(corners(placed, name)) if slot(pair[0]) != slot(pair[1])]
    for key, role, chosen in (("near", "memory thin", False), ("far", "dropped thin", True)):
        lines = [[stage.spot(here), *aside(stage, here, there), stage.spot(there)]
                 for here, there in pairs if (bends(here, there) > 0) == chosen]  # fmt: skip
        if lines:
            yield stage.strokes(f"{key}-{name}", lines, role)
