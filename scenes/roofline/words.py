"""Rates, intensities, times and counts as the reader reads them."""

from __future__ import annotations

from loom.draw import plain, quantity

from .kernels import ELEMENTS, HEAD_DIM, HEADS, SIDE, TOKENS
from .machines import ELEMENT_BYTES, GIGA, GPUS, TERA
from .moments import State


def bandwidth(value: float) -> str:
    return f"{plain(value / GIGA, 4)}\u00a0GB/s"


def rate(value: float, digits: int = 4, unit: str = "\u00a0TFLOP/s") -> str:
    return f"{plain(float(f'{value / TERA:.{digits}g}'), digits)}{unit}"


def peak(value: float, unit: str = "\u00a0TFLOP/s") -> str:
    """As data sheets print it: 989.4, 2,250."""
    return f"{value / TERA:,.1f}".removesuffix(".0") + unit


def short(kernel: str) -> str:
    """The name at a dot."""
    return {"elementwise": "add"}.get(kernel, kernel)


def digits_of(intensity: float) -> int:
    """Significant digits that leave one decimal from 10 on; three below."""
    return max(3, len(str(int(intensity))) + 1)


def ratio(intensity: float, unit: str = "\u00a0FLOP/B") -> str:
    """An intensity; a hair off a whole number still shows its decimals."""
    if intensity == 0:
        return f"0{unit}"
    digits = 3 if intensity < 10 else 1
    text = f"{intensity:,.1f}" if digits == 1 else f"{intensity:#.3g}"
    return f"{text}{unit}"


def share(percent: float) -> str:
    return f"{plain(float(f'{percent:.3g}'), 3)}%"


def time(seconds: float) -> str:
    return quantity(seconds, "s") if seconds else "0\u00a0s"


def flops(value: float) -> str:
    return quantity(value, "FLOP") if value else "0\u00a0FLOP"


def size(value: float) -> str:
    return quantity(value, "B")


def element(precision: str) -> str:
    """The size of an element: 2 B, ½ B."""
    width = ELEMENT_BYTES[precision]
    return f"{width:g}\u00a0B"


def sums(state: State) -> tuple[str, str]:
    """How the FLOPs and the bytes of the kernel come about."""
    kernel, b = state.kernel, element(state.precision)
    if kernel == "copy":
        return "no arithmetic", f"2 × {ELEMENTS:,} × {b}"
    if kernel == "elementwise":
        return f"1 × {ELEMENTS:,}", f"3 × {ELEMENTS:,} × {b}"
    if kernel == "gemv":
        return f"2 × {SIDE:,} × {SIDE:,}", f"({SIDE:,} + 2) × {SIDE:,} × {b}"
    if kernel == "prefill":
        return (
            f"2 × {HEADS} × {HEAD_DIM} × {TOKENS:,} × {TOKENS + 1:,}",
            f"4 × {HEADS} × {HEAD_DIM} × {TOKENS:,} × {b}",
        )
    if kernel == "decode":
        return f"4 × {HEADS} × {HEAD_DIM} × {TOKENS:,}", f"2 × {HEADS} × {HEAD_DIM} × {TOKENS + 1:,} × {b}"
    side = f"{int(kernel.removeprefix('gemm-')):,}"
    return f"2 × {side} × {side} × {side}", f"3 × {side} × {side} × {b}"


def lacking(precision: str) -> str:
    """Which GPUs have no rate for the precision, and what their roofs are then; empty if all have."""
    groups: dict[str, list[str]] = {}
    for gpu in GPUS.values():
        groups.setdefault(gpu.computes_in(precision), []).append(gpu.name)
    groups.pop(precision)
    parts = [f"{', '.join(names)} in {used}" for used, names in groups.items()]
    return f"No {precision}; drawn instead: {'; '.join(parts)}" if parts else ""
