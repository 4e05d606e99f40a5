"""Every control acts while it is moved: picture, words, numbers and address follow; a drag is one choice."""

from __future__ import annotations

import pytest
from browser import Figure, Visit, fragment
from playwright.sync_api import Locator, Page, expect


@pytest.fixture
def visit(visitor, hand_address: str) -> Visit:
    """A visit of the site for the hand."""
    return visitor(hand_address)


def slide(control: Locator, *values: int) -> None:
    """Move a slider as a hand does that has not let go: without `change`."""
    for value in values:
        control.evaluate(
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input', { bubbles: true })); }", value
        )


def let_go(control: Locator) -> None:
    control.dispatch_event("change")


def own_page(visit: Visit) -> Page:
    """A page with a history of its own."""
    page = visit.blank()
    page.goto("./")
    return page


def test_picture_words_and_prose_follow_a_slider_before_it_is_let_go(visit: Visit):
    page = own_page(visit)
    figure = Figure(page, "ramp")
    size, total = figure.param("size"), page.locator("[data-value='ramp.total']")
    expect(total).to_have_text("40")
    place = figure.mark("knob").get_attribute("cx")
    slide(size, 7)
    expect(figure.part("say")).to_have_text("It starts with 7.")
    expect(figure.mark("knob")).not_to_have_attribute("cx", place)
    expect(figure.mark("total")).to_have_text("70 in all")
    expect(total).to_have_text("70")
    expect(figure.root.locator(".range b").first).to_have_text("7 units")
    expect(size).to_have_attribute("aria-valuetext", "7 units")
    expect(figure.part("link")).to_have_attribute("href", "#ramp?size=7&step=1")


def test_the_address_follows_a_drag_and_gets_one_entry_at_its_end(visit: Visit):
    page = own_page(visit)
    figure = Figure(page, "ramp")
    before, length, size = figure.state(), page.evaluate("history.length"), figure.param("size")
    slide(size, 5, 6, 7)
    page.wait_for_function("() => location.hash === '#ramp?size=7&step=1'")
    slide(size, 8, 9)
    page.wait_for_function("() => location.hash === '#ramp?size=9&step=1'")
    assert page.evaluate("history.length") == length
    let_go(size)
    page.wait_for_function(f"() => history.length === {length + 1}")
    page.wait_for_timeout(350)
    assert (page.evaluate("history.length"), fragment(page)) == (length + 1, "#ramp?size=9&step=1")
    page.go_back()
    expect(figure.part("say")).to_have_text("It starts with 4.")
    assert figure.state() == before
    page.go_forward()
    expect(figure.part("say")).to_have_text("It starts with 9.")


def test_the_address_follows_a_hand_that_does_not_rest(visit: Visit):
    page = own_page(visit)
    figure = Figure(page, "ramp")
    page.evaluate("""() => { globalThis.moving = setInterval(() => {
        const slider = document.getElementById("ramp-size");
        slider.value = (Number(slider.value) + 1) % 11;
        slider.dispatchEvent(new Event("input"));
    }, 40); }""")
    page.wait_for_function("() => location.hash.startsWith('#ramp?size=')", timeout=2000)
    page.evaluate("clearInterval(moving)")
    let_go(figure.param("size"))


# Move a slider and count how often the page is laid out; some browsers do it once more for the slider itself.
MOVE = """async (slider, moves) => {
  for (let move = 0; move < moves; move += 1) {
    slider.value = 6 + move % 3;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 40)));
  }
}"""
BARE = """(button) => {
  button.insertAdjacentHTML("beforebegin", "<input type=range id=bare max=10><b></b>");
  const [slider, text] = [bare, bare.nextSibling];
  slider.addEventListener("input", () => requestAnimationFrame(() => { text.textContent = slider.value; }));
}"""


def test_a_move_of_the_hand_lays_the_page_out_as_often_as_that_of_a_slider_that_changes_a_word(visit: Visit):
    page = own_page(visit)
    figure, moves = Figure(page, "ramp"), 20
    size = figure.param("size")
    slide(size, 5)
    figure.part("play").evaluate(BARE)
    page.wait_for_timeout(500)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def layouts() -> int:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(int(one["value"]) for one in metrics if one["name"] == "LayoutCount")

    def moved(slider: Locator) -> int:
        before = layouts()
        slider.evaluate(MOVE, moves)
        return layouts() - before

    bare = moved(page.locator("#bare"))
    assert moves <= moved(size) <= bare + 0.5 * moves
    let_go(size)


def test_a_picture_is_drawn_once_for_all_that_the_hand_did_since_the_last(visit: Visit):
    figure = Figure(visit(), "ramp")
    painted = figure.picture.evaluate("""async (svg) => {
        let times = 0;
        new MutationObserver(() => { times += 1; }).observe(svg, { subtree: true, attributes: true });
        const slider = document.getElementById("ramp-size");
        for (const value of [5, 6, 7, 8]) {
            slider.value = value;
            slider.dispatchEvent(new Event("input"));
        }
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        return times;
    }""")
    assert painted == 1
    expect(figure.mark("total")).to_have_text("80 in all")
    let_go(figure.param("size"))


