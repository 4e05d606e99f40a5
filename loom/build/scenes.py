"""The scenes that a site needs: known from before, or computed now on several cores."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import msgspec

from loom.build.engine import Engine, Made, Question, digest
from loom.build.executor import Workers, is_broken, worker_ended
from loom.build.files import Files, loom_version
from loom.build.store import Store
from loom.build.work import ScenePart, compute_part_there
from loom.errors import LoomError, Problem
from loom.options import OnProgress, Options
from loom.render.assets import fingerprint
from loom.scenes.compute import joined, parts
from loom.scenes.discover import discover, load_scene, scene_folders
from loom.scenes.importer import Notes, taking_notes
from loom.scenes.known import KnownScene, SceneSummary
from loom.scenes.results import SceneData

TRIES = 3  # to compute a scene whose files are being edited


def gather_scenes(
    options: Options,
    wanted: Collection[str] | None,
    engine: Engine,
    files: Files,
    workers: Workers,
    on_progress: OnProgress,
) -> tuple[dict[str, KnownScene], list[Problem]]:
    """The wanted scenes (None: all), and what is wrong with any.

    A site's own scenes are all looked at, for their author's sake; of others' only those that are wanted.
    """
    folders = scene_folders(options.scenes)
    own = options.scenes.parent == options.root
    engine.answer("file", files.digest)
    engine.answer("names", files.names)
    engine.answer("modules", files.modules)
    needed = [name for name in folders if wanted is None or name in wanted]
    work = _Computing(options, engine, workers, folders)
    found: dict[str, KnownScene] = {}
    for made in engine.recall([f"scene {name}" for name in needed], SceneSummary):
        known = found[made.result.info.id] = KnownScene(made.result, partial(work.results, made))
        on_progress(f"recall scene {known.id}")
    problems = discover(options.scenes, ())[1]  # folders that are the same scene
    missing = [name for name in needed if name not in found]
    looked = {name: folder for name, folder in folders.items() if own and name not in needed}
    problems += _look(looked, options, engine)
    work.begin(missing)
    for name in missing:
        try:
            found[name] = work.finished(name)
            on_progress(f"scene {name} ({len(found[name].summary.steps)} variants)")
        except KeyboardInterrupt:
            on_progress(f"note interrupted while scene '{name}' was computed")
            raise
        except LoomError as error:
            problems += error.problems
    return {name: found[name] for name in needed if name in found}, problems


def compute_all(
    options: Options, on_progress: OnProgress = lambda _: None
) -> tuple[dict[str, KnownScene], list[Problem]]:
    """Every scene of a site, without its pages."""
    engine = Engine(Store(options.cache) if options.cache else None, loom_version())
    with Workers(options.jobs, options.executor) as workers:
        found = gather_scenes(options, None, engine, Files(options.root), workers, on_progress)
    engine.flush()
    return found


def _look(folders: dict[str, Path], options: Options, engine: Engine) -> list[Problem]:
    """What is wrong with scenes that no page shows, as far as that is seen when they are imported."""
    good = {made.task for made in engine.recall([f"look {name}" for name in folders], bool)}
    problems: list[Problem] = []
    for name, folder in folders.items():
        if f"look {name}" in good:
            continue
        try:
            with taking_notes(options.scenes) as notes:
                load_scene(name, folder)
        except LoomError as error:
            problems += error.problems
        else:
            reads = reads_of([notes], options.root, engine)
            if all(engine.ask(*question) == found for question, found in reads.items()):
                engine.keep(f"look {name}", reads, True)
    return problems


class _Computing:
    """Scenes that are under way."""

    def __init__(self, options: Options, engine: Engine, workers: Workers, folders: dict[str, Path]) -> None:
        self.options, self.engine, self.workers, self.folders = options, engine, workers, folders
        self.under_way: dict[str, list[Future[list[ScenePart]]]] = {}

    def results(self, made: Made[SceneSummary]) -> bytes:
        """The results of a scene that is known: from the store, or computed again if it has lost them."""
        return made.files() or self.finished(made.result.info.id).encoded

    def begin(self, names: Iterable[str]) -> None:
        """Let workers begin with all of them, if there are workers."""
        for name in names if not self.workers.alone else ():
            try:
                pieces = self._pieces(name)[0]
            except LoomError:
                continue  # told when its turn comes
            self.under_way[name] = [
                self.workers.executor.submit(compute_part_there, [piece], name, *self._places(name)) for piece in pieces
            ]

    def finished(self, name: str) -> KnownScene:
        """A scene's results, kept if every file that they were made of is still the same."""
        for _ in range(TRIES):
            pieces, notes = self._pieces(name)
            done = self._parts(name, pieces)
            self.under_way.pop(name, None)
            everything = [notes, *(part.notes for part in done)]
            if _agree(everything):
                break
        data = joined(lambda part: msgspec.msgpack.decode(part.encoded, type=SceneData), done)
        raw = msgspec.msgpack.encode(data)
        folder = f"assets/data/{name}.{fingerprint(data.files)}/"
        manifest = {folder + path: digest(one) for path, one in data.files.items()}
        steps = {key: len(variant.say) for key, variant in data.variants.items()}
        summary = SceneSummary(data.info, steps, digest(raw), folder, manifest)
        reads = reads_of(everything, self.options.root, self.engine)
        if _agree(everything) and all(self.engine.ask(*question) == found for question, found in reads.items()):
            return KnownScene(summary, self.engine.keep(f"scene {name}", reads, summary, raw).files)
        return KnownScene(summary, lambda: raw)

    def _places(self, name: str) -> tuple[str, str]:
        return str(self.folders[name]), str(self.options.scenes)

    def _pieces(self, name: str) -> tuple[list[tuple[int, int]], Notes]:
        with taking_notes(self.options.scenes) as notes:
            return parts(load_scene(name, self.folders[name])), notes

    def _parts(self, name: str, pieces: Sequence[tuple[int, int]]) -> list[ScenePart]:
        if name not in self.under_way:
            return compute_part_there(pieces, name, *self._places(name))
        try:
            return [part for future in self.under_way[name] for part in future.result()]
        except Exception as error:
            if not is_broken(error):
                raise
            lost = [one for one, some in self.under_way.items() for each in some if is_broken(each.exception())]
            names = ", ".join(f"scene '{one}'" for one in dict.fromkeys(lost[: self.workers.jobs]))  # begun in order
            raise worker_ended(f"{names} was under way") from error


def _agree(everything: Iterable[Notes]) -> bool:
    """Whether all parts were made of the same files."""
    seen: dict[str, bytes] = {}
    return all(
        not notes.changed and all(seen.setdefault(path, found) == found for path, found in notes.files.items())
        for notes in everything
    )


def reads_of(everything: Iterable[Notes], root: Path, engine: Engine) -> dict[Question, bytes]:
    """What scenes read, as questions: files, and the names in folders."""
    start = os.path.realpath(root) + os.sep
    reads: dict[Question, bytes] = {}
    for notes in everything:
        reads |= {("file", path.removeprefix(start)): found for path, found in notes.files.items()}
        for kind, folders in (("modules", notes.packages), ("names", notes.folders)):
            names = [(kind, folder.removeprefix(start)) for folder in folders]
            reads |= {question: engine.ask(*question) for question in names}
    return reads
