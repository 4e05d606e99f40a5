"""Every page, of the small site and of the repository's own: accessible, legible, in bounds, quiet and at home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import DESKTOP, PAGES, PHONE, TABLET, Figure, Visit, serving
from playwright.sync_api import Page, expect

from loom.model import Output
from loom.paths import OWN
from loom.scenes.discover import scene_folders

CONTENT = OWN / "content"
HOME = "hardware"
OWN_PAGES = ["./" if path.stem == HOME else f"{path.stem}/" for path in sorted(CONTENT.glob("*.md"))]
UNFINISHED = [name for name, folder in scene_folders(OWN / "scenes").items() if not (folder / "scene.py").is_file()]
MISSING = pytest.mark.skipif(bool(UNFINISHED), reason=f"no scene.py yet: {', '.join(UNFINISHED)}")


EVERY_PAGE = [pytest.param("small_address", page, id=f"small:{page}") for page in PAGES] + [
    pytest.param("own_address", page, marks=MISSING, id=f"own:{page}") for page in OWN_PAGES
]
every_page = pytest.mark.parametrize(("where", "path"), EVERY_PAGE)


@pytest.fixture
def small_address(address: str) -> str:
    """Where the small site is served."""
    return address


@pytest.fixture(scope="session")
def own_address(own_site: Output) -> Iterator[str]:
    """Where the repository's own site is served, built once."""
    with serving(own_site, "/") as found:
        yield found


@pytest.fixture
def visit(visitor, request, where) -> Visit:
    """A visit of the site that the test is about."""
    return visitor(request.getfixturevalue(where))


def scenes(page: Page) -> list[Figure]:
    """Every scene of the page, opened and ready."""
    names = page.locator("[data-scene]").evaluate_all("all => all.map(one => one.dataset.scene)")
    for question in page.locator("[data-part=reveal]").all():
        question.click()
    return [Figure(page, name) for name in names]


def faults(page: Page, *rules: str) -> list[str]:
    """What axe finds wrong, by all of its rules or by some: the rule, and where."""
    only = {"runOnly": list(rules)} if rules else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **only}).response["violations"]
    return [f"{rule['id']}: {node['target']} {node['html'][:120]}" for rule in found for node in rule["nodes"]]


@every_page
@pytest.mark.parametrize(("width", "before", "after"), [(PHONE, "light", "dark"), (DESKTOP, "dark", "light")])
def test_axe_finds_nothing_before_and_after_playing(visit: Visit, path, width, before, after):
    page = visit(path, width=width)
    page.emulate_media(color_scheme=before)
    assert faults(page) == []
    page.emulate_media(color_scheme=after)
    if not (figures := scenes(page)):
        assert faults(page, "color-contrast") == []
        return
    for figure in figures:
        figure.root.press("End")
        expect(figure.part("forward")).to_be_disabled()
        figure.details()
    assert faults(page) == []


@pytest.mark.parametrize(("where", "path"), [("small_address", "./")])
@pytest.mark.parametrize(("width", "kind"), [(PHONE, "term"), (DESKTOP, "cite")])
def test_axe_finds_nothing_in_an_open_card(visit: Visit, path, width, kind):
    page = visit(path, width=width)
    page.locator(f"article p a.{kind}").first.click()
    expect(page.locator("#-card")).to_be_visible()
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, "color-contrast") == []


@every_page
def test_nothing_moves_while_a_page_loads_and_nothing_sticks_out_sideways(visit: Visit, path):
    """320 CSS px is what a desktop window of 1280 has at 400 % zoom (WCAG 2.2, 1.4.10).

    With 240, words are as large to the page as on a phone of 360 where they are set half as large again (1.4.4).
    """
    page = visit(path, width=DESKTOP)
    for width in (DESKTOP, PHONE):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(path)
        for scene in page.locator("[data-scene]").all():
            scene.scroll_into_view_if_needed()
            expect(scene.locator("[data-key]").first).to_be_attached()  # it is awake
        page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
        assert page.evaluate("globalThis.shift") < 0.02
    for figure in scenes(page):
        figure.root.press("End")
    for width in (240, 320, PHONE, TABLET, DESKTOP):
        page.set_viewport_size({"width": width, "height": 800})
        assert (width, overflow(page)) == (width, [])


@pytest.mark.parametrize(("where", "path"), [("small_address", "./")])
def test_a_wide_table_scrolls_inside_its_own_frame(visit: Visit, path):
    page = visit(path, width=PHONE)
    for figure in scenes(page):
        figure.details()
    assert overflow(page) == []


