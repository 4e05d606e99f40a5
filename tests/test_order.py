"""What `check` says of scenes whose marks lie over each other in another order in another variant."""

from __future__ import annotations

import pytest

from tests.sites import TOY, altered, faults, toy_site

HOME = "---\nsummary: A toy.\n---\n\n# Home\n\n{cite}`toy2020`\n\n:::{scene} toy\n:::\n"
DRAW = "def draw(state, width):\n    pen = Pen(width)\n"
BOTH = """\
    marks = [pen.rect(key, Box(100, 20 * at, 20, 30), "cell") for at, key in enumerate(("a", "b", "c"))]
    yield from marks[::{step}]
"""


def order(tmp_path, step: str, **files: str):
    code = altered(TOY, (DRAW, DRAW + BOTH.format(step=step)))
    found = faults(toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": code}, **files))
    return [one for one in found if one.rule == "order"]


def test_marks_in_another_order_in_another_variant_are_told_with_the_number_of_files(tmp_path):
    (found,) = order(tmp_path, "-1 if state[2] else 1")
    assert found.path == "scenes/toy/scene.py"
    assert sum(f"'{key}'" in found.message for key in "abc") >= 2
    assert found.message.endswith("are painted now over, now under each other, so that variants can't share files")
    assert "there are 24 files" in found.hint  # each of twelve variants has its own at both widths


@pytest.mark.parametrize("step", ["1", "2 if state[2] else 1"])
def test_marks_in_one_order_are_not_told_though_some_are_missing(tmp_path, step):
    assert order(tmp_path, step) == []


def test_site_may_do_without_the_rule(tmp_path):
    assert order(tmp_path, "-1 if state[2] else 1", **{"site.yml": "rules: {order: false}\n"}) == []
