"""What the author of a scene imports: `Scene`, its parameters, its table and its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loom.draw.marks import Mark, spelling
from loom.quantity import Value, plain

__all__ = ["Choice", "Column", "Range", "Scene", "Table", "Toggle", "Value", "spelling"]

NARROW = 328  # the width of a phone's text column at 360 CSS px
WIDE = 840  # shown at 700 to 960 CSS px
WIDTHS = {"narrow": NARROW, "wide": WIDE}


@dataclass(frozen=True)
class Choice:
    """A parameter with a few named options, shown as a list to pick from.

    `options` maps each value to its label; a sequence labels each value by itself.
    `when` names the values of another parameter for which this one matters; otherwise it rests at `default`.
    """

    name: str
    label: str
    options: Mapping[Any, str] | Sequence[Any]
    default: Any = None
    unit: str = ""
    when: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    kind = "choice"

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(self.options)

    @property
    def start(self) -> Any:
        return self.values[0] if self.default is None else self.default

    def label_of(self, value: Any) -> str:
        """How `value` reads in the list."""
        return self.options[value] if isinstance(self.options, Mapping) else str(value)


@dataclass(frozen=True)
class Range(Choice):
    """A parameter over listed numbers, in order, shown as a slider."""

    kind = "range"

    def label_of(self, value: Any) -> str:
        text = super().label_of(value) if isinstance(self.options, Mapping) else plain(value, 6)
        return f"{text} {self.unit}".strip()


def Toggle(  # noqa: N802 - reads as a kind of parameter
    name: str, label: str, default: bool = False, when: Mapping[str, Sequence[Any]] | None = None
) -> Choice:
    """A parameter that is off or on; the scene gets a bool."""
    return _Toggle(name, label, {False: "off", True: "on"}, default, when=when or {})


@dataclass(frozen=True)
class _Toggle(Choice):
    kind = "toggle"


@dataclass(frozen=True)
class Column:
    """A column of the data table. `digits` is the number of decimals shown."""

    name: str
    label: str
    unit: str = ""
    digits: int = 0


@dataclass(frozen=True)
class Table:
    """A scene's numbers, at full precision, for one choice of parameters."""

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[float | str]]


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A numpy model, a drawing and a narration: everything the reader will see of one scene.

    Parameters
    ----------
    title : str
        The question that the scene answers.
    summary : str
        One sentence; also the picture's text alternative.
    params : tuple of Choice, Range or Toggle
        In the order in which the reader meets them.
    steps : callable(**params) -> sequence of states
        One state per step; a state is whatever `draw` and `say` need.
    draw : callable(state, width) -> iterable of Mark
        The picture at `width` units: 328 on a phone, 840 where there is room.
    say : callable(state) -> str
        One or two sentences about this step, computed from the state.
    table : callable(**params) -> Table
    values : callable(**params) -> dict of str to Value
        Named results that prose may quote.
    sources : tuple of str
        Ids in `content/references.yml`.
    leaves_out : str
        What the model simplifies, and what real hardware or software does instead.
    key_steps : tuple of int
        The few steps that print, counted from 1; negative ones from the end.
    opening : int
        The step that the page opens with, counted from 1; negative from the end.
    sentence : str
        The parameters as a sentence, with `{name}` for each; empty: a list of labels.
    split : tuple of str
        Parameters whose every value has a data file of its own.
    """

    title: str
    summary: str
    params: tuple[Choice, ...] = ()
    steps: Callable[..., Sequence[Any]]
    draw: Callable[[Any, float], Iterable[Mark]]
    say: Callable[[Any], str]
    table: Callable[..., Table]
    values: Callable[..., dict[str, Value]]
    sources: tuple[str, ...]
    leaves_out: str
    key_steps: tuple[int, ...] = (1, -1)
    opening: int = 1
    sentence: str = ""
    split: tuple[str, ...] = ()

    @property
    def defaults(self) -> dict[str, Any]:
        return {param.name: param.start for param in self.params}

    def param(self, name: str) -> Choice:
        """The parameter called `name`."""
        return next(param for param in self.params if param.name == name)

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
