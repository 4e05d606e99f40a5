"""Turn a sequence of terms into running sums that are rounded to an accumulator's format after every term.

A caricature: no tensor core keeps its sum in FP8. For what Hopper does see `running_sum` and [1]_.

.. [1] DeepSeek-AI, "DeepSeek-V3 Technical Report", 2024, arXiv:2412.19437, section 3.3.2.
.. [2] Figueroa, "When is Double Rounding Innocuous?", SIGNUM 30(3), 1995, doi:10.1145/221332.221334.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .._formats import floats, tensor_core
from .._formats.floats import FLOATS

# In the order of the data table.
ACCUMULATORS = {name: FLOATS[name] for name in ("E4M3", "FP16", "FP32", "E5M2", "BF16")}
ACCUMULATORS["Hopper"] = FLOATS["FP32"]._replace(
    name="Hopper", mantissa_bits=13, largest=(2 - 2.0**-13) * 2.0**127, dtype=None
)
INSTRUCTION_TERMS = tensor_core.FP8.terms  # K of one FP8 tensor-core instruction on Hopper
LEAST = -6  # exponent of E4M3's smallest normal number, and of its subnormals
SEED = 7  # chosen for sums well away from zero at 64, 256, 1024 and 4096 terms: the error is relative


def factors(kind, count):
    """Factors a and b [1] of the terms to add, float64 of shape (count,) each; a longer sequence begins with a shorter.

    Parameters
    ----------
    kind : {"golden", "ones", "gaussian"}
        0.05 + 1.9 · frac(i · (√5 - 1) / 2), low-discrepancy on [0.05, 1.95), times 1; ones; two seeded standard normal
        samples, rounded to E4M3 as the factors of an FP8 matrix product are.
    count : int
        Number of terms. Raises ValueError below 1, and for an unknown kind.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count}")
    if kind == "golden":
        return 0.05 + 1.9 * (np.arange(count) * ((np.sqrt(5) - 1) / 2) % 1.0), np.ones(count)
    if kind == "ones":
        return np.ones(count), np.ones(count)
    if kind == "gaussian":  # pairs lie next to each other in the stream, so a prefix stays a prefix
        return tuple(rounded(np.random.default_rng(SEED).standard_normal((count, 2)), "E4M3").T)
    raise ValueError(f"unknown kind '{kind}', expected one of golden, ones, gaussian")


def terms(kind, count):
    """Terms [1] to add, the products of `factors`."""
    a, b = factors(kind, count)
    return a * b


def spacing(value, accumulator):
    """Distance from |value| to the next larger value of the format [1], as in `floats`; of Hopper's register too.

    Raises ValueError for an unknown accumulator.
    """
    return floats.spacing(value, _format(accumulator))


def rounded(value, accumulator):
    """Nearest value of the format [1] as float64, ties to even, clipped: `floats`, with the errors of `spacing`."""
    return floats.rounded(value, _format(accumulator))


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class RunningSum:
    """Sums after each term in one accumulator; arrays of shape (count,) [1]."""

    accumulator: str
    terms: np.ndarray  # before any rounding
    partial: np.ndarray  # what the accumulator holds
    exact: np.ndarray  # sums of the unrounded terms in float64
    ignored: np.ndarray  # bool: the term is not zero but left the sum unchanged
    spacing: np.ndarray  # of the format at each partial; for Hopper, at its tensor-core register
    grid: np.ndarray | None = None  # what Hopper cuts each term to a multiple of

    @cached_property
    def final(self):
        """Sum after the last term [1]."""
        return float(self.partial[-1])

    @cached_property
    def error(self):
        """Distance of the final sum from the exact sum [%]; ZeroDivisionError if the latter is zero."""
        return 100.0 * abs(self.final - float(self.exact[-1])) / abs(float(self.exact[-1]))

    @cached_property
    def stuck_after(self):
        """Index of the last term that changed the sum, counted from 1; 0 if none did."""
        changed = np.flatnonzero(~self.ignored & (self.terms != 0))
        return int(changed[-1]) + 1 if changed.size else 0


