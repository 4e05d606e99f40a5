"""A scene in a notebook: computed here, and played by the same player, in a frame that holds all that it needs.

A `Scene` shows itself, in Jupyter and in marimo; `show` opens it in another state.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
from markupsafe import Markup, escape

from loom.build.scene_work import summary_of
from loom.content.blocks import Embed
from loom.errors import LoomError, Problem, raise_any
from loom.model import Config
from loom.options import Options
from loom.render.assets import Assets, read_assets
from loom.render.figure import figure
from loom.render.templates import environment, fill
from loom.scene import Scene, spelling
from loom.scenes.compute import put_together
from loom.scenes.discover import Found, check_scene
from loom.scenes.drawn import draw
from loom.scenes.known import KnownScene
from loom.site.states import opening

MOST_VARIANTS, MOST_BYTES = 1000, 8_000_000  # that a notebook is to compute while its reader waits, and to hold
FETCHED = re.compile(r"@font-face\s*\{[^}]*url\([^}]*\}")  # a notebook has no file for these: its own fonts will do


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
    told = {name: spelling(value) for name, value in params.items()} | ({} if step is None else {"step": str(step)})
    try:
        document = _document(scene, Embed("scene", {name: (text, 0) for name, text in told.items()}, 0))
    except LoomError as error:
        own = [replace(one, path=one.path.removeprefix("scenes/")) for one in error.problems]
        return str(Markup("<pre>{}</pre>").format("\n".join(map(str, own))))
    source = document.replace("&", "&amp;").replace("'", "&#39;")  # in single quotes: data are full of double ones
    return (
        f'<iframe title="{escape(scene.title)}" style="width: 100%; height: 700px; border: 0" '
        f"srcdoc='{source}'></iframe>"
    )


def _document(scene: Scene, embed: Embed) -> str:
    known = _computed(scene)
    data = known.data
    weight = sum(map(len, data.files.values()))
    if weight > MOST_BYTES:
        message = f"its data take {weight:,} bytes, and a notebook is to hold {MOST_BYTES:,} at most"
        raise LoomError(Problem("scene", 0, 0, message, "give a parameter fewer values, or draw fewer marks"))
    raise_any(opening(known, embed, "scene")[2])
    assets, style = _assets()
    files = ",".join(f'"{name}":{raw.decode()}' for name, raw in data.files.items())
    player = {path.name: raw.decode() for path, raw in assets.output.items() if str(path).startswith(assets.player)}
    values = {
        "figure": figure(known, embed, ""),
        "config": Config(),
        "style": Markup(style),
        "head": Markup(player["head.js"]),
        "player": Markup(player["main.js"]),
        "files": Markup("{" + files.replace("<", "\\u003c") + "}"),
    }
    return fill(environment(Options().templates), "notebook.html", values).decode()


def _computed(scene: Scene) -> KnownScene:
    """All of the scene's variants, drawn in this process."""
    code = getattr(scene.draw, "__code__", None)  # its cell: what `replace` gives was made elsewhere
    found = Found("scene", "scene", Path(code.co_filename if code else scene.made[0]).parent / "scene", scene)
    check_scene(found)
    variants = list(islice(scene.grid(), MOST_VARIANTS + 1))
    if len(variants) > MOST_VARIANTS:
        message = f"it has more than {MOST_VARIANTS:,} choices of parameters, which a notebook would wait for"
        raise LoomError(Problem("scene", 0, 0, message, "give a parameter fewer values"))
    data = put_together([draw(found, variants, twice=False)])
    raw = msgspec.msgpack.encode(data)
    return KnownScene(summary_of("scene", data, b""), lambda: raw)


@cache
def _assets() -> tuple[Assets, str]:
    """Loom's own player and styles, those of a scene alone among them."""
    assets = read_assets(Options().folders("static"))
    style = next(raw for path, raw in assets.output.items() if str(path) == assets.style).decode()
    alone = next(raw for path, raw in assets.framed.items() if path.suffix == ".css").decode()
    return assets, FETCHED.sub("", style) + alone
