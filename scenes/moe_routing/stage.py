"""Where tokens stand: in a queue, in their expert's lane of slots, or in a strip of those that are dropped."""

from __future__ import annotations

from functools import cached_property, lru_cache

from loom.draw import Box, Pen

from .model import capacity_slots
from .story import TILE, TOKENS, Flow

Point = tuple[float, float]


class Stage:
    """The geometry of a batch: the queue before the lanes, or over them on a phone."""

    def __init__(self, pen: Pen, flow: Flow) -> None:
        self.pen, self.flow = pen, flow
        self.box = pen.pick(Box(26, 66, 264, 208), Box(146, 34, 452, 248))  # all slots
        self.names = pen.pick(0.0, 112.0)
        self.loads = pen.pick(328.0, 640.0)  # where the column of loads ends
        self.pitch = self.box.width / flow.length
        lane = self.box.height / flow.experts
        height = min(lane - pen.pick(2, 5), pen.pick(26, 34))
        self.rows = [Box(row.x, row.y + (lane - height) / 2, row.width, height) for row in self.box.rows(flow.experts)]
        self.middles = [row.y + row.height / 2 for row in self.rows]
        self.side = min(self.pitch - 2, height - 2, 16)  # of a token

    def edge(self, slots: float) -> float:
        """Where the first so many slots of a lane end."""
        return self.box.x + min(slots, self.flow.length) * self.pitch

    def slots(self, expert: int, start: int, end: int) -> Box:
        """A stretch of a lane."""
        row, left = self.rows[expert], self.edge(start)
        return Box(left, row.y, self.edge(end) - left, row.height)

    def token(self, middle: Point) -> Box:
        return Box(middle[0] - self.side / 2, middle[1] - self.side / 2, self.side, self.side)

    def slot(self, expert: int, slot: int) -> Box:
        """A token in a slot."""
        return self.token((self.edge(slot + 0.5), self.middles[expert]))

    def queue(self, token: int) -> Box:
        """A token's place before it is sent."""
        if self.pen.narrow:
            row, column = divmod(token, TOKENS // 2)
            return Box(self.pen.width - (TOKENS // 2 - column) * 11, 5 + row * 11.5, 9, 9)
        row, column = divmod(token, 4)
        return self.token((10 + column * 20, 52 + row * 21))

    def dropped(self, index: int) -> Box:
        """The place of the token that was dropped after so many others."""
        side, pitch = self.pen.pick((6.0, 8.0), (11.0, 14.0))
        return Box(self.pen.pick(0.0, self.box.x) + index * pitch, self.box.bottom + self.pen.pick(8, 12), side, side)

    @cached_property
    def goals(self) -> list[Box]:
        """Where each token goes: to its slot, or if its expert is full, to those that are dropped."""
        found, lost = [], 0
        for expert, slot in zip(self.flow.run.expert.tolist(), self.flow.run.slot.tolist(), strict=True):
            found.append(self.slot(expert, slot) if slot >= 0 else self.dropped(lost))
            lost += slot < 0
        return found

    def wall(self, capacity: str) -> float:
        """Where a capacity factor stands over the lanes; none stands behind them."""
        slots = capacity_slots(TOKENS, self.flow.experts, 1, capacity)
        return self.box.right + self.pen.pick(8, 12) if slots is None else self.edge(slots)

    @cached_property
    def hold(self) -> float:
        """Where the wall stands now."""
        return self.wall("off") if self.flow.capacity is None else self.edge(self.flow.capacity)

    def tiles(self, expert: int) -> list[Box]:
        """The tiles that an expert runs."""
        count = int(self.flow.run.tiles[expert])
        return [self.slots(expert, at * TILE, (at + 1) * TILE).inset(0.5, 0, 0.5, 0) for at in range(count)]


@lru_cache(maxsize=2)  # all beats, at either width
def stage_of(width: float, flow: Flow) -> Stage:
    return Stage(Pen(width), flow)
