"""What a build that was killed left beside its folder, distinguished from what others put there.

Only the standard library is imported here, see loom.build.record.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

MARK = ".loom-staging"  # lies in every staging to its last moment, so that no other folder is taken for one
RANDOM = 8  # characters that `tempfile` puts behind a prefix


def prefix(folder: Path) -> str:
    """How the names of the stagings of a folder begin."""
    return f".{folder.name}-"


def leftovers(folder: Path) -> list[Path]:
    """The stagings beside a folder, also of builds that are under way.

    One that was killed before it could leave its mark is empty, and such a folder is nobody's loss.
    """
    begin, found = prefix(folder), []
    with os.scandir(folder.parent) as entries:
        for entry in entries:
            named = entry.name.startswith(begin) and len(entry.name) == len(begin) + RANDOM
            if named and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):  # it has just gone, or belongs to somebody else
                    left = Path(entry.path)
                    inside = {one.name for one in left.iterdir()}
                    if not inside or MARK in inside:
                        found.append(left)
    return found
