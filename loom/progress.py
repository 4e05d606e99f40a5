"""How far a build is: the events that it reports while it goes on. They are shown by `dev/progress.py`."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple


class Stage(Enum):
    """What a build has done, or does just now."""

    PAGE_KNOWN = auto()  # parsed by an earlier build
    PAGE_PARSED = auto()
    LOADED = auto()
    SCENE_KNOWN = auto()  # computed by an earlier build
    SCENE_COMPUTING = auto()
    SCENE_COMPUTED = auto()
    PAGE_RENDERED = auto()
    WRITING = auto()
    LINKS_CHECKED = auto()
    ALIVE = auto()  # nothing new: the build goes on
    NOTE = auto()  # something that its author has to know


class ProgressEvent(NamedTuple):
    """Something that a build reports: of which page or scene, and how much of it is done; or the text of a note."""

    stage: Stage
    subject: str = ""
    done: int = 0
    total: int = 0  # 0: unknown


OnProgress = Callable[[ProgressEvent], None]


def ignore_progress(_: ProgressEvent) -> None:
    """For builds that nobody looks at."""
