"""The four steps of the story, and what each of them needs."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Load, over_strides

ASK, FETCH, COUNT, CURVE = range(4)


@dataclass(frozen=True)
class State:
    """One load, how far its story has come, and the same load at every stride."""

    load: Load
    step: int
    curve: tuple[Load, ...]
    aligned: tuple[Load, ...]  # the curve from offset 0, to compare with


def steps(pattern: str, element: int, stride: int, offset: int) -> list[State]:
    """The four steps for one choice of the reader."""
    load, curve, aligned = (
        Load(pattern, element, stride, offset),
        over_strides(element, offset),
        over_strides(element, 0),
    )
    return [State(load, step, curve, aligned) for step in (ASK, FETCH, COUNT, CURVE)]
