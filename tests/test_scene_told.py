"""Slips of scene authors that used to pass or to end in a traceback: each is told at its line, with what to write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loom.build.pipeline import build_site
from loom.errors import LoomError
from loom.options import Options
from tests.sites import TOY, altered, line_with, problems, seen, toy_site

SHOWN = "# Page\n\n:::{scene} toy\n:::\n"
PATH = "scenes/toy/scene.py"
STATE = "(count=2, mode=fast, twice=off, step 1)"
PLOT = "from loom.draw import Axis, Plot, "


def slip(name: str, old: str, new: str, *expected: str) -> object:
    """A change to the toy scene, part of the line that is to be named, the message and the hint."""
    return pytest.param((old, new), *expected, id=name.replace(" ", "-"))


SLIPS = [
    slip("sources without the comma", '("toy2020",)', '("toy2020")', "SCENE = Scene(",
         "Scene: 'sources' must be a tuple of strings, and is 'toy2020'", "a tuple of one has a comma: (one,)"),
    slip("opening in quotes", 'sentence="Grow', 'opening="4", sentence="Grow', "SCENE = Scene(",
         "Scene: 'opening' must be a whole number, and is '4'", ""),
    slip("digits in quotes", "digits=1", 'digits="1"', 'Column("share"',
         "Column: 'digits' must be a whole number from 0 to 20, and is '1' (count=2, mode=fast, twice=off)", ""),
    slip("value in words", "Value(count)", 'Value("six")', '"count": Value',
         "Value: 'value' must be a number, and is 'six' (count=2, mode=fast, twice=off)", ""),
    slip("values without return", 'return {"size"', '{"size"', "def values(",
         "what 'values' gives must be a dict of strings, and is None (count=2, mode=fast, twice=off)",
         "does it return what it makes?"),
    slip("solve without return", "    steps=steps,", "    solve=lambda **_: None, steps=lambda result: result[:2],",
         "solve=lambda", "what 'solve' gives is None (count=2, mode=fast, twice=off)", "does it return what it makes?"),
    slip("solve of a story without return", "    steps=steps, draw=draw, say=say,",
         "    solve=lambda **_: None, steps=(__import__('loom').scene.Phase('a', lambda moment: moment.result[0]),),\n"
         "    draw=lambda state, width: draw((2, 'fast', 0, 0), width),",
         "solve=lambda", f"what 'solve' gives is None {STATE}", "does it return what it makes?"),
    slip("steps of one's own without say", "say=say, ", "", "SCENE = Scene(",
         "it has no 'say'", "write a function that says a sentence about a state: only phases say one themselves"),
    slip("default as it is written", '"Twice")', '"Twice", default="off")', "SCENE = Scene(",
         "the default 'off' of 'twice' is not one of its values", "write False"),
    slip("cell that is None", "(at, 100", "(None, 100", "def table(",
         "'at' in row 1 of the table must be a number or a string, and is None (count=2, mode=fast, twice=off)", ""),
    slip("two columns of one name", 'Column("share", "share"', 'Column("at", "share"', "def table(",
         "the table has two columns called 'at' (count=2, mode=fast, twice=off)",
         "data files could not tell them apart"),
    slip("column that is too coarse", "(at, 100", "(at / 1000, 100", "def table(",
         "the table's column 'at' shows 0 for numbers that are not 0 (count=2, mode=fast, twice=off)",
         "give it more 'digits' than 0, or a smaller unit"),
    slip("text that is a number", 'f"step {state[3] + 1}"', "state[3]", 'pen.text("name"',
         f"Pen.text: 'words' must be a string, and is 0 {STATE}", ""),
    slip("coordinate that is None", '"name", 0, 14', '"name", None, 14', 'pen.text("name"',
         f"Pen.text: 'x' must be a number, and is None {STATE}", ""),
    slip("coordinate that is complex", '"name", 0, 14', '"name", 2j, 14', 'pen.text("name"',
         f"Pen.text: 'x' must be a number, and is 2j {STATE}", ""),
    slip("drawing of nothing", "    pen = Pen(width)", "    if width < 400:\n        return\n    pen = Pen(width)",
         "def draw(",
         "'draw' gives no marks at the narrow width (count=2, mode=fast, twice=off)", "yield them"),
    slip("bar that falls below 0", "Box(0, 20, 40 * (state[3] + 1), 12)", "Box(0, 20, -40, 12)", "pen.rect(",
         f"mark 'bar' has a negative size {STATE}",
         "a box begins at its left and its top: draw it from its smaller end"),
    slip("text of two lines", 'f"step {state[3] + 1}"', '"step\\none"', "pen.text(",
         f"mark 'name' has a text of several lines, which would stand in one {STATE}",
         "yield a text for each, or 'paragraph'"),
    slip("yield for yield from", "    pen = Pen(width)", "    pen = Pen(width)\n    yield (one for one in [])",
         "yield (one for",
         f"'draw' gives a generator, which is not a mark {STATE}", "write 'yield from'"),
    slip("words for a mark", "    pen = Pen(width)", '    pen = Pen(width)\n    yield "words"', 'yield "words"',
         f"'draw' gives 'words', which is not a mark {STATE}", ""),
    slip("yield from for yield", "    pen = Pen(width)",
         '    pen = Pen(width)\n    yield from pen.line("l", 0, 0, 1, 1)', "pen.line(",
         f"'draw' gives the fields of the mark 'l' one by one {STATE}", "one mark is given by 'yield', without 'from'"),
    slip("attribute that no mark has", "    pen = Pen(width)",
         '    pen = Pen(width)\n    yield pen.line("l", 0, 0, 1, 1)._replace(shape={"onclick": 1})', "pen.line(",
         f"mark 'l' has the unknown attribute 'onclick' {STATE}", "known: opacity, x1, x2, y1, y2"),
    slip("key that changes its element", "    pen = Pen(width)",
         "    pen = Pen(width)\n"
         '    yield pen.line("l", 0, 0, 1, 1) if state[3] == 0 else pen.circle("l", 5, 5, 2)', "def draw(",
         f"the key 'l' is a circle here, and a path elsewhere {STATE.replace('step 1', 'step 2')}",
         "a key stands for one thing"),
    slip("key that changes what it stands for", "    pen = Pen(width)",
         "    pen = Pen(width)\n"
         '    yield pen.circle("l", 5, 5, 2, "hot memory" if state[3] == 1 else "work" if mode == "fast" else "memory")'
         .replace("mode ==", "state[1] =="), "def draw(",
         "the key 'l' is memory here, and what is worked on elsewhere (count=2, mode=slow way, twice=off, step 1)",
         "a key stands for one thing"),
    slip("slip in a memoized piece", "def draw(state, width):",
         'from loom.draw import memoized\n\n\n@memoized\ndef named(pen):\n    yield pen.text("named", 0, 30, 5)\n\n\n'
         "def draw(state, width):\n    yield from named(Pen(width))", 'pen.text("named"',
         f"Pen.text: 'words' must be a string, and is 5 {STATE}", ""),
    slip("opening beyond the steps", 'sentence="Grow', 'opening=9, sentence="Grow', "SCENE = Scene(",
         "'opening' names step 9, and there are 2 (count=2, mode=fast, twice=off)",
         "write 1 to 2, or -1 to -2 from the end"),
    slip("two values alike", '("fast", "slow way")', '("fast", "slow way", 1, "1")', "SCENE = Scene(",
         "two values of 'mode' are written '1'", "addresses could not tell them apart"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "own_line", "message", "hint"), SLIPS)
def test_slip_is_told_at_its_line_with_what_it_must_be(tmp_path, change, own_line, message, hint):
    text = altered(TOY, change)
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    told = {(one.path, one.line, seen(one).removeprefix("scene 'toy'").lstrip(": "), one.hint) for one in found}
    assert (PATH, line_with(text, own_line), message, hint) in told, "\n".join(map(str, found))


PEN = "    pen = Pen(width)\n"
CHANCE = '    yield pen.text("chance", 9, 9, str({}))\n'  # of so many digits, that none comes twice by chance


@pytest.mark.parametrize(
    "changes",
    [
        ((PEN, "    import random\n" + PEN + CHANCE.format("random.getrandbits(60)")),),
        (("def draw(", "import random\n\nDRAWN = random.getrandbits(60)\n\n\ndef draw("),
         (PEN, PEN + CHANCE.format("DRAWN"))),
    ],
    ids=["while it is drawn", "when it is imported"],
)  # fmt: skip
def test_scene_with_unseeded_randomness_is_told(tmp_path, changes):
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: altered(TOY, *changes)}))
    assert any("run twice with the same parameters, it gives other pictures" in one.message for one in found)
    assert all(one.line for one in found)


MARKS = """{}
def parts(pen):
    for number in range(4):
        yield pen.circle(f"part-{{number}}", 9 * number, 40, 3, {})


