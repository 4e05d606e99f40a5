"""Characters that can't stand in a page."""

from __future__ import annotations

import re

# Control characters, and code points that are none: HTML has no way to write them.
CONTROL = re.compile(
    "[\\0-\\x08\\x0b\\x0e-\\x1f\\x7f-\\x9f\\ufdd0-\\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)) + "]"
)  # fmt: skip


def control_character(text: str) -> re.Match[str] | None:
    """The first of them. Most texts hold nothing but what can be printed, and that is known many times sooner."""
    return None if text.replace("\n", "").replace("\t", "").isprintable() else CONTROL.search(text)
