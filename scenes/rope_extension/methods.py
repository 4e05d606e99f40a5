"""The three methods side by side: what each costs, and by how much it stretches every pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot
from loom.scene import Moment

from .._rope.dial import degrees, on_dial
from .._rope.rotation import PAIRS
from .narration import SHORT
from .rotary import HAIR, Rotary, rotary

STYLES = {"interpolation": "series-1", "ntk-aware": "series-2", "yarn": "series-3"}
DASHES = {"interpolation": "", "ntk-aware": " dashed", "yarn": ""}


def draw_methods(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    model: Rotary = moment.result
    line = pen.pick(17, 32)
    columns = [box.x + share * box.width for share in pen.pick((0.1, 0.66, 0.98), (0.13, 0.68, 0.98))]
    for key, words, x in (("head-new", "new angles", columns[1]), ("head-near", "neighbours", columns[2])):
        yield pen.text(key, x, box.y + pen.size, words, "note", anchor="end")
    top = box.y + pen.size + pen.pick(4, 6)
    for row, method in enumerate(SHORT):
        frame = Box(box.x, top + row * line, box.width, line - 2)
        yield from _row(pen, frame, columns, method, model)
    under = Box(box.x + 40, top + 3 * line + pen.pick(8, 24), box.width - 46, 0)
    plot = Box(*under[:3], box.bottom - under.y - pen.pick(0, 16))
    yield from _stretches(pen, plot, model)


def _row(pen: Pen, frame: Box, columns: list[float], method: str, model: Rotary) -> Iterator[Mark]:
    """A method as a button, how many pairs meet new angles under it, and how far a token turns the fastest pair."""
    here, other = method == model.method, rotary(model.base, method, model.factor)
    yield pen.rect(f"choose-{method}", frame, "hot outline" if here else "cell", set={"method": method},
                   label=f"extend with {SHORT[method]}")  # fmt: skip
    y = frame.y + frame.height / 2
    yield pen.line(f"sample-{method}", frame.x + 6, y, columns[0] - 6, y, STYLES[method] + DASHES[method])
    yield pen.text(f"name-{method}", columns[0], y, SHORT[method], "hot strong" if here else "label", middle=True)
    texts = f"{int(other.unseen.sum())} pairs", degrees(float(other.new_theta[0]))
    yield from first_clock(pen, method, columns[2] - pen.pick(50, 62), y, float(other.new_theta[0]))
    for column, words, x in zip(("new", "near"), texts, columns[1:], strict=True):
        yield pen.text(f"{column}-{method}", x, y, words, "value", anchor="end", middle=True)


def first_clock(pen: Pen, method: str, x: float, y: float, angle: float) -> Iterator[Mark]:
    """The first clock of the wall one token on: its slice is red where it is thinner than in training."""
    radius, steps = pen.pick(6.5, 13.0), 12
    rim = [on_dial((x, y), angle * step / steps, radius) for step in range(steps + 1)]
    yield pen.circle(f"clock-{method}", x, y, radius, "grid outline")
    if angle > 1 - HAIR:
        yield pen.outline(f"slice-{method}", [[(x, y), *rim]], "work solid")
    else:  # its edges, since it may be thinner than a line
        yield pen.path(f"slice-{method}", [(x, y), *rim, (x, y)], "dropped")


@cache  # the methods of a base and a factor share them
def _curves(plot: Plot, base: int, factor: int) -> tuple[tuple[str, Mark], ...]:
    found = []
    for method in SHORT:
        stretch = rotary(base, method, factor).stretch[::3].tolist()
        found.append((method, plot.curve(f"way-{method}", range(0, PAIRS, 3), stretch, STYLES[method])))
    return tuple(found)


def _stretches(pen: Pen, box: Box, model: Rotary) -> Iterator[Mark]:
    """By how much each pair is stretched, from 1 to the whole factor, under all three methods."""
    plot = Plot(pen, box, Axis("pair", span=(0, PAIRS - 1)), Axis("stretch", span=(1, model.factor)), "stretch")
    for share, words in ((0, "1×"), (1, f"{model.factor}×")):
        y = box.bottom - share * box.height
        yield pen.line(f"level-{share}", box.x, y, box.right, y, "grid")
        yield pen.text(f"level-{share}-name", box.x - 6, y, words, "note", anchor="end", middle=True)
    for method, mark in _curves(plot, model.base, model.factor):
        manner = " thick" if method == model.method else DASHES[method]
        yield mark._replace(role=mark.role + manner)
    if pen.narrow:  # in the corner where no curve is
        for row, words in enumerate(("λ stretched by,", f"pair 0 to {PAIRS - 1}")):
            yield pen.text(f"stretch-title-{row}", box.x + 3, box.y + (1.2 + 1.15 * row) * pen.size, words, "note")
    else:
        yield pen.text("stretch-title", box.x, box.y - 9, "λ stretched by", "note")
        yield pen.text("stretch-first", box.x, box.bottom + pen.size + 2, "pair 0", "note")
        yield pen.text("stretch-last", box.right, box.bottom + pen.size + 2, "63", "note", anchor="end")
