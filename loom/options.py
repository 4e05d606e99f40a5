"""What the command line can change in a build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from loom.errors import LoomError, Problem
from loom.paths import INPUTS, OWN

if TYPE_CHECKING:  # heavy, and a small build does without it
    from concurrent.futures import Executor

Factory = Callable[[int], "Executor"]


@dataclass(frozen=True)
class Options:
    """Where a site lies, and how it is built."""

    root: Path = OWN
    jobs: int = 1
    scene_timeout: float | None = None  # seconds; None: no limit, and with one job scenes run in this process
    drafts: bool = False
    gallery: bool = False
    base: str = ""  # the site's path on its host; empty: that of its `url:`, or the root
    indexed: bool = True  # make the search index, if the site has a search
    compress: bool = False  # write .br and .gz files, see loom.build.folder
    cache: Path | None = None  # the folder of earlier results; None: everything is computed anew
    executor: Factory | None = None  # where the work is done; None: in processes on this machine

    def folders(self, name: str) -> list[Path]:
        """The folders called `name`: the site's, then Loom's own. A file in the first replaces that in the second."""
        return list(dict.fromkeys([self.root / name, OWN / name]))

    @property
    def templates(self) -> tuple[Path, ...]:
        return tuple(self.folders("templates"))

    @property
    def scenes(self) -> Path:
        return next((folder for folder in self.folders("scenes") if folder.is_dir()), OWN / "scenes")

    def refuse_input_folders(self, out: Path) -> None:
        """Refuse an output folder that the next build would read as input."""
        place = out.resolve()
        for folder in (folder for name in INPUTS for folder in self.folders(name)):
            if place.is_relative_to(folder.resolve()):
                message = f"this is in {folder}, and would be taken for a part of the site"
                raise LoomError(Problem(str(out), 0, 0, message, "choose another --out"))
