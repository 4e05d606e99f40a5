"""Annotations turned into checks, which find the first thing that is wrong in a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import lru_cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from loom.expected.words import described

UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
LISTS = (tuple, list, Sequence, Iterable)


class Between(NamedTuple):
    """The least and the most that a number may be: `Annotated[int, Between(0, 20)]`."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"from {self.low:g} to {self.high:g}"


class Wrong(NamedTuple):
    """A wrong value: the path to it (`[0]['x']`), the value, and the annotation that it breaks."""

    way: str
    value: Any
    annotation: Any


Check = Callable[[Any], Wrong | None]


@lru_cache(256)
def fields_of(kind: Any) -> tuple[tuple[str, Any, Check], ...]:
    """The fields of a class, with their annotations and checks."""
    hints = get_type_hints(kind, include_extras=True)
    names = getattr(kind, "__match_args__", ()) or getattr(kind, "__dataclass_fields__", ())
    keywords = [name for name in getattr(kind, "__dataclass_fields__", ()) if name not in names]
    return tuple([(name, hints[name], check_of(hints[name])) for name in (*names, *keywords)])


@lru_cache(1024)
def check_of(annotation: Any) -> Check:
    """The check for an annotation: called with a value, it gives None or the first thing that is wrong."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _within(annotation, check_of(parts[0]), [rule for rule in parts[1:] if isinstance(rule, Between)])
    if origin in (Union, UnionType):
        return _either(annotation, [check_of(part) for part in parts])
    if origin is Literal:
        return _predicate(annotation, lambda value: isinstance(value, str) and value in parts)
    if annotation is Callable or origin is Callable:
        return _predicate(annotation, callable)
    if origin is tuple and parts[-1:] != (...,):
        return _row(annotation, [check_of(part) for part in parts])
    if (origin or annotation) in LISTS:
        return _list(annotation, origin or annotation, check_of(parts[0] if parts else Any))
    if (origin or annotation) in (dict, Mapping):
        return _mapping(annotation, *(check_of(part) for part in (parts or (Any, Any))))
    return _predicate(annotation, KINDS.get(annotation) or _instance(origin or annotation))


def is_text(value: Any) -> bool:
    """Whether a string can be written into a page: it has no control characters and no lone surrogates."""
    return isinstance(value, str) and (value.isprintable() or not UNSHOWABLE.search(value))


def _is_number(value: Any) -> bool:
    """Whether something is a number that fits a float; infinities and NaN are checked elsewhere."""
    if type(value) is float:
        return True
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except (OverflowError, ValueError, TypeError):
        return False
    return True


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) < 2**63


KINDS: dict[Any, Callable[[Any], bool]] = {
    Any: lambda _: True,
    str: is_text,
    float: _is_number,
    int: _is_whole,
    bool: lambda value: isinstance(value, bool),
    None: lambda value: value is None,
    NoneType: lambda value: value is None,
    object: lambda _: True,
}


def _instance(kind: Any) -> Callable[[Any], bool]:
    if isinstance(kind, TypeVar) or not isinstance(kind, type):
        return KINDS[Any]
    if not issubclass(kind, tuple) or issubclass(kind, Enum):
        return lambda value: isinstance(value, kind)
    return lambda value: (
        isinstance(value, kind) and not any(check(getattr(value, name)) for name, _, check in fields_of(kind))
    )


def _predicate(annotation: Any, holds: Callable[[Any], bool]) -> Check:
    return lambda value: None if holds(value) else Wrong("", value, annotation)


def _within(annotation: Any, check: Check, bounds: Sequence[Between]) -> Check:
    def check_value(value: Any) -> Wrong | None:
        if check(value) or any(not rule.low <= value <= rule.high for rule in bounds):
            return Wrong("", value, annotation)
        return None

    return check_value


def _either(annotation: Any, checks: Sequence[Check]) -> Check:
    def check_value(value: Any) -> Wrong | None:
        found = [check(value) for check in checks]
        if None in found:
            return None
        inner = [wrong for wrong in found if wrong and wrong.way]
        return inner[0] if inner else Wrong("", value, annotation)

    return check_value


def _row(annotation: Any, checks: Sequence[Check]) -> Check:
    def check_value(value: Any) -> Wrong | None:
        if not _is_list(value) or len(value) != len(checks):
            return Wrong("", value, annotation)
        return _first((f"[{at}]", check(one)) for at, (one, check) in enumerate(zip(value, checks, strict=True)))

    return check_value


def _list(annotation: Any, kind: Any, check: Check) -> Check:
    def check_value(value: Any) -> Wrong | None:
        if not isinstance(value, (tuple, list)) if kind in (tuple, list) else not _is_list(value):
            once = kind is Iterable and isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))
            return None if once and not isinstance(value, AbstractSet) else Wrong("", value, annotation)
        return _first((f"[{at}]", check(one)) for at, one in enumerate(value))

    return check_value


def _mapping(annotation: Any, keys: Check, values: Check) -> Check:
    def check_value(value: Any) -> Wrong | None:
        if not isinstance(value, Mapping):
            return Wrong("", value, annotation)
        for key, one in value.items():
            if wrong := keys(key):
                return Wrong(f", its key {described(key)}", *wrong[1:])
            if wrong := values(one):
                return Wrong(f"[{described(key)}]{wrong.way}", *wrong[1:])
        return None

    return check_value


def _is_list(value: Any) -> bool:
    """Whether something is an ordered collection: a list, a tuple, an array."""
    if isinstance(value, (str, bytes, Mapping, AbstractSet)) or not isinstance(value, Collection):
        return False
    return getattr(value, "ndim", 1) > 0 and not isinstance(value, type)


def _first(found: Iterable[tuple[str, Wrong | None]]) -> Wrong | None:
    return next((Wrong(way + wrong.way, *wrong[1:]) for way, wrong in found if wrong), None)
