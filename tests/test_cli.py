"""The command line: exit codes, what a build says, and how mistakes are printed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tomllib

import pytest

from loom.cli import main, with_default
from loom.dev.progress import ProgressDisplay, line_of
from loom.errors import Problem
from loom.paths import OWN
from loom.progress import ProgressEvent, Stage
from loom.reporting import print_problems
from tests.sites import GLOSSARY, TOY, add_scene, altered, site, toy_site


@pytest.fixture
def root(tmp_path):
    return toy_site(tmp_path / "root", index="# Home\n\n:::{scene} toy\n:::\n")


def test_build_writes_and_sums_up_each_page(root, tmp_path, capsys):
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert [word for word in lines[0].split() if word.isalpha()] == ["HTML", "JS", "CSS", "JSON"]
    assert lines[1].endswith(f" files in {tmp_path / 'out'}/")
    assert (tmp_path / "out/index.html").is_file()


def test_json_file_beside_a_page_does_not_disturb_the_summary(tmp_path, capsys):
    root = site(tmp_path / "root", index="# Home\n", **{"numbers.json": "{}"})
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("command", ["data", "export"])
@pytest.mark.parametrize("option", [("--no-cache",), ("--jobs", "2"), ("--base-path", "/a")], ids=str)
def test_option_that_a_command_has_no_use_for_is_refused(root, command, option, capsys):
    with pytest.raises(SystemExit) as end:
        main([command, "toy", "--root", str(root), *option])
    assert end.value.code == 2 and "unrecognized arguments" in capsys.readouterr().err


def test_check_writes_nothing(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    root = site(tmp_path / "root", index="---\nsummary: A.\n---\n# Home\n")
    before = sorted(tmp_path.rglob("*.html"))
    assert main(["check", "--root", str(root), "--jobs", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 page, ")
    assert sorted(tmp_path.rglob("*.html")) == before == []


def test_problems_are_printed_as_annotations_for_a_forge(tmp_path, capsys):
    root = site(tmp_path, index="---\nsummary: A.\n---\n{term}`wrap`\n", **{"glossary.yml": GLOSSARY})
    assert main(["check", "--root", str(root), "--format", "github"]) == 1
    expected = "::error file=content/index.md,line=4,col=1,title=term::unknown term 'wrap' (did you mean 'warp'?)\n"
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (Problem("a.md", 3, 7, "wrong"), "::error file=a.md,line=3,col=7::wrong\n"),
        (Problem("a.md", 3, 0, "50% is\nwrong"), "::error file=a.md,line=3::50%25 is%0Awrong\n"),
        (Problem("a,b.md", 3, 0, "wrong"), "::error file=a%2Cb.md,line=3::wrong\n"),
    ],
)
def test_annotations_are_escaped_and_have_their_column(problem, expected, capsys):
    print_problems([problem], "github")
    assert capsys.readouterr().out == expected


def test_name_of_a_file_can_do_nothing_to_the_terminal(capsys):
    print_problems([Problem("content/a\x1b[2J\u202eb.md", 1, 0, "unknown \x9b words: größer", "mend\rit")], "text")
    assert capsys.readouterr().err.splitlines()[:2] == [
        r"content/a\x1b[2J\u202eb.md:1: unknown \x9b words: größer", r"  hint: mend\rit",
    ]  # fmt: skip


def test_problems_are_one_json_document_for_programs(tmp_path, capsys):
    root = site(tmp_path, index="---\nsummary: A.\n---\n{term}`wrap`\n", **{"glossary.yml": GLOSSARY})
    assert main(["check", "--root", str(root), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["problems"] == [
        {"path": "content/index.md", "line": 4, "column": 1, "rule": "term",
         "message": "unknown term 'wrap'", "hint": "did you mean 'warp'?"},
    ]  # fmt: skip
    assert (found["counts"]["problems"], found["counts"]["rules"], found["counts"]["pages"]) == (1, {"term": 1}, 1)


@pytest.mark.parametrize("files", [{"site.yml": "titel: A\n"}, {"index": "---\nsummary: [\n---\n"}, {}])
def test_json_is_printed_also_where_no_site_can_be_built(tmp_path, capsys, files):
    assert main(["check", "--root", str(site(tmp_path, **files)), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"][0]["message"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--jobs", "0"], "'0' is not a number of processes: write 1 or more"),
        (["--jobs=-3"], "'-3' is not a number of processes: write 1 or more"),
        (["--base-path", "https://e.org/"], "'https://e.org/' is not a path: write it as /path/"),
        (["--base-path", "a b"], "'a b' is not a path"),
        (["--base-path", '/x"><'], "is not a path"),
    ],
)  # fmt: skip
def test_setting_that_makes_no_sense_is_refused_with_what_to_write(flags, message, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["build", *flags])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--base-path", "/a/b%20c/"], ["--base-path", "loom"], ["--base-path", "/"]])
def test_path_of_an_address_is_taken(flags, root, capsys):
    assert main(["check", "--root", str(root), "--format", "json", "--jobs", "1", *flags]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["rules"].keys() <= {"summary", "unused"}


def test_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as caught:
        main(with_default(["--version"]))
    assert caught.value.code == 0
    declared = tomllib.loads((OWN / "pyproject.toml").read_text())["project"]["version"]
    assert capsys.readouterr().out == f"Loom {declared}\n"


def test_build_is_what_happens_without_a_command():
    assert with_default([]) == ["build"]
    assert with_default(["--out", "x"]) == ["build", "--out", "x"]
    assert with_default(["check", "--jobs", "2"]) == ["check", "--jobs", "2"]
    assert with_default(["--help"]) == ["--help"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["data"],
        ["check", "--format", "xml"],
        ["serve", "--port", "x"],
        ["frobnicate"],
        ["check", "--max-age", "nan"],
        ["check", "--max-age", "-1"],
    ],
)
def test_misuse_of_the_command_line_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(with_default(arguments))
    assert caught.value.code == 2
    assert "usage: build.py" in capsys.readouterr().err


def test_misspelt_command_is_told_with_the_nearest(capsys):
    with pytest.raises(SystemExit) as caught:
        main(with_default(["buidl", "--root", "x"]))
    assert caught.value.code == 2
    assert "there is no command 'buidl'; did you mean 'build'?" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "code"), [("# Home\n", 0), ("{term}`nope`\n", 1)])
def test_script_exits_with_the_result_and_never_shows_a_traceback(tmp_path, text, code):
    root = site(tmp_path / "root", index=text)
    command = [sys.executable, str(OWN / "build.py"), "--root", str(root), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert (tmp_path / "out/index.html").exists() == (code == 0)


def test_several_jobs_report_what_one_job_reports(tmp_path, capsys):
    broken = altered(TOY, ("    return Table(", "    return Tabel("))
    index = "# A\n\n:::{scene} toy\n:::\n\n:::{scene} online-softmax\n:::\n"
    root = toy_site(tmp_path, index=index, **{"scenes/toy/scene.py": broken})
    add_scene(root, "online_softmax")
    printed = []
    for jobs in ("1", "2"):
        assert main(["check", "--root", str(root), "--jobs", jobs]) == 1
        printed.append(capsys.readouterr().err)
    assert printed[0] == printed[1]
    assert 1 <= printed[0].count("NameError: name 'Tabel'") <= 5


def test_timings_tell_what_each_stage_did_now_and_before(root, tmp_path, capsys):
    flags = ["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1", "--timings"]

    def stages() -> dict[str, int]:
        rows = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if line.endswith(" ms")]
        return {row[1].rsplit("  ", 1)[0].strip(): int(row[0]) for row in rows if row[0].isdigit()}

    main(flags)
    first = stages()
    main([*flags, "--gallery"])  # other settings, so that everything is written anew
    again = stages()
    before = {"pages parsed": "pages parsed before", "scenes computed": "scenes computed before"}
    assert {name: first[name] for name in before} == {name: again[other] for name, other in before.items()}
    assert not {"pages parsed", "scenes computed"} & again.keys()
    assert first["pages filled"] == again["pages filled"]


def test_nothing_is_said_of_progress_where_nobody_looks(root, tmp_path, capsys):
    main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("environment", "told"), [({}, True), ({"CI": "true"}, False)], ids=["person", "CI"])
def test_terminal_shows_how_far_a_build_is_but_that_of_a_ci_run_does_not(monkeypatch, environment, told):
    monkeypatch.delenv("CI", raising=False)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    ProgressDisplay(terminal)(ProgressEvent(Stage.PAGE_RENDERED, "index"))
    assert ("page index" in terminal.getvalue()) == told


@pytest.mark.parametrize("stage", [one for one in Stage if one is not Stage.ALIVE])
def test_terminal_has_a_line_for_every_stage_of_a_build(stage):
    line = line_of(ProgressEvent(stage, "rope", 3, 12))
    assert line and "{" not in line
    assert "rope" in line or stage in (Stage.LOADED, Stage.WRITING, Stage.LINKS_CHECKED)


@pytest.mark.parametrize("command", ["build", "serve"])
@pytest.mark.parametrize(
    "place", ["content/out", "scenes/out", "templates/out", "static", "static/deep/out", "link/out"]
)
def test_place_that_the_next_build_would_read_is_refused(root, capsys, command, place):
    (root / "link").symlink_to(root / "static")
    (root / "static").mkdir()
    assert main([command, "--root", str(root), "--out", str(root / place)]) == 1
    told = capsys.readouterr().err
    assert "would be taken for a part of the site" in told and "hint: choose another --out" in told
    assert not (root / "content/out").exists() and not list((root / "static").iterdir())


@pytest.mark.parametrize(
    "arguments", [["build"], ["serve"], ["check"], ["data", "toy"], ["new", "page", "x"], ["new", "scene", "x"]]
)
def test_file_in_the_place_of_a_site_is_refused_in_words(tmp_path, capsys, arguments):
    (tmp_path / "file").write_text("a file")
    more = ["--out", str(tmp_path / "out")] if arguments[0] in ("build", "serve") else []
    if arguments[0] == "serve":
        more += ["--port", "-1"]  # told first
    assert main([*arguments, "--root", str(tmp_path / "file"), *more]) == 1
    assert "hint: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["build", "--galery"], "build: error: unrecognized arguments: --galery; did you mean '--gallery'?"),
        (
            ["check", "--bas-path=/x"],
            "check: error: unrecognized arguments: --bas-path=/x; did you mean '--base-path'?",
        ),
        (["check", "--out", "x"], "check: error: unrecognized arguments: --out\n"),
    ],
)
def test_misspelt_option_is_told_with_the_usage_of_its_command_and_the_nearest(arguments, told, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    said = capsys.readouterr().err
    assert end.value.code == 2 and told in said and said.startswith(f"usage: build.py {arguments[0]} ")


@pytest.mark.parametrize("command", [["check"], ["data", "nope"]])
def test_command_that_never_writes_does_not_say_that_nothing_was_written(root, command, capsys):
    (root / "content/index.md").write_text("[a](b.md)\n")
    assert main([*command, "--root", str(root)]) == 1
    assert "problem" in (said := capsys.readouterr().err) and "written" not in said
