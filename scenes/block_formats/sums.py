"""The arithmetic of a step in a few lines."""

from __future__ import annotations

import numpy as np

from .._formats.blocks import SCALE_LARGEST
from .._formats.floats import decoded
from .case import ROUNDED, SCALE, Case, State
from .model import LARGEST, NVFP4
from .words import exponent_of, number, power


def sums(state: State, block: int) -> list[str]:
    """What is worked out in this step, for one block of the picture."""
    case = state.case
    if state.step == SCALE:
        return _scale(case, block)
    if state.step == ROUNDED:
        return [f"{name}: {divided(case, at)}" for name, at in followed(case, block).items()]
    return []


def _scale(case: Case, block: int) -> list[str]:
    amax, scale = float(case.packed.amax[block]), float(case.packed.scales[block])
    k = exponent_of(scale)
    if case.format == NVFP4:
        stored = float(decoded(case.packed.scale_codes[block], "E4M3"))
        wanted = amax / LARGEST / case.packed.tensor_scale
        return [
            f"s = {number(case.tensor_amax)} ÷ ({LARGEST:g} · {SCALE_LARGEST:g}) = {number(case.packed.tensor_scale)}",
            f"{number(amax)} ÷ {LARGEST:g} ÷ s = {number(wanted, 4)}, in E4M3 {number(stored)}",
            f"scale = {number(stored)} · s = {number(scale)}",
        ]
    if case.rule == "floor":
        low, top = exponent_of(amax), exponent_of(LARGEST)
        return [
            f"{power(low)} ≤ {number(amax)} < {power(low + 1)}",
            f"{power(top)} ≤ {LARGEST:g}, the last rung, < {power(top + 1)}",
            f"X = {power(low)} ÷ {power(top)} = {power(k)} = {number(scale)}",
        ]
    return [
        f"{number(amax)} ÷ {LARGEST:g}, the last rung, = {number(amax / LARGEST)}",
        f"{power(k - 1)} < {number(amax / LARGEST)} ≤ {power(k)}",
        f"X = {power(k)} = {number(scale)}",
    ]


def followed(case: Case, block: int) -> dict[str, int]:
    """Numbers of a block to follow: its largest, of the others the one that rounding moves most, and its smallest."""
    places = np.arange(block * case.packed.size, (block + 1) * case.packed.size)
    moved = np.abs(case.elements - case.scaled)[places]
    moved[places == case.largest[block]] = -1
    moves, least = int(places[np.argmax(moved)]), int(places[np.argmin(np.abs(case.numbers[places]))])
    if case.numbers[moves] == case.numbers[least]:
        return {"largest": case.largest[block], "another": moves}
    return {"largest": case.largest[block], "moved most": moves, "smallest": least}


def divided(case: Case, at: int) -> str:
    """One number over its scale, and the rung it goes to."""
    parts = number(float(case.numbers[at])), number(float(case.scales[at])), number(float(case.scaled[at]))
    return f"{parts[0]} ÷ {parts[1]} = {parts[2]} → {number(float(case.elements[at]))}"


def restored(case: Case, at: int) -> str:
    """One element times its scale."""
    parts = (float(case.elements[at]), float(case.scales[at]), float(case.decoded[at]))
    return f"{number(parts[0])} · {number(parts[1])} = {number(parts[2])}"
