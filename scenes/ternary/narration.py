"""The story of a matrix: its phases, what is said of each, and how numbers are spelled."""

from __future__ import annotations

from loom.draw import count, fixed, plain
from loom.scene import Moment, Phase

from .case import BELL, COLUMNS, DENSE, HEAVY, ROWS, SAMPLE, Picked
from .model import BITS
from .packing import BLOCK, GROUPS, SCALE_BYTES


def _weights(moment: Moment) -> str:
    pick: Picked = moment.result
    return (
        f"Row {pick.row} of W holds {COLUMNS} weights; times the activations x, the numbers that come in, they "
        f"make {COLUMNS} products with the sum {fixed(pick.exact, 0)}. All {ROWS} rows take {DENSE} multiplications "
        f"and {DENSE} additions."
    )


def _gamma(moment: Moment) -> str:
    return (
        f"γ, the mean magnitude of all {DENSE} weights, is {fixed(moment.result.case.gamma, 3)}. Every weight is "
        "divided by γ and rounded, so one smaller than γ/2 becomes 0, and the others −1 or 1."
    )


def _rounded(moment: Moment) -> str:
    case = moment.result.case
    return (
        f"{case.operations.nothing} of the {DENSE} weights are now 0; of {SAMPLE:,} such weights "
        f"{case.fidelity.zeros:.1f}%. The error is {case.fidelity.error:.0f}% of the weights: a signal-to-noise ratio "
        f"(SQNR) of {case.fidelity.sqnr:.2f} dB."
    )


def _product(moment: Moment) -> str:
    pick: Picked = moment.result
    plus, minus, nothing = pick.operations
    return (
        f"1 adds its activation, −1 subtracts it, 0 leaves it out: {count(plus, 'addition')} and "
        f"{count(minus, 'subtraction')} make {fixed(pick.sum, 0)}. Row {pick.row} multiplies nothing, and skips "
        f"{nothing} of its {COLUMNS} activations."
    )


def _scaled(moment: Moment) -> str:
    """The one multiplication of the row, and what the error means for this kind of weights."""
    pick, case = moment.result, moment.result.case
    product = f"{fixed(pick.sum, 0)} × {fixed(case.gamma, 3)} = {fixed(pick.output, 0)}"
    against = f"against {fixed(pick.exact, 0)} with the weights as they were"
    verdict = {
        BELL: "An error of {} over all outputs is too much for a finished model: BitNet trains with rounding.",
        HEAVY: "The few large weights are cut down to γ as well, and the error over all outputs is {}.",
    }
    trained = "The error of {} is one of size, as γ counts zeros too; a model trained with this γ has seen no other."
    words = verdict.get(case.kind, trained).format(f"{case.error:.0f}%")
    return f"One multiplication by γ for each output: {product}, {against}. {words}"


def _packed(moment: Moment) -> str:
    first, second = moment.result.numbers
    return (
        f"Each weight plus 1 is a digit of base 3, and five make a number below {GROUPS}, which fits in a byte: "
        f"{first} and {second}. With a {SCALE_BYTES}-byte scale for {BLOCK} weights that is "
        f"{bits(moment.result.case.packed)} bits a weight, near log₂ 3 = {bits(BITS)}, the least that three equally "
        "likely values need."
    )


STORY = (
    Phase("weights", _weights),
    Phase("gamma", _gamma),
    Phase("rounded", _rounded),
    Phase("product", _product),
    Phase("scaled", _scaled),
    Phase("packed", _packed),
)


def trit(value: int) -> str:
    """A ternary weight with its sign: +1, 0, −1."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def bits(value: float) -> str:
    """Bits for each weight, exactly: 1.6875, 2.0625; or to three decimals."""
    return plain(value, 5) if value * 16 == round(value * 16) else fixed(value, 3)


def joined(numbers: list[int], sign: str) -> str:
    """34 + 81 + 12; without any, 0."""
    return f" {sign} ".join(map(str, numbers)) or "0"
