"""`export` writes a scene as a picture or a film: the player's own frames, in time, in either theme."""

from __future__ import annotations

import io
from types import SimpleNamespace
from xml.etree import ElementTree

import av
import numpy as np
import pytest
from PIL import Image

from loom import cli
from loom.render import film
from loom.render.export import lacking
from loom.render.film import Cut, between, eased, moments
from loom.scenes.frames import Element
from tests.sites import site

# A box that moves through beats and leaves; what comes then says so.
MOVES = """
from loom.draw import Box, Pen
from loom.scene import Choice, Column, Phase, Scene, Table, Value

PHASES = (
    Phase("rest", lambda at: "It rests."),
    Phase("way", lambda at: "It goes.", beats=lambda at: (0.0, 0.5, 1.0)),
    Phase("gone", lambda at: "It is gone."),
)


def draw(at, width):
    pen = Pen(width)
    if at.phase != "gone":
        yield pen.rect("box", Box(100 * at.past("way"), 10, 60, 40), "kept")
    else:
        yield pen.text("gone", 4, 40, "gone", "label")
    yield pen.rect("floor", Box(0, 60, 300 if at.result == "far" else 200, 10), "data")


SCENE = Scene(
    title="Does it move?", summary="A box moves.", sources=("toy2020",), leaves_out="All else.",
    params=(Choice("way", "Way", ("near", "far")),),
    solve=lambda way: way, steps=PHASES, draw=draw,
    table=lambda result: Table((Column("way", "way"),), [(result,)]), values=lambda result: {"one": Value(1)},
)
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return site(tmp_path_factory.mktemp("site"), index="# Home\n", **{"scenes/moves/scene.py": MOVES})


@pytest.fixture
def export(root, tmp_path, capsys):
    """Runs the command; the file's bytes, or what it complains about."""

    def run(name: str, *arguments: str, scene: str = "moves") -> bytes | str:
        out = tmp_path / name
        code = cli.main(["export", scene, "--root", str(root), "--out", str(out), "--scene-timeout", "0", *arguments])
        told = capsys.readouterr()
        assert out.exists() == (code == 0)
        return out.read_bytes() if code == 0 else told.err

    return run


def opened(raw: bytes) -> Image.Image:
    return Image.open(io.BytesIO(raw))


def test_svg_stands_by_itself(export):
    raw = export("moves.svg", "--step", "2")
    tree = ElementTree.fromstring(raw)
    space = "{http://www.w3.org/2000/svg}"
    assert [tree.find(f"{space}{name}").text for name in ("title", "desc")] == ["Does it move?", "It goes."]
    assert (tree.get("width"), tree.get("viewBox").split()[:3]) == ("864", ["-12", "-12", "864"])
    assert b"var(" not in raw and b"light-dark" not in raw and b"url(" not in raw and b"@" not in raw
    assert b'font-family:"Loom Sans"' in raw


@pytest.mark.parametrize(("step", "x"), [("1", 0), ("2", 100)])
def test_step_shows_its_last_beat(export, step, x):
    image = opened(export("moves.png", "--step", step, "--width", "864")).convert("RGB")
    inside, outside = image.getpixel((12 + x + 30, 42)), image.getpixel((12 + (100 - x) + 30, 42))
    assert outside == image.getpixel((1, 1)) != inside


def test_width_is_that_of_the_file_and_the_drawing_for_phones_is_another(export):
    wide, narrow = opened(export("w.png", "--width", "500")), opened(export("n.png", "--drawing", "narrow"))
    assert (wide.width, narrow.width) == (500, 352)
    assert wide.width / wide.height > 2 * narrow.width / narrow.height


def test_light_dark_and_transparent_differ_where_they_should(export):
    light, dark = (opened(export(f"{theme}.png", "--theme", theme)).convert("RGBA") for theme in ("light", "dark"))
    clear = opened(export("clear.png", "--transparent")).convert("RGBA")
    corner, box = (2, 2), (40, 40)
    assert sum(light.getpixel(corner)[:3]) > 700 > 100 > sum(dark.getpixel(corner)[:3])
    assert clear.getpixel(corner)[3] == 0
    assert clear.getpixel(box) == light.getpixel(box) != dark.getpixel(box)


def test_parameters_are_those_of_the_command(export):
    near, far = (opened(export("p.png", "--set", f"way={way}")).convert("RGB") for way in ("near", "far"))
    assert near.getpixel((12 + 250, 77)) != far.getpixel((12 + 250, 77))


