"""What a slider's values are called: sent in few bytes, and read in the browser as their author wrote them."""

from __future__ import annotations

import html
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Figure, Visit, serving
from playwright.sync_api import Browser, expect

from loom.model import Output
from loom.paths import OWN
from loom.scene.parameters import Choice, Range
from loom.scenes.info import describe
from tests.sites import REFERENCES, built, page, site
from tests.test_scene import scene

SLIDERS = {
    "run": Range("n", "N", range(7), unit="tokens"),
    "down": Range("n", "N", range(5, -20, -5)),
    "far": Range("n", "N", range(998_000, 1_001_000, 500), unit="B"),
    "powers": Range("n", "N", tuple(10**exponent for exponent in range(10))),
    "fine": Range("n", "N", (0.0001, 0.25, 0.5, 1.5, 12.625, 1234.5, 98765.4321), unit="FLOP/B"),
    "tiny": Range("n", "N", (0.0009765625, 1e-5, 2e-12, 1e15)),
    "plural": Range("n", "N", {0: "no warps", 1: "1 warp", 2: "2 warps", 3: "3 warps", 4000: "4,000 warps"}),
    "named": Range("n", "N", {1: "weights 0 to 31", 2: "weights 32 to 63", 3: "1,5 & <more>", 4: "it's “4”"}),
    "percent": Range("n", "N", {value: f"{value}%" for value in (5, 10, 50, 100)}),
}
SCENE = """
from loom.draw import Pen
from loom.scene.parameters import Range
from loom.scene import Column, Scene, Table, Value

SCENE = Scene(
    title="How many?", summary="A number.", leaves_out="Everything.", sources=("toy2020",), params=({param!r},),
    steps=lambda n: [n], draw=lambda n, width: [Pen(width).text("n", 0, 14, str(n))], say=str,
    table=lambda n: Table((Column("n", "n", digits=4),), [(n,)]), values=lambda n: {{"n": Value(1)}},
)
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Output:
    """A site with a page for each slider."""
    texts = {"references.yml": REFERENCES, "index": "# Home\n"}
    for name, param in SLIDERS.items():
        texts[f"scenes/{name}/scene.py"] = SCENE.format(param=param)
        link = f"[the last](#{name}?n={param.values[-1]})"
        texts[name] = f"# A page\n\n:::{{scene}} {name}\n:::\n\n{link}\n"
    return built(site(Path(tmp_path_factory.mktemp("sliders")), **texts))


@pytest.fixture(scope="module")
def sliders(output: Output) -> Iterator[str]:
    """Where it is served."""
    with serving(output, "/") as found:
        yield found


def told(output: Output, name: str) -> dict[str, Any]:
    """What the page of a slider tells of it."""
    figure = page(output, f"{name}/index.html").find(".//figure")
    assert figure is not None
    param: dict[str, Any] = json.loads(html.unescape(figure.get("data-config") or ""))["params"][0]
    return param


@pytest.mark.parametrize("name", SLIDERS)
def test_the_browser_reads_every_value_as_its_author_does(visitor, sliders, name):
    visit: Visit = visitor(sliders)
    param, figure = SLIDERS[name], Figure(visit(f"{name}/"), name)
    slider, output = figure.param("n"), figure.root.locator(".params b")
    for place in (*range(len(param.values)), 0):
        label = param.label_of(param.values[place])
        slider.fill(str(place))
        expect(output).to_have_text(label)
        expect(slider).to_have_attribute("aria-valuetext", label)
    figure.page.get_by_text("the last").click()  # a link names the value as it is written
    expect(output).to_have_text(param.label_of(param.values[-1]))


def test_values_that_are_evenly_apart_are_told_by_the_first_and_their_distance(output):
    assert told(output, "run")["values"] == {"first": 0, "by": 1, "length": 7}
    assert told(output, "down")["values"] == {"first": 5, "by": -5, "length": 5}
    assert told(output, "powers")["values"] == [str(10**exponent) for exponent in range(10)]


def test_only_labels_that_are_no_number_with_its_unit_are_sent(output):
    assert {name: (told(output, name).get("unit"), told(output, name).get("labels")) for name in SLIDERS} == {
        "run": (" tokens", [0, "1 token"]),
        "down": (None, [0, 0, "−5", "−10", "−15"]),
        "far": (" B", None),
        "powers": (None, None),
        "fine": (" FLOP/B", [*[0] * 6, "98,765.4 FLOP/B"]),
        "tiny": (None, ["0.000976562", "1\u00a0×\u00a010⁻⁵", "2\u00a0×\u00a010⁻¹²", "1\u00a0×\u00a010¹⁵"]),
        "plural": (" warps", ["no warps", "1 warp"]),
        "named": (None, ["weights 0 to 31", "weights 32 to 63", "1,5 & <more>", "it's “4”"]),
        "percent": ("%", None),
    }


# The player's own reckoning of what rests: `[params, at]` of each case, and where it settles.
SETTLED = """async ([source, cases]) => {
  const { settled } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return cases.map(([params, at]) => settled(params, at));
}"""


def test_the_browser_lets_the_same_parameters_rest_in_any_order(chromium: Browser):
    kind, depth = Choice("kind", "Kind", ("grey", "colour")), Choice("depth", "D", (8, 16), when={"kind": ["colour"]})
    palette = Range("palette", "P", (1, 2, 3), 2, when={"depth": [8]})
    name = Choice("name", "N", ("a", "b"), when={"palette": [1], "kind": ["colour"]})
    cases, expected = [], []
    for params in itertools.permutations((kind, depth, palette, name)):
        info = describe("one", "", scene(*params))
        told = [{"rest": param.start, "when": param.when} for param in info.params]
        for at in itertools.product(*(range(len(param.values)) for param in info.params)):
            cases.append((told, at))
            given = {param.name: param.values[place] for param, place in zip(info.params, at, strict=True)}
            expected.append([*info.indices(given)])
    page = chromium.new_page()
    source = (OWN / "static/player/state.js").read_text(encoding="utf-8")
    assert page.evaluate(SETTLED, [source, cases]) == expected
    page.close()
