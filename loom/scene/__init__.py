"""What the author of a scene imports: `Scene`, its parameters, its table and its values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, cast

from loom.draw.marks import Mark
from loom.expected import Checked
from loom.scene.data import DataError, read_data
from loom.scene.parameters import Choice, Range, Toggle
from loom.scene.story import Chapter, Moment, Phase, bounded, chapters, evenly, say_phase
from loom.scene.table import Column, Table, Value

__all__ = [
    "Chapter", "Choice", "Column", "DataError", "Moment", "Phase", "Range", "Scene", "Table", "Toggle", "Value",
    "evenly", "read_data",
]  # fmt: skip

NARROW = 328  # the width of a phone's text column at 360 CSS px
WIDE = 840  # shown at 700 to 960 CSS px
WIDTHS = {"narrow": NARROW, "wide": WIDE}
# Limits of a scene, so that a mistake is reported before memory runs out; each beat counts as a step.
LIMITS = {"variants": 20_000, "steps": 2_000, "marks": 20_000, "rows": 10_000, "values": 1_000, "bytes": 24_000}


class Run:
    """The results of a scene for one choice of parameters; the model runs once, at the first access.

    Attributes
    ----------
    result : object
        What `solve` gives.
    chapters : sequence of Chapter
        What `steps` gives, with the beats of each.
    steps : sequence of states
        The last state of each chapter.
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
        """One chapter per step, with the states of its beats; reading stops once the limit is passed."""
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

    Every field is checked against its annotation when the scene is made. The results of the functions are checked when
    the scene is computed: for every choice of parameters, at both widths. Two runs must give the same results.

    Parameters
    ----------
    title : str
        The question that the scene answers.
    summary : str
        One sentence; also the picture's text alternative.
    params : tuple of Choice, Range or Toggle
        In the order in which the reader meets them.
    solve : callable(**params) -> result
        The model, run once for each choice of parameters; `steps`, `table` and `values` are called with its result.
        Without a model they are called with the parameters.
    steps : callable(result) -> iterable of states, or tuple of Phase
        One state per step, at least one; a state is whatever `draw` and `say` need. With phases, a state is a `Moment`.
        A step that is to play through several pictures is a `Chapter`, or a phase with beats.
    draw : callable(state, width) -> iterable of Mark
        The picture at `width` units: 328 on a phone, 840 elsewhere. Usually a generator, which draws pieces that are
        generators with `yield from`. A key stands for one thing: it has the same element in all frames.
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
        The few steps that are printed, counted from 1; negative ones from the end. The opening variant must have all of
        them; a variant with fewer steps prints its last instead.
    opening : int
        The step that the page opens with, counted from 1; negative from the end. The opening variant must have it.
    sentence : str
        The parameters as a sentence, with `{name}` for each; empty: a list of labels. A part in `[…]` is shown only
        while a parameter in it matters. A no-break space keeps a word and the parameter behind it on one line.
    still : float
        The height at which the small picture of a state is cut off, in units of the narrow drawing; 0: not at all.
    limits : mapping of str to int
        Higher limits than `LIMITS`, where a scene needs them: of `variants`, `steps`, `marks` in a frame, `rows` of the
        table, `values`, or `bytes` of a file in gzip. Each beat of a step counts as one of the `steps`.
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
    made: tuple[str, int] = field(init=False, repr=False, compare=False, default=("", 0))  # file and line of the call

    def __post_init__(self) -> None:
        super().__post_init__()
        maker = sys._getframe(2)  # the caller of __init__; its file name may not be valid Unicode
        object.__setattr__(self, "made", (maker.f_code.co_filename, maker.f_lineno))

    def _repr_html_(self) -> str:
        """How a notebook shows it. `loom.notebook` lies in a higher layer, and is imported only here."""
        return str(import_module("loom.notebook").html(self))

    def run(self, **params: Any) -> Run:
        """The scene's results for some parameters; those that are not named are at their defaults."""
        return Run(self, {**self.defaults, **params})

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters that the page opens with."""
        return {param.name: param.start for param in self.params}

    def param(self, name: str) -> Choice:
        """The parameter called `name`."""
        return next(param for param in self.params if param.name == name)

    def limit(self, what: str) -> int:
        """How many there may be of what `LIMITS` names."""
        return self.limits.get(what, LIMITS[what])

    def resting(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """`params` with every parameter that does not matter now at its default, so that each state has one name."""
        given = settled = {**self.defaults, **params}
        for _ in self.params:  # one that rests may decide whether another matters, wherever that is in the list
            settled = {one.name: given[one.name] if one.matters(settled) else one.start for one in self.params}
        return settled

    def grid(self) -> Iterator[dict[str, Any]]:
        """Every distinct choice of parameters, in a fixed order."""
        return self._choices({}, self.params)

    def _choices(self, chosen: dict[str, Any], rest: Sequence[Choice]) -> Iterator[dict[str, Any]]:
        """All ways to complete some choices; a parameter that can no longer matter stays at its default."""
        if not rest:
            if chosen == self.resting(chosen):
                yield chosen
            return
        param, *later = rest
        idle = any(other in chosen and chosen[other] not in values for other, values in param.when.items())
        for value in (param.start,) if idle else param.values:
            yield from self._choices({**chosen, param.name: value}, later)

    def key(self, params: Mapping[str, Any]) -> tuple[int, ...]:
        """The index of each parameter's value in its list: the key of the variant in the data."""
        settled = self.resting(params)
        return tuple(param.values.index(settled[param.name]) for param in self.params)
