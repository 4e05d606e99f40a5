"""The picture of a float: bits that can be flipped, three lines that zoom in, and at last a list of formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress

from loom.draw import Mark, headline
from loom.scene import Moment

from .bits import draw_bits, draw_formula
from .fall import view
from .lines import draw_bar, draw_nearby, draw_ruler
from .model import Spelled
from .nearest import FORMATS, Nearest
from .octave import draw_octave
from .stage import Stage, stage
from .words import digits, number, percent, picked

VERDICTS = {"exact": "exact", "overflow": "too large", "zero": "becomes 0", "none": "no code"}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    one: Spelled = moment.result
    at = stage(one.fmt.name, width, one.negative)
    yield from draw_bits(at, moment)
    yield from draw_ruler(at, moment)
    if moment.phase == "everywhere":
        yield from _list(at, moment)
        return
    for part in (draw_formula, draw_bar, draw_nearby):
        yield from part(at, moment)


def _list(at: Stage, moment: Moment) -> Iterator[Mark]:
    """One row for each format: its values about the number, and what it makes of it once that is known."""
    one, now = moment.result, view(moment)
    told = [now.told(place, near) for place, near in enumerate(one.everywhere)]
    yield from _count(at, moment, list(compress(one.everywhere, told))) if any(told) else draw_formula(at, moment)
    yield at.pen.rect("own", at.rows[FORMATS.index(one.fmt.name)], "cell", round=3)
    yield from draw_octave(at, one, now)
    rows, heads = _words(at, one)
    for marks, known in zip(rows, told, strict=True):
        yield from marks if known else marks[:1]
    yield from heads


@lru_cache(maxsize=2)  # all beats of a chapter, at either width
def _words(at: Stage, one: Spelled) -> tuple[list[list[Mark]], list[Mark]]:
    """What stands in each row: a format, the nearest value and its error; and what stands over the columns."""
    pen, rows = at.pen, []
    values, errors = pen.pick((253, 324), (748, 834))  # where columns end
    for row, near in zip(at.rows, one.everywhere, strict=True):
        name, foot = near.fmt.name, row.y + row.height / 2 + 0.35 * pen.size
        words = VERDICTS.get(near.verdict) or percent(near.error or 0.0)
        role = "dropped" if near.verdict in ("overflow", "zero", "none") else "value"
        marks = [pen.text(name, 6, foot, name, "label strong" if name == one.fmt.name else "label")]
        if near.verdict != "exact":  # that is the number itself
            marks.append(pen.text(f"{name}-is", values, foot, held(near), "value", anchor="end"))
        rows.append([*marks, pen.text(f"{name}-off", errors, foot, words, role, anchor="end")])
    heads = (("nearest", values), ("error", errors))
    return rows, [pen.text(f"{words}-head", x, at.octave.y - 5, words, "note", anchor="end") for words, x in heads]


def _count(at: Stage, moment: Moment, told: Sequence[Nearest]) -> Iterator[Mark]:
    """In how many formats the number can be spelled, of those that it has come to."""
    one, (x, y) = moment.result, at.formula
    exact = sum(near.verdict == "exact" for near in told)
    words = f"formats can spell {picked(one)}" + " exactly" * one.finite
    yield from headline(at.pen, x, y, f"{exact} of {len(told)}", words, widest=[f"{len(FORMATS)} of {len(FORMATS)}"],
                        size=at.pen.pick(at.pen.size, at.pen.large))  # fmt: skip


def held(near: Nearest) -> str:
    """The nearest value."""
    return "–" if near.value is None else number(near.value, digits(near.fmt.name))
