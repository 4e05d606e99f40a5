"""Hints where Python only says that a name or an argument is missing: the nearest name, or what the field is for."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from functools import reduce
from pathlib import Path
from types import FrameType
from typing import Any

import loom.draw
import loom.scene
from loom.errors import exception_text
from loom.hints import suggest
from loom.scenes.importer import PREFIX

UNEXPECTED = re.compile(r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'")
MISSING = re.compile(r"([\w.]+)\.__init__\(\) missing \d+ required [\w-]+ arguments?: '(\w+)'")
NOT_THERE = re.compile(r"cannot import name '(\w+)'")
CIRCLE = "two files import each other: let one do without, or move what both need into a third"
DOTS = "two dots are the folder of all scenes; files of a scene need one, as 'from .model import …'"
INSTALL = "mend its name, or install it where Loom runs; files of a scene need a dot, as 'from .model import …'"


def nearest_name(error: BaseException) -> str:
    """A hint for an exception about a name or an argument that is not there, or none."""
    try:
        return _hint(error)
    except (Exception, SystemExit):  # noqa: BLE001 - an author's object may raise anything when its names are asked for
        return ""


def _hint(error: BaseException) -> str:
    said = exception_text(error)
    if isinstance(error, ModuleNotFoundError):
        package, _, file = (error.name or "").rpartition(".")
        return _own_file(package, file) if package.startswith(PREFIX) else INSTALL
    if isinstance(error, ImportError) and (found := NOT_THERE.search(said)):
        return CIRCLE if "partially initialized" in said else _near(found[1], dir(sys.modules[error.name or ""]))
    if isinstance(error, NameError):
        return _import(error.name or "") or _near(error.name or "", _seen(_frame(error)))
    if isinstance(error, AttributeError):
        return _near(error.name or "", dir(error.obj))
    if isinstance(error, TypeError) and (found := UNEXPECTED.match(said)):
        parameters = inspect.signature(_called(found[1], _frame(error))).parameters
        return suggest(found[2], [name for name in parameters if name != "self"])
    if isinstance(error, TypeError) and (found := MISSING.match(said)):
        return f"'{found[2]}': {_purpose(_called(found[1], _frame(error)), found[2])}"
    return ""


def _import(name: str) -> str:
    """A hint to import a name that Loom offers to scenes; empty for other names."""
    homes = [module.__name__ for module in (loom.scene, loom.draw) if name in module.__all__]
    return f"import it: from {homes[0]} import {name}" if homes else ""


def _seen(frame: FrameType) -> set[str]:
    return {*frame.f_locals, *frame.f_globals, *dir(builtins)}


def _near(wrong: str, known: Iterable[str]) -> str:
    """The nearest of many names: capitals count, and a list of them all would help nobody."""
    near = get_close_matches(wrong, [name for name in known if not name.startswith("_")], n=1)
    return f"did you mean '{near[0]}'?" if near else ""


def _own_file(package: str, wrong: str) -> str:
    """The nearest file of a scene's folder, or what scenes share."""
    if "." not in package:
        folders = Path(sys.modules[package].__path__[0]).glob("_[!_]*/")
        return suggest(wrong, [folder.name for folder in folders], DOTS)
    return suggest(wrong, [path.stem for path in Path(sys.modules[package].__path__[0]).glob("[!_]*.py")])


def _frame(error: BaseException) -> FrameType:
    """Where an exception was raised."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    assert trace
    return trace.tb_frame


def _purpose(cls: type, field: str) -> str:
    from loom.content.schema import descriptions  # reads YAML: only after a mistake

    return descriptions(cls)[field]


def _called(qualified: str, frame: FrameType) -> Any:
    """A function or class by its qualified name, as it is known where it was called, or to Loom's authors."""
    first, *rest = qualified.split(".")
    return reduce(getattr, rest, {**vars(loom.draw), **vars(loom.scene), **frame.f_globals}[first])
