"""What a reader may change in a scene: choices, sliders and switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from loom.quantity import plain


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
