"""Data is fetched when a scene is near, once; what can't be had is said in words; nothing plays unseen."""

from __future__ import annotations

import pytest
from browser import DESKTOP, PHONE, Figure, Visit
from playwright.sync_api import Page, Route, expect


@pytest.mark.parametrize(("width", "name"), [(PHONE, "8.narrow.json"), (DESKTOP, "8.wide.json")])
def test_data_is_asked_for_when_its_scene_comes_near_and_only_once(visit: Visit, width, name):
    page = visit("tall/", width=width, height=600)
    top = page.locator("#dots").bounding_box()["y"]
    assert top > 4000
    page.evaluate("y => scrollTo(0, y)", top - 600 - 1200)
    page.wait_for_timeout(150)
    assert visit.data() == []
    with page.expect_response("**/*.json"):
        page.evaluate("y => scrollTo(0, y)", top - 600 - 300)
    assert visit.data() == [name]
    figure = Figure(page, "dots")
    figure.root.press("End")
    page.evaluate("scrollTo(0, 0)")
    figure.root.scroll_into_view_if_needed()
    figure.at(6)
    assert visit.data() == [name]


def test_a_reload_leaves_the_data_of_a_scene_far_away_alone(visit: Visit):
    page = visit("tall/", height=600)
    page.reload()
    page.wait_for_timeout(150)
    assert visit.data() == []


def test_a_scene_in_several_files_fetches_the_chosen_one_and_keeps_it(visit: Visit):
    figure = Figure(visit("tall/"), "dots")
    figure.param("ringed").check()
    expect(figure.mark("ring")).to_have_count(1)
    figure.param("ringed").uncheck()
    expect(figure.mark("ring")).to_have_count(0)
    figure.param("ringed").check()
    expect(figure.mark("ring")).to_have_count(1)
    assert visit.data() == ["8.wide.json", "10.wide.json"]


def failing(visit: Visit, answer, path: str = "tall/") -> Page:
    """A page whose data does not come as it should."""
    page = visit.blank()
    page.route("**/assets/data/**/*.json", answer)
    page.goto(path)
    return page


@pytest.mark.parametrize("answer", [
    {"status": 404}, {"status": 200, "body": "<p>Please log in", "content_type": "text/html"},
    {"status": 200, "body": '{"format": 99}'}, {"status": 200, "body": ""}, None,
], ids=["missing", "another page", "another version", "empty", "no network"])  # fmt: skip
def test_a_scene_whose_data_can_not_be_had_keeps_its_picture_and_its_words(visit: Visit, answer):
    page = failing(visit, lambda route: route.fulfill(**answer) if answer else route.abort())
    figure = Figure(page, "dots", ready=False)
    still = figure.marks()
    figure.root.scroll_into_view_if_needed()
    expect(figure.root.get_by_role("status")).to_contain_text("can’t be played")
    assert figure.marks() == still
    expect(figure.root.locator(".story li")).to_have_count(6)
    expect(figure.root.locator(".story li").last).to_be_visible()
    for controls in figure.root.locator(".controls").all():
        expect(controls).to_be_hidden()
    figure.details()
    expect(figure.root.locator("table")).to_be_visible()
    noise = [sound for sound in visit.noise if "Failed to load resource" not in sound]
    visit.noise.clear()
    assert noise == []


def test_a_failure_is_said_once(visit: Visit):
    page = failing(visit, lambda route: route.fulfill(status=404))
    figure = Figure(page, "dots", ready=False)
    figure.root.scroll_into_view_if_needed()
    expect(figure.root.locator(".trouble:not(:empty)")).to_have_count(1)
    figure.root.press("ArrowRight")
    page.get_by_role("link", name="Two dots lit").click()
    page.wait_for_timeout(100)
    visit.noise.clear()
    expect(figure.root.locator(".trouble:not(:empty)")).to_have_count(1)


def test_a_scene_comes_back_when_its_data_does(visit: Visit):
    answers = [lambda route: route.fulfill(status=503)]
    page = failing(visit, lambda route: answers.pop()(route) if answers else route.fallback())
    figure = Figure(page, "dots", ready=False)
    figure.root.scroll_into_view_if_needed()
    expect(figure.root.locator(".trouble:not(:empty)")).to_have_count(1)
    visit.noise.clear()
    page.get_by_role("link", name="Two dots lit").click()
    figure.at(2)
    expect(figure.root.locator(".trouble:not(:empty)")).to_have_count(0)
    expect(figure.part("play")).to_be_visible()


