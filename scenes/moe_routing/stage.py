"""Where tokens stand: in a queue, in their expert's lane of slots, or in a tray for the dropped."""

from __future__ import annotations

import math
from functools import cache, cached_property

from loom.draw import Box, Pen

from .story import Flow


class Lanes:
    """A lane of slots for each expert. Many variants share them, and so the marks that depend on nothing else."""

    def __init__(self, pen: Pen, experts: int, length: int, tile: int) -> None:
        self.pen, self.length, self.tile = pen, length, tile
        self.box = pen.pick(Box(27, 86, 251, 240), Box(284, 24, 488, 288))  # all slots, without names and numbers
        self.names = pen.pick(0.0, 250.0)  # where the experts' names begin
        self.loads = self.box.right + pen.pick(26, 34)  # where the column of loads ends
        self.gap = pen.pick(2.0, 3.0)  # between two tiles
        lane, wide = self.box.height / experts, self.box.width / length
        height = min(lane - (4 if lane < 20 else 7), 36)
        # Slots that lie under each other in a lane: as few as keep a slot from being a sliver.
        self.deep = next((deep for deep in (1, 2) if wide * deep >= 0.7 * height / deep), 4)
        gaps = self.gap * (length / tile - 1)
        # From one column of slots to the next. Whole tenths of a unit: places that recur compress well.
        self.pitch = math.floor((self.box.width - gaps) * self.deep / length * 10) / 10
        self.air = 0.6 if min(self.pitch, height / self.deep) < 5 else 1.2  # between two slots
        self.tall = (height + self.air) / self.deep  # from one slot to the one under it
        margin, width = (lane - height) / 2, self.tile_end(length) - self.box.x
        self.rows = [Box(row.x, row.y + margin, width, height) for row in self.box.rows(experts)]
        self.middles = [row.y + row.height / 2 for row in self.rows]

    def column(self, slot: float) -> float:
        """Where the column that begins with this slot starts."""
        return self.box.x + slot / self.deep * self.pitch + slot // self.tile * self.gap

    def edge(self, slots: float) -> float:
        """Where the first so many slots of a lane end; between two tiles, the middle of the gap."""
        return self.column(slots) - (self.air if slots % self.tile else self.gap) / 2

    def tile_end(self, slots: int) -> float:
        """Where the tile ends that ends with so many slots."""
        return self.column(slots) - self.gap - self.air

    def slot(self, expert: int, slot: int) -> Box:
        down = slot % self.deep
        top = self.rows[expert].y + down * self.tall
        return Box(self.column(slot - down), top, self.pitch - self.air, self.tall - self.air)

    def empty(self, expert: int, kept: int, padded: int) -> list[Box]:
        """The slots behind the kept ones, each column's together."""
        boxes, slot = [], kept
        while slot < kept + padded:
            first, rows = self.slot(expert, slot), self.deep - slot % self.deep
            boxes.append(Box(first.x, first.y, first.width, rows * self.tall - self.air))
            slot += rows
        return boxes


lanes_of = cache(Lanes)


class Stage:
    """The geometry of a batch, on a phone (panel over lanes) and where there is room (panel beside lanes)."""

    def __init__(self, pen: Pen, flow: Flow) -> None:
        self.pen, self.flow = pen, flow
        self.lanes = lanes_of(pen, flow.experts, flow.length, flow.run.tile)
        self.head = pen.pick(12.0, 16.0)  # the first baseline
        self.hero = pen.pick(22.0, 34.0)  # the size of the numbers that the end is about
        self.panel = pen.pick(Box(0, 0, 328, 58), Box(0, 0, 206, 210))  # the queue, later the result
        self.tray = pen.pick(Box(0, 374, 328, 32), Box(0, 290, 206, 42))  # where dropped copies lie

    @cached_property
    def dropped_pitch(self) -> float:
        """From one dropped copy to the next: as large as lets all of them into the tray."""
        count, pitch = int(self.flow.run.dropped.sum()), 13.0
        while (self.tray.width // pitch) * (self.tray.height // pitch) < count:
            pitch -= 0.25
        return pitch

    def dropped(self, index: int) -> Box:
        """The place of the copy that was dropped after so many others."""
        pitch = self.dropped_pitch
        row, column = divmod(index, int(self.tray.width // pitch))
        return Box(self.tray.x + column * pitch, self.tray.y + row * pitch, pitch - 1, pitch - 1)


def queue_place(pen: Pen, token: int, group: int) -> Box:
    """A token's place in the queue. What goes in one step, a group, is a block on a phone, else a row."""
    step, place = divmod(token, group)
    few = group == 4
    if pen.narrow:
        side, across = (15.0, 2) if few else (7.5, 4)
        column, row = divmod(place, across)
        return Box(step * 41.5 + column * (side + 1.5), 22 + row * (side + 1.5), side, side)
    side, pitch = (18.0, 23.0) if few else (10.5, 20.0)
    return Box(place * (side + 2), 30 + step * pitch, side, side)
