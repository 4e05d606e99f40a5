"""Read a page's file: its front matter, and the text below it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from loom.content.files import PAGE_NAME, decoded, recovered
from loom.errors import LoomError, Missing, Problem
from loom.model import FRONT_KEYS, Meta

FRONT = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
KEY = re.compile(r"[A-Za-z_]\w*:(?:[ \t\n]|\Z)")
OPEN = re.compile(r"---\n(?:.*\S.*\n)*")  # unclosed front matter is taken to end with its paragraph


@dataclass(frozen=True)
class Source:
    """A Markdown file, read: `offset` is the number of lines that the front matter takes."""

    id: str
    path: str
    meta: Meta
    body: str
    offset: int = 0
    warnings: tuple[Problem, ...] = ()  # of its front matter

    def title(self, heading: str = "") -> str:
        """The page's title: from its front matter, its first heading, or its file's name."""
        return self.meta.title or heading or self.id.rsplit("/", 1)[-1].replace("-", " ").capitalize()


def load_source(raw: bytes, name: str, file: str = "") -> Source:
    """A Markdown file, its front matter split off and typed."""
    shown = f"content/{file or f'{name}.md'}"
    if not PAGE_NAME.match(name):
        hint = "use letters, digits, '-', '_' and '.' only: the name becomes the address"
        raise LoomError(Problem(shown, 0, 0, "this file name can't be an address", hint))
    text = decoded(raw, shown)
    front = FRONT.match(text)
    if not front:
        if text.startswith("---\n"):
            hint = "end the front matter with a line '---'"
            raise LoomError(Problem(shown, 1, 0, "the front matter is never closed", hint))
        return Source(name, shown, Meta(), text, warnings=_misplaced(text, shown))
    from loom.content.front_matter import read_front  # slow to import, and only needed here
    from loom.content.yaml_nodes import yaml_node

    node = yaml_node(front.group(1), shown, offset=1)
    meta, warnings = read_front(node, shown) if node else (Meta(), ())
    return Source(name, shown, meta, text[front.end() :], front.group().count("\n"), warnings)


def _misplaced(text: str, shown: str) -> tuple[Problem, ...]:
    """A warning of front matter that is not read, because it does not begin the file or is TOML."""
    line = len(text) - len(text.lstrip("\n")) + 1
    if text.startswith("+++\n"):
        message, hint = "front matter of TOML is not read", "write it as 'name: value' lines between two lines '---'"
    elif line > 1 and (found := FRONT.match(text, line - 1)) and KEY.match(found[1]):
        message, hint = "this front matter is not read", "delete the empty lines before it: it begins the file"
    else:
        return ()
    return (Problem(shown, line, 0, message, hint, "front-matter", Missing(front=FRONT_KEYS)),)


def recovered_source(raw: bytes, name: str, file: str) -> Source | None:
    """As much of a broken page as can be read: to find more mistakes in it, and so that links to it work.

    Invalid bytes and control characters are replaced, and the front matter is skipped.
    """
    if not PAGE_NAME.match(name):
        return None
    text = recovered(raw)
    front = FRONT.match(text) or OPEN.match(text)
    start = front.end() if front else 0
    return Source(name, f"content/{file}", Meta(), text[start:], text.count("\n", 0, start))
