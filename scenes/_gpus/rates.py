"""Four GPUs: how much memory they have, how fast it is, and how fast they compute in each precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

GIGA, TERA = 10**9, 10**12

PRECISIONS = ("FP32", "BF16", "FP8", "FP4")
ELEMENT_BYTES = {"FP32": 4.0, "BF16": 2.0, "FP8": 1.0, "FP4": 0.5}  # without scale factors


@dataclass(frozen=True)
class Gpu:
    """One part. Rates are dense: twice as much is advertised for matrices of which half is zero."""

    name: str
    part: str
    capacity: int  # [B], of the HBM
    bandwidth: float  # [B/s], of the HBM
    rates: Mapping[str, float]  # [FLOP/s], of the precisions that it computes in

    def peak(self, precision: str) -> float:
        """The dense peak rate at which numbers of `precision` are computed with [FLOP/s]."""
        return self.rates[self.computes_in(precision)]

    def computes_in(self, precision: str) -> str:
        """The precision itself, or the narrowest wider one that this GPU has a rate for.

        An A100 computes in BF16 where FP8 is asked for: it widens the numbers before it multiplies them. The rate of
        FP32 is that of the ordinary cores, the others are those of tensor cores.
        """
        if precision not in PRECISIONS:
            raise ValueError(f"precision is one of {PRECISIONS}, not {precision!r}")
        wider = PRECISIONS[: PRECISIONS.index(precision) + 1]
        return next(one for one in reversed(wider) if one in self.rates)


def _rates(*teraflops: float) -> Mapping[str, float]:
    """Rates in the order of `PRECISIONS`, given in TFLOP/s; where the list ends, there are no more."""
    return {name: rate * TERA for name, rate in zip(PRECISIONS, teraflops, strict=False)}


# Bandwidth of the A100 and H100: bus width x clock. H200 and B200: NVIDIA's data sheets, the B200 as an HGX board has
# it. Peaks: SMs x FMA per clock x 2 x clock of the white papers, and the HGX sheet.
GPUS = {
    gpu.name: gpu
    for gpu in (
        Gpu("A100", "A100 SXM 80 GB", 80 * GIGA, 2039 * GIGA, _rates(19.5, 312)),
        Gpu("H100", "H100 SXM", 80 * GIGA, 3352 * GIGA, _rates(66.9, 989.4, 1978.9)),
        Gpu("H200", "H200 SXM", 141 * GIGA, 4800 * GIGA, _rates(66.9, 989.4, 1978.9)),
        Gpu("B200", "B200 (HGX)", 180 * GIGA, 7700 * GIGA, _rates(75, 2250, 4500, 9000)),
    )
}
