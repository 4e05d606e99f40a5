"""The picture of warp specialization: lanes over time, and under them who issues and how busy the tensor cores are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .model import COPY, PRODUCT, STAGES, TILES, Compared
from .panels import draw_issuers, draw_shares

COPIES, CORES, FIRST, SECOND, SUMS, MORE_SUMS = range(6)  # the lanes, from the top
WIDE_NAMES = {
    "Ampere": ("copies: cp.async", "tensor cores", "all 8 warps", "", "sums: registers", ""),
    "Hopper": ("copies: TMA", "tensor cores", "warpgroup 1", "warpgroup 2", "sums: registers 1", "sums: registers 2"),
    "Blackwell": ("copies: TMA", "tensor cores", "warpgroup 1", "warpgroup 2", "sums: TMEM 1", "sums: TMEM 2"),
}
SHORT_NAMES = {
    "Ampere": ("cp.async", "tensor", "warps", "", "registers", ""),
    "Hopper": ("TMA", "tensor", "group 1", "group 2", "regs 1", "regs 2"),
    "Blackwell": ("TMA", "tensor", "group 1", "group 2", "TMEM 1", "TMEM 2"),
}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, compared, now = Pen(width), moment.result, moment.at
    chart = Chart(pen, compared)
    yield from draw_floors(chart)
    yield from draw_barriers(chart, now)
    yield from draw_tiles(chart, now)
    yield from draw_waits(chart, now)
    yield from draw_time(chart, compared, now)
    foot = chart.bottom + pen.pick(44, 58)
    issuers, shares = pen.pick((Box(0, foot, width, 54), Box(0, foot + 72, width, 78)),
                               (Box(0, foot, 370, 80), Box(430, foot, 410, 96)))  # fmt: skip
    yield from draw_issuers(pen, issuers, compared.run, now)
    yield from draw_shares(pen, shares, moment)


def draw_floors(chart: Chart) -> Iterator[Mark]:
    """The lanes and their names."""
    for lane, name in enumerate(chart.names):
        if not name:
            continue
        box = chart.box(lane, 0, chart.length)
        if lane < SUMS:
            yield chart.pen.rect(f"lane-{lane}", box, "cell soft", round=3)
        yield chart.pen.text(f"name-{lane}", 0, middle_of(box), name, "label", middle=True)


def draw_barriers(chart: Chart, now: int) -> Iterator[Mark]:
    """Lines between lanes: a copy has landed, a stage may be refilled, a sum is complete. Only those so far."""
    run, pen, cores = chart.run, chart.pen, chart.box(CORES)
    over, under, below = chart.box(COPIES).bottom, cores.y, cores.bottom
    feet = [chart.box(FIRST + chart.crew(tile)).y for tile in range(TILES)]
    lines = (
        ("full", "data thin", run.landed, run.product, over, [under] * TILES),
        ("empty", "ghost", run.multiplied[:-STAGES], run.copy[STAGES:], under, [over] * (TILES - STAGES)),
        ("ready", "data thin", run.multiplied, run.epilogue, below, feet),
    )
    for key, role, starts, ends, high, lows in lines:
        crossed = [[(chart.x(start), high), (chart.x(end), low)]
                   for start, end, low in zip(starts, ends, lows, strict=True) if end <= now]  # fmt: skip
        if crossed:
            yield pen.strokes(key, crossed, role)
    words = pen.pick("barriers", "full —, empty ···")
    yield pen.text("barriers", 0, (over + under) / 2, words, "note", middle=True)


def draw_tiles(chart: Chart, now: int) -> Iterator[Mark]:
    """Every tile's copy, product, sums and epilogue as far as they have begun; what goes on now is hot."""
    run, pen = chart.run, chart.pen
    for tile in range(TILES):
        crew = chart.crew(tile)
        stretches = (
            ("copy", COPIES, run.copy[tile], run.copy[tile] + COPY, "quiet"),
            ("product", CORES, run.product[tile], run.product[tile] + PRODUCT, "kept soft"),
            ("epilogue", FIRST + crew, run.epilogue[tile], run.done[tile], "data soft"),
            ("sums", SUMS + crew, run.product[tile], run.free[tile], "pad"),
        )
        for name, lane, start, end, role in stretches:
            if start >= now:
                continue
            box = chart.box(lane, start, min(end, now)).inset(0.5, 2, 0.5, 2)
            hot = end >= now and name != "sums"
            yield pen.rect(f"{name}-{tile}", box, "hot soft" if hot else role)
            number = str(tile + 1)
            if pen.room(number) <= box.width:
                aside = name == "epilogue" and end - start > PRODUCT and not chart.joined  # a barrier's line is there
                x = box.x + box.width * (0.3 if aside else 0.5)
                yield pen.text(f"{name}-{tile}-n", x, middle_of(box), number, "value", anchor="middle", middle=True)


