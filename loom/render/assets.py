"""Style sheets, fonts and the player: read from `static/`, named by their content so that caches never go stale."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import rcssmin

from loom.addresses import FINDER
from loom.errors import LoomError, Problem, not_utf8
from loom.model import Output
from loom.paths import is_ignored
from loom.render.scripts import bundled, minified

IMPORT = re.compile(r'@import url\("(?P<file>[^"]+)"\)(?: layer\((?P<layer>[\w-]+)\))?;\n?')


@dataclass(frozen=True)
class Assets:
    """The site's own files, and what pages call the ones they need."""

    output: Output
    style: str
    player: str
    fonts: tuple[str, ...]  # those to fetch at once
    finder: Output  # of the search page, which a site may not have


def read_assets(folders: Iterable[Path]) -> Assets:
    """Everything in `static/`; a file of an earlier folder stands for the same file of a later one."""
    files: dict[str, bytes] = {}
    for folder in reversed([folder for folder in folders if folder.is_dir()]):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and not is_ignored(path.name)):
            files[path.relative_to(folder).as_posix()] = path.read_bytes()
    fonts = {name.removeprefix("fonts/"): raw for name, raw in files.items() if name.startswith("fonts/")}
    scripts = {name.removeprefix("player/"): _text(raw, name) for name, raw in files.items() if name[:7] == "player/"}
    player = {name: text.encode() for name, text in bundled(scripts, "main.js").items()}
    finder = {name: _least(raw, name) for name, raw in files.items() if name.startswith("finder/")}
    finder_at = f"{FINDER}{fingerprint(finder)}"
    fonts_at, player_at = f"assets/fonts.{fingerprint(fonts)}", f"assets/player.{fingerprint(player)}"
    style = bundle(files, PurePosixPath(fonts_at).name).encode()
    style_at = f"assets/style.{fingerprint({'': style})}.css"
    named = {
        style_at: style,
        **{f"{fonts_at}/{name}": raw for name, raw in fonts.items()},
        **{f"{player_at}/{name}": raw for name, raw in player.items()},
        **{name: raw for name, raw in files.items() if name.split("/")[0] not in ("fonts", "player", "css", "finder")},
    }
    first = tuple(f"{fonts_at}/{name}" for name in ("serif.woff2", "sans.woff2") if name in fonts)
    found = {PurePosixPath(finder_at, PurePosixPath(name).name): raw for name, raw in finder.items()}
    return Assets({PurePosixPath(name): raw for name, raw in named.items()}, style_at, player_at, first, found)


def fingerprint(files: Mapping[str, bytes]) -> str:
    """Ten hexadecimal digits of the hash of names and contents."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode() + files[name])
    return digest.hexdigest()[:10]


def bundle(files: Mapping[str, bytes], fonts_folder: str) -> str:
    """`css/main.css` with its imports in their layers, comments dropped: one request, no waiting in line."""
    if "css/main.css" not in files:
        raise LoomError(Problem("static/css/main.css", 0, 0, "there is no main style sheet"))

    def put_in(match: re.Match[str]) -> str:
        name = f"css/{match['file']}"
        if name not in files:
            raise LoomError(Problem("static/css/main.css", 0, 0, f"there is no style sheet '{match['file']}'"))
        text = _text(files[name], name)
        return f"@layer {match['layer']} {{\n{text}}}\n" if match["layer"] else text

    whole = IMPORT.sub(put_in, _text(files["css/main.css"], "css/main.css"))
    return str(rcssmin.cssmin(whole)).replace("../fonts/", f"{fonts_folder}/")


def _least(raw: bytes, name: str) -> bytes:
    text = _text(raw, name)
    return (minified(text) if name.endswith(".js") else str(rcssmin.cssmin(text))).encode()


def _text(raw: bytes, name: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(f"static/{name}", error) from None
