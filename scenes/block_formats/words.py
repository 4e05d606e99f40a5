"""How codes are written in this scene, and the arithmetic of a step in a few lines."""

from __future__ import annotations

import math

import numpy as np

from loom.draw import fixed, number

from .._formats.blocks import SCALE_LARGEST
from .._formats.floats import decoded
from .case import Case
from .model import LARGEST, NVFP4

TINY = 0.01  # [%]: what FP32’s own rounding leaves is below


def percent(value: float) -> str:
    """A percentage; one too small to write is called so."""
    return f"{number(value)}%" if value >= TINY else f"under {TINY:g}%"


def power(exponent: int) -> str:
    """A power of two."""
    return f"2^{fixed(exponent, 0)}"


def bits(code: int, length: int = 4) -> str:
    """A code in binary, its highest bit first."""
    return f"{code:0{length}b}"


def byte(value: int) -> str:
    """A byte in hexadecimal."""
    return f"{value:02x}"


def exponent_of(value: float) -> int:
    """The largest k with 2^k ≤ |value|."""
    return math.frexp(abs(value))[1] - 1


def scale_sums(case: Case, block: int) -> list[str]:
    """How the scale of a block is worked out."""
    amax, scale = float(case.packed.amax[block]), float(case.packed.scales[block])
    k, low, top = exponent_of(scale), exponent_of(amax), exponent_of(LARGEST)
    if case.format == NVFP4:
        stored, whole = float(decoded(case.packed.scale_codes[block], "E4M3")), case.packed.tensor_scale
        return [
            f"s = {number(case.tensor_amax)} ÷ ({LARGEST:g} · {SCALE_LARGEST:g}) = {number(whole)}",
            f"{number(amax)} ÷ {LARGEST:g} ÷ s = {number(amax / LARGEST / whole, 4)}, in E4M3 {number(stored)}",
            f"scale = {number(stored)} · s = {number(scale)}",
        ]
    if case.rule == "floor":
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


def rounding_sums(case: Case, block: int) -> list[str]:
    """Where rounding takes a block's largest number, of the others the one that it moves most, and the smallest."""
    places = np.arange(block * case.packed.size, (block + 1) * case.packed.size)
    largest, moved = case.largest[block], np.abs(case.elements - case.scaled)[places]
    moved[places == largest] = -1
    moves, least = int(places[np.argmax(moved)]), int(places[np.argmin(np.abs(case.numbers[places]))])
    followed = {"largest": largest, "moved most": moves, "smallest": least}
    if case.numbers[moves] == case.numbers[least]:
        followed = {"largest": largest, "another": moves}
    return [f"{name}: {divided(case, at)}" for name, at in followed.items()]


def divided(case: Case, at: int) -> str:
    """One number over its scale, and the rung it goes to."""
    given, scale, scaled, element = (
        number(float(values[at])) for values in (case.numbers, case.scales, case.scaled, case.elements)
    )
    return f"{given} ÷ {scale} = {scaled} → {element}"


def restored(case: Case, at: int) -> str:
    """One element times its scale."""
    element, scale, back = (number(float(values[at])) for values in (case.elements, case.scales, case.decoded))
    return f"{element} · {scale} = {back}"
