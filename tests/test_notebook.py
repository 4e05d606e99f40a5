"""A scene shows itself in a notebook, with its parameters working, by the same player and without a site."""

from __future__ import annotations

import inspect
import linecache
import re
import sys
from dataclasses import replace
from html import escape, unescape
from types import SimpleNamespace

import pytest
from browser import launch_options  # noqa: F401 - the browser of the tests
from playwright.sync_api import Browser, Page, expect

from loom import notebook
from loom.draw import Box, Pen
from loom.notebook import show
from loom.scene import Choice, Column, Range, Scene, Table, Toggle, Value
from tests.test_browser_embed import elsewhere

LIGHT, DARK = "rgb(251, 248, 242)", "rgb(23, 24, 27)"


def draw(state, width):
    count, wide, at = state
    pen = Pen(width)
    for bar in range(count):
        yield pen.rect(f"bar-{bar}", Box(0, 20 + 20 * bar, (60 if wide else 30) * (at + 1), 12), "data")
    yield pen.text("said", 0, 14, f"{count} < {count + 1} & 'so on'", "label")


SCENE = Scene(
    title='Is it "here" & <now>?', summary="Bars.", leaves_out="All else.", sources=("me",),
    params=(Range("count", "Bars", (1, 2, 3, 4)), Toggle("wide", "Wide"), Choice("kind", "Kind", ("a b", "c"))),
    sentence="Show {count}.",
    steps=lambda count, wide, kind: [(count, wide, at) for at in range(3)], draw=draw,
    say=lambda state: f"Step {state[2] + 1} of bars.",
    table=lambda count, wide, kind: Table((Column("bar", "bar"),), [(bar,) for bar in range(count)]),
    values=lambda count, wide, kind: {"count": Value(count)},
)  # fmt: skip


@pytest.fixture
def cell(chromium: Browser):
    """Opens a page as a notebook's: what a cell shows stands among other things. All that goes wrong is heard."""
    context = chromium.new_context(reduced_motion="reduce", viewport={"width": 800, "height": 900})
    noise: list[str] = []
    sites = []

    def opened(html: str) -> Page:
        sites.append(elsewhere(f"<!doctype html><title>Notebook</title><p>In [1]:</p><div>{html}</div>"))
        page = context.new_page()
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.on("request", lambda request: noise.append(request.url) if "/favicon" not in request.url else None)
        page.goto(sites[-1].__enter__())
        noise.clear()
        return page

    yield opened
    assert [one for one in noise if not one.startswith("data:")] == []
    context.close()
    for site in sites:
        site.__exit__(None, None, None)


def test_slider_moves_the_picture_in_a_cell(cell):
    frame = cell(SCENE._repr_html_()).frame_locator("iframe")
    expect(frame.locator("[data-part=play]")).to_be_enabled()
    bars = frame.locator(".stage svg:visible rect")
    expect(bars).to_have_count(1)
    frame.locator("#scene-count").fill("3")
    expect(bars).to_have_count(4)
    frame.locator("details.numbers summary").click()
    expect(frame.locator("[data-part=rows] tr")).to_have_count(4)
    before = bars.first.get_attribute("width")
    frame.locator("#scene-wide").check()
    expect(bars.first).not_to_have_attribute("width", before)
    frame.locator("[data-part=dots] button").last.click()
    expect(frame.locator("[data-part=say]")).to_have_text("Step 3 of bars.")
    expect(frame.locator(".trouble")).to_have_text("")


def test_keys_play_it_and_the_address_of_the_notebook_stays(cell):
    page = cell(SCENE._repr_html_())
    frame, before = page.frame_locator("iframe"), page.url
    figure = frame.locator("[data-scene]")
    expect(frame.locator("[data-part=play]")).to_be_enabled()
    figure.focus()
    figure.press("ArrowRight")
    expect(frame.locator("[data-part=count]")).to_have_text("2 / 3")
    length = page.evaluate("history.length")
    frame.locator("#scene-kind").select_option("c")
    page.wait_for_timeout(400)
    expect(frame.locator(".trouble")).to_have_text("")  # as if the address could be written
    assert (page.url, page.evaluate("history.length")) == (before, length)  # the way back leads out of the notebook


def test_frame_is_as_tall_as_the_scene(cell):
    page = cell(SCENE._repr_html_())
    page.wait_for_function("document.querySelector('iframe').clientHeight < 690")
    frame = page.frame_locator("iframe")
    assert frame.locator("html").evaluate("html => html.scrollHeight <= innerHeight")
    tall = page.evaluate("document.querySelector('iframe').clientHeight")
    frame.get_by_text("Show as data").click()
    page.wait_for_function(f"document.querySelector('iframe').clientHeight > {tall}")


def test_title_and_words_are_what_they_are_with_all_their_signs(cell):
    page = cell(SCENE._repr_html_())
    expect(page.frame_locator("iframe").locator("h1")).to_have_text('Is it "here" & <now>?')
    expect(page.frame_locator("iframe").locator(".stage svg:visible text").first).to_have_text("1 < 2 & 'so on'")
    assert page.locator("iframe").get_attribute("title") == 'Is it "here" & <now>?'


def test_show_opens_it_in_another_state(cell):
    frame = cell(show(SCENE, step=2, count=3, wide=True, kind="c")._repr_html_()).frame_locator("iframe")
    expect(frame.locator("[data-part=count]")).to_have_text("2 / 3")
    expect(frame.locator(".stage svg:visible rect")).to_have_count(3)
    expect(frame.locator("#scene-kind")).to_have_value("1")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"cuont": 3}, "no parameter 'cuont'"),
        ({"count": 9}, "'count' can't be '9'"),
        ({"step": 9}, "no step 9"),
        ({"step": 0}, "no step 0"),
    ],
)
def test_state_that_is_not_there_is_told_in_the_cell(asked, message):
    told = unescape(show(SCENE, **asked)._repr_html_())
    assert told.startswith("<pre>") and message in told and "hint:" in told


