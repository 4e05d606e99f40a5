"""What is told by `check` and stops no build: the page is shown all the same."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any

from loom.content.places import ImageRef, Placeholder
from loom.errors import Problem


def remark(env: MutableMapping[str, Any], line: int, column: int, message: str, hint: str, rule: str) -> None:
    """Note something about a line of the author's file. What is read twice is noted once."""
    env["remarks"][Problem(env["path"], line, column, message, hint, rule)] = None


def remark_pictures(parts: Iterable[str | Placeholder | object], env: dict[str, Any]) -> None:
    """Pictures that say in no words what they show. Those of a scene's state need them."""
    for part in parts:
        if isinstance(part, ImageRef) and not part.alt.strip() and "?" not in part.src.partition("#")[2]:
            message = f"the picture '{part.src}' has no text alternative"
            remark(env, part.line, 0, message, "write ![what it shows](…)", "alt")
