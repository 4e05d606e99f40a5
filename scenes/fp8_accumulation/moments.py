"""Choose the few additions of a long sum that a reader should see, and what each of them did."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from .model import INSTRUCTION_TERMS, RunningSum, rounded, running_sum, spacing, terms

INTERVALS = (32, 64, 128, 256)  # terms between promotions
STEPS = 13  # the same for every choice, so that a change of parameters keeps the step
DOUBLINGS = 4  # of the spacing that are shown, the last ones: the first happen within a few terms


@dataclass(frozen=True, eq=False)
class Story:
    """One sum from its first to its last term, and the additions to look at."""

    kind: str
    run: RunningSum
    interval: int  # terms between promotions; all of them where there are none

    @property
    def count(self) -> int:
        return self.run.terms.size

    @property
    def name(self) -> str:
        return self.run.accumulator

    @property
    def cuts(self) -> bool:
        """Whether terms are cut towards zero in groups, as on Hopper, and not rounded to nearest one by one."""
        return self.name == "Hopper"

    @property
    def promotes(self) -> bool:
        return self.interval < self.count

    @property
    def stalls(self) -> bool:
        """Whether no term changes the sum any more from well before the end on."""
        return self.kind != "gaussian" and 1 < self.run.stuck_after < 0.95 * self.count

    @cached_property
    def total(self) -> np.ndarray:
        """What had been promoted before each term; 0 where nothing is."""
        start = np.arange(self.count) // self.interval * self.interval
        return np.append(0.0, self.run.partial)[start]

    @cached_property
    def before(self) -> np.ndarray:
        """What the accumulator holds before each term."""
        return np.append(0.0, self.run.partial[:-1]) - self.total

    @cached_property
    def addends(self) -> np.ndarray:
        """The terms in the format that they are added in."""
        return rounded(self.run.terms, "FP32" if self.cuts else self.name)

    @cached_property
    def moments(self) -> list[int]:
        """The terms to look at, counted from 0: those where something happens first, then evenly spread ones."""
        first, last = 0, self.count - 1
        wanted = {first, last, *self.doublings}
        ignored = np.flatnonzero(self.run.ignored)
        wanted |= set(ignored[:1].tolist())
        if self.stalls:
            wanted |= {self.run.stuck_after - 1, self.run.stuck_after}
        if self.promotes:
            wanted |= {self.interval - 1, self.interval, self.count - self.interval + INSTRUCTION_TERMS // 2}
        places = sorted(wanted)
        while len(places) < STEPS:  # where a gap is longest, its parts are to be as even as they can
            places = _with_one_more(places, wanted)
        return places

    @cached_property
    def doublings(self) -> set[int]:
        """The first term to meet each new size of the sum."""
        size = np.maximum.accumulate(np.abs(self.before))
        exponent = np.frexp(np.maximum(size, 0.25))[1]
        return set((np.flatnonzero(np.diff(exponent)) + 1)[-DOUBLINGS:].tolist())

    @cached_property
    def states(self) -> list[State]:
        return [State(self, at, number) for number, at in enumerate(self.moments)]


def _with_one_more(places: list[int], fixed: set[int]) -> list[int]:
    """One more place than before, the fixed ones among them, the others evenly between those."""
    knots = sorted(fixed)
    gaps = list(pairwise(knots))
    inside = [sum(low < place < high for place in places) for low, high in gaps]
    inside[int(np.argmax([(high - low) / (count + 1) for (low, high), count in zip(gaps, inside, strict=True)]))] += 1
    between = [
        np.linspace(*gap, count + 2).round().astype(int).tolist() for gap, count in zip(gaps, inside, strict=True)
    ]
    return sorted({place for part in between for place in part})


@dataclass(frozen=True, eq=False)
class State:
    """One addition: what the accumulator held, the term, and what it holds now."""

    story: Story
    at: int  # the term, counted from 0
    number: int  # the step, counted from 0

    @property
    def run(self) -> RunningSum:
        return self.story.run

    @property
    def last(self) -> bool:
        return self.at == self.story.count - 1

    @cached_property
    def before(self) -> float:
        return float(self.story.before[self.at])

    @cached_property
    def term(self) -> float:
        """The term as it is added: rounded to the format."""
        return float(self.story.addends[self.at])

    @property
    def reached(self) -> float:
        """Where the sum would be without rounding."""
        return self.before + self.term

    @property
    def after(self) -> float:
        return float(self.run.partial[self.at] - self.story.total[self.at])

    @property
    def sum(self) -> float:
        return float(self.run.partial[self.at])

    @property
    def exact(self) -> float:
        return float(self.run.exact[self.at])

    @property
    def lost(self) -> bool:
        return bool(self.run.ignored[self.at])

    @property
    def lost_so_far(self) -> int:
        return int(self.run.ignored[: self.at + 1].sum())

    @cached_property
    def step_up(self) -> float:
        """Distance to the next larger number that the accumulator can hold."""
        return self._step(self.before >= 0)

    @cached_property
    def step_down(self) -> float:
        return self._step(self.before <= 0)

    @property
    def step(self) -> float:
        """Distance to the next number in the direction of the term."""
        return self.step_up if self.term >= 0 else self.step_down

    def _step(self, outwards: bool) -> float:
        if self.story.cuts:
            start = self.at // INSTRUCTION_TERMS * INSTRUCTION_TERMS
            group = self.story.addends[start : start + INSTRUCTION_TERMS]
            return float(spacing(max(abs(self.story.before[start]), np.abs(group).max()), self.story.name))
        # Towards zero the spacing may be that of the binade below.
        return float(spacing(self.before if outwards else self.before * (1 - 2.0**-30), self.story.name))

    @property
    def register(self) -> float:
        """What stays in the accumulator: nothing, once it is handed over."""
        return 0.0 if self.promoted else self.after

    @property
    def promoted(self) -> bool:
        """Whether the accumulator is handed over to the FP32 total after this term."""
        return self.story.promotes and ((self.at + 1) % self.story.interval == 0 or self.last)


@lru_cache(maxsize=32)
def story(accumulator: str, promote: int | str, kind: str, terms_: int) -> Story:
    """The story of one choice of parameters; kept, because steps, values and table ask for it in turn."""
    interval = terms_ if promote == "never" or accumulator != "Hopper" else int(promote)
    return Story(kind, running_sum(terms(kind, terms_), accumulator, promote), interval)
