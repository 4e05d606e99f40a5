"""A Sphinx extension: the directive `scene`, in MyST as in reStructuredText.

`extensions = ["loom.sphinx"]` in `conf.py`; `loom_root` names the folder that holds `scenes/`, from that of `conf.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from loom import __version__
from loom.errors import LoomError
from loom.guests import Guests, write


class scene(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes so
    """A scene, and the state that it opens in."""


class Parameters(dict[str, Callable[[str], str]]):
    """Options of a directive: whatever parameters its scene has; the scene says which it lacks."""

    def __missing__(self, name: str) -> Callable[[str], str]:
        return str

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
        """The node; what is wrong with the scene or its state is told here, at its line."""
        name, state = self.arguments[0], {key: str(value) for key, value in self.options.items()}
        try:
            _guests(self.env).frame(name, state, "")
        except LoomError as error:
            told = "; ".join(str(one).removeprefix(": ").replace("\n ", "") for one in error.problems)
            return [self.state_machine.reporter.error(told, line=self.lineno)]
        _shown(self.env).setdefault(self.env.docname, set()).add(name)
        return [scene("", name=name, given=state)]


def setup(app: Sphinx) -> dict[str, object]:
    """What Sphinx asks of an extension."""
    app.add_config_value("loom_root", ".", "env")
    app.add_directive("scene", SceneDirective)
    skipped = (_skip, None)
    app.add_node(scene, html=(_visit, None), latex=skipped, text=skipped, man=skipped, texinfo=skipped)
    app.connect("config-inited", _begin)
    app.connect("env-purge-doc", lambda _, env, name: _shown(env).pop(name, None))
    app.connect("env-merge-info", _merge)
    app.connect("build-finished", _finish)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _begin(app: Sphinx, config: Config) -> None:
    """A build begins: scenes may be others than those of the last one in this process."""
    config["loom_root"] = str(Path(app.confdir, config["loom_root"]).resolve())
    _computed.cache_clear()


def _guests(env: BuildEnvironment) -> Guests:
    return _computed(Path(env.config["loom_root"]), Path(env.doctreedir) / "loom")


@cache
def _computed(root: Path, folder: Path) -> Guests:
    """Scenes are computed once in a build; what is kept of them for the next lies beside Sphinx's own."""
    return Guests(root, folder)


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
    self.body.append(_guests(self.builder.env).frame(node["name"], node["given"], here))
    raise nodes.SkipNode


def _skip(_: Any, __: scene) -> None:
    """Paper has no frames."""
    raise nodes.SkipNode


def _finish(app: Sphinx, error: Exception | None) -> None:
    names: set[str] = set().union(*_shown(app.env).values())
    if not error and names and app.builder.format == "html":
        write(_guests(app.env).output(app.config.project, names), Path(app.outdir))
