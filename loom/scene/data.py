"""Data that a scene reads from a JSON file, checked against a type."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from loom.errors import LoomError, Problem

Kind = TypeVar("Kind")


class DataError(LoomError):
    """Data that a scene can't use.

    Parameters
    ----------
    path : str
        The file, from the site's folder on.
    message, hint : str
        What is wrong with it, and what to do.
    """

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(Problem(path, 0, 0, message, hint, "scene"))

    def __reduce__(self) -> tuple[type[LoomError], tuple[Problem, ...]]:
        return LoomError, self.problems


def read_data(path: Path, kind: type[Kind], shown: str = "", hint: str = "") -> Kind:
    """The contents of a JSON file as a dataclass whose fields are checked against their annotations.

    `shown` is the file's path in messages, from the site's folder on; `hint` says how to repair it.

    Raises
    ------
    DataError
        With the place in the file, as `$.series[0].points[3].median`.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.DecodeError as error:
        raise DataError(shown or path.name, str(error), hint) from None
    except OSError as error:
        raise DataError(shown or path.name, f"can't be read: {error.strerror}", hint) from None
