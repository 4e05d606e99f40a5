"""Choose the few additions of a long sum that a reader should see, and what each of them did."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from loom.scene import Chapter, evenly

from .model import INSTRUCTION_TERMS, RunningSum, rounded, spacing, sum_of

CHOICES = ("E4M3", "E5M2", "FP16", "BF16", "FP32", "Hopper")  # of accumulators
INTERVALS = (32, 64, 128, 256)  # terms between promotions
LOOKED_AT = 12  # additions, the same number for every choice
CHAPTERS = ("first", "grows", "turn", "end")
PACE = 0.55  # from one addition to the next [s]
RUNGS, TERM, KEPT = range(3)  # of an addition, what can be held, then what is added, then what is kept
ADDS = (0.0, 0.7, 1.7)  # when each of these is seen in the chapter that is about one addition [s]
DOUBLINGS = 4  # of the spacing that are shown, the last ones: the first happen within a few terms


@dataclass(frozen=True, eq=False)
class Story:
    """One sum from its first to its last term, and the additions to look at."""

    kind: str
    run: RunningSum
    promote: int | str  # terms between promotions, or "never"

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
    def interval(self) -> int:
        """Terms between promotions; all of them where there are none."""
        return int(self.promote) if self.cuts and self.promote != "never" else self.count

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
        wanted = {0, self.count - 1, *self.doublings, *np.flatnonzero(self.run.ignored)[:1].tolist()}
        if self.stalls:
            wanted |= {self.run.stuck_after - 1, self.run.stuck_after}
        if self.promotes:
            wanted |= {self.interval - 1, self.interval, self.count - self.interval + INSTRUCTION_TERMS // 2}
        knots = sorted(wanted)
        gaps = list(pairwise(knots))
        inside, places = [0] * len(gaps), knots  # where a gap is longest, its parts are to be as even as they can
        while len(places) < LOOKED_AT:
            parts = [(high - low) / (more + 1) for (low, high), more in zip(gaps, inside, strict=True)]
            inside[int(np.argmax(parts))] += 1
            spread = [np.linspace(*gap, more + 2).round() for gap, more in zip(gaps, inside, strict=True)]
            places = np.unique(np.concatenate(spread)).astype(int).tolist()
        return places

    @cached_property
    def doublings(self) -> set[int]:
        """The first term to meet each new size of the sum."""
        size = np.maximum.accumulate(np.abs(self.before))
        exponent = np.frexp(np.maximum(size, 0.25))[1]
        return set((np.flatnonzero(np.diff(exponent)) + 1)[-DOUBLINGS:].tolist())

    @cached_property
    def states(self) -> list[State]:
        return [self.state_at(at, number) for number, at in enumerate(self.moments)]

    @cached_property
    def turn(self) -> int:
        """Which state tells most: the first term of a sum that is stuck, a first promotion, or the first loss."""
        lost = np.flatnonzero(self.run.ignored)
        if self.stalls:
            found = self.run.stuck_after
        elif self.promotes:
            found = self.interval - 1
        else:
            found = int(lost[0]) if lost.size else 0
        number = self.moments.index(found) if found in self.moments else 0
        return number if 1 < number < LOOKED_AT - 1 else LOOKED_AT // 2

    @cached_property
    def chapters(self) -> list[Chapter]:
        """The first term, what follows until something happens, that part by part, and the rest: most passes by."""
        ends, start, found = (0, self.turn - 1, self.turn, LOOKED_AT - 1), 0, []
        for name, end in zip(CHAPTERS, ends, strict=True):
            passing = [replace(state, passing=True) for state in self.states[start:end]]
            parts = [replace(self.states[end], shows=shows) for shows in (RUNGS, TERM) if name == "turn"]
            times = ADDS if parts else evenly(len(passing) + 1, PACE * (len(passing) + 1))
            found.append(Chapter([*passing, *parts, self.states[end]], times, name))
            start = end + 1
        return found

    def state_at(self, at: int, number: int) -> State:
        run, before = self.run, float(self.before[at])
        total = float(run.partial[at])
        lost_so_far = int(np.count_nonzero(run.ignored[: at + 1]))
        return State(self, at, number, before, float(self.addends[at]), float(total - self.total[at]), total,
                     float(run.exact[at]), bool(run.ignored[at]), lost_so_far,
                     self._step(at, before, before >= 0), self._step(at, before, before <= 0))  # fmt: skip

    def _step(self, at: int, before: float, outwards: bool) -> float:
        """Distance from what the accumulator holds to its next number, away from zero or towards it."""
        if self.cuts:
            return float(self.run.grid[at])
        # Towards zero the spacing may be that of the binade below.
        return float(spacing(before if outwards else before * (1 - 2.0**-30), self.name))

    @cached_property
    def window(self) -> tuple[float, float]:
        """How far the zoom reaches below and above the sum: the same for all steps, so that rungs move apart."""
        states = self.states
        up = max(max(state.term, min(state.step_up, 8 * abs(state.term))) for state in states)
        down = max(max(-state.term, min(state.step_down, 8 * abs(state.term))) for state in states)
        return 1.12 * max(down, 0.3 * up), 1.15 * up


@dataclass(frozen=True, eq=False)
class State:
    """One addition: what the accumulator held, the term, and what it holds now."""

    story: Story
    at: int  # the term, counted from 0
    number: int  # the step, counted from 0
    before: float
    term: float  # as it is added: rounded to the format
    after: float
    sum: float
    exact: float
    lost: bool
    lost_so_far: int
    step_up: float  # distance to the next larger number that the accumulator can hold
    step_down: float
    passing: bool = False  # a beat on the way to another addition, without words
    shows: int = KEPT

    @property
    def last(self) -> bool:
        return self.at == self.story.count - 1

    @property
    def reached(self) -> float:
        """Where the sum would be without rounding."""
        return self.before + self.term

    @property
    def step(self) -> float:
        """Distance to the next number in the direction of the term."""
        return self.step_up if self.term >= 0 else self.step_down

    @property
    def promoted(self) -> bool:
        """Whether the accumulator is handed over to the FP32 total after this term."""
        return self.story.promotes and ((self.at + 1) % self.story.interval == 0 or self.last)

    @property
    def register(self) -> float:
        """What stays in the accumulator: nothing, once it is handed over."""
        return 0.0 if self.promoted else self.after


def story(accumulator: str, promote: int | str, kind: str, terms: int) -> Story:
    """The story of one choice of parameters."""
    return Story(kind, sum_of(kind, terms, accumulator, promote), promote)
