"""Style sheets, fonts and scripts from `static/`: bundled, minified, and named with a hash of their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from loom.addresses import FINDER, FRAMED, GALLERY, SCALE
from loom.content.files import read_bytes
from loom.errors import utf8
from loom.model import Output
from loom.paths import files_in
from loom.render.scripts import bundled, minified
from loom.render.style_sheet import bundle, compact
from loom.render.words import ENGLISH, Words

# Folders of `static/` whose files get hashed names.
OWN = ("fonts", "player", "css", "finder", "framed", "gallery", "scale")
# A function like `Engine.once`: it recalls or makes plain data, given a name, a function and the input bytes.
Once = Callable[..., Any]


def each_time(name: str, make: Callable[[], Any], *parts: bytes) -> Any:
    """A `once` without a cache."""
    return make()


@dataclass(frozen=True)
class Assets:
    """The files made from `static/`, and the paths of those that every page needs."""

    output: Output
    style: str
    player: str
    fonts: tuple[str, ...]  # those to preload
    finder: Output  # scripts and styles of the search page, which not every site has
    framed: Output  # scripts and styles of the pages of single scenes, which not every site has
    gallery: Output  # the style sheet of the gallery, which is made only on demand
    scale: Output  # the style sheet of the colour scales, which few scenes use

    @property
    def styles(self) -> bytes:
        """The style sheet of every page, and that of the colour scales."""
        return b"".join([self.output[PurePosixPath(self.style)], *self.scale.values()])


def read_assets(folders: Iterable[Path], once: Once = each_time, words: Words = ENGLISH) -> Assets:
    """Everything in `static/`; a file in an earlier folder overrides the same file in a later one.

    `once` caches slow results. Scripts and style sheets are translated with `words`.
    """
    files: dict[str, bytes] = {}
    for folder in reversed([folder for folder in folders if folder.is_dir()]):
        for name, path in files_in(folder):
            files[name] = _translated(read_bytes(path, f"static/{name}"), name, words)
    fonts = _below("fonts/", files)
    scripts = {name: utf8(raw, f"static/player/{name}") for name, raw in _below("player/", files).items()}
    parts = [part.encode() for script in sorted(scripts.items()) for part in script]
    player = {name: text.encode() for name, text in once("player", lambda: bundled(scripts, "main.js"), *parts).items()}
    fonts_at, player_at = f"assets/fonts.{fingerprint(fonts)}", f"assets/player.{fingerprint(player)}"
    style = _style(files, once).replace("../fonts/", f"{PurePosixPath(fonts_at).name}/").encode()
    style_at = f"assets/style.{fingerprint({'': style})}.css"
    named = {
        style_at: style,
        **{f"{fonts_at}/{name}": raw for name, raw in fonts.items()},
        **{f"{player_at}/{name}": raw for name, raw in player.items()},
        **{name: raw for name, raw in files.items() if name.split("/")[0] not in OWN},
    }
    first = tuple(f"{fonts_at}/{name}" for name in ("serif.woff2", "sans.woff2") if name in fonts)
    kinds = (("finder/", FINDER), ("framed/", FRAMED), ("gallery/", GALLERY), ("scale/", SCALE))
    on_demand = [_on_demand(files, folder, at, once) for folder, at in kinds]
    return Assets({PurePosixPath(name): raw for name, raw in named.items()}, style_at, player_at, first, *on_demand)


def _below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a folder, by their paths in it."""
    return {name.removeprefix(folder): raw for name, raw in files.items() if name.startswith(folder)}


def _translated(raw: bytes, name: str, words: Words) -> bytes:
    """A script or style sheet, translated into the site's language."""
    if not name.endswith((".js", ".css")) or name.split("/")[0] not in OWN:
        return raw
    text = utf8(raw, f"static/{name}")
    return (words.script(text) if name.endswith(".js") else words.style(text)).encode()


def fingerprint(files: Mapping[str, bytes]) -> str:
    """Ten hexadecimal digits of the hash of names and contents."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode() + files[name])
    return digest.hexdigest()[:10]


def _on_demand(files: Mapping[str, bytes], folder: str, at: str, once: Once) -> Output:
    """The scripts and styles of one kind of pages, minified, in their own folder."""
    found = {name: _minified(raw, name, once) for name, raw in files.items() if name.startswith(folder)}
    place = f"{at}{fingerprint(found)}"
    return {PurePosixPath(place, PurePosixPath(name).name): raw for name, raw in found.items()}


def _minified(raw: bytes, name: str, once: Once) -> bytes:
    if name.endswith(".js"):
        return str(once("script", lambda: minified({name: utf8(raw, f"static/{name}")})[name], raw)).encode()
    return str(once("style sheet", lambda: compact(raw, name), raw)).encode()


def _style(files: Mapping[str, bytes], once: Once) -> str:
    sheets = {name: raw for name, raw in sorted(files.items()) if name.startswith("css/")}
    parts = (part for name, raw in sheets.items() for part in (name.encode(), raw))
    return str(once("style sheet", lambda: bundle(sheets), *parts))
