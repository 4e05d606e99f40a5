"""A scene's story: phases that follow one another, each of them some steps long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Phase:
    """A part of a scene's story: its name, and what is said in it.

    `moments` gives, for a result, one whole number for each step that the phase takes: a pass, a tile, a chunk.
    Without it the phase is one step; with an empty sequence it is left out.
    """

    name: str
    say: Callable[[Any], str]
    moments: Callable[[Any], Iterable[int]] = lambda _: (0,)


@dataclass(frozen=True)
class Moment:
    """One step of a story: what `solve` gave, in which phase the story is, and at which of the phase's moments."""

    result: Any
    phases: tuple[Phase, ...]
    index: int  # of the phase
    at: int = 0

    @property
    def phase(self) -> str:
        return self.phases[self.index].name

    def since(self, name: str) -> bool:
        """Whether the story has come to this phase, or past it."""
        return self.index >= next(at for at, phase in enumerate(self.phases) if phase.name == name)


def say_phase(moment: Moment) -> str:
    """What the phase of a moment says."""
    return moment.phases[moment.index].say(moment)


def moments(phases: tuple[Phase, ...], result: Any) -> Iterator[Moment]:
    """The steps of a story."""
    return (Moment(result, phases, index, at) for index, phase in enumerate(phases) for at in phase.moments(result))
