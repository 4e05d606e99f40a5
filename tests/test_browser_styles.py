"""The style sheets that are sent hold every rule of those that were written, and a phone shows what they say."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from browser import PHONE, Figure, Visit
from playwright.sync_api import Page

from loom.draw.marks import ROLES
from loom.paths import OWN
from loom.render.assets import read_assets
from loom.render.style_sheet import compact

CSS = OWN / "static/css"
IMPORT = re.compile(r'@import url\("(?P<file>[\w.]+)"\)(?: layer\((?P<layer>\w+)\))?;')
SCALES = OWN / "static/scale/scale.css"
SHEETS = [*CSS.glob("*.css"), SCALES, OWN / "static/finder/finder.css", OWN / "loom/dev/live.css"]

# Every rule that is in force somewhere: the conditions and layers around it, its selector, and what it says.
RULES = """
(source) => {
  const sheet = typeof source === "string" ? new CSSStyleSheet() : document.styleSheets[0];
  if (typeof source === "string") sheet.replaceSync(source);
  const flat = (rules, around) => [...rules].flatMap((rule) => {
    const head = rule.selectorText ?? rule.cssText.split("{")[0];
    const own = rule.style ? [[...around, head, rule.style.cssText]] : [];
    const statement = rule.style || rule.cssRules ? [] : [[...around, rule.cssText]];
    return [...own, ...statement, ...flat(rule.cssRules ?? [], [...around, head])];
  });
  return flat(sheet.cssRules, []);
}
"""


def rules(page: Page, source: str | None = None) -> list[list[str]]:
    """The rules of a style sheet as the browser understands them; without a source, of the page's own sheet."""
    return [[plainly(part) for part in rule] for rule in page.evaluate(RULES, source)]


def plainly(text: str) -> str:
    """A browser keeps the values of variables as they were typed, and fonts lie elsewhere than they did."""
    spaced = re.sub(r"\s*,\s*", ", ", re.sub(r":\s*", ": ", " ".join(text.split())))
    return re.sub(r'url\("[^"]*/', 'url("', spaced)


def test_sheet_of_a_page_holds_every_rule_of_the_sources_and_no_other(visit: Visit):
    page = visit()
    expected: list[list[str]] = []
    main = (CSS / "main.css").read_text(encoding="utf-8")
    for found in IMPORT.finditer(main):
        around = [f"@layer {found['layer']}"] if found["layer"] else []
        written = rules(page, (CSS / found["file"]).read_text(encoding="utf-8"))
        assert written, found["file"]
        expected += [[*around, *rule] for rule in written]
    shipped = rules(page)
    assert shipped[0] == rules(page, main.partition("@import")[0])[0]
    layers = [[f"@layer {name}"] for name in re.findall(r"layer\((\w+)\)", main)]
    assert [rule for rule in shipped[1:] if rule not in layers] == expected
    assert len(expected) > 200


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_compact_sheet_holds_the_same_rules(visit: Visit, path: Path):
    page = visit()
    written = re.sub(r"@import[^;]*;", "", path.read_text(encoding="utf-8"))
    assert rules(page, compact(written.encode(), path.name)) == rules(page, written)
    assert len(compact(written.encode(), path.name)) < len(written)


# The elements that a rule asks, by :has(), for what they hold or what follows them, and that hold a scene or stand
# before one. Whenever a mark comes or goes, browsers ask them again, and may style anew all that is in them.
ASKED = """
() => {
  const all = (rules) => [...rules].flatMap((rule) => [rule, ...all(rule.cssRules ?? [])]);
  const asking = /([^\\s>+~,()]*?(?:\\([^()]*\\))?)(?::(?:is|not)\\()?:has\\(\\s*([~+]?)/g;
  const large = ([, asked, ahead]) => [...document.querySelectorAll(asked || "*")].some((one) =>
    one.querySelector(".stage") || (ahead && one.parentElement.querySelector(`:scope > ${asked} ~ * .stage`)));
  return all(document.styleSheets[0].cssRules).map(({ selectorText = "" }) => selectorText)
    .filter((selector) => [...selector.matchAll(asking)].some(large));
}
"""


