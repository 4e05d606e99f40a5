"""The address names the state that is seen: both ways, with the back button, and whatever is written into it."""

from __future__ import annotations

import re

import pytest
from browser import Figure, Visit, fragment
from playwright.sync_api import Page, expect


def at_fragment(page: Page, wanted: str) -> None:
    """The address has come to end with this fragment, whose writing may wait a little."""
    expect(page).to_have_url(re.compile(re.escape(wanted) + "$"))


def test_a_fresh_page_is_nobody_s_state(visit: Visit):
    page = visit()
    Figure(page, "online-softmax")
    assert fragment(page) == ""


@pytest.mark.parametrize(("scene", "changes", "wanted"), [
    ("online-softmax", {"order": "descending", "tile": "2"}, "#online-softmax?order=descending&tile=2&step=8"),
    ("online-softmax", {"order": "as given"}, "#online-softmax?step=8"),
    ("online-softmax", {"tile": "8"}, "#online-softmax?tile=8&step=8"),
    pytest.param("dots", {"ringed": True, "ring": "thick"}, "#dots?ringed=on&ring=thick&step=2"),
])  # fmt: skip
def test_an_address_brings_back_the_same_picture_words_table_and_controls(visit: Visit, scene, changes, wanted):
    page = visit()
    figure = Figure(page, scene)
    for name, value in changes.items():
        figure.param(name).check() if value is True else figure.param(name).select_option(label=value)
        expect(figure.param(name)).to_be_visible()
    figure.part("forward").click()
    at_fragment(page, wanted)
    expect(figure.part("link")).to_have_attribute("href", wanted)
    other = Figure(visit.again(page, f"./{wanted}"), scene)
    expect(other.part("link")).to_have_attribute("href", wanted)
    assert other.state() == figure.state()
    expect(other.root).to_be_in_viewport()
    expect(other.root).to_be_focused()


def test_a_state_that_the_page_itself_opens_with_is_where_the_address_begins(visit: Visit):
    """The tall page opens its scene with six dots at step 3: what the address does not name is as there."""
    figure = Figure(visit("tall/#dots?step=5"), "dots")
    figure.at(5)
    expect(figure.part("count")).to_have_text("5 / 6")
    figure.part("back").click()
    figure.part("back").click()
    at_fragment(figure.page, "#dots")


def test_back_and_forward_go_from_choice_to_choice(visit: Visit):
    page = visit()
    figure = Figure(page, "online-softmax")
    states = [figure.state()]
    for label in ("2", "8"):
        figure.param("tile").select_option(label=label)
        at_fragment(page, f"#online-softmax?tile={label}&step=7")
        states.append(figure.state())
    page.go_back()
    expect(figure.part("count")).to_have_text("7 / 32")
    assert figure.state() == states[1]
    page.go_back()
    expect(figure.part("count")).to_have_text("7 / 16")
    assert figure.state() == states[0]
    assert fragment(page) == ""
    page.go_forward()
    page.go_forward()
    expect(figure.part("count")).to_have_text("7 / 8")
    assert figure.state() == states[2]


def test_steps_share_one_entry_of_the_history(visit: Visit):
    page = visit.blank()
    page.goto("./")
    figure = Figure(page, "online-softmax")
    length = page.evaluate("history.length")
    for step in range(8, 13):
        figure.part("forward").click()
        figure.at(step)
    at_fragment(page, "#online-softmax?step=12")
    assert page.evaluate("history.length") == length


def test_choosing_what_is_chosen_adds_nothing_to_the_history(visit: Visit):
    page = visit.blank()
    page.goto("./")
    link = page.get_by_role("link", name="twos")
    link.click()
    at_fragment(page, "#online-softmax?tile=2&step=5")
    length = page.evaluate("history.length")
    link.click()
    Figure(page, "online-softmax").at(5)
    page.wait_for_timeout(400)  # the address may be written a little later
    assert page.evaluate("history.length") == length