def early(visit: Visit, *keys: str) -> Figure:
    """A scene in which keys were pressed before its data came."""
    waiting: list[Route] = []
    page = visit.blank()
    page.clock.install(time=0)
    page.route("**/assets/data/**/*.json", lambda route: waiting.append(route))
    page.goto("tall/")
    figure = Figure(page, "dots", ready=False)
    with page.expect_request("**/*.json"):
        figure.root.scroll_into_view_if_needed()
    figure.root.focus()
    for key in keys:
        page.keyboard.press(key)
    page.clock.pause_at(60_000)
    for route in waiting:
        route.fallback()
    expect(figure.part("play")).to_be_enabled()
    return figure


@pytest.mark.parametrize(("key", "step"), [("ArrowRight", 4), ("Home", 1), ("End", 6)])
def test_a_key_pressed_before_the_data_has_come_counts(visit: Visit, key, step):
    early(visit, key).at(step)


def test_playing_pausing_and_playing_before_the_data_has_come_plays_once(visit: Visit):
    figure = early(visit, "Space", "Space", "Space")
    figure.at(4)
    figure.page.clock.run_for(2000)
    figure.at(6)
    expect(figure.part("play")).to_have_accessible_name("Pause")


@pytest.fixture
def clock(visit: Visit) -> Page:
    """The page with the tall scene, ready, its time standing still but for the test's own hand."""
    page = visit.blank()
    page.clock.install(time=0)
    page.goto("tall/")
    Figure(page, "dots")
    page.clock.pause_at(60_000)
    return page


def test_playing_goes_on_to_the_end_and_stops_and_begins_again_from_there(clock: Page):
    figure = Figure(clock, "dots")
    figure.part("play").click()
    figure.at(4)
    expect(figure.part("play")).to_have_accessible_name("Pause")
    clock.clock.run_for(850)
    figure.at(4)
    clock.clock.run_for(100)
    figure.at(5)
    figure.part("play").click()
    expect(figure.part("play")).to_have_accessible_name("Play")
    clock.clock.run_for(20_000)
    figure.at(5)
    figure.part("play").click()
    figure.at(6)
    clock.clock.run_for(20_000)
    expect(figure.part("play")).to_have_accessible_name("Play")
    figure.at(6)
    figure.part("play").click()
    figure.at(1)
    expect(figure.part("play")).to_have_accessible_name("Pause")


def test_slider_of_the_speed_says_how_many_times_as_fast(visit: Visit):
    speed = Figure(visit(), "dots").menu("speed")
    for key, words in [("ArrowRight", "2×"), ("End", "4×"), ("Home", "0.5×")]:
        speed.press(key)
        expect(speed).to_have_attribute("aria-valuetext", words)
        expect(speed.locator("+ b")).to_have_text(words)
    expect(speed).to_have_accessible_name("Speed")


def test_a_greater_speed_plays_faster(clock: Page):
    figure = Figure(clock, "dots")
    figure.menu("speed").fill("2")  # four times as fast
    figure.part("play").click()
    figure.at(4)
    clock.clock.run_for(200)
    figure.at(4)
    clock.clock.run_for(50)
    figure.at(5)


@pytest.mark.parametrize("way", ["scrolled away", "hidden tab", "a step", "a choice"])
def test_a_scene_stops_playing_when(clock: Page, way):
    figure = Figure(clock, "dots")
    figure.part("play").click()
    expect(figure.part("play")).to_have_accessible_name("Pause")
    if way == "scrolled away":
        clock.evaluate("scrollTo(0, 0)")
    elif way == "hidden tab":
        clock.evaluate("""() => {
            Object.defineProperty(document, "hidden", { value: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
    elif way == "a step":
        figure.part("back").click()
    else:
        figure.param("count").press("ArrowLeft")
    expect(figure.part("play")).to_have_accessible_name("Play")
    step = figure.part("scrub").input_value()
    clock.clock.run_for(20000)
    figure.at(int(step))
