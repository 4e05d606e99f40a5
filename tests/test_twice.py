"""A scene that stands on a page twice: each has a name, a state, links to it, and controls of its own."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

import pytest
from browser import Figure, Visit, serving
from playwright.sync_api import expect

from loom.cli import main
from tests.sites import altered, built, faults, page, text, toy_site, words

PAGE = """\
---
title: Twice
summary: One scene, two states.
---

Here are [two steps](#toy?count=2&step=2), and [four elsewhere](#more?count=4&step=4), of {cite:history}`pair2021`.
The size is {value}`toy.size`, said of a {term}`warp` and a {term}`cache line`.

:::{scene} toy
:::

## Again

:::{scene} toy
:as: more
:count: 3
:step: 2
:::

:::{references}
:::

:::{glossary}
:::
"""


@pytest.fixture
def twice(tmp_path: Path) -> Path:
    """A site with such a page."""
    return toy_site(tmp_path, index=PAGE)


def test_nothing_is_wrong_with_a_scene_that_stands_on_a_page_twice(twice):
    assert faults(twice) == ()


def test_each_has_its_name_its_state_and_ids_of_its_own_and_both_have_the_same_data(twice):
    output = built(twice)
    shown = text(output, "index.html")
    assert 'id="toy" data-scene="toy"' in shown and 'id="more" data-scene="more"' in shown
    assert 'id="toy-count"' in shown and 'id="more-count"' in shown
    assert 'href="#more?count=4&amp;step=4"' in shown and 'id="more?count=4&amp;step=4"' in shown
    assert len({path.parts[2] for path in output if path.parts[:2] == ("assets", "data")}) == 1


def test_both_lead_to_the_one_page_of_the_scene_alone(twice):
    output = built(toy_site(twice, **{"site.yml": "embeds: true\n"}))
    ways = [a.get("href") for a in page(output).iter("a") if "your page" in words(a)]
    assert ways == ["scenes/toy/", "scenes/toy/"] and PurePosixPath("scenes/toy/index.html") in output


def test_scene_that_has_another_name_wherever_it_stands_has_no_page_alone_and_leads_to_none(twice):
    alone = altered(PAGE, (":::{scene} toy\n:::\n", ""), ("#toy?count=2", "#more?count=2"), ("{value}`toy.size`", "x"))
    output = built(toy_site(twice, index=alone, **{"site.yml": "embeds: true\n"}))
    assert not [path for path in output if path.parts[0] == "scenes"]
    assert "for your page" not in text(output, "index.html")


def test_plain_page_tells_both_states(twice):
    plain = text(built(twice), "index.md")
    assert "[Play it on the page](./#toy)" in plain and "| 1 | 50.0 |" in plain
    assert "[Play it on the page](./#more)" in plain and "| 2 | 66.7 |" in plain


def test_name_of_another_scene_is_no_name_for_one(twice):
    other = twice / "scenes/more/scene.py"
    other.parent.mkdir()
    other.write_text((twice / "scenes/toy/scene.py").read_text())
    assert "'more' is the name of another scene" in [one.message for one in faults(twice)]


def test_scene_that_comes_later_and_has_the_name_of_one_is_told(twice, capsys):
    command = ["build", "--root", str(twice), "--out", str(twice / "out"), "--jobs", "1"]
    assert main(command) == 0
    shutil.copytree(twice / "scenes/toy", twice / "scenes/more")
    assert main(command) == 1
    assert "'more' is the name of another scene" in capsys.readouterr().err


def test_each_is_played_by_itself_and_the_address_tells_which(twice, visitor):
    with serving(built(twice), "/") as address:
        visit: Visit = visitor(address)
        sheet = visit()
        first, second = Figure(sheet, "toy"), Figure(sheet, "more")
        second.part("forward").click()
        expect(second.part("count")).to_have_text("3 / 3")
        expect(first.part("count")).to_have_text("1 / 2")
        expect(second.part("link")).to_have_attribute("href", "#more?step=3")
        sheet.get_by_role("link", name="four elsewhere", exact=True).click()
        expect(second.part("count")).to_have_text("4 / 4")
        expect(first.part("count")).to_have_text("1 / 2")
