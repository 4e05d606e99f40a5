"""Edits as they reach the disk, with the times that files get."""

from __future__ import annotations

import itertools
import os
import shutil
from pathlib import Path

from tests.edits import Step


class Folder:
    """A site's files on the disk, and the time there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, str] = {}
        self.time = 1_700_000_000_000_000_000

    def save(self, files: dict[str, str], step: Step) -> None:
        """Make the folder hold these files."""
        for path in self.files.keys() - files.keys():
            self._drop(path, files, step)
        changed = [path for path, text in files.items() if self.files.get(path) != text]
        self.time += 1_000_000 if step.times == "soon" else 2_000_000_000
        for path in changed:
            self._write(path, files[path], step)
        self.files = files

    def _write(self, path: str, text: str, step: Step) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        time = target.stat().st_mtime_ns if step.times == "kept" and target.exists() else self.time
        written = target.with_name(f".{target.name}.new") if step.replaced else target
        written.write_text(text, encoding="utf-8")
        os.utime(written, ns=(time, time))
        written.replace(target)

    def _drop(self, path: str, files: dict[str, str], step: Step) -> None:
        """Delete a file, and the folders that nothing else of the site is in."""
        target = self.root / path
        target.unlink(missing_ok=True)  # gone already with its folder
        for folder in itertools.takewhile(lambda one: one.name, Path(path).parents):
            if any(Path(other).is_relative_to(folder) for other in files):
                break
            if step.replaced and (self.root / folder).is_dir() and any((self.root / folder).iterdir()):
                break
            shutil.rmtree(self.root / folder, ignore_errors=True)
