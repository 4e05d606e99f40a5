"""Where things stand: the tree along its tokens, the requests in their order, and the rate over one parameter."""

from __future__ import annotations

from functools import cache, cached_property

from loom.draw import Axis, Box, Pen, Plot

from .case import CAPACITIES, LAST_PLACE, Case
from .workloads import AGENT, CHAT, CHATS


class Stage:
    """The geometry of one case. Position along the tree is the place of a token in its prompt."""

    def __init__(self, width: float, case: Case) -> None:
        self.pen, self.case = Pen(width), case
        pen, work = self.pen, case.cache.workload
        self.branches = work.branches
        self.root = work.shared // case.block * case.block if self.branches > 1 else 0  # tokens that are shared
        # Where branches part, their names stand between them and what they share; else before them, if there are any.
        left, joint = (2.0, pen.pick(30, 76)) if self.root else (pen.pick(20, 74) if self.named else 2.0, 0)
        self.tree = pen.pick(Box(left, 62, 326 - left, 72), Box(left, 84, 838 - left, 120))
        self.unit = (self.tree.width - joint) / work.longest
        self.joint = joint

    @property
    def named(self) -> bool:
        """Whether branches have names: an agent's turns do once they part."""
        return self.case.kind != AGENT or self.branches > 1

    def x(self, token: float, behind: bool = False) -> float:
        """Where a token lies; one at the joint lies behind it if it belongs to a branch."""
        gap = self.joint if token > self.root or (behind and token == self.root) else 0
        return self.tree.x + token * self.unit + gap

    @cached_property
    def tall(self) -> float:
        """The height of a branch, in whole units; one that is alone has more room."""
        most = self.pen.pick(12, 15) * (2.5 if self.branches == 1 else 1)
        return min(self.tree.height / self.branches * 0.78, most) // 1

    def middle(self, branch: int) -> float:
        """The height at which a branch lies."""
        each = self.tree.height / self.branches
        return self.tree.y + (branch + 0.5) * each

    @property
    def trunk(self) -> Box:
        """The shared prefix, before all branches: it is stored once."""
        top, end = self.middle(0) - self.tall / 2, self.middle(self.branches - 1) + self.tall / 2
        return Box(self.tree.x, top, self.x(self.root) - self.tree.x, end - top)

    @property
    def lane(self) -> float:
        """The height at which a prompt comes."""
        return self.above + self.tall / 2

    @property
    def above(self) -> float:
        """The upper edge of that prompt: its words stand over it."""
        return self.tree.y - self.pen.pick(16, 21.5)

    def pieces(self, branch: int, start: float, end: float) -> list[tuple[str, Box]]:
        """A stretch of a prompt as boxes in its row: what lies in the shared prefix, and what lies in the branch."""
        found = []
        for name, low, high in (
            ("root", start, min(end, self.root)),
            ("own", max(start, self.root), end),
        ):
            if high > low:
                left, right = self.x(low, name == "own"), self.x(high)
                found.append((name, Box(left, self.middle(branch) - self.tall / 2, right - left, self.tall)))
        return found

    @cached_property
    def turns(self) -> Box:
        """The room of the requests, each a column as tall as its prompt."""
        return self.pen.pick(Box(0, 174, 328, 30), Box(0, 262, 480, 64))

    def column(self, at: int, tokens: float) -> Box:
        """A request's column, as tall as so many tokens."""
        box, turns = self.turns, self.case.cache.turns
        each = round(min(box.width / len(turns), self.pen.pick(32, 44)))
        tall = box.height * tokens / max(turn.request.prompt for turn in turns)
        return Box(box.x + at * each, box.bottom - tall, each - min(3, each // 4), tall)

    @cached_property
    def plot(self) -> Plot:
        """The rate over what can be dragged."""
        box = self.pen.pick(Box(30, 238, 282, 46), Box(566, 264, 258, 44))
        axis = {
            CHAT: Axis("a block’s tokens", span=(0.75, 640), log=True, ticks=(1, 16, 128, 528)),
            CHATS: Axis("memory in tokens", span=(0, 1.1 * CAPACITIES[-1]), ticks=(0, 5000, 10_000)),
            # a knob at 1 or 0 stands beside the name of 0%
            AGENT: Axis(
                "the place that changes", span=(-0.05 * LAST_PLACE, LAST_PLACE), ticks=(0, 5000, 10_000, 15_000)
            ),
        }[self.case.kind]
        return Plot(self.pen, box, axis, Axis("found", "%", (0, 100), ticks=(0, 100)), "curve")


@cache
def stage_of(width: float, case: Case) -> Stage:
    return Stage(width, case)
