"""All mistakes are reported at once: of a page, of a site, and of every kind."""

from __future__ import annotations

import pytest

from loom.cli import main
from loom.errors import LoomError, Problem, grouped, map_all
from loom.hints import suggest
from tests.sites import GLOSSARY, REFERENCES, TOY, altered, problems, site, toy_site

# Each mistake is followed by what is said of it. Those of the first page lie in the text itself …
WRITTEN = [
    ("{trem}`warp`", "unknown role 'trem'"),
    ("{value}`toy`", "'toy' names no value of a scene"),
    ("{cite}`;`", "a citation without a reference"),
    ("<canvas>bold</canvas>", "raw HTML '<canvas>'"),
    ("$$\n\\sqrt{\n$$", "this math can't be read: '\\sqrt{' ('}' is missing at its end)"),
    ("```{python}\nx\n```", "'```{python}' is a block of code, and no directive"),
    (":::{sceen} toy\n:::", "unknown directive 'sceen'"),
    (":::{scene}\n:::", "which scene?"),
    ("::::{note}\n:::{scene} toy\n:::\n::::",
     "the directive 'scene' can't stand inside a list, a quote or a call-out"),
    (":::{check}\nWhy?\n:::", "a check needs a list of answers"),
    (":::{check}\nHow?\n\n- [ ] a\n\n  No.\n:::", "no answer of this check is right"),
    (":::{predict}\nWhat?\n\n- [x] a\n- [ ] b\n:::", "a predict opens a scene, and there is none in it"),
    ("## A {rloe}`b`", "'{rloe}`b`' stands in a heading"),
]  # fmt: skip
# … and those of the second in what it refers to.
HUGE = "1" * 5000  # more digits than Python reads
REFERRED = [
    ("{term}`wrap`", "unknown term 'wrap'"),
    ("{cite}`toy2002`", "unknown reference 'toy2002'"),
    ("{value}`tyo.size`", "unknown scene 'tyo'"),
    ("{value}`toy.sise`", "scene 'toy' has no value 'sise'"),
    ("{value}`toy.size cuont=3`", "scene 'toy' has no parameter 'cuont'"),
    ("{value}`toy.size count=7`", "'count' can't be '7'"),
    ("{value}`toy.third count=8 | 34 %`", "'count' can't be '8'"),  # and not that the model says something else
    ("{value}`toy.third | 34 %`", "'34 %' is not what the model says: 33.3%"),
    ("[page](nope.md)", "there is no page 'nope.md'"),
    ("[place](other.md#nope)", "there is no '#nope' in content/other.md"),
    ("[step](#toy?step=8)", "there is no step 8: the scene has 2 here"),
    (f"[step](#toy?step={HUGE})", f"there is no step {HUGE}: the scene has 2 here"),
    ("[root](/nowhere/)", "there is no file '/nowhere/' on this site"),
    ("![](drawing.sgv)", "there is no file 'drawing.sgv' beside this page"),
    ("![a](missing.svg)", "there is no file 'missing.svg' beside this page"),
    (":::{scene} tyo\n:::", "unknown scene 'tyo'"),
]
SHOWN = ":::{scene} toy\n:::\n"
FILES = {"index": "# Home\n", "other": "# Other\n", "drawing.svg": "<svg/>"}


def with_faults(faults: list[tuple[str, str]]) -> tuple[str, set[tuple[int, str]]]:
    """A page with every mistake in a paragraph of its own, and (line, message) of each."""
    text, expected = "---\ntitle: Faults\n---\n\n", set()
    for planted, message in faults:
        line = text.count("\n") + 1 + planted.startswith(("::::", "$$\n"))
        expected.add((line, message))
        text += f"{planted}\n\n"
    return text + SHOWN, expected


def found(root) -> set[tuple[int, str]]:
    return {(one.line, one.message) for one in problems(root) if one.path == "content/faults.md"}


@pytest.mark.parametrize("faults", [WRITTEN, REFERRED], ids=["written", "referred"])
def test_page_with_many_faults_reports_them_all(tmp_path, faults):
    text, expected = with_faults(faults)
    assert len(expected) >= 12
    raw_html_end = {(line, "raw HTML '</canvas>'") for line, message in expected if message.startswith("raw HTML")}
    assert found(toy_site(tmp_path, **FILES, faults=text)) == expected | raw_html_end


def test_faults_of_every_kind_are_reported_together(tmp_path):
    text, expected = with_faults(WRITTEN + REFERRED)
    assert expected <= found(toy_site(tmp_path, **FILES, faults=text))


def test_faults_of_all_embedded_scenes_are_reported_together(tmp_path):
    bad = ":::{scene} toy\n:cuont: 3\n:count: 9\n:step: x\n:::\n"
    expected = [
        ("content/a.md", 4, "scene 'toy' has no parameter 'cuont'"),
        ("content/a.md", 5, "'count' can't be '9'"),
        ("content/a.md", 6, "the step 'x' is not a whole number"),
        ("content/b.md", 4, "scene 'toy' has no parameter 'cuont'"),
        ("content/b.md", 5, "'count' can't be '9'"),
        ("content/b.md", 6, "the step 'x' is not a whole number"),
        ("content/index.md", 3, "unknown term 'nope'"),
    ]
    root = toy_site(tmp_path, a=f"# A\n\n{bad}", b=f"# B\n\n{bad}", index="# C\n\n{term}`nope`\n")
    assert [(one.path, one.line, one.message) for one in problems(root)] == expected


