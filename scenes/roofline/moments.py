"""The four steps of the story, and what each of them needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .machines import GPUS, Gpu
from .model import Case, case

SLOPE, CEILING, INTENSITY, MEET = range(4)


@dataclass(frozen=True)
class State:
    """One choice of the reader, and how far its story has come."""

    name: str  # of the GPU
    precision: str
    kernel: str
    step: int

    @property
    def gpu(self) -> Gpu:
        return GPUS[self.name]

    @cached_property
    def case(self) -> Case:
        return case(self.name, self.precision, self.kernel)

    @property
    def computes_in(self) -> str:
        """The precision whose rate is the ceiling: a wider one where the GPU lacks the one chosen."""
        return self.gpu.computes_in(self.precision)

    @property
    def falls_back(self) -> bool:
        return self.computes_in != self.precision


def steps(gpu: str, precision: str, kernel: str) -> list[State]:
    """The four steps for one choice of the reader."""
    return [State(gpu, precision, kernel, step) for step in (SLOPE, CEILING, INTENSITY, MEET)]
