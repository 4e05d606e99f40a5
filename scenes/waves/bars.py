"""The time of each schedule, and what it is spent on; a cover is drawn away as that time goes by."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark
from loom.scene import Moment

from .model import SCHEDULES, Launch, launches
from .narration import fastest, swept
from .stage import Stage


def draw_schedules(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A bar for the time of each schedule, to press, and what an SM does in that time on average."""
    launch: Launch = moment.result
    left, unit = measure(stage, launch)
    best, useful, idle = fastest(launch.tiles).schedule, [], []
    for at, (name, one) in enumerate(launches(launch.tiles).items()):
        row, chosen = stage.rows[at], name == launch.schedule
        y, bar = row.y + row.height / 2, Box(left, row.y + 2, unit * one.time, row.height - 4)
        role = "label strong" if chosen else "label"
        yield stage.text(f"name-{name}", stage.bars.x, y, SCHEDULES[name], role, middle=True)
        yield stage.rect(f"bar-{name}", bar, "pad", round=1, set={"schedule": name}, label=f"Use {SCHEDULES[name]}")
        main, after, nothing = (unit * part for part in one.parts_of_time)
        yield stage.rect(f"after-{name}", bar._replace(x=left + main, width=after), "quiet", round=0)
        useful.append(bar._replace(width=main).corners)
        idle.append(bar.inset(left=bar.width - nothing))
        role, size = "value strong" if chosen or name == best else "value", stage.large if name == best else stage.size
        yield stage.text(f"took-{name}", bar.right + 6, y, f"{one.time}", role, middle=True, size=size)
    yield stage.strokes("useful", useful, "work solid")
    yield stage.hatches("unused", idle, "dropped thin", 12)
    if moment.progress < 1:
        box, now = stage.bars, left + (stage.bars.right - left) * swept(moment)
        yield stage.rect("yet", Box(now, box.y, box.right - now, box.height), "cell steady", round=0)


def measure(stage: Stage, launch: Launch) -> tuple[float, float]:
    """Where all bars begin, and how long a unit of time is; on a wide stage both are those of the chart."""
    window = stage.window(launch.tiles)
    left = stage.bars.x + stage.text_width(tuple(SCHEDULES.values()), strong=True) + 8
    room = stage.bars.right - stage.text_width("000", strong=True) - 10 - left
    return (left, room / window) if stage.narrow else (stage.chart.x, stage.chart.width / window)
