"""One scene on its own: a small site around it, for working at the scene without the rest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from loom.content.files import content_folder
from loom.errors import LoomError, Problem, suggest
from loom.scenes.discover import scene_folders

PLACE = ".cache/scene-alone"
OWN = ("content", "scenes")  # folders that the small site has of its own; all others it shares


def scene_site(root: Path, name: str) -> Path:
    """The folder of a site that shows only the scene `name` of the site in `root`, its files being the very ones."""
    folders = scene_folders(root / "scenes")
    name = name.replace("_", "-")
    if name not in folders:
        raise LoomError(Problem("scenes", 0, 0, f"there is no scene '{name}'", suggest(name, folders)))
    content, path = content_folder(root), root / PLACE / name
    for part in OWN:
        shutil.rmtree(path / part, ignore_errors=True)
        (path / part).mkdir(parents=True)
    for shared in (*_shared(root), *_shared_scenes(root / "scenes"), folders[name]):
        _link(path / shared.relative_to(root), shared)
    for file in content.glob("references.*"):  # the scene's sources are among them
        shutil.copy2(file, path / "content")
    (path / "content/index.md").write_text(f"---\ntitle: {name}\n---\n\n:::{{scene}} {name}\n:::\n", "utf-8")
    return path


def _shared(root: Path) -> Iterator[Path]:
    """What scenes may read besides, and what the site puts into the place of Loom's own files."""
    for path in sorted(root.iterdir()):
        if path.is_dir() and path.name not in OWN and path.name[0] != ".":
            yield path


def _shared_scenes(scenes: Path) -> Iterator[Path]:
    return (path for path in sorted(scenes.iterdir()) if path.name[0] == "_" and path.name != "__pycache__")


def _link(path: Path, target: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)
