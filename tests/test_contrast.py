"""What `check` says of words on a colour that they can't be read on."""

from __future__ import annotations

import re

import pytest
from coloraide import Color

from loom.draw.marks import ROLES
from loom.lint.contrast_rules import HOLLOW, PALE
from loom.paths import OWN
from loom.render.palette import picture_rules, variables, worked_out
from tests.sites import TOY, altered, faults, toy_site

HOME = "---\nsummary: A toy.\n---\n\n# Home\n\n{cite}`toy2020`\n\n:::{scene} toy\n:::\n"
TITLE = '    yield pen.text("name", 0, 14, f"step {state[3] + 1}", "label")\n'
BOX = 'yield pen.rect("box", Box(100, 60, 80, 40), "{}")'
WORDS = 'yield pen.text("words", 140, 80, "{}", "label{}", anchor="middle", middle=True)'


def faint(tmp_path, *more: str):
    """What is said of the toy's pictures with more marks in them."""
    code = altered(TOY, (TITLE, TITLE + "".join(f"    {line}\n" for line in more)))
    found = faults(toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": code}))
    return [one for one in found if one.rule == "contrast"]


def test_words_on_a_strong_colour_are_told_with_the_first_state_and_the_number_of_others(tmp_path):
    late = WORDS.format("late", "").replace("yield", "if state[3] > 1: yield", 1)
    wide, narrow = sorted(faint(tmp_path, BOX.format("data"), late), key=lambda one: "narrow" in one.message)
    said = "the text 'late' (key 'words') can't be read on 'data' at its full strength, in the {} picture"
    assert (wide.message, narrow.message) == (said.format("wide"), said.format("narrow"))
    assert wide.hint == "make that 'soft', give the words a 'halo', or put them beside it"
    assert (wide.path, wide.state) == ("scenes/toy/scene.py", "(count=3, mode=fast, twice=off, step 3)")
    assert wide.others == 4 * (1 + 2) - 1  # of four settings of the others, the third step of 3, two of 4


@pytest.mark.parametrize("lines", [
    (BOX.format("data soft"), WORDS.format("late", "")),
    (BOX.format("data outline"), WORDS.format("late", "")),
    (BOX.format("cell"), WORDS.format("late", "")),
    (BOX.format("data measured"), WORDS.format("late", "")),
    (BOX.format("data"), WORDS.format("late", " halo")),
    (BOX.format("data"), WORDS.format("late", "").replace("140, 80", "220, 80")),  # beside it
    (WORDS.format("late", ""), BOX.format("data")),  # behind it: nobody would read it, but that is no colour's fault
    (BOX.format("data"), BOX.format("cell").replace('"box"', '"cover"'), WORDS.format("late", "")),
    (BOX.format("data") + " if state[3] % 2 else " + WORDS.format("late", "").replace("yield ", "(yield ") + ")",),
])  # fmt: skip
def test_words_that_can_be_read_are_not_told(tmp_path, lines):
    assert faint(tmp_path, *lines) == []


def test_words_on_a_disc_are_told(tmp_path):
    disc = 'yield pen.circle("disc", 140, 80, 20, "hot")'
    assert len(faint(tmp_path, disc, WORDS.format("1", ""))) == 2


def pale(theme: str) -> set[str]:
    """The roles in whose colours a box leaves ink 4.5:1, in the light or in the dark."""
    sheets = ((OWN / f"static/{name}.css").read_text("utf-8") for name in ("css/tokens", "css/scenes", "scale/scale"))
    tokens, scenes, scale = sheets
    names = variables(tokens)
    ink = Color(worked_out(names["--ink"], names, theme))
    rules = worked_out("\n".join(map(picture_rules, (scenes, scale))), names, theme)
    filled = dict(re.findall(r"^\.picture (\S+)\{fill:([^;}]+)", rules, re.MULTILINE))
    fills = {role: filled.get(f"rect.{role}", filled.get(f".{role}", filled["rect"])) for role in ROLES}
    assert fills.pop(HOLLOW) == "none"
    return {role for role, fill in fills.items() if ink.contrast(Color(fill)) >= 4.5}


def test_pale_roles_are_those_on_which_ink_is_read_in_the_light_and_in_the_dark():
    assert pale("light") & pale("dark") == PALE & ROLES
