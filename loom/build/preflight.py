"""Check a site's folders before anything in them is read: names, permissions, and sizes of files."""

from __future__ import annotations

import errno
import math
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from loom.content.files import SETTINGS, outside_links, unreadable
from loom.content.load import READ
from loom.errors import Problem
from loom.paths import INPUTS, is_ignored
from loom.render.assets import OWN
from loom.render.templates import KINDS

TEXT_LIMIT = 10_000_000  # bytes of a file that is parsed
FILE_LIMIT = 50_000_000  # bytes of any other file, such as a picture
RENAME = "rename it: in the names of files use letters, digits, '-', '_' and '.' only"


def input_problems(root: Path, names: Iterable[str] = INPUTS) -> Iterator[Problem]:
    """The problems of the files and folders of a site, apart from their contents."""
    for name in names:
        if (root / name).is_dir():
            yield from _folder_problems(root / name)


def _folder_problems(folder: Path) -> Iterator[Problem]:
    """The problems in one of the site's folders."""
    links: list[str] = []
    waiting = [""]
    while waiting:
        within = waiting.pop()
        try:
            with os.scandir(folder / within) as found:
                entries = list(found)
        except (FileNotFoundError, NotADirectoryError):  # deleted meanwhile
            continue
        except OSError as error:
            yield unreadable(shown(f"{folder.name}/{within}".rstrip("/")), error, "folder")
            continue
        for entry in entries:
            inner = f"{within}/{entry.name}".lstrip("/")
            if _is_unread(folder.name, entry.name):
                continue
            if shown(inner) != inner:
                yield Problem(shown(f"{folder.name}/{inner}"), 0, 0, "this name is not UTF-8", RENAME)
                continue
            if entry.is_symlink() and os.path.exists(entry.path):  # noqa: PTH110 - Path raises where it may not look
                links.append(inner)
            yield from _entry_problems(folder.name, inner, entry)
            if _is_entered(folder.name, within, entry):
                waiting.append(inner)
    if folder.name in ("static", "templates"):  # links in content/ are checked in loom.content.load
        yield from outside_links(folder, links)


def shown(name: str) -> str:
    """A name for messages: bytes that are not UTF-8 are written as `\\xe9`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _is_unread(room: str, name: str) -> bool:
    return is_ignored(name) or name == "__pycache__" or (room == "content" and name[0] == "_")


def _is_entered(room: str, within: str, entry: os.DirEntry[str]) -> bool:
    """Whether a folder is searched. Links to folders are followed only for scenes, which may lie elsewhere."""
    try:
        return entry.is_dir(follow_symlinks=room == "scenes" and not within)
    except OSError:
        return False


def _entry_problems(room: str, inner: str, entry: os.DirEntry[str]) -> Iterator[Problem]:
    """The problems of one file, or of a folder that stands where a file is expected."""
    path = f"{room}/{inner}"
    try:
        found = entry.stat()
    except PermissionError as error:
        yield unreadable(path, error)
        return
    except OSError:  # a broken or circular symbolic link
        return
    if stat.S_ISDIR(found.st_mode) and _expects_file(room, inner):
        yield unreadable(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    if room == "scenes" or not stat.S_ISREG(found.st_mode):  # scenes may read any file
        return
    if not os.access(entry.path, os.R_OK):
        yield unreadable(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    parsed = _is_parsed(room, inner)
    limit = TEXT_LIMIT if parsed else FILE_LIMIT
    if found.st_size > limit:
        message = f"this file has {math.ceil(found.st_size / 1e5) / 10:,} MB, and may have {limit // 1_000_000}"
        hint = "split it" if parsed else "make it smaller, or let another host have it and link to it"
        yield Problem(path, 0, 0, message, hint)


def _is_parsed(room: str, inner: str) -> bool:
    """Whether a file is parsed, and not only copied into the site."""
    if room == "content":
        return inner.endswith(READ) or inner in SETTINGS
    return room == "templates" or (inner.split("/")[0] in OWN and inner.endswith((".js", ".css")))


def _expects_file(room: str, inner: str) -> bool:
    """Whether Loom expects a file of this name: settings, templates, scripts and styles."""
    if room == "content":
        return inner in SETTINGS
    if room == "templates":
        return inner.endswith((*KINDS, ".yml"))
    return room == "static" and _is_parsed(room, inner)
