"""The documentation as its reader meets it: nothing is cut off, nothing idle is there, and its scenes answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from loom.build.pipeline import build_site
from loom.options import Options
from loom.paths import OWN
from tests.browser import DESKTOP, PHONE, Figure, Visit, serving

PAGES = sorted(path.stem for path in (OWN / "docs/content").glob("*.md") if path.stem != "index")


@pytest.fixture(scope="module")
def documentation() -> Iterator[str]:
    with serving(build_site(Options(OWN / "docs")), "/") as found:
        yield found


@pytest.fixture
def visit(visitor, documentation) -> Visit:
    return visitor(documentation)


@pytest.mark.parametrize("path", ["./", *(f"{name}/" for name in PAGES)])
def test_no_page_is_wider_than_the_screen(visit: Visit, path):
    page = visit(path)
    for width in (320, PHONE, 768, DESKTOP):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("path", ["./", "drawing/", "language/"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Visit, path, scheme):
    page = visit(path, color_scheme=scheme)
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [f"{rule['id']}: {node['target']}" for rule in found for node in rule["nodes"]] == []


def test_shades_have_their_colours_and_only_a_page_that_shows_some_loads_their_style_sheet(visit: Visit):
    page = visit("plots/", color_scheme="dark")
    shades = page.locator("#draw-field .picture:visible [class*=level-]")
    fills = shades.evaluate_all("marks => marks.map((mark) => [mark.classList[0], getComputedStyle(mark).fill])")
    assert len({fill for _, fill in fills}) == len({role for role, _ in fills}) > 5
    assert page.locator("link[href*='/scale.']").count() == 1
    assert visit("motion/").locator("link[href*='/scale.']").count() == 0


MOVING = ("draw-order", "draw-touch", "draw-window")  # have steps or parameters


def test_scene_of_one_picture_has_no_controls_that_do_nothing(visit: Visit):
    page = visit("drawing/")
    stills = [one for one in page.locator("figure.scene").all() if one.get_attribute("id") not in MOVING]
    assert len(stills) >= 10
    assert [one.get_attribute("id") for one in stills if one.locator(".transport:visible").count()] == []


def test_first_scene_of_the_documentation_answers(visit: Visit):
    page = visit("./")
    figure = Figure(page, "coffee")
    figure.param("half_life").fill("30")  # the last of its values but two: nine hours
    expect(figure.part("say")).to_contain_text("46 mg are left")
    expect(page.locator("article")).to_contain_text(re.compile(r"the 46\smg left at bedtime"))
