"""The lanes: arithmetic without waits, arithmetic as it is, the memory pipe, and each buffer filled and read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, Pen, bracket, count, plain
from loom.scene import Moment

from .model import STAGES, Pipeline, steady_span

NAMES = {"ideal": "no waits", "compute": "compute", "pipe": "memory pipe"}
SHORT = {**NAMES, "pipe": "memory"}


class Stage:
    """The geometry. Time goes from left to right in all lanes, and the window [cycles] fills them."""

    def __init__(self, width: float, window: int) -> None:
        self.pen, self.window = Pen(width), window
        pen = self.pen
        self.names = pen.pick(SHORT, NAMES)
        self.margin = pen.room([*self.names.values(), "buffer 1"]) + 10  # for the names of the lanes
        tops, heights = pen.pick(((24, 41, 97), (10, 24, 9)), ((27, 50, 121), (14, 32, 13)))
        first, pitch, height = pen.pick((113, 19, 15), (144, 24, 19))
        lanes = [*zip(NAMES, tops, heights, strict=True)]
        lanes += [(f"buffer {number}", first + (number - 1) * pitch, height) for number in STAGES]
        self.rows = {lane: Box(self.margin, top, width - self.margin - 1, tall) for lane, top, tall in lanes}
        self.floor = self.rows[f"buffer {STAGES[-1]}"].bottom + 3
        self.chart = pen.pick(Box(0, 242, 328, 104), Box(0, 304, 424, 126))
        self.memory = pen.pick(Box(0, 368, 328, 88), Box(476, 304, 364, 126))

    def x(self, cycle: float) -> float:
        """Where a moment stands; what comes after the window stands at its end."""
        return self.margin + min(cycle, self.window) / self.window * (self.pen.width - self.margin - 1)

    def span(self, lane: str, start: float, end: float) -> Box:
        """The box of a stretch of time in a lane."""
        row, left, right = self.rows[lane], self.x(start), self.x(end)
        return Box(left + 0.5, row.y, max(right - left - 1, 0.5), row.height)

    def words(self, key: str, box: Box, *choices: str, role: str = "value") -> Iterator[Mark]:
        """The first of the choices that has room in the box, if any."""
        fitting = (words for words in choices if self.pen.room(words, strong="strong" in role) + 2 <= box.width)
        for words in [*fitting][:1]:
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            yield self.pen.text(key, *middle, words, role, anchor="middle", middle=True)

    def waiting(self, key: str, box: Box, words: str) -> Iterator[Mark]:
        """A stretch of waiting: hatched, with its words in a gap of the hatching where they have room."""
        room, sides = self.pen.room(words) + 5, [box]
        fits = words and room + 5 <= box.width
        if fits:
            side = (box.width - room) / 2
            sides = [Box(box.x, box.y, side, box.height), Box(box.right - side, box.y, side, box.height)]
        yield self.pen.rect(key, box, "dropped outline", round=1)
        yield self.pen.hatches(f"{key}-hatch", sides, "dropped thin")
        if fits:
            yield from self.words(f"{key}-text", box, words, role="dropped")


def cycles(number: float) -> str:
    """Cycles, to a tenth where they are not whole."""
    return f"{short(number)} cycles"


def short(number: float) -> str:
    return plain(number) if number == round(number) else f"{number:,.1f}"


def draw_timeline(stage: Stage, moment: Moment, one: Pipeline) -> Iterator[Mark]:
    done, most = count(one.done, "tile"), one.window // one.compute
    words = f"{done} computed in {cycles(one.window)}; without waits, {most}"
    yield stage.pen.text("tally", 0, stage.pen.size, words, "label")
    yield from _lanes(stage, moment, one.stages)
    yield from _running(stage.pen.width, one)
    if moment.since("steady"):
        yield from _steady(stage, one)


@cache  # three of four steps show the same, and every number of stages is preceded by one buffer
def _running(width: float, one: Pipeline) -> list[Mark]:
    """What happens, over time."""
    stage = Stage(width, one.window)
    return [*_axis(stage, one), *_ideal(stage, one), *_loads(stage, one), *_arithmetic(stage, one)]


def _lanes(stage: Stage, moment: Moment, there: int) -> Iterator[Mark]:
    """The floors and names. A buffer that is not there yet is an outline, and adds itself when pressed."""
    for lane, row in stage.rows.items():
        number = int(lane.removeprefix("buffer ")) if lane.startswith("buffer") else 0
        role, key = "cell soft" if number <= there else "ghost soft", f"lane-{lane.replace(' ', '-')}"
        if number and number != moment.result.stages and moment.since("ahead"):
            words = f"keep {count(number, 'stage')}"
            yield stage.pen.rect(key, row, role, set={"stages": number}, label=words)
        elif lane != "ideal":
            yield stage.pen.rect(key, row, role)
        words, role = stage.names.get(lane, lane), "label" if number <= there else "note"
        yield stage.pen.text(f"{key}-name", 0, row.y + row.height / 2, words, role, middle=True)


def _axis(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Time, marked at every round trip of a single buffer."""
    pen, top = stage.pen, stage.rows["pipe"].y
    xs = [stage.x(turn * one.trip) for turn in range(4)]
    for turn, (x, anchor) in enumerate(zip(xs, ("start", "middle", "middle", "end"), strict=True)):
        words = f"{turn * one.trip:,}" + (" cycles" if turn == 3 else "")
        yield pen.line(f"time-{turn}", x, top - 3, x, stage.floor, "grid")
        yield pen.text(f"time-{turn}-words", x, stage.floor + 5 + pen.size, words, "note", anchor=anchor)
    yield pen.strokes("time-ticks", ([(x, stage.floor), (x, stage.floor + 4)] for x in xs))


