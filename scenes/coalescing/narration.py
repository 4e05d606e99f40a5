"""The four phases of the story, each with the sentences that it says, and the words of the picture."""

from __future__ import annotations

from loom.draw import count, percent
from loom.scene import Moment, Phase

from .model import GATHERED, LANES, LINE, SECTOR, Load, saturating_stride


def _ask(moment: Moment) -> str:
    load = moment.result.load
    warp = f"A warp is {LANES} threads, its lanes, that execute together."
    first, last = int(load.addresses[0]), int(load.addresses[-1])
    ends = f"lane 0 at byte {first:,}, lane {LANES - 1} at byte {last:,}"
    if load.pattern == "random":
        return (
            f"{warp} Each asks for a different element of {load.element} bytes in an array of {GATHERED:,}, "
            f"in no order: {ends}."
        )
    if load.pattern == "shuffled":
        return (
            f"{warp} They ask for {LANES} elements of {load.element} bytes that lie side by side, but in mixed order: "
            f"{ends}."
        )
    if load.stride == 0:
        return f"{warp} All of them ask for the same {load.element} bytes, at byte {first:,}: a broadcast."
    return (
        f"{warp} Lane 0 asks for {load.element} bytes at byte {first:,}, each next lane "
        f"{load.stride * load.element} bytes further on, up to lane {LANES - 1} at byte {last:,}."
    )


def _fetch(moment: Moment) -> str:
    load = moment.result.load
    shares = sorted({int(used.sum()) for used in load.used})
    asked = f"{shares[0]}" if len(shares) == 1 else f"{shares[0]} to {shares[-1]}"
    rule = f"Memory hands over whole sectors of {SECTOR} bytes, here the columns."
    if shares == [SECTOR]:
        return f"{rule} These lanes touch {len(load.sectors)}, and ask for every byte of them."
    if len(load.sectors) == 1:
        return f"{rule} These lanes touch only one, and ask for {asked} of its {SECTOR} bytes."
    touch = f"These lanes touch {len(load.sectors)}, and ask for {asked} bytes of each"
    return f"{rule} {touch}: the hatched rest comes along."


def _count(moment: Moment) -> str:
    load = moment.result.load
    sectors, lines = len(load.sectors), len(load.lines)
    home = f"The cache keeps memory in lines of {LINE} bytes, {LINE // SECTOR} sectors each"
    if sectors < lines * LINE // SECTOR:
        home += f"; {count(lines, 'line')} would be {lines * LINE:,} bytes, but only the sectors touched are fetched"
    moved = f"{count(sectors, 'sector')} × {SECTOR} bytes = {load.moved:,} bytes move"
    return f"{home}. {moved}, and {load.useful:,} are used: an efficiency of {percent(load.efficiency)}."


def _curve(moment: Moment) -> str:
    load, curve, aligned = moment.result
    knee, worst = saturating_stride(load.element), percent(curve[-1].efficiency)
    if load.pattern == "random":
        return (
            f"{LANES} lanes touch {len(load.sectors)} sectors, nearly as many as at stride {knee} and beyond: "
            f"{percent(load.efficiency)} of {load.moved:,} bytes are used. "
            f"Side by side, the same elements would fit in {count(load.best, 'sector')}."
        )
    floor = f"From stride {knee} on, each lane has a sector of its own, and {worst} is the floor."
    if load.pattern == "shuffled":
        return (
            f"Mixed order costs nothing: the same {len(load.sectors)} sectors as at stride 1. "
            f"Which sectors are touched counts, not which lane asks. {floor}"
        )
    if load.stride == 0:
        return (
            f"One sector serves all {LANES} lanes. Its {percent(load.efficiency)} looks poor, "
            f"but no load moves fewer bytes. {floor}"
        )
    return f"{_here(load, aligned[load.stride])} {floor}"


def _here(load: Load, aligned: Load) -> str:
    here = f"At stride {load.stride}, {percent(load.efficiency)} of what moves is used"
    if len(load.sectors) == load.best:
        return f"{here}: {len(load.sectors)} sectors, and {load.useful} bytes cannot come in fewer."
    if len(aligned.sectors) < len(load.sectors):
        ring = f"from offset 0 it would take {len(aligned.sectors)}, the ring at {percent(aligned.efficiency)}"
        return f"{here}: {len(load.sectors)} sectors; {ring}."
    return f"{here}: {len(load.sectors)} sectors for bytes that would fit in {load.best}."


def reach(load: Load, short: bool) -> str:
    """From where to where the load reaches."""
    words = f"bytes {int(load.asked[0]):,} to {int(load.asked[-1]):,}"
    if load.sectors[-1] - load.sectors[0] >= len(load.sectors):
        words += "; unasked columns left out" if short else "; columns that no lane asks for are left out"
    return words


def counted(load: Load, lines: bool) -> str:
    """The sectors, and the lines that they lie in."""
    words = f"{count(len(load.sectors), 'sector')} of {SECTOR} bytes"
    return f"{words}, in {count(len(load.lines), 'line')} of {LINE}" if lines else words


PHASES = (Phase("ask", _ask), Phase("fetch", _fetch), Phase("count", _count), Phase("curve", _curve))
