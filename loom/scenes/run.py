"""Run a scene's own code for one choice of parameters; whatever it raises is reported at the line that raised it."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import prod
from pathlib import Path
from types import GeneratorType
from typing import Any, TypeVar

from loom.draw.marks import Mark
from loom.errors import AbortedError, LoomError, OutOfTime, Problem, exception_text, is_interrupt, raise_any
from loom.expected import Mistaken, field_mistakes
from loom.paths import PACKAGE
from loom.scene import Chapter, Run, Table, Value
from loom.scene.story import pictures
from loom.scenes.diagnose import explained, is_own
from loom.scenes.importer import one_process
from loom.scenes.load import LoadedScene, scene_problems
from loom.scenes.validate import (
    beat_problems,
    context,
    defined_at,
    result_mistakes,
    say_problems,
    table_problems,
    value_problems,
)

Frame = tuple[Mark, ...]
Result = TypeVar("Result")
UNFIT = re.compile("positional argument|keyword argument|takes .* argument|takes no")
GIVEN = {"draw": Iterable[Any], "steps": Iterable[Any]}  # marks are checked one by one, when they are new
PLACES = {
    "variants": "params",
    "steps": "steps",
    "marks": "draw",
    "rows": "table",
    "values": "values",
}  # the function of the scene that each limit applies to


@dataclass(frozen=True)
class Outcome:
    """The results of one choice of parameters: the narration of each step, the data table, the values."""

    params: Mapping[str, Any]
    say: tuple[str, ...]
    table: Table
    values: Mapping[str, Value]


class VariantRun:
    """Runs a scene for one choice of parameters; the model runs once, at the first access."""

    def __init__(self, found: LoadedScene, params: Mapping[str, Any]) -> None:
        self.found, self.params = found, params
        self.ran = Run(found.scene, params)

    def chapters(self) -> Sequence[Chapter]:
        """The chapters, one per step; LoomError if there are none."""
        self._guard("solve", 0, lambda: self.ran.result)
        chapters = self._guard("steps", 0, self._chapters)
        where = context(self.params)
        if not chapters:
            location = defined_at(self.found, "steps")
            hint = "give it at least one for every choice of its parameters"
            raise LoomError(Problem(*location, 0, f"scene '{self.found.id}' has no steps", hint, state=where))
        raise_any(beat_problems(self.found, chapters, where))
        return chapters

    def _chapters(self) -> Sequence[Chapter]:
        self._given("steps", self.ran.given)
        chapters, most = self.ran.chapters, self.found.scene.limit("steps")
        if sum(map(pictures, chapters)) > most:
            beats = "" if len(chapters) > most else ", counted with their beats"
            raise too_many(self.found, "steps", context(self.params), beats)
        wrong = [one for chapter in chapters for one in field_mistakes(chapter, "a Chapter")]
        if wrong:
            raise Mistaken(*dict.fromkeys(wrong))
        return chapters

    def frame(self, state: Any, width: float, step: int) -> Frame:
        """The marks of one step."""
        frame = self._guard("draw", step, lambda: self._marks(self._given("draw", self.found.scene.draw(state, width))))
        if len(frame) > self.found.scene.limit("marks"):
            raise too_many(self.found, "marks", context(self.params, step), " in a frame")
        return frame

    def again(self, state: Any, width: float) -> Frame:
        """The marks of one step once more, to find the line of a mistake; what the author's code raises is raised."""
        return self._marks(self.found.scene.draw(state, width))

    def _marks(self, given: Iterable[Any]) -> Frame:
        """The marks of a frame, at most one beyond the limit: an author's generator may never end."""
        return tuple(islice(given, self.found.scene.limit("marks") + 1))

    def outcome(self) -> Outcome:
        """The model's results, without drawing."""
        found, where = self.found, context(self.params)
        say = tuple(
            self._guard("say", step, partial(found.scene.say, chapter.states[-1]))
            for step, chapter in enumerate(self.chapters(), 1)
        )
        table = self._guard("table", 0, lambda: self.ran.table)
        values = self._guard("values", 0, lambda: self.ran.values)
        for what, many in (("rows", getattr(table, "rows", ())), ("values", values)):
            if isinstance(many, Sized) and len(many) > found.scene.limit(what):
                raise too_many(found, what, where)
        problems = [*say_problems(found, say, where), *table_problems(found, table, where)]
        problems += value_problems(found, values, where)
        if problems:
            raise LoomError(*problems)
        return Outcome(dict(self.params), tuple(map(str, say)), table, values)

    def _guard(self, what: str, step: int, call: Callable[[], Result]) -> Result:
        try:
            with one_process():
                return call()
        except LoomError:
            raise
        except BaseException as error:  # an author's scene may raise anything, even SystemExit
            if is_interrupt(error):
                raise
            found, where = self.found, context(self.params, step)
            cause = explained(error, call, found.folder)
            if self._lacks_result(what, error):
                what, cause = "solve", Mistaken(("what 'solve' gives is None", "does it return what it makes?"))
            location = defined_at(found, what)
            problems = scene_problems(
                self._called(what, cause), found.id, f"failed in {what}", found.folder, where, location
            )
            raise (AbortedError if isinstance(error, OutOfTime) else LoomError)(*problems) from error

    def _lacks_result(self, what: str, error: BaseException) -> bool:
        """Whether a function failed because the model returned nothing."""
        missed = what == "steps" or (what != "solve" and "NoneType" in exception_text(error))
        return bool(missed and self.found.scene.solve and self.ran.result is None and isinstance(error, Exception))

    def _called(self, what: str, error: BaseException) -> BaseException:
        """The exception; for a function with wrong parameters, a message that says how it is called."""
        last = traceback.extract_tb(error.__traceback__)[-1:]
        ours = all(Path(frame.filename).is_relative_to(PACKAGE) for frame in last) and not isinstance(error, Mistaken)
        if not ours or not isinstance(error, TypeError) or not UNFIT.search(exception_text(error)):
            return error
        given = {"draw": "state, width", "say": "state"}.get(what, "result" if self.found.scene.solve else "")
        given = given if given and what != "solve" else ", ".join(f"{name}=…" for name in self.params)
        return Mistaken((f"'{what}' is called as {what}({given}): {exception_text(error)}", "give it these arguments"))

    def _given(self, what: str, given: Any) -> Iterable[Any]:
        """The iterable that a function of the scene returned, if it is one."""
        if type(given) is not GeneratorType and (wrong := result_mistakes(what, given, GIVEN[what])):
            raise Mistaken(*wrong)
        found: Iterable[Any] = given
        return found


