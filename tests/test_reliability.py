"""Nothing that lies in a site's folder, and no moment at which it is edited, makes anybody see what is no longer so."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import engine
from tests.apart import Apart
from tests.sites import TOY, altered, toy_site

INDEX = "# Home\n\n:::{scene} toy\n:::\n\nIt is {value}`toy.size`.\n"
NEW = altered(TOY, ('f"Step ', 'f"Turn '))  # as long as the old one
DAY = 1_700_000_000
SCENE = "scenes/toy/scene.py"


@pytest.fixture
def site(apart: Apart, tmp_path: Path) -> Iterator[engine.Site]:
    made = engine.Site(apart, toy_site(tmp_path / "site", index=INDEX))
    yield made
    made.close()


def put(site: engine.Site, path: str, text: str, seconds: float = 0) -> None:
    """Write a file, perhaps with a time that it shall have, and wait until it does not count as changed just now."""
    target = site.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    if seconds:
        os.utime(target, (seconds, seconds))
    time.sleep(0.03)


def assert_same(seen: engine.Built, site: engine.Site, word: str = "") -> None:
    """Somebody sees what a build from nothing makes, and there is a word in it."""
    wanted = site.fresh()
    assert (seen.problems, wanted.problems) == ("", "")
    assert {name for name, raw in seen.files.items() if wanted.files.get(name) != raw} == set()
    assert seen.files.keys() == wanted.files.keys()
    assert word.encode() in seen.files["index.html"]


# A scene that is saved once more while it is read, as by an author who saves twice.
AGAIN = """
from pathlib import Path

def again():
    other = Path(__file__).with_name("again")
    if other.exists():
        Path(__file__).write_text(other.read_text())
        other.unlink()
