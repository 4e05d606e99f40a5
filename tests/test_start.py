"""What `check` says of scenes that stand still when they are played."""

from __future__ import annotations

import pytest

from tests.sites import TOY, altered, faults, toy_site

HOME = "---\nsummary: A toy.\n---\n\n# Home\n\n{cite}`toy2020`\n\n:::{scene} toy\n:::\n"
STEPS = "    return [(count, mode, twice, at) for at in range(count)]\n"
CHAPTER = "Chapter([(count, mode, twice, at) for at in {}], {})"
ONE = "(count, mode, twice, 3)"


def late(tmp_path, *steps: str, **files: str):
    """What is said of a toy with these steps, in whose pictures a bar grows."""
    story = f"    return [{', '.join(steps)}]\n"
    code = altered(TOY, (STEPS, story), ("import Choice,", "import Chapter, Choice,"))
    found = faults(toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": code}, **files))
    return [one for one in found if one.rule == "start"]


def test_scene_that_stands_still_when_it_is_played_is_told_once(tmp_path):
    (found,) = late(tmp_path, CHAPTER.format("range(count)", "[0.4 * at for at in range(count)]"), ONE)
    assert found.path == "scenes/toy/scene.py"
    assert found.message == "when the scene is played, 0.4 s pass until anything moves"
    assert (found.state, found.others) == ("(count=2, mode=fast, twice=off, step 1)", 3 * 2 * 2 - 1)


def test_variants_that_set_out_at_once_are_not_counted(tmp_path):
    (found,) = late(tmp_path, CHAPTER.format("(0, 1)", "(0, count / 8)"), ONE)
    assert found.message == "when the scene is played, 0.375 s pass until anything moves"
    assert (found.state, found.others) == ("(count=3, mode=fast, twice=off, step 1)", 2 * 2 * 2 - 1)


def test_beats_that_change_nothing_are_no_motion(tmp_path):
    (found,) = late(tmp_path, CHAPTER.format("(0, 0, 0, 1)", "(0, 0.2, 0.4, 0.6)"), ONE)
    assert found.message == "when the scene is played, 0.6 s pass until anything moves"


@pytest.mark.parametrize("steps", [
    (CHAPTER.format("(0, 1, 2)", "(0, 0.3, 2)"), ONE),  # what comes later may take its time
    (ONE, CHAPTER.format("(0, 1)", "(0, 0.9)")),  # one picture: the second chapter is played at once
    (CHAPTER.format("(0, 0)", "(0, 0.9)"), ONE),  # nor does this first chapter have any motion
])  # fmt: skip
def test_scene_that_sets_out_in_time_is_not_told(tmp_path, steps):
    assert late(tmp_path, *steps) == []


def test_site_may_do_without_the_rule(tmp_path):
    steps = CHAPTER.format("(0, 1)", "(0, 0.9)"), ONE
    assert late(tmp_path, *steps, **{"site.yml": "rules: {start: false}\n"}) == []
