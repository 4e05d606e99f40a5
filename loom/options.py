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
class Templates:
    """Where the templates lie: in the first of these folders that has one of a name."""

    folders: tuple[Path, ...]


@dataclass(frozen=True)
class Options:
    """Where a site lies, and how it is built."""

    root: Path = OWN
    jobs: int = 1
    scene_timeout: float | None = None  # seconds for a part; none: any time, and with one job it is done here
    drafts: bool = False
    gallery: bool = False
    base: str = ""  # where the site lies on its host; empty: where its address says, or at the root
    indexed: bool = True  # make the index of the search, if the site wants one
    compress: bool = False  # what is written to a folder, see loom.build.folder
    cache: Path | None = None  # a folder for what was computed before; none: everything is computed anew
    executor: Factory | None = None  # who does the work; none: processes on this machine

    def folders(self, name: str) -> list[Path]:
        """Where to look for `name`: in the site's folder, then in Loom's own."""
        return list(dict.fromkeys([self.root / name, OWN / name]))

    @property
    def templates(self) -> Templates:
        return Templates(tuple(self.folders("templates")))

    @property
    def scenes(self) -> Path:
        return next((folder for folder in self.folders("scenes") if folder.is_dir()), OWN / "scenes")

    def refuse_input_folders(self, out: Path) -> None:
        """Refuse a place for the site that the next build would read."""
        place = out.resolve()
        for folder in (folder for name in INPUTS for folder in self.folders(name)):
            if place.is_relative_to(folder.resolve()):
                message = f"this is in {folder}, and would be taken for a part of the site"
                raise LoomError(Problem(str(out), 0, 0, message, "choose another --out"))