@every_page
def test_no_type_is_too_small_on_a_phone(visit: Visit, path):
    page = visit(path, width=PHONE)
    for figure in scenes(page):
        figure.root.press("End")
        figure.details()
    assert small_type(page, 11) == []


@every_page
def test_a_page_plays_through_quietly_in_one_height_with_its_own_files_only(visit: Visit, path):
    page = visit(path, width=PHONE)
    for figure in scenes(page):
        figure.menu("restart").click()
        heights = set()
        for step in range(1, int(figure.part("scrub").get_attribute("max")) + 1):
            figure.at(step)
            heights.add(figure.root.evaluate("figure => figure.offsetHeight"))
            figure.root.press("ArrowRight")
        assert len(heights) == 1
    assert visit.noise == []
    kinds = {PurePosixPath(urlsplit(url).path).suffix for url in visit.requests}
    assert kinds <= {"", ".js", ".css", ".json", ".svg", ".woff2"}
    assert [url for url, times in Counter(visit.requests).items() if times > 1 and ".svg" not in url] == []


def overflow(page: Page) -> list[str]:
    """What sticks out of the window sideways, whether the page can be scrolled there or it is cut off."""
    return page.evaluate("""() => {
        const wide = document.documentElement.clientWidth;
        const out = (node) => node.checkVisibility() && node.getBoundingClientRect().right > wide + 0.5;
        const held = (node) => node.parentElement
            && (/auto|scroll/.test(getComputedStyle(node.parentElement).overflowX) && !out(node.parentElement)
                || held(node.parentElement));
        const all = [...document.querySelectorAll("body *:not(svg *, math *)")];
        const found = all.filter((node) => out(node) && !held(node))
            .map((node) => `${node.localName}.${node.getAttribute("class")}: ${node.textContent.slice(0, 40)}`);
        return document.documentElement.scrollWidth > wide ? ["the page itself", ...found] : found;
    }""")


def small_type(page: Page, least: float) -> list[str]:
    """Texts that are set in smaller type, in CSS pixels as they reach the eye."""
    return page.evaluate("""(least) => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Set();
        while (walker.nextNode()) {
            const words = walker.currentNode.data.trim(), node = walker.currentNode.parentElement;
            if (!words || !node.checkVisibility({ visibilityProperty: true })) continue;
            const scale = node.getScreenCTM ? node.getScreenCTM().a : 1;
            const size = parseFloat(getComputedStyle(node).fontSize) * scale;
            const name = `${node.localName}.${node.getAttribute("class")}`;
            if (size < least - 0.05) found.add(`${size.toFixed(1)} px in ${name}: ${words.slice(0, 40)}`);
        }
        return [...found];
    }""", least)  # fmt: skip


own_content = pytest.mark.parametrize(
    ("where", "path"),
    [
        pytest.param("own_address", path, marks=MISSING)
        for path in OWN_PAGES
        if path not in ("references/", "glossary/")
    ],
)


@own_content
@pytest.mark.parametrize("touch", [False, True], ids=["pointer", "finger"])
def test_page_opens_with_a_whole_picture_and_its_play_button_in_its_first_screen(visit: Visit, path, touch):
    for width, height, most in ((DESKTOP, 800, 700), (PHONE, 740, 640)):
        figure = visit(path, width=width, height=height, has_touch=touch).locator("[data-scene]").first
        picture = figure.locator(".stage svg:visible").bounding_box()
        assert picture and picture["y"] + picture["height"] <= most
        play = figure.locator("[data-part=play]").bounding_box()
        assert play and play["y"] + play["height"] <= height


@pytest.mark.parametrize(("where", "path"), [pytest.param("own_address", "./#pipelining", marks=MISSING)])
def test_pressed_mark_that_is_a_button_no_longer_leaves_the_keyboard_to_its_scene(visit: Visit, path):
    figure = Figure(visit(path, width=DESKTOP), "pipelining")
    figure.root.locator(".picture [role=button]").first.press("Enter")
    expect(figure.root).to_be_focused()


@own_content
def test_dots_of_the_steps_are_as_wide_as_a_finger_needs(visit: Visit, path):
    dots = visit(path, width=PHONE, has_touch=True).locator(".dots button:visible")
    widths = dots.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert widths and min(widths) >= 24


@own_content
def test_scene_and_its_controls_fit_one_screen(visit: Visit, path):
    figures = visit(f"{path}#whole", width=DESKTOP, height=800).locator("[data-scene]")  # see test_browser_laziness.py
    heights = figures.evaluate_all("all => all.map(one => [one.id, one.offsetHeight])")
    assert heights and [one for one in heights if one[1] > 640] == []
