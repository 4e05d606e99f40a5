"""Report what is wrong with the marks of a frame at the author's lines that drew them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from loom.errors import Problem
from loom.scenes.diagnose import first_bad_argument, lines_of_marks
from loom.scenes.load import LoadedScene, scene_problems, shown_path
from loom.scenes.mark_table import Mistake
from loom.scenes.validate import defined_at

Location = tuple[str, int]
NUMBER = re.compile(r"-?\d+(\.\d+)?")


class MarkProblems:
    """Finds the lines of mistakes by drawing a frame once more. One that shows in many states is looked for once."""

    def __init__(self, found: LoadedScene) -> None:
        self.found = found
        self._locations: dict[Mistake, Location] = {}

    def mistyped(self, mistakes: Sequence[Mistake], again: Callable[[], object], where: str) -> list[Problem]:
        """The problem of the author's call that gave a mark a wrong value, or else those of the marks themselves."""
        call, found = first_bad_argument(again, self.found.folder), self.found
        if call:
            return scene_problems(call, found.id, "", found.folder, where)
        return self.located(mistakes, again, where)

    def located(self, mistakes: Sequence[Mistake], again: Callable[[], object], where: str) -> list[Problem]:
        """The problems of a frame that `again` draws; mistakes that differ only in key and numbers are one."""
        if not all(one in self._locations for one in mistakes):
            self._locate(mistakes, again)
        problems: dict[tuple[Location, str, str], Problem] = {}
        count: Counter[tuple[Location, str, str]] = Counter()
        for one in mistakes:
            location = self._locations[one]
            kind = location, NUMBER.sub("", one.message.replace(f"'{one.key}'", "")), one.hint
            problem = Problem(*location, 0, f"scene '{self.found.id}': {one.message}", one.hint, state=where)
            problems.setdefault(kind, problem)
            count[kind] += 1
        return [replace(problem, marks=count[kind] - 1) for kind, problem in problems.items()]

    def _locate(self, mistakes: Sequence[Mistake], again: Callable[[], object]) -> None:
        scenes = self.found.folder.parent
        lines = lines_of_marks(again, self.found.folder)
        for one in mistakes:
            path, line = lines.get(one.key, (None, 0))
            self._locations[one] = (shown_path(path, scenes), line) if path else defined_at(self.found, "draw")
