"""The picture of warp specialization: three generations as three rows under one playhead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, Pen, bracket, count, hatching, percent
from loom.scene import Moment

from .crew import draw_crew
from .model import COPY, EPILOGUES, PRODUCT, TILES, Compared, Schedule
from .narration import now
from .stage import AXIS, COPIES, CORES, FIRST, GLOW, Chart, Row, middle_of
from .workers import rhythm


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    chart, compared, time = Chart(Pen(width)), moment.result, now(moment)
    passed = time - (moment.beat < moment.beats - 1)  # the playhead is on its way to `time`, or rests there
    for at, run in enumerate(compared.runs):
        row = chart.row(at, run)
        yield from draw_names(row)
        yield from draw_crew(row, time)
        yield from draw_tiles(row, time)
        yield from draw_gaps(row, passed)
        if row.joined:
            yield from draw_key(row) if row.pen.narrow else draw_words(row, time)
        yield from draw_score(row, time)
    yield from draw_time(chart, compared.runs, time)
    if time > compared.runs[0].epilogue[0]:
        yield draw_knob(chart, compared)


def draw_names(row: Row) -> Iterator[Mark]:
    """The generation and its lanes."""
    pen, name, (x, y) = row.pen, row.name, row.heading
    yield pen.text(f"{name}-name", x, y, name, "label strong", size=pen.large)
    for lane, words in row.lanes:
        box = row.box(lane, 0, AXIS)
        yield pen.rect(f"{name}-lane-{lane}", box, "cell soft")
        yield pen.text(f"{name}-lane-{lane}-name", box.x - 6, middle_of(box), words, "note", anchor="end", middle=True)


def draw_tiles(row: Row, time: int) -> Iterator[Mark]:
    """Every tile's copy, product, stay of its sums, and the writing of its results, as far as they have begun.

    What begins now has no length yet, and grows along with the playhead: it is never ahead of it. It is there a beat
    before, as a mark that has just come would jump to its length: the player lets it only fade in.
    """
    run, name = row.run, row.name
    for tile in range(TILES):
        lane = FIRST + row.group(tile)
        stretches = (
            ("copy", COPIES, run.copy[tile], run.copy[tile] + COPY, "memory", "its copy"),
            ("product", CORES, run.product[tile], run.multiplied[tile], "work soft", "its product on the tensor cores"),
            ("sums", lane, run.product[tile], run.free[tile], "memory outline", f"its sums in {row.home}"),
            ("out", lane, run.epilogue[tile], run.done[tile], "data", "the writing of its results"),
        )
        for what, place, start, end, role, words in stretches:
            if start > time + 1:
                continue
            box = row.box(place, start, max(min(end, time), start)).inset(0, 1, 0, 1)
            if start < time:
                box = box.inset(left=0.5, right=0.5)
            if what == "out":
                box = box.inset(top=0.3 * box.height + row.joined * row.pen.pick(4, 8))
            told = f"{name}, tile {tile + 1}: {words}, {start} to {end} units" if start < time else ""
            yield row.pen.rect(f"{name}-{what}-{tile}", box, f"{role} steady", read=told)
        if run.product[tile] + PRODUCT - 1 <= time:
            box = row.box(CORES, run.product[tile], run.multiplied[tile])
            yield row.pen.text(f"{name}-n-{tile}", box.x + box.width / 2, middle_of(box), str(tile + 1), "value strong",
                               anchor="middle", middle=True)  # fmt: skip


def draw_words(row: Row, time: int) -> Iterator[Mark]:
    """What the two marks of the oldest generation's tall lane are, left of the handle where there is room for both."""
    pen, run = row.pen, row.run
    whole, writing = row.box(FIRST, run.product[0], run.epilogue[0]), row.box(FIRST, run.epilogue[0], run.done[0])
    x, y = whole.x + 4, whole.y + pen.size
    if run.epilogue[0] <= time:
        yield pen.text("words-sums", x, y, "sums", "note")
    at = min(writing.x + 4, writing.right - GLOW - pen.text_width("writing"))
    if run.done[0] <= time and at >= x + pen.text_width("sums") + 8:
        yield pen.text("words-out", at, y, "writing", "note")


