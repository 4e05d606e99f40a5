"""Definitions and sources where they are mentioned, guesses before a scene, and answers to a check."""

from __future__ import annotations

import re

import pytest
from browser import DESKTOP, PHONE, Figure, Visit
from playwright.sync_api import Locator, Page, expect


def parts(page: Page, kind: str) -> tuple[Locator, Locator]:
    """A link with a card, and the card."""
    return page.locator(f"article p a.{kind}").first, page.locator("#-card")


KINDS = {"term": "A group of 32 threads", "cite": "The title of fa1"}


@pytest.mark.parametrize("kind", KINDS)
def test_pointing_opens_a_card_which_can_be_gone_to_and_closes_behind(visit: Visit, kind):
    page = visit()
    link, card = parts(page, kind)
    expect(card).to_be_hidden()
    link.hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text(KINDS[kind])
    card.hover()
    page.wait_for_timeout(300)
    expect(card).to_be_visible()
    page.mouse.move(1, 1)
    expect(card).to_be_hidden()
    assert page.url == visit.address


@pytest.mark.parametrize("kind", KINDS)
def test_card_keeps_off_both_edges_of_a_phone(visit: Visit, kind):
    link, card = parts(visit(width=PHONE), kind)
    link.click()
    box = card.bounding_box()
    assert box and min(box["x"], PHONE - box["x"] - box["width"]) >= 8


def test_a_pointer_that_only_passes_opens_nothing(visit: Visit):
    page = visit()
    link, card = parts(page, "term")
    link.hover()
    page.mouse.move(1, 1)
    page.wait_for_timeout(350)
    expect(card).to_be_hidden()


@pytest.mark.parametrize("kind", KINDS)
def test_the_focus_opens_a_card_that_describes_the_word_and_escape_closes_it(visit: Visit, kind):
    page = visit()
    link, card = parts(page, kind)
    page.keyboard.press("Tab")
    link.focus()
    expect(card).to_be_visible()
    expect(link).to_be_focused()
    expect(link).to_have_accessible_description(re.compile(KINDS[kind]))
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    assert page.url == visit.address


def test_the_card_of_a_word_goes_when_the_focus_does(visit: Visit):
    page = visit()
    link, card = parts(page, "term")
    page.keyboard.press("Tab")
    link.focus()
    expect(card).to_be_visible()
    page.locator("footer a").first.focus()
    expect(card).to_be_hidden()


def focus_card(visit: Visit) -> tuple[Locator, Locator]:
    """A link, and its card with the focus in it."""
    page = visit()
    link, card = parts(page, "cite")
    page.keyboard.press("Tab")
    link.focus()
    expect(card).to_be_visible()
    page.keyboard.press("Tab")
    expect(card.get_by_role("link").first).to_be_focused()
    return link, card


def test_the_links_in_a_card_can_be_reached_by_keyboard(visit: Visit):
    _, card = focus_card(visit)
    card.page.wait_for_timeout(350)
    expect(card).to_be_visible()


def test_escape_in_a_card_closes_it_and_goes_back_to_its_word(visit: Visit):
    link, card = focus_card(visit)
    card.page.keyboard.press("Escape")
    expect(link).to_be_focused()
    expect(card).to_be_hidden()
    assert visit.noise == []


@pytest.mark.parametrize(("kind", "width"), [("term", PHONE), ("cite", DESKTOP), ("cite", PHONE)])
def test_a_tap_opens_a_card_inside_the_window_and_a_tap_elsewhere_closes_it(visit: Visit, kind, width):
    page = visit(width=width, has_touch=True)
    link, card = parts(page, kind)
    link.tap()
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert box["y"] >= 0 and box["y"] + box["height"] <= 800
    page.get_by_role("heading", level=1).tap()
    expect(card).to_be_hidden()
    assert page.url == visit.address


def test_a_card_repeats_no_id(visit: Visit):
    page = visit()
    link, card = parts(page, "cite")
    link.hover()
    expect(card).to_be_visible()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))


def test_a_press_with_a_modifier_opens_a_tab_not_a_card(visit: Visit):
    page = visit()
    link, _ = parts(page, "term")
    with page.context.expect_page() as opened:
        link.click(modifiers=["ControlOrMeta"])
    opened.value.wait_for_url(re.compile("#term-warp$"))  # a tab opens empty, and then goes there


