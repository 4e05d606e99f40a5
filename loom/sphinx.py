"""A Sphinx extension: the directive `scene`, in MyST as in reStructuredText.

`extensions = ["loom.sphinx"]` in `conf.py`; `loom_root` names the folder that holds `scenes/`, from that of `conf.py`,
and `loom_scene_timeout` says how many seconds a scene may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from loom import __version__
from loom.embedding import TIMEOUT, EmbeddedScenes, write
from loom.errors import LoomError, Problem

ROOT, TIME = "loom_root", "loom_scene_timeout"  # its settings


class scene(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes so
    """A scene, and the state that it opens in."""


class Parameters(dict[str, Callable[[str | None], str]]):
    """The options of the directive: any name is accepted here, and the scene reports unknown parameters."""

    def __missing__(self, name: str) -> Callable[[str | None], str]:
        return lambda text: text or ""

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return True

    def get(self, name: str, default: Any = None) -> Any:
        return self[name]


class SceneDirective(SphinxDirective):
    """`.. scene:: running-mean`, with parameters and `step` as its options."""

    required_arguments = 1
    option_spec = Parameters()

    def run(self) -> list[nodes.Node]:
        """The node. Mistakes in the scene or its state are reported at the line of the directive."""
        name, state = self.arguments[0], {key: str(value) for key, value in self.options.items()}
        for path in _dependencies(Path(self.env.config[ROOT], "scenes"), name):
            self.env.note_dependency(str(path))  # an edit of the scene may make the options of the directive wrong
        try:
            _scenes(self.env).frame(name, state, "")
        except LoomError as error:
            message = "; ".join(str(one).removeprefix(": ").replace("\n ", "") for one in error.problems)
            return [self.state_machine.reporter.error(message, line=self.lineno)]
        _shown(self.env).setdefault(self.env.docname, set()).add(name)
        return [scene("", name=name, given=state)]


def setup(app: Sphinx) -> dict[str, object]:
    """What Sphinx asks of an extension."""
    app.add_config_value(ROOT, ".", "env")
    app.add_config_value(TIME, TIMEOUT, "", [int, float])
    app.add_directive("scene", SceneDirective)
    skipped = (_skip, None)
    app.add_node(scene, html=(_visit, None), latex=skipped, text=skipped, man=skipped, texinfo=skipped)
    app.connect("config-inited", _begin)
    app.connect("env-purge-doc", lambda _, env, name: _shown(env).pop(name, None))
    app.connect("env-merge-info", _merge)
    app.connect("build-finished", _finish)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _begin(app: Sphinx, config: Config) -> None:
    """Set up the scenes of a new build. An earlier build of this process may have had others."""
    root, conf = config[ROOT], Path(app.confdir, "conf.py")

    def line_of(setting: str) -> int:
        return _line(conf, setting) or _line(conf, "loom.sphinx")

    with _reported():
        if not isinstance(root, (str, Path)):
            raise LoomError(Problem(str(conf), line_of(ROOT), 0, f"'{ROOT}' is no path", f'write {ROOT} = "folder"'))
        config[ROOT] = str(Path(app.confdir, root).resolve())
        _scenes_of(config, None).begin(str(conf), line_of)
    _computed.cache_clear()


@contextmanager
def _reported() -> Iterator[None]:
    """Report mistakes and end the build. A SphinxError would print a traceback and ask for a report to Sphinx."""
    try:
        yield
    except LoomError as error:
        logging.getLogger(__name__).error(str(error))
        raise SystemExit(2) from None  # what Sphinx ends with after an exception


def _line(file: Path, word: str) -> int:
    """The first line of a file that has a word in it; 0: none, as settings may come from the command line."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return next((number for number, line in enumerate(lines, 1) if word in line.partition("#")[0]), 0)


def _dependencies(scenes: Path, name: str) -> Iterator[Path]:
    """The files that a scene may depend on. A missing one makes Sphinx read the page again in each build."""
    yield scenes / name.replace("-", "_") / "scene.py"
    yield from sorted(scenes.rglob("*.py"))


def _scenes(env: BuildEnvironment) -> EmbeddedScenes:
    return _scenes_of(env.config, Path(env.doctreedir) / "loom")


def _scenes_of(config: Config, folder: Path | None) -> EmbeddedScenes:
    return _computed(Path(config[ROOT]), folder, (config.language or "en").replace("_", "-"), config[TIME])


@cache
def _computed(root: Path, folder: Path | None, language: str, timeout: float) -> EmbeddedScenes:
    """The scenes of one build; their cache lies beside Sphinx's own."""
    return EmbeddedScenes(root, folder, language, timeout, ROOT, TIME)


def _shown(env: BuildEnvironment) -> dict[str, set[str]]:
    """By page, its scenes."""
    if not hasattr(env, "loom_scenes"):
        setattr(env, "loom_scenes", {})  # noqa: B010 - as above
    found: dict[str, set[str]] = getattr(env, "loom_scenes")  # noqa: B009
    return found


def _merge(_: Sphinx, env: BuildEnvironment, names: Iterable[str], other: BuildEnvironment) -> None:
    _shown(env).update({name: found for name, found in _shown(other).items() if name in set(names)})


def _visit(self: Any, node: scene) -> None:
    here = self.builder.get_target_uri(self.builder.current_docname)
    self.body.append(_scenes(self.builder.env).frame(node["name"], node["given"], here))
    raise nodes.SkipNode


def _skip(_: Any, __: scene) -> None:
    """Leave a scene out: paper has no frames."""
    raise nodes.SkipNode


def _finish(app: Sphinx, error: Exception | None) -> None:
    names: set[str] = set().union(*_shown(app.env).values())
    if not error and app.builder.format == "html":
        with _reported():
            write(_scenes(app.env).output(app.config.project, names) if names else {}, Path(app.outdir))
