"""The player at work: it steps and plays by keyboard and pointer, and says what it shows."""

from __future__ import annotations

import pytest
from browser import DESKTOP, PHONE, Figure, Visit, serving
from playwright.sync_api import Page, expect


@pytest.mark.parametrize("base_path", ["/", "/loom/"])
def test_the_site_plays_at_the_root_and_below_a_base_path(visitor, site, base_path):
    with serving(site, base_path) as address:
        play_through(visitor(address))


def play_through(visit: Visit) -> None:
    """From page to page and from scene to scene."""
    page = visit()
    figure = Figure(page, "online-softmax")
    figure.part("forward").click()
    figure.at(8)
    page.get_by_role("link", name="The second page").first.click()
    page.wait_for_url("**/second/")
    page.get_by_role("link", name="the state on the other page").click()
    Figure(page, "online-softmax").at(2)
    assert all(url.startswith(("blob:", visit.address)) for url in visit.requests)


def test_keys_step_go_to_the_ends_and_play(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    figure.root.focus()
    for key, step in (
        ("ArrowRight", 8),
        ("ArrowLeft", 7),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("End", 16),
        ("ArrowRight", 16),
    ):
        figure.page.keyboard.press(key)
        figure.at(step)
    figure.page.keyboard.press("Home")
    figure.page.keyboard.press("Space")
    expect(figure.part("play")).to_have_accessible_name("Pause")
    figure.at(2)
    figure.page.keyboard.press("Space")
    expect(figure.part("play")).to_have_accessible_name("Play")


def test_keys_with_a_modifier_are_left_to_the_browser(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    figure.root.focus()
    for key in ("Alt+ArrowRight", "Control+End", "Meta+ArrowLeft"):
        figure.page.keyboard.press(key)
    figure.at(7)


def focused(page: Page) -> str:
    """What has the focus, briefly."""
    return page.evaluate("""() => { const at = document.activeElement;
        if (at.dataset.step) return `step ${at.dataset.step}`;
        if (at.localName === "summary") return at.textContent;
        return at.dataset.part || at.dataset.key || at.id || at.className || at.ariaLabel; }""")


def test_tab_reaches_every_control_in_its_order(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.part("forward").click()  # so that stepping back is possible
    figure.param("ringed").check()
    expect(figure.param("ring")).to_be_visible()
    figure.root.focus()
    found = []
    for _ in range(24):
        figure.page.keyboard.press("Tab")
        found.append(focused(figure.page))
        if found[-1] == "More controls":
            figure.page.keyboard.press("Enter")
    assert found == [
        "anchor", "dots-count", "dots-ringed", "dots-ring", "pick-2", "play", "back",
        *(f"step {step}" for step in range(1, 7)), "forward", "More controls", "restart", "speed",
        "Show as data", "link", "Limits and sources", *found[20:],
    ]  # fmt: skip
    figure.root.get_by_text("Show as data").press("Enter")
    figure.page.keyboard.press("Tab")
    assert focused(figure.page) == "table"
    figure.page.keyboard.press("Tab")
    assert focused(figure.page) == "csv"


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_the_menu_stands_over_its_button_and_closes_by_escape_and_by_a_press_elsewhere(visit: Visit, width):
    figure = Figure(visit(width=width), "dots")
    button, menu = figure.root.get_by_label("More controls"), figure.menu("restart").locator("..")
    place, over = button.bounding_box(), menu.bounding_box()
    assert over["y"] + over["height"] <= place["y"] + 1
    assert over["x"] >= 0 and over["x"] + over["width"] == pytest.approx(place["x"] + place["width"], abs=1)
    figure.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    expect(menu).to_be_visible()
    figure.root.locator("figcaption").click(position={"x": 2, "y": 2})
    expect(menu).to_be_hidden()


def test_buttons_step_and_restart_and_are_off_at_the_ends(visit: Visit):
    figure = Figure(visit(), "dots")
    expect(figure.part("back")).to_be_disabled()
    figure.part("forward").press("Enter")
    figure.at(2)
    figure.part("back").press("Space")
    figure.at(1)
    figure.root.press("End")
    expect(figure.part("forward")).to_be_disabled()
    figure.menu("restart").click()
    figure.at(1)


@pytest.mark.parametrize(("button", "last", "key"), [("back", 1, "ArrowRight"), ("forward", 6, "ArrowLeft")])
def test_the_focus_stays_in_the_scene_when_a_button_reaches_the_end(visit: Visit, button, last, key):
    figure = Figure(visit("tall/"), "dots")
    figure.part(button).focus()
    for _ in range(5):
        figure.page.keyboard.press("Enter")
    figure.at(last)
    figure.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    figure.page.keyboard.press(key)
    figure.at(2 if last == 1 else 5)


def test_the_scrubber_moves_by_keys_and_says_where_it_is(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    scrub = figure.part("scrub")
    for key, step in (("ArrowRight", 8), ("ArrowLeft", 7), ("End", 16), ("Home", 1)):
        scrub.press(key)
        figure.at(step)
        expect(scrub).to_have_js_property("value", str(step))
        expect(scrub).to_have_attribute("aria-valuetext", f"step {step} of 16")
    scrub.fill("5")
    figure.at(5)


@pytest.mark.parametrize("scene", ["online-softmax", "dots"])
def test_what_is_said_is_the_step_s_sentence_and_never_moves_the_page(visit: Visit, scene):
    page = visit(f"./#{scene}", width=PHONE)  # the page is whole then, see test_browser_laziness.py
    figure = Figure(page, scene)
    sentences = figure.root.locator(".story li").all_text_contents()
    assert figure.part("say").get_attribute("aria-live") == "polite"
    figure.root.press("Home")
    heights = set()
    for step, sentence in enumerate(sentences, 1):
        figure.at(step)
        expect(figure.part("say")).to_have_text(sentence)
        heights.add(page.evaluate("document.documentElement.scrollHeight"))
        figure.root.press("ArrowRight")
    assert len(heights) == 1
