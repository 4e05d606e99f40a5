"""Requests for data files of scenes that are still being computed: they wait, and their variants are computed next."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from loom.build.preview import PartialScene
from loom.scenes.results import KnownScene, file_name

SETTLE = 0.3  # seconds in which a page can show the answers before it may be reloaded


class _Asked:
    """A requested file."""

    def __init__(self, scene: PartialScene, path: PurePosixPath) -> None:
        self.scene, self.path = scene, path
        self.raw: bytes | None = None
        self.begun = False
        self.answered = threading.Event()

    def fail(self) -> None:
        """Answer that there is no such file."""
        self.answer(None)

    def answer(self, raw: bytes | None) -> None:
        self.raw = raw
        self.answered.set()


class PendingFiles:
    """Requests, which are added by the server's threads and answered by the thread that builds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._scenes: list[PartialScene] = []
        self._asked: list[_Asked] = []
        self._used = False

    def open(self, scenes: Iterable[KnownScene]) -> None:
        """Accept requests for files of these scenes."""
        with self._lock:
            self._scenes = [scene for scene in scenes if isinstance(scene, PartialScene)]

    def file(self, path: PurePosixPath) -> bytes | None:
        """Wait for a file of a scene that is being computed; None if there is no such file."""
        with self._lock:
            scenes = (scene for scene in self._scenes if str(path.parent) == scene.summary.folder.rstrip("/"))
            scene = next(scenes, None)
            if not scene or scene.indices_of(path.name) is None:
                return None
            if path in scene.output:
                return scene.output[path]
            asked = _Asked(scene, path)
            self._asked.append(asked)
            self._used = True
        asked.answered.wait()
        return asked.raw

    def go_on(self) -> None:
        """Answer requests whose files are there, and start to compute the others, before all other work."""
        with self._lock:
            asked = list(self._asked)
        for one in asked:
            if one.path in one.scene.output:
                one.answer(one.scene.output[one.path])
            elif not one.begun:
                indices = one.scene.indices_of(one.path.name)
                assert indices is not None
                one.begun = True
                one.scene.ask(indices, one.fail)
        with self._lock:
            self._asked = [one for one in self._asked if not one.answered.is_set()]

    def close(self, known: Mapping[str, KnownScene]) -> None:
        """Stop accepting requests. Answer waiting ones from the complete scenes, with time to show the answers."""
        with self._lock:
            asked, self._asked, self._scenes = self._asked, [], []
            used, self._used = self._used, False
        for one in asked:
            whole = known.get(one.scene.id)
            one.answer(_same_in(whole, one.path.name) if whole else None)
        if known and used:
            threading.Event().wait(SETTLE)


def _same_in(known: KnownScene, name: str) -> bytes | None:
    """The data file of a complete scene that holds a variant."""
    number, width, _ = name.split(".")
    file_starts = [first for first in known.data.file_starts.get(width, ()) if first <= int(number)]
    return known.data.files[file_name(max(file_starts), width)] if file_starts else None
