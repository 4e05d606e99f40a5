"""Data that a scene reads from a JSON file, checked against a type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from loom.errors import LoomError, Problem

Kind = TypeVar("Kind")
BYTE = re.compile(r" \(byte (\d+)\)")


class DataError(LoomError):
    """Data that a scene can't use.

    Parameters
    ----------
    path : str
        The file, from the site's folder on.
    message, hint : str
        What is wrong with it, and what to do.
    line : int
        The line of the file, from 1; 0 is unknown.
    """

    def __init__(self, path: str, message: str, hint: str = "", line: int = 0) -> None:
        super().__init__(Problem(path, line, 0, message, hint, "scene"))

    def __reduce__(self) -> tuple[type[LoomError], tuple[Problem, ...]]:
        return LoomError, self.problems


def read_data(path: Path, kind: type[Kind], shown: str = "", hint: str = "") -> Kind:
    """The contents of a JSON file as a dataclass whose fields are checked against their annotations.

    `shown` is the file's path in messages, from the site's folder on; a file in `scenes/` has one already.
    `hint` says how to repair it.

    Raises
    ------
    DataError
        With the line where it is no JSON, or the place in it, as `$.series[0].points[3].median`.
    """
    shown, raw = shown or _from_scenes(path.parts), b""
    try:
        raw = path.read_bytes()
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        at = BYTE.search(str(error))
        line = raw.count(b"\n", 0, int(at[1])) + 1 if at else 0
        raise DataError(shown, BYTE.sub("", str(error)), hint, line) from None
    except OSError as error:
        raise DataError(shown, f"can't be read: {error.strerror}", hint or "put it there, or mend its name") from None


def _from_scenes(parts: Sequence[str]) -> str:
    """A path from the folder of scenes on, or else the file's name."""
    at = max([at for at, part in enumerate(parts) if part == "scenes"], default=-1)
    return "/".join(parts[at:])
