"""The picture: a tree of what is cached, prompts that find their way along it, and how much they find."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline
from loom.scene import Moment

from .case import Case
from .chart import draw_best, draw_curve, draw_memory, draw_turns
from .stage import stage_of
from .story import Now, now_of, rate_so_far, share
from .tree import draw_tree


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    case, now = moment.result, now_of(moment)
    yield from draw_answer(width, case, now)
    yield from draw_tree(width, case, now)
    yield from draw_turns(width, case, now)
    yield from draw_memory(width, case, now)
    yield from draw_best(width, moment)  # it comes out from under the knob
    yield from draw_curve(width, case)


def draw_answer(width: float, case: Case, now: Now) -> Iterator[Mark]:
    """Of all prompt tokens so far, the share that was found."""
    pen = stage_of(width, case).pen
    words, y = share(rate_so_far(case, now.served)), pen.pick(0.85, 1) * pen.huge
    come = "of all prompt tokens were found" if now.whole else "of the prompt tokens so far were found"
    yield from headline(pen, 0, y, words, come, "work", widest=["88.8%"])
