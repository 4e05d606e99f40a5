"""Run a scene's own code for one choice of parameters; whatever it raises is told at the line that raised it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import prod
from typing import Any, TypeVar

from loom.draw.marks import Mark
from loom.errors import GivenUpError, LoomError, OutOfTime, Problem
from loom.scene import WIDTHS, Run, Table, Value
from loom.scenes.discover import Found, scene_problem
from loom.scenes.validate import context, defined_at, say_problems, table_problems, value_problems

Frame = tuple[Mark, ...]
Result = TypeVar("Result")
PLACES = {"variants": "params", "steps": "steps", "marks": "draw"}  # where too many of them come from


@dataclass(frozen=True)
class Outcome:
    """What a scene tells of one choice of parameters: what is said at each step, the data table, the values."""

    params: Mapping[str, Any]
    say: tuple[str, ...]
    table: Table
    values: Mapping[str, Value]


class VariantRun:
    """One choice of parameters; the model is run once, when the first of it is asked for."""

    def __init__(self, found: Found, params: Mapping[str, Any]) -> None:
        self.found, self.params = found, params
        self.ran = Run(found.scene, params)

    def states(self) -> Sequence[Any]:
        """The states, one per step; never none."""
        self._guard("solve", 0, lambda: self.ran.result)
        states = self._guard("steps", 0, lambda: self.ran.steps)
        if not states:
            where = context(self.params)
            raise LoomError(Problem(self.found.path, 0, 0, f"scene '{self.found.id}' has no steps{where}"))
        if len(states) > self.found.scene.limit("steps"):
            raise too_many(self.found, "steps", context(self.params))
        return states

    def frame(self, state: Any, width: float, step: int) -> Frame:
        """The marks of one step."""
        scene = self.found.scene
        most = scene.limit("marks")
        frame = self._guard("draw", step, lambda: tuple(islice(scene.draw(state, width), most + 1)))
        if len(frame) > most:
            raise too_many(self.found, "marks", context(self.params, step), " in a frame")
        return frame

    def outcome(self) -> Outcome:
        """The model's results, without drawing."""
        found, where = self.found, context(self.params)
        say = tuple(
            self._guard("say", step, partial(found.scene.say, state)) for step, state in enumerate(self.states(), 1)
        )
        table = self._guard("table", 0, lambda: self.ran.table)
        values = self._guard("values", 0, lambda: self.ran.values)
        problems = [*say_problems(found, say, where), *table_problems(found, table, where)]
        problems += value_problems(found, values, where)
        if problems:
            raise LoomError(*problems)
        return Outcome(dict(self.params), say, table, values)

    def _guard(self, what: str, step: int, call: Callable[[], Result]) -> Result:
        try:
            return call()
        except (LoomError, KeyboardInterrupt):
            raise
        except BaseException as error:  # an author's scene may raise anything, and may try to end the program
            message = f"scene '{self.found.id}' failed in {what}"
            problem = scene_problem(error, message, self.found.folder, context(self.params, step))
            raise (GivenUpError if isinstance(error, OutOfTime) else LoomError)(problem) from error


def too_many(found: Found, what: str, where: str = "", of: str = "") -> LoomError:
    """More than a scene may have: nobody knows how many, for there may be no end to them."""
    message = f"scene '{found.id}' has more than {found.scene.limit(what):,} {what}{of}{where}"
    hint = f"if it needs them, write limits={{'{what}': …}} in its Scene"
    return LoomError(Problem(*defined_at(found, PLACES[what]), 0, message, hint))


def count_variants(found: Found) -> int:
    """How many choices of parameters there are; too many of them are not even counted."""
    count = sum(1 for _ in islice(found.scene.grid(), found.scene.limit("variants") + 1))
    if count > found.scene.limit("variants"):
        choices = prod(len(param.values) for param in found.scene.params)
        raise too_many(found, "variants", f": its parameters' values make {choices:,} choices")
    return count


def drawn(found: Found, params: Mapping[str, Any]) -> dict[str, list[Frame]]:
    """One variant drawn at every width, one frame a step."""
    telling = VariantRun(found, params)
    states = telling.states()
    return {
        name: [telling.frame(state, width, step) for step, state in enumerate(states, 1)]
        for name, width in WIDTHS.items()
    }