def player_time() -> float:
    """What the player takes for the three steps, from play.js: a hold of 900 ms, or what the motion leaves of it."""
    return sum(motion + max(900, 24 * len(said) - motion) for said, motion in
               (("It rests.", 0), ("It goes.", 1000), ("It is gone.", 0)))  # fmt: skip


def test_gif_lasts_as_long_as_the_player_takes_and_moves_between_frames(export):
    gif = opened(export("moves.gif", "--width", "432"))
    lasts, lefts = 0, []
    for number in range(gif.n_frames):
        gif.seek(number)
        lasts += gif.info["duration"]
        row = [gif.convert("RGB").getpixel((x, 18)) for x in range(150)]
        lefts.append(next((x for x, colour in enumerate(row) if colour != row[0] and colour[0] < 100), None))
    assert abs(lasts - player_time()) <= 10 * gif.n_frames
    seen = [left for left in lefts if left is not None]
    assert seen == sorted(seen) and len(set(seen)) > 8  # it is on its way, step for step
    assert lefts[-1] is None  # and gone at last


def test_mp4_lasts_as_long_as_the_player_takes_in_pixels_that_every_player_shows(export):
    with av.open(io.BytesIO(export("moves.mp4", "--width", "431"))) as film_:
        stream = film_.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in film_.decode(video=0)]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height % 2, float(stream.average_rate)) == (430, 0, 25)
    assert abs(len(frames) / 25 * 1000 - player_time()) <= 40
    assert abs(frames[0].astype(int) - frames[-1]).max() > 60
    assert min(frames[0][-1].min(), frames[0][:, -1].min()) > 200  # its edges are of paper


def data_file(*times):
    """What a film asks of a data file."""
    return SimpleNamespace(times=lambda _, step: times[step - 1], keyed=lambda *at: {"at": at[1:]})


def test_chapter_that_begins_late_leaves_the_picture_before_it_as_long():
    file = data_file([0], [2000, 500])
    before, first, last = film.story(file, "", ["One.", "Two."])
    assert (before.lasts, first.lasts, last.lasts) == (900 + 2000, 500, 900)


@pytest.mark.parametrize(
    ("said", "lasts"), [(["W" * 100, "Two."], [2400, 1000, 900]), (["One.", "W" * 100], [900, 1000, 1400])]
)
def test_chapter_stands_until_its_words_are_read_of_which_its_motion_is_a_part(said, lasts):
    file = data_file([0], [0, 1000])
    assert [cut.lasts for cut in film.story(file, "", said)] == lasts


def test_film_of_a_step_is_its_beats(export):
    with av.open(io.BytesIO(export("one.mp4", "--step", "2"))) as film_:
        assert abs(sum(1 for _ in film_.decode(video=0)) * 40 - 1900) <= 40


def test_transparent_gif_has_no_paper(export):
    gif = opened(export("clear.gif", "--transparent", "--step", "1"))
    assert gif.convert("RGBA").getpixel((2, 2))[3] == 0


@pytest.mark.parametrize(
    ("name", "arguments", "scene", "message", "hint"),
    [
        ("a.svg", (), "mooves", "unknown scene 'mooves'", "did you mean 'moves'"),
        ("a.svg", ("--set", "wya=far"), "moves", "no parameter 'wya'", "did you mean 'way'"),
        ("a.svg", ("--set", "way=nowhere"), "moves", "'way' can't be 'nowhere'", "near, far"),
        ("a.svg", ("--step", "4"), "moves", "there is no step 4", "from 1 to 3"),
        ("a.svg", ("--step", "end"), "moves", "'end' is not a whole number", "from 1 to 3"),
        ("a.mp4", ("--transparent",), "moves", "can't be transparent", "GIF"),
        ("a.jpeg", ("--format", "png"), "moves", "does not end with '.png'", "a.png"),
        ("a.jpeg", (), "moves", "'a.jpeg' does not tell a format that can be written", ".svg, .png, .gif, .mp4"),
        ("a.svg", ("--out", "."), "moves", "does not tell a format", "or give --format"),
        ("no/a.svg", (), "moves", "there is no folder", "make it, or name another"),
        ("a.svg", ("--set", "way=far", "--set", "way=near"), "moves", "'way' is given twice", "give it once"),
    ],
)
def test_mistakes_are_told_with_what_to_do(export, name, arguments, scene, message, hint):
    told = export(name, *arguments, scene=scene)
    assert message in told and hint in told and "Traceback" not in told


