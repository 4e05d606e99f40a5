"""Every mistake in a scene is reported with the scene, its parameters, its step and the model's own line."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from loom.draw.finite import CAUSE
from loom.errors import Problem
from loom.scenes.nearest import INSTALL
from tests.sites import TOY, altered, built, line_with, problem, problems, seen, toy_site

SHOWN = "# Page\n\n:::{scene} toy\n:::\n"
PATH = "scenes/toy/scene.py"
OPENING = "count=2, mode=fast, twice=off"


def scene(name: str, old: str, new: str, *expected: str) -> object:
    """The toy scene with a fault planted in it, and what is said of it."""
    return pytest.param((old, new), *expected, id=name.replace(" ", "-"))


RAISING = [
    scene("steps", "    return [(count", "    raise KeyError(count)\n    return [(count",
          "raise KeyError", f"failed in steps: KeyError: 2 ({OPENING})"),
    scene("draw", "pen = Pen(width)", "pen = Pen(width / state[3])",
          "Pen(width / state[3])", f"failed in draw: ZeroDivisionError: division by zero ({OPENING}, step 1)"),
    scene("say", 'return f"Step', 'return [][state[3]] or f"Step',
          "[][state[3]]", f"failed in say: IndexError: list index out of range ({OPENING}, step 1)"),
    scene("table", "    return Table(", "    return 1 % 0 or Table(",
          "1 % 0", f"failed in table: ZeroDivisionError: integer modulo by zero ({OPENING})"),
    scene("values", "100 / 3", "100 / (count - 2)",
          "count - 2", f"failed in values: ZeroDivisionError: division by zero ({OPENING})"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "own_line", "message"), RAISING)
def test_scene_that_raises_is_reported_at_its_own_line(tmp_path, change, own_line, message):
    text = altered(TOY, change)
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert (found[0].path, found[0].line, found[0].hint) == (PATH, line_with(text, own_line), "")
    assert seen(found[0]) == f"scene 'toy' {message}"
    assert len(found) <= 5  # the same slip in all twelve variants


def test_line_is_that_of_the_model_when_the_model_raises(tmp_path):
    imported = ("from loom.draw", "from .model import grow\nfrom loom.draw")
    text = altered(TOY, imported, ("    return [(", "    grow(count)\n    return [("))
    model = "\n\ndef grow(count):\n    return 1 / (count - 3)\n"
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text, "scenes/toy/model.py": model}))
    where = "(count=3, mode=fast, twice=off)"
    message = "scene 'toy' failed in steps: ZeroDivisionError: division by zero"
    assert found[0] == Problem("scenes/toy/model.py", 4, 0, message, state=where)


DRAWING = [
    scene("unknown role", '"data", set', '"dta", set',
          "mark 'bar' has the unknown role 'dta'", "did you mean 'data'?"),
    scene("unknown modifier", '"label")', '"label storng")',
          "mark 'name' has the unknown modifier 'storng'", "did you mean 'strong'?"),
    scene("repeated key", '"name", 0', '"bar", 0', "the key 'bar' is used twice",
          "give each mark of a picture its own"),
    scene("coordinate that is NaN", '"name", 0', '"name", float("nan")',
          "mark 'name' has a coordinate that is not finite: its x is nan",
          "look for a division by zero or a logarithm of zero"),
    scene("coordinate that is infinite", "Box(0, 20", 'Box(0, float("inf")',
          "mark 'bar' has a coordinate that is not finite: its y is inf",
          "look for a division by zero or a logarithm of zero"),
    scene("unknown element", "pen = Pen(width)", 'pen = Pen(width)\n    yield Mark("oval", "ellipse", "data", {})',
          "mark 'oval' is a 'ellipse'", "known: circle, line, path, rect, text"),
    scene("mark beside the stage", "Box(0, 20", "Box(300, 20",
          "mark 'bar' leaves the narrow stage (300 to 340 of 328)", "give it less room, or fewer words"),
    scene("type too small", '"label")', '"label", size=10)',
          "mark 'name' is set in type under 11 px at the narrow width", "use pen.size"),
    scene("button for an unknown parameter", 'set={"mode"', 'set={"mood"',
          "mark 'bar' sets the unknown parameter 'mood'", "did you mean 'mode'?"),
    scene("button for a value off the grid", '"mode": "slow way"', '"mode": "slowly"',
          "mark 'bar' sets 'mode' to 'slowly', which is not on its grid", "did you mean 'slow way'?"),
    scene("button without label", ', label="go slowly"', "",
          "mark 'bar' can be pressed but has no label", "give label='what pressing it does'"),
    scene("argument that no mark has", ', label="go', ', lable="go',
          "Pen.rect: unknown argument 'lable'", "did you mean 'label'?"),
    scene("wait that is too long", ', label="go', ', wait=16, label="go',
          "mark 'bar' waits 16 turns", "wait is 0 to 15"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message", "hint"), DRAWING)
def test_mistake_in_a_drawing_names_the_line_the_mark_and_the_state(tmp_path, change, message, hint):
    text = altered(TOY, ("import Box", "import Mark, Box"), change)
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    line = line_with(text, change[1].splitlines()[-1] if change[1] else 'pen.rect("bar"')
    assert found[0] == Problem(PATH, line, 0, f"scene 'toy': {message}", hint, state=f"({OPENING}, step 1)")


RESULTS = [
    scene("cell that is NaN", "100 * at / count", 'float("nan")',
          f"'share' in row 1 of the table is nan ({OPENING})", CAUSE),
    scene("row that is too short", "(at, 100 * at / count)", "(at,)",
          f"row 1 of the table has 1 cell for 2 columns ({OPENING})", "give each column one"),
    scene("cells of which one is NaN", "100 * at / count", '[1, float("nan")][at]',
          f"'share' in row 2 of the table is nan ({OPENING})", CAUSE),
    scene("value that is infinite", "Value(count)", 'Value(float("inf"))', f"the value 'count' is inf ({OPENING})",
          CAUSE),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message", "hint"), RESULTS)
def test_result_that_can_not_be_shown_names_the_state(tmp_path, change, message, hint):
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: altered(TOY, change)}))
    assert (found[0].path, seen(found[0]), found[0].hint) == (PATH, f"scene 'toy': {message}", hint)


def test_scene_without_steps_names_the_parameters(tmp_path):
    text = altered(TOY, ("at) for at in range(count)]\n\n\ndef draw", "at) for at in range(count % 2)]\n\n\ndef draw"))
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert (found[0].path, seen(found[0])) == (PATH, f"scene 'toy' has no steps ({OPENING})")
    assert found[0].hint == "give it at least one for every choice of its parameters"


def test_scene_that_exceeds_its_budget_says_by_how_much_and_what_to_do(tmp_path):
    lines = """pen = Pen(width)
    for at in range(7000 * (state == (2, "fast", False, 0))):
        yield pen.line(f"x{at}", at * at * 7919 % 328, at * at * 104729 % 97, at**3 * 31 % 328, at**3 * 7 % 97)"""
    text = altered(TOY, ("pen = Pen(width)", lines))
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    assert [one.path for one in found] == [PATH, PATH]
    for one, name in zip(found, ("narrow", "wide"), strict=True):
        assert one.message.startswith(f"scene 'toy': its data '0.{name}.json' takes ")
        assert one.message.endswith(" bytes of 16,000, compressed")
        hint = "draw fewer marks, or take fewer steps; if it needs them, write limits={'bytes': …} in its Scene"
        assert one.hint == hint
    more = altered(text, ("steps=steps,", "limits={'bytes': 100_000}, steps=steps,"))
    assert PurePosixPath("index.html") in built(toy_site(tmp_path / "more", index=SHOWN, **{PATH: more}))


SETTINGS = [
    scene("nothing left out", '"Everything."', '" "',
          "'leaves_out' is empty", "every scene says what it shows and what it leaves out"),
    scene("no sources", '("toy2020",)', "()", "it has no sources", "name at least one id of content/references.yml"),
    scene("default off the grid", '("fast", "slow way"))', '("fast", "slow way"), "medium")',
          "the default 'medium' of 'mode' is not one of its values", "it is one of: fast, slow way"),
    scene("default between many values", "(2, 3, 4)", "tuple(at / 4 for at in range(8, 40)), 2.9",
          "the default 2.9 of 'count' is not one of its values", "the nearest of its 32 values are 2.75 and 3.0"),
    scene("two parameters of one name", 'Choice("mode"', 'Choice("count"', "the parameter name 'count' is taken",
          "call it something else"),
    scene("parameter called step", 'Choice("mode"', 'Choice("step"', "the parameter name 'step' is taken",
          "call it something else"),
    scene("parameter without a label", '"count", "Steps"', '"count", " "', "the parameter 'count' has no label",
          "its control is called by it, on the page and when read aloud"),
    scene("control that stands twice", 'in {count}.', 'in {count} and {count}.', "'sentence' names 'count' 2 times",
          "a parameter has one control"),
    scene("brace that is left open", 'in {count}.', 'in {count} {mode.', "'sentence' has a brace without its other",
          "write {name} for the control of a parameter"),
    scene("bracket that is left open", 'in {count}.', 'in {count} [or.', "'sentence' has a bracket without its other",
          "write […] around what is shown only while it matters"),
    scene("condition on an unknown parameter", '("fast", "slow way"))', '("fast", "slow way"), when={"cuont": (2,)})',
          "'when' names the unknown parameter 'cuont'", "did you mean 'count'?"),
    scene("conditions in a circle", '("fast", "slow way"))', '("fast", "slow way"), when={"mode": ("fast",)})',
          "'when' of 'mode' comes back to itself", "let one of these parameters always matter"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message", "hint"), SETTINGS)
def test_scene_that_could_not_be_shown_is_refused(tmp_path, change, message, hint):
    text = altered(TOY, change)
    found = problems(toy_site(tmp_path, index="# Page\n", **{PATH: text}))
    assert found == (Problem(PATH, line_with(text, "SCENE = Scene("), 0, f"scene 'toy': {message}", hint),)


IMPORTS = [
    scene("no SCENE", "SCENE =", "SCNE =", 0, 0, "scene 'toy' defines no SCENE", "write SCENE = Scene(…)"),
    scene("SCENE of another type", "SCENE = Scene(", "SCENE = dict(", 0, 0,
          "SCENE is a dict of 11, and no Scene", "write SCENE = Scene(…)"),
    scene("syntax error", "def say(state):", "def say(state:", 15, 8, "not valid Python: '(' was never closed", ""),
    scene("null byte", "def say(state):", "def say(\0state):", 15, 0,
          "not valid Python: source code string cannot contain null bytes", "save it as UTF-8"),
    scene("unknown encoding", "from loom.draw", "# coding: nowhere\nfrom loom.draw", 1, 0,
          "not valid Python: unknown encoding: nowhere", ""),
    scene("text that is no Python", "def say(", "import ast\nast.literal_eval('(')\ndef say(", 16, 0,
          "scene 'toy' can't be imported: SyntaxError: '(' was never closed (<unknown>, line 1)", ""),
    scene("missing module", "from loom.draw", "import nowhere\nfrom loom.draw", 1, 0,
          "scene 'toy' can't be imported: ModuleNotFoundError: No module named 'nowhere'", INSTALL),
    scene("unknown argument", 'title="A toy"', 'titel="A toy"', 28, 0,
          "scene 'toy' can't be imported: TypeError: Scene.__init__() got an unexpected keyword argument 'titel'",
          "did you mean 'title'?"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "line", "column", "message", "hint"), IMPORTS)
def test_scene_that_can_not_be_imported_is_reported_at_its_line(tmp_path, change, line, column, message, hint):
    found = problems(toy_site(tmp_path, index="# Page\n", **{PATH: altered(TOY, change)}))
    assert found == (Problem(PATH, line, column, message, hint),)


def test_null_byte_is_reported_in_the_module_that_has_it(tmp_path):
    importing = altered(TOY, ("SCENE = Scene(", "from . import model\n\nSCENE = Scene("))
    files = {PATH: importing, "scenes/toy/model.py": "RATE = 1\nSIZE = \0\n"}
    (one,) = problems(toy_site(tmp_path, index="# Page\n", **files))
    assert (one.path, one.line) == ("scenes/toy/model.py", 2)


READING = """from dataclasses import dataclass
from pathlib import Path

