"""What the author of a scene imports: `Scene`, its parameters, its table and its values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, cast

from loom.draw.marks import Mark, spelling
from loom.expected import Checked
from loom.quantity import Value
from loom.scene.data import DataError, read_data
from loom.scene.parameters import Choice, Range, Toggle
from loom.scene.story import Chapter, Moment, Phase, bounded, chapters, evenly, say_phase
from loom.scene.table import Column, Table

__all__ = [
    "Chapter", "Choice", "Column", "DataError", "Moment", "Phase", "Range", "Scene", "Table", "Toggle", "Value",
    "evenly", "read_data", "spelling",
]  # fmt: skip

NARROW = 328  # the width of a phone's text column at 360 CSS px
WIDE = 840  # shown at 700 to 960 CSS px
WIDTHS = {"narrow": NARROW, "wide": WIDE}
# The most that a scene may have, so that a slip is reported before memory is gone; each beat counts as a step.
LIMITS = {"variants": 20_000, "steps": 2_000, "marks": 20_000, "rows": 10_000, "values": 1_000, "bytes": 24_000}


class Run:
    """What a scene gives for one choice of parameters; the model is run once, when the first of it is asked for.

    Attributes
    ----------
    result : object
        What `solve` gives.
    steps : sequence of states
    table : Table
    values : dict of str to Value
    """

    def __init__(self, scene: Scene, params: Mapping[str, Any]) -> None:
        self.scene, self.params = scene, params

    @cached_property
    def result(self) -> Any:
        return self.scene.solve(**self.params) if self.scene.solve else None

    @cached_property
    def given(self) -> Iterable[Any]:
        """What `steps` gives: a state or a chapter for each step."""
        steps = self.scene.steps
        return self._read(steps) if callable(steps) else chapters(tuple(steps), self.result, self.scene.limit("steps"))

    @cached_property
    def chapters(self) -> Sequence[Chapter]:
        """One chapter per step, with the states of its beats; no more than pass the limit."""
        return bounded(self.given, self.scene.limit("steps"))

    @cached_property
    def steps(self) -> Sequence[Any]:
        """One state per step: that of a chapter's last beat."""
        return tuple(chapter.states[-1] for chapter in self.chapters)

    @cached_property
    def table(self) -> Table:
        return cast(Table, self._read(self.scene.table))

    @cached_property
    def values(self) -> dict[str, Value]:
        return cast(dict[str, Value], self._read(self.scene.values))

    def _read(self, part: Callable[..., Any]) -> Any:
        return part(self.result) if self.scene.solve else part(**self.params)