def test_before_a_guess_the_picture_shows_without_its_answer_and_a_guess_wakes_it(visit: Visit):
    page = visit("second/")
    figure = Figure(page, "dots", ready=False)
    told = page.get_by_text("It was all of them.")
    answers = (figure.part("say"), figure.mark("said"), figure.root.get_by_text("Show as data"), told)
    expect(figure.mark("runner")).to_be_visible()
    expect(figure.picture).to_be_visible()
    for hidden in answers:
        expect(hidden).to_be_hidden()
    for control in (figure.param("count"), figure.part("play"), figure.part("forward")):
        expect(control).to_be_visible()
        expect(control).to_be_disabled()
    figure.root.press("ArrowRight")
    figure.mark("pick-2").dispatch_event("click")
    figure.at(1)
    expect(figure.root.get_by_role("button", name="Show 2 dots")).to_have_count(0)
    dots = figure.part("dots").locator("button")
    assert [dot.get_attribute("aria-label") for dot in dots.all()] == [f"Step {at + 1}" for at in range(dots.count())]
    assert [dot.get_attribute("title") for dot in dots.all()] == [None] * dots.count()  # a sentence may be the answer
    page.get_by_label("None.").check()
    expect(dots.first).to_have_attribute("title", re.compile("Step 1: ."))
    for shown in (figure.picture, *answers):
        expect(shown).to_be_visible()
    for control in (figure.param("count"), figure.part("play"), figure.part("forward")):
        expect(control).to_be_enabled()
    expect(figure.root.get_by_role("button", name="Show 2 dots")).to_be_visible()
    expect(page.get_by_text("Not so; see what happens.")).to_be_visible()
    page.get_by_label("All of them.").check()
    expect(page.get_by_text("Not so; see what happens.")).to_be_hidden()
    expect(page.get_by_text("That is what happens")).to_be_visible()
    figure.part("forward").click()
    figure.at(2)


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_a_closed_scene_has_the_drawing_for_its_width_when_it_opens(visit: Visit, width):
    page = visit("second/", width=width)
    page.get_by_label("All of them.").check()
    figure = Figure(page, "dots")
    expect(figure.picture).to_have_class("picture " + ("narrow" if width == PHONE else "wide"))
    assert visit.data() == [f"8.{'narrow' if width == PHONE else 'wide'}.json"]


def test_a_guess_is_made_by_keyboard(visit: Visit):
    page = visit("second/")
    wrong, right = page.get_by_label("None."), page.get_by_label("All of them.")
    wrong.focus()
    for key, other in (("ArrowDown", right), ("ArrowRight", wrong), ("ArrowUp", right)):  # to read them is no guess
        page.keyboard.press(key)
        expect(other).to_be_focused()
    expect(page.locator(".guess :checked")).to_have_count(0)
    page.keyboard.press("Space")
    expect(right).to_be_checked()
    expect(Figure(page, "dots").picture).to_be_visible()
    expect(page.locator(".guess").get_by_role("status")).to_contain_text("That is what happens")
    page.keyboard.press("ArrowUp")  # now another choice is no guess any more
    expect(wrong).to_be_checked()


@pytest.mark.parametrize("way", ["button", "keys", "link", "address"])
def test_who_wants_no_guess_finds_the_scene_open(visit: Visit, way):
    page = visit("second/#dots?step=2" if way == "address" else "second/")
    show = page.get_by_role("button", name="Just show me")
    if way == "button":
        show.click()
    elif way == "keys":
        show.press("Enter")
    elif way == "link":
        page.get_by_role("link", name="here").click()
    expect(show).to_be_hidden()
    figure = Figure(page, "dots")
    if way in ("button", "keys"):
        expect(figure.root).to_be_focused()
    expect(figure.picture).to_be_visible()
    expect(page.get_by_text("It was all of them.")).to_be_visible()
    figure.at(2 if way in ("link", "address") else 1)
    figure.part("forward").click()
    figure.at(3 if way in ("link", "address") else 2)


def test_a_check_answers_by_keyboard(visit: Visit):
    check = visit().locator(".check")
    check.locator("summary").last.press("Enter")
    expect(check.get_by_text("Yes, on every GPU")).to_be_visible()
    check.locator("summary").first.press("Space")
    expect(check.get_by_text("That is half of one.")).to_be_visible()
    expect(check.get_by_text("Yes, on every GPU")).to_be_hidden()
