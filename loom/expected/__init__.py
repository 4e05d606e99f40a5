"""Run-time checks of values against annotations, with messages for authors.

The annotations of `Scene`, of its parameters and of all drawing functions are the only statement of what is allowed:
both the checks and the messages are made from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from loom.expected.checks import Between, Wrong, check_of, fields_of, is_text
from loom.expected.words import Named, described, words

__all__ = ["Between", "Checked", "Mistaken", "Named", "described", "field_mistakes", "is_text", "mistakes", "words"]


class Mistaken(TypeError):  # noqa: N818 - what is in it are mistakes of an author
    """An author gave values of wrong types: messages, each with a hint."""

    def __init__(self, *mistakes: tuple[str, str]) -> None:
        self.mistakes = mistakes
        super().__init__("; ".join(message for message, _ in mistakes))


class Checked:
    """A dataclass whose fields are checked against their annotations when it is made."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for field, _, check in fields_of(kind):
            if check(getattr(self, field)):
                raise Mistaken(*field_mistakes(self, kind.__name__.strip("_")))


def field_mistakes(one: Any, name: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the fields of an instance, and what to do about it."""
    kind: Any = type(one)
    for field, annotation, check in fields_of(kind):
        if wrong := check(getattr(one, field)):
            yield mistake(f"{name}: '{field}'", wrong, annotation)


def mistakes(name: str, value: Any, annotation: Any) -> list[tuple[str, str]]:
    """What is wrong with a value, and what to do about it: nothing, or one thing."""
    wrong = check_of(annotation)(value)
    return [mistake(name, wrong, annotation)] if wrong else []


def mistake(name: str, wrong: Wrong, whole: Any) -> tuple[str, str]:
    """A wrong value in words, and what to do about it."""
    message = f"{name}{wrong.way} must be {words(wrong.annotation)}, and is {described(wrong.value)}"
    if get_origin(whole) is tuple and not wrong.way and _fits_one(wrong.value, whole):
        return message, "a tuple of one has a comma: (one,)"
    nothing = wrong.value is None and not wrong.way and name.startswith("what ")
    return message, "does it return what it makes?" if nothing else ""


def _fits_one(value: Any, whole: Any) -> bool:
    return check_of(get_args(whole)[0])(value) is None
