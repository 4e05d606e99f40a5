"""The same numbers over another scale, column under column, and whom either scale suits."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, memoized, number

from .case import SHOWN, Case
from .ladder import OVERHANG, SEEN, dashes, draw_rungs, draw_sizes
from .model import MXFP4
from .narration import percent
from .stage import Stage


@memoized
def draw_other(stage: Stage, done: int) -> Iterator[Mark]:
    """What becomes of each number on the other rungs, as far as the rounding is; at its end all of it is a button."""
    pen, below = stage.pen, stage.below
    box, other = below.plot, below.case
    place = box.inset(left=-pen.pick(box.x, 32), top=-8, right=-6, bottom=-5)
    if done == SHOWN:
        yield pen.rect("other", place, "cell soft answer", set=setting(other), label=f"show {other.name}")
    yield from draw_rungs(below, "there-rungs", 0)
    yield from draw_sizes(below, "t", "rounded")
    yield from draw_kept(below)
    if done < SHOWN:
        x = below.edge(done)
        yield pen.rect("not-yet", Box(x, box.y, box.right - x, box.height), "cell steady", round=0)
    words = instead(stage.case, other)
    yield pen.text("there-name", box.right, box.y + box.height / 9 - 4, words, anchor="end")  # over the highest rung
    if done == SHOWN:
        yield from draw_losses(stage)


def draw_now(stage: Stage, done: int) -> Mark:
    """Where the rounding is: a line through the numbers over both scales."""
    x = stage.edge(done)
    lines = [[(x, box.y), (x, box.bottom)] for box in (stage.plot, stage.below.plot)]
    return stage.pen.strokes("now", lines, "hot steady")


def draw_kept(below: Stage) -> Iterator[Mark]:
    """The columns that are read back, with a tick where each number was, and what is cut off."""
    pen, box, half = below.pen, below.plot, below.bar / 2
    all_three = list(zip(below.xs, below.tops, below.kept_tops, strict=True))
    columns = [Box(x - half, now, below.bar, box.bottom - now).corners for x, _, now in all_three]
    yield pen.strokes("there", columns, "kept soft solid answer")
    moved = [(x, was) for x, was, now in all_three if abs(was - now) > SEEN]
    ticks = [dash for x, was in moved for dash in dashes([x], [was], half + 2)]
    yield pen.strokes("there-was", ticks, "data thin answer")
    beyond = [Box(x - half, was, below.bar, now - was) for x, was, now in (all_three[at] for at in below.case.clipped)
              if now - was >= OVERHANG]  # fmt: skip
    if beyond:
        yield pen.hatches("there-over", beyond, "dropped thin answer", 4)


def draw_losses(stage: Stage) -> Iterator[Mark]:
    """What the largest number loses, and what the others do: beside each picture, or under both."""
    pen, foot = stage.pen, stage.below.plot.bottom
    for at, (key, case) in enumerate((("here", stage.case), ("there", stage.below.case))):
        lines = [f"the largest {percent(case.worst)}", f"{SHOWN - 1} others {percent(case.rest)}"]
        if pen.narrow:
            name = f"{scale_of(case)}: {percent(case.error)}"
            y, role = foot + 8 + (at + 1) * stage.line, "label answer" if at else "hot strong answer"
            yield pen.text(f"{key}-loss", 0, y, f"{name}; {', '.join(lines)}", role)
            continue
        y = stage.below.plot.y + 24 if at else 56.0
        if at:
            lost = f"{percent(case.error)} lost"
            yield pen.text("there-loss", stage.side, y, lost, "value strong answer", size=pen.large)
        for row, line in enumerate(lines):
            yield pen.text(f"{key}{row}", stage.side, y + 24 + row * stage.line, line, "label answer")


def scale_of(case: Case) -> str:
    return f"scale {number(float(case.scales[0]))}" if case.format == MXFP4 else case.format


def instead(case: Case, other: Case) -> str:
    """What the lower picture shows in place of the upper one."""
    format = f"{other.format}, " if other.format == MXFP4 != case.format else ""
    return f"{format}{scale_of(other)} instead"


def setting(case: Case) -> dict[str, str]:
    """What the controls are set to for a format and its rule."""
    return {"format": case.format} | ({"rule": case.rule} if case.format == MXFP4 else {})
