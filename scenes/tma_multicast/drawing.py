"""The picture of a cluster: tiles travel from L2 along wires into blocks, and each read is counted as it leaves."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count
from loom.scene import Moment

from .layout import Layout
from .model import SIDES, Cluster
from .tally import draw_machine, draw_tally
from .travel import TRIPS, Trip, set_off, stops

ARRIVED = 99  # a beat by which all tiles are where they should be
DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, one = Pen(width), moment.result
    plan = Layout(pen, one.rows, one.columns)
    yield from draw_cache(plan, one)
    yield from draw_blocks(plan, one)
    how = "alone" if moment.phase == "alone" else "together"
    beat = moment.beat if moment.phase == how else ARRIVED
    trips = [trip for trip in TRIPS[how](one) if trip.start <= beat]
    for trip in sorted(trips):  # painted in one order, whoever reads first
        if set_off(how, trip) <= beat:
            yield from draw_wire(plan, trip)
    for trip in trips:
        yield from draw_trip(plan, one, how, beat, trip)
    if moment.phase == "machine":
        yield from draw_machine(plan, moment.beat)
    else:
        yield from draw_tally(plan, moment)
    rail = [plan.corner(row, column) for row in order() for column in order()]
    x, y = plan.corner(one.rows - 1, one.columns - 1)
    yield pen.knob("corner", x, y, ("rows", "columns"), rail, "rows and columns of the cluster")


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
    band, (right, bottom) = plan.band, plan.end
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
    """Every block of the cluster with places for two tiles, and outlines of those that could join it: all to press."""
    pen = plan.pen
    for row in order():
        for column in order():
            block, key = plan.block(row, column), f"{row}-{column}"
            there = row < one.rows and column < one.columns
            # Pressed, a place stays the mark that it is, and keeps the keyboard.
            rows, columns = (row + 1, column + 1) if there else (max(row + 1, one.rows), max(column + 1, one.columns))
            box, role = (block, "cell") if there else (plan.free(row, column), "ghost soft")
            yield pen.rect(f"block-{key}", box, role, round=3, set={"rows": rows, "columns": columns},
                           label=f"a cluster of {rows} × {columns}")  # fmt: skip
            if not there:
                continue
            foot = block.bottom - pen.pick(3, 4)
            yield pen.text(
                f"block-{key}-name", block.x + pen.pick(3, 6), foot, f"SM {row * one.columns + column}", "note"
            )


def draw_wire(plan: Layout, trip: Trip) -> Iterator[Mark]:
    """The last part of a tile's way, from the block before to this one: it is there once the tile goes along it."""
    key = f"wire-{trip.matrix}-{trip.row}-{trip.column}"
    yield plan.pen.strokes(key, plan.wire(trip.matrix, trip.row, trip.column), "link thin")


def draw_trip(plan: Layout, one: Cluster, how: str, beat: int, trip: Trip) -> Iterator[Mark]:
    """A tile on its way to one block, or in it. Several that are one so far lie on one another."""
    way, shared = plan.way(trip.matrix, trip.row, trip.column), how == "together"
    stop = min(beat - trip.start, stops(how, trip))
    place = way[stop] if shared else (way[0], way[-2], way[-1])[stop]
    role = "work soft" if shared else "dropped soft" if trip.again else "data soft"
    name = name_of(trip.matrix, trip.index)
    block = trip.row * one.columns + trip.column
    told = f"{name}: read for SM {block}" + (", though it was read before" if trip.again else "")
    told = f"{name}: one read for {trip_count(one, trip)}" if shared else told
    key, (wide, tall) = f"{how}-{trip.matrix}-{trip.row}-{trip.column}", plan.chip
    ground = Box(place[0] - wide / 2, place[1] - tall / 2, wide, tall).inset(0.5, 0.5, 0.5, 0.5)
    yield plan.pen.rect(f"under-{key}", ground, "pad")  # no wire is seen through a tile
    yield from chip(plan, key, place, name, role, told)


def trip_count(one: Cluster, trip: Trip) -> str:
    return count(one.columns if trip.matrix == "a" else one.rows, "block")
