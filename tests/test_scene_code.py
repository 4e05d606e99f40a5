"""Whatever a scene's code does while it runs, the command says what it has to say and ends as it should."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest

from loom.cli import main
from loom.paths import OWN
from tests.sites import TOY, altered, faults, line_with, problems, toy_site

SHOWN = "---\ntitle: Page\nsummary: A.\n---\n\n:::{scene} toy\n:::\n\n{cite}`pair2021`\n"
SCENE = "scenes/toy/scene.py"
ENDS = {
    "at import": ("import sys; sys.exit(0)\n" + TOY, "sys.exit", "scene 'toy' can't be imported: SystemExit: 0"),
    "in steps": (
        altered(TOY, ("    return [(count", "    exit()\n    return [(count")),
        "exit()",
        "failed in steps: SystemExit",
    ),
    "in a value": (altered(TOY, ("Value(count)", "Value(exit())")), "exit()", "failed in values: SystemExit"),
}


@pytest.mark.parametrize("where", ENDS)
def test_scene_that_ends_the_program_is_a_problem(tmp_path, where):
    text, part, message = ENDS[where]
    root = toy_site(tmp_path, index=SHOWN, **{SCENE: text})
    assert all(
        (one.path, one.line) == (SCENE, line_with(text, part)) and message in one.message for one in problems(root)
    )


@pytest.mark.parametrize("command", [["build", "--no-cache", "--out", "out"], ["check", "--no-cache"], ["data", "toy"]])
def test_command_fails_where_a_scene_ends_the_program(tmp_path, command, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    root = toy_site(tmp_path / "root", index=SHOWN, **{SCENE: ENDS["in steps"][0]})
    assert main([*command, "--root", str(root)]) == 1
    assert "SystemExit" in capsys.readouterr().err


PRINTS = "print('from the module')\n" + altered(
    TOY, ("    return [(count", "    print('from steps')\n    return [(count")
)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_scene_prints_is_no_part_of_the_answer(tmp_path, jobs):
    root = toy_site(tmp_path, index=SHOWN, **{SCENE: PRINTS})

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, str(OWN / "build.py"), *command, "--root", str(root)]
        return subprocess.run(line, capture_output=True, text=True, check=True)

    checked = run("check", "--format", "json", "--jobs", jobs, "--no-cache")
    numbers = run("data", "toy", "--format", "csv")
    assert json.loads(checked.stdout)["problems"] == []
    assert next(csv.reader(numbers.stdout.splitlines())) == ["step", "share [%]"]
    for done in checked, numbers:
        assert {"from the module", "from steps"} <= set(done.stderr.splitlines())


def test_check_computes_scenes_that_no_page_shows_and_build_does_not(tmp_path):
    home = SHOWN.replace(":::{scene} toy\n:::", "{cite}`toy2020`")
    root = toy_site(tmp_path, index=home, **{SCENE: altered(TOY, ("    return Table(", "    return Tabel("))})
    assert {one.path for one in faults(root)} == {SCENE}
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 0
