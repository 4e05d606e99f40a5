"""The text of a `{value}` role: the computed number of a scene, or the author's wording of it; and its link."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from loom.addresses import fragment, relative
from loom.content.blocks import Page
from loom.content.placeholders import ValueRef
from loom.hints import suggest
from loom.quantity import agrees, unbroken
from loom.site.view import SiteView


@dataclass(frozen=True)
class ValueText:
    """The text of a value and the state of its scene, or the mistakes: (message, hint)."""

    words: str = ""
    state: str = ""
    mistakes: tuple[tuple[str, str], ...] = ()


def value_text(value_ref: ValueRef, page: Page, site: SiteView) -> ValueText:
    """The text of a value of a known scene on a page."""
    known = site.scene(value_ref.scene)
    assert known
    pins, wrong = known.read_params(value_ref.pins.items())
    mistakes = [(one.message, one.hint) for one in wrong]
    start, _ = known.read_params(_opened(value_ref.scene, page, site))
    values = known.values({**start, **pins})
    value = values.get(value_ref.name)
    if value is None:
        message = f"scene '{value_ref.scene}' has no value '{value_ref.name}'"
        return ValueText(mistakes=(*mistakes, (message, suggest(value_ref.name, values))))
    # What a misspelt state gives is another state's: not what the author's words are about.
    if value_ref.text and not mistakes and not agrees(value_ref.text, value.value, value.unit):
        message = f"'{value_ref.text}' is not what the model says: {value}"
        return ValueText(mistakes=((message, "mend the text, or the model"),))
    state = fragment(value_ref.scene, list(pins.items()))
    return ValueText(value_ref.text or str(value), state, tuple(mistakes))


def value_link(value_ref: ValueRef, found: ValueText, page: Page, site: SiteView) -> Markup:
    """A value as a link to its scene. On a page that shows the scene, it changes with the controls."""
    words = unbroken(found.words)
    home, here = site.home(value_ref.scene), value_ref.scene in page.embeds
    if home is None:
        return Markup('<span class="value">{}</span>').format(words)
    follows = ""
    if here and not value_ref.text:  # parameters that the author gave stay fixed
        follows = Markup(' data-value="{}.{}"').format(value_ref.scene, value_ref.name)
    address = "" if here else relative(site.entry(page.id).url, site.entry(home).url)
    return Markup('<a class="value" href="{}"{}>{}</a>').format(f"{address}#{found.state}", follows, words)


def _opened(scene: str, page: Page, site: SiteView) -> list[tuple[str, str]]:
    """The parameters with which the scene opens: on this page, or on the page that the link leads to."""
    if scene in page.embeds:
        return page.embeds[scene].pairs
    home = site.home(scene)
    target = site.page(home) if home else None
    return target.embeds[scene].pairs if target else []
