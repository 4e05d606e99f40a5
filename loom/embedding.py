"""Scenes in the documentation of other generators: each on a page of its own, in frames of the pages that show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from markupsafe import Markup

from loom.addresses import fragment, page_file, relative, scene_url
from loom.build.preflight import input_problems
from loom.build.process_pool import time_limit
from loom.build.scenes import compute_all
from loom.content.blocks import Embed
from loom.errors import ENDED, ENDLESS, LoomError, Problem, raise_any
from loom.model import Config, Output
from loom.options import Options
from loom.render.assets import read_assets
from loom.render.extras import webmanifest
from loom.render.scene_figure import scene_figure, table_csv
from loom.render.templates import common, environment, fill, phrases
from loom.render.words import Words, read_words
from loom.scenes.discover import scene_folder, scene_folders
from loom.scenes.parameters import read_step
from loom.scenes.results import KnownScene

FOLDER = "_loom/"  # of a site that is another generator's
TIMEOUT = 60.0  # seconds that a scene may take to be imported, or for one variant


@dataclass
class EmbeddedScenes:
    """The scenes that a site of another generator shows, in its language. `root` is the folder that holds `scenes/`.

    `timeout` is in seconds (0: none). `where` and `setting` are the names of `root` and `timeout` in the settings of
    the other generator, for messages.
    """

    root: Path
    cache: Path | None = None
    language: str = "en"
    timeout: float = TIMEOUT
    where: str = "root"
    setting: str = "scene_timeout"
    known: dict[str, KnownScene | LoomError] = field(default_factory=dict)  # LoomError: why it can't be computed

    def begin(self, file: str, line_of: Callable[[str], int]) -> None:
        """Check the settings in a file. A folder without scenes is refused: Loom's own scenes would be shown."""
        scenes = self.root / "scenes"
        if not isinstance(self.timeout, (int, float)) or not 0 <= self.timeout < math.inf:
            wrong = f"'{self.setting}' is {self.timeout!r}"
            hint = "write a number of seconds; 0: as long as it takes"
            raise LoomError(Problem(file, line_of(self.setting), 0, wrong, hint))
        raise_any(input_problems(self.root, ["scenes"]))
        self._words()
        if scene_folders(scenes):
            return
        message = f"there are no scenes in {scenes}" if scenes.is_dir() else f"there is no folder {scenes}"
        hint = "name the folder that holds scenes/, each in a folder of its own"
        raise LoomError(Problem(file, line_of(self.where), 0, message, hint))

    def frame(self, name: str, state: Mapping[str, str], here: str) -> str:
        """The frame of a scene in a state, for the page at an address; LoomError says what is wrong."""
        known = self._scene(name)
        params, mistakes = known.read_params([(key, value) for key, value in state.items() if key != "step"])
        raise_any(Problem("", 0, 0, wrong.message, wrong.hint) for wrong in mistakes)
        if "step" in state:
            _, wrong = read_step(state["step"], known.steps(known.info.settled(params)))
            if wrong:
                raise LoomError(Problem("", 0, 0, wrong))
        opened = [*params.items(), *([("step", state["step"])] if "step" in state else [])]
        # A bare '#name' is a place, to which browsers scroll the page around the frame as well.
        address = relative(here, FOLDER + scene_url(name)) + (f"#{fragment(name, opened)}" if opened else "")
        return str(
            Markup(
                '<iframe class="loom-scene" src="{}" title="{}" loading="lazy" style="width: 100%; height: 700px; '
                'border: 0"></iframe>'  # which the scene makes as tall as itself
            ).format(address, known.info.title)
        )

    def _scene(self, name: str) -> KnownScene:
        """A scene, computed once, however many pages show it; the same holds for its mistakes."""
        if name not in self.known:
            self.known[name] = self._computed(name)
        found = self.known[name]
        if isinstance(found, LoomError):
            raise LoomError(*found.problems)
        return found

    def _computed(self, name: str) -> KnownScene | LoomError:
        options = Options(self.root, cache=self.cache, scene_timeout=time_limit(self.timeout))
        try:
            scene_folder(options.scenes, name, "")
        except LoomError as error:
            return error
        found, problems = compute_all(options, [name])
        options_here = {
            ENDLESS: f"look for a loop that never ends, or give it longer: {self.setting}",
            ENDED: "the scene may have ended its process, or memory ran out",
        }
        problems = [replace(one, hint=options_here.get(one.hint, one.hint)) for one in problems]
        return LoomError(*problems) if problems else found[name]

    def _words(self) -> Words:
        """The phrases of the interface in the language, from Loom's and the documentation's own `templates/words/`."""
        own = Options()
        said = phrases(own.templates, own.folders("static"))
        return read_words(Options(self.root).templates, self.language, said)

    def output(self, title: str, names: set[str]) -> Output:
        """Everything that the frames of some scenes need, below `FOLDER`."""
        own, config = Options(), Config(title=title, language=self.language)  # Loom's own templates and styles
        static = own.folders("static")
        words = self._words()
        assets = read_assets(static, words=words)
        files: Output = {**assets.output, **assets.framed, **assets.scale, **webmanifest(config, assets.output)}
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
