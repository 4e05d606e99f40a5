"""The three phases of the story, and how numbers are told."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Moment, Phase, evenly

from .model import SCHEDULES, SMS, Launch, launches

BEATS, SECONDS = 3, 3.5  # of each of the two runs: a playhead moves evenly from beat to beat
START = 0.25  # [s] that it stands at the beginning


def percent(share: float) -> str:
    return f"{share:.0f}%"


def fastest(tiles: int) -> Launch:
    """The schedule that is done first; of equals the one that is named first."""
    return min(launches(tiles).values(), key=lambda launch: launch.time)


def _run(moment: Moment) -> str:
    launch = moment.result.before
    tiles, several = count(launch.tiles, "tile"), launch.tiles > 1
    if launch.schedule == "stream":
        return f"{launch.blocks} blocks share out the steps of {tiles} evenly. {_met(launch)}"
    if launch.schedule == "persistent":
        if launch.rounds > 1:
            many = f"Blocks stay and take {tiles}, up to {launch.rounds} each."
            return f"{many} A tile’s epilogue runs while the next is multiplied."
        many = f"{tiles} {'go' if several else 'goes'} to {count(launch.blocks, 'block')}"
        return f"{many}{', one to each' if several else ''}. There is no next tile to hide an epilogue behind."
    parts = f" in {launch.parts} parts{' each' if several else ''}" if launch.parts > 1 else ""
    what = f"{tiles}{parts} {'are' if several else 'is'} {count(launch.blocks, 'block')}"
    last = f"the last of {launch.tail}" if launch.rounds > 1 else f"on {launch.tail} of {SMS} SMs"
    ends = f"{'Each' if launch.blocks > 1 else 'It'} ends with an epilogue, in which no product runs."
    return f"{what}, in {count(launch.rounds, 'wave')}, {last}. {ends}"


def _met(launch: Launch) -> str:
    """Whether blocks of stream-K share tiles."""
    if launch.whole:
        return "Each has whole tiles, so that here no two meet in one."
    return "Where two meet in a tile, they add up their sums."


def _filled(launch: Launch) -> str:
    """What stream-K leaves idle, and what it costs."""
    if launch.idle_sms:
        return f"There are fewer steps than SMs, and {launch.idle_sms} SMs have none."
    if launch.whole:
        return "All waves are full, and no tile is shared, so that no sums are added up."
    return "No wave is left unfilled, so there are no teeth. It costs a second round of sums."


def _saw(moment: Moment) -> str:
    launch = moment.result
    head = f"In {launch.time} units, the tensor cores are busy {percent(launch.busy)} of the time."
    if launch.schedule == "stream":
        return f"{head} {_filled(launch)}"
    fewer, more = launch.less, Launch(launch.tiles + 1, launch.schedule)
    if fewer.time < launch.time:
        return f"{head} With one tile less it is {percent(fewer.busy)}, in {fewer.time}: the last wave is nearly empty."
    if more.time > launch.time:
        return f"{head} Every SM has work to the end: one tile more, and it is {percent(more.busy)}, in {more.time}."
    return f"{head} The last wave has room: one tile more takes no longer."


def _compare(moment: Moment) -> str:
    launch, best = moment.result, fastest(moment.result.tiles)
    take = f"{count(launch.tiles, 'tile')} take{'' if launch.tiles > 1 else 's'}"
    first = f"{take} the least time with {SCHEDULES[best.schedule]}: {best.time} units"
    if best.time == launches(launch.tiles)["tile"].time:
        return f"The products, green, take equally long in all. {first}; nothing else pays."
    return f"The products, green, take equally long in all; the rest differs. {first}."


def _swept(_: Moment) -> tuple[float, ...]:
    """The playhead stands, and then runs evenly; when it has come, so do the numbers."""
    return evenly(BEATS, SECONDS, START, landed=True)


def _more(moment: Moment) -> tuple[float, ...]:
    """The one tile more runs alone; then the rings come. Where it opens no wave, there is nothing to run."""
    return (0.0,) if moment.result.before == moment.result else evenly(BEATS, SECONDS, landed=True)


def reached(moment: Moment, behind: bool = False) -> float:
    """The time to which the playhead goes in this beat, or which lies `behind` it when the beat begins [units]."""
    launch, beat = moment.result, moment.beat - (moment.phase == "run")  # in which it stands first
    share = min(max(beat + (not behind), 0) / BEATS, 1)
    if moment.phase == "run":
        return launch.before.time * share
    if moment.phase == "saw" and moment.beats > 1:
        return launch.before.time + (launch.time - launch.before.time) * share
    return launch.time


def swept(moment: Moment) -> float:
    """How much of the time the cover of the comparison leaves open by the end of this beat: nothing in the first."""
    return min(1.0, moment.beat / (moment.beats - 2))


PHASES = (
    Phase("run", _run, beats=_swept),
    Phase("saw", _saw, beats=_more),
    Phase("compare", _compare, beats=lambda _: evenly(2, 2.8, START, landed=True)),
)
