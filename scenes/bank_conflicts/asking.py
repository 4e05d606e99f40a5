"""The lanes ask, some at a time, so that words are seen to pile up in a bank before they are handed over."""

from __future__ import annotations

import numpy as np

from loom.scene import Moment, evenly

from .model import LANES, WORD

TIMES = 4  # that lanes ask, in their order
LEAD, EACH = 0.25, 0.5  # that the picture before anything sets out stands, and from one time to the next [s]


def asking_beats(_: Moment) -> tuple[float, ...]:
    return evenly(TIMES, EACH * TIMES, lead=LEAD, landed=True)


def asked(moment: Moment, late: int = 0) -> int:
    """How many lanes have asked; or, some beats `late`, of how many the threads have come to the banks."""
    times = min(max(moment.beat - late, 0), TIMES)
    return times * LANES // TIMES if moment.phase == "ask" else LANES


def queued(moment: Moment, late: int = 0) -> int:
    """The passes that those lanes need."""
    return max(moment.result.request.served_in[: asked(moment, late)], default=0)


def wanted_bytes(moment: Moment, late: int = 0) -> int:
    """What those lanes have asked for; a word for many lanes counts once [B]."""
    return len(np.unique(moment.result.request.words[: asked(moment, late)])) * WORD
