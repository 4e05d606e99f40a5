"""The picture of warp specialization: lanes over time, and under them who issues and how busy the tensor cores are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, Pen

from .chart import COPIES, CORES, FIRST, MORE_SUMS, SUMS, Chart, middle_of
from .model import COPY, PRODUCT, STAGES, TILES
from .panels import draw_issuers, draw_shares
from .states import State


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    chart = Chart(pen, state)
    yield from draw_floors(chart)
    yield from draw_barriers(chart)
    yield from draw_tiles(chart)
    yield from draw_waits(chart)
    yield from draw_time(chart)
    foot = chart.bottom + (44 if pen.narrow else 58)
    if pen.narrow:
        yield from draw_issuers(pen, Box(0, foot, width, 54), state)
        yield from draw_shares(pen, Box(0, foot + 72, width, 78), state)
    else:
        yield from draw_issuers(pen, Box(0, foot, 370, 80), state)
        yield from draw_shares(pen, Box(430, foot, 410, 96), state)


def draw_floors(chart: Chart) -> Iterator[Mark]:
    """The lanes and their names."""
    pen = chart.pen
    for lane, name in enumerate(chart.names):
        if not name:
            continue
        box = chart.box(lane, 0, chart.state.length)
        if lane < SUMS:
            yield pen.rect(f"lane-{lane}", box, "cell soft", round=3)
        yield pen.text(f"name-{lane}", 0, middle_of(box), name, "label", middle=True)


def as_one(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Paths of one key as one mark; none if there are none."""
    if marks:
        yield marks[0]._replace(shape={"d": "".join(str(mark.shape["d"]) for mark in marks)})


def draw_barriers(chart: Chart) -> Iterator[Mark]:
    """Lines between lanes: a copy has landed, a stage may be refilled, a sum is complete. Only those so far."""
    run, now, pen = chart.state.run, chart.state.now, chart.pen
    over, under = chart.box(COPIES, 0, 0).bottom, chart.box(CORES, 0, 0).y
    full = [(chart.x(run.landed[tile]), over, chart.x(run.product[tile]), under)
            for tile in range(TILES) if run.product[tile] <= now]  # fmt: skip
    empty = [(chart.x(run.multiplied[tile]), under, chart.x(run.copy[tile + STAGES]), over)
             for tile in range(TILES - STAGES) if run.copy[tile + STAGES] <= now]  # fmt: skip
    below = chart.box(CORES, 0, 0).bottom
    ready = [(chart.x(run.multiplied[tile]), below, chart.x(run.epilogue[tile]),
              chart.box(FIRST + chart.crew(tile), 0, 0).y)
             for tile in range(TILES) if run.epilogue[tile] <= now]  # fmt: skip
    for key, lines, role in (("full", full, "data thin"), ("empty", empty, "ghost"), ("ready", ready, "data thin")):
        yield from as_one([pen.path(key, [line[:2], line[2:]], role) for line in lines])
    middle = (over + under) / 2
    yield pen.text("barriers", 0, middle, "full —, empty ···" if not pen.narrow else "barriers", "note", middle=True)


def draw_tiles(chart: Chart) -> Iterator[Mark]:
    """Every tile's copy, product, sums and epilogue as far as they have begun; what goes on now is hot."""
    run, now, pen = chart.state.run, chart.state.now, chart.pen
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


def draw_waits(chart: Chart) -> Iterator[Mark]:
    """Hatching where the tensor cores or a warpgroup wait; a line where warps are bound to their own product."""
    run, now, pen = chart.state.run, chart.state.now, chart.pen
    work = [(int(start), int(end)) for start, end in zip(run.product, run.multiplied, strict=True)]
    idle = [chart.box(CORES, *gap).inset(1, 2, 1, 2) for gap in gaps(work, now)]
    yield from as_one([pen.hatch("idle", box, "dropped thin", gap=6) for box in idle])
    bound, waits = [], []
    for crew in (0,) if chart.joined else (0, 1):
        mine = [tile for tile in range(TILES) if chart.crew(tile) == crew]
        own = [] if run.generation == "Blackwell" else [work[tile] for tile in mine]
        waits += [chart.box(FIRST + crew, *gap) for gap in gaps(sorted(own + run.crew_work(mine)), now)]
        bound += [chart.box(FIRST + crew, start, min(end, now)) for start, end in own if start < now]
    yield from as_one([pen.hatch("waits", box.inset(1, 2, 1, 2), "pad thin", gap=8) for box in waits])
    ends = [[(box.x + 2, middle_of(box)), (box.right - 2, middle_of(box))] for box in bound]
    yield from as_one([pen.path("bound", pair, "kept thick") for pair in ends])


def gaps(work: Sequence[tuple[int, int]], now: int) -> list[tuple[int, int]]:
    """The stretches until `now` that no piece of work covers; `work` is in order and does not overlap."""
    starts, ends = [0, *(end for _, end in work)], [*(start for start, _ in work), now]
    return [(start, min(end, now)) for start, end in zip(starts, ends, strict=True) if start < min(end, now)]


def draw_time(chart: Chart) -> Iterator[Mark]:
    """The time axis, and a line through all lanes at the moment shown."""
    pen, now = chart.pen, chart.state.now
    base = chart.bottom + pen.size + 6
    words = f"{now} units"
    half = pen.room(words, strong=True) / 2
    centre = min(chart.x(now), pen.width - half)
    for tick in range(0, chart.state.length + 1, 10 if chart.state.length < 60 or not pen.narrow else 20):
        if abs(chart.x(tick) - centre) > half + 14:
            yield pen.text(f"tick-{tick}", chart.x(tick), base, str(tick), "note", anchor="middle")
    slowest = max(chart.state.runs, key=lambda run: run.total)
    if slowest is not chart.state.run:
        words_there, y = f"{slowest.generation}: until {slowest.total}", middle_of(chart.box(MORE_SUMS, 0, 0))
        yield pen.text("slowest", pen.width - 8, y, words_there, "note", anchor="end", middle=True)
    yield pen.line("now", chart.x(now), 0, chart.x(now), chart.bottom + 5, "hot")
    yield pen.text("now-label", centre, base, words, "hot strong", anchor="middle")