@contextmanager
def errors_at_author_line(found: LoadedScene, params: Mapping[str, Any]) -> Iterator[None]:
    """Report exceptions of an author's code that are raised while its results are checked: by its own number types."""
    try:
        yield
    except (LoomError, OutOfTime):
        raise
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1].filename
        if is_interrupt(error) or not is_own(last, found.folder):
            raise
        problems = scene_problems(error, found.id, "gives what fails", found.folder, context(params))
        raise LoomError(*problems) from error


def too_many(found: LoadedScene, what: str, where: str = "", detail: str = "") -> LoomError:
    """The error that a limit is exceeded. The real number is unknown, because reading stopped at the limit."""
    message = f"scene '{found.id}' has more than {found.scene.limit(what):,} {what}{detail}"
    hint = f"if it needs them, write limits={{'{what}': …}} in its Scene"
    return LoomError(Problem(*defined_at(found, PLACES[what]), 0, message, hint, state=where))


def count_variants(found: LoadedScene) -> int:
    """The number of variants; LoomError if there are more than the limit, at which counting stops."""
    count = sum(1 for _ in islice(found.scene.grid(), found.scene.limit("variants") + 1))
    if count > found.scene.limit("variants"):
        choices = prod(len(param.values) for param in found.scene.params)
        raise too_many(found, "variants", detail=f": its parameters' values make {choices:,} choices")
    return count
