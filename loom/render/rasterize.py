"""Rasterise SVG with the site's fonts and colours, if the packages for it are installed."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import io
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from loom.render.assets import Assets, Once, each_time

NEEDS = ("resvg_py", "fontTools", "coloraide")  # the extra `cards`
VARIABLE = re.compile(r"var\((--[\w-]+)\)")


@dataclass(frozen=True)
class CardTools:
    """The fonts and colours of a site in one theme.

    `rules` are the CSS rules that paint marks, `names` the values of the style sheet's variables.
    """

    rules: str
    names: Mapping[str, str]
    fonts: tuple[bytes, ...]

    @property
    def digest(self) -> str:
        """A hash of all fonts and colours."""
        found = hashlib.sha256(repr((self.rules, sorted(self.names.items()))).encode())
        for font in self.fonts:
            found.update(font)
        return found.hexdigest()

    def png(self, svg: str) -> bytes:
        """An SVG, which may use variables, as PNG; ValueError if it is not valid."""
        return rasterised(VARIABLE.sub(lambda found: self.names.get(found[1], "none"), svg), self.fonts)


def card_tools(assets: Assets, once: Once = each_time, theme: str = "light") -> CardTools | None:
    """The fonts and colours of a site; None if the packages are not installed: cards are optional."""
    if not all(importlib.util.find_spec(name) for name in NEEDS):
        return None
    css = assets.styles
    rules, names = once("palette", lambda: _palette(css.decode(), theme), css, theme.encode())
    fonts = tuple(raw for path, raw in sorted(assets.output.items()) if path.suffix == ".woff2")
    return CardTools(rules, names, fonts)


def _palette(css: str, theme: str) -> tuple[str, dict[str, str]]:
    from loom.render.palette import picture_rules, variables, worked_out  # needs optional packages

    names = variables(css)
    values = {name: worked_out(value, names, theme) for name, value in names.items()}
    return worked_out(picture_rules(css), names, theme), values


def rasterised(svg: str, fonts: tuple[bytes, ...]) -> bytes:
    """An SVG as PNG, with these fonts only."""
    return next(all_rasterised([svg], fonts))


def all_rasterised(svgs: Iterable[str], fonts: tuple[bytes, ...]) -> Iterator[bytes]:
    """SVGs as PNGs of their own width."""
    import resvg_py

    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{at}.ttf" for at in range(len(fonts))]
        for file, raw in zip(files, unpacked(fonts), strict=True):
            file.write_bytes(raw)
        names = [str(file) for file in files]
        for svg in svgs:
            yield bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=names))


@functools.lru_cache(1)
def unpacked(fonts: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Web fonts in a format that the rasteriser reads."""
    from fontTools.ttLib import TTFont

    found = []
    for raw in fonts:
        font = TTFont(io.BytesIO(raw), recalcTimestamp=False)
        font.flavor = None
        name = font["name"].getDebugName(1) or "font"
        font["name"].setName(name.replace(" ", ""), 6, 3, 1, 0x409)  # the rasteriser ignores fonts without this name
        file = io.BytesIO()
        font.save(file)
        found.append(file.getvalue())
    return tuple(found)
