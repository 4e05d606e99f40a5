"""The map of users and tokens: what a step spends most of its time on, and how many GPUs hold the caches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from loom.draw import Mark, bounds, count, dodge, first_clear, memoized

from .chart import bends, draw_users
from .model import CONTEXTS, Load, Reals, along, balance, border, full, server
from .stage import TOKENS, Point, Stage

SHARED = (1, 8, 64)  # GPUs over which weights and caches may be divided, besides as few as hold one user


@memoized
def draw_scales(stage: Stage) -> Iterator[Mark]:
    """Users from left to right, and tokens upwards."""
    box = stage.map_box
    title = stage.pick("what takes the longest, by tokens each", "what takes the longest, by tokens of each user")
    yield stage.text("map-title", stage.pick(0, box.x - 52), stage.title, title, "note")
    for context in CONTEXTS:
        y = stage.map.at(1, context)[1]
        words = f"{context // 1024}K"
        yield stage.text(f"tokens-{context}", stage.scale(box), y, words, "note", anchor="end", middle=True)
    yield from draw_users(stage, "map", box)


@memoized
def draw_regions(stage: Stage, model: str, gpu: str) -> Iterator[Mark]:
    """Attention above, weights below, and arithmetic where so many share the weights that it takes longer."""
    box, edge = stage.map_box, edge_of_attention(stage, model, gpu)
    turn, near = stage.map.at(balance(model, gpu), TOKENS[0])[0], 1e-6  # the edge has a point there, but for rounding
    left, right = ([place for place in edge if side * (place[0] - turn) < near] for side in (1, -1))
    role = "data" if above(model, gpu) == "cache" else "work"
    yield stage.path("region-above", [*edge, (box.right, box.y), (box.x, box.y)], f"{role} solid soft", close=True)
    for name, places, role in (("weights", left, "memory"), ("arithmetic", right, "work")):
        if len(places) > 1:
            yield stage.path(f"region-{name}", ground(stage, places), f"{role} solid soft", close=True)


def above(model: str, gpu: str) -> str:
    """What takes the longest of attention."""
    read = server(model, gpu).step(1, CONTEXTS[-1])
    return "cache" if read.read_cache >= read.attend else "attention"


def edge_of_attention(stage: Stage, model: str, gpu: str) -> list[Point]:
    """Where attention begins to take longer than the linear layers, along the top as far as no text is so long."""
    batch, tokens, top = np.log(along(model, gpu)), np.log(border(model, gpu)), np.log(TOKENS[1])
    some = np.unique([*batch, np.interp(-top, -tokens, batch)])
    line = np.stack([some, np.minimum(np.interp(some, batch, tokens), top)], axis=1)
    return [stage.map.at(*place) for place in np.exp(bends(line))]


@cache
def names(stage: Stage, model: str, gpu: str, hand: Point) -> tuple[Mark, ...]:
    """What takes the longest, in each region that has room for it, off the knob."""
    box, words = stage.map_box, above(model, gpu)
    y, beside = box.y + 5 + 0.75 * stage.size, stage.knob_radius + 1
    found = [
        off_knob(stage, hand, *[stage.text("region-above-name", x, y, words, "label strong", anchor="end")
                             for x in (box.right - 6, hand[0] - beside)]),
        off_knob(stage, hand, *[stage.text("region-weights-name", x, box.bottom - 7, "weights", "label strong")
                             for x in (box.x + 6, hand[0] + beside)]),
    ]  # fmt: skip
    batch, turn = along(model, gpu), balance(model, gpu)
    tops = [stage.map.at(*place)[1] for place in zip(batch, border(model, gpu), strict=True) if place[0] >= turn]
    if len(tops) > 1 and box.bottom - max(tops) > stage.size:
        found.append(called_arithmetic(stage, box.right - stage.map.at(turn, TOKENS[0])[0]))
    return tuple(found)


def off_knob(stage: Stage, hand: Point, *places: Mark) -> Mark:
    """A name at the first of its places that the knob leaves free."""
    return first_clear(places, [stage.circle("knob", *hand, stage.knob_radius)], gap=0)


def called_arithmetic(stage: Stage, wide: float) -> Mark:
    """The name of a region that is so wide: on it, or where there is no room, beside it in its colour."""
    key, box, words = "region-arithmetic-name", stage.map_box, "arithmetic"
    if stage.text_width(words, strong=True) + 10 < wide:
        return stage.text(key, box.right - 6, box.bottom - 7, words, "label strong", anchor="end")
    return stage.text(key, box.right + stage.aside, box.bottom, words, "work strong")


def ground(stage: Stage, edge: list[Point]) -> list[Point]:
    """What lies under an edge."""
    return [*edge, (edge[-1][0], stage.map_box.bottom), (edge[0][0], stage.map_box.bottom)]


@memoized
def draw_full(stage: Stage, model: str, gpu: str, least: int, hand: Point) -> Iterator[Mark]:
    """Where memory is full, for as many GPUs as hold one user, and for more; with names at the right."""
    box, ends, words = stage.map_box, dict[int, float](), names(stage, model, gpu, hand)
    beside = any(mark.shape["x"] > box.right for mark in words)
    floor = box.bottom - 1.4 * stage.size * beside
    for gpus in (least, *(some for some in SHARED if some >= 2 * least)):
        if places := edge_of(stage, along(model, gpu), full(model, gpu, gpus)):
            role = "dropped" if gpus == least else "dropped thin dashed"
            yield stage.strokes(f"full-{gpus}", around(places, words), role)
            x, y = places[-1]
            if x > box.right - 1:
                ends[gpus] = y
            elif gpus == least:  # above the names of what is longest
                low = box.bottom - 7 - 1.4 * stage.size
                floor = low - 1.4 * stage.size
                right, left = (float(np.interp(y, *np.array(places).T[::-1])) for y in (low, low - stage.size))
                behind = hand[0] + stage.knob_radius + 1
                sides = ((right + 8, "start"), (max(right + 8, behind), "start"), (left - 6, "end"))
                sides = sides if behind < box.right - 2 * stage.size else sides[::2]
                yield off_knob(stage, hand, *[stage.text("full-name", x, low, full_words(least), "label strong",
                                                      anchor=anchor) for x, anchor in sides])  # fmt: skip
    heights = dodge(list(ends.values())[::-1], 1.05 * stage.size, box.y + 4, floor)[::-1]
    for gpus, y in zip(ends, heights, strict=True):
        told = full_words(gpus) if gpus == min(ends) else f"{gpus} full"
        role = "dropped strong" if gpus == least else "dropped"
        yield stage.text(f"full-{gpus}-name", box.right + stage.aside, y, told, role, middle=True)


def around(line: list[Point], words: Iterable[Mark]) -> list[list[Point]]:
    """A line that falls from left to right, without what would strike words through: of these, higher ones first."""
    pieces, gap = [line], 2.0
    for left, top, right, bottom in map(bounds, words):
        xs, ys = np.array(pieces[-1]).T
        start, end = max(left - gap, np.interp(top, ys, xs)), min(right + gap, np.interp(bottom, ys, xs))
        if start < end:
            cut = [(float(x), float(np.interp(x, xs, ys))) for x in (start, end)]
            pieces[-1:] = [[place for place in pieces[-1] if place[0] < start] + cut[:1],
                           cut[1:] + [place for place in pieces[-1] if place[0] > end]]  # fmt: skip
    return [piece for piece in pieces if len(piece) > 1]


def full_words(gpus: int) -> str:
    return f"{count(gpus, 'GPU')} full"


def edge_of(stage: Stage, batch: Reals, tokens: Reals) -> list[Point]:
    """The part of a falling line that lies on the map, with its ends on the frame."""
    x, y = np.log(batch), np.log(np.maximum(tokens, 1))
    low, high = np.log(TOKENS)
    ends = [np.interp(-height, -y, x) for height in (high, low) if y[-1] <= height <= y[0]]
    some = np.unique([*ends, *x[(y >= low) & (y <= high)]])
    if len(some) < 2:
        return []
    return [stage.map.at(*place) for place in np.exp(bends(np.stack([some, np.interp(some, x, y)], axis=1)))]


def draw_place(stage: Stage, load: Load, runs: int | None, alone: bool) -> Iterator[Mark]:
    """Where the server is on the map, or would be with other users, where the story is there."""
    if not (runs and alone):
        yield stage.knob("place", *stage.map.at(load.batch, load.context), ("batch", "context"), stage.rail)
    if runs:
        yield stage.circle("lone-place", *stage.map.at(runs, load.context), stage.pick(4, 5), "hot")
