"""The picture of a cluster: tiles travel from L2 along wires into blocks, and each read is counted as it leaves."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count, headline, times
from loom.scene import Moment

from .layout import Layout
from .model import SIDES, Cluster, kib, masks
from .travel import TRIPS, Trip, read, set_off, stops

DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, one = Pen(width), moment.result
    plan = Layout(pen)
    yield from draw_cache(plan, one)
    yield from draw_blocks(plan, one)
    trips = [trip for trip in TRIPS[moment.phase](one) if trip.start <= moment.beat]
    for trip in sorted(trips):  # painted in one order, whoever reads first
        if set_off(moment.phase, trip) <= moment.beat:
            yield from draw_wire(plan, trip)
    for trip in trips:
        yield from draw_trip(plan, moment, trip)
    yield from draw_tally(plan, moment)
    rail = [(plan.block(row, column).right, plan.block(row, column).bottom) for row in order() for column in order()]
    corner = plan.block(one.rows - 1, one.columns - 1)
    yield pen.knob("corner", corner.right, corner.bottom, ("rows", "columns"), rail, "rows and columns of the cluster")


def order() -> range:
    """Rows, or columns, from 0."""
    return range(len(SIDES))


def name_of(matrix: str, index: int) -> str:
    return matrix.upper() + str(index).translate(DIGITS)


def chip(plan: Layout, key: str, place: tuple[float, float], words: str, role: str, read: str = "") -> Iterator[Mark]:
    """A tile, with its middle at a place."""
    (x, y), (wide, tall) = place, plan.chip
    yield plan.pen.rect(key, Box(x - wide / 2, y - tall / 2, wide, tall), role, read=read)
    yield plan.pen.text(f"{key}-name", x, y, words, "label", anchor="middle", middle=True)


def draw_cache(plan: Layout, one: Cluster) -> Iterator[Mark]:
    """L2 along two sides, with the tiles that anyone needs."""
    band, right, bottom = plan.band, plan.end.right, plan.end.bottom
    outline = [(band.x, band.y), (right, band.y), (right, band.bottom), (band.right, band.bottom),
               (band.right, bottom), (band.x, bottom)]  # fmt: skip
    yield plan.pen.path("cache", outline, "memory thin", close=True)
    middle = (band.x + band.width / 2, band.y + band.height / 2)
    yield plan.pen.text("cache-name", *middle, "L2", "memory strong", anchor="middle", middle=True)
    for matrix, tiles in (("a", one.rows), ("b", one.columns)):
        for index in range(tiles):
            yield from chip(plan, f"tile-{matrix}-{index}", plan.home(matrix, index), name_of(matrix, index),
                            "memory soft")  # fmt: skip


def draw_blocks(plan: Layout, one: Cluster) -> Iterator[Mark]:
    """Every block of the cluster with places for two tiles; those that could join it are outlines to press."""
    pen = plan.pen
    for row in order():
        for column in order():
            block, key = plan.block(row, column), f"{row}-{column}"
            there = row < one.rows and column < one.columns
            if not there:
                sides = {"rows": row + 1, "columns": column + 1}
                label = f"a cluster of {row + 1} × {column + 1}"
                place = block.inset(*((side - pen.pick(16, 24)) / 2 for side in (block.width, block.height) * 2))
                yield pen.rect(f"free-{key}", place, "ghost soft", round=3, set=sides, label=label)
                continue
            yield pen.rect(f"block-{key}", block, "cell", round=3)
            foot = block.bottom - pen.pick(3, 4)
            yield pen.text(
                f"block-{key}-name", block.x + pen.pick(3, 6), foot, f"SM {row * one.columns + column}", "note"
            )


def draw_wire(plan: Layout, trip: Trip) -> Iterator[Mark]:
    """The last part of a tile's way, from the block before to this one: it is there once the tile goes along it."""
    key = f"wire-{trip.matrix}-{trip.row}-{trip.column}"
    yield plan.pen.strokes(key, plan.wire(trip.matrix, trip.row, trip.column), "link thin")


def draw_trip(plan: Layout, moment: Moment, trip: Trip) -> Iterator[Mark]:
    """A tile on its way to one block, or in it. Several that are one so far lie on one another."""
    way, phase = plan.way(trip.matrix, trip.row, trip.column), moment.phase
    stop = min(moment.beat - trip.start, stops(phase, trip))
    place = way[stop] if phase == "together" else (way[0], way[-2], way[-1])[stop]
    role = "work soft" if phase == "together" else "dropped soft" if trip.again else "data soft"
    name = name_of(trip.matrix, trip.index)
    block = trip.row * moment.result.columns + trip.column
    told = f"{name}: read for SM {block}" + (", though it was read before" if trip.again else "")
    told = f"{name}: one read for {trip_count(moment.result, trip)}" if phase == "together" else told
    key, (wide, tall) = f"{phase}-{trip.matrix}-{trip.row}-{trip.column}", plan.chip
    ground = Box(place[0] - wide / 2, place[1] - tall / 2, wide, tall).inset(0.5, 0.5, 0.5, 0.5)
    yield plan.pen.rect(f"under-{key}", ground, "pad")  # no wire is seen through a tile
    yield from chip(plan, key, place, name, role, told)


def trip_count(one: Cluster, trip: Trip) -> str:
    return count(one.columns if trip.matrix == "a" else one.rows, "block")


def draw_tally(plan: Layout, moment: Moment) -> Iterator[Mark]:
    """A square for each read, once it has left L2: every block for itself, and together."""
    pen, one = plan.pen, moment.result
    done, shared = read(moment.phase, one, moment.beat), moment.phase == "together"
    role = "work" if shared else "dropped"
    told = f"of {one.without} reads" if shared else f"{count(done, 'read')} from L2".removeprefix(f"{done} ")
    if pen.narrow:
        yield from headline(pen, 0, 26, str(done), [told], role)
        yield pen.text("bytes", pen.width, 26, f"{kib(done)} KiB", "note", anchor="end")
        return
    x = plan.end.right + 24
    yield from headline(pen, x, 44, str(done), [told], role, size=pen.large)
    yield pen.text("bytes", x, 68, f"{kib(done)} KiB for one step along k", "note")
    for key, words, whole, shown, role, y in (
        ("alone", "each block for itself", one.without, one.without if shared else done, "dropped", 112),
        ("together", "one read for all", one.least, done if shared else 0, "work", 192),
    ):
        yield pen.text(f"{key}-words", x, y, words, "label")
        yield from squares(pen, key, x, y + 10, whole, shown, role)
    if shared:
        if moment.progress < 1:  # what it saves is said when all have arrived
            return
        saved = f"{times(one.without / one.least)} fewer" if one.blocks > 1 else "nobody to share with"
        yield pen.text("saved", x, 262, saved, "work strong", size=pen.large)
        a, b = (
            f"{mask:b}".rjust(one.blocks, "0") for mask in (masks(one.rows, one.columns)[at] for at in (0, one.rows))
        )
        yield pen.text("masks", x, 285, f"masks: A₀ {a}, B₀ {b}" if one.blocks < 10 else f"mask of A₀: {a}", "note")


def squares(pen: Pen, key: str, x: float, y: float, whole: int, shown: int, role: str) -> Iterator[Mark]:
    """As many squares as there are reads, sixteen in a row; those still to come are outlines."""
    for at in range(whole):
        box = Box(x + at % 16 * 15, y + at // 16 * 17, 12, 14)
        yield pen.rect(f"{key}-square-{at}", box, role if at < shown else "ghost soft", round=1)
