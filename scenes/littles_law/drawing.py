"""The picture of Little's law: bytes in flight are an area, latency is its length, and the rate is its height."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, memoized, percent, quantity
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import PART, dots
from .model import COUNTS, Traffic
from .narration import bytes_of, enough, product, rate, rounded, sum_of
from .stage import BYTES, NARROW, RATES, WIDE, Stage, edges_of

FOLLOWED = (1, 3)  # loads that are followed on their way: no more than there are warps


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, traffic = NARROW if width == NARROW.width else WIDE, moment.result
    yield from room(stage, traffic)
    yield from under_way(stage, traffic, moment.past("wait"), moment.phase == "wait")
    if moment.phase == "rate" and moment.progress < 1:
        yield from flow(stage, traffic, (moment.beat + 1) / (moment.beats - 1))
    told = moment.past("rate") == 1
    if told and not traffic.busy:
        yield from missing(stage, traffic)
    if moment.past("wait") == 1:
        edges = edges_of(stage, traffic.at(COUNTS[0]))
        yield stage.knob("edge", *stage.edge(traffic), "warps", edges, label="Warps, as the height of the area")
    yield from (answer if told else so_far)(stage, traffic, moment.past("wait") == 1)
    yield from stage.plot.axes()
    yield from curve(stage, traffic, moment.past("rate"))


@memoized
def room(stage: Stage, traffic: Traffic) -> Iterator[Mark]:
    """What memory can have on its way to one SM: its latency by an SM's share of the bandwidth."""
    box, size = stage.area(traffic.gpu.latency, 1), stage.size
    told = f"{product(traffic)} = {enough(traffic)}"
    yield stage.rect("room", box, "cell", round=0, read=told)
    yield stage.line("ground", box.x, box.bottom, stage.end, box.bottom, "axis")
    yield stage.line("arrival", box.right, box.y - 4, box.right, box.bottom + 5, "axis")
    words = f"{quantity(traffic.gpu.latency, 's')}" + stage.pick("", ", the latency")
    yield stage.text("latency", round(box.right) - stage.pick(16, 20), box.bottom + 6 + size, words, anchor="end")
    words = stage.pick("an SM’s bandwidth", f"an SM’s share of the bandwidth: {traffic.share / 1e9:.3g} B/ns")
    yield stage.text("share", box.x, box.y - 6, words, "note")


def under_way(stage: Stage, traffic: Traffic, past: float, first: bool) -> Iterator[Mark]:
    """The bytes in flight, a column for each warp: they come out from under a cover, as far as the first has gone.

    What does not fit under the bandwidth makes the wait longer, not the rate higher.
    """
    reached = traffic.used / 100
    box = stage.area(traffic.gpu.latency, reached)
    if traffic.busy and past == 1:
        whole = stage.area(traffic.wait, reached)
        told = f"waits in line: a load takes {quantity(traffic.wait, 's')}"
        yield stage.rect("queue", whole.inset(box.width), "dropped soft", round=0, read=told)
        cut = traffic.wait * 1e9 * stage.nanosecond > whole.width * 1.0001
        yield stage.text("wait", stage.end, box.bottom + 6 + stage.size, quantity(traffic.wait, "s") + " →" * cut,
                         "dropped strong", anchor="end")  # fmt: skip
    yield stage.rect("in-flight", box, "work", round=0, read=f"{sum_of(traffic)} in flight")
    if not traffic.busy or past == 1:
        yield stage.strokes("loads", stage.cells(traffic), "grid thin")
    front = box.x + past * box.width
    if past < 1:
        yield stage.rect("yet", Box(front, box.y, box.right - front, box.height), "cell steady", round=0)
    if first:
        yield stage.line("front", front, box.bottom - 10, front, box.bottom + 5, "hot steady")
    yield stage.text("sum", box.x, box.bottom + stage.pick(22, 30) + stage.size, f"{sum_of(traffic)} in flight")


def flow(stage: Stage, traffic: Traffic, progress: float) -> Iterator[Mark]:
    """A few loads, each sent as far from the other, that go all the way: where one has come, another is sent."""
    whole, many = stage.area(traffic.wait, traffic.used / 100), max(few for few in FOLLOWED if few <= traffic.warps)
    column = max(min(traffic.wait * 1e9 * stage.nanosecond / traffic.warps, whole.width / many / 2), 3)
    for at in range(many):
        end = whole.x + max(0.0, progress - at / many) * (whole.width + column)
        left, right = max(end - column, whole.x), min(end, whole.right)
        box = Box(left, whole.y, max(0, right - left), whole.height)
        yield stage.rect(f"follows-{at}", box, "hot steady", round=0)


