"""The answer: bytes that each way has moved, and how they compare; and on the map, what was never stored."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, memoized
from loom.scene import Moment

from .model import Case
from .narration import all_done, amount, plain_so_far, so_far
from .stage import Stage


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What a chapter has moved, at its end; at the end of all tiles, how many times fewer bytes, or as many."""
    case, box = moment.result, stage.answer
    if moment.progress < 1 and moment.phase != "bound":
        return
    if moment.phase == "plain":
        number, words, role = amount(plain_so_far(moment)), "moved by a program that stores the matrix", "dropped"
    elif all_done(moment):
        number = f"{max(case.times, 1 / case.times):.1f}×"
        than = stage.pick("with a stored matrix", "a program that stores the matrix")
        words, role = f"fewer bytes than {than}" if case.times >= 1.05 else f"as many bytes as {than}", "value"
    else:
        number, words, role = amount(so_far(moment)), "moved so far in tiles", "value"
    widest = [] if "×" in number else ["88.8\u00a0MB"]
    yield from headline(stage, box.x, box.y + stage.huge, number, words, role, widest=widest, right=box.right)


@memoized
def draw_never(stage: Stage, case: Case) -> Iterator[Mark]:
    """On the empty map, how much it would be; where a mask empties tiles, left of them."""
    across, down = (0.4, 0.76) if case.causal else (0.5, 0.48)
    x, y = stage.map.x + across * stage.map.width, stage.map.y + down * stage.map.height
    yield stage.text("never", x, y, f"{amount(case.matrix)} of scores", "label strong halo", anchor="middle")
    yield stage.text("never-kept", x, y + 1.3 * stage.size, "never stored", "label halo", anchor="middle")
