"""Around the strip: the edges of a window, or the typical number and its error; and who shares a scale."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, dodge, memoized, significant

from .model import BLOCKS
from .stored import Stored
from .strip import Stage


@memoized
def draw_edges(at: Stage, stored: Stored) -> Iterator[Mark]:
    """The edges of the last window."""
    amounts = [float(stored.holds[-1]), float(stored.floor[-1])]
    words = [significant(amounts[0]), f"≤ {significant(amounts[1])}"]
    yield from _told(at, amounts, words, ("largest held", "becomes 0"), "value")


@memoized
def draw_levels(at: Stage, stored: Stored, grown: bool) -> Iterator[Mark]:
    """The typical number and its error, and the height from one to the other as soon as it has grown."""
    pen, box = at.pen, at.strip
    amounts = [stored.errors.normal_signal**0.5, stored.errors.normal_noise**0.5]
    number, error = (at.y(amount) for amount in amounts)
    down = error if grown else number
    yield pen.line("rms-number", box.x, number, box.right + 4, number, "axis dashed")
    yield pen.line("rms-error", box.x, down, box.right + 4, down, "data dashed")  # red is lost on errors
    yield pen.rect("gap", Box(box.right, number, 5, down - number), "work", round=0)
    yield from _told(at, amounts, [f"{amount:.2g}" for amount in amounts], ("typical", "its error"), "dropped")


def _told(at: Stage, amounts: list[float], words: list[str], names: tuple[str, str], role: str) -> Iterator[Mark]:
    """Two amounts and their names, each at its height; the second in a role."""
    pen, box = at.pen, at.strip
    x = box.right + pen.pick(9, 12)
    heights = dodge([at.y(amount) for amount in amounts], 2.9 * pen.size, box.y + pen.size, box.bottom - 1.3 * pen.size)
    for number, (name, amount, y) in enumerate(zip(names, words, map(round, heights), strict=True)):
        yield pen.text(f"side-{number}", x, y - 2, amount, f"{role if number else 'value'} strong")
        yield pen.text(f"side-{number}-name", x, y + pen.pick(12, 15), name, "note")


@memoized
def draw_brackets(at: Stage, stored: Stored, scale: str, shown: Stored | None, told: bool) -> Iterator[Mark]:
    """Under the strip: who shares a scale, as far as a group has grown. Its end is taken hold of."""
    pen, foot, chosen = at.pen, at.foot, stored.scheme.scale
    start = at.strip.x
    end = at.stops[scale] if scale else start + at.pitch
    if shown and shown.scheme.scale in BLOCKS:
        rest = [(at.x(group.start) + 1, at.x(group.end) - 1) for group in shown.groups(at.first)[1:]]
        yield pen.strokes("groups", [[(x, foot - 6), (x, foot), (far, foot), (far, foot - 6)] for x, far in rest])
    if told:
        yield pen.strokes("group", [[(start, foot - 6), (start, foot), (end, foot)]], "hot")
    else:
        yield pen.rect("grows", Box(start, foot - 1, end - start, 2), "hot steady", round=0)
    yield pen.strokes("stops", [[(x, foot - 4), (x, foot + 4)] for x in at.stops.values()], "axis")
    for name, x in at.stops.items():
        words = name.removeprefix("block ")
        role = "label strong" if name == chosen else "note"
        wide = pen.text_width(words, strong=True) / 2
        yield pen.text(
            f"stop-{words}-name", min(x, pen.width - wide), foot + pen.pick(24, 27), words, role, anchor="middle"
        )
    yield pen.knob("end", at.stops[chosen], foot, "scale", at.rail)
    words = f"{stored.scheme.sharing():,} share a scale" if told else ""  # before, the number stands under the map
    x, y, anchor = pen.pick((pen.width, 24 + 1.35 * pen.size, "end"), (start, foot + 45, "start"))
    if told:
        yield pen.text("sharing", x, y, words, "note", anchor=anchor)
    if not pen.narrow:
        beside = pen.text_width(f"{words}, ") if told else 0
        yield pen.text("hint-beside" if told else "hint", x + beside, y, "drag the end", "note hint")