@dataclass(frozen=True, kw_only=True)
class Scene(Checked):
    """A numpy model, a drawing and a narration: everything the reader will see of one scene.

    Every field is held against its annotation where the scene is made. What the functions give is looked over when the
    scene is computed: for every choice of parameters, at both widths. Two runs must give the same.

    Parameters
    ----------
    title : str
        The question that the scene answers.
    summary : str
        One sentence; also the picture's text alternative.
    params : tuple of Choice, Range or Toggle
        In the order in which the reader meets them.
    solve : callable(**params) -> result
        The model, run once for a choice of parameters; `steps`, `table` and `values` read its result. A scene whose
        parameters say it all does without: then these are given the parameters.
    steps : callable(result) -> iterable of states, or tuple of Phase
        One state per step, at least one; a state is whatever `draw` and `say` need. With phases, a state is a `Moment`.
        A step that is to play through several pictures is a `Chapter`, or a phase with beats.
    draw : callable(state, width) -> iterable of Mark
        The picture at `width` units: 328 on a phone, 840 where there is room. Usually a generator: a piece of the
        drawing that is a generator itself is given on with `yield from`. A key stands for one thing: in all frames it
        has the same element.
    say : callable(state) -> str
        One or two sentences about this step, computed from the state; phases say it themselves.
    table : callable(result) -> Table
        The numbers behind the picture.
    values : callable(result) -> dict of str to Value
        Named results that prose may quote; the same names for every choice of parameters.
    sources : tuple of str
        Ids in `content/references.yml`, at least one.
    leaves_out : str
        What the model simplifies, and what real hardware or software does instead.
    key_steps : tuple of int
        The few steps that print, counted from 1; negative ones from the end. The variant that the page opens with has
        all of them; one with fewer steps prints its last instead.
    opening : int
        The step that the page opens with, counted from 1; negative from the end. The variant that the page opens with
        has it.
    sentence : str
        The parameters as a sentence, with `{name}` for each; empty: a list of labels. What stands in `[…]` is there
        only while a parameter that it names matters.
    still : float
        How far down the picture on a phone is shown where a page has a state of it as a small picture; 0: all of it.
    limits : mapping of str to int
        How many `variants`, `steps`, `marks` in a frame, `rows` of the table, `values`, or `bytes` of a file in gzip
        there may be, where a scene needs more than `LIMITS`. Each beat of a step counts as one of the `steps`.
    """

    title: str
    summary: str
    params: tuple[Choice, ...] = ()
    solve: Callable[..., Any] | None = None
    steps: Callable[..., Iterable[Any]] | tuple[Phase, ...]
    draw: Callable[[Any, float], Iterable[Mark]]
    say: Callable[[Any], str] = say_phase
    table: Callable[..., Table]
    values: Callable[..., dict[str, Value]]
    sources: tuple[str, ...]
    leaves_out: str
    key_steps: tuple[int, ...] = (1, -1)
    opening: int = 1
    sentence: str = ""
    still: float = 0.0
    limits: Mapping[str, int] = field(default_factory=dict)
    made: tuple[str, int] = field(init=False, repr=False, compare=False, default=("", 0))  # the file and the line

    def __post_init__(self) -> None:
        super().__post_init__()
        maker = sys._getframe(2)  # who called __init__; its file may have a name that is no text
        object.__setattr__(self, "made", (maker.f_code.co_filename, maker.f_lineno))

    def _repr_html_(self) -> str:
        """How a notebook shows it. What plays it is above this room, and is asked for only here."""
        return str(import_module("loom.notebook").html(self))

    def run(self, **params: Any) -> Run:
        """Everything that the scene gives for some parameters; those that are not named are at their defaults."""
        return Run(self, {**self.defaults, **params})

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters that the page opens with."""
        return {param.name: param.start for param in self.params}

    def param(self, name: str) -> Choice:
        """The parameter called `name`."""
        return next(param for param in self.params if param.name == name)

    def limit(self, what: str) -> int:
        """How many variants, steps or marks there may be."""
        return self.limits.get(what, LIMITS[what])

    def resting(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """`params` with every parameter that does not matter now at its default: one name for one state."""
        settled = {**self.defaults, **params}
        for param in self.params:
            if any(settled[other] not in values for other, values in param.when.items()):
                settled[param.name] = param.start
        return settled

    def grid(self) -> Iterator[dict[str, Any]]:
        """Every distinct choice of parameters, in a fixed order."""
        return self._choices({}, self.params)

    def _choices(self, chosen: dict[str, Any], rest: Sequence[Choice]) -> Iterator[dict[str, Any]]:
        """What can be made of some choices; a parameter that can't matter any more is not gone through."""
        if not rest:
            if chosen == self.resting(chosen):
                yield chosen
            return
        param, *later = rest
        idle = any(other in chosen and chosen[other] not in values for other, values in param.when.items())
        for value in (param.start,) if idle else param.values:
            yield from self._choices({**chosen, param.name: value}, later)

    def key(self, params: Mapping[str, Any]) -> tuple[int, ...]:
        """The place of each parameter's value in its list: how a variant is called in the data."""
        settled = self.resting(params)
        return tuple(param.values.index(settled[param.name]) for param in self.params)
