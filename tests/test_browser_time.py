"""Play is time: beats at their times, chapters that hold, what leaves before what comes; or none of it."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

import pytest
from browser import Figure, Visit
from playwright.sync_api import Page, expect


@pytest.fixture
def visit(visitor, hand_address: str) -> Visit:
    """A visit of the site for the clock."""
    return visitor(hand_address)


def standing(visit: Visit, path: str = "./", **settings) -> Figure:
    """The ramp on a page whose time moves by the test's hand alone."""
    page = visit.blank(**{"reduced_motion": "no-preference", **settings})
    page.clock.install(time=0)
    page.goto(path)
    figure = Figure(page, "ramp")
    page.clock.pause_at(60_000)
    return figure


def played_from_its_end(visit: Visit) -> Figure:
    figure = standing(visit)
    figure.root.press("End")
    figure.at(3)
    figure.part("play").click()
    figure.at(1)
    return figure


def bars(figure: Figure) -> int:
    """How far the second chapter has come."""
    return figure.picture.locator("[data-key^=bar-]:not(.gone)").count()


def run(page: Page, milliseconds: int) -> None:
    page.clock.run_for(milliseconds)
    page.evaluate("0")  # what was promised by then has happened


def test_beats_of_a_chapter_follow_one_another_at_their_times(visit: Visit):
    figure = standing(visit)
    figure.part("play").click()
    figure.at(2)
    expect(figure.part("say")).to_have_text("It fills up to 4.")  # the words come with the motion
    found = [bars(figure)]
    for _ in range(4):
        run(figure.page, 150)
        found.append(bars(figure))
        run(figure.page, 50)
        found.append(bars(figure))
    assert found == [1, 1, 2, 2, 3, 3, 4, 4, 5]
    run(figure.page, 420)
    figure.at(2)  # it holds
    run(figure.page, 600)
    figure.at(3)


def test_a_faster_clock_goes_through_the_beats_in_less_time(visit: Visit):
    figure = standing(visit)
    figure.menu("speed").fill("2")  # four times as fast
    figure.part("play").click()
    figure.at(2)
    assert bars(figure) == 1
    run(figure.page, 110)
    assert bars(figure) == 3
    run(figure.page, 100)
    assert bars(figure) == 5


def test_marks_take_no_longer_than_until_the_next_beat(visit: Visit):
    figure = standing(visit)
    figure.part("play").click()
    figure.at(2)
    assert figure.mark("shape").evaluate("node => getComputedStyle(node).transitionDuration") == "0.2s"
    figure.root.press("ArrowLeft")
    figure.at(1)
    expect(figure.mark("shape")).to_have_css("transition-duration", "0.42s")


@pytest.mark.parametrize("way", ["the system's wish", "the page's switch"])
def test_beats_are_left_out_for_who_wants_no_motion_and_chapters_stay(visit: Visit, way):
    if way == "the system's wish":
        figure = standing(visit, reduced_motion="reduce")
    else:
        figure = standing(visit)
        figure.page.locator("[data-switch=motion]").click()
    figure.part("play").click()
    figure.at(2)
    assert bars(figure) == 5
    run(figure.page, 850)
    figure.at(2)
    run(figure.page, 100)
    figure.at(3)


def test_a_step_shows_the_last_beat_of_its_chapter(visit: Visit):
    figure = standing(visit)
    figure.part("forward").click()
    figure.at(2)
    assert bars(figure) == 5
    assert figure.mark("shape").get_attribute("d") == "m0 0l40 20"
    figure.go(1)
    figure.root.press("ArrowRight")
    figure.at(2)
    assert bars(figure) == 5


def test_where_play_starts_over_marks_are_back_at_once(visit: Visit):
    figure = played_from_its_end(visit)
    lasting = partial(figure.mark("told").evaluate, "node => getComputedStyle(node).transitionDuration")
    assert lasting() == "0s"
    run(figure.page, 1400)
    figure.at(2)
    assert lasting() == "0.2s"


@pytest.mark.parametrize(("key", "ran"), [("shape", {"d"}), ("told", {"translate"})])
def test_a_path_that_keeps_its_form_is_moved_by_what_every_engine_animates(visit: Visit, key, ran):
    """WebKit has no property `d`: a path would jump to where other marks glide."""
    figure = standing(visit)
    figure.page.evaluate("""() => { globalThis.ran = []; addEventListener("transitionrun",
        ({ target, propertyName }) => ran.push([target.dataset.key, propertyName]), true); }""")
    figure.part("forward").click()
    figure.at(2)
    run(figure.page, 100)
    assert {name for mark, name in figure.page.evaluate("ran") if mark == key} == ran
    assert figure.mark("told").evaluate("node => node.style.translate") == "210px 246px"


def test_a_pause_within_a_chapter_stops_there_and_play_goes_on_from_there(visit: Visit):
    figure = standing(visit)
    figure.part("play").click()
    figure.at(2)
    run(figure.page, 250)
    assert bars(figure) == 2
    figure.part("play").click()
    expect(figure.part("play")).to_have_accessible_name("Play")
    run(figure.page, 5000)
    assert bars(figure) == 2
    figure.part("play").click()
    run(figure.page, 10)
    assert bars(figure) == 3
    figure.at(2)
    run(figure.page, 200)
    assert bars(figure) == 4


def test_a_step_from_within_a_chapter_goes_to_the_whole_of_another(visit: Visit):
    figure = standing(visit)
    figure.part("play").click()
    figure.at(2)
    assert bars(figure) == 1
    figure.root.press("ArrowLeft")
    figure.at(1)
    figure.root.press("ArrowRight")
    figure.at(2)
    assert bars(figure) == 5


