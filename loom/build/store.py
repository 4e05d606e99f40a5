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
    "CREATE TABLE IF NOT EXISTS uses (id INTEGER PRIMARY KEY, build INTEGER, verified BLOB)",
)


class Row(NamedTuple):
    """A trace: a task, its encoded dependencies and result; `files` is the part that is seldom needed again.

    `verified` is the digest of the data that answered its questions at its last use, see `Engine.answer_from`.
    """

    task: str
    reads: bytes
    result: bytes
    files: bytes = b""
    id: int = 0  # in the database
    verified: bytes = b""


class Store:
    """A database in a folder. Failures are harmless: what can't be read or written is computed again."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.path, self.limit = folder / STORE, limit
        self._build = 0  # the number of this build; 0 until something is written
        self._reader: sqlite3.Connection | None = None  # open while somebody reads files
        self._closing: Callable[[], object] | None = None  # closes it

    def rows(self, tasks: Sequence[str]) -> Iterator[Row]:
        """Every undamaged trace of some tasks, without its files; the most recently used of each task first."""
        return self._rows(tasks, "WHERE task IN ({}) ORDER BY build DESC")

    def latest(self, tasks: Sequence[str]) -> Iterator[Row]:
        """The most recently used trace of each task, if it is undamaged."""
        # Beside `max`, SQLite takes the other columns from the row that has the maximum.
        newest = "SELECT id, max(build) FROM traces JOIN uses USING (id) WHERE task IN ({}) GROUP BY task"
        return self._rows(tasks, f"WHERE id IN (SELECT id FROM ({newest}))")

    def _rows(self, tasks: Sequence[str], which: str) -> Iterator[Row]:
        for start in range(0, len(tasks), BATCH) if self._is_ours() else ():
            some = tasks[start : start + BATCH]
            columns = "SELECT task, reads, result, sums, id, verified FROM traces JOIN uses USING (id) "
            command = columns + which.format(",".join("?" * len(some)))
            with contextlib.suppress(sqlite3.Error), database(self.path) as base:
                for task, reads, result, sums, number, verified in base.execute(command, some):
                    if isinstance(sums, str) and sums.split(" ")[0] == checksum(reads, result):
                        yield Row(task, reads, result, id=number, verified=verified)

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
            self._build = self._build or 1 + (base.execute("SELECT max(build) FROM uses").fetchone()[0] or 0)
            base.executemany(
                "INSERT OR REPLACE INTO traces (task, reads, result, files, sums) VALUES (?, ?, ?, ?, ?)",
                [(*row[:4], f"{checksum(row.reads, row.result)} {checksum(row.files)}") for row in rows],
            )
            marked = "INSERT OR REPLACE INTO uses SELECT id, ?, ? FROM traces WHERE task = ? AND reads = ?"
            base.executemany(marked, [(self._build, row.verified, row.task, row.reads) for row in rows])
            again = [(self._build, row.verified, row.id) for row in used]
            base.executemany("UPDATE uses SET build = ?, verified = ? WHERE id = ?", again)
            if self.path.stat().st_size > self.limit:
                self._trim(base)
        return True

    def _trim(self, base: sqlite3.Connection) -> None:
        """Delete the least recently used results, down to half of the limit."""
        total = 0
        sizes = """SELECT ifnull(build, 0), sum(length(result) + length(files))
                   FROM traces LEFT JOIN uses USING (id) GROUP BY 1 ORDER BY 1 DESC"""
        for build, size in base.execute(sizes).fetchall():
            total += size
            if total > self.limit // 2 and build < self._build:
                newer = "SELECT id FROM uses WHERE build > ?"
                base.execute(f"DELETE FROM traces WHERE id NOT IN ({newer})", (build,))
                base.execute("DELETE FROM uses WHERE id NOT IN (SELECT id FROM traces)")
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
        self._held: dict[str, Row] = {}

    def rows(self, tasks: Sequence[str]) -> Iterator[Row]:
        return (self._held[task] for task in tasks if task in self._held)

    def latest(self, tasks: Sequence[str]) -> Iterator[Row]:
        return self.rows(tasks)

    def files(self, row: Row) -> bytes | None:
        return self._held[row.task].files

    def close(self) -> None:
        pass

    def write(self, rows: Iterable[Row], used: Iterable[Row] = ()) -> bool:
        for row in used:
            self._held[row.task] = self._held[row.task]._replace(verified=row.verified)
        self._held |= {row.task: row for row in rows}
        return True


def checksum(*parts: bytes) -> str:
    """A checksum that finds damaged rows."""
    total = 0
    for part in parts:
        total = zlib.crc32(part, total)
    return f"{total:08x}"
