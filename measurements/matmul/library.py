"""The upper rungs: Triton's tiles and cuBLAS; then Triton's stages, sides off the grid, and data that matter."""

from __future__ import annotations

import time
from functools import partial

import torch
from triton.runtime.errors import OutOfResources

from measurements.harness.gpu import watching
from measurements.harness.pytorch import Call, demand_close, emit, rates
from measurements.harness.timing import repetitions, seconds
from measurements.matmul.kernels import multiply

SIDE, LARGE = 4096, 8192
TILES = ((64, 64), (128, 128), (128, 256))
STAGES = range(1, 7)
REST = 0.01  # [s] before each repetition: at full load the power limit would slow down what is measured
OFF_GRID = (4095, 4096, 4097, 4100, 4104)
ROUNDING = 5e-3  # of a result in BF16
NARROW = {"dtype": torch.bfloat16, "device": "cuda"}


def operations(side: int) -> float:
    """Multiplications and additions."""
    return 2.0 * side**3


def rested(call: Call, calls: int = 20) -> list[float]:
    """Seconds of one call: a rest, calls to get going again, and at once as many that are timed."""

    def before() -> None:
        time.sleep(REST)
        for _ in range(calls):
            call()

    return seconds(call, calls=calls, before=before)


def triton_rungs() -> None:
    """Every tile with every number of stages that fits into shared memory; with four, it is a rung."""
    a, b = torch.randn(SIDE, SIDE, **NARROW), torch.randn(SIDE, SIDE, **NARROW)
    wanted = a.double() @ b.double()
    calls = {}
    for tile in TILES:
        for stages in STAGES:
            c = torch.full((SIDE, SIDE), torch.nan, **NARROW)
            call = partial(multiply, a, b, c, tile, stages)
            try:
                call()
            except OutOfResources:
                continue
            demand_close(f"Triton {tile}, {stages} stages", c, wanted, ROUNDING)
            calls[tile, stages] = call
    for (tile, stages), call in calls.items():
        name, times = f"{tile[0]}x{tile[1]}", rested(call)
        emit("stages", rates(operations(SIDE), times), tile=name, stages=stages)
        if stages == 4 and tile != TILES[0]:
            emit("speed", rates(operations(SIDE), times), rung=f"Triton {name}")


def library_rungs() -> None:
    """NVIDIA's own, in three formats."""
    a, b = torch.randn(SIDE, SIDE, device="cuda"), torch.randn(SIDE, SIDE, device="cuda")
    for name, tolerance in (("fp32", 3e-5), ("tf32", 2e-3), ("bf16", ROUNDING)):
        torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
        left, right = (a.bfloat16(), b.bfloat16()) if name == "bf16" else (a, b)
        demand_close(f"cuBLAS {name}", left @ right, left.double() @ right.double(), tolerance)
        out = torch.empty_like(left)
        times = rested(partial(torch.mm, left, right, out=out))
        emit("speed", rates(operations(SIDE), times), rung=f"cuBLAS {name}")


def off_grid() -> None:
    """Sides that no tile divides, and rows that don't begin at a multiple of 16 bytes."""
    calls = {}
    for side in OFF_GRID:
        a, b = torch.randn(side, side, **NARROW), torch.randn(side, side, **NARROW)
        demand_close(f"cuBLAS at {side}", a @ b, a.double() @ b.double(), ROUNDING)
        calls[side] = partial(torch.mm, a, b, out=torch.empty_like(a))
    for side, call in calls.items():
        emit("off_grid", rates(operations(side), rested(call)), side=side)


def sustained(call: Call, duration: float) -> tuple[list[float], list[float], list[float]]:
    """Rates, clocks and power in the last second of products without a pause; before, they fall to what they keep."""
    batches = []
    with watching(0.05) as seen:
        begun = time.monotonic()
        while time.monotonic() - begun < duration:
            before = time.monotonic()
            for _ in range(32):
                call()
            torch.cuda.synchronize()
            batches.append((time.monotonic() - begun, 32 / (time.monotonic() - before)))
    kept = seen.states[-12:]  # the driver averages power over a second
    speeds = [operations(LARGE) * each for at, each in batches if at > duration - 1]
    return speeds, [state.sm for state in kept], [state.power for state in kept]


def data_matter() -> None:
    """The same product of numbers drawn by lot, of zeros, of ones: in short bursts, then each for seconds."""
    fills = {"normal": torch.randn, "zeros": torch.zeros, "ones": torch.ones}
    calls = {}
    for name, fill in fills.items():
        a, b = fill(LARGE, LARGE, **NARROW), fill(LARGE, LARGE, **NARROW)
        out = torch.full((LARGE, LARGE), torch.nan, **NARROW)
        calls[name] = partial(torch.mm, a, b, out=out)
        calls[name]()
        wanted = a[:64].double() @ b.double()
        if name == "zeros":
            demand_close(name, out + 1, torch.ones_like(out), 1e-9)
        else:
            demand_close(name, out[:64], wanted, ROUNDING)
    for name, call in calls.items():
        emit("burst", rates(operations(LARGE), rested(call, 3)), data=name)
    duration = 1.0 if repetitions() < 20 else 2.0
    for name, call in calls.items():
        speeds, clocks, power = sustained(call, duration)
        emit("sustained", speeds, data=name)
        if power:  # nvidia-smi may have been too slow
            emit("clock", clocks, data=name)
            emit("power", power, data=name)


if __name__ == "__main__":
    triton_rungs()
    library_rungs()
    off_grid()
    data_matter()