def draw_waits(chart: Chart, now: int) -> Iterator[Mark]:
    """Hatching where the tensor cores or a warpgroup wait; a line where warps are bound to their own product."""
    run, pen = chart.run, chart.pen
    work = list(zip(run.product.tolist(), run.multiplied.tolist(), strict=True))
    idle = [chart.box(CORES, *gap).inset(1, 2, 1, 2) for gap in gaps(work, now)]
    bound, waits = [], []
    for crew in (0,) if chart.joined else (0, 1):
        mine = [tile for tile in range(TILES) if chart.crew(tile) == crew]
        own = [] if run.generation == "Blackwell" else [work[tile] for tile in mine]
        free = gaps(sorted(own + run.crew_work(mine)), now)
        waits += [chart.box(FIRST + crew, *gap).inset(1, 2, 1, 2) for gap in free]
        bound += [chart.box(FIRST + crew, start, min(end, now)) for start, end in own if start < now]
    if idle:
        yield pen.hatches("idle", idle, "dropped thin", gap=6)
    if waits:
        yield pen.hatches("waits", waits, "pad thin", gap=8)
    if bound:
        ends = [[(box.x + 2, middle_of(box)), (box.right - 2, middle_of(box))] for box in bound]
        yield pen.strokes("bound", ends, "kept thick")


def gaps(work: Sequence[tuple[int, int]], now: int) -> list[tuple[int, int]]:
    """The stretches until `now` that no piece of work covers; `work` is in order and does not overlap."""
    starts, ends = [0, *(end for _, end in work)], [*(start for start, _ in work), now]
    return [(start, min(end, now)) for start, end in zip(starts, ends, strict=True) if start < min(end, now)]


def draw_time(chart: Chart, compared: Compared, now: int) -> Iterator[Mark]:
    """The time axis, and a line through all lanes at the moment shown."""
    pen, base, words = chart.pen, chart.bottom + chart.pen.size + 6, f"{now} units"
    half = pen.room(words, strong=True) / 2
    centre = min(chart.x(now), pen.width - half)
    for tick in range(0, chart.length + 1, 10 if chart.length < 60 else pen.pick(20, 10)):
        if abs(chart.x(tick) - centre) > half + 14:
            yield pen.text(f"tick-{tick}", chart.x(tick), base, str(tick), "note", anchor="middle")
    slowest = max(compared.runs, key=lambda run: run.total)
    if slowest is not chart.run:
        until, y = f"{slowest.generation}: until {slowest.total}", middle_of(chart.box(MORE_SUMS))
        yield pen.text("slowest", pen.width - 8, y, until, "note", anchor="end", middle=True)
    yield pen.line("now", chart.x(now), 0, chart.x(now), chart.bottom + 5, "hot")
    yield pen.text("now-label", centre, base, words, "hot strong", anchor="middle")


class Chart:
    """Six lanes over one time axis. On Ampere all warps work as one: the last two pairs of lanes are one each."""

    def __init__(self, pen: Pen, compared: Compared) -> None:
        names = pen.pick(SHORT_NAMES, WIDE_NAMES)
        self.pen, self.run, self.length = pen, compared.run, compared.length
        self.names, self.joined = names[self.run.generation], self.run.generation == "Ampere"
        self.left = pen.room([name for every in names.values() for name in every]) + pen.pick(6, 16)
        self.unit = (pen.width - self.left - 8) / self.length
        self.height, gap, self.near = pen.pick((18, 16, 3), (25, 22, 4))
        gaps = (0, gap, gap, self.near, gap * 0.6, self.near)
        self.tops = [6 + lane * self.height + sum(gaps[: lane + 1]) for lane in range(6)]
        self.bottom = self.tops[MORE_SUMS] + self.height

    def x(self, time: float) -> float:
        return self.left + time * self.unit

    def box(self, lane: int, start: float = 0, end: float = 0) -> Box:
        """A stretch of a lane."""
        height = self.height
        if self.joined and lane in (FIRST, SUMS):
            height += height + self.near
        return Box(self.x(start), self.tops[lane], (end - start) * self.unit, height)

    def crew(self, tile: int) -> int:
        """0 or 1: the warpgroup that writes a tile out, and the accumulator that it takes."""
        return 0 if self.joined else tile % 2


def middle_of(box: Box) -> float:
    return box.y + box.height / 2
