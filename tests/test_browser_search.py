"""The search page, as a reader with a keyboard uses it."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import DESKTOP, PHONE, serving
from playwright.sync_api import Route, expect

from loom.build.pipeline import build_site
from loom.options import Options
from tests.sites import toy_site
from tests.test_search import FILES

BASE = "/below/here/"


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    with serving(build_site(Options(toy_site(tmp_path_factory.mktemp("site"), **FILES), base=BASE)), BASE) as address:
        yield address


@pytest.fixture
def asked(visitor, searched):
    return visitor(searched)


def test_results_come_as_the_reader_types_and_enter_lands_on_the_section(asked):
    page = asked("search/")
    assert not [url for url in asked.requests if "pagefind" in url]  # not before it is asked for
    page.keyboard.type("zebra")
    links = page.locator(".results a")
    expect(links).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 place")
    expect(page.locator(".results mark").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(links.first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{BASE}#quagga")


def test_scene_is_found_by_its_title_and_a_term_by_its_definition(asked):
    page = asked("search/?q=bar%20grows")
    expect(page.locator(".results a").first).to_have_attribute("href", re.compile(rf"^{BASE}other/#toy$"))
    page.locator("#query").fill("threads that step together")
    expect(page.locator(".results a").first).to_have_attribute("href", f"{BASE}words/#term-warp")


def test_place_that_is_called_as_the_reader_asks_comes_first(asked):
    links = asked("search/?q=WARP").locator(".results a")
    expect(links.first).to_have_attribute("href", f"{BASE}words/#term-warp")
    expect(links.first).to_have_accessible_name("Warp Words")
    assert links.count() > 1  # the page that uses it


def test_excerpt_does_not_say_the_heading_again_and_shows_where_it_breaks_off(asked):
    page = asked("search/?q=quagga")
    expect(page.locator(".results a")).to_have_accessible_name("Quagga Home")
    expect(page.locator(".results p")).to_have_text("A zebra of old. Other.")
    page.locator("#query").fill("shuttle")
    expect(page.locator(".results p")).to_have_text(re.compile(r"^…\s(and |on )+shuttle( and| on)+\s…$"))


@pytest.mark.parametrize("words", ["xylophone", "otter", "quack"])
def test_word_that_only_begins_like_another_is_not_found(asked, words):
    page = asked(f"search/?q={words}")
    expect(page.get_by_role("status")).to_have_text(f"Nothing is found for “{words}”.")
    expect(page.locator(".results li")).to_have_count(0)


@pytest.mark.parametrize("words", ["quaggas", "quag", "Othér", "warp's", "zebra old"])
def test_other_forms_and_beginnings_of_a_word_are_found(asked, words):
    expect(asked(f"search/?q={words}").locator(".results a").first).to_be_visible()


def test_keys_move_through_results_begin_anew_and_come_back_to_the_words(asked):
    page = asked("search/")
    field, links = page.locator("#query"), page.locator(".results a")
    expect(field).to_be_focused()
    field.fill("other")
    expect(links.first).to_be_visible()
    page.keyboard.press("Enter")
    expect(links.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("/")
    expect(field).to_be_focused()
    expect(field).to_have_value("other")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    expect(links).to_have_count(0)


def test_question_stays_in_the_address_and_what_is_not_found_is_said(asked):
    page = asked("search/")
    page.locator("#query").fill("xylophone")
    expect(page.get_by_role("status")).to_have_text("Nothing is found for “xylophone”.")
    assert page.url.endswith("search/?q=xylophone")
    page.reload()
    expect(page.locator("#query")).to_have_value("xylophone")


def test_index_that_can_not_be_had_is_said_and_asked_for_again(asked):
    page = asked("search/")
    page.route("**/pagefind.js", lambda route: route.fulfill(status=200, content_type="text/javascript", body="no("))
    page.locator("#query").fill("quagga")
    expect(page.get_by_role("status")).to_contain_text("can’t be had")


def test_without_script_the_page_says_so_and_shows_no_dead_field(asked):
    page = asked("search/", java_script_enabled=False)
    expect(page.get_by_text("Searching needs script")).to_be_visible()
    expect(page.locator("#query")).to_be_hidden()


def test_other_pages_lead_to_the_search_and_fetch_nothing_of_it(asked):
    page = asked("other/")
    page.get_by_role("link", name="Search").click()
    page.wait_for_url("**/search/")
    before = asked.requests.index(page.url)
    assert not [url for url in asked.requests[:before] if "pagefind" in url or "finder" in url]


def test_reader_who_chose_dark_and_still_has_both_here_and_can_switch_back(asked):
    page = asked("other/")
    for _ in ("light", "dark"):
        page.locator("[data-switch=theme]").click()
    page.locator("[data-switch=motion]").click()
    page.get_by_role("link", name="Search").click()
    theme, motion = page.locator("[data-switch=theme]"), page.locator("[data-switch=motion]")
    expect(theme).to_have_text("Light: dark")
    expect(motion).to_have_text("Motion: off")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 24, 27)"
    theme.click()
    page.reload()
    expect(theme).to_have_text("Light: auto")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 248, 242)"


def test_reader_who_waits_for_the_index_is_told_so(asked):
    page = asked("search/")
    held: list[Route] = []
    page.route("**/pagefind.js", lambda route: held.append(route))
    page.locator("#query").fill("quagga")
    expect(page.get_by_role("status")).to_have_text("Looking …")
    held[0].continue_()
    expect(page.get_by_role("status")).to_have_text("1 place")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_axe_finds_nothing_on_the_search_page_and_nothing_sticks_out(asked, scheme, width):
    page = asked("search/?q=warp", width=width)
    page.emulate_media(color_scheme=scheme)
    expect(page.locator(".results a").first).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
