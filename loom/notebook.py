"""A scene in a notebook: computed in the notebook's process, and played by the same player in a self-contained frame.

Jupyter and marimo display a `Scene` by itself; `show` opens it in another state. `language` is that of the controls.
"""

from __future__ import annotations

import linecache
import re
import sys
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
from markupsafe import Markup, escape

from loom.build.scene_work import summary_of
from loom.content.blocks import Embed
from loom.draw.marks import spelling
from loom.errors import LoomError, Problem, raise_any
from loom.expected import described
from loom.model import Config
from loom.options import Options
from loom.render.assets import Assets, read_assets
from loom.render.scene_figure import scene_figure
from loom.render.templates import environment, fill
from loom.render.words import Words, read_words
from loom.scene import Scene
from loom.scenes.combine import combine
from loom.scenes.draw_variants import draw
from loom.scenes.load import LoadedScene, check_scene
from loom.scenes.results import KnownScene
from loom.site.states import opening

MOST_VARIANTS, MOST_BYTES = 1000, 8_000_000  # of one scene: the reader waits for it, and the notebook's file holds it
language = "en"
FETCHED = re.compile(r"@font-face\s*\{[^}]*url\([^}]*\}")  # a notebook can't serve font files, and uses its own fonts


class Shown:
    """A scene in a state, as a notebook shows it."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return self.html


def show(scene: Scene, step: int | None = None, **params: object) -> Shown:
    """A scene that opens in another state: `show(SCENE, step=3, tokens=8192)`."""
    return Shown(html(scene, step, **params))


def html(scene: Scene, step: int | None = None, **params: object) -> str:
    """A frame with the scene in it; or what is wrong with the scene, in words."""
    if not isinstance(scene, Scene):
        return _told([f"{described(scene)} is no Scene (hint: give the scene itself, as in show(SCENE))"])
    state = {name: spelling(value) for name, value in params.items()} | ({} if step is None else {"step": str(step)})
    found = _found(scene)
    try:
        document = _document(found, Embed("scene", {name: (text, 0) for name, text in state.items()}, 0))
    except LoomError as error:
        return _told([_in_cell(one, found.folder.parent) for one in error.problems])
    source = document.replace("&", "&amp;").replace("'", "&#39;")  # in single quotes: data are full of double ones
    return (
        f'<iframe title="{escape(scene.title)}" style="width: 100%; height: 700px; border: 0" '
        f"srcdoc='{source}'></iframe>"
    )


def _told(mistakes: list[str]) -> str:
    return str(Markup("<pre>{}</pre>").format("\n".join(mistakes)))


def _document(found: LoadedScene, embed: Embed) -> str:
    known = _computed(found)
    data = known.data
    weight = sum(map(len, data.files.values()))
    if weight > MOST_BYTES:
        message = f"its data take {weight:,} bytes, and a notebook is to hold {MOST_BYTES:,} at most"
        raise LoomError(Problem("scene", 0, 0, message, "give a parameter fewer values, or draw fewer marks"))
    raise_any(opening(known, embed, "scene")[2])
    words = read_words(Options().folders("templates"), language, ())
    assets, style = _assets(words)
    files = ",".join(f'"{name}":{raw.decode()}' for name, raw in data.files.items())
    player = {path.name: raw.decode() for path, raw in assets.output.items() if str(path).startswith(assets.player)}
    values = {
        "figure": scene_figure(known, embed, ""),
        "config": Config(language=language),
        "style": Markup(style),
        "head": Markup(player["head.js"]),
        "around": Markup(_named(assets, "around.js")),
        "player": Markup(player["main.js"]),
        "files": Markup("{" + files.replace("<", "\\u003c") + "}"),
    }
    return fill(environment(Options().templates, words), "notebook.html", values).decode()


def _found(scene: Scene) -> LoadedScene:
    """The scene with the folder of its `draw`: a scene made by `dataclasses.replace` records another place."""
    code = getattr(scene.draw, "__code__", None)
    return LoadedScene("scene", "scene", Path(code.co_filename if code else scene.made[0]).parent / "scene", scene)


def _in_cell(problem: Problem, folder: Path) -> str:
    """A problem with its cell and the text of its line: the file names of cells are meaningless."""
    file = str(folder / problem.path.removeprefix("scenes/"))
    line = linecache.getline(file, problem.line).strip() if problem.line else ""
    return f"{replace(problem, path=_cell(file))}" + (f"\n  line: {line}" if line else "")


def _cell(file: str) -> str:
    """How a notebook calls the cell that it keeps as a file."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell and (named := shell.compile.format_code_name(file)):
        return " ".join(named)
    return "a cell" if "__marimo__cell_" in file else Path(file).name


def _computed(found: LoadedScene) -> KnownScene:
    """All of the scene's variants, drawn in this process."""
    check_scene(found)
    variants = list(islice(found.scene.grid(), MOST_VARIANTS + 1))
    if len(variants) > MOST_VARIANTS:
        message = f"it has more than {MOST_VARIANTS:,} choices of parameters, which a notebook would wait for"
        raise LoomError(Problem("scene", 0, 0, message, "give a parameter fewer values"))
    data = combine([draw(found, variants, twice=False)])
    raw = msgspec.msgpack.encode(data)
    return KnownScene(summary_of("scene", data, b""), lambda: raw)


@cache
def _assets(words: Words) -> tuple[Assets, str]:
    """Loom's own player and styles, those of a scene alone among them."""
    assets = read_assets(Options().folders("static"), words=words)
    return assets, FETCHED.sub("", assets.styles.decode()) + _named(assets, "framed.css")


def _named(assets: Assets, name: str) -> str:
    """A script or a style sheet of the pages of single scenes."""
    return next(raw for path, raw in assets.framed.items() if path.name == name).decode()
