"""The picture: the player's takes the static one's place, and moves its marks, which keep their identity."""

from __future__ import annotations

import pytest
from browser import DESKTOP, PHONE, SEEN, Figure, Visit, fragment, serving
from playwright.sync_api import expect

from tests.sites import built, toy_site


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_painting_the_opening_frame_changes_nothing_in_the_picture(visit: Visit, width):
    still, playing = visit(width=width, java_script_enabled=False), visit(width=width)
    for path, scene in (("./", "online-softmax"), ("./", "dots"), ("tall/", "dots")):
        still.goto(path)
        playing.goto(path)
        before, figure = Figure(still, scene, ready=False).seen(), Figure(playing, scene)
        assert len(before) > 10
        assert figure.seen() == before
        assert figure.picture.locator("[data-new]").count() == 0


def test_nothing_moves_when_the_player_takes_over(visit: Visit):
    page = visit.blank(reduced_motion="no-preference")
    page.add_init_script("""globalThis.moved = [];
        addEventListener("transitionrun", ({ target, propertyName }) =>
            target.closest(".picture") && moved.push(`${propertyName} of ${target.dataset.key}`), true);""")
    page.goto("./")
    for scene in ("online-softmax", "dots"):
        expect(Figure(page, scene).picture.locator("[data-key]").first).to_be_attached()
    page.wait_for_timeout(100)
    assert page.evaluate("moved") == []


def test_a_mark_is_the_same_element_from_step_to_step(visit: Visit):
    figure = Figure(visit(), "dots")
    figure.picture.evaluate(
        "svg => { globalThis.first = new Map([...svg.children].map((node) => [node.dataset.key, node])); }"
    )
    place = figure.mark("runner").get_attribute("x")
    for step in range(2, 6):
        figure.part("forward").click()
        figure.at(step)
        for key in ("runner", "dot-1", "dot-6", "floor", "said", "pick-2"):
            assert figure.mark(key).evaluate("(node, key) => node === first.get(key)", key)
    assert figure.mark("runner").get_attribute("x") != place


def test_words_are_moved_by_what_every_engine_animates(visit: Visit):
    """WebKit has no transitions of the attribute `transform`: words would jump to where their marks glide."""
    figure = Figure(visit(reduced_motion="no-preference"), "dots")
    words = figure.mark("said")
    before = words.evaluate("node => node.style.translate")
    figure.note_transitions()
    figure.part("forward").click()
    expect(words).to_have_attribute("data-ran", "translate")
    assert before and words.evaluate("node => node.style.translate") != before
    assert words.get_attribute("transform") is None


def test_a_mark_whose_key_is_gone_leaves_and_one_that_comes_back_stands_in_its_place(visit: Visit):
    figure = Figure(visit(), "dots")
    order = [mark["data-key"] for mark in figure.marks()]
    assert "spark" in order
    figure.part("forward").click()
    expect(figure.mark("spark")).to_have_count(0)
    expect(figure.picture.locator("[data-key=spark]")).to_have_count(0)
    figure.part("forward").click()
    expect(figure.mark("spark")).to_have_count(1)
    assert [mark["data-key"] for mark in figure.marks()] == order


@pytest.mark.parametrize("scene", ["online-softmax", "dots"])
def test_every_frame_is_the_same_whichever_way_it_is_reached(visit: Visit, scene):
    """Frames are stored as differences: none may carry anything over from the frame before."""
    figure = Figure(visit(), scene)
    figure.root.press("Home")
    figure.at(1)
    count, forward = int(figure.part("scrub").get_attribute("max")), []
    for step in range(1, count + 1):
        figure.at(step)
        forward.append(figure.marks("data-new"))
        figure.root.press("ArrowRight")
    for step in range(count, 0, -1):
        figure.at(step)
        assert figure.marks("data-new") == forward[step - 1]
        figure.root.press("ArrowLeft")


