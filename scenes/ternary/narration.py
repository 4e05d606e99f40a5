"""What is said of each step."""

from __future__ import annotations

from loom.draw import count

from .case import DENSE, GAMMA, PRODUCT, ROUNDED, SCALED, WEIGHTS, State
from .data import BELL, COLUMNS, HEAVY, ROWS, SAMPLE
from .model import BITS
from .packing import BLOCK, GROUPS, SCALE_BYTES
from .words import bits, gamma, signed


def say(state: State) -> str:
    case, chosen = state.case, state.case.fidelity
    if state.step == WEIGHTS:
        return (
            f"Row {state.row} of W holds {COLUMNS} weights; times the activations x, the numbers that come in, they "
            f"make {COLUMNS} products with the sum {signed(state.exact)}. All {ROWS} rows take {DENSE} multiplications "
            f"and {DENSE} additions."
        )
    if state.step == GAMMA:
        return (
            f"γ, the mean magnitude of all {DENSE} weights, is {gamma(case.gamma)}. Every weight is divided by γ and "
            f"rounded, so one smaller than γ/2 becomes 0, and the others −1 or 1."
        )
    if state.step == ROUNDED:
        return (
            f"{case.operations.nothing} of the {DENSE} weights are now 0; of {SAMPLE:,} such weights "
            f"{chosen.zeros:.1f}%. The error is {chosen.error:.0f}% of the weights: a signal-to-noise ratio (SQNR) of "
            f"{chosen.sqnr:.2f} dB."
        )
    if state.step == PRODUCT:
        plus, minus, nothing = state.operations
        return (
            f"1 adds its activation, −1 subtracts it, 0 leaves it out: {count(plus, 'addition')} and "
            f"{count(minus, 'subtraction')} make {signed(state.sum)}. Row {state.row} multiplies nothing, and skips "
            f"{nothing} of its {COLUMNS} activations."
        )
    if state.step == SCALED:
        return f"{scaled(state)} {verdict(state)}"
    first, second = state.numbers
    return (
        f"Each weight plus 1 is a digit of base 3, and five make a number below {GROUPS}, which fits in a byte: "
        f"{first} and {second}. With a {SCALE_BYTES}-byte scale for {BLOCK} weights that is {bits(case.packed)} bits a "
        f"weight, near log₂ 3 = {bits(BITS)}, the least that three equally likely values need."
    )


def scaled(state: State) -> str:
    """The one multiplication of the row."""
    return (
        f"One multiplication by γ for each output: {signed(state.sum)} × {gamma(state.case.gamma)} = "
        f"{signed(state.output)}, against {signed(state.exact)} with the weights as they were."
    )


def verdict(state: State) -> str:
    """What the error means for this kind of weights."""
    error = f"{state.case.error:.0f}%"
    if state.case.kind == BELL:
        return f"An error of {error} over all outputs is too much for a finished model: BitNet trains with rounding."
    if state.case.kind == HEAVY:
        return f"The few large weights are cut down to γ as well, and the error over all outputs is {error}."
    return f"The error of {error} is one of size, as γ counts zeros too; a model trained with this γ has seen no other."
