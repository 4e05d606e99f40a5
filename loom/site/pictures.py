"""Pictures in a page's Markdown: files that lie beside the page, or states of scenes, drawn small."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from loom.addresses import relative
from loom.content.pictures import RASTER, Size
from loom.content.placeholders import ImageRef
from loom.scenes.frames import Pictures
from loom.site.links import Destination, follow
from loom.site.states import stated
from loom.site.view import SiteView

MOST = 9999  # pixels
MEASURE = 640  # the width of the text, `--measure` in static/css/tokens.css


class Picture(NamedTuple):
    """The HTML of a picture, or what is wrong with it."""

    html: Markup = Markup()
    mistake: str = ""
    hint: str = ""
    rule: str = ""  # the rule that a mistake breaks; empty: that of pictures


def picture(part: ImageRef, page: str, site: SiteView) -> Picture:
    """A picture on a page."""
    found = follow(part.src, page, site)
    if found.external:
        message = f"the picture '{part.src}' lies on another site"
        return Picture(mistake=message, hint="put it beside the page: no request leaves the site")
    if found.anchor and not found.state and "?" in part.src:
        return Picture()  # the scene could not be computed, which is reported already
    if found.mistake or not (found.file or found.state):
        return Picture(mistake=found.mistake or f"'{part.src}' is not a picture", hint=found.hint)
    if not found.state:
        return _file(part, found.file, page, site)
    if not part.alt.strip():
        message = f"the picture '{part.src}' has no text alternative"
        return Picture(mistake=message, hint="write ![what it shows](…)", rule="alt")
    return _still(part, found, page, site)


def _file(part: ImageRef, file: str, page: str, site: SiteView) -> Picture:
    size = site.size(file)
    if not size and file.lower().endswith(RASTER):
        return Picture(mistake=f"'{part.src}' is no picture that can be read", hint="save it anew, or rename it")
    room = Markup("").join(Markup(' {}="{}"').format(*one) for one in _room(part, size).items())
    where = relative(site.entry(page).url, file)
    title = Markup(' title="{}"').format(part.title) if part.title else ""
    return Picture(Markup('<img src="{}" alt="{}"{}{} loading="lazy">').format(where, part.alt, room, title))


def _room(part: ImageRef, size: Size) -> dict[str, int]:
    """The width and the height of a picture in pixels, as far as they are known: as given, or from its file."""
    across, down = _pixels(part.width), _pixels(part.height)
    if not size:
        return {name: room for name, room in (("width", across), ("height", down)) if room}
    if across:
        return {"width": across, "height": max(1, round(across * size[1] / size[0]))}
    if down:
        return {"width": max(1, round(down * size[0] / size[1])), "height": down}
    return {"width": size[0], "height": size[1]}


def _pixels(length: str) -> int:
    """A length in pixels or as a percentage of the text's width, in pixels; 0 if it is neither."""
    number = length.removesuffix("px").removesuffix("%")
    if not number.isdecimal() or not number.isascii():
        return 0
    pixels = int(number[:9])
    return min(MOST, round(pixels / 100 * MEASURE) if length.endswith("%") else pixels)


def _still(part: ImageRef, found: Destination, page: str, site: SiteView) -> Picture:
    """The narrow drawing of a scene's state, as a link to that state."""
    name, _, query = found.state.partition("?")
    target = site.page(found.page)
    known = site.scene(target.embeds[name].scene) if target else None
    assert known and target
    params, step = stated(known, target.embeds[name].pairs, query)
    drawn = Pictures(known.at(params), params, "narrow").still(step, part.alt, known.info.still)
    place = "" if found.page == page else relative(site.entry(page).url, found.url)
    return Picture(Markup('<a class="stage" href="{}#{}">{}</a>').format(place, found.state, drawn))
