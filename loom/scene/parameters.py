"""What a reader may change in a scene: choices, sliders and switches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any

from loom.expected import Checked, Named
from loom.quantity import significant, trimmed, with_unit

KINDS = "a string, a number, True or False, a tuple or an enum's member"
Atom = str | float | bool | Enum | None
Option = Annotated[Atom | tuple[Atom, ...], Named(KINDS, "values")]


@dataclass(frozen=True)
class Choice(Checked):
    """A parameter with a few named options, shown as a list to pick from.

    Parameters
    ----------
    name : str
        The keyword by which `solve` (or `steps`, `table` and `values`) gets the value; also its name in addresses.
        `step` is taken.
    label : str
        What stands beside the control.
    options : mapping of value to str, or sequence of values
        Each value with its label; in a sequence each value is its own label. A value is a string, a number, a bool, a
        tuple or an enum's member, and no two may have the same spelling.
    default : value, optional
        The value that the page opens with; the first one if it is left out.
    unit : str, optional
        The unit behind each number of a `Range`.
    when : mapping of str to sequence of values, optional
        The values of other parameters for which this one matters: `when={"method": ("scaled", "blended")}`. For all
        other values it stays at its default, its control is hidden, and no variants are computed.
    """

    name: str
    label: str
    options: Mapping[Option, str] | Sequence[Option]
    default: Option = None
    unit: str = ""
    when: Mapping[str, Sequence[Option]] = field(default_factory=dict)

    kind = "choice"

    @property
    def values(self) -> tuple[Any, ...]:
        """The values, in the order of the control."""
        return tuple(self.options)

    @property
    def start(self) -> Any:
        """The value that the page opens with."""
        return next(iter(self.options)) if self.default is None else self.default

    def matters(self, params: Mapping[str, Any]) -> bool:
        """Whether it matters, the others being as they are in `params`."""
        return all(params[other] in values for other, values in self.when.items())

    def label_of(self, value: Any) -> str:
        """How `value` reads in the list."""
        if isinstance(self.options, Mapping):
            return self.options[value]
        return trimmed(significant(value, 12)).replace(",", "") if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Range(Choice):
    """A parameter over listed numbers, in order, shown as a slider.

    Parameters
    ----------
    name, label, default, when
        As those of a `Choice`.
    options : mapping of number to str, or sequence of numbers
        From left to right. Numbers without a label are written with up to six digits, without trailing zeros.
    unit : str, optional
        Stands behind each number: "16 slots", "10%".
    """

    options: Mapping[Option, str] | Sequence[float]

    kind = "range"

    def label_of(self, value: Any) -> str:
        """How `value` reads beside the slider."""
        text = super().label_of(value) if isinstance(self.options, Mapping) else trimmed(significant(value, 6))
        return with_unit(text, self.unit)


def Toggle(  # noqa: N802 - reads as a kind of parameter
    name: str, label: str, default: bool = False, when: Mapping[str, Sequence[Any]] | None = None
) -> Choice:
    """A parameter that is off or on; the scene gets a bool.

    Parameters
    ----------
    name, label, when
        As those of a `Choice`.
    default : bool, optional
        Whether it is on when the page opens.
    """
    return _Toggle(name, label, {False: "off", True: "on"}, default, when={} if when is None else when)


@dataclass(frozen=True)
class _Toggle(Choice):
    kind = "toggle"


def deciding(param: Choice, params: Iterable[Choice]) -> set[str]:
    """The names of all parameters that decide whether one matters, and of those that decide about them."""
    named, found, ahead = {one.name: one for one in params}, set[str](), [*param.when]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += named[name].when if name in named else ()
    return found
