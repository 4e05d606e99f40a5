"""Marks that say their numbers: pointed at, tapped, or reached with keys, and where the focus goes."""

from __future__ import annotations

import io

import pytest
from browser import PHONE, Figure, Visit
from PIL import Image
from playwright.sync_api import expect

NOW = (0x51, 0x38, 0xC9)  # the colour of the hand, by day


@pytest.fixture
def visit(visitor, hand_address: str) -> Visit:
    """A visit of the site for the hand."""
    return visitor(hand_address)


def bars(visit: Visit, **settings) -> Figure:
    """The ramp with its bars, none of which is pointed at."""
    figure = Figure(visit(**settings), "ramp")
    figure.go(2)
    return figure


def test_a_mark_says_its_number_in_its_place_while_it_is_pointed_at(visit: Visit):
    figure = bars(visit)
    line = figure.part("read")
    expect(line).to_have_text("")
    picture, place = figure.picture.bounding_box(), line.bounding_box()
    for bar in (1, 3):
        figure.mark(f"bar-{bar}").hover()
        expect(line).to_have_text(f"bar {bar}: {4 * bar} units")
    assert line.bounding_box() == place
    assert place["y"] >= picture["y"] + picture["height"] - 1  # it covers nothing of what it is about
    figure.root.locator("figcaption").hover()
    expect(line).to_have_text("")


def test_what_is_pointed_at_says_its_new_number_when_it_changes(visit: Visit):
    figure = bars(visit)
    figure.mark("bar-2").hover()
    figure.root.press("Tab")
    figure.param("size").press("ArrowRight")
    expect(figure.part("read")).to_have_text("bar 2: 10 units")


def test_a_tap_asks_a_mark_for_its_number(visit: Visit):
    figure = bars(visit, width=PHONE, has_touch=True)
    figure.mark("bar-4").tap()
    expect(figure.part("read")).to_have_text("bar 4: 16 units")


def test_tab_reaches_one_mark_that_says_its_number_and_arrows_the_others(visit: Visit):
    figure = bars(visit)
    figure.param("fine").focus()
    figure.page.keyboard.press("Tab")
    expect(figure.mark("going")).to_be_focused()  # it was the first in the first step
    figure.page.keyboard.press("ArrowRight")
    expect(figure.mark("bar-0")).to_be_focused()  # round to the first
    expect(figure.part("read")).to_have_text("bar 0: 0 units")
    for key, bar in (("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("ArrowUp", 0)):
        figure.page.keyboard.press(key)
        expect(figure.mark(f"bar-{bar}")).to_be_focused()
        expect(figure.part("read")).to_have_text(f"bar {bar}: {4 * bar} units")
        expect(figure.mark(f"bar-{bar}")).to_have_accessible_name(f"bar {bar}: {4 * bar} units")
    figure.at(2)
    figure.page.keyboard.press("ArrowRight")
    figure.page.keyboard.press("Tab")
    expect(figure.mark("knob")).to_be_focused()
    figure.page.keyboard.press("Shift+Tab")
    expect(figure.mark("bar-1")).to_be_focused()  # where the reader was
    assert figure.picture.locator("[role=img][tabindex='0']").count() == 1


def test_a_mark_that_goes_gives_its_place_in_the_tab_order_to_another(visit: Visit):
    figure = Figure(visit(), "ramp")
    expect(figure.mark("going")).to_have_attribute("tabindex", "0")
    figure.go(3)
    expect(figure.picture.locator("[data-key=going]")).to_have_count(0)
    assert figure.picture.locator("[role=img][tabindex='0']").count() == 1


def test_the_focus_stays_in_the_scene_when_the_mark_that_has_it_goes(visit: Visit):
    figure = Figure(visit(), "ramp")
    figure.mark("going").focus()
    figure.page.keyboard.press("End")
    figure.at(3)
    expect(figure.picture.locator("[data-key=going]")).to_have_count(0)
    figure.page.keyboard.press("Home")
    figure.at(1)


@pytest.mark.parametrize("media", [{"forced_colors": "active"}, {"color_scheme": "dark"}])
def test_the_focus_shows_on_handles_and_on_marks_that_say_their_numbers(visit: Visit, media):
    figure = bars(visit, **media)
    for key in ("knob", "bar-1"):
        figure.mark(key).focus()
        figure.page.keyboard.press("Shift")
        outline = figure.mark(key).evaluate("node => getComputedStyle(node).outlineStyle")
        assert (key, outline) != (key, "none")


@pytest.mark.parametrize("role", ["img", "button"])
def test_words_that_answer_take_the_colour_of_the_hand_and_no_outline(visit: Visit, role):
    figure = Figure(visit(), "ramp")
    figure.picture.evaluate("""(svg, role) => {
        const words = document.createElementNS("http://www.w3.org/2000/svg", "text");
        for (const [name, value] of Object.entries({ x: 200, y: 120, role, class: "note", id: "words" }))
          words.setAttribute(name, value);
        words.dataset.sets = "size=2";
        words.textContent = "words";
        svg.append(words);
    }""", role)  # fmt: skip
    words = figure.page.locator("#words")
    words.hover()
    now = figure.picture.locator(".grip").first.evaluate("node => getComputedStyle(node).fill")
    expect(words).to_have_css("stroke", "none")
    expect(words).to_have_css("fill", now)


# Boxes that nearly touch a mark on its right and below, and are painted after it.
CROWD = """(mark) => {
  const { x, y, width, height } = mark.getBBox();
  for (const [dx, dy] of [[width + 2, 0], [0, height + 2]]) {
    const box = mark.cloneNode();
    box.removeAttribute("data-key");
    box.setAttribute("x", x + dx);
    box.setAttribute("y", y + dy);
    mark.ownerSVGElement.append(box);
  }
  mark.focus({ focusVisible: true });
}"""


def test_ring_of_the_focus_is_seen_on_all_sides_of_a_mark_in_a_crowd(visit: Visit):
    figure = bars(visit)
    bar = figure.mark("bar-3")
    bar.evaluate(CROWD)
    box = bar.bounding_box()
    clip = {"x": box["x"] - 6, "y": box["y"] - 6, "width": box["width"] + 12, "height": box["height"] + 12}
    figure.page.wait_for_timeout(500)  # until its edge is there
    seen = Image.open(io.BytesIO(figure.page.screenshot(clip=clip))).convert("RGB")
    width, height = seen.size
    across, down = [(x, height // 2) for x in range(width)], [(width // 2, y) for y in range(height)]
    for way in (across, down):
        for side in (way[:12], way[-12:]):
            assert NOW in {seen.getpixel(place) for place in side}
