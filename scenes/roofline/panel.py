"""What limits, how fast that is, and the two times of which the longer one counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from loom.draw import Box, Mark, quantity

from .._gpus.rates import GIGA
from .model import ARITHMETIC, BOTH, MEMORY, Case, Chosen
from .narration import rate
from .stage import INTENSITIES, Stage


def draw_panel(stage: Stage, case: Case) -> Iterator[Mark]:
    """The answer in large type, and under it what it rests on."""
    x, y = stage.answer
    sets = "set" if case.bound == BOTH else "sets"
    role = "memory" if case.bound == MEMORY else "work"
    yield stage.text("limit", x, y, case.bound, f"{role} strong answer", size=stage.huge)
    yield stage.text("limit-rate", x, y + 4 + 1.5 * stage.size, f"{sets} the limit: {rate(case.attainable, 3)}")
    yield from _times(stage, case)


@lru_cache(maxsize=1)  # for every stretch
def way_back(chosen: Chosen, stretches: int) -> list[Case]:
    """From the end of the roof to the chosen kernel: at once, or by the ridge and then in so many stretches."""
    start, ridge, end = INTENSITIES[1], chosen.case.ridge, max(chosen.case.intensity, INTENSITIES[0])
    between = np.geomspace(ridge, end, stretches + 1)[:-1].tolist() if stretches else []
    return [*map(chosen.at, (start, *between)), chosen.case]


def _times(stage: Stage, case: Case) -> Iterator[Mark]:
    """Two bars on one scale: the longer one is the limit. Any kernel is told by what it does with a gigabyte."""
    box, high, y = stage.bars, stage.pick(8, 14), stage.bars.y
    for key, head, seconds, role in ((MEMORY, "to move a GB", case.memory_time, "memory"),
                                     (ARITHMETIC, "to compute on it", case.arithmetic_time, "work")):  # fmt: skip
        words, base = quantity(seconds * GIGA / case.work.bytes, "s"), y + 0.95 * stage.size
        length = box.width * seconds / case.time
        yield stage.text(f"time-{key}-head", box.x, base, head)
        yield stage.text(f"time-{key}-value", box.right, base, words, "value", anchor="end")
        track = Box(box.x, base + 6, box.width, high)
        yield stage.rect(f"time-{key}-track", track, "cell soft", round=1)
        yield stage.rect(f"time-{key}", track._replace(width=max(length, 1.0) if seconds else 0), role, round=1)
        y = track.bottom + stage.pick(6, 12)