def draw_key(row: Row) -> Iterator[Mark]:
    """On a phone the lanes are too short for these words: they stand behind the oldest generation's name."""
    pen, (x, y), side = row.pen, row.key, 0.7 * row.pen.size
    for what, words, role in (("sums", "sums", "memory outline"), ("out", "writing", "data")):
        yield pen.rect(f"key-{what}", Box(x, y - side, side, side), role, round=1)
        yield pen.text(f"words-{what}", x + side + 4, y, words, "note")
        x += side + 4 + pen.text_width(words) + 8


def draw_gaps(row: Row, time: int) -> Iterator[Mark]:
    """Hatching where the tensor cores have nothing to multiply, as far as time has come."""
    for start, end in gaps(row.run):
        box = row.box(CORES, start, end).inset(1, 2, 1, 2)
        for unit in range(start, min(end, time)):
            lines = hatching(box, row.chart.x(unit), row.chart.x(unit + 1))
            yield row.pen.strokes(f"{row.name}-idle-{unit}", lines, "dropped thin")


def gaps(run: Schedule) -> list[tuple[int, int]]:
    """The stretches of a run that no product covers."""
    starts, ends = [*run.product.tolist(), run.total], [0, *run.multiplied.tolist()]
    return [(free, busy) for free, busy in zip(ends, starts, strict=True) if free < busy]


def draw_score(row: Row, time: int) -> Iterator[Mark]:
    """How many tiles are written, and how busy the tensor cores are once a rhythm has been seen."""
    pen, run = row.pen, row.run
    written, seen = int((run.done <= time).sum()), rhythm(run)[1]
    words = f"all {TILES} at {run.total}" if written == TILES else f"{written} of {TILES} written"
    x, y, size = row.score
    if pen.narrow:
        if time < seen:
            yield pen.text(f"{row.name}-written", x, y, words, "note", anchor="end")
    else:
        yield pen.text(f"{row.name}-written", x, y + 40, words, "note", anchor="end")
    if time >= seen:
        left, steady = x - (pen.text_width("busy") + 4) * pen.narrow, percent(100 * run.steady, 2)
        yield pen.text(f"{row.name}-busy", left, y, steady, "work strong answer", anchor="end", size=size)
        yield pen.text(f"{row.name}-busy-words", x, y + pen.pick(0, 20), pen.pick("busy", "cores busy"), "note",
                       anchor="end")  # fmt: skip
        yield from draw_rhythm(row)


def draw_rhythm(row: Row) -> Iterator[Mark]:
    """The stretch that the share is of, and how much of it is product."""
    pen, run, (start, end) = row.pen, row.run, rhythm(row.run)
    left, right, y = row.chart.x(start) + 1, row.chart.x(end) - 1, row.reach[0] - pen.pick(1.5, 3)
    yield from bracket(pen, f"{row.name}-rhythm", left, right, y, depth=pen.pick(2.5, 4), below=False,
                       role="work answer")  # fmt: skip
    if not pen.narrow:
        words = f"{run.worked(start, end):.0f} of {end - start} units"
        yield pen.text(f"{row.name}-rhythm-words", (left + right) / 2, y - 9, words, "note answer", anchor="middle")


def draw_time(chart: Chart, runs: Sequence[Schedule], time: int) -> Iterator[Mark]:
    """The time axis, and the playhead through all rows."""
    pen, base, words = chart.pen, chart.bottom + chart.pen.size + 4, count(time, "unit")
    half = pen.text_width(words, strong=True) / 2
    centre = min(chart.x(time), pen.width - half)
    for tick in range(0, AXIS + 1, 10):
        if abs(chart.x(tick) - centre) > half + 12:
            yield pen.text(f"tick-{tick}", chart.x(tick), base, str(tick), "note", anchor="middle")
    rows = [chart.row(at, run) for at, run in enumerate(runs)]
    yield pen.strokes("now", [[(chart.x(time), top - 2), (chart.x(time), foot + 3)] for top, foot in
                              (row.reach for row in rows)], "hot steady")  # fmt: skip
    yield pen.text("now-label", centre, base, words, "hot strong steady", anchor="middle")


def draw_knob(chart: Chart, compared: Compared) -> Mark:
    """A handle at the end of the first tile's writing on the oldest generation: it sets how long this takes."""
    row = chart.row(0, compared.runs[0])
    start, y = int(row.run.epilogue[0]), middle_of(row.box(FIRST))
    rail = [(chart.x(start + epilogue), y) for epilogue in EPILOGUES]
    return chart.pen.knob(
        "epilogue", chart.x(start + compared.epilogue), y, "epilogue", rail, "time to write a tile out"
    )