def test_no_rule_depends_on_whether_something_large_holds_something(visit: Visit):
    page = visit()
    assert page.evaluate(ASKED) == []
    for selector in ("main:has(> a)", "main:not(:has(> a)) > b", "header.site:has(~ main b) i", ":has(a) b"):
        page.evaluate(
            "rule => document.styleSheets[0].insertRule(rule)", f"@media screen {{ {selector} {{ order: 1 }} }}"
        )
        assert page.evaluate(ASKED).count(selector) == 1


def test_a_mark_that_comes_or_goes_styles_no_other(visit: Visit):
    """Under the hand each picture has such marks: a rule that counts siblings would style all the others anew."""
    page = visit()
    picture = Figure(page, "dots").picture
    visit.browser.start_tracing(page=page, categories=["devtools.timeline", "blink.user_timing"])
    picture.evaluate("""(svg) => {
        svg.clientWidth; // whatever else waits to be styled
        performance.mark("from");
        svg.prepend(svg.children[2].cloneNode());
        svg.children[4].remove();
        svg.clientWidth;
        performance.mark("to");
    }""")
    events = json.loads(visit.browser.stop_tracing())["traceEvents"]
    begin, end = (next(event["ts"] for event in events if event["name"] == name) for name in ("from", "to"))
    styled = [event for event in events if event["name"] == "UpdateLayoutTree" and begin <= event["ts"] <= end]
    assert 0 < sum(event["args"]["elementCount"] for event in styled) < 4 < picture.locator("> *").count() - 4


HARD = {
    "descendant of any element": ".a :is(.b, .c) { order: 1 }",
    "the same, under a condition": "@media (width < 30rem) { .a :is(.b) { order: 1 } .a :not(.b):hover { order: 2 } }",
    "the same, in a layer": "@layer a { @media print { .a :is(.b) { order: 1 } } :is(a, b) :is(a, b) { order: 2 } }",
    "nested": ".a { color: red; .b & { color: blue } & :hover, > :is(p) { color: green } @media print { order: 1 } }",
    "comment between words": ".a/* x */.b /* y */ .c { margin: 1px/* z */2px; content: '/* no */ ;  }' }",
    "sums": ".a { width: calc(1px + (2px - 3px) * -1); margin: -1px +2px }",
    "strings and addresses": """.a { background: url(data:image/png;base64,AA/*BB==); content: "a\\"  ,  b" }""",
    "variables": ":root { --a: ; --b: {x : y}; --c:  1px ,  2px } .a { margin: var(--d, ) }",
    "escapes": r".\31 a.b\:c::before { content: '\201C ' }",
    "range of letters": "@font-face { font-family: A; src: url(a.woff2); unicode-range: U+26, U+0-7F, U+4?? }",
    "beginning": "@starting-style { .a { opacity: 0 } }",
    "container": "@container b (width >= 42rem) and style(--x: 1) { .a { order: 1 } }",
    "support": "@supports not (selector(:has(a))) { .a { order: 1 } } .a:has(> .b) { order: 1 }",
    "colours": ".a { color: light-dark(#fff, color-mix(in oklab, red 20%, blue)) }",
}  # fmt: skip


