"""Whatever a scene raises, gives or starts is told or ended: it can't stop the program."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from loom.paths import OWN
from tests.sites import TOY, altered, line_with, toy_site
from tests.test_endless import PATH, SHOWN, STEPS, run

RAISED = {  # what a scene raises, and how that is told
    "words that fail": (
        "class Odd(Exception):\n        def __str__(self): return 1 / 0\n    raise Odd",
        "Odd: (it can't say what)",
    ),
    "words that are no plain text": (
        "class Text(str):\n        def __format__(self, _): raise KeyboardInterrupt\n    class Odd(Exception):\n"
        "        def __str__(self): return Text('hm')\n    raise Odd",
        "Odd: hm",
    ),
    "an interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "a pool": (
        "import multiprocessing\n    multiprocessing.Pool(2)",
        "hint: compute in one process: Loom spreads the variants over several",
    ),
}


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("what", RAISED)
@pytest.mark.parametrize("where", ["while it is imported", "while it is computed"])
def test_whatever_a_scene_raises_is_a_mistake_at_its_line(tmp_path, capsys, command, what, where):
    code, told = RAISED[what]
    text = f"def odd():\n    {code}\n" + altered(TOY, (STEPS, f"    odd()\n{STEPS}") if "computed" in where else
                                                  ("SCENE = Scene(", "odd()\nSCENE = Scene("))  # fmt: skip
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: text})
    assert run(command, root, "--jobs", "2", "--scene-timeout", "20") == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said and told in said
    assert f"{PATH}:{len(code.splitlines()) + 1}: scene 'toy'" in said


GIVEN = {  # what a scene gives and nobody can look at, the line that fails, and how that is told
    "a cell that can't say what it is": (
        ("[(at, 100", "[(Odd(), 100"),
        ("class Odd:", "    @property", "    def shape(self): 1 / 0"),
        "def table",
        "must be a number or a string, and is something that can't be shown (count=2, mode=",
    ),
    "a coordinate that interrupts": (
        ('"name", 0', '"name", Odd(0)'),
        ("class Odd(float):", "    def __float__(self): raise KeyboardInterrupt"),
        "raise Keyboard",
        "gives what fails: KeyboardInterrupt (count=2, mode=",
    ),
    "a name that ends the program": (
        ('"size": Value(count * 1.5e9 * (1 + twice), "B")', 'Odd("size"): 3'),
        ("class Odd(str):", "    def __format__(self, _): raise SystemExit"),
        "raise System",
        "gives what fails: SystemExit (count=2, mode=",
    ),
}


@pytest.mark.parametrize("what", GIVEN)
def test_what_fails_when_it_is_looked_at_is_a_mistake_at_its_line(tmp_path, capsys, what):
    change, kind, place, told = GIVEN[what]
    text = "\n".join(kind) + "\n\n\n" + altered(TOY, change)
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: text})
    assert run("build", root, "--jobs", "2", "--scene-timeout", "20") == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said and f"{PATH}:{line_with(text, place)}: scene 'toy'" in said and told in said


def leftover(word: str) -> list[str]:
    """The processes that have a word in their command line."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in found if word in line]


def test_what_a_scene_starts_ends_with_the_build(tmp_path):
    seconds = f"4{os.getpid()}"
    text = altered(TOY, (STEPS, f"    import subprocess\n    subprocess.Popen(['sleep', '{seconds}'])\n{STEPS}"))
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: text})
    command = [sys.executable, str(OWN / "build.py"), "build", "--root", str(root), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, leftover(f"sleep {seconds}")) == (0, [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("where", [STEPS, "SCENE = Scene("], ids=["computed", "imported"])
@pytest.mark.parametrize("flags", [[], ["--jobs", "1", "--scene-timeout", "0"]], ids=["a worker", "the program"])
def test_copy_that_a_scene_makes_of_its_process_goes_no_further(tmp_path, flags, where):
    indent = where[: -len(where.lstrip())]
    text = altered(TOY, (where, f"{indent}import os\n{indent}os.fork()\n{where}"))
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: text})
    command = [sys.executable, str(OWN / "build.py"), "build", "--root", str(root), "--out", str(tmp_path / "out")]
    command += flags
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr, leftover(str(root))) == (0, "", [])
