"""What the reader has chosen: the requests, a policy and a load, with the eight requests and the stream served so."""

from __future__ import annotations

from dataclasses import dataclass

from .model import CONTINUOUS, EIGHT, MEAN, POLICIES, SLOTS, STATIC, Schedule
from .queueing import limit, mean_wait, shown

NAMES = "ABCDEFGH"  # of the eight
FEW, STREAM = "eight", "stream"  # which requests are looked at


@dataclass(frozen=True)
class Case:
    """One choice. The load [%] is that of the stream; the eight requests are always the same."""

    policy: str
    load: int
    traffic: str = FEW

    @property
    def eight(self) -> Schedule:
        return Schedule(POLICIES[self.policy](EIGHT))

    @property
    def other(self) -> str:
        """The policy that is not chosen."""
        return STATIC if self.policy == CONTINUOUS else CONTINUOUS

    @property
    def contrast(self) -> Schedule:
        """The eight requests as the other policy serves them."""
        return Schedule(POLICIES[self.other](EIGHT))

    @property
    def stream(self) -> Schedule:
        return shown(self.policy, self.load)

    @property
    def limit(self) -> float:
        """The load from which on the queue grows for ever [%]."""
        return limit(self.policy)

    @property
    def endless(self) -> bool:
        """Whether more arrives than this policy ever gets done."""
        return self.load >= self.limit

    @property
    def rate(self) -> float:
        """Requests that arrive in a step."""
        return self.load / 100 * SLOTS / MEAN

    @property
    def wait(self) -> float:
        """The mean wait for a slot [steps]: in the long run, or, if there is no end to it, of the requests shown."""
        return self.stream.wait if self.endless else mean_wait(self.policy, self.load)

    @property
    def present(self) -> float:
        """Requests that wait or have a slot, on average, by Little's law: their rate times how long they stay."""
        return self.rate * (self.wait + MEAN)

    @property
    def growth(self) -> float:
        """By how many requests the queue grows in 1,000 steps."""
        return 1000 * (self.load - self.limit) / 100 * SLOTS / MEAN if self.endless else 0.0
