"""Where Loom's own files lie, and which files in an author's folders are ignored.

Only the standard library is imported here: that a site is unchanged is found out before anything slow is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# Templates, static files, scenes and content: within the package if Loom is installed, else beside it.
OWN = PACKAGE / "files" if (PACKAGE / "files").is_dir() else PACKAGE.parent

INPUTS = ("content", "templates", "static", "scenes")  # the folders of a site that a build reads
INSTALLED = ("site-packages", "dist-packages")  # folders of packages, whose versions every result depends on


def is_ignored(name: str) -> bool:
    """Whether a file or folder is hidden, or an editor's backup, swap or lock file, by its name.

    `.well-known` is published, because hosts and browsers look for files in it, see RFC 8615.
    """
    if name == ".well-known":
        return False
    copy = name.endswith(("~", ".swp", ".swo", ".swx")) or name == "4913"  # vim tests with it whether it may write
    return copy or name[0] == "." or (name[0] == name[-1] == "#")


def files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files below a folder by their paths in it, in order, without ignored files and folders."""
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        if path.is_file() and not any(map(is_ignored, within.parts)):
            yield within.as_posix(), path