def test_format_whose_packages_are_not_there_says_what_to_install(export, monkeypatch):
    monkeypatch.setattr("loom.dev.variants.lacking", lambda wanted: ["av"])
    told = export("a.mp4")
    assert "mp4 needs packages that are not there: av" in told and "pip install '.[export]'" in told


def test_a_picture_needs_less_than_a_film(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name in ("av", "resvg_py") else object())
    assert [lacking(kind) for kind in ("svg", "png", "gif", "mp4")] == [
        [],
        ["resvg_py"],
        ["resvg_py"],
        ["resvg_py", "av"],
    ]


def test_marks_move_as_the_style_sheet_says():
    along = np.linspace(0, 1, 100_001)  # the curve by its control points, as `transition` in scenes.css names them
    x, y = (
        3 * (1 - along) ** 2 * along * a + 3 * (1 - along) * along**2 * b + along**3 for a, b in ((0.4, 0.2), (0, 1))
    )
    for share in (0, 0.1, 0.25, 0.5, 0.75, 1):
        assert eased(share) == pytest.approx(np.interp(share, x, y), abs=1e-4)
    old = {1: Element("rect", {"x": 0}), 2: Element("path", {"d": "m0 0l10-5"}), 3: Element("text", {}, "old")}
    new = {1: Element("rect", {"x": 100}), 2: Element("path", {"d": "m0 10l10 5"}), 4: Element("text", {}, "new")}
    halfway = {one.tag: one for one in between(old, new, 210, 420)}
    assert halfway["rect"].attributes["x"] == pytest.approx(77.6, abs=0.1)
    assert halfway["path"].attributes["d"].split() == ["m", "0.0", "7.76l", "10.0", "2.76"]
    leaving = [one.words for one in between(old, new, 60, 420) if one.tag == "text"]
    assert (leaving, halfway["text"].words) == (["old"], "new")  # what goes is gone before what is new comes
    steady = {1: Element("rect", {"x": 100, "class": "data steady"})}
    assert next(between(old, steady, 500, 1000)).attributes["x"] == 50


def test_a_cover_is_there_at_once_so_that_nothing_shines_through_it():
    new = {1: Element("rect", {"class": "data"}), 2: Element("rect", {"class": "cell steady"})}
    covered, cover = between({}, new, 200, 420)
    assert covered.attributes["opacity"] < 1
    assert "opacity" not in cover.attributes


@pytest.mark.parametrize("whole", [1, 0.6])
def test_colour_turns_on_the_way_and_the_mark_lets_through_as_much_as_before(whole):
    old = {1: Element("rect", {"x": 0, "class": "data", "opacity": whole})}
    new = {1: Element("rect", {"x": 100, "class": "hot", "opacity": whole})}
    below, above = between(old, new, 210, 420)
    seen = [one.attributes["opacity"] for one in (below, above)]
    assert [one.attributes["class"] for one in (below, above)] == ["data", "hot"]
    assert below.attributes["x"] == above.attributes["x"]
    assert seen[1] == pytest.approx(0.776 * whole, abs=0.001)  # as far as it has moved
    assert seen[1] + seen[0] * (1 - seen[1]) == pytest.approx(whole, abs=0.001)
    assert [one.attributes["class"] for one in between(old, new, 420, 420)] == ["hot"]
    hollow = {1: Element("rect", {"class": "ghost"})}  # has no filling that could turn
    assert [one.attributes["class"] for one in between(old, hollow, 60, 420)] == ["ghost"]


def test_a_rest_is_one_moment_and_a_motion_many():
    still, moved = {1: Element("rect", {"x": 0})}, {1: Element("rect", {"x": 9})}
    found = list(moments([Cut(still, 420, 1000), Cut(moved, 420, 1000)], 40))
    assert [one.lasts for one in found[:2]] == [1000, 40]
    assert sum(one.lasts for one in found) == pytest.approx(2000)
    assert len(found) == 1 + 11 + 1


def test_times_are_those_of_the_player():
    from loom.paths import OWN

    script = (OWN / "static/player/play.js").read_text()
    for name in ("PACE", "READING", "HOLD", "LONGEST"):
        assert f"const {name} = {getattr(film, name)};" in script
    assert f"const LEAVING = {film.LEAVING};" in (OWN / "static/player/paint.js").read_text()
