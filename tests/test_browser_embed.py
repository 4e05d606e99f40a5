"""A scene alone in a frame on another site: it plays there, says how tall it is, and sticks out nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import PHONE, Figure, Visit, serving
from playwright.sync_api import Browser, FrameLocator, Page, expect
from test_browser_site import small_site

from tests.servers import running

LAZY = ' loading="lazy"'
SCENE = "scenes/online-softmax/"
HOST = """<!doctype html><title>Elsewhere</title><p>Before</p>{snippet}<p>After</p>
<script>globalThis.told = [];
addEventListener("message", ({{ data, origin }}) => {{ told.push({{ ...data, origin }}) }})</script>"""


@pytest.fixture(scope="module")
def embeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a site with scenes alone is served."""
    with serving(small_site(tmp_path_factory.mktemp("embeds"), "embeds: true\n"), "/") as address:
        yield address


@contextmanager
def elsewhere(html: str) -> Iterator[str]:
    """The address of a page on another site."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture
def framed(chromium: Browser) -> Iterator[Callable[..., tuple[Page, FrameLocator]]]:
    """Opens a page of another site that frames an address, or holds a snippet."""
    with contextmanager(_opening)(chromium) as opened:
        yield opened


def _opening(chromium: Browser) -> Iterator[Callable[..., tuple[Page, FrameLocator]]]:
    contexts, sites = [], []

    def opened(snippet: str, width: int = 800, **settings: object) -> tuple[Page, FrameLocator]:
        if "<iframe" not in snippet:
            snippet = f'<iframe src="{snippet}" width="100%" height="300" style="border: 0"></iframe>'
        sites.append(elsewhere(HOST.format(snippet=snippet)))
        viewport = {"width": width, "height": 900}
        context = chromium.new_context(viewport=viewport, reduced_motion="reduce", **settings)
        contexts.append(context)
        page = context.new_page()
        page.goto(sites[-1].__enter__())
        return page, page.frame_locator("iframe")

    yield opened
    for context in contexts:
        context.close()
    for site in sites:
        site.__exit__(None, None, None)


def test_scene_plays_with_keys_in_a_frame_of_another_origin(embeds, framed):
    _, frame = framed(embeds + SCENE)
    scene = frame.locator("[data-scene]")
    expect(scene.locator("[data-part=play]")).to_be_enabled()
    scene.focus()
    scene.press("Home")
    scene.press("ArrowRight")
    scene.press("ArrowRight")
    expect(scene.locator("[data-part=count]")).to_have_text(re.compile("^3 / "))
    said = scene.locator("[data-part=say]").text_content()
    scene.press("End")
    expect(scene.locator("[data-part=say]")).not_to_have_text(said)


def test_frame_of_a_state_opens_in_it(embeds, framed):
    _, frame = framed(f"{embeds}{SCENE}#online-softmax?tile=2&step=5")
    expect(frame.locator("[data-part=count]")).to_have_text(re.compile("^5 / "))
    expect(frame.locator("[id=online-softmax-tile]")).to_have_value("0")  # the first of its values


def test_frame_that_opens_in_a_state_leaves_the_reader_where_the_page_around_it_begins(embeds, framed):
    frame = f'<iframe src="{embeds}{SCENE}#online-softmax?tile=2&step=5" width="100%" height="700"></iframe>'
    page, inner = framed(f'<div style="height: 700px"></div>{frame}<div style="height: 2000px"></div>')
    expect(inner.locator("[data-part=count]")).to_have_text(re.compile("^5 / "))
    page.wait_for_timeout(300)
    assert page.evaluate("[scrollY, document.activeElement.localName]") == [0, "body"]


def test_frame_is_told_how_tall_its_scene_is_whenever_that_changes(embeds, framed):
    page, frame = framed(embeds + SCENE)
    page.wait_for_function("told.length")
    tall = "frames[0] && told.at(-1).height"
    body = frame.locator("body").evaluate("body => Math.ceil(body.getBoundingClientRect().height)")
    assert page.evaluate(tall) == body
    assert page.evaluate("[told[0].loom, told[0].scene, told[0].origin]") == ["height", "online-softmax", embeds[:-1]]
    frame.get_by_text("Show as data").click()
    page.wait_for_function(f"{tall} > {body} + 40")
    frame.get_by_text("Show as data").click()
    page.wait_for_function(f"{tall} === {body}")


def test_picture_in_a_frame_is_laid_out_at_once_for_its_height_to_be_told(embeds, framed):
    _, frame = framed(embeds + SCENE)
    shown = frame.locator(".stage").evaluate("stage => getComputedStyle(stage).contentVisibility")
    assert shown == "visible"


def test_snippet_that_a_reader_copies_shows_the_state_that_the_reader_came_to(embeds, framed, visitor):
    reader: Page = visitor(embeds)(f"{SCENE}#online-softmax?tile=2")
    figure = Figure(reader, "online-softmax")
    figure.go(4)
    expect(reader).to_have_url(re.compile("step=4"))
    reader.get_by_text("Show it on your page").click()
    snippets = reader.locator("textarea")
    expect(snippets).to_have_value(re.compile(LAZY))  # it is written once the fold has opened
    snippet = snippets.input_value()
    page, frame = framed(snippet.replace(LAZY, ""))  # a browser may take its time to begin
    page.wait_for_function("document.querySelector('iframe').height !== '700'", timeout=20_000)  # it is loaded lazily
    expect(frame.locator("[data-part=count]")).to_have_text(re.compile("^4 / "))
    assert frame.locator("html").evaluate("html => html.scrollHeight <= innerHeight + 1")  # no bar to scroll in a frame


def test_host_page_may_ask_for_dark_or_light(embeds, framed):
    for theme, colour in (("dark", "rgb(23, 24, 27)"), ("light", "rgb(251, 248, 242)")):
        _, frame = framed(f"{embeds}{SCENE}?theme={theme}")
        assert frame.locator("body").evaluate("body => getComputedStyle(body).backgroundColor") == colour


def test_without_script_the_frame_shows_the_picture_and_all_that_is_said(embeds, framed):
    _, frame = framed(embeds + SCENE, java_script_enabled=False)
    expect(frame.locator(".stage svg:visible")).to_have_count(1)
    expect(frame.locator(".story li").first).to_be_visible()
    expect(frame.locator(".controls:visible, .snippet:visible")).to_have_count(0)
    expect(frame.get_by_text("Explained in")).to_be_visible()


@pytest.mark.parametrize("width", [320, PHONE, 800])
def test_nothing_sticks_out_of_a_narrow_frame(embeds, framed, width):
    snippet = f'<iframe src="{embeds}{SCENE}" width="{width}" height="700" style="border: 0"></iframe>'
    _, frame = framed(snippet)
    expect(frame.locator("[data-part=play]")).to_be_enabled()
    assert frame.locator("html").evaluate("html => [html.scrollWidth, innerWidth]") == [width, width]


def test_other_pages_are_shown_in_no_frame(embeds, framed):
    page, _ = framed(embeds)
    page.wait_for_timeout(200)
    assert page.frames[1].url.startswith("chrome-error:")


def test_scene_alone_asks_for_nothing_from_elsewhere_and_breaks_no_policy(embeds, visitor):
    visit: Visit = visitor(embeds)  # which hears all of that
    page = visit(SCENE, width=PHONE)
    figure = Figure(page, "online-softmax")
    figure.go(3)
    page.get_by_text("Show it on your page").click()
    expect(page.locator("textarea")).to_have_value(re.compile("<iframe.*frame.height", re.DOTALL))
    assert [url for url in visit.requests if "player." in url and url.endswith("main.js")]


def test_scene_alone_prints_its_picture_and_its_words(embeds, visitor):
    page = visitor(embeds)(SCENE)
    Figure(page, "online-softmax")
    page.emulate_media(media="print")
    expect(page.locator(".stage svg:visible")).to_have_count(1)
    expect(page.locator(".story li").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_scene_alone(embeds, visitor, scheme):
    from test_browser_pages import faults

    page = visitor(embeds)(SCENE, width=PHONE)
    page.emulate_media(color_scheme=scheme)
    Figure(page, "online-softmax")
    page.get_by_text("Show it on your page").click()
    assert faults(page) == []
