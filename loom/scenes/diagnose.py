"""Find the author's line behind a mistake that shows inside Loom's drawing code.

Checking the arguments of every drawing call would be too slow. When something was wrong, the frame is drawn once more
under a profiler hook: it checks every call from the author's files into `loom.draw` against its annotations, or notes
the line that gives each mark.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, GenericAlias
from typing import Any, NamedTuple, Unpack, get_args, get_origin, get_type_hints

import loom.draw
from loom.draw.marks import Mark
from loom.draw.piece_cache import drawn_anew, memoized
from loom.errors import OutOfTime, is_interrupt
from loom.expected import Mistaken, mistakes
from loom.hints import suggest
from loom.paths import PACKAGE

Hook = Callable[[FrameType, str, Any], None]
MOST = 10_000  # members of an iterator that are checked; it may never end


class Piece(NamedTuple):
    """A function of `loom.draw`: its name, and the annotations of its arguments."""

    name: str
    hints: dict[str, Any]


def explained(error: BaseException, again: Callable[[], object], folder: Path) -> BaseException:
    """The wrong argument behind an exception that was raised in Loom's own code; otherwise the exception itself."""
    if isinstance(error, Mistaken) or not isinstance(error, Exception):
        return error
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    if not (Path(last).is_relative_to(PACKAGE) or last.startswith("<")) or is_own(last, folder):
        return error
    return first_bad_argument(again, folder) or error


def first_bad_argument(again: Callable[[], object], folder: Path) -> Mistaken | None:
    """The first wrong argument that the author's code passes to `loom.draw` when `again` is called."""
    return _watched(again, _call_checker(folder))


def lines_of_marks(again: Callable[[], object], folder: Path) -> dict[str, tuple[Path, int]]:
    """The author's file and line that gave each mark, by its key, when `again` was called: the last, if several did.

    The empty key has the first line that gave something else than a mark.
    """
    lines: dict[str, tuple[Path, int]] = {}
    _watched(again, _line_finder(folder, lines))
    return lines


def _watched(again: Callable[[], object], hook: Hook) -> Mistaken | None:
    """Draw anew under a profiler hook; return what it raises."""
    before = sys.getprofile()
    sys.setprofile(hook)
    try:
        with drawn_anew():
            again()
    except Mistaken as mistaken:
        return mistaken
    except BaseException as error:  # usually the one of the first time
        if is_interrupt(error) or isinstance(error, OutOfTime):
            raise
        return None
    finally:
        sys.setprofile(before)
    return None


def _line_finder(folder: Path, lines: dict[str, tuple[Path, int]]) -> Hook:
    given: dict[str, Mark] = {}

    def hook(frame: FrameType, event: str, result: Any) -> None:
        if event != "return":  # it is said of a 'yield' as well
            return
        own = next((one for one in _callers(frame) if is_own(one.f_code.co_filename, folder)), None)
        if own and isinstance(result, Mark) and isinstance(result.key, str) and given.get(result.key) is not result:
            given[result.key] = result  # on its way from a piece to the picture, a mark passes by several lines
            lines[result.key] = Path(own.f_code.co_filename), own.f_lineno
        elif own is frame and _is_picture(frame, folder) and result is not None and not isinstance(result, Mark):
            lines.setdefault("", (Path(own.f_code.co_filename), own.f_lineno))

    return hook


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame, and those that called it."""
    while frame:
        yield frame
        frame = frame.f_back


def _is_picture(frame: FrameType, folder: Path) -> bool:
    """Whether a generator of the author's gives its results to Loom."""
    caller = frame.f_back
    generates = frame.f_code.co_flags & inspect.CO_GENERATOR
    return bool(generates and caller and not is_own(caller.f_code.co_filename, folder))


def _call_checker(folder: Path) -> Hook:
    def hook(frame: FrameType, event: str, _: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        while caller and caller.f_code.co_filename == memoized.__code__.co_filename:  # skip the cache's wrapper
            caller = caller.f_back
        if event != "call" or not caller or not is_own(caller.f_code.co_filename, folder):
            return
        piece = pieces().get(code)
        if not piece:
            return
        for name, value in frame.f_locals.items():
            if name in piece.hints and (wrong := _wrong(piece, name, value)):
                raise Mistaken(*wrong)

    return hook


def _wrong(piece: Piece, name: str, value: Any) -> list[tuple[str, str]]:
    hint = piece.hints[name]
    if isinstance(value, Iterator) and get_origin(hint) is Iterable:  # consumed here: this drawing is discarded
        value = list(islice(value, MOST))
    if get_origin(hint) is not Unpack:
        return mistakes(f"{piece.name}: '{name}'", value, hint)
    known = get_type_hints(get_args(hint)[0])
    names = {*known, *piece.hints} - {name, "return"}
    unknown = [(f"{piece.name}: unknown argument '{key}'", suggest(key, names)) for key in value if key not in known]
    return unknown or [
        wrong for key, one in value.items() for wrong in mistakes(f"{piece.name}: '{key}'", one, known[key])
    ]


@lru_cache(256)
def is_own(file: str, folder: Path) -> bool:
    """Whether a file lies in the folder of scenes."""
    return Path(file).resolve().is_relative_to(folder.parent.resolve())


@lru_cache(1)
def pieces() -> dict[CodeType, Piece]:
    """All functions and methods of `loom.draw`, by their code objects."""
    found = {}
    for name in loom.draw.__all__:
        piece = getattr(loom.draw, name)
        for called, function, hints in _functions(name, piece) if isinstance(piece, type) else [(name, piece, None)]:
            function = inspect.unwrap(function)
            hints = hints or get_type_hints(function, include_extras=True)
            found[function.__code__] = Piece(called, hints | _rest(function, hints))
    return found


def _rest(function: Any, hints: dict[str, Any]) -> dict[str, Any]:
    """The annotation of `*rest` as one of a tuple; it is written for each member."""
    rest = [one.name for one in inspect.signature(function).parameters.values() if one.kind is one.VAR_POSITIONAL]
    return {name: GenericAlias(tuple, (hints[name], ...)) for name in rest if name in hints}


def _functions(name: str, kind: type) -> Iterator[tuple[str, Any, dict[str, Any] | None]]:
    """The constructor of a class, whose arguments are its fields, and its methods."""
    maker = kind.__new__ if issubclass(kind, tuple) else kind.__init__
    yield name, maker, get_type_hints(kind, include_extras=True)
    for method, function in vars(kind).items():
        if inspect.isfunction(function) and not method.startswith("_"):
            yield f"{name}.{method}", function, None
