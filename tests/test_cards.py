"""Social cards: drawn from the first scene with the site's own colours and fonts, named by what they show."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from PIL import Image

from loom.build.pipeline import build_site
from loom.build.record import database
from loom.options import Options
from loom.paths import OWN
from loom.render import rasterize as module
from loom.render.assets import read_assets
from loom.render.palette import picture_rules, variables, worked_out
from loom.render.rasterize import card_tools
from scenes.online_softmax.scene import SCENE
from tests.sites import add_scene, page, problem, toy_site

URL = "https://example.org/base/"
SITE = {"site.yml": f"title: The site\nurl: {URL}\n"}
INDEX = "---\ntitle: A title that is long enough to take several lines of the card\n---\n:::{scene} toy\n:::\n"


Box = tuple[int, int, int, int]
PAPER, TITLE = (0xFB, 0xF8, 0xF2), (72, 160, 700, 430)


def colours(png: bytes, box: Box | None = None) -> dict[tuple[int, ...], float]:
    """The colours of a picture, or of a part of it, and the share that each takes."""
    image = Image.open(io.BytesIO(png)).convert("RGB").crop(box or (0, 0, 1200, 630))
    found = image.getcolors(maxcolors=image.width * image.height) or []
    return {colour: count / (image.width * image.height) for count, colour in found}


def card_of(output, path: str = "index.html") -> tuple[str, bytes]:
    found = page(output, path).find(".//meta[@property='og:image']").get("content")
    assert found.startswith(URL)
    return found.removeprefix(URL), output[PurePosixPath(found.removeprefix(URL))]


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    root = toy_site(tmp_path_factory.mktemp("site"), index=INDEX, **{**SITE, "deep/plain": "# Plain\n\nText.\n"})
    return build_site(Options(root))


@pytest.mark.parametrize(("path", "name"), [("index.html", "index"), ("deep/plain/index.html", "deep-plain")])
def test_every_page_has_a_card_with_something_on_it(output, path, name):
    card, png = card_of(output, path)
    assert card.startswith(f"assets/cards/{name}.") and card.endswith(".png")
    assert Image.open(io.BytesIO(png)).size == (1200, 630)
    assert 0.5 < colours(png)[PAPER] < 0.98
    assert min(map(sum, colours(png, TITLE))) < 150  # its letters are there, and dark
    assert len(png) < 200_000


def test_card_of_a_scene_shows_its_marks_in_the_style_sheets_colours(output):
    bar = (0x5B, 0x7F, 0xA6)  # --data, which paints the bar of the toy
    assert bar in colours(card_of(output)[1])
    assert bar not in colours(card_of(output, "deep/plain/index.html")[1])


def test_page_describes_its_card(output):
    told = {one.get("property") or one.get("name"): one.get("content") for one in page(output).iter("meta")}
    assert (told["og:image:width"], told["og:image:height"]) == ("1200", "630")
    assert told["og:image:alt"] == told["og:title"]
    assert told["twitter:card"] == "summary_large_image"


def test_site_without_an_address_has_no_cards(tmp_path):
    output = build_site(Options(toy_site(tmp_path, index=INDEX)))
    assert not [path for path in output if "cards" in path.parts]


def test_site_is_whole_without_the_packages_that_draw(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "NEEDS", ("no_such_package",))
    output = build_site(Options(toy_site(tmp_path, index=INDEX, **SITE)))
    assert not [path for path in output if "cards" in path.parts]
    told = {one.get("property") or one.get("name") for one in page(output).iter("meta")}
    assert "og:title" in told and "og:image" not in told


def test_card_that_was_drawn_before_is_not_drawn_again(tmp_path, monkeypatch):
    root = toy_site(tmp_path / "root", index=INDEX, **SITE)
    options = Options(root, cache=tmp_path / "cache")
    first = build_site(options)

    def refuse(*_: object) -> bytes:
        raise AssertionError

    monkeypatch.setattr(module, "rasterised", refuse)
    assert build_site(options) == first
    with pytest.raises(AssertionError):
        build_site(Options(toy_site(root, index=INDEX.replace("A title", "Another"), **SITE), cache=options.cache))


def test_cached_card_that_is_damaged_is_drawn_again(tmp_path):
    options = Options(toy_site(tmp_path / "root", index=INDEX, **SITE), cache=tmp_path / "cache")
    first = build_site(options)
    with database(tmp_path / "cache/store.sqlite") as base:
        assert base.execute("UPDATE traces SET files = ? WHERE task LIKE 'card %'", (b"garbage",)).rowcount
    assert build_site(options) == first


def test_system_fonts_change_nothing(tmp_path):
    """What the site's fonts lack is left out, whatever this machine has."""
    root = toy_site(tmp_path, index="# Жук\n", **SITE)
    assert set(colours(card_of(build_site(Options(root)))[1], TITLE)) == {PAPER}


