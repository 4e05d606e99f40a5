"""The build record of a folder: what was read and written, so that the next build knows whether anything is to do.

Only the standard library is imported here, see loom.build.stamps.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from loom.build.leftovers import leftovers
from loom.build.stamps import Outputs, inputs, outputs, summary

STORE = "store.sqlite"  # of loom.build.store, too
TABLE = """CREATE TABLE IF NOT EXISTS builds
           (folder TEXT PRIMARY KEY, settings TEXT, inputs TEXT, outputs TEXT, others TEXT, lines TEXT, files TEXT)"""


class Record(NamedTuple):  # importing `dataclasses` would take longer than all the rest
    """Digests of the stamps of inputs and outputs; other files that were read; and the lines that were printed."""

    inputs: str
    outputs: str
    others: tuple[str, ...]
    lines: tuple[str, ...]


class Records:
    """The records of a site, one for each folder that it was built into."""

    def __init__(self, folder: Path | None, root: Path, out: Path, settings: Iterable[object]) -> None:
        self.path = folder / STORE if folder else None  # None: there is no cache
        self.root, self.out = str(root), out.absolute()
        self.settings = "\n".join([self.root, *map(str, settings)])

    def read(self) -> Record | None:
        """The record, if there is one for these settings."""
        row = self._row("inputs, outputs, others, lines")
        return Record(row[0], row[1], tuple(row[2].splitlines()), tuple(row[3].splitlines())) if row else None

    def files(self) -> dict[str, bytes]:
        """The digests of the files that were written, by their paths."""
        row = self._row("files")
        try:
            return {path: bytes.fromhex(found) for found, path in (one.split(" ", 1) for one in row[0].splitlines())}
        except (ValueError, IndexError):
            return {}

    def written(self) -> str:
        """The digest of the files that were written, see `outputs_digest`."""
        return next(iter(self._row("outputs")), "")

    def unchanged(self, record: Record) -> bool:
        """Whether inputs and outputs are unchanged, and no killed build left anything behind."""
        now = inputs(self.root, record.others)
        same = () not in now.values() and summary(now) == record.inputs
        return same and outputs_digest(outputs(str(self.out))) == record.outputs and not leftovers(self.out.resolve())

    def write(self, record: Record, files: Mapping[str, bytes]) -> None:
        """Record a build."""
        listed = "\n".join(f"{found.hex()} {path}" for path, found in files.items())
        others, lines = "\n".join(record.others), "\n".join(record.lines)
        row = (str(self.out), self.settings, record.inputs, record.outputs, others, lines, listed)
        if not self.path:
            return
        with contextlib.suppress(sqlite3.Error, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with database(self.path) as base:
                base.execute(TABLE)
                base.execute("INSERT OR REPLACE INTO builds VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def _row(self, columns: str) -> tuple[str, ...]:
        if not (self.path and self.path.exists()):
            return ()
        command = f"SELECT {columns} FROM builds WHERE folder = ? AND settings = ?"
        with contextlib.suppress(sqlite3.Error, OSError), database(self.path) as base:
            row = base.execute(command, (str(self.out), self.settings)).fetchone() or ()
            return tuple(row) if all(isinstance(one, str) for one in row) else ()
        return ()


def outputs_digest(outputs: Outputs) -> str:
    """The digest of the stamps of a site's files."""
    return f"{summary(outputs.stamps)} {outputs.touched}"


@contextlib.contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the database of records and traces, for one transaction."""
    base = sqlite3.connect(path, timeout=5)
    try:
        base.execute("PRAGMA synchronous = OFF")  # waiting for the disk may take longer than the build; it is a cache
        with base:
            yield base
    finally:
        base.close()