@pytest.mark.parametrize("scene", ["online-softmax", "dots"])
def test_what_overlaps_is_painted_in_the_order_of_the_drawing(visit: Visit, scene):
    """The printed key steps come straight from the drawing; the player adds marks to the picture one by one."""
    figure = Figure(visit(width=PHONE), scene)
    # A mark of the print has no key: it is known by its place, its shape and its words.
    for print_ in figure.root.locator(".prints > div").all():
        step = int(print_.locator("b").text_content())
        drawn = print_.locator("svg > *").evaluate_all(f"all => all.map({SEEN})")
        figure.go(step)
        wrong = figure.picture.evaluate(f"""(svg, drawn) => {{
            const places = [...svg.children].filter((node) => !node.classList.contains("gone"))
                .map((node) => drawn.indexOf(({SEEN})(node)));
            return places.filter((place) => place < 0).length;
        }}""", drawn)  # fmt: skip
        assert (step, wrong) == (step, 0)
        wrong = figure.picture.evaluate(f"""(svg, drawn) => {{
            const nodes = [...svg.children].filter((node) => !node.classList.contains("gone"));
            const boxes = nodes.map((node) => node.getBoundingClientRect());
            const places = nodes.map((node) => drawn.indexOf(({SEEN})(node)));
            const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x
                || a.y + a.height <= b.y || b.y + b.height <= a.y;
            return nodes.flatMap((node, i) => nodes.slice(i + 1).flatMap((over, more) => {{
                const j = i + 1 + more;
                return places[i] < places[j] || apart(boxes[i], boxes[j]) ? []
                    : [`${{over.dataset.key}} over ${{node.dataset.key}}`];
            }}));
        }}""", drawn)  # fmt: skip
        assert (step, wrong) == (step, [])


def test_the_drawing_follows_the_room_and_keeps_the_step(visit: Visit):
    figure = Figure(visit(width=DESKTOP), "online-softmax")
    figure.part("forward").click()
    figure.at(8)
    words = {mark["data-key"]: mark["words"] for mark in figure.marks() if mark["words"]}
    figure.page.set_viewport_size({"width": PHONE, "height": 700})
    expect(figure.picture).to_have_class("picture narrow")
    expect(figure.mark("sums-title")).to_have_text(words["sums-title"])
    assert visit.data().count("0.narrow.json") == 1


@pytest.mark.parametrize("how", ["Enter", "Space", "pointer"])
def test_pressing_a_mark_sets_its_parameter(visit: Visit, how):
    figure = Figure(visit(), "dots")
    mark = figure.picture.get_by_role("button", name="Show 4 dots")
    mark.click() if how == "pointer" else mark.press(how)
    expect(figure.part("count")).to_have_text("1 / 4")
    expect(figure.param("count")).to_have_value("1")
    assert fragment(figure.page) == "#dots?count=4&step=1"
    if how != "pointer":
        expect(mark).to_be_focused()
    expect(figure.part("play")).to_have_accessible_name("Play")


def test_a_picture_with_marks_to_press_is_a_group_and_any_other_is_an_image(visit: Visit):
    page = visit()
    expect(Figure(page, "dots").picture).to_have_role("group")
    expect(Figure(page, "online-softmax").picture).to_have_role("img")
    for name in ("dots", "online-softmax"):
        assert Figure(page, name).picture.get_attribute("aria-label")


def test_a_mark_that_can_no_longer_be_pressed_does_nothing(visit: Visit):
    page = visit.blank()
    page.goto("./")
    figure = Figure(page, "dots")
    runner = figure.mark("runner")
    runner.click()
    expect(figure.param("ringed")).to_be_checked()
    expect(runner).not_to_have_attribute("role", "button")
    length = figure.page.evaluate("history.length")
    runner.dispatch_event("click")  # a pointer no longer reaches it
    figure.part("forward").click()
    figure.at(2)
    assert figure.page.evaluate("history.length") == length


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_picture_in_the_text_is_no_larger_than_it_was_drawn(visitor, tmp_path, width):
    text = "# A\n\n![a state](#toy?count=3&step=2)\n\n:::{scene} toy\n:::\n"
    with serving(built(toy_site(tmp_path, index=text)), "/") as address:
        page = visitor(address)(width=width)
        page.goto("./")
        picture = page.locator("a.stage svg")
        scale = picture.evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width")
    assert 0.9 < scale <= 1
