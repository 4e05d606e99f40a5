"""What plays when the ways are counted: dots run from where both do the same work to as many tokens as come at once."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .model import Step, break_even

LEAD = 0.25  # that the picture before anything sets out stands [s]
EACH = 0.3  # from stop to stop [s]
STOPS = 6  # at most

# New tokens that can come at once: 1 to 8,192, three to an octave.
QUERIES = tuple(sorted({round(2 ** (third / 3)) for third in range(40)}))


def stops(step: Step) -> list[int]:
    """New tokens on the way, from those that can be chosen nearest to the break-even to those that were."""
    even = float(break_even(step.context))
    start = min(range(len(QUERIES)), key=lambda at: abs(QUERIES[at] - even))
    end = QUERIES.index(step.queries)
    ways = min(STOPS, abs(end - start))
    return [QUERIES[round(start + (end - start) * way / ways)] for way in range(ways)] + [step.queries]


def counting(moment: Moment) -> tuple[float, ...]:
    """The dots stand at the break-even, set out, and where they have come the knob is."""
    ways = len(stops(moment.result)) - 1
    return evenly(ways, EACH * ways, lead=LEAD, landed=True)


def runs_at(moment: Moment, landed: bool = False) -> Step:
    """The step that the dots are at or on their way to, or where they `landed` last; at the end, what was chosen."""
    step: Step = moment.result
    if moment.phase != "count" or moment.progress == 1:
        return step
    return Step(stops(step)[max(moment.beat - landed, 0)], step.context)
