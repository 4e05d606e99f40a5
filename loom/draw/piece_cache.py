"""A cache for pieces of drawings that are the same in many pictures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec

from loom.draw.marks import Mark

MOST = 4096  # marks that are cached of a piece; then the oldest go, a quarter at once
Given = ParamSpec("Given")


class _Now(threading.local):
    """Whether the cache is bypassed in this thread."""

    anew = False


_now = _Now()


def memoized(piece: Callable[Given, Iterable[Mark]]) -> Callable[Given, Iterable[Mark]]:
    """Cache the marks of a piece of a drawing by its arguments.

    The piece must depend on nothing but its arguments. With arguments that can't be hashed, such as lists, it is drawn
    each time.
    """
    known = Known()

    @wraps(piece)
    def give(*given: Given.args, **named: Given.kwargs) -> Iterable[Mark]:
        key = (
            *given,
            *named.items(),
            *map(type, (*given, *named.values())),
        )  # 1 == 1.0, but reads otherwise
        try:
            found = known.marks.get(key)
        except TypeError:
            return piece(*given, **named)
        if _now.anew:
            return piece(*given, **named)
        return known.noted(piece(*given, **named), key) if found is None else iter(found)

    return give


class Known:
    """The cached marks of a piece, by its arguments."""

    def __init__(self) -> None:
        self.marks: dict[Any, tuple[Mark, ...]] = {}
        self.count = 0

    def noted(self, marks: Iterable[Mark], key: Any) -> Iterator[Mark]:
        """Pass marks on, and cache them once all have been consumed: an author's generator may never end."""
        found = []
        for mark in marks:
            found.append(mark)
            yield mark
        if key not in self.marks:
            self.count += len(found) + 1
            self.marks[key] = tuple(found)
        if self.count > MOST:
            for oldest in tuple(self.marks):  # a copy: other threads may draw at the same time
                self.count -= len(self.marks.pop(oldest, ())) + 1
                if self.count <= 3 * MOST // 4:
                    break


@contextmanager
def drawn_anew() -> Iterator[None]:
    """Bypass the cache: `loom.scenes.diagnose` must see every call that draws."""
    before, _now.anew = _now.anew, True
    try:
        yield
    finally:
        _now.anew = before
