"""Pieces of a drawing that stay from picture to picture are drawn once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec

from loom.draw.marks import Mark

MOST = 4096  # marks that are kept of a piece: those that were drawn last
Given = ParamSpec("Given")


class _Now(threading.local):
    """Whether pieces are drawn anew in this thread."""

    anew = False


_now = _Now()


def memoized(piece: Callable[Given, Iterable[Mark]]) -> Callable[Given, Iterable[Mark]]:
    """A piece of a drawing that is drawn once for the same arguments: after that its very marks are given again.

    It must depend on nothing but its arguments. Those that can't be compared, as lists, have it drawn each time.
    """
    known = Known()

    @wraps(piece)
    def give(*given: Given.args, **named: Given.kwargs) -> Iterable[Mark]:
        key = (*given, *named.items(), *map(type, given))  # 1 and 1.0 are equal, and not written alike
        try:
            found = known.marks.get(key)
        except TypeError:
            return piece(*given, **named)
        if _now.anew:
            return piece(*given, **named)
        return known.noted(piece(*given, **named), key) if found is None else found

    return give


class Known:
    """The drawings of a piece, by its arguments."""

    def __init__(self) -> None:
        self.marks: dict[Any, tuple[Mark, ...]] = {}
        self.count = 0

    def noted(self, marks: Iterable[Mark], key: Any) -> Iterator[Mark]:
        """Some marks, which are known as soon as all of them were asked for: there may be no end to them."""
        found = []
        for mark in marks:
            found.append(mark)
            yield mark
        if key not in self.marks:
            self.count += len(found) + 1
            self.marks[key] = tuple(found)
        while self.count > MOST and self.marks:
            oldest = next(iter(tuple(self.marks)))  # of a copy: other threads may be drawing, too
            self.count -= len(self.marks.pop(oldest, ())) + 1


@contextmanager
def drawn_anew() -> Iterator[None]:
    """Have every piece drawn as if it was not memoized: whoever looks at how it is drawn has to see it."""
    before, _now.anew = _now.anew, True
    try:
        yield
    finally:
        _now.anew = before
