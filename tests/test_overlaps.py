"""What `check` says of pictures in which a text can't be read."""

from __future__ import annotations

import pytest

from loom.lint.run import lint
from loom.lint.scene_problems import RULES
from loom.options import Options
from tests.sites import TOY, altered, faults, toy_site

HOME = "---\nsummary: A toy.\n---\n\n# Home\n\n{cite}`toy2020`\n\n:::{scene} toy\n:::\n"
TITLE = '    yield pen.text("name", 0, 14, f"step {state[3] + 1}", "label")\n'
KNOB = """
    rail = [(40, 60), (80, 60), (120, 60)]
    yield pen.knob("knob", *rail[state[0] - 2], "count", rail)
"""


def overlaps(tmp_path, more: str, **files: str):
    """What is said of the toy's pictures with more marks in them."""
    code = altered(TOY, (TITLE, TITLE + more))
    found = faults(toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": code}, **files))
    return [one for one in found if one.rule == "overlap"]


def test_texts_on_each_other_are_told_with_the_first_state_and_the_number_of_others(tmp_path):
    late = '    if state[3] > 1:\n        yield pen.text("late", 20, 18, "late", "label")\n'
    wide, narrow = sorted(overlaps(tmp_path, late), key=lambda one: "narrow" in one.message)
    assert wide.path == "scenes/toy/scene.py"
    said = "the texts 'step 3' (key 'name') and 'late' (key 'late') lie on each other, in the {} picture"
    assert (wide.message, narrow.message) == (said.format("wide"), said.format("narrow"))
    assert wide.state == "(count=3, mode=fast, twice=off, step 3)"
    assert wide.others == 4 * (1 + 2) - 1  # of four settings of the others, the third step of 3, two of 4


def test_many_marks_that_overlap_alike_are_told_once(tmp_path):
    more = (
        '    for at in range(3):\n        yield pen.text(f"a{at}", 200, 30 * at + 40, f"first {at}", "label")\n'
        '        yield pen.text(f"b{at}", 210, 30 * at + 42, f"second {at}", "label")\n'
    )
    assert [one.marks for one in overlaps(tmp_path, more)] == [2, 2]


@pytest.mark.parametrize("more", [
    'yield pen.text("late", 0, 26.5, "Late", "label")',  # under it
    'yield pen.text("late", 60, 14, "Late", "label")',  # beside it
    'yield pen.text("late", 4, 18, f"step {state[3] + 1}", "label")',  # the same words: a copy that leaves or arrives
    'yield pen.text("name", 4, 18, "other", "label") if state[3] > 4 else pen.text("late", 80, 18, "late", "label")',
])  # fmt: skip
def test_texts_that_can_be_read_are_not_told(tmp_path, more):
    assert overlaps(tmp_path, f"    {more}\n") == []


def test_texts_that_follow_each_other_at_one_place_do_not_lie_on_each_other(tmp_path):
    more = '    key = ("early", "late")[state[3] % 2]\n    yield pen.text(key, 200, 14, key, "label")\n'
    assert overlaps(tmp_path, more) == []


def test_rotated_text_is_looked_at_where_it_stands(tmp_path):
    beside, across = (
        f'    yield pen.text("y", {x}, 150, "number of tokens", "label", rotate=-90)\n'
        f'    yield pen.text("x", 100, 100, "tokens", "label")\n' for x in (90, 110)
    )  # fmt: skip
    assert overlaps(tmp_path / "beside", beside) == []
    assert len(overlaps(tmp_path / "across", across)) == 2


@pytest.mark.parametrize(("name", "where", "told"), [
    ("name", "110, 64", 2),  # under the knob of the last of three values
    ("name", "130, 64", 0),  # right of it
    ("name", "127, 64", 0),  # as far under it as nobody sees
])  # fmt: skip
def test_knob_on_a_text_is_told(tmp_path, name, where, told):
    found = overlaps(tmp_path, f'    yield pen.text("number", {where}, "4", "label")\n' + KNOB)
    assert len(found) == told
    assert all(one.message.startswith("the knob 'knob' lies on the text '4' (key 'number')") for one in found)
    assert all(one.state.startswith("(count=4") for one in found)


def test_text_on_a_knob_can_be_read(tmp_path):
    assert overlaps(tmp_path, KNOB + '    yield pen.text("number", 110, 64, "4", "label")\n') == []


def test_site_may_do_without_the_rule(tmp_path):
    more = '    yield pen.text("late", 4, 18, "late", "label")\n'
    assert overlaps(tmp_path, more, **{"site.yml": "rules: {overlap: false}\n"}) == []


def test_pictures_are_looked_through_once(tmp_path, monkeypatch):
    root = toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": TOY})
    options = Options(root, cache=tmp_path / "cache")
    looked: list[object] = []
    monkeypatch.setitem(RULES, "overlap", lambda data: looked.append(data) or [])
    for _ in range(2):
        assert "overlap" not in {one.rule for one in lint(options).problems}
    assert len(looked) == 1
