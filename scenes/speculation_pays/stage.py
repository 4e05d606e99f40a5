"""Where things stand: what one pass gives or takes, and a plot beside or below it."""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np

from loom.draw import Axis, Box, Pen, Plot

from .model import BATCHES, GAMMAS

Point = tuple[float, float]
CLEAR = 1.7  # times: so far left of one request the axis stands that the knob is clear of its numbers
SLACK = 0.6  # units that nobody sees a line deviate by


class Stage:
    """The geometry of one width."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        self.panel = pen.pick(Box(0, 46, 328, 70), Box(0, 88, 380, 210))
        self.plot_box = pen.pick(Box(24, 140, 232, 82), Box(440, 40, 294, 232))

    @cached_property
    def by_guesses(self) -> Plot:
        """Tokens or gain over the number of guesses."""
        x = Axis("guesses for each pass", span=(0, GAMMAS[-1]), ticks=(0, 2, 4, 6, 8))
        return Plot(self.pen, self.plot_box, x, Axis("", span=(0, 8), ticks=(0, 2, 4, 6, 8)), "guesses")

    @cache  # noqa: B019 - there are two stages
    def by_batch(self, top: float) -> Plot:
        """The gain, or the cost of looking guesses over, over the number of requests."""
        x = Axis("requests at once", span=(BATCHES[0] / CLEAR, BATCHES[-1]), log=True, ticks=(1, 8, 64, 512))
        return Plot(self.pen, self.plot_box, x, Axis("", span=(0, top), ticks=(0, 1, 2, 3, 4, 6)), "batch")


@cache
def stage_of(width: float) -> Stage:
    return Stage(width)


def bent(places: list[Point]) -> list[Point]:
    """A curve's places without those that lie straight between others: a page's first view has to be small."""
    xs, ys = np.array(places).T
    kept = [0]
    for at in range(2, len(places)):
        skipped = slice(kept[-1] + 1, at)
        chord = np.interp(xs[skipped], xs[[kept[-1], at]], ys[[kept[-1], at]])
        if np.abs(chord - ys[skipped]).max() > SLACK:
            kept.append(at - 1)
    return [places[at] for at in (*kept, len(places) - 1)]
