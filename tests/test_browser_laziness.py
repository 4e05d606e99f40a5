"""Pictures and long lists are laid out when they come near, and nothing moves by it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import DESKTOP, PHONE, Visit, serving
from playwright.sync_api import Page

from tests.sites import built, site, toy_site

# Whether an element was laid out when the page had been read, and whether it is now.
EARLY = """addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => {
  globalThis.early = document.querySelector("strong, #term-zero dd")?.checkVisibility({ contentVisibilityAuto: true });
}));"""
END = "#term-zero dd"
NOW = "selector => document.querySelector(selector).checkVisibility({ contentVisibilityAuto: true })"

# The entry that stands at the top of the window, and where.
READ = """() => {
  const tops = [...document.querySelectorAll("article dt")].map((one) => one.getBoundingClientRect().top);
  return tops.entries().find(([, top]) => top > 0);
}"""


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> Iterator[str]:
    """A long page and, as its glossary, a long list."""
    prose = "Words that fill a line or two of a page that is long, so that there is something to scroll.\n\n" * 60
    page = f"---\ntitle: Long\nsummary: About it.\n---\n\n## One\n\n{prose}## Two\n\n{prose}**The end.**\n"
    lengths = [f"It {'is long, and ' * (number % 9)}ends." for number in range(200)]
    entries = [f"- term: Term {number:03}\n  definition: {text}\n" for number, text in enumerate(lengths)]
    glossary = "".join([*entries, "- term: Zero\n  definition: It is the end.\n"])
    pages = {"index": page, "glossary": "---\ntitle: Terms\nsummary: All of them.\n---\n\n:::{glossary}\n:::\n"}
    root = site(tmp_path_factory.mktemp("long"), **pages, **{"glossary.yml": glossary})
    with serving(built(root), "/") as found:
        yield found


def opened(visit: Visit, path: str, **settings) -> Page:
    page = visit.blank(width=PHONE, **settings)
    page.add_init_script(EARLY)
    page.goto(path)
    return page


def test_prose_is_laid_out_at_once(visitor, long):
    page = opened(visitor(long), "./")
    page.wait_for_function("() => globalThis.early === true")


def test_small_picture_between_words_is_laid_out_with_them(visitor, tmp_path):
    """Its link says no heights, so it could have none before."""
    words = "Words of a page that is long.\n\n" * 60
    home = f"# Home\n\n:::{{scene}} toy\n:::\n\n{words}![the second step](#toy?count=3&step=2)\n"
    with serving(built(toy_site(tmp_path, index=home)), "/") as address:
        page = opened(visitor(address), "./")
        page.wait_for_load_state()
        assert page.evaluate(NOW, "p > .stage text")


def test_entry_further_down_in_a_list_is_laid_out_when_the_reader_comes_near(visitor, long):
    page = opened(visitor(long), "glossary/")
    page.wait_for_function("() => globalThis.early === false")
    page.wait_for_timeout(300)
    assert not page.evaluate(NOW, END)
    page.evaluate("scrollTo(0, 1e6)")
    page.wait_for_function(NOW, arg=END)


def test_entry_that_is_not_laid_out_yet_has_about_the_height_of_most(visitor, long):
    page = opened(visitor(long), "glossary/")
    page.wait_for_function("() => globalThis.early === false")
    root = page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert page.locator("#term-zero").bounding_box()["height"] == pytest.approx(8 * root)


def test_list_looks_the_same_whether_or_not_it_was_laid_out_as_it_was_read(visitor, long):
    heights = set()
    for at in ("glossary/", "glossary/#term-term-000"):
        page = opened(visitor(long), at)
        for step in range(0, 30_000, 500):
            page.evaluate("y => new Promise(done => requestAnimationFrame(() => done(scrollTo(0, y))))", step)
        heights.add(page.locator("article").bounding_box()["height"])
    assert len(heights) == 1


def test_picture_of_the_whole_page_shows_what_nobody_has_come_near(visitor, long):
    lazy, whole = (opened(visitor(long), path) for path in ("glossary/", "glossary/#term-term-000"))
    lazy.wait_for_function("() => globalThis.early === false")
    whole.wait_for_function("() => globalThis.early === true")
    assert not lazy.evaluate(NOW, END)
    found, wanted = (len(page.screenshot(full_page=True)) for page in (lazy, whole))
    assert found > 0.9 * wanted  # bytes: empty paper takes few


def test_window_that_changes_leaves_the_rest_for_later(visitor, long):
    page = opened(visitor(long), "glossary/")
    page.wait_for_function("() => globalThis.early === false")
    page.set_viewport_size({"width": PHONE, "height": 700})
    page.wait_for_timeout(300)
    assert not page.evaluate(NOW, END)


@pytest.mark.parametrize("path", ["glossary/#term-zero", "glossary/#nowhere"])
def test_list_that_is_entered_at_one_of_its_parts_is_whole(visitor, long, path):
    page = opened(visitor(long), path)
    page.wait_for_function("() => globalThis.early === true")


def test_list_is_whole_without_script(visitor, long):
    page = visitor(long).blank(java_script_enabled=False)
    page.goto("glossary/")
    heights = [page.locator("article").bounding_box()["height"]]
    page.wait_for_timeout(1500)
    heights.append(page.locator("article").bounding_box()["height"])
    assert heights[0] == heights[1] > 4000


def test_reload_comes_back_to_the_same_place(visitor, long):
    page = opened(visitor(long), "glossary/")
    page.wait_for_function("() => globalThis.early === false")
    for step in range(0, 3001, 500):
        page.evaluate("y => new Promise(done => requestAnimationFrame(() => done(scrollTo(0, y))))", step)
    page.wait_for_timeout(300)
    before = page.evaluate(READ)
    page.reload()
    page.wait_for_function("() => globalThis.early === true")
    page.wait_for_timeout(300)
    assert page.evaluate(READ) == before


def test_entry_far_down_that_is_gone_to_is_met(visitor, long):
    page = opened(visitor(long), "glossary/")
    page.wait_for_function("() => globalThis.early === false")
    page.evaluate("location.hash = 'term-term-150'")
    page.wait_for_timeout(300)
    assert 0 <= page.locator("#term-term-150").bounding_box()["y"] < 120


def test_picture_far_away_is_laid_out_when_the_reader_comes_near(visit: Visit):
    page = visit("tall/", width=PHONE, height=600)
    page.wait_for_timeout(300)
    assert not page.evaluate(NOW, "#dots .narrow > *")
    page.evaluate("y => scrollTo(0, y)", page.locator("#dots").bounding_box()["y"])
    page.wait_for_function(NOW, arg="#dots .narrow > *")


def test_picture_of_the_whole_page_shows_the_scenes_too(visit: Visit):
    lazy, whole = visit("tall/", height=600), visit("tall/#nowhere", height=600)
    assert not lazy.evaluate(NOW, "#dots .stage .wide > *")
    assert whole.evaluate(NOW, "#dots .stage .wide > *")
    found, wanted = (len(page.screenshot(full_page=True)) for page in (lazy, whole))
    assert found > 0.98 * wanted


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_picture_has_its_height_before_it_is_laid_out(visit: Visit, width):
    page = visit("tall/", width=width, height=600)
    shown = f"#dots .stage {'.narrow' if width == PHONE else '.wide'}"
    heights = [page.locator(shown).bounding_box()["height"]]
    assert not page.evaluate(NOW, f"{shown} > *")
    page.locator("#dots .stage").scroll_into_view_if_needed()
    page.wait_for_function(NOW, arg=f"{shown} > *")
    heights.append(page.locator(shown).bounding_box()["height"])
    page.evaluate("document.documentElement.className = 'js'")
    heights.append(page.locator(shown).bounding_box()["height"])
    assert heights[0] > 50
    assert heights == pytest.approx([heights[0]] * 3, abs=0.02)
