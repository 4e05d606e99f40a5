"""Say what is wrong, where it is, and what to try."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
ENDLESS = "look for a loop that never ends, or give it longer: --scene-timeout SECONDS"
ENDED = "a scene may have ended its process, or memory ran out: try --jobs 1"


class Missing(NamedTuple):
    """What a problem did not find: an address as the site writes it, the anchor in it, the file that should have it.

    Or the keys of the front matter that may be in a part of it that is not read.
    """

    address: str = ""
    anchor: str = ""
    file: str = ""
    front: tuple[str, ...] = ()


NOTHING = Missing()


@dataclass(frozen=True, order=True)
class Problem:
    """A mistake, where it is, and what to try. Lines and columns count from 1; 0 is unknown.

    Programs read the fields and never the message. `rule` names the rule that was broken. `state` is the state of a
    scene in which the mistake shows; one that shows in several is reported once, with the number of the `others`.
    `rows` and `marks` are the numbers of further rows of a table and of further marks of a picture that have it.
    """

    path: str
    line: int
    column: int
    message: str
    hint: str = ""
    rule: str = field(default="", compare=False)
    missing: Missing = field(default=NOTHING, compare=False)
    state: str = ""
    others: int = field(default=0, compare=False)
    rows: int = field(default=0, compare=False)
    marks: int = field(default=0, compare=False)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{place}: {self.summary}" + (f"\n  hint: {self.hint}" if self.hint else "")

    @property
    def summary(self) -> str:
        """The message, with the state in which the mistake shows, and the number of other rows, marks and states."""
        state = f" {self.state}" if self.state else ""
        more = [(self.rows, "row"), (self.marks, "mark")]
        alike = "".join([f", and {count} more {what}{'s' * (count > 1)} like it" for count, what in more if count])
        others = f", and in {self.others} other state{'s' * (self.others > 1)} looked at" if self.others else ""
        return self.message + state + alike + others


class LoomError(Exception):
    """One or more mistakes of an author, never a bug of Loom: bugs keep their traceback."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[LoomError], tuple[Problem, ...]]:
        return type(self), self.problems  # pickled on its way back from a worker


def exception_text(error: BaseException) -> str:
    """The message of an exception; an author's exception may fail to give one."""
    try:
        return str.__str__(str(error))
    except BaseException:  # noqa: BLE001 - an author's __str__ may raise anything
        return "(it can't say what)"


def exception_name(error: BaseException) -> str:
    """The name of an exception's class, even where a metaclass hides it."""
    return str(type.__dict__["__name__"].__get__(type(error)))


def is_interrupt(error: BaseException) -> bool:
    """Whether Ctrl+C was pressed. Workers ignore the signal: a KeyboardInterrupt there was raised by a scene."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


class AbortedError(LoomError):
    """A mistake that ends all work on a scene: its code never ends, or it ends its process."""


class OutOfTime(BaseException):
    """Raised in an author's code that exceeds its time limit."""

    def __init__(self, limit: float) -> None:
        super().__init__(f"it takes longer than {limit:g} s")


def not_utf8(path: str, error: UnicodeDecodeError) -> LoomError:
    """A file that is not UTF-8, at the line of the first byte that is wrong."""
    line = error.object.count(b"\n", 0, error.start) + 1
    return LoomError(Problem(path, line, 0, "this file is not UTF-8", "save it as UTF-8"))


def utf8(raw: bytes, shown: str) -> str:
    """The text of a file; LoomError if it is not UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(shown, error) from None


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Equal mistakes as one: with the first state that shows it, and the number of the others."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for one in problems:
        groups.setdefault((one.path, one.line, one.column, one.message, one.hint), []).append(one)
    return [replace(group[0], others=_others(group)) for group in groups.values()]


def _others(group: Sequence[Problem]) -> int:
    return len({one.state for one in group}) + sum(one.others for one in group) - 1


def with_rule(rule: str, problems: Iterable[Problem]) -> list[Problem]:
    """The problems, those without a rule under this one."""
    return [one if one.rule else replace(one, rule=rule) for one in problems]


def raise_any(problems: Iterable[Problem]) -> None:
    """Raise if there are any problems."""
    found = tuple(problems)
    if found:
        raise LoomError(*found)


def map_all(stage: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Apply `stage` to every item; raise the problems of all items at once, not only those of the first."""
    results: list[Result] = []
    problems: list[Problem] = []
    for item in items:
        try:
            results.append(stage(item))
        except LoomError as error:
            problems += error.problems
    raise_any(problems)
    return results
