"""The hand in the picture: handles by mouse, finger and keys."""

from __future__ import annotations

import pytest
from browser import PHONE, Figure, Visit, fragment
from playwright.sync_api import CDPSession, Locator, Page, expect

from loom.paths import OWN


@pytest.fixture
def visit(visitor, hand_address: str) -> Visit:
    """A visit of the site for the hand."""
    return visitor(hand_address)


def middle(mark: Locator) -> tuple[float, float]:
    """Where the middle of a mark is in the window."""
    box = mark.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def entries(page: Page) -> int:
    return page.evaluate("history.length")


def finger(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """A finger touches, moves or leaves the screen."""
    where = [{"x": x, "y": y} for x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": where})


def swipe(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """A finger goes over the screen in steps, as fast as a reader's does."""
    session = finger(page)
    touch(session, "Start", start)
    for part in range(1, 11):
        touch(session, "Move", (start[0] + by[0] * part / 10, start[1] + by[1] * part / 10))
        page.wait_for_timeout(16)
    touch(session, "End")


def pulled(figure: Figure, by: float) -> tuple[float, float]:
    """Where the mouse took hold of the knob, which it still holds, and which it has moved from its place."""
    x, y = middle(figure.mark("knob"))
    figure.page.mouse.move(x, y)
    figure.page.mouse.down()
    figure.page.mouse.move(x + by, y)
    expect(figure.mark("knob")).not_to_have_attribute("aria-valuenow", "4")
    return x, y


def test_mouse_moves_a_handle_to_the_nearest_value_of_its_rail(visit: Visit):
    figure = Figure(visit(), "ramp")
    knob = figure.mark("knob")
    x, y = middle(knob)
    place = (figure.picture.bounding_box()["width"] / 840) * 78  # from one value to the next
    mouse = figure.page.mouse
    mouse.move(x + 3, y + 2)  # not its middle: it must not jump when it is taken
    mouse.down()
    mouse.move(x + 3 + 2.4 * place, y + 60)
    expect(knob).to_have_attribute("aria-valuetext", "6 units")
    expect(figure.part("say")).to_have_text("It starts with 6.")
    mouse.move(x + 3 + 50 * place, y)
    expect(knob).to_have_attribute("aria-valuetext", "10 units")
    mouse.up()
    expect(figure.param("size")).to_have_value("10")
    mouse.move(x, y)
    figure.page.wait_for_timeout(60)
    expect(knob).to_have_attribute("aria-valuenow", "10")  # let go is let go
    expect(knob).to_be_focused()


def test_a_drag_of_a_handle_is_one_entry_of_the_history_and_back_leads_to_before_it(visit: Visit):
    page = visit.blank()
    page.goto("./")
    figure = Figure(page, "ramp")
    before, length = figure.state(), entries(page)
    x, y = middle(figure.mark("knob"))
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + 40 * step, y)
    page.wait_for_function("() => location.hash.startsWith('#ramp?size=')")  # it follows while the hand is still down
    assert entries(page) == length
    page.mouse.up()
    page.wait_for_function(f"() => history.length === {length + 1}")
    page.wait_for_timeout(350)
    assert (entries(page), fragment(page)) == (length + 1, "#ramp?size=8&step=1")
    page.go_back()
    expect(figure.mark("knob")).to_have_attribute("aria-valuenow", "4")
    assert figure.state() == before
    assert fragment(page) == ""


def test_a_handle_that_comes_back_to_where_it_was_leaves_nothing_in_the_history(visit: Visit):
    page = visit.blank()
    page.goto("./")
    figure, length = Figure(page, "ramp"), entries(page)
    x, y = pulled(figure, 300)
    page.mouse.move(x, y)
    page.mouse.up()
    expect(figure.mark("knob")).to_have_attribute("aria-valuenow", "4")
    page.wait_for_timeout(350)
    assert entries(page) == length


def test_finger_moves_a_handle_along_its_rail(visit: Visit):
    page = visit(width=PHONE, height=740, has_touch=True)
    figure = Figure(page, "ramp")
    figure.picture.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    swipe(page, middle(figure.mark("knob")), (80, 0))
    expect(figure.mark("knob")).to_have_attribute("aria-valuenow", "7")
    expect(figure.part("link")).to_have_attribute("href", "#ramp?size=7&step=1")
    assert page.evaluate("scrollY") == top


@pytest.mark.parametrize("width", [1280, PHONE])
def test_a_level_pull_along_a_rail_that_goes_up_and_down_skips_no_value(visit: Visit, width: int):
    page = visit("waves/", width=width)
    figure = Figure(page, "wave")
    knob = figure.mark("time")
    knob.scroll_into_view_if_needed()
    x, y = middle(knob)
    page.mouse.move(x, y)
    page.mouse.down()
    passed = {0}
    for step in range(60):
        page.mouse.move(x + step * figure.picture.bounding_box()["width"] / 70, y)
        page.wait_for_timeout(50)  # more than a frame
        passed.add(int(knob.get_attribute("aria-valuenow")))
    assert sorted(passed) == list(range(13))


def test_finger_that_swipes_across_the_rail_scrolls_the_page(visit: Visit):
    page = visit(width=PHONE, height=600, has_touch=True)
    figure = Figure(page, "ramp")
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.querySelector('#ramp .stage').scrollIntoView({ block: 'end' })")
    top = page.evaluate("scrollY")
    swipe(page, middle(figure.mark("knob")), (0, -200))
    page.wait_for_function(f"() => scrollY > {top} + 100")
    expect(figure.mark("knob")).to_have_attribute("aria-valuenow", "4")
    assert fragment(page) == ""


def test_finger_goes_down_the_rows_of_a_grid_that_one_parameter_runs_through(visit: Visit):
    page = visit("waves/", width=PHONE, height=600, has_touch=True)
    figure = Figure(page, "wave")
    cell = figure.mark("cell")
    cell.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    swipe(page, middle(cell), (0, 50))
    expect(cell).to_have_attribute("aria-valuenow", "3")
    assert page.evaluate("scrollY") == top


def test_what_moved_before_a_finger_scrolls_the_page_is_taken_back(visit: Visit):
    """On a slope, a finger that goes up or down moves the handle until the browser takes it for scrolling."""
    page = visit()
    figure, length = Figure(page, "ramp"), entries(page)
    pulled(figure, 200)
    figure.root.locator(".stage").dispatch_event("pointercancel")
    expect(figure.mark("knob")).to_have_attribute("aria-valuenow", "4")
    expect(figure.part("say")).to_have_text("It starts with 4.")
    page.wait_for_timeout(350)
    assert (fragment(page), entries(page)) == ("#ramp", length)


def test_finger_takes_hold_of_nothing_smaller_than_24_pixels(visit: Visit):
    page = visit(width=PHONE, has_touch=True)
    figure = Figure(page, "ramp")
    x, y = middle(figure.mark("knob"))
    for by in ((11.5, 0), (-11.5, 0), (0, 11.5), (0, -11.5)):
        hit = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-rail]')?.dataset.key", [x + by[0], y + by[1]]
        )
        assert (by, hit) == (by, "knob")