@pytest.mark.parametrize("source", HARD.values(), ids=HARD)
def test_what_is_easily_lost_is_kept(visit: Visit, source: str):
    page = visit()
    expected = rules(page, source)
    assert expected
    assert rules(page, compact(source.encode(), "a.css")) == expected


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("touch", [True, False])
@pytest.mark.parametrize("scene", ["online-softmax", "dots"])
def test_transport_is_one_line_within_a_phone_and_its_parts_are_large_enough_to_hit(visit: Visit, scene, touch, scheme):
    page = visit(width=PHONE, has_touch=touch, color_scheme=scheme)
    figure = Figure(page, scene)
    for width in (PHONE, 320):
        page.set_viewport_size({"width": width, "height": 740})
        line = figure.root.locator(".transport")
        parts = line.locator(":is(button, input, summary):visible")
        boxes = [part.bounding_box() for part in parts.all()]
        middles = {round(box["y"] + box["height"] / 2) for box in boxes}
        assert max(middles) - min(middles) <= 1
        assert max(box["x"] + box["width"] for box in boxes) <= width - 16
        assert sum(later["x"] < box["x"] + box["width"] - 0.5 for box, later in pairwise(boxes)) == 0
        if width == PHONE:
            assert [box for box in boxes if box["width"] < 23.9 or box["height"] < 23.9] == []


@pytest.mark.parametrize(("modifier", "width"), [("thin", "1px"), ("thick", "3px")])
def test_line_of_every_role_is_as_wide_as_its_modifier_says(visit: Visit, modifier, width):
    script = """([roles, modifier]) => roles.map((role) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("class", `${role} ${modifier}`);
      document.querySelector(".picture").append(path);
      return [role, getComputedStyle(path).strokeWidth];
    })"""
    found = visit().evaluate(script, [sorted(ROLES - {"sign"}), modifier])  # a sign is drawn by fields alone
    assert [role for role, seen in found if seen != width] == []


def test_index_of_an_exponent_stays_legible_and_exponents_stay_small(visit: Visit):
    page = visit()
    page.evaluate("""() => { document.querySelector("article").insertAdjacentHTML("beforeend",
        "<math><msup><mi id=base>e</mi><msup id=up><mi>x</mi><mn id=index>2</mn></msup></msup></math>") }""")
    base, up, index = (
        page.locator(f"#{name}").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        for name in ("base", "up", "index")
    )
    assert up / base < 0.8
    assert index / up == pytest.approx(0.86, abs=0.005)


# What the style sheet does not paint is black: nobody sees it in the dark.
PAINTED = """
([roles, tags]) => {
  const picture = document.querySelector("svg.picture");
  return tags.flatMap((tag) => roles.filter((role) => {
    const mark = document.createElementNS(picture.namespaceURI, tag);
    mark.setAttribute("class", role);
    picture.append(mark);
    const { fill } = getComputedStyle(mark);
    mark.remove();
    return fill === "rgb(0, 0, 0)";
  }).map((role) => `${tag}.${role}`));
}
"""


def test_marks_of_every_role_can_be_seen_in_the_dark(visit: Visit):
    assert visit(color_scheme="dark").evaluate(PAINTED, [sorted(ROLES), ["rect", "circle", "text"]]) == []


# A solid path is filled where a stroke would be drawn, in the same colour.
FILLED = """
(roles) => {
  const picture = document.querySelector("svg.picture");
  const painted = (role) => {
    const mark = document.createElementNS(picture.namespaceURI, "path");
    mark.setAttribute("class", role);
    picture.append(mark);
    const { fill, stroke } = getComputedStyle(mark);
    mark.remove();
    return { fill, stroke };
  };
  return roles.filter((role) => {
    const { fill, stroke } = painted(`${role} solid`);
    return stroke !== "none" || fill !== painted(role).stroke;
  });
}
"""


def test_solid_paths_are_filled_in_the_colour_of_their_role(visit: Visit):
    roles = ["work", "kept", "memory", "dropped", "hot", *[f"series-{at}" for at in range(1, 7)]]
    assert visit().evaluate(FILLED, roles) == []


def test_style_files_of_the_search_page_are_compact():
    found = {path.name: raw.decode() for path, raw in read_assets([OWN / "static"]).finder.items()}
    assert "/*" not in found["finder.css"]
    assert ".finder p{display:none}" in found["finder.css"]
