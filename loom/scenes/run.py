"""Run a scene's own code for one choice of parameters; whatever it raises is told at the line that raised it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from loom.draw.marks import Mark
from loom.errors import LoomError, Problem, raise_any
from loom.scene import WIDTHS, Chapter, Run, Table, Value
from loom.scenes.discover import Found, scene_problem
from loom.scenes.validate import beat_problems, context, say_problems, table_problems, value_problems

Frame = tuple[Mark, ...]
Result = TypeVar("Result")


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

    def chapters(self) -> Sequence[Chapter]:
        """The chapters, one per step; never none."""
        self._guard("solve", 0, lambda: self.ran.result)
        chapters = self._guard("steps", 0, lambda: self.ran.chapters)
        where = context(self.params)
        if not chapters:
            raise LoomError(Problem(self.found.path, 0, 0, f"scene '{self.found.id}' has no steps{where}"))
        raise_any(beat_problems(self.found, chapters, where))
        return chapters

    def frame(self, state: Any, width: float, step: int) -> Frame:
        """The marks of one step."""
        return self._guard("draw", step, lambda: tuple(self.found.scene.draw(state, width)))

    def outcome(self) -> Outcome:
        """The model's results, without drawing."""
        found, where = self.found, context(self.params)
        say = tuple(
            self._guard("say", step, partial(found.scene.say, chapter.states[-1]))
            for step, chapter in enumerate(self.chapters(), 1)
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
            where = context(self.params, step)
            raise LoomError(scene_problem(error, message, self.found.folder, where)) from error


def drawn(found: Found, params: Mapping[str, Any]) -> dict[str, list[Frame]]:
    """One variant drawn at every width, one frame a step: that of its last beat."""
    telling = VariantRun(found, params)
    chapters = telling.chapters()
    return {
        name: [telling.frame(chapter.states[-1], width, step) for step, chapter in enumerate(chapters, 1)]
        for name, width in WIDTHS.items()
    }
