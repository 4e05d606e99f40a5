"""Load a scene: import its folder, and check what it declares."""

from __future__ import annotations

import importlib
import re
import traceback
from dataclasses import dataclass, replace
from pathlib import Path

from loom.errors import (
    ENDLESS,
    LoomError,
    OutOfTime,
    Problem,
    exception_name,
    exception_text,
    is_interrupt,
    raise_any,
)
from loom.expected import Mistaken, described
from loom.scene import Scene
from loom.scenes.importer import one_process, package
from loom.scenes.nearest import nearest_name
from loom.scenes.scene_rules import scene_mistakes

FOLDER_NAME = re.compile(r"[\w-]+\Z")
ALONE = "compute in one process: Loom spreads the variants over several"


@dataclass(frozen=True)
class LoadedScene:
    """A scene with its place: `path` is for messages, `folder` is the real one."""

    id: str
    path: str
    folder: Path
    scene: Scene

    @property
    def location(self) -> tuple[str, int]:
        """The file and the line of the `Scene(…)` call."""
        file, line = self.scene.made
        shown = shown_path(Path(file), self.folder.parent)
        return (shown, line) if shown.startswith("scenes/") else (self.path, 0)


def load_scene(name: str, folder: Path) -> LoadedScene:
    """Import one scene's folder."""
    shown = f"scenes/{folder.name}/scene.py"
    if not (folder / "scene.py").is_file():
        message = f"the folder of scene '{name}' has no scene.py"
        raise LoomError(Problem(f"scenes/{folder.name}", 0, 0, message, "add one, or begin the folder's name with '_'"))
    if not FOLDER_NAME.match(folder.name):
        hint = "rename it: letters, digits, '-' and '_' can stand in addresses and in Python"
        raise LoomError(Problem(f"scenes/{folder.name}", 0, 0, "this folder's name can't be a scene's", hint))
    try:
        with one_process():
            module = importlib.import_module(f"{package(folder.parent)}.{folder.name}.scene")
    except LoomError:  # a mistake in a data file has its own place
        raise
    except BaseException as error:  # an author's module may raise anything, even SystemExit
        if is_interrupt(error):
            raise
        if isinstance(error, SyntaxError):
            where = shown_path(Path(error.filename), folder.parent) if error.filename else shown
            if where.startswith("scenes/"):  # else the error is about a text that the scene has read
                place = max(error.lineno or 0, 1), max(error.offset or 0, 0)
                coded = "codec can't decode" in error.msg or "null bytes" in error.msg  # these are of UTF-16
                hint = "save it as UTF-8" if coded else ""
                raise LoomError(Problem(where, *place, f"not valid Python: {error.msg}", hint)) from None
        raise LoomError(*scene_problems(error, name, "can't be imported", folder)) from error
    scene = getattr(module, "SCENE", None)
    if not isinstance(scene, Scene):
        what = f"scene '{name}' defines no SCENE" if scene is None else f"SCENE is {described(scene)}, and no Scene"
        raise LoomError(Problem(shown, 0, 0, what, "write SCENE = Scene(…)"))
    found = LoadedScene(name, shown, folder, scene)
    check_scene(found)
    return found


def scene_problem(error: BaseException, message: str, folder: Path, state: str = "") -> Problem:
    """An exception from a scene, at the innermost line of the scene's own code in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).resolve().is_relative_to(folder.parent.resolve())]
    path, line = (Path(own[-1].filename), own[-1].lineno or 0) if own else (folder / "scene.py", 0)
    late = isinstance(error, OutOfTime)
    said = exception_text(error).replace(package(folder.parent), "scenes")
    hint = ENDLESS if late else ALONE if "daemonic processes" in said else nearest_name(error)
    if hint:  # which is what Python 3.13 adds to some messages
        said = said.partition(". Did you mean ")[0]
    reason = said if late else f"{exception_name(error)}: {said}".rstrip(": ")
    return Problem(shown_path(path, folder.parent), line, 0, f"{message}: {reason}", hint, state=state)


def scene_problems(
    error: BaseException, name: str, what: str, folder: Path, state: str = "", location: tuple[str, int] = ("", 0)
) -> list[Problem]:
    """The problems behind an exception from a scene: the wrong values that it names, or the exception itself.

    `location` is used if the traceback has no line of the scene's own code.
    """
    one = scene_problem(error, f"scene '{name}' {what}", folder, state)
    if not one.line and location[0]:
        one = replace(one, path=location[0], line=location[1])
    if not isinstance(error, Mistaken):
        return [one]
    return [replace(one, message=f"scene '{name}': {message}", hint=hint) for message, hint in error.mistakes]


def shown_path(path: Path, scenes: Path) -> str:
    """A scene's file as messages name it."""
    path, scenes = path.resolve(), scenes.resolve()
    return f"scenes/{path.relative_to(scenes).as_posix()}" if path.is_relative_to(scenes) else str(path)


def check_scene(found: LoadedScene) -> None:
    """Raise LoomError for a scene that could not be shown."""
    wrong = scene_mistakes(found.scene)
    raise_any(Problem(*found.location, 0, f"scene '{found.id}': {message}", hint) for message, hint in wrong)
