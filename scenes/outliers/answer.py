"""What it costs: the share that becomes zero, the values left to the quiet channels, and the error of the product."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, headline
from loom.scene import Moment

from .ladder import COUNTS
from .model import Case
from .stage import Stage
from .trial import Trial, share


def answer(stage: Stage, moment: Moment, scale: Case | None) -> Iterator[Mark]:
    """The share of the scale in the picture; once values are cured, what it was without, and the product's error."""
    trial: Trial = moment.result
    done = moment.phase == "product" or (moment.phase == "again" and moment.progress == 1)
    if moment.since("cured"):
        yield from _without(stage, trial)
    if scale and (moment.phase == "crushed" or done):
        yield from _share(stage, scale, "quiet values" if scale.cure != "rotation" else "values")
    if moment.phase == "product":
        yield from _errors(stage, trial, (moment.beat / (moment.beats - 1)) if moment.beats > 1 else 1.0)


def _share(stage: Stage, one: Case, what: str) -> Iterator[Mark]:
    """The share that becomes zero; and how many of all values are left, which the lines of the field show."""
    pen, (x, y) = stage.pen, stage.answer
    role = "dropped" if one.zeroed >= 10 else "work"
    left = f"{one.levels} of {COUNTS[one.fmt]}"
    if pen.narrow:
        words = [f"of the {what} become 0", f"{left} values are left to them"]
        yield from headline(pen, x, y, share(one.zeroed), words, role, widest=["99.9%"], rest="memory")
        return
    yield stage.field.crushed(one.step / 2, role)
    yield from headline(pen, x, y, share(one.zeroed), [f"of the {what}", "become 0"], role, under=True)
    yield pen.text("left", x, y + 76, left, "memory strong answer", size=pen.large)
    yield pen.text("left-to", x, y + 76 + 1.3 * pen.size, "values left to them", "label answer")


def _without(stage: Stage, trial: Trial) -> Iterator[Mark]:
    """What it was before the cure, over the answer that takes its place."""
    pen, (x, y) = stage.pen, stage.answer
    lost, how = share(trial.before.zeroed), f"without {trial.cure}"
    if pen.narrow:
        yield pen.text("without", x, 12, f"{lost} {how}", "dropped answer")
        return
    yield pen.text("without", x, y - 90, lost, "dropped strong answer")
    yield pen.text("without-what", x, y - 72, how, "dropped answer")


def _errors(stage: Stage, trial: Trial, grown: float) -> Iterator[Mark]:
    """How far the product is off, before and after, as bars of one measure."""
    pen, (x, _) = stage.pen, stage.answer
    top, wide, apart = pen.pick((300, 190, 20), (284, 110, 18))
    yield pen.text("error", x, top, "error of X·W", "label strong")
    x, top = pen.pick((x + 92, top - 20), (x, top))
    for at, (one, role) in enumerate(((trial.before, "dropped"), (trial.after, "work"))):
        y, long = top + 10 + at * apart, wide * one.error / max(trial.before.error, trial.after.error)
        yield pen.rect(f"error{at}", Box(x, y, long * grown, 12), role, round=0)
        if grown == 1:
            yield pen.text(f"off{at}", x + long + 6, y + 6, share(one.error), f"{role} answer", middle=True)
