"""The picture: what 132 SMs do over time, the saw over all numbers of tiles, and the schedules side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Mark, count, headline, memoized, times
from loom.scene import Moment

from .._silicon.drawing import rings
from .bars import draw_schedules
from .chart import draw_chart, legend
from .measured import PART, dots
from .model import Launch, teeth
from .narration import percent, reached
from .stage import NARROW, WIDE, Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, compares = NARROW if width == NARROW.width else WIDE, moment.phase == "compare"
    yield from draw_answer(stage, moment)
    if not (compares and stage.narrow):
        yield from draw_chart(stage, moment)
    yield from legend(stage)
    if compares:
        yield from draw_schedules(stage, moment)
    if not (compares and not stage.narrow):
        yield from draw_saw(stage, moment)


@cache
def rail(stage: Stage, schedule: str) -> tuple[tuple[float, float], ...]:
    return tuple(stage.rail(schedule))


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many times as long it takes for the last tile; before that has run, how long all but that one took."""
    launch, (x, y), behind = moment.result, stage.answer, reached(moment, behind=True)
    first, tiles = launch.before, count(launch.before.tiles, "tile")
    words, lines = f"{behind:.0f}", ("units so far", "")
    if behind >= first.time:
        words, lines = f"{first.time}", (f"units, for {tiles}", busy(first))
    if moment.since("saw") and behind >= launch.time and launch.tiles > 1:
        less = launch.less
        units = f"{launch.time} units" + (f", not {less.time}" if less.time != launch.time else "")
        words = times(round(launch.time / less.time, 2))
        lines = (f"as long as {count(less.tiles, 'tile')}: {units}", busy(launch))
    yield from headline(stage, x, y, words, lines, widest=["144"], rest="note")


def busy(launch: Launch) -> str:
    """What is made of the time."""
    waves = "one go" if launch.schedule == "stream" else count(launch.rounds, "wave")
    return f"{waves}, tensor cores are busy {percent(launch.busy)} of the time"


@cache
def axes(stage: Stage) -> list[Mark]:
    """The same for all launches."""
    marks = list(stage.plot.axes())
    if not stage.narrow:
        for side, x in stage.sides.items():
            marks.append(stage.line(f"side-{side}", x, stage.saw.y - 11, x, stage.saw.y, "axis"))
            marks.append(stage.text(f"side-{side}-name", x, stage.saw.y - 15, f"{side:,}²", "note", anchor="middle"))
    title = stage.saw.y - 13.0  # clear of the knob at its highest
    if stage.narrow:
        return [
            mark._replace(shape={**mark.shape, "y": title}) if mark.key == "saw-y-title" else mark for mark in marks
        ]
    words = (stage.text(f"saw-title-{at}", 0, stage.saw.y + 12 + 18 * at, line, "note")
             for at, line in enumerate(("tensor cores", "busy [%]")))  # fmt: skip
    return [*(mark for mark in marks if mark.key != "saw-y-title"), *words]


@cache
def curve(stage: Stage, schedule: str) -> Mark:
    if schedule == "tile":
        return stage.plot.curve("saw", *teeth("tile"), "work modelled")
    return stage.plot.curve("saw-other", *teeth(schedule), "work")


def draw_saw(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Busy time over the number of tiles: a point for what has run, and then the curve of all, with the bead.

    Behind another schedule's curve lies that of one block for each tile.
    """
    launch, behind = moment.result, reached(moment, behind=True)
    yield from axes(stage)
    done = moment.since("saw") and behind >= launch.time
    if done:
        if launch.schedule != "tile":
            yield stage.plot.curve("saw-plain", *teeth("tile"), "ghost")
        yield curve(stage, launch.schedule)
        if launch.schedule == "tile":
            yield from measured(stage)
    if launch.before != launch and behind >= launch.before.time:
        yield from fewer(stage, launch, done)
    if done:
        yield stage.knob("tiles", *stage.plot.at(launch.tiles, launch.busy), "tiles", rail(stage, launch.schedule))


def fewer(stage: Stage, launch: Launch, done: bool) -> Iterator[Mark]:
    """All tiles but the last have run: a point of the saw, with its share, if the bead does not cover that."""
    one = launch.before
    (x, y), (_, bead) = (stage.plot.at(tiles.tiles, tiles.busy) for tiles in (one, launch))
    yield stage.circle("fewer", x, y, 4, "work")
    if not done or bead - y > stage.knob_radius + stage.size:
        words = f"{count(one.tiles, 'tile')}: {percent(one.busy)}"
        yield stage.text("fewer-share", x - 10, y + 1, words, "label halo", anchor="end")


@memoized
def measured(stage: Stage) -> Iterator[Mark]:
    """The same share of the times that were measured."""
    seen, box = dots(), stage.saw
    yield from rings(stage, stage.plot, "measured", seen, stage.pick(2, 3))
    if seen:
        yield stage.text("measured-words", box.right, box.bottom - 5, f"○ measured on an {PART}", "note measured",
                         anchor="end")  # fmt: skip
