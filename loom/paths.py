"""Where Loom's own files lie, and which files of an author's folders are none of a site's.

Only the standard library is imported here, so that an unchanged site is known before anything heavy is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# Templates and static files: in an installed Loom they lie within the package, else beside it, as scenes and content.
OWN = PACKAGE / "files" if (PACKAGE / "files").is_dir() else PACKAGE.parent

INPUTS = ("content", "templates", "static", "scenes")  # the folders of a site that a build reads
INSTALLED = ("site-packages", "dist-packages")  # folders of packages, whose versions every result depends on


def is_ignored(name: str) -> bool:
    """Whether the name of a file or folder is that of an editor's copy, lock or trial, or is hidden.

    What hosts and browsers look for in `.well-known` is published, see RFC 8615.
    """
    if name == ".well-known":
        return False
    copy = name.endswith(("~", ".swp", ".swo", ".swx")) or name == "4913"  # the last is how vim tries a folder
    return copy or name[0] == "." or (name[0] == name[-1] == "#")


def files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files below a folder by their paths in it, in order, without what is ignored and what lies in such."""
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        if path.is_file() and not any(map(is_ignored, within.parts)):
            yield within.as_posix(), path
