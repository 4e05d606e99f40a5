"""What a `{value}` says: the number that a scene's model computes, or the author's wording of it."""

from __future__ import annotations

from dataclasses import dataclass

from loom.addresses import fragment
from loom.content.blocks import Page, ValueRef
from loom.errors import suggest
from loom.quantity import agrees
from loom.site.index import Web


@dataclass(frozen=True)
class Said:
    """The words and the state of the scene that they come from, or what is wrong: (message, hint)."""

    words: str = ""
    state: str = ""
    mistakes: tuple[tuple[str, str], ...] = ()


def said(hole: ValueRef, page: Page, web: Web) -> Said:
    """What a value of a known scene says on a page."""
    data = web.data[hole.scene]
    pins, wrong = data.read(hole.pins.items())
    mistakes = [(one.message, one.hint) for one in wrong]
    home = web.faces.get(web.homes.get(hole.scene, ""))
    # Its link leads to the opening state of the page that shows the scene.
    shown = page.embeds.get(hole.scene) or (home.embeds[hole.scene] if home else None)
    start, _ = data.read(shown.pairs if shown else [])
    values = data.values({**start, **pins})
    value = values.get(hole.name)
    if value is None:
        message = f"scene '{hole.scene}' has no value '{hole.name}'"
        return Said(mistakes=(*mistakes, (message, suggest(hole.name, values))))
    if hole.text and not agrees(hole.text, value.value, value.unit):
        message = f"'{hole.text}' is not what the model says: {value}"
        return Said(mistakes=(*mistakes, (message, "mend the text, or the model")))
    state = fragment(hole.scene, list(pins.items()))
    return Said(hole.text or str(value), state, tuple(mistakes))
