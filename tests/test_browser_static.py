"""The page without script, on paper, and with a player that could not be had: nothing is missing, nothing is dead."""

from __future__ import annotations

import csv
import io

import pytest
from browser import DESKTOP, PAGES, PHONE, Figure, Visit, fragment
from playwright.sync_api import expect


@pytest.fixture
def still(visit: Visit):
    """Opens pages with script off."""
    return lambda path="./", **settings: visit(path, java_script_enabled=False, **settings)


@pytest.mark.parametrize("path", PAGES)
def test_every_scene_has_its_picture_its_steps_in_words_and_its_table_without_script(still, path):
    page = still(path, width=PHONE)
    for scene in page.locator("[data-scene]").all():
        items = scene.locator("ol.story > li")
        expect(items).to_have_count(int(scene.locator("[data-part=scrub]").get_attribute("max")))
        assert all(item.is_visible() and item.inner_text().strip() for item in items.all())
        expect(scene.locator("details table")).to_be_hidden()
        scene.locator("details.numbers summary").click()
        expect(scene.locator("details table")).to_be_visible()
        assert scene.locator("details tbody tr").count() > 1
        for width, name in ((PHONE, "narrow"), (DESKTOP, "wide")):
            page.set_viewport_size({"width": width, "height": 800})
            picture = scene.locator(".stage svg:visible")
            expect(picture).to_have_class(f"picture {name}")
            assert picture.bounding_box()["height"] > 100
            assert picture.get_attribute("aria-label")


def test_the_step_that_the_picture_shows_is_marked_in_the_list(still):
    page = still()
    for scene in page.locator("[data-scene]").all():
        step = scene.locator("[data-part=scrub]").get_attribute("value")
        expect(scene.locator("ol.story > [aria-current=step]")).to_have_count(1)
        expect(scene.locator(f"ol.story > :nth-child({step})")).to_have_attribute("aria-current", "step")


def test_no_control_is_visible_without_script(still):
    page = still()
    for path in PAGES:
        page.goto(path)
        assert page.locator("button, input, select").count() > 10
        assert page.locator("button:visible, input:visible, select:visible, [data-part=link]:visible").count() == 0


def test_a_check_answers_without_script_and_shows_one_answer_at_a_time(still):
    check = still().locator(".check")
    check.get_by_text("32", exact=True).click()
    expect(check.get_by_text("Yes, on every GPU")).to_be_visible()
    check.get_by_text("16", exact=True).click()
    expect(check.get_by_text("That is half of one.")).to_be_visible()
    expect(check.get_by_text("Yes, on every GPU")).to_be_hidden()


def test_what_a_guess_would_open_is_open_without_script(still):
    page = still("second/")
    expect(page.get_by_text("It was all of them.")).to_be_visible()
    expect(page.locator("[data-scene=dots] .story")).to_be_visible()


def test_terms_and_citations_lead_somewhere_on_the_page_without_script(still):
    page = still()
    links = page.locator("a.term, a.cite")
    assert links.count() > 3
    for link in links.all():
        href = link.get_attribute("href")
        expect(page.locator(f"[id='{href.removeprefix('#')}']")).to_be_visible()
    page.locator("a.term").first.click()
    assert fragment(page) == "#term-warp"
    expect(page.locator("#term-warp")).to_be_in_viewport()


def test_a_state_link_goes_to_its_scene_without_script(still):
    page = still(height=400)
    for name in ("the third step", "twos", "four dots"):
        link = page.get_by_role("link", name=name)
        scene = link.get_attribute("href").removeprefix("#").partition("?")[0]
        link.click()
        expect(page.locator(f"[data-scene='{scene}'] figcaption")).to_be_in_viewport()
        painted = page.locator(":target").evaluate("one => getComputedStyle(one).boxShadow")
        assert painted == "none"  # the place of a state has no size, and would be a dot beside the scene


def test_a_state_link_from_another_page_goes_to_its_scene_without_script(still):
    page = still("second/", height=400)
    page.get_by_role("link", name="the state on the other page").click()
    page.wait_for_url("**/#online-softmax?**")
    expect(page.locator("#online-softmax figcaption")).to_be_in_viewport()


@pytest.mark.parametrize("scene", ["online-softmax", "dots"])
def test_the_csv_file_holds_the_table_that_is_shown_without_script(still, scene):
    page = still()
    figure = Figure(page, scene, ready=False)
    figure.root.locator("details.numbers summary").click()
    with page.expect_download() as download:
        figure.part("csv").click()
    assert download.value.suggested_filename == f"{scene}.csv"
    with open(download.value.path(), newline="") as file:  # noqa: PTH123 - newline is what csv wants
        head, *rows = list(csv.reader(io.StringIO(file.read())))
    assert head == figure.root.locator("thead th").all_text_contents()
    for row, shown in zip(rows, figure.rows(), strict=True):
        for cell, text in zip(row, shown, strict=True):
            assert cell == text or float(cell) == pytest.approx(number(text), abs=0.051)


def number(text: str) -> float:
    """A number as the table shows it."""
    return float(text.replace("−", "-").replace(",", ""))


@pytest.mark.parametrize("script", [True, False])
def test_paper_shows_the_key_steps_with_their_sentences_and_no_control(visit: Visit, script):
    page = visit(java_script_enabled=script)
    page.emulate_media(media="print")
    for path in PAGES:
        page.goto(path)
        for scene in page.locator("[data-scene]").all():
            steps = scene.locator(".prints > div")
            assert steps.count() >= 2
            assert scene.locator(".prints").bounding_box()["height"] > 100
            for step in steps.all():
                expect(step.locator("svg")).to_be_visible()
                assert len(step.locator("p").inner_text()) > 8
            expect(scene.locator(".stage")).to_be_hidden()
        assert page.locator("button:visible, select:visible, [type=range]:visible, .toc:visible").count() == 0


def test_on_paper_a_scene_may_go_on_overleaf_but_no_picture_is_cut_and_no_title_left_behind(visit: Visit):
    page = visit()
    page.emulate_media(media="print")
    breaks = "node => [getComputedStyle(node).breakInside, getComputedStyle(node).breakAfter]"
    scene = page.locator("#online-softmax")
    assert scene.evaluate(breaks) == ["auto", "auto"]
    assert scene.locator("figcaption").evaluate(breaks)[1] == "avoid"
    assert scene.locator(".prints > div").first.evaluate(breaks)[0] == "avoid"


def test_a_print_shows_what_waits_behind_a_guess(visit: Visit):
    page = visit("second/")
    page.emulate_media(media="print")
    expect(page.get_by_text("It was all of them.")).to_be_visible()


def test_without_its_player_the_page_is_as_it_is_without_script(visit: Visit):
    page = visit.blank()
    page.route("**/main.js", lambda route: route.fulfill(status=404))
    page.goto("./")
    expect(page.locator("html")).not_to_have_class("js")
    for scene in page.locator("[data-scene]").all():
        expect(scene.locator(".story")).to_be_visible()
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
    assert [sound for sound in visit.noise if "404" not in sound] == []
    visit.noise.clear()
