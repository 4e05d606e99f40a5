"""The files of `content/`: which there are, names that none of them may have, and what is in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from loom.content.characters import control_character
from loom.errors import LoomError, Problem, not_utf8
from loom.paths import is_ignored

PAGE_NAME = re.compile(r"[\w.\-]+(/[\w.\-]+)*\Z", re.ASCII)
MARKDOWN = frozenset([".md", ".markdown", ".mdown", ".mkd"])


def content_folder(root: Path) -> Path:
    """Where a site's pages lie."""
    content = root / "content"
    if not content.is_dir():
        hint = "give --root DIR, or begin a site with 'new site DIR'"
        raise LoomError(Problem("content", 0, 0, f"there is no folder 'content' in {root}", hint))
    return content


def files_below(content: Path) -> Iterator[str]:
    """The files below a folder, by their paths in it, without what is hidden or an editor's."""
    for folder, inner, files in os.walk(content):
        inner[:] = [name for name in inner if name[0] not in "._"]
        within = folder[len(str(content)) + 1 :].replace(os.sep, "/")
        for name in files:
            if name[0] != "_" and not is_ignored(name) and Path(folder, name).is_file():  # else a link to nowhere
                yield f"{within}/{name}".lstrip("/")


def led_out(content: Path, names: Iterable[str]) -> Iterator[Problem]:
    """Links to files outside the site's folder: they would be published."""
    root = content.parent.resolve()
    for name in names:
        path = content / name
        if path.is_symlink() and not (target := path.resolve()).is_relative_to(root):
            message = f"this is a link to {target}, outside the site"
            yield Problem(f"content/{name}", 0, 0, message, "copy the file: what lies in content/ is published")


def misnamed(names: Iterable[str]) -> Iterator[tuple[str, Problem]]:
    """Markdown that would be published as it is, for it is not called a page."""
    for name in names:
        if not name.endswith(".md") and (path := PurePosixPath(name)).suffix.lower() in MARKDOWN:
            hint = f"rename it to {path.with_suffix('.md').name}"
            yield name, Problem(f"content/{name}", 0, 0, f"a page's file ends with '.md', not '{path.suffix}'", hint)


def read_text(path: Path, shown: str) -> str:
    """A UTF-8 file with `\\n` line ends."""
    return decoded(path.read_bytes(), shown)


def decoded(raw: bytes, shown: str) -> str:
    """UTF-8 as text with `\\n` line ends and without characters that can't be seen."""
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise not_utf8(shown, error) from None
    if found := control_character(text):
        line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
        message = f"the character U+{ord(found.group()):04X} can't stand in a page"
        raise LoomError(Problem(shown, line, column, message, "it can't be seen: delete it"))
    return text
