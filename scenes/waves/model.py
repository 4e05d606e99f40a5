"""Waves: tiles are handed to the SMs of a GPU in rounds, and the last round is seldom full."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

SMS = 132  # of an H100
STEPS, EPILOGUE = 64, 8  # of a tile: its mainloop, and writing its sums; in units of an invented time
TILE = 128  # rows and columns of a tile
MOST = 540  # tiles

SCHEDULES = {
    "tile": "one block for each tile",
    "split-2": "split-K, 2 parts",
    "split-4": "split-K, 4 parts",
    "persistent": "persistent blocks",
    "stream": "stream-K",
}


class Span(NamedTuple):
    """What some neighbouring SMs do, from `start` until `end`: the mainloop, or what follows it."""

    first: int
    last: int  # the one after the last
    start: int
    end: int
    main: bool


@dataclass(frozen=True)
class Launch:
    """So many tiles of the result, and how they are shared out.

    Parameters
    ----------
    tiles : int
        Tiles of the result, at least one; all take equally long.
    schedule : str
        One of `SCHEDULES`.

    References
    ----------
    .. [1] NVIDIA, CUTLASS, media/docs/cpp/efficient_gemm.md: split-K, and persistent kernels, whose epilogue overlaps
       the next tile.
    .. [2] NVIDIA, CUTLASS, include/cutlass/gemm/kernel/sm90_tile_scheduler_stream_k.hpp: the steps of all tiles are
       shared out evenly, and blocks that share a tile add up their parts.
    """

    tiles: int
    schedule: str

    def __post_init__(self) -> None:
        if self.schedule not in SCHEDULES:
            raise ValueError(f"a schedule is one of {tuple(SCHEDULES)}, not {self.schedule!r}")
        if self.tiles < 1:
            raise ValueError(f"there is at least one tile, not {self.tiles}")

    @property
    def parts(self) -> int:
        """Into how many parts the loop over k of each tile is cut beforehand."""
        return int(self.schedule.removeprefix("split-")) if self.schedule.startswith("split") else 1

    @property
    def less(self) -> Launch:
        """The same with one tile less; itself where there is no less."""
        return Launch(max(1, self.tiles - 1), self.schedule)

    @property
    def before(self) -> Launch:
        """One tile less, if this one opened a wave; otherwise itself."""
        return self.less if self.schedule != "stream" and self.less.time < self.time else self

    @property
    def blocks(self) -> int:
        """How many blocks are launched: those of the last two schedules stay until all is done."""
        if self.schedule == "stream":
            return SMS - self.idle_sms
        return SMS if self.schedule == "persistent" and self.tiles > SMS else self.tiles * self.parts

    @property
    def whole(self) -> bool:
        """Whether all SMs can have as many tiles, so that stream-K cuts none."""
        return self.tiles % SMS == 0

    @property
    def rounds(self) -> int:
        """How often at most an SM begins something: the waves."""
        return 1 if self.schedule == "stream" else -(-self.tiles * self.parts // SMS)

    @property
    def tail(self) -> int:
        """How many SMs work in the last wave."""
        return SMS if self.schedule == "stream" else (self.tiles * self.parts - 1) % SMS + 1

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """What all SMs do, in the order of time."""
        if self.schedule == "stream":
            return tuple(self._streamed())
        if self.schedule == "persistent":
            return tuple(self._kept())
        return tuple(self._launched())

    def _launched(self) -> list[Span]:
        main = STEPS // self.parts
        whole, spans = main + EPILOGUE, []
        for wave in range(self.rounds):
            busy, start = SMS if wave < self.rounds - 1 else self.tail, wave * whole
            spans += [Span(0, busy, start, start + main, True), Span(0, busy, start + main, start + whole, False)]
        return spans

    def _kept(self) -> list[Span]:
        spans, end = [], self.rounds * STEPS
        for wave in range(self.rounds):
            busy = SMS if wave < self.rounds - 1 else self.tail
            spans.append(Span(0, busy, wave * STEPS, (wave + 1) * STEPS, True))
        if self.rounds > 1 and self.tail < SMS:
            spans.append(Span(self.tail, SMS, end - STEPS, end - STEPS + EPILOGUE, False))
        return [*spans, Span(0, self.tail, end, end + EPILOGUE, False)]

    def _streamed(self) -> list[Span]:
        least, more = divmod(self.tiles * STEPS, SMS)
        after = EPILOGUE if self.whole else 2 * EPILOGUE  # a tile that is shared is stored twice
        groups = [(0, more, least + 1), (more, SMS, least)]
        spans = [Span(first, last, 0, steps, True) for first, last, steps in groups if first < last and steps]
        return spans + [
            Span(first, last, steps, steps + after, False) for first, last, steps in groups if first < last and steps
        ]

    @cached_property
    def time(self) -> int:
        """When the last SM is done [units]."""
        return max(span.end for span in self.spans)

    @property
    def busy(self) -> float:
        """The share of the time for which the tensor cores of all SMs work, on average [%]."""
        return self.busy_until(self.time)

    def busy_until(self, now: float) -> float:
        """The same share of the first `now` units [%]."""
        done = sum((min(span.end, now) - span.start) * (span.last - span.first)
                   for span in self.spans if span.main and span.start < now)  # fmt: skip
        return 100 * done / (SMS * now)

    @cached_property
    def parts_of_time(self) -> tuple[float, float, float]:
        """What an SM does on average: the mainloop, the epilogue, and nothing [units]."""
        spent = {True: 0, False: 0}
        for span in self.spans:
            spent[span.main] += (span.end - span.start) * (span.last - span.first)
        return spent[True] / SMS, spent[False] / SMS, self.time - sum(spent.values()) / SMS

    @cached_property
    def idle(self) -> tuple[Span, ...]:
        """Which SMs have nothing to do, from when until the end."""
        ends = [max((span.end for span in self.spans if span.first <= sm < span.last), default=0) for sm in range(SMS)]
        cuts = [sm for sm in range(SMS) if sm == 0 or ends[sm] != ends[sm - 1]]
        return tuple(
            Span(first, last, ends[first], self.time, False)
            for first, last in zip(cuts, [*cuts[1:], SMS], strict=True)
            if ends[first] < self.time
        )

    @property
    def idle_sms(self) -> int:
        """How many SMs have nothing to do from the first unit on."""
        return SMS - max(span.last for span in self.spans)


@cache
def launches(tiles: int) -> dict[str, Launch]:
    """All schedules of some tiles."""
    return {name: Launch(tiles, name) for name in SCHEDULES}


@cache
def teeth(schedule: str) -> tuple[list[int], list[float]]:
    """Numbers of tiles, and the share of busy time at each: the ends of all teeth, or every sixth number."""
    parts = Launch(1, schedule).parts
    if schedule == "stream":
        wanted = sorted({1, *range(6, MOST + 1, 6), *(wave * SMS + off for wave in range(1, 5) for off in (-1, 0, 1))})
    else:
        full = [wave * SMS // parts for wave in range(1, parts * MOST // SMS + 1)]
        wanted = sorted({1, MOST, *full, *(last + 1 for last in full)})
    return wanted, [Launch(tiles, schedule).busy for tiles in wanted]
