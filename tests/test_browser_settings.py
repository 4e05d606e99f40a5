"""What a reader or a system asks for: less motion, light or dark, forced colours, nothing remembered."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from browser import PHONE, Figure, Visit
from playwright.sync_api import Page, expect

NO_STORAGE = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError"); },
});"""


def pace(page: Page) -> set[str]:
    """How long the marks of the first scene take to move; asked at once: the player may be exchanging them."""
    return set(page.evaluate("""() => {
        const seen = [...document.querySelectorAll(".stage svg")].find(one => one.checkVisibility());
        return [...seen.children].map(mark => getComputedStyle(mark).transitionDuration);
    }"""))  # fmt: skip


def paper(page: Page) -> str:
    """The colour of the page."""
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def switch(page: Page, name: str) -> Page:
    """Press one of the page's two switches."""
    page.locator(f"[data-switch={name}]").click()
    return page


def test_marks_move_unless_the_system_asks_for_less_motion(visit: Visit):
    assert pace(visit(reduced_motion="no-preference")) == {"0.42s"}
    assert pace(visit()) == {"0s"}


def test_a_mark_jumps_to_its_place_when_less_motion_is_asked_for(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.part("forward").click()
    figure.at(2)
    assert figure.mark("runner").evaluate("node => node.getAnimations().length") == 0
    assert float(figure.mark("runner").get_attribute("x")) == pytest.approx(2 * 840 / 8 - 5)


def test_a_mark_is_under_way_after_a_step_when_motion_is_on(visit: Visit):
    figure = Figure(visit(reduced_motion="no-preference"), "dots")
    figure.note_transitions()
    figure.part("forward").click()
    expect(figure.mark("runner")).to_have_attribute("data-ran", re.compile("."))


def test_the_motion_switch_holds_on_this_page_the_next_and_after_a_reload(visit: Visit):
    page = switch(visit(reduced_motion="no-preference"), "motion")
    expect(page.locator("[data-switch=motion]")).to_have_text("Motion: off")
    assert pace(page) == {"0s"}
    page.reload()
    expect(page.locator("[data-switch=motion]")).to_have_text("Motion: off")
    assert pace(page) == {"0s"}
    page.get_by_role("link", name="A tall page").first.click()
    page.wait_for_url("**/tall/")
    expect(page.locator("[data-switch=motion]")).to_have_text("Motion: off")
    assert pace(switch(page, "motion")) == {"0.42s"}


def test_the_theme_switch_is_stronger_than_the_system_and_remembered(visit: Visit):
    page = visit(color_scheme="dark")
    dark = paper(page)
    expect(page.locator("[data-switch=theme] b")).to_have_text("auto")
    switch(page, "theme")
    expect(page.locator("[data-switch=theme] b")).to_have_text("light")
    light = paper(page)
    assert light != dark
    other = visit.again(page, "second/")
    assert paper(other) == light
    switch(page, "theme")
    expect(page.locator("[data-switch=theme] b")).to_have_text("dark")
    assert paper(page) == dark
    switch(page, "theme")
    page.emulate_media(color_scheme="light")
    expect(page.locator("[data-switch=theme] b")).to_have_text("auto")
    assert paper(page) == light


def test_a_remembered_theme_is_there_before_the_first_paint(visit: Visit):
    page = switch(switch(visit(color_scheme="light"), "theme"), "theme")
    page.route("**/main.js", lambda route: None)  # the player never comes
    page.goto("second/", wait_until="commit")
    page.wait_for_selector("h1")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_storage_the_switches_work_and_are_only_not_remembered(visit: Visit):
    page = visit.blank(reduced_motion="no-preference")
    page.add_init_script(NO_STORAGE)
    page.goto("./")
    switch(page, "motion")
    assert pace(page) == {"0s"}
    dark = paper(switch(switch(page, "theme"), "theme"))
    assert dark != paper(switch(page, "theme"))
    figure = Figure(page, "online-softmax")
    figure.part("forward").click()
    figure.at(8)
    page.reload()
    expect(page.locator("[data-switch=motion]")).to_have_text("Motion: on")


def test_the_contents_list_follows_the_reader(visit: Visit):
    page = visit("tall/", height=600)
    current = page.locator(".toc [aria-current]")
    page.get_by_role("heading", name="After").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 400)")
    expect(current).to_have_text("After")
    page.evaluate("scrollTo(0, 400)")
    expect(current).to_have_text("Before")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scene", ["online-softmax", "dots"])