def test_faults_of_all_files_of_content_are_reported_together(tmp_path):
    root = site(tmp_path, index="---\ntitle: 1\n---\n", other="---\norder: x\n---\n", **{
        "references.yml": altered(REFERENCES, ("year: 2020", "yaer: 2020")),
        "glossary.yml": altered(GLOSSARY, ("aliases", "alias")),
        "site.yml": "titel: B\n",
    })  # fmt: skip
    assert [(one.path, one.line) for one in problems(root)] == [
        ("content/glossary.yml", 2),
        ("content/index.md", 2),
        ("content/other.md", 2),
        ("content/references.yml", 4),
        ("content/site.yml", 1),
    ]


def test_faults_of_pages_and_of_scenes_are_reported_together(tmp_path):
    root = toy_site(tmp_path, index="# A\n\n:::{nope}\n:::\n", other="{nope}`x`\n", **{
        "scenes/bare/scene.py": "",
        "scenes/toy/scene.py": altered(TOY, ('"Everything."', '""')),
    })  # fmt: skip
    assert [one.path for one in problems(root)] == [
        "content/index.md", "content/other.md", "scenes/bare/scene.py", "scenes/toy/scene.py",
    ]  # fmt: skip


def test_all_scenes_that_fail_are_reported_together(tmp_path):
    failing = altered(TOY, ("    return Table(", "    return Tabel("))
    index = "# A\n\n:::{scene} toy\n:::\n\n:::{scene} two\n:::\n"
    root = toy_site(tmp_path, index=index, **{"scenes/toy/scene.py": failing, "scenes/two/scene.py": failing})
    assert {one.path for one in problems(root)} == {"scenes/toy/scene.py", "scenes/two/scene.py"}


def test_command_prints_every_problem_with_its_hint_and_their_number(tmp_path, capsys):
    root = site(tmp_path, index="---\nsummary: A.\n---\n{term}`wrap` {cite}`toy2002`\n", **{"glossary.yml": GLOSSARY})
    assert main(["check", "--root", str(root)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "content/index.md:4:1: unknown term 'wrap'",
        "  hint: did you mean 'warp'?",
        "content/index.md:4:14: unknown reference 'toy2002'",
        "  hint: add it to content/references.yml",
        "2 problems",
    ]


def test_problem_says_only_what_is_known_of_its_place():
    assert str(Problem("a.md", 3, 4, "wrong")) == "a.md:3:4: wrong"
    assert str(Problem("a.md", 3, 0, "wrong", "mend it")) == "a.md:3: wrong\n  hint: mend it"
    assert str(Problem("a.md", 0, 0, "wrong")) == "a.md: wrong"


def test_problems_are_sorted_by_place_and_said_once():
    later, sooner = Problem("b.md", 1, 0, "x"), Problem("a.md", 9, 0, "x")
    assert LoomError(later, sooner, later).problems == (sooner, later)


def test_mistake_that_is_seen_in_several_states_is_several_until_they_are_counted():
    first, second = (Problem("a.py", 1, 0, "x", state=f"(count={count})") for count in (2, 3))
    assert LoomError(second, first).problems == (first, second)
    (one,) = grouped([first, second, first])
    assert str(one) == "a.py:1: x (count=2), and in 1 other state looked at"


def test_every_item_is_tried_after_one_fails():
    def stage(number: int) -> int:
        if number % 2:
            raise LoomError(Problem("a.md", number, 0, "odd"))
        return number

    assert map_all(stage, [2, 4]) == [2, 4]
    with pytest.raises(LoomError) as caught:
        map_all(stage, [1, 2, 3])
    assert [one.line for one in caught.value.problems] == [1, 3]


def test_nearest_name_is_suggested_whatever_its_case():
    assert suggest("wrap", ["Warp", "Cache line"]) == "did you mean 'Warp'?"
    assert suggest("xyzzy", ["b", "a"]) == "known: a, b"
    assert suggest("xyzzy", ["b", "a"], "add it") == "add it"
    assert suggest("xyzzy", []) == ""


def test_mistakes_of_one_paragraph_are_told_together_whatever_they_rest_on(tmp_path):
    faults = [*WRITTEN[:3], *REFERRED[:10], ("a <input> b", "raw HTML '<input>'")]
    text = "---\ntitle: Faults\n---\n\n" + "\n".join(written for written, _ in faults) + f"\n\n{SHOWN}"
    root = toy_site(tmp_path, **FILES, faults=text)
    assert found(root) == {(line, message) for line, (_, message) in enumerate(faults, 5)}


def test_mistake_that_is_made_again_is_told_once_with_its_lines(tmp_path, capsys):
    text = "---\nsummary: A.\n---\n{term}`wrap`\n\n{term}`wrip`\n\n{term}`wrap`\n\n{term}`wrap`\n"
    other = "---\ntitle: B\nsummary: B.\n---\n{term}`wrap`\n"
    root = site(tmp_path, index=text, other=other, **{"glossary.yml": GLOSSARY})
    assert main(["check", "--root", str(root)]) == 1
    assert [one for one in capsys.readouterr().err.splitlines() if "hint" not in one] == [
        "content/index.md:4:1: unknown term 'wrap'",
        "  3 times; also in lines 8, 10",
        "content/index.md:6:1: unknown term 'wrip'",
        "content/other.md:5:1: unknown term 'wrap'",
        "5 problems",
    ]