def running_sum(terms, accumulator, promote="never", powers=None):
    """`RunningSum` of terms rounded to the format, each partial sum rounded to nearest, ties to even.

    "Hopper" is what its FP8 tensor cores do (`tensor_core`). Terms, in FP32 (which holds any product of FP8 numbers),
    enter 32 at once: one instruction. They and the accumulator are cut towards zero to 13 fraction bits of the
    greatest exponent among them and added exactly; the result is cut to 13 of its own (14 significant) bits.
    Every `promote` terms, and at the end, it is added to an FP32 total and restarts at 0. Within the 32,
    `partial` counts the cut terms in order, which hardware does not have. A term cut to zero is ignored.

    Parameters
    ----------
    terms : ndarray, shape (count,)
        Terms [1]. Raises ValueError unless one-dimensional, finite and at least one.
    accumulator : str
        Key of `ACCUMULATORS`. Raises ValueError for any other.
    promote : int, its decimal string or "never"
        Promotion interval [terms], for "Hopper". Raises ValueError unless a positive multiple of 32.
    powers : ndarray of int, shape (count,), optional
        For "Hopper", the exponents that the terms count as, if they are products; their own by default.
    """
    fmt, terms = _format(accumulator), np.asarray(terms, dtype=np.float64)
    if terms.ndim != 1 or not terms.size or not np.isfinite(terms).all():
        raise ValueError("terms must be a one-dimensional array of at least one finite number")
    interval = terms.size if promote == "never" else int(promote)
    if promote != "never" and (interval < 1 or interval % INSTRUCTION_TERMS):
        raise ValueError(f"promote must be 'never' or a positive multiple of 32, not {promote}")
    exact = np.cumsum(terms)
    if accumulator == "Hopper":
        products = rounded(terms, "FP32")
        powers = tensor_core.exponents(products) if powers is None else powers
        partial, kept, register, grid = _add_in_tensor_core(products, powers, interval)
        lost, step = kept == 0, spacing(register, accumulator)
        return RunningSum(accumulator, terms, partial, exact, lost & (terms != 0), step, grid)
    partial = _add_and_round(rounded(terms, accumulator), fmt.dtype, accumulator)
    lost, step = np.diff(partial, prepend=0.0) == 0, spacing(partial, accumulator)
    return RunningSum(accumulator, terms, partial, exact, lost & (terms != 0), step)


def _add_and_round(addends, dtype, accumulator):
    # The narrow types add in float32 and round again, which is harmless [2]_: 24 bits ≥ 2 · 11 + 2, FP16 being
    # the widest. Overflow shows as infinity or NaN and needs clipping, one addition at a time.
    with np.errstate(over="ignore", invalid="ignore"):
        partial = np.add.accumulate(addends.astype(dtype)).astype(np.float64)
    if not np.isfinite(partial).all():
        total = 0.0
        for i, addend in enumerate(addends):
            partial[i] = total = rounded(total + addend, accumulator)
    return partial


def _add_in_tensor_core(products, powers, interval):
    """Partial sums, cut terms, content of the tensor-core register and steps of the cut, each of shape (count,)."""
    partial, parts, register, grid = np.empty((4, products.size))
    total, held, largest = 0.0, 0.0, ACCUMULATORS["Hopper"].largest
    for start in range(0, products.size, INSTRUCTION_TERMS):
        now = slice(start, start + INSTRUCTION_TERMS)
        top = tensor_core.alignment(powers[now], held)
        parts[now] = tensor_core.cut(products[now], top, tensor_core.FP8.aligned)
        sums = tensor_core.cut(held, top, tensor_core.FP8.aligned) + np.cumsum(parts[now])
        sums[-1] = tensor_core.kept(sums[-1])
        register[now] = sums = np.clip(sums, -largest, largest)
        held, partial[now], grid[now] = sums[-1], total + sums, 2.0 ** (top - tensor_core.FP8.aligned)
        end = start + sums.size
        if end % interval == 0 or end == products.size:
            partial[end - 1] = total = rounded(total + held, "FP32")
            held = 0.0
    return partial, parts, register, grid


@cache  # 120 sums, of which every table shows six and every axis spans ten
def sum_of(kind, count, accumulator, promote="never"):
    """`running_sum` of `terms`; only "Hopper" promotes, and knows their factors."""
    a, b = factors(kind, count)
    if accumulator != "Hopper":
        return running_sum(a * b, accumulator)
    return running_sum(a * b, accumulator, promote, tensor_core.product_exponents(a, b, LEAST))


def table_rows(kind, count, promote="never"):
    """Rows [accumulator, mantissa_bits, final_sum, error %, format, stuck_after], one per accumulator."""
    runs = [(f, sum_of(kind, count, name, promote)) for name, f in ACCUMULATORS.items()]
    return [
        ["FP8" if f.bits == 8 else f.name, f.mantissa_bits, r.final, r.error, f"E{f.exponent_bits}M{f.mantissa_bits}",
         r.stuck_after] for f, r in runs
    ]  # fmt: skip


def values(run):
    """Results of a `RunningSum` by name: error [%], stuck_after and ignored [terms], the others [1]."""
    sums = {"sum": run.final, "exact": float(run.exact[-1]), "error": run.error}
    counts = {"stuck_after": run.stuck_after, "ignored": int(run.ignored.sum())}
    return sums | {"spacing": float(run.spacing[-1])} | counts


def _format(accumulator):
    if accumulator not in ACCUMULATORS:
        raise ValueError(f"unknown accumulator '{accumulator}', expected one of {', '.join(ACCUMULATORS)}")
    return ACCUMULATORS[accumulator]
