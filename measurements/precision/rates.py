"""Products of large square matrices in every format that this GPU's tensor cores take."""

from __future__ import annotations

from functools import partial
from time import sleep

import torch

from measurements.harness.pytorch import Call, demand_close, emit, rates
from measurements.harness.timing import seconds

SIDE = 8192
REST = 0.05  # [s] before each repetition: at full load the power limit would slow down what is measured
BURST = 3  # calls
CHECKED = 256  # rows of the result that are compared with double precision


def drawn() -> torch.Tensor:
    """Normal numbers."""
    return torch.randn(SIDE, SIDE, device="cuda")


def plain(dtype: torch.dtype, tf32: bool, tolerance: float) -> Call:
    """A product whose factors and result have the same format."""
    a, b = drawn().to(dtype), drawn().to(dtype)
    out = torch.full_like(a, torch.nan)

    def call() -> None:
        torch.backends.cuda.matmul.allow_tf32 = tf32
        torch.mm(a, b, out=out)

    call()
    demand_close(f"{dtype}, tf32 {tf32}", out[:CHECKED], a[:CHECKED].double() @ b.double(), tolerance)
    return call


def eight_bits(fast: bool) -> Call:
    """E4M3; sums stay in the tensor cores if it is to be fast, and are promoted to float32 again and again if not."""
    a, b = drawn().to(torch.float8_e4m3fn), drawn().to(torch.float8_e4m3fn)
    one = torch.ones((), device="cuda")
    call = partial(
        torch._scaled_mm, a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=fast
    )  # fmt: skip
    wanted = a[:CHECKED].double() @ b.t().double()
    demand_close(f"fp8, fast {fast}", call()[:CHECKED], wanted, 1e-2)
    return call


def integers() -> Call:
    """Whole numbers of eight bits, summed in 32."""
    a, b = (torch.randint(-128, 128, (SIDE, SIDE), dtype=torch.int8, device="cuda") for _ in range(2))
    call = partial(torch._int_mm, a, b.t())
    wanted = a[:CHECKED].double() @ b.t().double()
    demand_close("int8", call()[:CHECKED], wanted, 1e-12)
    return call


def get_going(call: Call) -> None:
    """A rest, and calls that aren't timed: neither the host nor the GPU is at full speed at once."""
    sleep(REST)
    for _ in range(BURST):
        call()


if __name__ == "__main__":
    calls = {
        "fp32": plain(torch.float32, False, 3e-5),
        "tf32": plain(torch.float32, True, 2e-3),
        "bf16": plain(torch.bfloat16, False, 5e-3),
        "fp16": plain(torch.float16, False, 2e-3),
        "fp8": eight_bits(True),
        "fp8 promoted": eight_bits(False),
        "int8": integers(),
    }
    for name, call in calls.items():
        times = seconds(call, calls=BURST, before=partial(get_going, call))
        emit("rate", rates(2.0 * SIDE**3, times), format=name)