def draw(state, width):
    pen = Pen(width)
"""


@pytest.mark.parametrize(
    ("changes", "own_line"),
    [
        ((("def draw(state, width):\n    pen = Pen(width)\n", MARKS.format("", '"hott"')),
          ("    yield pen.text(", "    yield from parts(pen)\n    yield pen.text(")), '"hott")'),
        ((("import Box", "import memoized, Box"),
          ("def draw(state, width):\n    pen = Pen(width)\n", MARKS.format("@memoized", '"hott"')),
          ("    yield pen.text(", "    yield from parts(pen)\n    yield pen.text(")), '"hott")'),
        ((("    yield pen.text(", "    marks = [pen.circle(f'dot-{n}', 9 * n, 40, 3, 'hott') for n in range(4)]\n"
           "    yield from marks\n    yield pen.text("),), "marks = ["),
        ((("import Box", "import headline, Box"), ("    yield pen.text(",
           '    yield from headline(pen, 400, 40, "6", "words", key="far")\n    yield pen.text(')), "headline(pen"),
    ],
    ids=["in a part of the drawing", "in a memoized part", "in a list", "in a piece of Loom's"],
)  # fmt: skip
def test_mark_with_a_mistake_is_told_at_the_author_s_line_that_makes_it(tmp_path, changes, own_line):
    text = altered(TOY, *changes)
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert (found[0].path, found[0].line) == (PATH, line_with(text, own_line)), "\n".join(map(str, found))


def test_one_mistake_in_many_marks_is_told_once_with_their_number(tmp_path):
    marks = "    yield from (pen.circle(f'dot-{n}', 9 * n + 9, 40, 3, 'hott') for n in range(4))\n    yield pen.text("
    (one,) = problems(toy_site(tmp_path, index=SHOWN, **{PATH: altered(TOY, ("    yield pen.text(", marks))}))
    assert f"mark 'dot-0' has the unknown role 'hott' {STATE}, and 3 more marks like it, and in " in str(one)


def test_keys_that_change_alike_are_told_once_with_their_names(tmp_path):
    marks = "    for n in range(40):\n        kind = pen.line if state[3] else pen.circle\n"
    marks += "        yield kind(f'dot-{n}', 9, 40, 3, *(9,) * bool(state[3]))\n    yield pen.text("
    (one,) = problems(toy_site(tmp_path, index=SHOWN, **{PATH: altered(TOY, ("    yield pen.text(", marks))}))
    named = ", ".join(f"'dot-{n}'" for n in range(12))
    assert one.message == f"scene 'toy': the keys {named}, … are each a path here, and a circle elsewhere"
    assert (one.path, one.line, one.state) == (PATH, 9, STATE.replace("step 1", "step 2"))


def test_one_mistake_in_many_states_is_told_once_with_their_number(tmp_path):
    text = altered(TOY, ('"label")', '"lable" if state[0] > 2 else "label")'))
    (one,) = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert f"{STATE.replace('count=2', 'count=3')}, and in 27 other states looked at\n" in str(one)


ROWS = ("for at in range(count)])", "for at in range(38 + count)])")


@pytest.mark.parametrize(
    ("cell", "number", "others"),
    [
        ("None", "row 1", "(count=2, mode=fast, twice=off), and 39 more rows like it\n"),
        ("b'%d' % at", "row 1", "(count=2, mode=fast, twice=off), and 39 more rows like it\n"),
        ("None if at > 37 else at", "row 39", "(count=2, mode=fast, twice=off), and 1 more row like it\n"),
        ("None if count > 2 else at", "row 1",
         "(count=3, mode=fast, twice=off), and 40 more rows like it, and in 7 other states looked at\n"),
    ],
    ids=["the same", "of one kind", "some", "of another number in each variant"],
)  # fmt: skip
def test_one_mistake_in_many_rows_is_told_once_with_their_number(tmp_path, cell, number, others):
    text = altered(TOY, ("(at, 100", f"({cell}, 100"), ROWS)
    (one,) = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert f"'at' in {number} of the table must be a number" in one.message and f"{one}\n".endswith(others)


def test_mistakes_of_several_kinds_in_rows_are_told_one_by_one(tmp_path):
    text = altered(TOY, ("(at, 100 * at / count)", "[(at, float('nan')), (None, 0), (None, 1)][at % 3]"), ROWS)
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert [(one.message.removeprefix("scene 'toy': "), one.rows) for one in found] == [
        ("'at' in row 2 of the table must be a number or a string, and is None", 25),
        ("'share' in row 1 of the table is nan", 13),
    ]


def test_mistake_in_the_first_variant_is_told_with_the_number_of_its_other_states(tmp_path):
    text = altered(TOY, ('"label")', '"lable")'), ("(2, 3, 4)", "(5, 6)"))
    (one,) = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert f"{STATE.replace('count=2', 'count=5')}, and in 4 other states looked at\n" in str(one)


# Wrong in several ways, in variants that several workers draw.
SCATTERED = [
    ("    pen = Pen(width)", "    pen = Pen(width)\n    key = state[0], state[1]\n"
     '    if key == (3, "fast"): yield pen.text("a", 0, 14, "a", "lable")\n'
     '    if state[0] == 4 and state[3] > 1: yield pen.text("b", 0, 14, "b", "labbel")\n'
     '    if key == (4, "fast"): yield pen.text("c", 999, 14, "c", "label")'),
]  # fmt: skip
CHANGING = [
    ("    pen = Pen(width)", "    pen = Pen(width)\n"
     '    yield pen.line("l", 0, 0, 1, 1) if state[0] < 4 else pen.circle("l", 5, 5, 2)'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "count", "message"),
    [
        (SCATTERED, 4, "unknown role 'lable'"),
        (CHANGING, 1, "'l' is a circle here, and a path elsewhere (count=4, mode"),
    ],
    ids=["scattered", "between variants"],
)
def test_mistakes_are_the_same_however_the_grid_is_cut(tmp_path, changes, count, message):
    site = Options(toy_site(tmp_path, index=SHOWN, **{PATH: altered(TOY, *changes)}))
    told = []
    for jobs in (1, 2, 3):
        with pytest.raises(LoomError) as caught:
            build_site(replace(site, jobs=jobs, scene_timeout=60))
        told.append("\n".join(map(str, caught.value.problems)))
    assert len(caught.value.problems) == count and message in told[0]
    assert told[0] == told[1] == told[2]


def test_scene_in_a_folder_with_a_hyphen_is_found(tmp_path):
    root = toy_site(tmp_path, index="# Page\n\n:::{scene} toy-two\n:::\n", **{
        "scenes/toy-two/scene.py": altered(TOY, ("Value(count)", 'Value("six")'))})  # fmt: skip
    assert {one.path for one in problems(root)} == {"scenes/toy-two/scene.py"}
