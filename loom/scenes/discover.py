"""Find scenes: every folder of `scenes/` with a `scene.py` is one. Nothing is registered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loom.errors import LoomError, Problem
from loom.hints import suggest


def scene_folders(scenes: Path) -> dict[str, Path]:
    """The folders of scenes, by scene id. Folders with a leading underscore hold code that scenes share."""
    if not scenes.is_dir():
        return {}
    folders = sorted(path for path in scenes.iterdir() if path.is_dir() and path.name[0] not in "._")
    return {path.name.replace("_", "-"): path for path in folders if any(path.glob("*.py"))}


def scene_folder(scenes: Path, name: str, place: str = "scenes") -> Path:
    """The folder of a scene that the command line or another generator names; LoomError if there is none."""
    folders = scene_folders(scenes)
    if name not in folders:
        raise LoomError(Problem(place, 0, 0, f"unknown scene '{name}'", suggest(name, folders)))
    return folders[name]


def twin_folders(scenes: Path) -> Iterator[Problem]:
    """Two folders for one scene id."""
    for folder in sorted(scenes.glob("*-*")):
        if folder.is_dir() and (twin := scenes / folder.name.replace("-", "_")).is_dir():
            message = f"this folder is the scene '{folder.name}', as scenes/{twin.name} is"
            yield Problem(f"scenes/{folder.name}", 0, 0, message, "rename one of them")
