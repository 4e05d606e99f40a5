"""While a site is edited, the browser shows it, and the reader's place stays."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser import Figure
from playwright.sync_api import Browser, expect

from loom.options import Options
from tests.desk import Desk, at_work
from tests.sites import TOY, toy_site

LONG = "".join(f"\n## Part {number}\n\nSome words.\n" for number in range(40))
PAGES = {"index": f"# Home\n\n:::{{scene}} toy\n:::\n{LONG}", "plain.md": f"# Plain\n\nFirst words.\n{LONG}",
         "site.yml": "search: true\n"}  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path, chromium: Browser) -> Iterator[Desk]:
    with at_work(Options(toy_site(tmp_path / "root", **PAGES)), chromium, "/base/") as found:
        yield found


def until(true: Callable[[], bool]) -> None:
    """Wait for something that no locator can see."""
    for _ in range(500):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def test_edit_shows_and_the_reader_stays_where_they_are(desk):
    page = desk.open("plain/")
    page.evaluate("scrollTo(0, 600)")
    page.evaluate("document.body.dataset.same = 'yes'")
    desk.write("content/plain.md", PAGES["plain.md"].replace("First words", "Second words"))
    expect(page.get_by_text("Second words.")).to_be_visible()
    assert page.evaluate("scrollY") == 600
    assert page.evaluate("document.body.dataset.same") == "yes"  # the document was not loaded anew


def test_scene_keeps_its_state_through_an_edit_of_its_page(desk):
    page = desk.open("")
    figure = Figure(page, "toy")
    figure.param("count").fill("2")
    figure.part("forward").click()
    expect(page).to_have_url(re.compile(r"#toy\?count=4&step=2$"))
    page.evaluate("scrollTo(0, 700)")
    desk.write("content/index.md", PAGES["index"].replace("Some words.", "Other words."))
    expect(page.get_by_text("Other words.").first).to_be_attached()
    until(lambda: page.evaluate("scrollY") == 700)
    expect(Figure(page, "toy").part("count")).to_have_text("2 / 4")
    desk.write("content/index.md", PAGES["index"].replace("# Home", "# House"))
    expect(page.get_by_role("heading", name="House")).to_be_attached()
    expect(Figure(page, "toy").part("count")).to_have_text("2 / 4")


@pytest.mark.parametrize("what", ["#toy-count", "svg.wide [role=button]", "[data-part=forward]", "a[href*=plain]"])
def test_keyboard_stays_where_it_was_when_a_page_with_scenes_is_edited(desk, what):
    page = desk.open("")
    Figure(page, "toy").part("forward").click()  # the scene is awake
    page.locator(what).first.focus()
    desk.write("content/index.md", PAGES["index"].replace("# Home", "# House"))
    expect(page.get_by_role("heading", name="House")).to_be_attached()
    expect(page.locator(what).first).to_be_focused()


def test_keyboard_stays_where_it_was_when_the_text_of_a_page_is_exchanged(desk):
    page = desk.open("plain/")
    link = page.locator("a[href='#part-3']").first
    link.focus()
    desk.write("content/plain.md", PAGES["plain.md"].replace("First words", "Second words"))
    expect(page.get_by_text("Second words.")).to_be_visible()
    expect(link).to_be_focused()


def test_style_sheet_is_exchanged_without_loading_the_page(desk):
    page = desk.open("plain/")
    page.evaluate("document.body.dataset.same = 'yes'")
    (desk.root / "static/css").mkdir(parents=True)
    desk.write("static/css/main.css", "h1 { color: rgb(1, 2, 3) }\n")
    expect(page.locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
    assert page.evaluate("document.body.dataset.same") == "yes"


def test_mistake_is_shown_with_its_line_and_goes_when_it_is_mended(desk, capfd):
    page = desk.open("plain/")
    desk.write("content/plain.md", "# Plain\n\n{nope}`x`\n")
    box = page.get_by_role("alert")
    expect(box).to_contain_text("content/plain.md:3:1: unknown role 'nope'")
    expect(box).to_contain_text("> 3 | {nope}`x`")
    expect(page.get_by_text("First words.")).to_be_visible()  # the last good page
    until(lambda: "unknown role 'nope'" in capfd.readouterr().err)
    desk.write("content/plain.md", "# Plain\n\nMended words.\n")
    expect(box).to_have_count(0)
    expect(page.get_by_text("Mended words.")).to_be_visible()


def test_scene_that_raises_is_a_mistake_like_any_other(desk):
    page = desk.open("")
    desk.write("scenes/toy/scene.py", TOY.replace("Pen(width)", "Pen(1 / 0)"))
    expect(page.get_by_role("alert")).to_contain_text("ZeroDivisionError")
    desk.write("scenes/toy/scene.py", TOY.replace("A bar grows.", "A bar grows long."))
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("[aria-label='A bar grows long.']").first).to_be_attached()  # it was loaded anew


def test_page_that_is_opened_while_something_is_wrong_says_so(desk):
    desk.write("content/plain.md", "# Plain\n\n{nope}`x`\n")
    time.sleep(0.3)
    expect(desk.open("plain/").get_by_role("alert")).to_contain_text("unknown role 'nope'")


def test_search_follows_what_is_written_and_keeps_the_question(desk):
    page = desk.open("search/?q=zebra")
    expect(page.get_by_role("status")).to_have_text("Nothing is found for “zebra”.")
    desk.write("content/plain.md", PAGES["plain.md"].replace("First words", "A zebra"))
    expect(page.locator(".results mark")).to_contain_text("zebra", timeout=15_000)  # an index is made meanwhile
    expect(page.locator("#query")).to_have_value("zebra")


def test_head_of_the_news_ends_at_once_and_no_other_site_may_read_them(desk):
    where = urlsplit(desk.address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=5)
    connection.request("HEAD", "/base/-/events")
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    connection.close()