def missing(stage: Stage, traffic: Traffic) -> Iterator[Mark]:
    """What the area has room for yet, said where it is empty."""
    box = stage.area(traffic.gpu.latency, 1)
    empty = box.height * (1 - traffic.used / 100)
    if empty > 1.5 * stage.size:
        words = f"{bytes_of(rounded(traffic) - traffic.in_flight)} are missing"
        yield stage.text("missing", box.x + box.width / 2, box.y + empty / 2, words, anchor="middle", middle=True)


def so_far(stage: Stage, traffic: Traffic, come: bool) -> Iterator[Mark]:
    """The bytes in flight, and how fast they come; whether they are enough is not told yet."""
    x, y = stage.corner[0], stage.pick(24, 36)
    words = bytes_of(traffic.in_flight)
    yield stage.text("in-all", x, y, words, "work strong", size=stage.huge)
    side = x + stage.text_width(words, size=stage.huge, strong=True) + 10
    yield stage.text("in-all-words", side, y - stage.pick(14, 19), "on their way to each SM", "note")
    yield from come_in(stage, traffic, side, come)


def answer(stage: Stage, traffic: Traffic, come: bool) -> Iterator[Mark]:
    """The bytes in flight and those that are enough, of what these come, and how fast those come that are there."""
    x, y = stage.corner[0], stage.pick(24, 36)
    words = enough(traffic)
    if not traffic.busy:
        part = f"{traffic.in_flight:,} of"
        yield stage.text("part", x, y, part, "work strong", size=stage.large)
        x += stage.text_width(part, size=stage.large, strong=True) + stage.pick(5, 8)
    yield stage.text("needed", x, y, words, "value strong answer", size=stage.huge)
    side = x + stage.text_width(words, size=stage.huge, strong=True) + 10
    high = y - stage.pick(14, 19)
    yield stage.text("needed-words", side, high, f"{stage.pick('', 'keep memory busy: ')}{product(traffic)}", "note")
    yield from come_in(stage, traffic, side, come)


def come_in(stage: Stage, traffic: Traffic, side: float, come: bool) -> Iterator[Mark]:
    """The rate; nothing until the first bytes have come."""
    low, at_last = stage.pick(26, 36), rate(traffic.rate)
    yield stage.text("rate", side, low, at_last if come else "0\u00a0GB/s", "label strong answer")
    told = percent(traffic.used if come else 0, 2)
    if traffic.busy or not stage.narrow:
        told += f" of {rate(traffic.gpu.hbm_rate)}"
    yield stage.text("used", side + stage.text_width(at_last, strong=True) + 8, low, told, "note answer")


@memoized
def curve(stage: Stage, traffic: Traffic, drawn: float) -> Iterator[Mark]:
    """The rate for any number of bytes in flight: a slope that latency sets, and the ceiling of the bandwidth."""
    plot, gpu = stage.plot, traffic.gpu
    top = gpu.hbm_rate / 1e9
    knee = plot.at(traffic.knee, top)
    start = max(BYTES.span[0], RATES.span[0] * traffic.knee / top)
    if drawn == 1:
        yield stage.line("knee-line", knee[0], knee[1], knee[0], plot.box.bottom, "axis dashed thin")
        base = plot.box.y - stage.pick(6, 8)
        yield stage.text("knee", knee[0], base, f"enough: {enough(traffic)}", "label", anchor="middle")
    law = ((start, traffic.knee, BYTES.span[1]), (start * top / traffic.knee, top, top))
    if drawn < 1:
        yield plot.curve("rail", *law, "ghost")  # on which the hand moves, before the reader is told what it is
    if drawn:
        yield plot.curve("law", *law, "data modelled steady", drawn)
    if drawn == 1:
        yield from measured(stage, gpu.name)
    x, y = stage.on_curve(traffic)
    yield stage.line("down", x, y, x, plot.box.bottom, "hot dashed")
    yield stage.knob("warps", x, y, "warps", stage.rail(traffic))


def measured(stage: Stage, gpu: str) -> Iterator[Mark]:
    """What was reached, below the law wherever memory is nearly busy."""
    seen, plot = dots(gpu), stage.plot
    yield from rings(stage, plot, "measured", seen, stage.pick(2, 3))
    words = (f"○ measured on {'an H100' if gpu == PART else f'a {gpu}'}", stage.pick("", "less near the corner"))
    top = plot.at(BYTES.span[1], RATES.ticks[-1])[1]  # a line, under which they stand
    for at, line in enumerate(filter(None, words) if seen else ()):
        y = top + (1 + 1.2 * at) * stage.size
        yield stage.text(f"measured-words-{at}", plot.box.x + 6, y, line, "note measured")
