"""What promotion costs a library's FP8 product, and where its sums of ones stall with and without it."""

from __future__ import annotations

import json
import time
from functools import partial

import torch

from measurements.harness.timing import repetitions, seconds

SIDE = 8192
WIDE = 4096  # rows and columns of the ones: enough tiles that the library does not split their sums
REST = 0.1  # s
FAST = {"fast": True, "promoted": False}


def emit(series: str, at: dict[str, float | str], samples: list[float], checked: bool) -> None:
    """Print one sample."""
    print(json.dumps({"series": series, "at": at, "samples": samples, "checked": checked}), flush=True)


def product(a: torch.Tensor, b: torch.Tensor, one: torch.Tensor, fast: bool) -> torch.Tensor:
    """A times B, which holds its columns one after the other; both have the scale one."""
    return torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=fast)


def rates() -> None:
    """The two ways in turns, in short bursts with a rest before each: at a stretch the power limit sets the clock."""
    torch.manual_seed(1)
    a, b = (torch.randn(SIDE, SIDE, device="cuda").to(torch.float8_e4m3fn) for _ in range(2))
    exact, one = a[:64].float() @ b.float().t(), torch.ones((), device="cuda")
    checked = {}
    for name, fast in FAST.items():
        off = product(a, b.t(), one, fast)[:64].float() - exact
        checked[name] = bool(off.norm() / exact.norm() < 1e-2)
    samples: dict[str, list[float]] = {name: [] for name in FAST}
    for _ in range(repetitions(20)):
        for name, fast in FAST.items():
            torch.cuda.synchronize()
            time.sleep(REST)
            took = seconds(partial(product, a, b.t(), one, fast), wanted=1, calls=3)
            samples[name].append(2 * SIDE**3 / min(took))
    for name, found in samples.items():
        emit("rate", {"accumulation": name}, found, checked[name])


def ones() -> None:
    """Sums of ones, each of which must be the same in the whole product."""
    one = torch.ones((), device="cuda")
    for length in (4096, 16384, 32768, 65536):
        a = torch.ones(WIDE, length, device="cuda").to(torch.float8_e4m3fn)
        for name, fast in FAST.items():
            found = product(a, a.t(), one, fast).float()
            same = bool((found == found[0, 0]).all())
            emit("library_ones", {"length": length, "accumulation": name}, [found[0, 0].item()], same)


if __name__ == "__main__":
    rates()
    ones()