def test_in_forced_colours_words_stand_out_and_scenes_play(visit: Visit, scene, scheme):
    figure = Figure(visit(forced_colors="active", color_scheme=scheme), scene)
    figure.root.press("End")
    expect(figure.part("forward")).to_be_disabled()
    faint = figure.root.evaluate("""figure => {
        const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const luminance = (colour) => {
            pen.fillStyle = colour;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => (part / 255) ** 2.2);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const paper = luminance(getComputedStyle(document.documentElement).backgroundColor);
        return [...figure.querySelectorAll(".stage text, [data-part=say], figcaption, .leaves-out")].filter((node) => {
            if (!node.checkVisibility()) return false;
            const style = getComputedStyle(node), ink = luminance(node.localName === "text" ? style.fill : style.color);
            return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) < 4.5;
        }).map(node => `${node.getAttribute("class")}: ${node.textContent}`);
    }""")  # fmt: skip
    assert faint == []


def test_name_pages_and_switches_stand_in_one_line_where_there_is_room(visit: Visit):
    parts = (".name span", "nav a", ".switches button")
    boxes = [visit().locator(f"header.site {part}").last.bounding_box() for part in parts]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert len(middles) == 3 and max(middles) - min(middles) < 2


def test_on_a_phone_the_contents_stand_in_the_line_of_the_menu_and_one_of_both_is_open(visit: Visit):
    page = visit("tall/", width=PHONE, height=600)
    contents, menu = page.locator(".toc > button"), page.get_by_role("button", name="Menu")
    boxes = [one.bounding_box() for one in (page.locator("a.name"), contents, menu)]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert len(middles) == 3 and max(middles) - min(middles) < 4
    lefts = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert lefts == sorted(lefts) and all(end <= start for (_, end), (start, _) in pairwise(lefts))
    contents.click()
    menu.click()
    expect(page.locator(".toc a").first).to_be_hidden()
    contents.click()
    page.locator(".toc a", has_text="After").click()
    expect(page).to_have_url(re.compile("#after$"))
    expect(page.locator(".toc a").first).to_be_hidden()


def test_where_words_are_half_as_large_again_nothing_in_the_head_of_a_phone_lies_on_another(visit: Visit):
    page = visit("tall/", width=PHONE * 2 // 3)  # as many letters as fit into a line then
    name = page.locator("a.name")
    assert name.evaluate("node => node.scrollWidth <= node.clientWidth")
    heads = (name, page.get_by_role("button", name="Menu"), page.locator(".toc > button"))
    boxes = [one.bounding_box() for one in heads]
    tops = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
    assert len(tops) == 3 and all(end <= start for (_, end), (start, _) in pairwise(sorted(tops)))


@pytest.mark.parametrize("script", [True, False])
def test_on_a_phone_a_menu_closes_by_escape_and_by_a_press_elsewhere(visit: Visit, script):
    page = visit("tall/", width=PHONE, height=600, java_script_enabled=script)
    menu, link = page.get_by_role("button", name="Menu"), page.locator("#-menu a").first
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(PHONE / 2, 500)):
        menu.press("Enter")
        expect(link).to_be_visible()
        close()
        expect(link).to_be_hidden()
    menu.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()


def test_on_a_phone_the_button_of_a_menu_closes_it_wherever_the_focus_is(visit: Visit):
    page = visit("tall/", width=PHONE, height=600)
    menu, switch = page.get_by_role("button", name="Menu"), page.locator("[data-switch=theme]")
    menu.click()
    switch.click()
    menu.click()
    expect(switch).to_be_hidden()


@pytest.mark.parametrize("name", ["header.site", ".toc"])
def test_on_a_phone_an_open_menu_closes_when_the_focus_goes_on_so_that_it_hides_nothing(visit: Visit, name):
    page = visit("tall/", width=PHONE, height=600)
    link = page.locator(f"{name} .folds a").last
    page.locator(f"{name} > button").press("Enter")
    link.focus()
    expect(link).to_be_visible()
    while page.evaluate("(name) => document.activeElement.closest(name) !== null", name):
        page.keyboard.press("Tab")
    expect(link).to_be_hidden()
    expect(page.locator("*:focus")).to_be_visible()
