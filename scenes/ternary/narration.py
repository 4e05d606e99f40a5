"""The story of a matrix: its phases, what is said of each, and how numbers are spelled."""

from __future__ import annotations

from loom.draw import count, fixed, significant
from loom.scene import Moment, Phase

from .case import BELL, COLUMNS, DENSE, HEAVY, ROWS, SAMPLE, Picked
from .model import BITS
from .pace import gamma_beats, packed_beats, product_beats, rounded_beats, scaled_beats, weights_beats
from .packing import BLOCK, FIVE, GROUPS, RUNS, SCALE_BYTES


def _weights(moment: Moment) -> str:
    pick: Picked = moment.result
    return (
        f"Row {pick.row} of W times the activations x: {COLUMNS} products, with the sum {fixed(pick.exact, 0)}. "
        f"All {ROWS} rows take {DENSE} multiplications and {DENSE} additions."
    )


def _gamma(moment: Moment) -> str:
    return (
        f"γ, the mean magnitude of all {DENSE} weights, is {fixed(moment.result.case.gamma, 3)}. Divided by γ and "
        "rounded, what is smaller than γ/2 becomes 0, the rest −1 or 1."
    )


def _rounded(moment: Moment) -> str:
    case, large = moment.result.case, moment.result.case.fidelity
    return (
        f"{case.operations.nothing} of the {DENSE} weights are now 0. Of {SAMPLE:,} such weights "
        f"{large.zeros:.1f}% are, and the weights’ error is {large.error:.0f}%: {large.sqnr:.2f} dB."
    )


def _product(moment: Moment) -> str:
    pick: Picked = moment.result
    plus, minus, nothing = pick.operations
    return (
        f"1 adds its activation, −1 subtracts it, 0 leaves it out: {count(plus, 'addition')} and "
        f"{count(minus, 'subtraction')} make {fixed(pick.sum, 0)}, and {nothing} of {COLUMNS} drop out."
    )


def _scaled(moment: Moment) -> str:
    """The one multiplication of the row, and what the error means for this kind of weights."""
    pick, case = moment.result, moment.result.case
    product = f"{fixed(pick.sum, 0)} × {fixed(case.gamma, 3)} = {fixed(pick.output, 0)}"
    against = f"exact would be {fixed(pick.exact, 0)}"
    verdict = {
        BELL: "The error of all outputs, {}, is too much for a finished model: BitNet trains with it.",
        HEAVY: "Few large weights are cut down to γ too: the error of all outputs is {}.",
    }
    trained = "The error of all outputs, {}, is one of size, as γ counts the zeros too."
    words = verdict.get(case.kind, trained).format(f"{case.error:.0f}%")
    return f"One multiplication an output: {product}; {against}. {words}"


def _packed(moment: Moment) -> str:
    full, short = (sum(weights // each for weights, each in RUNS if each == many) for many in (FIVE, FIVE - 1))
    return (
        f"Plus 1, weights are digits of base 3; five make a byte below {GROUPS}. TQ1_0 takes {full} bytes of five, "
        f"{short} of four and {SCALE_BYTES} of scale for {BLOCK}: {bits(moment.result.case.packed)} bits a weight, "
        f"at least {bits(BITS)}."
    )


STORY = (
    Phase("weights", _weights, beats=weights_beats),
    Phase("gamma", _gamma, beats=gamma_beats),
    Phase("rounded", _rounded, beats=rounded_beats),
    Phase("product", _product, beats=product_beats),
    Phase("scaled", _scaled, beats=scaled_beats),
    Phase("packed", _packed, beats=packed_beats),
)


def trit(value: int) -> str:
    """A ternary weight with its sign: +1, 0, −1."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def bits(value: float) -> str:
    """Bits for each weight, exactly: 1.6875, 2.0625; or to three decimals."""
    return significant(value, 5) if value * 16 == round(value * 16) else fixed(value, 3)
