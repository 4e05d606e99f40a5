"""The steps of one read: the tile, the request, the queues, some of the passes, and the other layouts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .model import LAYOUTS, WORD, Integers, Request, is_aligned, request

TILE, ASK, QUEUE, PASS, OTHERS = "tile", "ask", "queue", "pass", "others"
BEST_FIRST = ("padded", "plain", "swizzled")  # of layouts with as few passes, the one that is shown beside the chosen


@dataclass(frozen=True)
class State:
    """A read at one step. `at` is the pass that is being made, 0 before the first."""

    layout: str
    access: str
    stride: int
    width: int
    phase: str
    at: int = 0

    @property
    def piece(self) -> int:
        """Words that each lane asks for."""
        return self.width // 32

    @cached_property
    def request(self) -> Request:
        """The read of the chosen tile."""
        return self.rivals[self.layout]

    @cached_property
    def rivals(self) -> dict[str, Request]:
        """The same read of every layout whose rows are aligned to it."""
        fitting = [layout for layout in LAYOUTS if is_aligned(layout, self.width)]
        return {layout: request(layout, self.access, self.stride, self.width) for layout in fitting}

    @property
    def best(self) -> str:
        """The layout with the fewest passes; the chosen one if none has fewer."""
        names = [self.layout, *(name for name in BEST_FIRST if name in self.rivals and name != self.layout)]
        return min(names, key=lambda name: self.rivals[name].passes)

    @property
    def shown(self) -> str:
        """The layout that the picture shows: at the end the best one."""
        return self.best if self.phase == OTHERS else self.layout

    @property
    def arrivals(self) -> Integers:
        """The pass after which each lane is served, shape (32,)."""
        return self.request.served_in

    @property
    def served(self) -> int:
        """Lanes that have all they asked for."""
        return int((self.arrivals <= self.at).sum())

    @property
    def handed(self) -> int:
        """Bytes that have left the banks [B]."""
        of = self.request
        if self.phase == OTHERS:
            return self.rivals[self.shown].handed
        words = {
            int(word) for word, turn in zip(of.words.ravel(), of.passes_of.ravel(), strict=True) if turn <= self.at
        }
        return len(words) * WORD

    @property
    def is_last(self) -> bool:
        """Whether this pass serves the last lane."""
        return self.at == self.request.passes


def steps(layout: str, access: str, stride: int, width: int) -> list[State]:
    """Every step; of many passes the first, second, fourth and so on, and the last."""
    passes = request(layout, access, stride, width).passes
    shown = sorted({*(2**power for power in range(6) if 2**power <= passes), passes})
    moments = [(TILE, 0), (ASK, 0), (QUEUE, 0), *((PASS, turn) for turn in shown), (OTHERS, passes)]
    return [State(layout, access, stride, width, phase, at) for phase, at in moments]
