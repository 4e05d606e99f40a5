"""The store of earlier results: one SQLite database of plain data, which may be shared, damaged or deleted any time."""

from __future__ import annotations

import contextlib
import sqlite3
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from loom.build.record import STORE, database
from loom.build.stamps import is_private

LIMIT = 512_000_000  # bytes on disk; the least recently used results are deleted
BATCH = 400  # tasks in one query
# The last use has a table of its own: an update of a long row would rewrite all of it. The files, by far the longest
# and seldom read, are the last column: to reach one behind them, all of their pages on the disk would be read.
TABLES = (
    """CREATE TABLE IF NOT EXISTS traces (id INTEGER PRIMARY KEY, task TEXT, reads BLOB, result BLOB, sums TEXT,
       files BLOB, UNIQUE (task, reads))""",
    "CREATE TABLE IF NOT EXISTS last_used (id INTEGER PRIMARY KEY, build INTEGER)",
)


class Row(NamedTuple):
    """A trace: a task, its encoded dependencies and result; `files` is the part that is seldom needed again."""

    task: str
    reads: bytes
    result: bytes
    files: bytes = b""
    id: int = 0  # in the database


class Store:
    """A database in a folder. Failures are harmless: what can't be read or written is computed again."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.path, self.limit = folder / STORE, limit
        self._build = 0  # the number of this build; 0 until something is written
        self._reader: sqlite3.Connection | None = None  # open while somebody reads files
        self._closing: Callable[[], object] | None = None  # closes it

    def rows(self, tasks: Sequence[str]) -> Iterator[Row]:
        """Every undamaged trace of some tasks, without its files; the most recently used of each task first."""
        for start in range(0, len(tasks), BATCH) if self._is_ours() else ():
            some = tasks[start : start + BATCH]
            marks = ",".join("?" * len(some))
            command = (
                f"SELECT task, reads, result, sums, id FROM traces JOIN last_used USING (id) WHERE task IN ({marks}) "
                "ORDER BY build DESC"
            )
            with contextlib.suppress(sqlite3.Error), database(self.path) as base:
                for task, reads, result, sums, number in base.execute(command, some):
                    if isinstance(sums, str) and sums.split(" ")[0] == checksum(reads, result):
                        yield Row(task, reads, result, id=number)

    def files(self, row: Row) -> bytes | None:
        """The files of a trace."""
        with contextlib.suppress(sqlite3.Error):
            command = "SELECT files, sums FROM traces WHERE task = ? AND reads = ?"
            files, sums = self._open().execute(command, (row.task, row.reads)).fetchone() or (b"", "")
            if isinstance(sums, str) and sums.split(" ")[-1] == checksum(files):
                return bytes(files)
        return None

    def _open(self) -> sqlite3.Connection:
        """The connection that reads files. What reads after the build, as `check` does, need not close it."""
        if not self._reader:
            self._reader = sqlite3.connect(self.path, timeout=5, check_same_thread=False)
            self._closing = weakref.finalize(self, self._reader.close)
        return self._reader

    def close(self) -> None:
        """Close the connection; the next read opens it again."""
        if self._closing:
            self._closing()
        self._reader = None

    def write(self, rows: Iterable[Row], used: Iterable[Row] = ()) -> bool:
        """Write traces, all or none; `used` ones are marked as used in this build."""
        try:
            return self._write(list(rows), list(used))
        except sqlite3.OperationalError:
            return False  # another build holds it, or the disk is full
        except sqlite3.DatabaseError:  # the file is damaged
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
        except OSError:
            pass  # the disk is full or read-only
        return False

    def _write(self, rows: list[Row], used: list[Row]) -> bool:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and not self._is_ours():
            return False
        with database(self.path) as base:
            for table in TABLES:
                base.execute(table)
            self._build = self._build or 1 + (base.execute("SELECT max(build) FROM last_used").fetchone()[0] or 0)
            base.executemany(
                "INSERT OR REPLACE INTO traces (task, reads, result, files, sums) VALUES (?, ?, ?, ?, ?)",
                [(*row[:4], f"{checksum(row.reads, row.result)} {checksum(row.files)}") for row in rows],
            )
            marked = "INSERT OR REPLACE INTO last_used SELECT id, ? FROM traces WHERE task = ? AND reads = ?"
            base.executemany(marked, [(self._build, row.task, row.reads) for row in rows])
            base.executemany("UPDATE last_used SET build = ? WHERE id = ?", [(self._build, row.id) for row in used])
            if self.path.stat().st_size > self.limit:
                self._trim(base)
        return True

    def _trim(self, base: sqlite3.Connection) -> None:
        """Delete the least recently used results, down to half of the limit."""
        total = 0
        sizes = """SELECT ifnull(build, 0), sum(length(result) + length(files))
                   FROM traces LEFT JOIN last_used USING (id) GROUP BY 1 ORDER BY 1 DESC"""
        for build, size in base.execute(sizes).fetchall():
            total += size
            if total > self.limit // 2 and build < self._build:
                newer = "SELECT id FROM last_used WHERE build > ?"
                base.execute(f"DELETE FROM traces WHERE id NOT IN ({newer})", (build,))
                base.execute("DELETE FROM last_used WHERE id NOT IN (SELECT id FROM traces)")
                break
        base.commit()
        base.execute("VACUUM")

    def _is_ours(self) -> bool:
        """Whether the file is there and belongs to this user, and no other user may write to it."""
        try:
            return is_private(self.path.lstat())
        except OSError:
            return False


class MemoryStore(Store):
    """The store of a server without a cache: it keeps the last trace of each task in memory."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}

    def rows(self, tasks: Sequence[str]) -> Iterator[Row]:
        return (self._rows[task] for task in tasks if task in self._rows)

    def files(self, row: Row) -> bytes | None:
        return self._rows[row.task].files

    def close(self) -> None:
        pass

    def write(self, rows: Iterable[Row], used: Iterable[Row] = ()) -> bool:
        self._rows |= {row.task: row for row in rows}
        return True


def checksum(*parts: bytes) -> str:
    """A checksum that finds damaged rows."""
    total = 0
    for part in parts:
        total = zlib.crc32(part, total)
    return f"{total:08x}"
