"""A part of a page's source that plain Markdown has to say otherwise."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A part of a source that only Loom understands: from `start` to before `end`.

    Its kind is a role, a link's address, a comment, a caption, a scene, or a directive's first line or its end.
    """

    start: int
    end: int
    kind: str
    name: str = ""
    text: str = ""