def test_marks_are_where_they_belong_at_once_while_the_hand_moves_them(visit: Visit):
    figure = Figure(visit(reduced_motion="no-preference"), "ramp")
    shape = figure.mark("shape")
    expect(shape).to_have_css("transition-duration", "0.42s")
    slide(figure.param("size"), 7)
    expect(figure.part("say")).to_have_text("It starts with 7.")
    expect(shape).to_have_css("transition-property", "none")
    assert figure.picture.evaluate("svg => svg.getAnimations({ subtree: true }).length") == 0
    let_go(figure.param("size"))
    expect(shape).to_have_css("transition-duration", "0.42s")


def test_a_screen_reader_hears_nothing_while_the_hand_moves_and_then_the_sentence_once(visit: Visit):
    figure = Figure(visit(), "ramp")
    figure.part("say").evaluate("""node => { globalThis.heard = [];
        new MutationObserver((all) => { for (const { addedNodes: [added] } of all)
            if (added && node.ariaLive === "polite") heard.push(added.data);
        }).observe(node, { childList: true }); }""")
    size = figure.param("size")
    for value in (5, 6, 7):
        slide(size, value)
        expect(figure.part("say")).to_have_text(f"It starts with {value}.")
    expect(figure.part("say")).to_have_attribute("aria-live", "off")
    assert figure.page.evaluate("heard") == []
    let_go(size)
    expect(figure.part("say")).to_have_attribute("aria-live", "polite")
    figure.page.wait_for_timeout(300)
    assert figure.page.evaluate("heard") == ["It starts with 7."]


@pytest.mark.parametrize("how", ["hover", "pointerdown", "focus"])
def test_data_that_a_control_can_lead_to_is_asked_for_when_the_hand_comes_near(visit: Visit, how):
    page = visit()
    figure = Figure(page, "ramp")
    figure.at(1)
    before = visit.data()
    with page.expect_response("**/*.wide.json") as answer:
        if how == "hover":
            figure.param("way").hover()
        elif how == "focus":
            figure.param("way").focus()
        else:
            figure.param("way").dispatch_event("pointerdown")
    assert answer.value.url.rsplit("/", 1)[1] not in before
    asked = visit.data()
    figure.param("way").select_option(label="more")
    expect(figure.part("count")).to_have_text("1 / 4")
    assert visit.data() == asked  # it was there already


def test_what_the_sentence_says_of_a_parameter_goes_with_it(visit: Visit):
    figure = Figure(visit(), "ramp")
    sentence = figure.root.locator(".params p")
    assert sentence.inner_text().replace("\n", " ").endswith("fine .")
    expect(sentence.get_by_text("with a grain of")).to_be_hidden()
    figure.param("fine").check()
    expect(sentence.get_by_text("with a grain of")).to_be_visible()
    expect(figure.param("grain")).to_be_visible()
    figure.param("fine").uncheck()
    expect(sentence.get_by_text("with a grain of")).to_be_hidden()
    expect(figure.param("grain")).to_be_hidden()


def test_controls_come_and_go_when_the_hand_lets_go(visit: Visit):
    """Under the hand they would move the picture that it holds."""
    figure = Figure(visit(), "ramp")
    slide(figure.param("size"), 2, 1)
    expect(figure.part("say")).to_have_text("It starts with 1.")
    expect(figure.param("fine")).to_be_visible()
    let_go(figure.param("size"))
    expect(figure.param("fine")).to_be_hidden()


def test_a_reader_stays_in_the_chapter_where_other_parameters_have_more_or_fewer(visit: Visit):
    figure = Figure(visit(), "ramp")
    figure.go(3)
    expect(figure.part("say")).to_have_text("It ends with 4.")
    figure.param("way").select_option(label="more")
    expect(figure.part("count")).to_have_text("4 / 4")
    expect(figure.part("say")).to_have_text("It ends with 4.")
    figure.param("way").select_option(label="plain")
    expect(figure.part("count")).to_have_text("3 / 3")
    figure.param("way").select_option(label="more")
    figure.go(3)
    expect(figure.part("say")).to_have_text("It does more.")
    figure.param("way").select_option(label="plain")
    expect(figure.part("count")).to_have_text("3 / 3")  # there is no such chapter: the step stays


def test_a_new_choice_of_step_is_not_overruled_by_the_chapter_before(visit: Visit):
    figure = Figure(visit(), "ramp")
    figure.go(3)
    slide(figure.param("size"), 6)
    figure.root.press("Home")
    let_go(figure.param("size"))
    figure.at(1)
    expect(figure.part("say")).to_have_text("It starts with 6.")