def test_something_changes_within_300_milliseconds_of_play(visit: Visit):
    figure = standing(visit)
    before = figure.marks("data-new")
    figure.part("play").click()
    run(figure.page, 300)
    assert figure.marks("data-new") != before


def test_play_from_the_end_starts_over(visit: Visit):
    figure = played_from_its_end(visit)
    expect(figure.part("play")).to_have_accessible_name("Pause")


def test_play_in_an_opening_that_is_not_the_first_runs_to_the_end_and_then_once_from_the_start(visit: Visit):
    figure = standing(visit, "later/")
    figure.at(2)
    figure.part("play").click()
    seen = [figure.part("scrub").input_value()]
    for _ in range(200):
        run(figure.page, 100)
        seen.append(figure.part("scrub").input_value())
    assert [seen[0], *(later for step, later in pairwise(seen) if step != later)] == ["3", "1", "2", "3"]
    expect(figure.part("play")).to_have_accessible_name("Play")


def test_a_reader_who_has_stepped_is_not_taken_back_to_the_start(visit: Visit):
    figure = standing(visit, "later/")
    figure.part("back").click()
    figure.part("forward").click()
    figure.at(2)
    figure.part("play").click()
    run(figure.page, 20_000)
    figure.at(3)
    expect(figure.part("play")).to_have_accessible_name("Play")


def test_a_path_of_another_structure_leaves_and_another_comes(visit: Visit):
    figure = standing(visit)
    figure.picture.evaluate("svg => { globalThis.path = svg.querySelector('[data-key=shape]'); }")
    figure.root.press("ArrowRight")
    figure.at(2)
    same = partial(figure.mark("shape").evaluate, "node => node === path")
    assert same()  # of the same commands: it moves
    figure.root.press("ArrowRight")
    figure.at(3)
    assert not same()
    assert figure.page.evaluate("path.classList.contains('gone')")
    assert figure.mark("shape").get_attribute("data-new") == "soon"


def test_what_leaves_is_gone_before_what_is_new_comes(visit: Visit):
    figure = standing(visit)
    figure.note_transitions()
    figure.go(2)
    figure.root.press("ArrowRight")
    figure.at(3)
    going, coming = figure.picture.locator("[data-key=going]"), figure.mark("coming")
    expect(going).to_have_css("transition-duration", "0.12s")
    run(figure.page, 119)
    assert going.count() == 1
    expect(coming).to_be_hidden()
    run(figure.page, 1)
    assert going.count() == 0
    expect(coming).to_have_css("transition-property", "all, opacity")
    expect(coming).to_have_attribute("data-ran", "opacity")
    run(figure.page, 300)
    expect(coming).not_to_have_attribute("data-new", re.compile(""))


def test_marks_come_and_go_at_once_for_who_wants_no_motion(visit: Visit):
    figure = standing(visit, reduced_motion="reduce")
    figure.go(2)
    figure.root.press("ArrowRight")
    figure.at(3)
    assert figure.picture.locator("[data-key=going]").count() == 0
    expect(figure.mark("coming")).to_be_visible()
    expect(figure.mark("coming")).not_to_have_attribute("data-new", re.compile(""))


@pytest.mark.parametrize("role", ["work", "work soft", "work steady"])
def test_marks_of_every_tone_fade_as_they_come_and_go(visit: Visit, role):
    script = """(svg, role) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      node.setAttribute("class", role);
      node.setAttribute("data-new", "now");
      svg.append(node);
      const [came] = node.getAnimations();
      const [from, to] = came.effect.getKeyframes().map(({ opacity }) => Number(opacity));
      came.finish();
      node.removeAttribute("data-new");
      node.classList.add("gone");
      const [left] = node.getAnimations();
      left.finish();
      return [from, to, Number(getComputedStyle(node).opacity), left.effect.getTiming().duration];
    }"""
    before, shown, after, lasting = standing(visit).picture.evaluate(script, role)
    assert (before, after, lasting) == (0, 0, 120) and shown > 0


def test_what_is_new_may_be_on_its_way_while_it_fades_in(visit: Visit):
    script = """(node) => {
      node.dataset.new = "now";
      node.getAnimations().forEach((one) => one.finish());
      node.style.translate = "99px 99px";
      return node.getAnimations().map((one) => [one.transitionProperty, one.effect.getTiming().duration]);
    }"""
    figure = standing(visit)
    figure.picture.locator("..").evaluate("stage => stage.style.setProperty('--gap', '700ms')")
    assert figure.mark("told").evaluate(script) == [["translate", 700]]


def test_a_scene_that_can_not_play_says_so_and_is_not_left_playing(visit: Visit):
    page = visit.blank(reduced_motion="no-preference")
    page.route("**/*.json", lambda route: route.fulfill(status=404))
    page.goto("./")
    figure = Figure(page, "ramp", ready=False)
    figure.root.scroll_into_view_if_needed()
    expect(figure.root.get_by_role("status")).to_contain_text("can’t be played")
    figure.root.press("Space")
    expect(figure.part("play")).to_have_attribute("aria-label", "Play")
    visit.noise.clear()


def test_a_cover_is_there_at_once_so_that_nothing_shines_through_it(visit: Visit):
    script = """(svg, roles) => roles.map((role) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      node.setAttribute("class", role);
      node.setAttribute("data-new", "now");
      svg.append(node);
      return node.getAnimations().length;
    })"""
    assert standing(visit).picture.evaluate(script, ["cell steady", "cell", "hot steady"]) == [0, 1, 1]