"""
MOMENTS = {
    "imported": TOY + AGAIN + "\nagain()\n",
    "computed": altered(TOY, ("    return [(count, mode", "    again()\n    return [(count, mode")) + AGAIN,
}


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("moment", ["imported", "computed"])
def test_scene_that_is_saved_while_it_is_read_is_shown_as_it_was_saved_last_by_the_next_build(site, moment, jobs):
    put(site, SCENE, MOMENTS[moment])
    put(site, "scenes/toy/again", NEW)
    assert site.build("--jobs", jobs).code == 0
    assert (site.root / SCENE).read_text() == NEW
    assert_same(site.build("--jobs", jobs), site, "Turn 1 of 2.")


@pytest.mark.parametrize("moment", ["imported", "computed"])
def test_scene_that_is_saved_twice_under_serve_is_shown_as_it_was_saved_last(site, moment):
    site.serve()
    put(site, "scenes/toy/again", NEW)
    put(site, SCENE, MOMENTS[moment])
    site.serve_follow()
    assert_same(site.serve_follow(), site, "Turn 1 of 2.")
    assert_same(site.build(), site, "Turn 1 of 2.")


@pytest.mark.parametrize("later", [0, 0.5], ids=["time kept", "same second"])
@pytest.mark.parametrize("who", ["build", "build without a cache", "serve"])
def test_edit_of_a_scene_that_keeps_its_size_shows_whatever_its_time_says(site, who, later):
    put(site, SCENE, TOY, DAY)
    looks = {
        "build": site.build,
        "build without a cache": lambda: site.build("--no-cache"),
        "serve": lambda: site.serve_follow(),
    }
    site.serve() if who == "serve" else looks[who]()
    put(site, SCENE, NEW, DAY + later)
    assert_same(looks[who](), site, "Turn 1 of 2.")


def test_links_to_nowhere_hide_no_edit(site):
    for number in range(40):
        (site.root / f"content/link-{number}.txt").symlink_to("nowhere")
    for number in range(5):
        put(site, f"content/page-{number}.md", f"# Page {number}\n\nOld.\n")
    site.build()
    for number in range(5):
        put(site, f"content/page-{number}.md", f"# Page {number}\n\nNew.\n")
        assert_same(site.build(), site)


@pytest.mark.parametrize("folder", ["scenes/toy", "scenes/_shared"])
@pytest.mark.parametrize("who", ["build", "serve"])
def test_lock_of_an_editor_in_a_scene_s_folder_is_no_part_of_the_scene(site, folder, who):
    put(site, f"{folder}/more.py", "MORE = 1\n")
    lock = site.root / folder / ".#more.py"
    if who == "serve":
        site.serve()
    lock.symlink_to("author@machine.1234:1700000000")
    put(site, SCENE, altered(TOY, ('f"Step ', 'f"At step ')))
    seen = site.build() if who == "build" else site.serve_follow()
    assert_same(seen, site, "At step 1 of 2.")
    lock.unlink()
    assert_same(site.build(), site, "At step 1 of 2.")


HERE = "from pathlib import Path\nMORE = float(Path(__file__).{}.read_text())"
READ = {  # what a scene reads, and how
    "another scene's module": ("scenes/other/numbers.py", "MORE = {}\n", "from ..other.numbers import MORE"),
    "a module beside the scenes": ("scenes/common.py", "MORE = {}\n", "from ..common import MORE"),
    "a module of its own": ("scenes/toy/deep/numbers.py", "MORE = {}\n", "from .deep.numbers import MORE"),
    "data of its own": ("scenes/toy/more.txt", "{}", HERE.format("with_name('more.txt')")),
    "data called as a test": ("scenes/toy/test_more.txt", "{}", HERE.format("with_name('test_more.txt')")),
    "hidden data": ("scenes/toy/.more", "{}", HERE.format("with_name('.more')")),
    "data outside": ("data/more.txt", "{}", HERE.format("parents[2].joinpath('data/more.txt')")),
    "data beside the site": ("../more.txt", "{}", HERE.format("parents[3].joinpath('more.txt')")),
    "a module beside the site": (
        "../helpers/loom_numbers.py",
        "MORE = {}\n",
        "import sys, pathlib\nsys.path.append(str(pathlib.Path(__file__).parents[3] / 'helpers'))\n"
        "from loom_numbers import MORE\nsys.path.pop()",
    ),
    "data outside, when it is computed": (
        "data/more.txt",
        "{}",
        HERE.format("parents[2].joinpath('data/more.txt')").replace("MORE = ", "def more(): return "),
    ),
}


@pytest.mark.parametrize("name", READ)
def test_whatever_a_scene_reads_is_read_anew_when_it_was_edited(site, name):
    path, text, how = READ[name]
    number = "more()" if "def more" in how else "MORE"
    put(site, "scenes/other/scene.py", TOY)
    put(site, SCENE, altered(f"{how}\n{TOY}", ("count * 1.5e9", f"{number} * count * 1.5e9")))
    put(site, path, text.format(1), DAY)
    site.build()
    site.serve()
    put(site, path, text.format(200), DAY + 10)
    assert_same(site.build(), site, "600\u00a0GB")
    assert_same(site.serve_follow(), site, "600\u00a0GB")


LOOKED_FOR = """import os
from pathlib import Path
DATA = Path(__file__).parents[2] / "data"
def more():
    try:
        return float((DATA / "number.txt").read_text()) if {} else 1
    except FileNotFoundError:
        return 1
"""
LOOKS = ['(DATA / "number.txt").is_file()', "DATA.is_dir()", "os.path.exists(DATA)", "True"]


@pytest.mark.parametrize("look", LOOKS)
def test_file_that_a_scene_looks_for_is_read_when_it_comes_and_missed_when_it_goes(site, look):
    put(site, SCENE, altered(LOOKED_FOR.format(look) + TOY, ("count * 1.5e9", "more() * count * 1.5e9")))
    site.serve()
    assert_same(site.build(), site, "3\u00a0GB")
    put(site, "data/number.txt", "200", DAY)
    assert_same(site.build(), site, "600\u00a0GB")
    assert_same(site.serve_follow(), site, "600\u00a0GB")
    shutil.rmtree(site.root / "data")
    assert_same(site.build(), site, "3\u00a0GB")


@pytest.mark.parametrize("look", LOOKS)
def test_scene_that_looks_for_a_file_which_is_not_there_is_kept(site, look):
    put(site, SCENE, altered(LOOKED_FOR.format(look) + TOY, ("count * 1.5e9", "more() * count * 1.5e9")))
    site.build()
    put(site, "content/index.md", f"{INDEX}\nMore.\n")
    assert "1  scenes computed before" in site.build("--timings").said
