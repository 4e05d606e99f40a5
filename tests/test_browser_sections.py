"""The sidebar of a large site, on the screens that it is read on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import serving
from tests.sites import built, site


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Iterator[str]:
    front = "---\ntitle: {0}\nsummary: About {0}.\n---\n\nThe text.\n\n## One\n\n{1}## Two\n\nEnd.\n"
    pages = {f"p{at:02}": front.format(f"Page {at}", "Words.\n\n" * 60) for at in range(60)}
    root = site(tmp_path_factory.mktemp("large"), index=front.format("Home", ""), **pages)
    with serving(built(root), "/") as found:
        yield found


def test_text_begins_under_its_heading_however_long_the_sidebar_is(visitor, large):
    page = visitor(large)("p30/")
    heading, contents, text = (page.locator(one).bounding_box() for one in ("h1", ".toc", "article > p >> nth=0"))
    assert heading and contents and text
    assert contents["y"] - heading["y"] < 200
    assert text["y"] - contents["y"] - contents["height"] < 100
    assert text["x"] == heading["x"]


def test_headings_of_a_page_with_a_sidebar_unfold(visitor, large):
    page = visitor(large)("p30/")
    link = page.locator(".toc a", has_text="Two")
    expect(link).not_to_be_visible()
    page.locator(".toc button").click()
    link.click()
    expect(page).to_have_url(re.compile("#two$"))


def test_sidebar_stays_in_view_while_a_long_page_is_read(visitor, large):
    page = visitor(large)("p30/")
    page.mouse.wheel(0, 900)
    page.wait_for_function("scrollY == 900")
    sidebar = page.locator(".sections").bounding_box()
    assert sidebar
    assert 0 <= sidebar["y"] < 100


def test_long_sidebar_opens_at_the_page_that_is_read(visitor, large):
    page = visitor(large)("p30/")
    here = page.locator(".sections [aria-current]").bounding_box()
    assert here
    assert 250 < here["y"] < 400  # with some of what stands before it
    assert page.evaluate("scrollY") == 0