@pytest.mark.parametrize(("link", "scene", "shown"), [
    ("the third step", "online-softmax", "3 / 16"),
    ("twos", "online-softmax", "5 / 32"),
    ("four dots", "dots", "2 / 4"),
])  # fmt: skip
def test_a_link_in_the_prose_puts_the_scene_in_its_state_and_back_leaves_it(visit: Visit, link, scene, shown):
    page = visit()
    anchor = page.get_by_role("link", name=link)
    anchor.click()
    figure = Figure(page, scene)
    expect(figure.part("count")).to_have_text(shown)
    expect(figure.root).to_be_focused()
    expect(figure.root).to_be_in_viewport()
    at_fragment(page, anchor.get_attribute("href"))
    page.go_back()
    expect(figure.part("count")).to_have_text("7 / 16" if scene == "online-softmax" else "1 / 6")
    assert fragment(page) == ""


def test_a_link_in_the_prose_to_a_scene_far_away_brings_it_into_view(visit: Visit):
    page = visit("tall/", height=500)
    page.get_by_role("link", name="Two dots lit").click()
    figure = Figure(page, "dots", ready=False)
    expect(figure.picture).to_be_in_viewport()
    figure.at(2)


def test_a_link_from_another_page_opens_the_state_and_back_returns(visit: Visit):
    page = visit("second/")
    page.get_by_role("link", name="the state on the other page").click()
    figure = Figure(page, "online-softmax", ready=False)
    figure.at(2)
    expect(figure.param("order")).to_have_value("2")
    expect(figure.picture).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("The second page")


def test_a_link_with_a_modifier_is_left_to_the_browser(visit: Visit):
    page = visit()
    figure = Figure(page, "online-softmax")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="the third step").click(modifiers=["ControlOrMeta"])
    Figure(opened.value, "online-softmax").at(3)
    figure.at(7)


def test_an_address_typed_into_the_bar_is_followed_and_what_it_gets_wrong_is_passed_over(visit: Visit):
    page = visit("./#online-softmax?step=999")
    figure = Figure(page, "online-softmax")
    figure.at(16)
    for written, shown in {
        "online-softmax?tile=8&step=4": "4 / 8",
        "online-softmax?tile=3": "7 / 16", "online-softmax?step=-2": "1 / 16", "nowhere?step=3": "1 / 16",
        "online-softmax?colour=red": "7 / 16", "online-softmax?step=1e999": "16 / 16", "?step=3": "16 / 16",
        "online-softmax?step=abc": "7 / 16", "online-softmax?order=%zz&tile=8": "7 / 8",
        "online-softmax?__proto__=1&constructor=2": "7 / 16",
    }.items():  # fmt: skip
        page.evaluate("(hash) => { location.hash = hash; }", written)
        expect(figure.part("count")).to_have_text(shown)
        figure.root.focus()


@pytest.mark.parametrize(
    ("written", "shown"), [("online-softmax?step=2.5", "2 / 16"), ("%zz", "7 / 16"), ("%E0%A4", "7 / 16")]
)
def test_a_malformed_address_breaks_nothing(visit: Visit, written, shown):
    page = visit(f"./#{written}")
    figure = Figure(page, "online-softmax")
    expect(figure.part("count")).to_have_text(shown)
    page.get_by_role("link", name="the third step").click()
    expect(figure.part("count")).to_have_text("3 / 16")
    assert fragment(page) == "#online-softmax?step=3"
    assert visit.noise == []


def test_a_scene_that_plays_out_of_view_leaves_another_scene_s_address_alone(visit: Visit):
    page = visit(height=500)
    figure = Figure(page, "online-softmax")
    figure.part("play").click()
    page.get_by_role("link", name="four dots").evaluate("link => link.click()")
    expect(figure.part("play")).to_have_accessible_name("Play")
    page.wait_for_timeout(400)
    assert fragment(page) == "#dots?count=4&step=2"


def test_a_reload_brings_both_scenes_of_a_page_back(visit: Visit):
    page = visit()
    first, second = Figure(page, "online-softmax"), Figure(page, "dots")
    first.param("tile").select_option(label="8")
    second.param("count").press("Home")
    at_fragment(page, "#dots?count=2&step=1")
    page.reload()
    expect(Figure(page, "dots").part("count")).to_have_text("1 / 2")
    expect(Figure(page, "online-softmax").part("count")).to_have_text("7 / 8")
