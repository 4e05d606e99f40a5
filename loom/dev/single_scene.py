"""A small site with a single scene, for working on the scene without the rest of the site."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from loom.content.files import content_folder
from loom.scenes.discover import scene_folder

PLACE = ".cache/scene-alone"
FOLDERS = ("content", "scenes")  # folders of the small site; all others are links to those of the whole site


def scene_site(root: Path, name: str) -> Path:
    """Make a site that shows only the scene `name` of the site in `root`, by links to its files; return its folder."""
    name = name.replace("_", "-")
    folder = scene_folder(root / "scenes", name)
    content, path = content_folder(root), root / PLACE / name
    for part in FOLDERS:
        shutil.rmtree(path / part, ignore_errors=True)
        (path / part).mkdir(parents=True)
    for shared in (*_shared(root), *_shared_scenes(root / "scenes"), folder):
        _link(path / shared.relative_to(root), shared)
    for file in content.glob("references.*"):  # the scene's sources are among them
        shutil.copy2(file, path / "content")
    (path / "content/index.md").write_text(f"---\ntitle: {name}\n---\n\n:::{{scene}} {name}\n:::\n", "utf-8")
    return path


def _shared(root: Path) -> Iterator[Path]:
    """Other folders of the site: data that scenes may read, and overrides of Loom's own files."""
    for path in sorted(root.iterdir()):
        if path.is_dir() and path.name not in FOLDERS and path.name[0] != ".":
            yield path


def _shared_scenes(scenes: Path) -> Iterator[Path]:
    return (path for path in sorted(scenes.iterdir()) if path.name[0] == "_" and path.name != "__pycache__")


def _link(path: Path, target: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)
