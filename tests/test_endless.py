"""A scene can't stop the program: what never ends, ends its process, or has no bounds is told, and everything ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loom.build.process_pool import time_limit
from loom.cli import main
from loom.dev.live import Live, Superseded
from loom.options import Options
from loom.paths import OWN
from loom.scenes.combine import LARGE, batches, parts
from tests.sites import TOY, altered, line_with, toy_site

SHOWN = {
    "index": "---\nsummary: A.\n---\n# Page\n\n:::{scene} toy\n:::\n{cite}`toy2020` {term}`warp` {term}`cache line`\n"
}
PATH = "scenes/toy/scene.py"
STEPS = "    return [(count, mode, twice, at) for at in range(count)]"
LOOP = (STEPS, f"    while count == 3:\n        pass\n{STEPS}")
DEAF = "    import signal\n    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
STUBBORN = (STEPS, f"{DEAF}    while count == 3: pass\n{STEPS}")
IMPORT = ("SCENE = Scene(", "while True:\n    pass\nSCENE = Scene(")
COUNTING = altered(TOY, (STEPS, f"    with open({{!r}}, 'a') as file: file.write('x')\n{STEPS}"))
HINT = "  hint: look for a loop that never ends, or give it longer: --scene-timeout SECONDS"


def run(command: str, root: Path, *flags: str) -> int:
    more = ["--out", str(root.parent / "out")] if command == "build" else []
    return main([command, "--root", str(root), "--no-cache", "--scene-timeout", "1", *more, *flags])


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        (LOOP, "while count", "failed in steps: it takes longer than 1 s (count=3, mode="),
        (IMPORT, "while True", "can't be imported: it takes longer than 1 s"),
        (STUBBORN, None, "is not done: it takes longer than 1 s (count=3, mode="),
    ],
    ids=["loop", "import", "loop that nothing interrupts"],
)
def test_scene_that_never_ends_is_told_once_with_the_variant_and_the_limit(
    tmp_path, capsys, command, jobs, change, place, message
):
    text = altered(TOY, change)
    assert run(command, toy_site(tmp_path / "root", **SHOWN, **{PATH: text}), "--jobs", jobs) == 1
    told = capsys.readouterr()
    lines = [line for line in (told.err + told.out).splitlines() if "toy" in line or "hint" in line]
    head = lines[0].partition(": ")
    where = [PATH, f"{PATH}:{line_with(text, place)}", f"{PATH}:{line_with(text, place) + 1}"] if place else [PATH]
    assert head[0] in where and head[2].startswith(f"scene 'toy' {message}")  # of several the one that is met first
    assert lines[1:] == [HINT]


def test_numbers_of_a_scene_that_never_ends_are_not_waited_for(tmp_path, capsys):
    root = toy_site(tmp_path, **SHOWN, **{PATH: altered(TOY, LOOP)})
    assert main(["data", "toy", "--root", str(root), "--scene-timeout", "1", "--set", "count=3"]) == 1
    assert "failed in steps: it takes longer than 1 s" in capsys.readouterr().err
    assert main(["data", "toy", "--root", str(root), "--scene-timeout", "5", "--set", "count=2"]) == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("command", ["build", "check"])
def test_scene_that_ends_its_process_in_silence_is_a_problem(tmp_path, capsys, command, jobs):
    text = altered(TOY, (STEPS, f"    __import__('os')._exit(0)\n{STEPS}"))
    assert run(command, toy_site(tmp_path / "root", **SHOWN, **{PATH: text}), "--jobs", jobs) == 1
    told = capsys.readouterr().err
    assert f"{PATH}: a worker process has ended before its work was done: scene 'toy' was under way (count=2" in told


def test_no_limit_holds_under_a_debugger():
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        assert time_limit(60) is None
    finally:
        sys.settrace(before)
    if not before:
        assert (time_limit(60), time_limit(0)) == (60, None)


@pytest.mark.parametrize("whom", ["the program alone", "all its processes"])
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("change", [LOOP, IMPORT], ids=["variant", "import"])
def test_interrupt_ends_at_once_with_one_line(tmp_path, whom, jobs, change):
    mark = tmp_path / "begun"
    text = altered(TOY, (change[0], change[1].replace("pass", f"open({str(mark)!r}, 'w').close()")))
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: text})
    command = [sys.executable, str(OWN / "build.py"), "build", "--root", str(root), "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        [*command, "--jobs", jobs], stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test in the background ignores it
    ) as build:  # fmt: skip
        for _ in range(400):
            if mark.exists():
                break
            time.sleep(0.05)
        time.sleep(0.1)
        begun = time.monotonic()
        (os.kill if whom == "the program alone" else os.killpg)(build.pid, signal.SIGINT)
        _, told = build.communicate(timeout=20)
    assert time.monotonic() - begun < 5
    assert build.returncode == 130
    (line,) = told.splitlines()
    assert line == "interrupted: scene 'toy' was under way"


OPENED = (STEPS, LOOP[1].replace("count == 3", "count == 2"))  # the variant that is shown first


@pytest.mark.parametrize("shown", [SHOWN, {"index": "# Page\n"}], ids=["on a page", "on none"])
@pytest.mark.parametrize("change", [LOOP, OPENED, IMPORT], ids=["variant", "opening", "import"])
def test_edit_ends_the_wait_for_a_scene_that_never_ends(tmp_path, change, shown):
    mark = tmp_path / "begun"
    text = altered(TOY, (change[0], change[1].replace("pass", f"open({str(mark)!r}, 'w').close()")))
    live = Live(Options(toy_site(tmp_path / "root", **shown, **{PATH: text}), jobs=1, scene_timeout=60))
    begun = time.monotonic()
    with contextlib.closing(live):
        if shown is SHOWN or change is IMPORT:
            with pytest.raises(Superseded):
                live.follow(lambda _: None, mark.exists)
        else:
            live.follow(lambda _: None, mark.exists)  # no page shows it: it is imported, and not computed
    assert time.monotonic() - begun < 20  # the limit is a minute


def test_mistake_that_every_variant_shares_is_told_after_the_first_and_once(tmp_path, capsys):
    counted = tmp_path / "counted"
    text = COUNTING.replace("{!r}", repr(str(counted)))
    text = altered(text, ('"name", 0', '"name", float("nan")'))
    for jobs in ("1", "2"):
        counted.unlink(missing_ok=True)
        assert run("build", toy_site(tmp_path / "root", **SHOWN, **{PATH: text}), "--jobs", jobs) == 1
        assert capsys.readouterr().err.count("a coordinate that is not finite") == 1
        assert counted.read_text() == "x"


def test_mistake_of_some_variants_is_told_once_and_others_beside_it(tmp_path, capsys):
    text = altered(
        TOY,
        (STEPS, f"    if count == 3: raise KeyError('three')\n    if count == 4: raise KeyError('four')\n{STEPS}"),
    )
    for jobs in ("1", "2"):
        assert run("build", toy_site(tmp_path / "root", **SHOWN, **{PATH: text}), "--jobs", jobs) == 1
        told = capsys.readouterr().err
        assert [told.count(word) for word in ("'three'", "'four'", "failed in")] == [1, 1, 2]


RANGE = 'Range("count", "Steps", (2, 3, 4), unit="steps")'
FUNCTIONS = "steps=steps, draw=draw, say=say"
ENDLESS = "lambda _: __import__('itertools').count()"
WITHOUT_BOUNDS = {
    "a grid of a million": (
        (RANGE, RANGE + ',\n            Range("a", "A", range(500)), Range("b", "B", range(1000))'),
        "has more than 20,000 variants: its parameters' values make 6,000,000 choices", "variants"),
    "one slider of a hundred thousand": (
        ("(2, 3, 4)", "range(2, 100_002)"),
        "has more than 20,000 variants: its parameters' values make 400,000 choices", "variants"),
    "endless steps": (
        (STEPS, "    import itertools\n    return ((count, mode, twice, at) for at in itertools.count())"),
        "has more than 2,000 steps (count=2, mode=fast, twice=off)", "steps"),
    "a hundred thousand steps": (
        (STEPS, "    return [(count, mode, twice, at) for at in range(100_000)]"),
        "has more than 2,000 steps (count=2, mode=fast, twice=off)", "steps"),
    "a hundred thousand rows": (
        ("for at in range(count)])", "for at in range(100_000)])"),
        "has more than 10,000 rows (count=2, mode=fast, twice=off)", "rows"),
    "a hundred thousand values": (
        ('"count": Value(count)}', '"count": Value(count), **{f"n{at}": Value(at) for at in range(100_000)}}'),
        "has more than 1,000 values (count=2, mode=fast, twice=off)", "values"),
    "endless chapters": (
        (STEPS, "    import itertools\n    from loom.scene import Chapter\n"
                "    return (Chapter([(count, mode, twice, at)] * 3, (0, 0.001, 0.002)) for at in itertools.count())"),
        "has more than 2,000 steps, counted with their beats (count=2, mode=fast, twice=off)", "steps"),
    "a chapter of a hundred thousand beats": (
        (STEPS, "    from loom.scene import Chapter\n"
                "    return [Chapter([(count, mode, twice, 0)] * 100_000, [0.0] * 100_000)]"),
        "has more than 2,000 steps, counted with their beats (count=2, mode=fast, twice=off)", "steps"),
    "endless moments of a story": (
        (FUNCTIONS, f"steps=(Phase('a', say, {ENDLESS}),), draw=draw"),
        "has more than 2,000 steps (count=2, mode=fast, twice=off)", "steps"),
    "endless beats of a story": (
        (FUNCTIONS, f"steps=(Phase('a', say, beats={ENDLESS}),), draw=draw"),
        "has more than 2,000 steps, counted with their beats (count=2, mode=fast, twice=off)", "steps"),
    "endless marks": (
        ("    pen = Pen(width)\n", "    pen = Pen(width)\n    while True: yield pen.text('x', 0, 14, 'x', 'label')\n"),
        "has more than 20,000 marks in a frame (count=2, mode=fast, twice=off, step 1)", "marks"),
}  # fmt: skip


@pytest.mark.parametrize("what", WITHOUT_BOUNDS)
def test_work_without_bounds_is_told_with_the_limit(tmp_path, capsys, what):
    change, message, name = WITHOUT_BOUNDS[what]
    text = altered(TOY, change)
    text = text.replace("(count, mode, twice):", "(count, mode, twice, **_):").replace(
        "import Choice", "import Phase, Choice"
    )
    assert (
        run("build", toy_site(tmp_path / "root", **SHOWN, **{PATH: text}), "--jobs", "1", "--scene-timeout", "30") == 1
    )
    told = capsys.readouterr().err
    assert (
        f"scene 'toy' {message}\n  hint: if it needs them, write limits={{'{name}': …}} in its Scene\n1 problem" in told
    )


NAME = '"name", 0, 14, f"step {state[3] + 1}"'
SAID = 'return f"Step {state[3] + 1} of {state[0]}."'
DRAWN = "    pen = Pen(width)\n"
TOO_LONG = {
    "points of a path": ((DRAWN, DRAWN + "    yield pen.path('p', ((n, n) for n in iter(int, 1)))\n"),
                         "the path 'p' has more than 200,000 points"),
    "lines of a mark": ((DRAWN, DRAWN + "    yield pen.strokes('p', ([] for _ in iter(int, 1)))\n"),
                        "the path 'p' has more than 200,000 points"),
    "points of one of its lines": ((DRAWN, DRAWN + "    yield pen.outline('p', [((n, n) for n in iter(int, 1))])\n"),
                                   "the outline 'p' has more than 200,000 points"),
    "places of a rail": ((DRAWN, DRAWN + "    yield pen.knob('p', 9, 9, 'count', ((n, n) for n in iter(int, 1)))\n"),
                         "the rail of 'p' has more than 200,000 points"),
    "a mark's text": ((NAME, '"name", 0, 14, "word " * 1_000_000'),
                      "mark 'name' has a text of 5,000,000 characters, and there may be 10,000"),
    "a sentence": ((SAID, 'return "word " * 1_000_000'),
                   "what step 1 says has 5,000,000 characters, and there may be 10,000"),
    "a cell": (("[(at, 100", "[('word ' * 1_000_000, 100"),
               "'at' in row 1 of the table has 5,000,000 characters, and there may be 10,000"),
}  # fmt: skip


@pytest.mark.parametrize("what", TOO_LONG)
def test_mark_or_text_without_bounds_is_told_once(tmp_path, capsys, what):
    change, message = TOO_LONG[what]
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: altered(TOY, change)})
    assert run("build", root, "--jobs", "1", "--scene-timeout", "30") == 1
    told = capsys.readouterr().err
    assert f"scene 'toy': {message} (count=2, mode=fast, twice=off" in told and told.endswith(
        "\n1 problem; nothing was written\n"
    )


def test_scene_may_raise_its_limits(tmp_path, capsys):
    text = altered(TOY, (STEPS, "    return [(count, mode, twice, at % 3) for at in range(2100)]"))
    root = toy_site(
        tmp_path / "root", **SHOWN, **{PATH: altered(text, ("steps=steps,", "limits={'steps': 2100}, steps=steps,"))}
    )
    assert run("build", root, "--scene-timeout", "60") == 0
    toy_site(root, **{PATH: altered(text, ("steps=steps,", "limits={'step': 2100}, steps=steps,"))})
    assert run("build", root) == 1
    assert "'limits' names the unknown 'step'\n  hint: did you mean 'steps'?" in capsys.readouterr().err


def test_no_scene_is_computed_again_for_the_sake_of_how_the_site_is_packed(tmp_path):
    counted = tmp_path / "counted"
    root = toy_site(tmp_path / "root", **SHOWN, **{PATH: COUNTING.replace("{!r}", repr(str(counted)))})
    build = ["build", "--root", str(root), "--out", str(tmp_path / "out")]
    assert main(build) == 0
    assert len(counted.read_text()) == 12 + 1  # the opening variant is run twice, to see whether it gives the same
    for flags in (["--compress"], ["--gallery"], ["--base-path", "/x/"], ["--jobs", "1"], ["--scene-timeout", "9"]):
        assert main([*build, *flags]) == 0
    assert len(counted.read_text()) == 12 + 1


@pytest.mark.parametrize("count", [1, 2, 20, LARGE, 2 * LARGE, 3 * LARGE + 7])
@pytest.mark.parametrize("size", [1, 3, 16])
def test_runs_cover_the_grid_and_end_where_parts_do(count, size):
    found = [(0, 1), *batches(count, size)]
    assert [end for _, end in found] == [*[start for start, _ in found[1:]], count]
    assert {end for _, end in parts(count)} <= {end for _, end in found}
    assert all(0 < end - start <= size for start, end in found)