def test_to_assistive_technology_a_handle_is_a_slider_with_a_name_and_a_value_in_words(visit: Visit):
    figure = Figure(visit(), "ramp")
    knob = figure.picture.get_by_role("slider", name="Size")
    expect(knob).to_have_attribute("aria-valuetext", "4 units")
    assert [knob.get_attribute(f"aria-value{part}") for part in ("max", "now")] == ["10", "4"]  # from 0, as sliders are
    figure.param("fine").check()
    expect(figure.picture.get_by_role("slider", name="Grain of the bars")).to_have_attribute("aria-valuetext", "2 g")
    expect(figure.picture).to_have_role("group")


def test_keys_move_a_handle_the_way_its_rail_runs(visit: Visit):
    figure = Figure(visit(), "ramp")
    knob = figure.mark("knob")
    for key, value in (("ArrowRight", 5), ("ArrowUp", 6), ("ArrowLeft", 5), ("ArrowDown", 4), ("End", 10), ("Home", 0),
                       ("ArrowLeft", 0), ("PageUp", 1), ("PageDown", 0)):  # fmt: skip
        knob.press(key)
        expect(knob).to_have_attribute("aria-valuenow", str(value))
        expect(knob).to_be_focused()
        figure.at(1)  # the scene's own keys leave a handle alone
    figure.param("fine").check()
    grain = figure.mark("grain")  # it runs down: the larger stands lower
    for key, value in (("ArrowDown", 2), ("ArrowUp", 1), ("ArrowUp", 0), ("ArrowRight", 1), ("ArrowLeft", 0)):
        grain.press(key)
        expect(grain).to_have_attribute("aria-valuenow", str(value))


