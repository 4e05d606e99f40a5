"""A long page is laid out as it is read; one entered elsewhere than at its beginning is whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import PHONE, Visit, serving
from playwright.sync_api import Page

from tests.sites import built, site

# Whether an element was laid out when the page had been read, and whether it is now.
EARLY = """addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => {
  globalThis.early = document.querySelector("strong")?.checkVisibility({ contentVisibilityAuto: true });
}));"""
NOW = "selector => document.querySelector(selector).checkVisibility({ contentVisibilityAuto: true })"

# The paragraph that stands at the top of the window, and where.
READ = """() => {
  const tops = [...document.querySelectorAll("article p")].map((one) => one.getBoundingClientRect().top);
  return tops.entries().find(([, top]) => top > 0);
}"""


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> Iterator[str]:
    prose = "Words that fill a line or two of a page that is long, so that there is something to scroll.\n\n" * 60
    page = f"---\ntitle: Long\nsummary: About it.\n---\n\n## One\n\n{prose}## Two\n\n{prose}**The end.**\n"
    with serving(built(site(tmp_path_factory.mktemp("long"), index=page)), "/") as found:
        yield found


def opened(visit: Visit, path: str, **settings) -> Page:
    page = visit.blank(width=PHONE, **settings)
    page.add_init_script(EARLY)
    page.goto(path)
    return page


def test_prose_further_down_is_laid_out_when_the_reader_comes_near(visitor, long):
    page = opened(visitor(long), "./")
    page.wait_for_function("globalThis.early === false")
    page.wait_for_timeout(300)
    assert not page.evaluate(NOW, "strong")
    page.evaluate("scrollTo(0, 1e6)")
    page.wait_for_function(NOW, arg="strong")


@pytest.mark.parametrize("path", ["./", "./#two"])
def test_prose_looks_the_same_whether_or_not_it_was_laid_out_as_it_was_read(visitor, long, path):
    heights = set()
    for at in (path, "./#one"):
        page = opened(visitor(long), at)
        for step in range(0, 30_000, 500):
            page.evaluate("y => new Promise(done => requestAnimationFrame(() => done(scrollTo(0, y))))", step)
        heights.add(page.locator("article").bounding_box()["height"])
    assert len(heights) == 1


def test_picture_of_the_whole_page_shows_what_nobody_has_come_near(visitor, long):
    lazy, whole = (opened(visitor(long), path) for path in ("./", "./#one"))
    lazy.wait_for_function("globalThis.early === false")
    whole.wait_for_function("globalThis.early === true")
    assert not lazy.evaluate(NOW, "strong")
    found, wanted = (len(page.screenshot(full_page=True)) for page in (lazy, whole))
    assert found > 0.9 * wanted  # bytes: empty paper takes few


def test_window_that_changes_leaves_the_rest_for_later(visitor, long):
    page = opened(visitor(long), "./")
    page.wait_for_function("globalThis.early === false")
    page.set_viewport_size({"width": PHONE, "height": 700})
    page.wait_for_timeout(300)
    assert not page.evaluate(NOW, "strong")


@pytest.mark.parametrize("path", ["./#two", "./#nowhere"])
def test_page_that_is_entered_at_one_of_its_parts_is_whole(visitor, long, path):
    page = opened(visitor(long), path)
    page.wait_for_function("globalThis.early === true")


def test_page_is_whole_without_script(visitor, long):
    page = visitor(long).blank(java_script_enabled=False)
    page.goto("./")
    heights = [page.locator("article").bounding_box()["height"]]
    page.wait_for_timeout(1500)
    heights.append(page.locator("article").bounding_box()["height"])
    assert heights[0] == heights[1] > 4000


def test_reload_comes_back_to_the_same_place(visitor, long):
    page = opened(visitor(long), "./")
    page.wait_for_function("globalThis.early === false")
    for step in range(0, 3001, 500):
        page.evaluate("y => new Promise(done => requestAnimationFrame(() => done(scrollTo(0, y))))", step)
    page.wait_for_timeout(300)
    before = page.evaluate(READ)
    page.reload()
    page.wait_for_function("globalThis.early === true")
    page.wait_for_timeout(300)
    assert page.evaluate(READ) == before


def test_heading_far_down_that_is_gone_to_is_met(visitor, long):
    page = opened(visitor(long), "./")
    page.wait_for_function("globalThis.early === false")
    page.evaluate("location.hash = 'two'")
    page.wait_for_timeout(300)
    assert 0 <= page.locator("#two").bounding_box()["y"] < 120


def test_picture_far_away_is_laid_out_when_the_reader_comes_near(visit: Visit):
    page = visit("tall/", width=PHONE, height=600)
    page.wait_for_timeout(300)
    assert not page.evaluate(NOW, "#dots .narrow > *")
    page.evaluate("y => scrollTo(0, y)", page.locator("#dots").bounding_box()["y"])
    page.wait_for_function(NOW, arg="#dots .narrow > *")


def test_picture_that_has_been_seen_keeps_its_height_when_it_is_far_away(visit: Visit):
    page = visit("tall/", width=PHONE, height=600)
    page.locator("#dots .stage").scroll_into_view_if_needed()
    page.wait_for_function(NOW, arg="#dots .narrow > *")
    height = page.locator("#dots .stage").bounding_box()["height"]
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function(NOW.replace("=> ", "=> !"), arg="#dots .narrow > *")
    assert page.locator("#dots .stage").bounding_box()["height"] == height
