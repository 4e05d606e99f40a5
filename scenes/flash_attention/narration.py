"""The phases of the story, what is said in each, and where the tiles are in it."""

from __future__ import annotations

from math import ceil, log2

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .model import KIB, Case, bound_bytes

KERNELS = 3  # of a plain program
A_KERNEL = 2  # beats of each
LEAST = 16 * KIB  # memory that the chart begins with [B]
FEW, MANY = 8, 14  # beats of the first row of tiles, and of the others, at most


def amount(size: float) -> str:
    """Bytes to three digits."""
    return quantity(size, "B")


def ratio(case: Case) -> str:
    """How the tiles compare with a plain program: 3.8 times fewer than."""
    times = case.times
    if abs(times - 1) < 0.05:
        return "about as many as"
    return f"{times:.1f} times fewer than" if times > 1 else f"{1 / times:.1f} times as many as"


def say_plain(moment: Moment) -> str:
    case: Case = moment.result
    return (
        f"A plain program stores the scores, then the weights, and reads both back: {amount(4 * case.matrix)} of the "
        f"{amount(case.plain)} that its three kernels move."
    )


def say_row(moment: Moment) -> str:
    case: Case = moment.result
    tiles, moved = count(case.counts[case.order[0]], "block"), amount(case.moved(1, 0))
    return (
        f"{count(case.block, 'query', 'queries')} stay on the chip, with maxima m, sums l and outputs O. {tiles} of "
        f"keys and values pass by: {moved}, and no score leaves."
    )


def say_rest(moment: Moment) -> str:
    case: Case = moment.result
    words = f"All rows move {amount(case.tiled)}, {ratio(case)} plain attention."
    if case.causal and case.skipped:
        return f"{words} {case.skipped:,} of {case.side**2:,} tiles hold nothing that a query may see, and are skipped."
    return f"{words} HBM has to see {amount(case.once)}; the L2 cache can serve the rest."


def say_bound(moment: Moment) -> str:
    case: Case = moment.result
    hidden = number(case.tiled / bound_bytes(case.tokens, case.dim, case.memory), 2)
    return (
        "Twice the memory: half the passes over the keys. For N tokens and M numbers on the chip, bytes fall as "
        f"N²d²/M, here {hidden} times that."
    )


def sampled(tiles: int, most: int) -> int:
    """Beats that show so many tiles."""
    return max(1, min(tiles, most))


def beats_of_row(moment: Moment) -> tuple[float, ...]:
    case: Case = moment.result
    return evenly(sampled(case.counts[case.order[0]], FEW), 4.0)


def beats_of_rest(moment: Moment) -> tuple[float, ...]:
    case: Case = moment.result
    return evenly(sampled(case.computed - case.counts[case.order[0]], MANY), 6.0)


def doublings(case: Case) -> list[int]:
    """Memories on the way to the one that was chosen, each twice the one before [B]; the first of them is the least."""
    ways = ceil(log2(case.memory / LEAST))
    return [*(LEAST * 2**way for way in range(ways)), case.memory]


def doubling(moment: Moment) -> tuple[float, ...]:
    """Dots stand at the least memory, set out, and are gone where they have come to the knob."""
    ways = len(doublings(moment.result)) - 1
    return evenly(ways, 0.6 * ways, lead=0.25, landed=True)


PHASES = (
    Phase("plain", say_plain, beats=lambda _: evenly(KERNELS * A_KERNEL - 1, 3.5, lead=0.25)),
    Phase("row", say_row, beats=beats_of_row),
    Phase("rest", say_rest, lambda case: (0,) if case.side > 1 else (), beats_of_rest),
    Phase("bound", say_bound, beats=doubling),
)


def place(moment: Moment) -> tuple[int, int]:
    """The row in the order taken, and how many of its tiles are done, the present one too."""
    case: Case = moment.result
    if not moment.since("row"):
        return 0, 0
    first = case.counts[case.order[0]]
    done = round(moment.past("row") * first) + round(moment.past("rest") * (case.computed - first))
    for at, row in enumerate(case.order):
        if done <= case.counts[row]:
            return at, max(done, 1)
        done -= case.counts[row]
    return case.side - 1, case.counts[case.order[-1]]


def so_far(moment: Moment) -> int:
    """Bytes that the tiles have moved."""
    case: Case = moment.result
    if not moment.since("row"):
        return 0
    at, tiles = place(moment)
    return case.moved(at + 1, 0) if tiles == case.counts[case.order[at]] else case.moved(at, tiles)


def all_done(moment: Moment) -> bool:
    """Whether all tiles have been computed."""
    at, tiles = place(moment)
    case: Case = moment.result
    return moment.phase != "plain" and at == case.side - 1 and tiles == case.counts[case.order[at]]


def plain_so_far(moment: Moment) -> float:
    """Bytes that a plain program has moved."""
    case: Case = moment.result
    kernel, share = kernel_of(moment)
    return case.plain_moved(kernel, share)


def kernel_of(moment: Moment) -> tuple[int, float]:
    """Which of the three kernels of a plain program runs, and how much of it is done."""
    if moment.phase != "plain":
        return KERNELS - 1, 1.0
    kernel, beat = divmod(moment.beat, A_KERNEL)
    return kernel, (beat + 1) / A_KERNEL
