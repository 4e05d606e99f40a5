"""The three phases of the story, each with the sentences that it says."""

from __future__ import annotations

from loom.draw import count, percent
from loom.scene import Moment, Phase, evenly

from .measured import dots
from .model import GATHERED, LANES, SECTOR, Load, saturating_stride


def _ask(moment: Moment) -> str:
    load = moment.result.load
    if load.pattern == "random":
        return f"{LANES} threads read at once, each another number of {GATHERED:,}, in no order."
    if load.pattern == "shuffled":
        return f"{LANES} threads read at once: {LANES} numbers that lie side by side, but in mixed order."
    if load.stride == 0:
        return f"{LANES} threads read at once, and all of them the same {load.element} bytes: a broadcast."
    apart = load.stride * load.element
    return f"{LANES} threads read at once, {load.element} bytes each, and each {apart} bytes behind the one before it."


def _fetch(moment: Moment) -> str:
    load = moment.result.load
    rule = f"Memory hands over whole sectors of {SECTOR} bytes. {count(len(load.sectors), 'sector')} must come"
    if load.useful == load.moved:
        return f"{rule}, and every byte of them is used."
    return f"{rule}: {load.moved:,} bytes for {load.useful:,} that are used."


def _curve(moment: Moment) -> str:
    load, curve, aligned = moment.result
    knee, worst = saturating_stride(load.element), percent(curve[-1].efficiency)
    if load.pattern == "random":
        return (
            f"At random, {len(load.sectors)} sectors come, nearly as many as at stride {knee} and beyond. "
            f"Side by side, the same numbers would fit in {count(load.best, 'sector')}."
        )
    measured = " Farther on, an H100 was slower still." if dots(load) else ""
    floor = f"From stride {knee}, each thread has its own sector: {worst}.{measured}"
    if load.pattern == "shuffled":
        return f"Mixed order costs nothing: sectors count. {floor}"
    if load.stride == 0:
        return f"One sector serves all: no load moves less. {floor}"
    return f"{_here(load, aligned[load.stride])} {floor}"


def _here(load: Load, aligned: Load) -> str:
    here = f"{count(len(load.sectors), 'sector')} for {load.useful} bytes"
    if len(load.sectors) == load.best:
        return f"{here}: fewer would not do."
    if len(aligned.sectors) < len(load.sectors):
        return f"{here}; from offset 0 it would take {len(aligned.sectors)}."
    return f"{here} that would fit in {load.best}."


PHASES = (
    Phase("ask", _ask, beats=lambda _: evenly(8, 1.6)),
    Phase("fetch", _fetch, beats=lambda moment: evenly(min(8, len(moment.result.load.sectors)), 2.0)),
    Phase("curve", _curve, beats=lambda _: evenly(4, 0.8)),
)