def test_what_is_no_scene_is_told():
    assert (
        unescape(notebook.html("coffee"))
        == "<pre>'coffee' is no Scene (hint: give the scene itself, as in show(SCENE))</pre>"
    )


def broken(state, width):
    yield Pen(width).rect("bar", Box(0, 20, 1 / 0, 12), "data")


def test_mistake_of_a_scene_is_told_at_its_line_and_no_traceback_is():
    told = unescape(replace(SCENE, draw=broken)._repr_html_())
    assert re.search(r"test_notebook\.py:\d+: scene 'scene' failed in draw: ZeroDivisionError", told)
    assert "Traceback" not in told


def test_what_is_too_much_for_a_notebook_is_told_with_its_size_and_its_limit(monkeypatch):
    monkeypatch.setattr(notebook, "MOST_BYTES", 500)
    assert re.search(r"its data take [\d,]+ bytes, and a notebook is to hold 500 at most", SCENE._repr_html_())
    monkeypatch.setattr(notebook, "MOST_VARIANTS", 15)
    assert "more than 15 choices of parameters" in SCENE._repr_html_()


@pytest.mark.parametrize(
    "around",
    [
        '<iframe sandbox="allow-scripts" style="width: 100%; height: 800px" srcdoc="{}"></iframe>',
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'\">{}",  # nothing is fetched, no text becomes code
    ],
)
def test_scene_plays_where_a_notebook_locks_what_cells_show(cell, around):
    html = SCENE._repr_html_()
    locked = "sandbox" in around
    page = cell(around.format(escape(html) if locked else html))
    frame = page.frame_locator("iframe").frame_locator("iframe") if locked else page.frame_locator("iframe")
    expect(frame.locator("[data-part=play]")).to_be_enabled()
    frame.locator("#scene-count").fill("3")
    expect(frame.locator(".stage svg:visible rect")).to_have_count(4)
    frame.locator("[data-part=forward]").click()
    expect(frame.locator("[data-part=say]")).to_have_text("Step 2 of bars.")


def test_two_scenes_in_a_notebook_leave_each_other_alone(cell):
    page = cell(SCENE._repr_html_() + show(SCENE, count=2)._repr_html_())
    first, second = (page.frame_locator("iframe").nth(at) for at in (0, 1))
    expect(second.locator("[data-part=play]")).to_be_enabled()
    first.locator("#scene-count").fill("3")
    expect(first.locator(".stage svg:visible rect")).to_have_count(4)
    expect(second.locator(".stage svg:visible rect")).to_have_count(2)


def test_scene_is_light_or_dark_as_the_notebook_is(cell):
    page = cell(SCENE._repr_html_())  # the system wants light
    body = page.frame_locator("iframe").locator("body")
    for colour, paper in (("#eee", DARK), ("oklch(0.2 0.1 30)", LIGHT), ("white", DARK)):
        page.evaluate("colour => { document.body.style.color = colour }", colour)
        expect(body).to_have_css("background-color", paper)


def test_scene_that_was_hidden_while_the_notebook_became_dark_is_dark(cell):
    page = cell(SCENE._repr_html_())
    body = page.frame_locator("iframe").locator("body")
    expect(body).to_have_css("background-color", LIGHT)
    page.evaluate("document.body.style.display = 'none'")
    page.evaluate("document.body.style.color = 'white'")
    page.evaluate("new Promise(requestAnimationFrame).then(() => { document.body.style.display = '' })")
    expect(body).to_have_css("background-color", DARK)


def test_scene_follows_a_notebook_that_hides_itself_while_its_theme_changes(cell):
    page = cell(SCENE._repr_html_())
    body = page.frame_locator("iframe").locator("body")
    for colour, paper in (("white", DARK), ("black", LIGHT)):
        page.evaluate(
            """(colour) => { // as JupyterLab: the change has begun, and nobody sees it end
          const [cell, frame] = [document.querySelector("div"), document.querySelector("iframe")];
          cell.style.color = colour;
          document.body.dataset.theme = colour;
          for (const shown of ["block", "none", "block"]) {
            cell.style.display = shown;
            getComputedStyle(frame).color;
          }
        }""",
            colour,
        )
        expect(body).to_have_css("background-color", paper)


def test_controls_speak_the_language_that_is_asked_for(monkeypatch):
    monkeypatch.setattr(notebook, "language", "de")
    html = unescape(SCENE._repr_html_())
    assert '<html lang="de">' in html and "Als Daten zeigen" in html and "Show as data" not in html
    assert "lässt sich hier nicht abspielen" in html  # the player's words
    assert "can't be '9'" in unescape(show(SCENE, count=9)._repr_html_())  # mistakes are told in English


def test_mistake_is_told_at_its_cell_with_its_line(monkeypatch):
    file = "/cells/1234.py"
    code = inspect.getsource(broken)
    linecache.cache[file] = (len(code), None, code.splitlines(), file)
    namespace = {"Pen": Pen, "Box": Box}
    exec(compile(code, file, "exec"), namespace)  # noqa: S102 - as a notebook does
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name={file: ("Cell", "In[7]")}.get))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    told = unescape(replace(SCENE, draw=namespace["broken"])._repr_html_())
    assert told.startswith("<pre>Cell In[7]:2: scene 'scene' failed in draw") and "line: yield Pen(width)" in told
