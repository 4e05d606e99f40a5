"""A link to a state of a scene opens the step that its words name, and says which where there are several."""

from __future__ import annotations

import pytest

from tests.sites import TOY, altered, faults, toy_site

PAGE = "---\ntitle: Home\nsummary: Where it begins.\n---\n\nIt rests on {cite}`pair2021`. :LINK:\n\n" \
       "A {term}`warp` and a {term}`cache line`.\n\n:::{scene} toy\n:count: 3\n:step: 2\n:::\n"  # fmt: skip


def told(tmp_path, link, **files):
    """What `check` says of a page with a link."""
    return [one.message for one in faults(toy_site(tmp_path, index=PAGE.replace(":LINK:", link), **files))]


@pytest.mark.parametrize(
    "link",
    [
        "[step 2](#toy?step=2)",
        "[in step **three**](#toy?mode=fast&step=3)",
        "[The First step](#toy?step=1)",
        "[the last step](#toy?count=4&step=4)",
        "[steps 2 and 3](#toy?step=1)",  # not one of them
        "[slowly](#toy?mode=slow%20way&step=1)",
        "{value}`toy.size mode=fast`",  # the number is the same in all steps
        "[the scene](#toy)",  # an anchor: it stays as it is
    ],
)
def test_link_that_opens_what_it_says_is_left_alone(tmp_path, link):
    assert told(tmp_path, link) == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("[step 3](#toy?step=2)", "the words say 'step 3', and the link opens step 2 of 3"),
        ("[in step **three**](#toy?mode=fast)", "the words say 'step three', and the link opens step 2 of 3"),
        ("[the last step](#toy?count=4&step=3)", "the words say 'last step', and the link opens step 3 of 4"),
        ("[step 9](#toy?step=2)", "the words say 'step 9', and the link opens step 2 of 3"),
        ("[slowly](#toy?mode=slow%20way)", "this link names no step: it opens step 2 of 3"),
        ("[long](#toy?count=4)", "this link names no step: it opens step 2 of 4"),
        ("![the last step](#toy?step=2)", "the words say 'last step', and the link opens step 2 of 3"),
        ("![slowly](#toy?mode=slow%20way)", "this link names no step: it opens step 2 of 3"),
    ],
)
def test_link_that_opens_another_step_or_any_is_told(tmp_path, link, message):
    assert told(tmp_path, link) == [message]


def test_link_to_a_scene_of_one_step_needs_none(tmp_path):
    scene = altered(TOY, ("for at in range(count)]\n\n\ndef draw", "for at in range(1)]\n\n\ndef draw"))
    page = PAGE.replace(":step: 2\n", "").replace(":LINK:", "[slowly](#toy?mode=slow%20way)")
    assert faults(toy_site(tmp_path, index=page, **{"scenes/toy/scene.py": scene})) == ()
