"""Warnings: they are reported by `check`, and do not stop a build."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any

from loom.addresses import names_state
from loom.content.placeholders import ImageRef, Placeholder
from loom.errors import Problem


def warn(env: MutableMapping[str, Any], line: int, column: int, message: str, hint: str, rule: str) -> None:
    """Add a warning about a line of the author's file, once even if the line is read twice."""
    env["warnings"][Problem(env["path"], line, column, message, hint, rule)] = None


def warn_pictures(parts: Iterable[str | Placeholder | object], env: dict[str, Any]) -> None:
    """Warn of pictures without a text alternative; for pictures of a scene's state that is an error elsewhere."""
    for part in parts:
        if isinstance(part, ImageRef) and not part.alt.strip() and not names_state(part.src):
            message = f"the picture '{part.src}' has no text alternative"
            hint = "write :alt: what it shows" if part.line in env["figures"] else "write ![what it shows](…)"
            warn(env, part.line, 0, message, hint, "alt")
