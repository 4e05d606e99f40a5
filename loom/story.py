"""A scene's story: phases that follow one another, each of them some steps long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from loom.errors import suggest
from loom.expected import Checked, Mistaken, mistakes


@dataclass(frozen=True)
class Phase(Checked):
    """A part of a scene's story: its name, and what is said in it.

    Parameters
    ----------
    name : str
        What `Moment.phase` and `Moment.since` call it.
    say : callable(moment) -> str
        One or two sentences about a step of this phase.
    moments : callable(result) -> iterable of int
        One whole number for each step that the phase takes: a pass, a tile, a chunk. Without it the phase is one step;
        with an empty sequence it is left out.
    """

    name: str
    say: Callable[[Any], str]
    moments: Callable[[Any], Iterable[int]] = lambda _: (0,)


@dataclass(frozen=True)
class Moment:
    """One step of a story, as `draw` and `say` are given it.

    Attributes
    ----------
    result : object
        What `solve` gave.
    phases : tuple of Phase
        The whole story.
    index : int
        Which of the phases the story is in, from 0.
    at : int
        At which of the phase's moments.
    """

    result: Any
    phases: tuple[Phase, ...]
    index: int
    at: int = 0

    @property
    def phase(self) -> str:
        return self.phases[self.index].name

    def since(self, name: str) -> bool:
        """Whether the story has come to this phase, or past it."""
        names = [phase.name for phase in self.phases]
        if name not in names:
            raise Mistaken((f"there is no phase '{name}'", suggest(str(name), names)))
        return self.index >= names.index(name)


def say_phase(moment: Moment) -> str:
    """What the phase of a moment says."""
    return moment.phases[moment.index].say(moment)


def moments(phases: tuple[Phase, ...], result: Any) -> list[Moment]:
    """The steps of a story."""
    return [Moment(result, phases, index, at) for index, phase in enumerate(phases) for at in _moments(phase, result)]


def _moments(phase: Phase, result: Any) -> Iterable[int]:
    found = phase.moments(result)
    if wrong := mistakes(f"what 'moments' of the phase '{phase.name}' gives", found, Iterable[int]):
        raise Mistaken(*wrong)
    return found
