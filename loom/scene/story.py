"""A scene's story: a sequence of phases, each of one or more chapters, and the beats within a chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from loom.expected import Checked, Mistaken, mistakes
from loom.hints import suggest


class Chapter(NamedTuple):
    """One step of a scene: the states of its beats, the last of which is the step's own, and when each is shown.

    `times` are seconds from the chapter's start, one for each state. A reader who changes a parameter stays in the
    chapter of the same `name`: that of a phase and its moment.
    """

    states: Sequence[Any]
    times: Sequence[float] = (0.0,)
    name: str = ""


def evenly(count: int, seconds: float, lead: float = 0.0, *, landed: bool = False) -> tuple[float, ...]:
    """The times of `count` beats that are spread evenly over some seconds.

    With a `lead`, they come behind one more beat that lasts so long: the picture before anything sets out. With
    `landed`, one more follows them: the picture when what set out in the last has come.
    """
    times = [lead + seconds * beat / count for beat in range(count)]
    end = [lead + seconds] if landed and times else []
    return (*([0.0] if lead else []), *times, *end)


def at_once(_: Any) -> tuple[float, ...]:
    """The times of a chapter without beats: it is one picture."""
    return (0.0,)


@dataclass(frozen=True)
class Phase(Checked):
    """A part of a scene's story: its name, and what is said in it.

    Parameters
    ----------
    name : str
        What `Moment.phase`, `Moment.since` and `Moment.past` call it.
    say : callable(moment) -> str
        One or two sentences about a step of this phase.
    moments : callable(result) -> iterable of int
        One whole number for each step of the phase: a pass, a tile, a chunk. By default the phase is one step; with an
        empty sequence it is left out.
    beats : callable(moment) -> iterable of float
        The times [s] of the step's pictures, which share its sentence; see `evenly`. The last of them is the step's
        picture where nothing plays.
    """

    name: str
    say: Callable[[Any], str]
    moments: Callable[[Any], Iterable[int]] = lambda _: (0,)
    beats: Callable[[Any], Iterable[float]] = at_once


@dataclass(frozen=True)
class Moment:
    """One picture of a story, as `draw` and `say` are given it.

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
    beat, beats : int
        At which beat of the step, from 0, and how many it has.
    """

    result: Any
    phases: tuple[Phase, ...]
    index: int
    at: int = 0
    beat: int = 0
    beats: int = 1

    @property
    def phase(self) -> str:
        return self.phases[self.index].name

    @property
    def progress(self) -> float:
        """How much of the chapter has happened, from just over 0 to 1; always 1 in a chapter without beats."""
        return (self.beat + 1) / self.beats

    def since(self, name: str) -> bool:
        """Whether the story has reached this phase, or is past it."""
        names = [phase.name for phase in self.phases]
        if name not in names:
            raise Mistaken((f"there is no phase '{name}'", suggest(str(name), names)))
        return self.index >= names.index(name)

    def past(self, name: str) -> float:
        """How much of a phase has happened: 0 before it, its progress within it, 1 after it."""
        if self.phase == name:
            return self.progress
        return float(self.since(name))


def say_phase(moment: Moment) -> str:
    """What the phase of a moment says."""
    return moment.phases[moment.index].say(moment)


def chapters(phases: tuple[Phase, ...], result: Any, most: int) -> Iterator[Chapter]:
    """The steps of a story in order. Of more than `most` beats, `most` + 1 are kept, and reported later."""
    for index, phase in enumerate(phases):
        for at in _given(phase, "moments", phase.moments(result), Iterable[int]):
            yield _chapter(Moment(result, phases, index, at), phase, most)


def _chapter(moment: Moment, phase: Phase, most: int) -> Chapter:
    times = tuple(islice(_given(phase, "beats", phase.beats(moment), Iterable[float]), most + 1)) or (0.0,)
    beats = [replace(moment, beat=beat, beats=len(times)) for beat in range(len(times))]
    return Chapter(beats, times, f"{phase.name} {moment.at}" if moment.at else phase.name)


def bounded(given: Iterable[Any], most: int) -> list[Chapter]:
    """Each state or chapter as a chapter; reading stops after more than `most` pictures: the iterator may never end."""
    found: list[Chapter] = []
    for one in given:
        found.append(one if isinstance(one, Chapter) else Chapter((one,)))
        most -= pictures(found[-1])
        if most < 0:
            break
    return found


def pictures(chapter: Chapter) -> int:
    """The number of pictures of a chapter: one for each beat, and 1 if its states are wrong or missing."""
    return max(1, len(chapter.states)) if isinstance(chapter.states, Sized) else 1


def _given(phase: Phase, what: str, found: Any, annotation: Any) -> Any:
    if wrong := mistakes(f"what '{what}' of the phase '{phase.name}' gives", found, annotation):
        raise Mistaken(*wrong)
    return found
