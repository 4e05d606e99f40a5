"""An edited scene is shown in its present state before the rest of it is computed, while a site is written only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Figure
from playwright.sync_api import Browser, expect
from test_browser_live import until

from loom.options import Options
from tests.desk import Desk, at_work
from tests.sites import TOY, altered, toy_site

PAGE = "# Home\n\n:::{scene} toy\n:count: 3\n:::\n\n{value}`toy.count`\n"
PATH = "scenes/toy/scene.py"
STEPS = "    return [(count, mode, twice, at) for at in range(count)]"
# One variant of four steps waits for somebody to let it go on: the other worker is there for what is asked for.
GATE = (
    STEPS,
    "    from pathlib import Path\n"
    "    while (count, mode, twice) == (4, 'fast', False) and not (Path(__file__).parents[3] / 'go').is_dir():\n"
    f"        pass\n{STEPS}",
)
LONG = ('f"step {', 'f"long step {')
SHORT = ('f"step {', 'f"short step {')


@pytest.fixture
def desk(tmp_path: Path, chromium: Browser) -> Iterator[Desk]:
    options = Options(toy_site(tmp_path / "root", index=PAGE), jobs=2, cache=tmp_path / "cache")
    with at_work(options, chromium) as found:
        yield found
        (tmp_path / "go").mkdir(exist_ok=True)


def test_new_picture_is_there_before_the_grid_and_the_page_says_how_far_that_is(desk):
    page = desk.open("")
    note = page.locator(".live-computing")
    desk.write(PATH, altered(TOY, GATE, LONG))
    expect(page.locator("svg.wide")).to_contain_text("long step 1", timeout=30_000)
    expect(note).to_have_text("computing toy 10/12", timeout=30_000)
    assert note.get_attribute("role") == "status"
    (desk.root.parent / "go").mkdir()
    expect(note).to_have_count(0, timeout=30_000)
    expect(page.locator("svg.wide")).to_contain_text("long step 1")
    expect(page.locator("[data-config*=partial]")).to_have_count(0, timeout=30_000)


def test_page_says_what_is_computed_while_there_is_no_picture_yet(desk):
    page = desk.open("")
    note = page.locator(".live-computing")
    at_first = altered(GATE[1], ("(4, 'fast', False)", "(3, 'fast', False)"))  # that is what the page opens with
    desk.write(PATH, altered(TOY, (STEPS, at_first), LONG))
    expect(note).to_have_text("computing toy", timeout=30_000)
    expect(page.locator("svg.wide")).not_to_contain_text("long step 1")
    desk.write(PATH, TOY)  # back to what was there, of which there is no news
    expect(note).to_have_count(0, timeout=30_000)


def test_scene_can_be_played_while_it_is_computed_and_what_is_asked_for_comes_first(desk):
    page = desk.open("")
    desk.write(PATH, altered(TOY, GATE, LONG))
    expect(page.locator("svg.wide")).to_contain_text("long step 1", timeout=30_000)
    expect(page.locator(".live-computing")).to_be_visible(timeout=30_000)
    figure = Figure(page, "toy")
    figure.part("forward").click()
    expect(figure.part("count")).to_have_text("2 / 3", timeout=30_000)
    figure.param("count").fill("0")
    expect(figure.part("count")).to_have_text("2 / 2", timeout=30_000)
    expect(page.locator("svg.wide")).to_contain_text("long step 2", timeout=30_000)
    expect(page.locator(".live-computing")).to_be_visible()
    figure.param("count").fill("2")  # waits, and comes when it can
    (desk.root.parent / "go").mkdir()
    expect(figure.part("count")).to_have_text("2 / 4", timeout=30_000)


def test_another_edit_ends_what_is_being_computed_and_begins_anew(desk):
    page = desk.open("")
    desk.write(PATH, altered(TOY, GATE, LONG))
    expect(page.locator(".live-computing")).to_be_visible(timeout=30_000)
    desk.write(PATH, altered(TOY, SHORT))
    expect(page.locator("svg.wide")).to_contain_text("short step 1", timeout=30_000)
    expect(page.locator(".live-computing")).to_have_count(0, timeout=30_000)
    expect(page.locator("[data-config*=partial]")).to_have_count(0, timeout=30_000)


def test_mistake_behind_the_first_look_is_told_and_goes_when_it_is_mended(desk):
    page = desk.open("")
    desk.write(PATH, altered(TOY, LONG, (STEPS, f"    if count == 4: raise KeyError('four')\n{STEPS}")))
    expect(page.get_by_role("alert")).to_contain_text("KeyError: 'four' (count=4", timeout=30_000)
    desk.write(PATH, altered(TOY, SHORT))
    expect(page.get_by_role("alert")).to_have_count(0, timeout=30_000)
    until(lambda: "short step 1" in str(page.locator("svg.wide").text_content()))
