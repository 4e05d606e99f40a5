"""The files of `content/`: their names and their contents."""

from __future__ import annotations

import errno
import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from loom.addresses import FOLDER_PAGES
from loom.errors import LoomError, Problem, utf8
from loom.paths import is_ignored

PAGE_NAME = re.compile(r"[\w.\-]+(/[\w.\-]+)*\Z", re.ASCII)
MARKDOWN = frozenset([".md", ".markdown", ".mdown", ".mkd"])
HUGO_INDEX = "_index.md"  # the page of a folder, though its name begins as those of private files
REFERENCES = ("references.yml", "references.bib", "references.json")  # YAML, BibTeX and CSL-JSON
SETTINGS = ("site.yml", "glossary.yml", *REFERENCES)
MAY_READ = "let the one who builds read it"
TO_DO = {errno.EACCES: MAY_READ, errno.EPERM: MAY_READ, errno.EISDIR: "put a file in the place of this folder",
         errno.ENOENT: "it has just gone: build again",
         errno.ENOTDIR: "put a folder in the place of the file that is called as one of its folders"}  # fmt: skip
LARGEST = 2**53  # of integers: larger ones are not exact in JavaScript
# Control characters and noncharacters of Unicode: HTML has no way to write them.
CONTROL = re.compile(
    "[\\0-\\x08\\x0b\\x0e-\\x1f\\x7f-\\x9f\\ufdd0-\\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)) + "]"
)  # fmt: skip


def content_folder(root: Path) -> Path:
    """The folder of a site's pages; LoomError if there is none."""
    content = root / "content"
    if not content.is_dir():
        hint = "give --root DIR, or begin a site with 'new site DIR'"
        raise LoomError(Problem("content", 0, 0, f"there is no folder 'content' in {root}", hint))
    return content


def files_below(content: Path) -> Iterator[str]:
    """The files below a folder, by their paths in it, without what is private, hidden, an editor's or a broken link."""
    for folder, inner, files in os.walk(content):
        inner[:] = [name for name in inner if name[0] not in "._"]
        within = folder[len(str(content)) + 1 :].replace(os.sep, "/")
        for name in files:
            private = name[0] == "_" and name != HUGO_INDEX
            if not private and not is_ignored(name) and os.path.isfile(f"{folder}/{name}"):  # noqa: PTH113
                yield f"{within}/{name}".lstrip("/")


def page_files(names: Iterable[str]) -> dict[str, str]:
    """Pages, and the file of each. In a folder without index.md, _index.md or README.md is its page."""
    pages = {name.removesuffix(".md"): name for name in names if name.endswith(".md")}
    for called in FOLDER_PAGES:
        for page in list(pages):
            folder, _, last = page.rpartition("/")
            if last.lower() == called and (index := f"{folder}/index".lstrip("/")) not in pages:
                pages[index] = pages.pop(page)
    return {page: pages[page] for page in sorted(pages) if page.rpartition("/")[2] != "_index"}


def outside_links(folder: Path, names: Iterable[str]) -> Iterator[Problem]:
    """Symbolic links out of the site, whose targets would be published. The folder itself may be such a link."""
    homes = folder.parent.resolve(), folder.resolve()
    for name in names:
        path = f"{folder}/{name}"
        if os.path.islink(path) and not any(  # noqa: PTH114 - a Path for each of thousands of files is slow
            (target := Path(os.path.realpath(path))).is_relative_to(home) for home in homes
        ):
            message = f"this is a link to {target}, outside the site"
            hint = f"copy the file: what lies in {folder.name}/ is published"
            yield Problem(f"{folder.name}/{name}", 0, 0, message, hint)


def misnamed_files(names: Iterable[str]) -> Iterator[tuple[str, Problem]]:
    """Markdown files without the suffix '.md', and settings under a name that is not read: they would be published."""
    for name in names:
        if name.endswith(".md"):
            continue
        meant = PurePosixPath(name.lower()).with_suffix(".yml").name
        if meant in SETTINGS and name != meant and name.lower() in (meant, meant.replace(".yml", ".yaml")):
            yield name, Problem(f"content/{name}", 0, 0, "this file is not read", f"rename it to {meant}")
        if (path := PurePosixPath(name)).suffix.lower() in MARKDOWN:
            hint = f"rename it to {path.with_suffix('.md').name}"
            yield name, Problem(f"content/{name}", 0, 0, f"a page's file ends with '.md', not '{path.suffix}'", hint)


def read_text(path: Path, shown: str) -> str:
    """A UTF-8 file with `\\n` line ends."""
    return decoded(read_bytes(path, shown), shown)


def read_bytes(path: Path, shown: str) -> bytes:
    """The contents of a file; LoomError if it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise LoomError(unreadable(shown, error)) from None


def unreadable(shown: str, error: OSError, what: str = "file") -> Problem:
    """The problem that a file or a folder can't be read."""
    hint = TO_DO.get(error.errno or 0, "look whether its disk is in order")
    return Problem(shown, 0, 0, f"this {what} can't be read: {error.strerror}", hint)


def decoded(raw: bytes, shown: str) -> str:
    """UTF-8 as text with `\\n` line ends; LoomError if it has control characters."""
    text = utf8(raw, shown).lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if found := _control_character(text):
        line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
        message = f"the character U+{ord(found.group()):04X} can't stand in a page"
        raise LoomError(Problem(shown, line, column, message, "it can't be seen: delete it"))
    return text


def recovered(raw: bytes) -> str:
    """The text of a page that is not UTF-8, or has control characters, as far as it can be guessed."""
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    return CONTROL.sub(" ", raw.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n"))


def _control_character(text: str) -> re.Match[str] | None:
    """The first control character of a text. `isprintable` is a quick test that most texts pass."""
    return None if text.replace("\n", "").replace("\t", "").isprintable() else CONTROL.search(text)


def unfit(value: object) -> str:
    """Why a value can't be stored or shown; empty if it can."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return "this number is too large"
    if isinstance(value, (dict, list, tuple)):
        return next(filter(None, map(unfit, value.values() if isinstance(value, dict) else value)), "")
    found = _control_character(str(value))  # in YAML and JSON an escape may stand for any
    return f"the character U+{ord(found.group()):04X} can't stand in a page" if found else ""
