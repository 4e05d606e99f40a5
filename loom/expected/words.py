"""Values and annotations as text for messages: what was found, and what was expected."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from types import GeneratorType, NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

PLAIN = (str, int, float, complex, bytes, NoneType)
KINDS = {
    str: ("a string", "strings"),
    float: ("a number", "numbers"),
    int: ("a whole number", "whole numbers"),
    bool: ("True or False", "True or False"),
    None: ("None", "None"),
    NoneType: ("None", "None"),
    Any: ("anything", "anything"),
    Enum: ("an enum's member", "enum members"),
}


class Named(NamedTuple):
    """How messages call the values of an annotation, singular and plural: `Annotated[…, Named("a key", "keys")]`."""

    one: str
    many: str


def described(value: Any) -> str:
    """A value on one short line, never with its address in memory."""
    try:
        return _described(value)
    except Exception:  # noqa: BLE001 - any method of an author's object may raise anything
        return "something that can't be shown"


def _described(value: Any) -> str:
    kind = type(value)
    if kind in PLAIN or kind is bool:
        return _short(value)
    if isinstance(value, GeneratorType):
        return "a generator"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape and hasattr(value, "dtype"):
        return f"an array of shape {shape}"
    if callable(value) and isinstance(name := getattr(value, "__name__", None), str):
        return f"the function '{name}'"
    if kind in (list, tuple, dict, set):
        text = _short(value)
        return text if " at 0x" not in text and len(text) <= 60 else f"{article(kind.__name__)} of {len(value)}"
    if isinstance(value, PLAIN) or hasattr(value, "dtype"):
        return f"{_short(value)}, {article(kind.__name__)}"
    return article(kind.__name__)


def words(annotation: Any, many: bool = False) -> str:
    """What an annotation asks for: "a tuple of strings"."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated and isinstance(name := parts[1], Named):
        return name[many]
    if origin is Annotated:
        return " ".join([words(parts[0], many), *map(str, parts[1:])])
    if origin in (Union, UnionType):
        *first, last = dict.fromkeys(words(part, many) for part in parts)
        return f"{', '.join(first)} or {last}" if first else last
    if origin is Literal:
        return " or ".join(f"'{part}'" for part in parts)
    if annotation is Callable or origin is Callable:
        return "functions" if many else "a function"
    if annotation in KINDS:
        return KINDS[annotation][many]
    return _container(origin or annotation, parts, many)


def article(noun: str) -> str:
    """A noun with its article: a Choice, an Axis."""
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def _container(kind: Any, parts: Sequence[Any], many: bool) -> str:
    if kind is tuple and parts and parts[-1] is not ...:
        row = ", ".join(words(part).removeprefix("a ") for part in parts)
        return f"pairs ({row})" if many else f"a tuple ({row})"
    named = {tuple: "tuple", list: "list", Sequence: "sequence", Iterable: "sequence", dict: "dict", Mapping: "dict"}
    if kind in named:
        noun = f"{named[kind]}s" if many else article(named[kind])
        if not parts or parts[0] is Any:
            return noun
        inside = " to ".join(words(part, True) for part in parts if part is not ... and part is not Any)
        return f"{noun} of {inside}"
    name = str(getattr(kind, "__name__", kind)).strip("_")
    return name if many else article(name)


def _short(value: Any) -> str:
    try:
        return reprlib.repr(value)
    except Exception:  # noqa: BLE001 - an author's object may raise anything
        return article(type(value).__name__)