from loom.scene import read_data


@dataclass
class Cup:
    size: float


CUP = read_data(Path(__file__).with_name("cup.json"), Cup)
"""


@pytest.mark.parametrize(("text", "line", "message", "hint"), [
    ('{\n"size": 3,\n}', 3, "JSON is malformed: trailing comma in object", ""),
    ('{"size": "big"}', 0, "Expected `float`, got `str` - at `$.size`", ""),
    (None, 0, "can't be read: No such file or directory", "put it there, or mend its name"),
], ids=["malformed", "mistyped", "missing"])  # fmt: skip
def test_data_that_a_scene_can_not_use_is_told_with_its_folder_and_line(tmp_path, text, line, message, hint):
    root = toy_site(
        tmp_path, index="# Page\n", **{PATH: altered(TOY, ("from loom.draw", "from . import model\nfrom loom.draw"))}
    )
    written = {"scenes/toy/model.py": READING} | ({"scenes/toy/cup.json": text} if text else {})
    for name, content in written.items():
        (root / name).write_text(content)
    assert problems(root) == (Problem("scenes/toy/cup.json", line, 0, message, hint),)


def test_scene_in_utf_16_is_told_how_to_save_it(tmp_path):
    found = problem(toy_site(tmp_path, index=SHOWN, **{PATH: TOY.encode("utf-16")}))
    assert (found.path, found.line, found.hint) == (PATH, 1, "save it as UTF-8")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("toy2022", "did you mean 'toy2020'?"), ("knuth", "add it to content/references.yml")],
)
def test_unknown_source_of_a_scene_is_reported_with_the_nearest(tmp_path, name, hint):
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: altered(TOY, ("toy2020", name))}))
    assert found == (Problem(PATH, 0, 0, f"scene 'toy' cites the unknown reference '{name}'", hint),)


def test_folder_with_code_but_no_scene_is_reported(tmp_path):
    found = problems(toy_site(tmp_path, index="# Page\n", **{"scenes/half/model.py": "x = 1\n"}))
    hint = "add one, or begin the folder's name with '_'"
    assert found == (Problem("scenes/half", 0, 0, "the folder of scene 'half' has no scene.py", hint),)


@pytest.mark.parametrize(
    ("change", "what", "function", "odd"),
    [
        (('"count": Value(count)}', '**({"count": Value(count)} if twice else {})}'), "values", "def values", "count"),
        (('Column("share", "share", "%"', 'Column("share" if twice else "part", "share", "%"'), "columns", "def table",
         "part, share"),
    ],
    ids=["values", "columns"],
)  # fmt: skip
def test_choice_with_other_values_or_columns_is_reported_at_their_function_with_their_names(
    tmp_path, change, what, function, odd
):
    text = altered(TOY, change)
    found = problems(toy_site(tmp_path, index=SHOWN, **{PATH: text}))
    message = f"scene 'toy': its {what} differ from those of its first choice"
    hint, state = f"give them the same names for every choice: not all have {odd}", "(count=2, mode=fast, twice=on)"
    assert found == (Problem(PATH, line_with(text, function), 0, message, hint, state=state),)
