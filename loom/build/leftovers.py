"""Find the staging folders that killed builds left behind, and tell them from other folders.

Only the standard library is imported here, see loom.build.record.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

STAGING = ".loom-staging"  # a file in every staging folder, deleted last; it tells them from other folders
RANDOM = 8  # characters that `tempfile` appends to a prefix


def prefix(folder: Path) -> str:
    """The beginning of the names of a folder's staging folders."""
    return f".{folder.name}-"


def leftovers(folder: Path) -> list[Path]:
    """The staging folders beside a folder, also those of running builds.

    An empty one counts, too: its build was killed before it could write the mark, and nothing is lost with it.
    """
    begin, found = prefix(folder), []
    with os.scandir(folder.parent) as entries:
        for entry in entries:
            named = entry.name.startswith(begin) and len(entry.name) == len(begin) + RANDOM
            if named and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):  # deleted meanwhile, or not readable
                    left = Path(entry.path)
                    inside = {one.name for one in left.iterdir()}
                    if not inside or STAGING in inside:
                        found.append(left)
    return found
