"""Scenes in the documentation of other generators: each on a page of its own, in frames of the pages that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from markupsafe import Markup

from loom.addresses import fragment, page_file, relative, scene_url
from loom.build.scenes import compute_all
from loom.content.blocks import Embed
from loom.errors import LoomError, Problem, raise_any, suggest
from loom.model import Config, Output
from loom.options import Options
from loom.render.assets import read_assets
from loom.render.extras import webmanifest
from loom.render.scene_figure import scene_figure, table_csv
from loom.render.templates import common, environment, fill, phrases
from loom.render.words import read_words
from loom.scenes.discover import scene_folders
from loom.scenes.parameters import read_step
from loom.scenes.summary import KnownScene

FOLDER = "_loom/"  # of a site that is another generator's


@dataclass
class Guests:
    """The scenes that a site of another generator shows, in its language. `root` is the folder that holds `scenes/`."""

    root: Path
    cache: Path | None = None
    language: str = "en"
    known: dict[str, KnownScene] = field(default_factory=dict)

    def problem(self, file: str, line: int) -> Problem | None:
        """What is wrong with `root`, which was named at a place; without scenes there, Loom's own would be shown."""
        scenes = self.root / "scenes"
        if scene_folders(scenes):
            return None
        message = f"there are no scenes in {scenes}" if scenes.is_dir() else f"there is no folder {scenes}"
        return Problem(file, line, 0, message, "name the folder that holds scenes/, each in a folder of its own")

    def frame(self, name: str, state: Mapping[str, str], here: str) -> str:
        """The frame of a scene in a state, for the page at an address; LoomError says what is wrong."""
        known = self._scene(name)
        params, mistakes = known.read([(key, value) for key, value in state.items() if key != "step"])
        raise_any(Problem("", 0, 0, wrong.message, wrong.hint) for wrong in mistakes)
        if "step" in state:
            _, wrong = read_step(state["step"], known.steps(known.info.settled(params)))
            raise_any([Problem("", 0, 0, wrong)] if wrong else [])
        opened = [*params.items(), *([("step", state["step"])] if "step" in state else [])]
        address = f"{relative(here, FOLDER + scene_url(name))}#{fragment(name, opened)}"
        return str(
            Markup(
                '<iframe class="loom-scene" src="{}" title="{}" loading="lazy" style="width: 100%; height: 700px; '
                'border: 0"></iframe>'  # which the scene makes as tall as itself
            ).format(address, known.info.title)
        )

    def _scene(self, name: str) -> KnownScene:
        options = Options(self.root, cache=self.cache)
        folders = scene_folders(options.scenes)
        if name not in folders:
            raise LoomError(Problem("", 0, 0, f"unknown scene '{name}'", suggest(name, folders)))
        if name not in self.known:
            found, problems = compute_all(options, [name])
            raise_any(problems)
            self.known |= found
        return self.known[name]

    def output(self, title: str, names: set[str]) -> Output:
        """Everything that the frames of some scenes need, below `FOLDER`."""
        own, config = Options(), Config(title=title, language=self.language)  # its templates and styles are not ours
        static = own.folders("static")
        folders = Options(self.root).templates.folders
        words = read_words(folders, self.language, phrases(own.templates, static))
        assets = read_assets(static, words=words)
        files: Output = {**assets.output, **assets.framed, **webmanifest(config, assets.output)}
        for name in sorted(names):
            known, here = self._scene(name), scene_url(name)
            shown = scene_figure(known, Embed(name, {}, 0), relative(here, known.summary.folder))
            values = {**common(config, assets, here), "figure": shown, "home": None, "indexed": False,
                      "framed": [str(path) for path in assets.framed]}  # fmt: skip
            files |= known.output
            files[PurePosixPath(known.summary.folder) / shown.csv] = table_csv(shown)
            files[page_file(here)] = fill(environment(own.templates, words), "embed.html", values)
        return {PurePosixPath(FOLDER) / path: raw for path, raw in files.items()}


def write(output: Output, folder: Path) -> None:
    """Put the files into a site that was built; what an earlier build left below `FOLDER` goes."""
    for path, raw in output.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != raw:
            target.write_bytes(raw)
    for old in sorted((folder / FOLDER).rglob("*"), reverse=True):  # what is in a folder before the folder
        if old.is_dir():
            if not any(old.iterdir()):
                old.rmdir()
        elif PurePosixPath(old.relative_to(folder)) not in output:
            old.unlink()
