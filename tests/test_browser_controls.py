"""Parameters, the table and its download, the link to a state, and the numbers in the prose."""

from __future__ import annotations

import csv

import pytest
from browser import DESKTOP, PHONE, Figure, Visit, fragment
from playwright.sync_api import Page, expect


def test_a_choice_changes_the_picture_the_words_the_table_and_the_number_of_steps(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    before = figure.state()
    figure.param("tile").select_option(label="8")
    expect(figure.part("count")).to_have_text("7 / 8")
    after = figure.state()
    assert all(after[part] != before[part] for part in ("marks", "say", "rows", "inputs"))
    figure.param("tile").select_option(label="4")
    expect(figure.part("count")).to_have_text("7 / 16")
    assert figure.state() == before


def test_a_step_past_the_end_of_a_shorter_variant_becomes_its_last(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    figure.root.press("End")
    figure.param("tile").select_option(label="8")
    expect(figure.part("count")).to_have_text("8 / 8")
    expect(figure.part("say")).to_contain_text("the exact softmax of all 16 keys")


def test_a_choice_changes_by_keyboard(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    figure.param("order").press("ArrowDown")
    expect(figure.param("order")).to_have_value("1")
    expect(figure.part("link")).to_have_attribute("href", "#online-softmax?order=ascending&step=7")
    figure.at(7)  # the scene's own keys leave an input alone


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_a_slider_changes_by_keyboard_and_says_its_value(visit: Visit, width):
    figure = Figure(visit(width=width), "dots")
    slider = figure.param("count")
    output = figure.root.locator(".params b")
    expect(output).to_have_text("6 dots")
    slider.press("ArrowLeft")
    expect(output).to_have_text("4 dots")
    expect(slider).to_have_attribute("aria-valuetext", "4 dots")
    expect(figure.mark("dot-5")).to_have_count(0)
    expect(figure.mark("dot-4")).to_have_count(1)
    slider.press("Home")
    expect(figure.part("count")).to_have_text("1 / 2")


def test_a_switch_changes_by_keyboard_and_leaves_the_other_controls_as_they_are(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.param("ringed").press("Space")
    expect(figure.mark("ring")).to_have_count(1)
    expect(figure.param("ringed")).to_be_checked()
    expect(figure.root.locator(".params b")).to_have_text("6 dots")
    figure.param("ringed").press("Space")
    expect(figure.mark("ring")).to_have_count(0)


def test_a_parameter_that_does_not_matter_is_not_there_until_it_does(visit: Visit):
    figure = Figure(visit(), "dots")
    ring, label = figure.param("ring"), figure.root.get_by_text("Kind of ring")
    expect(ring).to_be_hidden()
    expect(label).to_be_hidden()
    figure.param("ringed").check()
    expect(ring).to_be_visible()
    expect(ring).to_be_enabled()
    expect(label).to_be_visible()
    ring.select_option(label="thick")
    expect(figure.mark("ring")).to_have_class("hot outline thick")
    figure.param("ringed").uncheck()
    expect(ring).to_be_hidden()
    expect(label).to_be_hidden()
    # A setting that rests has no part in the state's name.
    expect(figure.part("link")).to_have_attribute("href", "#dots")


def test_the_first_table_is_the_one_that_the_page_came_with(visit: Visit):
    still, playing = visit(java_script_enabled=False), visit()
    for scene in ("online-softmax", "dots"):
        assert Figure(playing, scene).rows() == Figure(still, scene, ready=False).rows()


def test_the_table_follows_the_parameters_and_the_download_is_that_table(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.details()
    figure.param("ringed").check()
    figure.param("ring").select_option(label="thick")
    figure.picture.get_by_role("button", name="Show 2 dots").click()
    expect(figure.part("rows").locator("tr")).to_have_count(2)
    assert figure.rows() == [["1", "−33.3", 'the "1", thick'], ["2", "−66.7", 'the "2", thick']]
    head, *rows = downloaded(figure)
    assert head == ["dot", "share [%]", "name, quoted"]
    assert rows == [["1", "-33.3333", 'the "1", thick'], ["2", "-66.6667", 'the "2", thick']]


def test_a_table_that_is_opened_is_that_of_the_state_and_not_of_the_page_as_it_came(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.param("ringed").check()
    figure.picture.get_by_role("button", name="Show 2 dots").click()
    expect(figure.part("link")).to_have_attribute("href", "#dots?count=2&ringed=on&step=1")
    figure.details()
    expect(figure.part("rows").locator("tr")).to_have_count(2)


def test_each_row_of_a_table_has_its_header(visit: Visit):
    figure = Figure(visit(), "dots")
    assert figure.part("rows").locator("tr:first-child > :first-child").evaluate("cell => cell.localName") == "th"
    figure.details()
    expect(figure.part("rows").get_by_role("rowheader")).to_have_count(figure.part("rows").locator("tr").count())


def test_buttons_in_the_picture_take_one_place_in_the_order_of_tab_and_say_which_is_chosen(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.mark("pick-2").focus()
    for choice in (4, 6):
        figure.page.keyboard.press("ArrowRight")
        expect(figure.mark(f"pick-{choice}")).to_be_focused()
        figure.page.keyboard.press("Enter")
        expect(figure.picture.get_by_role("button", pressed=True)).to_have_accessible_name(f"Show {choice} dots")
        assert figure.picture.locator("[aria-pressed]").count() == 1  # one that acts and is never chosen is no switch
    assert figure.picture.locator("[role=button][tabindex='0']").count() == 1


def test_a_second_download_is_of_the_table_then_shown(visit: Visit):
    figure = Figure(visit(), "online-softmax")
    figure.details()
    for label in ("8", "2"):
        figure.param("tile").select_option(label=label)
        expect(figure.part("rows").locator("tr")).to_have_count(16 // int(label))
        head, *rows = downloaded(figure)
        assert head == figure.root.locator("thead th").all_text_contents()
        assert [float(cell) for row in rows for cell in row] == pytest.approx(
            [float(cell.replace("−", "-")) for row in figure.rows() for cell in row], abs=0.051
        )


def downloaded(figure: Figure) -> list[list[str]]:
    """The rows of the file that the download link gives."""
    with figure.page.expect_download() as download:
        figure.part("csv").press("Enter")
    assert download.value.suggested_filename == f"{figure.name}.csv"
    with open(download.value.path(), newline="", encoding="utf-8") as file:  # noqa: PTH123 - as csv wants it
        return list(csv.reader(file))


def number(page: Page, name: str, pins: str = "") -> object:
    """A value in the prose."""
    scene = name.partition(".")[0]
    return page.locator(f"article [data-value='{name}'][href='#{scene}{'?' if pins else ''}{pins}']")


def test_a_number_in_the_prose_follows_the_scene_but_for_what_is_pinned(visit: Visit):
    page = visit()
    free, pinned = number(page, "online-softmax.tiles"), number(page, "online-softmax.tiles", "tile=8")
    partly = number(page, "online-softmax.rescales", "tile=2")
    figure = Figure(page, "online-softmax")
    expect(free).to_have_text("4")
    figure.param("tile").select_option(label="2")
    expect(free).to_have_text("8")
    expect(pinned).to_have_text("2")
    first = partly.text_content()
    figure.param("order").select_option(label="descending")
    expect(partly).not_to_have_text(first)
    expect(partly).to_have_text("0")
    expect(pinned).to_have_text("2")


def test_a_number_with_a_unit_follows_the_scene(visit: Visit):
    page = visit("tall/")
    figure = Figure(page, "dots")
    expect(number(page, "dots.weight")).to_have_text("9,000 g")
    figure.param("count").press("ArrowLeft")
    expect(number(page, "dots.weight")).to_have_text("6,000 g")


def test_a_number_that_is_pinned_in_another_file_follows_what_is_not_pinned(visit: Visit):
    """`ringed` splits the data of the dots: the pinned number needs a file that the scene itself does not."""
    page = visit()
    figure = Figure(page, "dots")
    expect(number(page, "dots.weight", "ringed=on")).to_have_text("9,001 g")
    figure.param("count").press("ArrowLeft")
    expect(number(page, "dots.weight")).to_have_text("6,000 g")
    expect(number(page, "dots.weight", "ringed=on")).to_have_text("6,001 g")


def test_the_link_to_this_state_is_copied_and_says_so(visit: Visit):
    page = visit.blank(permissions=["clipboard-read", "clipboard-write"])
    page.clock.install(time=0)
    page.goto("./")
    figure = Figure(page, "online-softmax")
    figure.part("forward").click()
    figure.at(8)
    figure.part("link").click()
    expect(figure.part("link")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{visit.address}#online-softmax?step=8"
    assert fragment(page) == "#online-softmax?step=8"
    figure.part("link").click()
    expect(figure.part("link")).to_have_text("Copied")
    page.clock.run_for(1600)
    expect(figure.part("link")).to_have_text("Link to this state")


def test_the_table_scrolls_sideways_by_keyboard_and_the_scene_stays(visit: Visit):
    figure = Figure(visit(width=PHONE), "online-softmax")
    figure.details()
    table = figure.root.locator(".table")
    assert table.evaluate("node => node.scrollWidth > node.clientWidth")
    table.press("ArrowRight")
    figure.at(7)
    figure.page.wait_for_function("() => document.querySelector('#online-softmax .table').scrollLeft > 0")