def test_template_that_is_no_picture_is_a_problem(tmp_path):
    found = problem(toy_site(tmp_path, index="# Home\n", **SITE, **{"templates/card.svg": "<p>{{ site }}</p>"}))
    assert found.path == "templates/card.svg"
    assert found.message.startswith("this is no picture: ")


def test_mistake_in_the_template_has_its_line(tmp_path):
    found = problem(toy_site(tmp_path, index="# Home\n", **SITE, **{"templates/card.svg": "<svg>\n{{ nope }}</svg>"}))
    assert (found.path, found.line) == ("templates/card.svg", 2)


def test_nothing_that_draws_is_imported_for_a_site_without_an_address(tmp_path):
    root = toy_site(tmp_path, index="# Home\n")
    program = (
        "import sys; from pathlib import Path; from loom.options import Options; "
        "from loom.build.pipeline import build_site; "
        f"build_site(Options(Path({str(root)!r}))); print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=OWN, capture_output=True, text=True, check=True)
    assert "'resvg_py'" not in done.stdout and "'fontTools'" not in done.stdout


CSS = """@layer a,b;@layer a{:root{--ink:light-dark(#000,#fff);--soft:color-mix(in oklab,var(--ink) 50%,#ffffff)}
@media (x){:root{--ink:Canvas}}}.picture :is(rect, circle).a:is(.b,.c),.picture path.d{fill:var(--ink);x:1}
.picture [data-x]:hover{stroke:red}@media print{.picture .e{fill:red}}p{fill:red}"""


def test_style_sheet_is_read_for_a_rasteriser():
    assert variables(CSS)["--ink"] == "light-dark(#000,#fff)"
    assert picture_rules(CSS).splitlines() == [
        ".picture rect.a.b{fill:var(--ink)}", ".picture rect.a.c{fill:var(--ink)}",
        ".picture circle.a.b{fill:var(--ink)}", ".picture circle.a.c{fill:var(--ink)}",
        ".picture path.d{fill:var(--ink)}",
    ]  # fmt: skip


# By hand: the middle of black and white in OKLab has L = 0.5, so light 0.125, so 0.3885 of 255 = 99.
def test_mixtures_are_worked_out():
    assert worked_out("a:var(--soft);b:var(--none)", variables(CSS)) == "a:#636363;b:none"


@pytest.mark.parametrize(
    "mixture",
    [
        "in oklab, black, white 50%",
        "in oklab, #000, white",
        "in oklab, black 10%, white 10%",
        "in srgb, #c6c6c6, black",
        "in oklab, oklch(0% 0 0), hsl(0 0% 100%) 50%",
    ],
)
def test_share_of_a_colour_may_stand_at_either_or_at_none(mixture):
    assert worked_out(f"color-mix({mixture})", {}) == "#636363"


@pytest.mark.parametrize("mixture", ["in oklab, currentColor, red", "in oklab, red", "in nowhere, red, blue", ""])
def test_mixture_that_only_a_browser_knows_paints_nothing(mixture):
    assert worked_out(f"color-mix({mixture})", {}) == "none"


def test_variable_that_names_itself_paints_nothing():
    assert worked_out("rgb(var(--a) 0 0)", {"--a": "var(--b)", "--b": "var(--a)"}) == "rgb(none 0 0)"


def test_our_own_style_sheet_leaves_nothing_to_work_out():
    drawn_with = card_tools(read_assets([OWN / "static"]))
    assert drawn_with is not None and drawn_with.rules.count("{") > 50
    assert not [word for word in ("var(", "light-dark", "color-mix", ":is") if word in drawn_with.rules]


def test_card_of_a_real_scene_is_the_same_at_every_build(tmp_path):
    def build(name: str) -> tuple[str, bytes]:
        root = toy_site(tmp_path / name, index="# Home\n\n:::{scene} online-softmax\n:::\n", **SITE)
        entries = "".join(f"- id: {one}\n  title: T\n  authors: A\n  year: 2020\n  kind: k\n  url: https://e.org\n"
                          "  area: a\n  takes: T.\n" for one in SCENE.sources)  # fmt: skip
        Path(root / "content/references.yml").write_text(entries)
        add_scene(root, "online_softmax")
        return card_of(build_site(Options(root)))

    assert build("one") == build("two")
