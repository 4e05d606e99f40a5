"""How far a build is: the events that it reports while it goes on. They are shown by `dev/progress.py`."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple


class Stage(Enum):
    """What a build has just done, or begins to do."""

    PAGE_KNOWN = auto()  # parsed by an earlier build
    PAGE_PARSED = auto()
    LOADED = auto()
    SCENE_KNOWN = auto()  # computed by an earlier build
    SCENE_COMPUTING = auto()
    SCENE_COMPUTED = auto()
    PAGE_RENDERED = auto()
    WRITING = auto()
    LINKS_CHECKED = auto()
    ALIVE = auto()  # a heartbeat: the build goes on
    NOTE = auto()  # a message for the author


class ProgressEvent(NamedTuple):
    """An event of a build: `subject` is a page, a scene or the text of a note; `done` of `total` are finished."""

    stage: Stage
    subject: str = ""
    done: int = 0
    total: int = 0  # 0: unknown


OnProgress = Callable[[ProgressEvent], None]


def ignore_progress(_: ProgressEvent) -> None:
    """The handler of builds whose progress is not shown."""
