"""Check that links to states of scenes open the step that their text names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from loom.content.blocks import Page
from loom.content.placeholders import ImageRef, LinkRef, Placeholder
from loom.errors import Problem
from loom.scenes.parameters import pairs_of
from loom.site.index import SiteIndex
from loom.site.links import follow
from loom.site.page_info import address
from loom.site.states import opening
from loom.site.view import SiteView

TAG = re.compile(r"<[^>]*>")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NAMED = re.compile(rf"\bstep\s(\d+|{'|'.join(NUMBERS)})\b|\b({'|'.join(ORDINALS)}|last)\sstep\b", re.IGNORECASE)
Parts = Iterable[str | Placeholder]


def state_problems(pages: Iterable[Page], index: SiteIndex) -> Iterator[Problem]:
    """Links that open another step than their text says, or that name no step of a scene with several."""
    site = SiteView(index)
    for page in pages:
        for prose in page.proses():
            for at, part in enumerate(prose.parts):
                if not isinstance(part, (LinkRef, ImageRef)):
                    continue
                words = part.alt if isinstance(part, ImageRef) else _words(prose.parts[at + 1 :])
                if wrong := _wrong(address(part), words, page.id, site):
                    yield Problem(page.source.path, part.line, part.column, *wrong, "state")


def _wrong(href: str, words: str, page: str, site: SiteView) -> tuple[str, str] | None:
    """The mistake in a link, and what to do about it."""
    found = follow(href, page, site)
    name, _, query = found.state.partition("?")
    embed = site.index.infos[found.page].embeds[name] if found.state else None
    known = site.scene(embed.scene) if embed else None
    if known is None or embed is None:
        return None
    pairs = pairs_of(query)
    start, step, _ = opening(known, embed, "")
    count = known.steps({**start, **{key: text for key, text in pairs if key != "step"}})
    chosen = [int(text) for key, text in pairs if key == "step"]
    opened = chosen[-1] if chosen else min(step, count)
    said = NAMED.search(words)
    if said and (asked := named_step(said, count)) != opened:
        message = f"the words say '{said[0]}', and the link opens step {opened} of {count}"
        return message, f"say &step={asked}, or other words" if 1 <= asked <= count else "use other words"
    if count > 1 and not chosen:
        message = f"this link names no step: it opens step {opened} of {count}"
        return message, f"add &step={opened}, or the step that its words promise"
    return None


def named_step(said: re.Match[str], count: int) -> int:
    """The step that a text names, in a scene with `count` steps."""
    text = (said[1] or said[2]).lower()
    for numbers in (NUMBERS, ORDINALS):
        if text in numbers:
            return numbers.index(text) + 1
    return count if text == "last" else int(text)


def _words(parts: Parts) -> str:
    """The text of a link, from the parts behind its opening tag."""
    words = ""
    for part in parts:
        if isinstance(part, str):
            text, end, _ = part.partition("</a>")
            words += text
            if end:
                break
    return " ".join(TAG.sub("", words).split())
