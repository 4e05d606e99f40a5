"""Pages as they were parsed before, by the hash of everything they were parsed from: one small database."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from loom.cache import own_digest
from loom.model import Source

BATCH = 200  # pages that are looked up, or filed, at once
LIMIT = 256_000_000  # bytes of parsed pages; what was filed last stays
TABLE = "CREATE TABLE IF NOT EXISTS pages (key BLOB PRIMARY KEY, turn INTEGER, packed BLOB) WITHOUT ROWID"


def page_key(source: Source) -> bytes:
    """The hash of all that a parsed page depends on."""
    told = f"{source.id}\0{source.path}\0{source.offset}\0{source.meta!r}\0{source.body}"
    return hashlib.sha256(own_digest() + told.encode("utf-8", "surrogatepass")).digest()


class PageCache:
    """It may be shared, damaged or deleted at any time: a page that can't be read is missing."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.path, self.limit = folder / "pages.sqlite", limit
        self._turn = 0  # of this build; 0 until something is filed

    def recall(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        """Those of the pages that are known."""
        found: dict[bytes, Any] = {}
        if not self.path.exists():
            return found
        with contextlib.suppress(sqlite3.Error, OSError), self._open() as base:
            for start in range(0, len(keys), 500):
                some = keys[start : start + 500]
                marks = ",".join("?" * len(some))
                for key, packed in base.execute(f"SELECT key, packed FROM pages WHERE key IN ({marks})", some):
                    if zlib.crc32(packed[4:]).to_bytes(4, "big") == packed[:4]:
                        found[key] = pickle.loads(packed[4:])
        return found

    def each(self, keys: Sequence[bytes]) -> Iterator[Any]:
        """Those of the pages that are known, one after the other: they need not all lie in memory."""
        for start in range(0, len(keys), BATCH):
            yield from self.recall(keys[start : start + BATCH]).values()

    def keep(self, pages: Iterable[tuple[bytes, Any]]) -> None:
        """File some pages, all or none of them."""
        try:
            self._keep(pages)
        except sqlite3.OperationalError:
            return  # another build holds it, or the disk is full
        except sqlite3.DatabaseError:  # it is no database any more
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
        except OSError:
            return  # a full or read-only disk costs time, and nothing else

    def _keep(self, pages: Iterable[tuple[bytes, Any]]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as base:
            base.execute("PRAGMA synchronous = OFF")
            base.execute(TABLE)
            self._turn = self._turn or 1 + (base.execute("SELECT max(turn) FROM pages").fetchone()[0] or 0)
            for key, page in pages:
                packed = pickle.dumps(page, pickle.HIGHEST_PROTOCOL)
                whole = zlib.crc32(packed).to_bytes(4, "big") + packed
                base.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", (key, self._turn, whole))
            if self.path.stat().st_size > self.limit:
                base.execute("DELETE FROM pages WHERE turn <= ?", (self._turn // 2,))

    @contextlib.contextmanager
    def _open(self) -> Any:
        base = sqlite3.connect(self.path, timeout=5)
        try:
            with base:
                yield base
        finally:
            base.close()