def _ideal(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """What the arithmetic could do if every tile were there already."""
    box = stage.span("ideal", 0, one.window)
    joints = [stage.x(cycle) for cycle in range(0, one.window + 1, one.compute)]
    edges = [[(joints[0], y), (stage.x(one.window), y)] for y in (box.y, box.bottom)]
    yield stage.pen.strokes("ideal", [*edges, *([(x, box.y), (x, box.bottom)] for x in joints)], "kept thin")


def _loads(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Each tile on its way into its buffer, its turn in the memory pipe, and its buffer kept until it is read."""
    pen = stage.pen
    for tile, (asked, landed, start, end) in enumerate(zip(*(times.tolist() for times in one.shown), strict=True)):
        lane = f"buffer {tile % one.stages + 1}"
        box = stage.span(lane, asked, landed)
        yield pen.rect(f"load-{tile}", box, "data soft")
        yield from stage.words(f"load-{tile}-words", box, f"load {tile + 1}", str(tile + 1))
        if landed - one.transfer < one.window:
            yield pen.rect(f"pipe-{tile}", stage.span("pipe", landed - one.transfer, landed), "data")
        if landed < min(start, one.window):
            held = stage.span(lane, landed, start)
            yield pen.rect(f"held-{tile}", held, "quiet")
            yield from stage.words(f"held-{tile}-words", held, "ready")
        if start < one.window:
            read = stage.span(lane, start, end)
            yield pen.rect(f"read-{tile}", read, "kept outline")
            yield from stage.words(f"read-{tile}-words", read, "read")


def _arithmetic(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """The arithmetic of each tile, and its waits between them."""
    pen, free = stage.pen, 0
    for tile, (start, end) in enumerate(zip(one.shown.start.tolist(), one.shown.end.tolist(), strict=True)):
        if free < min(start, one.window):
            wait = stage.span("compute", free, start)
            words = f"waits {short(start - free)}"
            words = words if pen.room(words) + 16 <= wait.width else short(start - free)
            yield from stage.waiting(f"wait-{tile}", wait, words if start <= one.window else "")
        if start < one.window:
            box = stage.span("compute", start, end)
            yield pen.rect(f"compute-{tile}", box, "kept soft")
            yield from stage.words(f"compute-{tile}-words", box, str(tile + 1), role="value strong")
        free = end


def _steady(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """One period, and around what sets it, a frame."""
    pen, foot = stage.pen, stage.rows["compute"].bottom
    tiles, start, end = steady_span(one)
    lane = {"round trip": "buffer 1", "compute": "compute", "memory": "pipe"}[one.bound]
    frame = stage.span(lane, start, end).inset(-1, -1.5, -1, -1.5)
    yield pen.rect("bound", frame, "hot outline strong", round=2)
    left, right = stage.x(start), stage.x(end)
    yield from bracket(pen, "steady", left, right, foot + 3, role="hot")
    words = f"{tiles} tiles in {cycles(end - start)}: {short(one.period)} a tile"
    if tiles == 1 or pen.room(words, strong=True) > right - left - 8:
        words = f"{cycles(one.period)} a tile"
    if pen.narrow and one.bound == "round trip":
        words = f"{short(one.period)} a tile"
    yield pen.text("steady-words", (left + right) / 2, foot + 13 + pen.size, words, "hot strong", anchor="middle")
    if lane != "compute":  # below the words, where these are wider than the bracket
        begin = foot + (9 if one.bound == "round trip" else 18 + pen.size)
        drops = [[(x, begin), (x, stage.rows[lane].y - 2)] for x in (left, right)]
        yield pen.strokes("steady-drops", drops, "hot thin dashed")
