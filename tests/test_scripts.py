"""The player's modules as one file: in the order in which they need each other, or refused with their line."""

from __future__ import annotations

import re

import pytest

from loom.errors import LoomError, Problem
from loom.paths import OWN
from loom.render.assets import read_assets
from loom.render.scripts import bundled

MAIN = 'import { walk } from "./legs.js";\nimport { see } from "./eyes.js";\nsee(walk());\n'
LEGS = '// They need eyes.\nimport { see } from "./eyes.js";\nexport const walk = () => see(1);\n'
EYES = "export function see(what) { return what; }\nexport class Lens {}\n"


def refused(**modules: str) -> Problem:
    """The only thing that is wrong with some modules."""
    with pytest.raises(LoomError) as caught:
        bundled({f"{name}.js": text for name, text in modules.items()}, "main.js")
    (only,) = caught.value.problems
    return only


def test_modules_stand_behind_those_that_they_need():
    (name, text), *others = bundled({"main.js": MAIN, "legs.js": LEGS, "eyes.js": EYES}, "main.js").items()
    assert (name, others) == ("main.js", [])
    assert text == "(()=>{function e(e){return e}class n{}const t=()=>e(1);e(t())})()\n"


def test_module_that_nothing_needs_is_a_file_of_its_own():
    found = bundled({"main.js": "go();\n", "head.js": "// first\nstart();\n"}, "main.js")
    assert found == {"main.js": "(()=>{go()})()\n", "head.js": "start()\n"}


def test_module_in_the_current_folder_that_is_called_as_one_of_python_s_is_not_run(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    assert bundled({"main.js": "walk(7);\n"}, "main.js") == {"main.js": "(()=>{walk(7)})()\n"}


def test_name_that_two_modules_declare_is_refused():
    found = refused(main=MAIN, legs=LEGS + "let Lens = 1;\n", eyes=EYES)
    assert (found.path, found.line) == ("static/player/legs.js", 4)
    assert found.message == "'Lens' is declared in eyes.js, too: modules are shipped as one file"


def test_module_that_is_not_there_is_refused():
    found = refused(main=MAIN, legs=LEGS, eys=EYES)
    assert found.message == "there is no module 'eyes.js'" and found.hint == "did you mean 'eys.js'?"
    assert found.path.startswith("static/player/")


def test_modules_that_import_each_other_are_refused():
    found = refused(main='import { a } from "./other.js";\n', other='import { b } from "./main.js";\n')
    assert found.message.startswith("these modules import each other: ")


@pytest.mark.parametrize("line", ['import * as all from "./eyes.js";', "export { see };", "export default 1;"])
def test_what_can_not_be_joined_is_refused_at_its_line(line):
    found = refused(main=f"go();\n{line}\n", eyes=EYES)
    assert (found.path, found.line, found.message) == (
        "static/player/main.js", 2, f"'{line}' can't be joined with other modules",
    )  # fmt: skip


def test_player_is_one_file_beside_what_runs_before_the_first_paint_and_what_long_lists_fetch():
    files = read_assets([OWN / "static"]).output
    assert sorted(path.name for path in files if path.suffix == ".js") == ["filter.js", "head.js", "main.js"]


def test_script_that_can_not_be_read_is_refused_at_its_place():
    found = refused(main=MAIN, legs=LEGS + "let a = ;\n", eyes=EYES)
    assert (found.path, found.line, found.column) == ("static/player/legs.js", 4, 9)
    assert found.message == "this script can't be read: unexpected ; in expression"


CUT = re.compile(r"(?<!\|)\|0|>>>?0|~~")  # to 32 bits, which is what these do to a number


def test_the_minifier_cuts_large_numbers_where_they_are_truncated():
    """It takes `Math.trunc(x)` for `x|0`: if it no longer does, the next test has no reason left."""
    script = bundled({"main.js": "document.title = Math.trunc(performance.now());"}, "main.js")["main.js"]
    assert CUT.search(script)


def test_player_keeps_numbers_beyond_32_bits():
    """A variant's number is the product of all places: it goes into the billions."""
    shipped = read_assets([OWN / "static"])
    scripts = {path: raw.decode() for path, raw in shipped.output.items() if path.suffix == ".js"}
    assert scripts and not [(path, found[0]) for path, text in scripts.items() if (found := CUT.search(text))]
