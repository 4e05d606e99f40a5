"""Let a folder take the place of another at once."""

from __future__ import annotations

import os
from pathlib import Path

OLD = "old"  # where the other one lies while it takes two renames


def exchange(fresh: Path, folder: Path) -> Path:
    """In one step where the system can; else two renames, and should the second fail, the first is undone.

    Where the other folder lies afterwards, if there was one.
    """
    old = fresh
    if folder.exists() and not _at_once(fresh, folder):
        old = fresh.with_name(OLD)
        folder.rename(old)
        try:
            fresh.rename(folder)
        except OSError:
            old.rename(folder)
            raise
    elif not folder.exists():
        fresh.rename(folder)
    return old


def _at_once(one: Path, other: Path) -> bool:
    """Let two folders take each other's place at once: no moment, and no kill, finds neither there."""
    import ctypes

    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(exchange(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)
