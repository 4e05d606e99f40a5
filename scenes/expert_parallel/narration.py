"""The phases of the story, and what is said in each."""

from __future__ import annotations

from loom.draw import count, number, quantity, significant
from loom.scene import Moment, Phase, evenly

from .model import BACK, OUT, Case, trip
from .pace import EACH, load_beats, picked_at
from .pace import reached as worked_off
from .router import EXPERTS, GPUS, NODES, PICKED, TOKENS

HOPS = 5  # pictures of a trip: at home, at its way out, at the nodes' ways in, in each node, at the experts


def lasting(seconds: float) -> str:
    """A time to three digits, also where the last is 0: what stands side by side is as exact."""
    return f"{significant(1e3 * seconds)}\u00a0ms" if seconds >= 1e-3 or not seconds else quantity(seconds, "s")


def reached(case: Case) -> int:
    """The nodes that the token which is followed visits."""
    return len(trip(case.limit).nodes)


def say_pick(moment: Moment) -> str:
    case: Case = moment.result
    gpus = len(set(trip(case.limit).gpus))
    where = f"{PICKED} of {EXPERTS} experts, which lie on {gpus} GPUs in {count(reached(case), 'node')}"
    if case.limit < NODES:
        own = f"Bound to {count(case.limit, 'node')}, it gets {number(case.batch.wanted, 2)} of its {PICKED} favourites"
        return f"A token goes to {where}. {own}, on average."
    return f"A token goes to {where}: to its {PICKED} favourites, wherever they are."


def say_send(moment: Moment) -> str:
    nodes = reached(moment.result)
    copies = count(nodes, "copy", "copies")
    return (
        f"{copies} of {OUT:,} bytes in FP8 cross the network, one for each node. NVLink hands them on inside, so "
        f"{quantity(nodes * OUT, 'B')} do for {quantity(PICKED * OUT, 'B')}."
    )


def say_back(moment: Moment) -> str:
    nodes = reached(moment.result)
    return (
        f"Each node adds up its experts’ results and sends back one, {BACK:,} bytes in BF16: "
        f"{quantity(nodes * BACK, 'B')} instead of {quantity(PICKED * BACK, 'B')}."
    )


def say_load(moment: Moment) -> str:
    case: Case = moment.result
    start = f"{TOKENS:,} tokens, from all GPUs together, make {TOKENS * PICKED:,} visits"
    fullest, most = int(case.loads.argmax()), int(case.loads.max())
    return f"{start}, {significant(case.mean)} for each GPU on average. GPU {fullest} gets {most:,}."


def say_wait(moment: Moment) -> str:
    case: Case = moment.result
    start = f"If each GPU brings {TOKENS:,} tokens of its own, sending takes {lasting(case.dispatch_time)}"
    wait = f"the mean GPU waits {lasting(case.waiting)} for the fullest"
    return f"{start}, equal work {lasting(case.work)}, and {wait}."


PHASES = (
    Phase("pick", say_pick, beats=lambda _: evenly(PICKED, EACH * PICKED, lead=EACH)),
    Phase("send", say_send, beats=lambda _: evenly(HOPS - 1, 3.2, lead=0.4)),
    Phase("back", say_back, beats=lambda _: evenly(HOPS - 1, 3.2, lead=0.4)),
    Phase("load", say_load, beats=lambda moment: load_beats(moment.result)),
    Phase("wait", say_wait, beats=lambda _: evenly(5, 4.0)),
)


def picked(moment: Moment) -> tuple[str, str]:
    """Where the experts are that have been picked, before anything is sent."""
    found = trip(moment.result.limit).first(picked_at(moment.phase, moment.beat))
    words = "experts for one token"
    if found.experts:
        words += f", which {'lies' if len(found.experts) == 1 else 'lie'} in {count(len(found.nodes), 'node')}"
    return f"{len(found.experts)} of {EXPERTS}", words


def answer_of(case: Case, beat: int) -> tuple[str, str]:
    """The load that is worked off over the mean, and who is still at work; in the end, the fullest and who waits."""
    level = worked_off(case, beat)
    busy = int((case.loads > level).sum())
    if not busy:
        return f"{number(case.slowest)}×", f"the mean load on the GPU that {GPUS - 1} others wait for"
    words = f"the mean load is done, and {busy} of {count(GPUS, 'GPU')} {'is' if busy == 1 else 'are'} still at work"
    return f"{number(level / case.mean)}×", words


def time_of(case: Case, ended: int) -> tuple[str, str]:
    """How long those parts of the layer take that have ended, and what that is."""
    return lasting(sum(case.parts[:ended])), "from the first token sent to the last result back, in one layer"