@pytest.mark.parametrize(("more", "less"), [("ArrowRight", "ArrowLeft"), ("ArrowUp", "ArrowDown")])
def test_keys_lead_to_every_value_wherever_its_place_is(visit: Visit, more: str, less: str):
    knob = Figure(visit("waves/"), "wave").mark("time")
    for key, values in ((more, range(1, 14)), (less, reversed(range(13)))):
        for value in values:
            knob.press(key)
            expect(knob).to_have_attribute("aria-valuenow", str(value))


def test_keys_cross_the_rows_of_a_grid_that_one_parameter_runs_through(visit: Visit):
    """Its places are (0, 0), (40, 0), (80, 0), then those of the next row."""
    script = (OWN / "static/player/rail.js").read_text(encoding="utf-8")
    places = [[40 * column, 30 * row] for row in range(3) for column in range(3)]
    ways = {"Right": [1, 0], "Left": [-1, 0], "Down": [0, 1], "Up": [0, -1]}
    led = visit.blank().evaluate(
        """async ([script, places, ways]) => {
            const { towards } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
            return Object.fromEntries(Object.entries(ways).map(([way, by]) => [way, towards(places, [9], 4, by)]));
        }""",
        [script, places, ways],
    )
    assert led == {"Right": 5, "Left": 3, "Down": 7, "Up": 1}


def test_a_key_that_is_held_down_is_one_entry_of_the_history(visit: Visit):
    page = visit.blank()
    page.goto("./")
    figure, length = Figure(page, "ramp"), entries(page)
    for part, value in ((figure.mark("knob"), "7"), (figure.param("size"), "10")):
        part.focus()
        for _ in range(3):
            page.keyboard.down("ArrowRight")
        page.keyboard.up("ArrowRight")
        expect(figure.mark("knob")).to_have_attribute("aria-valuenow", value)
        length += 1
        page.wait_for_function(f"() => history.length === {length}")
        page.wait_for_timeout(300)
        assert entries(page) == length
    page.go_back()
    expect(figure.mark("knob")).to_have_attribute("aria-valuenow", "7")


def test_one_handle_moves_two_parameters(visit: Visit):
    figure = Figure(visit(), "grid")
    corner = figure.picture.get_by_role("slider", name="Rows, Columns")
    corner.scroll_into_view_if_needed()
    scale = figure.picture.bounding_box()["width"] / 840
    x, y = middle(corner)
    figure.page.mouse.move(x, y)
    figure.page.mouse.down()
    figure.page.mouse.move(x + 70 * scale, y + 50 * scale)
    expect(figure.part("say")).to_have_text("3 by 6.")
    figure.page.mouse.up()
    expect(figure.param("rows")).to_have_value("2")
    expect(figure.param("columns")).to_have_value("2")
    for key, said in (("ArrowUp", "2 by 6."), ("ArrowLeft", "2 by 4."), ("ArrowRight", "2 by 6."),
                      ("ArrowRight", "2 by 6."), ("ArrowDown", "3 by 6."), ("Home", "1 by 2."),
                      ("End", "4 by 6.")):  # fmt: skip
        corner.press(key)
        expect(figure.part("say")).to_have_text(said)
    expect(corner).to_have_attribute("aria-valuetext", "4 rows, 6")


def test_without_script_a_handle_is_an_ordinary_mark(visit: Visit):
    page = visit(java_script_enabled=False)
    for name in ("ramp", "grid"):
        picture = Figure(page, name, ready=False).picture
        expect(picture).to_have_role("img")
        expect(picture.locator("circle.grip")).to_be_visible()
        assert picture.locator("[tabindex], [role], [data-rail]").count() == 0
        assert picture.locator("circle.grip").evaluate("node => getComputedStyle(node).cursor") == "auto"
    assert page.locator(".reading:visible").count() == 0
