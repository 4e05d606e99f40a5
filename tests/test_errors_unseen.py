"""Mistakes that must not pass unseen, and must not show a traceback: each has to be a problem at its place."""

from __future__ import annotations

import pytest

from tests.sites import GLOSSARY, REFERENCES, TOY, altered, problems, toy_site

SHOWN = ":::{scene} toy\n:::\n"
INDEX, SCENE = "content/index.md", "scenes/toy/scene.py"
GLOSS, REFS, SITE = "content/glossary.yml", "content/references.yml", "content/site.yml"


def unseen(name: str, file: str, text: str | bytes, line: int | None) -> object:
    """A file with a mistake, and the line to report (None: whichever)."""
    return pytest.param(file, text, line, id=name.replace(" ", "-"))


def scene(name: str, old: str, new: str) -> object:
    return unseen(f"scene {name}", SCENE, altered(TOY, ("import Box", "import Box, Mark"), (old, new)), None)


PAGES = [
    unseen("text after the options of a scene", INDEX, "# A\n\n:::{scene} toy\n:count: 3\n\nlost\n:::\n", 6),
    unseen("option of a scene given twice", INDEX, "# A\n\n:::{scene} toy\n:count: 3\n:count: 4\n:::\n", 5),
    unseen("question on the line of its directive", INDEX, "# A\n\n:::{check} Why?\n\n- [x] a\n\n  Yes.\n:::\n", 3),
    unseen("check without a question", INDEX, "# A\n\n:::{check}\n- [x] a\n\n  Yes.\n:::\n", 3),
    unseen("text after the answers of a check", INDEX,
           "# A\n\n:::{check}\nWhy?\n\n- [x] a\n\n  Yes.\n\nLost.\n:::\n", None),
    unseen("explanation of an answer to a prediction", INDEX,
           f"# A\n\n::::{{predict}}\nWhy?\n\n- [x] a\n\n  Lost.\n- [ ] b\n\n{SHOWN}::::\n", None),
    unseen("check inside a prediction", INDEX,
           f"# A\n\n:::::{{predict}}\nWhy?\n\n- [x] a\n- [ ] b\n\n{SHOWN}\n"
           "::::{check}\nB?\n\n- [x] b\n\n  C.\n::::\n:::::\n", 12),
    unseen("directive without braces", INDEX, "# A\n\n::: aside\nText.\n:::\n", 3),
    unseen("directive inside another that is never closed", INDEX, "# A\n\n::::{note}\n:::{aside}\nText.\n::::\n", 4),
    unseen("math that is never closed", INDEX, "# A\n\n$$\nx\n", 3),
    unseen("mistake after a role over two lines", INDEX, "# A\n\n{term}`cache\nline` {term}`nope`\n", 4),
    unseen("mistake after code over two lines", INDEX, "# A\n\n`a\nb` {term}`nope`\n", 4),
    unseen("mistake in a footnote in the line", INDEX, "# A\n\n\nb ^[{term}`nope`]\n", 4),
]  # fmt: skip

CONTENT = [
    unseen("home that is no page", SITE, "title: A\nhome: indx\n", 2),
    unseen("tag in YAML", INDEX, "---\ntitle: !this that\n---\n", 2),
    unseen("reference without authors", REFS, altered(REFERENCES, ("Ames, Bell, Cole", '""')), 3),
    unseen("unknown source of a term", GLOSS, GLOSSARY + "  sources: [nope]\n", None),
    unseen("unknown scene of a term", GLOSS, GLOSSARY + "  scene: nope\n", None),
    unseen("style sheet that is not UTF-8", "static/css/base.css", b"\n\xff", 2),
    unseen("script that is not UTF-8", "static/player/page.js", b"\n\xff", 2),
    unseen("template that is not UTF-8", "templates/page.html", b"\n\xff", 2),
    unseen("error in a template", "templates/page.html", "\n{{ config.title + 1 }}", 2),
]  # fmt: skip

SCENES = [
    scene("size that is NaN", "40 * (state[3] + 1)", "float('nan')"),
    scene("mark above the stage", "Box(0, 20", "Box(0, -20"),
    scene("mark without place", "pen = Pen(width)", "pen = Pen(width)\n    yield Mark('k', 'rect', 'data', {})"),
    scene("that yields no mark", "pen = Pen(width)", "pen = Pen(width)\n    yield iter(())"),
    scene("that says nothing", 'return f"Step', 'return "" and f"Step'),
    scene("that returns no sentence", '    return f"Step', '    f"Step'),
    scene("that returns no table", "    return Table(", "    Table("),
    scene("whose values are bare numbers", "Value(count)}", "count}"),
    scene("condition off the grid", '("fast", "slow way"))', '("fast", "slow way"), when={"count": (9,)})'),
    scene("sentence with an unknown name", "Grow in {count}", "Grow in {cuont}"),
    unseen("two folders of one scene id", "scenes/a-b/scene.py", TOY, None),
    unseen("scene with code that is not UTF-8", SCENE, TOY.encode().replace(b"A toy", b"A to\xff"), None),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "line"), [*PAGES, *CONTENT, *SCENES])
def test_mistake_is_a_problem_at_its_place(tmp_path, file, text, line):
    scenes = {"scenes/a_b/scene.py": TOY} if "a-b" in file else {}
    index = f"# A\n\n{SHOWN}\n:::{{references}}\n:::\n"
    found = problems(toy_site(tmp_path, **scenes, **{"index": index, file.removeprefix("content/"): text}))
    assert found[0].path == file if "a-b" not in file else found[0].path.startswith("scenes/a")
    assert line is None or line == found[0].line


@pytest.mark.parametrize(
    ("old", "new", "owner"),
    [
        ("100 * at / count", "float('nan')", "def table"),
        ("Value(count)", "Value(float('nan'))", "def values"),
    ],
)
def test_result_that_can_not_be_shown_is_reported_at_the_scenes_own_line(tmp_path, old, new, owner):
    text = altered(TOY, (old, new))
    lines = [one.line for one in problems(toy_site(tmp_path, index=f"# A\n\n{SHOWN}", **{SCENE: text}))]
    assert text.splitlines()[lines[0] - 1].startswith(owner)


def test_mistake_in_a_drawing_of_another_module_is_reported_there(tmp_path):
    start, end = TOY.index("def draw"), TOY.index("def say")
    moved = "from loom.draw import Box, Pen\n\n\n" + altered(TOY[start:end], ('"data"', '"dta"'))
    text = "from .drawing import draw\n" + TOY[:start] + TOY[end:]
    root = toy_site(tmp_path, index=f"# A\n\n{SHOWN}", **{SCENE: text, "scenes/toy/drawing.py": moved})
    assert (problems(root)[0].path, problems(root)[0].line) == ("scenes/toy/drawing.py", 6)
