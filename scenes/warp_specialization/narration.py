"""The story of a race: four chapters, in each of which time goes on by some units."""

from __future__ import annotations

from collections.abc import Callable

from loom.draw import count, listed, number, percent
from loom.scene import Moment, Phase, evenly

from .model import ISSUERS, PRODUCT, READ_OUT, Times

PACE = 0.36  # seconds for a unit of time


def now(moment: Moment) -> int:
    """The time shown [units]."""
    return began(moment) + moment.beat + 1


def began(moment: Moment) -> int:
    """When the chapter begins [units]."""
    return moment.result.ends[moment.at - 1] if moment.at else 0


def _copied(_: Moment) -> str:
    return (
        f"All {ISSUERS['Ampere']} threads of Ampere compute addresses for copies, then wait. On Hopper and Blackwell "
        "one thread asks the copy engine (TMA)."
    )


def _multiplied(_: Moment) -> str:
    return (
        f"{ISSUERS['Ampere']} threads issue Ampere’s product, {ISSUERS['Hopper']} Hopper’s, one Blackwell’s, whose "
        "sums stand in tensor memory (TMEM)."
    )


def _written(_: Moment) -> str:
    return (
        "While Ampere’s warps write tile 1, nobody multiplies. Hopper’s other group does. Blackwell’s sums leave TMEM "
        f"after {count(READ_OUT, 'unit')}, which makes room."
    )


def _rhythm(moment: Moment) -> str:
    runs = moment.result.runs
    periods = listed([number(period(run.product)) for run in runs])
    busy = listed([percent(100 * run.steady, 2) for run in runs])
    return (
        f"In rhythm, without beginning and end, a tile takes {periods} units, {PRODUCT} of them its product: the cores "
        f"are busy {busy}."
    )


def period(starts: Times) -> float:
    """Time from tile to tile once the rhythm has set in [units], of products that start at these times."""
    return float(starts[4] - starts[2]) / 2


def _chapter(name: str, say: Callable[[Moment], str], at: int) -> Phase:
    def beats(moment: Moment) -> tuple[float, ...]:
        units = moment.result.ends[at] - began(moment)
        return evenly(units - 1, PACE * (units - 1), lead=PACE if at else 0.25)

    return Phase(name, say, lambda _: (at,), beats)


STORY = tuple(
    _chapter(name, say, at)
    for at, (name, say) in enumerate(
        (("copied", _copied), ("multiplied", _multiplied), ("written", _written), ("rhythm", _rhythm))
    )
)
