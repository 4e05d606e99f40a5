"""What `new` begins builds, passes `check`, and has a test that can fail; an installed Loom does the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import PurePosixPath

import pytest

from loom.cli import main
from loom.paths import OWN
from tests.sites import REFERENCES, altered, built, faults, site, toy_site

HOME = "---\ntitle: Home\nsummary: A.\n---\n"
CITED = "A {cite}`toy2020`, another {cite}`pair2021`.\n"


def new(root, kind, name):
    return main(["new", kind, name, "--root", str(root)])


def run_tests(root):
    """Run the tests of a site as its author does."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "scenes"]
    surroundings = {**os.environ, "PYTHONPATH": str(OWN), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=root, env=surroundings, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A site as `new site` makes it."""
    root = tmp_path_factory.mktemp("begun") / "my-first_site"
    assert main(["new", "site", str(root)]) == 0
    return root


def copy_of(root, place):
    return shutil.copytree(root, place / "copy")


@pytest.mark.parametrize(
    ("name", "title"),
    [("fused-kernels", "Fused kernels"), ("deep/er/fused_mlp", "Deep: Er: Fused mlp"), ("2024", "2024"),
     ("no", "No"), ("v1.5", "V1.5"), ("named.md", "Named")],
)  # fmt: skip
def test_new_page_passes_check_under_its_title(tmp_path, capsys, name, title):
    root = site(tmp_path, index=HOME)
    assert new(root, "page", name) == 0
    path = f"content/{name.removesuffix('.md')}.md"
    assert capsys.readouterr().out.splitlines()[0] == f"made {path}"
    assert f'title: "{title}"\n' in (root / path).read_text()
    assert faults(root) == ()
    (root / path).write_text(altered((root / path).read_text(), ("draft: true\n", "")))
    assert faults(root) == ()


def test_new_page_is_published_when_its_author_says_so(tmp_path, capsys):
    root = site(tmp_path, index=HOME)
    assert new(root, "page", "more") == 0
    assert "it is a draft until you delete the line 'draft: true'" in capsys.readouterr().out
    shown = PurePosixPath("more/index.html")
    assert shown not in built(root)
    (root / "content/more.md").write_text(altered((root / "content/more.md").read_text(), ("draft: true\n", "")))
    assert shown in built(root)


def test_first_page_of_a_site_is_no_draft(tmp_path):
    (tmp_path / "content").mkdir()
    assert new(tmp_path, "page", "index") == 0
    assert faults(tmp_path) == ()


def test_new_site_shows_its_readers_no_word_that_is_for_its_author(begun):
    assert b"what the site is about" not in b"".join(built(begun).values())


def test_two_new_pages_of_one_name_in_two_folders_are_told_apart(tmp_path):
    root = site(tmp_path, index=HOME)
    assert new(root, "page", "a/intro") == new(root, "page", "b/intro") == 0
    assert faults(root) == ()


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("page", "a b", ["content/a b.md: this file name can't be an address", "hint: use letters, digits"]),
        ("page", "../a", ["content/../a.md: this file name can't be an address", "a part begins with a letter"]),
        ("page", "/a", ["content//a.md: this file name can't be an address"]),
        ("page", "_a", ["content/_a.md: this file name can't be an address"]),
        ("page", "", ["content/.md: this file name can't be an address"]),
        ("page", "index", ["content/index.md: this page is there already", "hint: give another name"]),
        ("scene", "toy", ["scenes/toy: this scene is there already", "hint: give another name"]),
        ("scene", "_toy", ["scenes/_toy: '-toy' can't be the name of a scene", "hint: use small letters"]),
        ("scene", "../toy", ["can't be the name of a scene"]),
        ("scene", "Toy", ["scenes/Toy: 'Toy' can't be the name of a scene"]),
        ("scene", "2d", ["scenes/2d: '2d' can't be the name of a scene"]),
    ],
)
def test_names_that_can_not_be_are_refused_with_a_hint(tmp_path, capsys, kind, name, expected):
    root = toy_site(tmp_path, index=HOME)
    before = sorted(tmp_path.parent.rglob("*"))
    assert new(root, kind, name) == 1
    told = capsys.readouterr().err
    assert [part for part in expected if part not in told] == []
    assert sorted(tmp_path.parent.rglob("*")) == before


@pytest.mark.parametrize("kind", ["page", "scene"])
def test_folder_without_content_is_refused(tmp_path, capsys, kind):
    assert new(tmp_path, kind, "name") == 1
    assert capsys.readouterr().err.splitlines()[:2] == [
        f"content: there is no folder 'content' in {tmp_path}",
        "  hint: give --root DIR, or begin a site with 'new site DIR'",
    ]
    assert list(tmp_path.iterdir()) == []


def test_place_that_can_not_be_written_is_told_without_a_traceback(tmp_path, capsys):
    root = site(tmp_path, index=HOME)
    (root / "content/file").write_text("in the way")
    assert new(root, "page", "file/page") == 1
    assert "can't be written" in capsys.readouterr().err


def test_new_scene_can_be_shown_at_once_and_its_test_passes(tmp_path, capsys):
    root = site(tmp_path, index=f"{HOME}{CITED}\n:::{{scene}} moving-mean\n:::\n", **{"references.yml": REFERENCES})
    assert new(root, "scene", "moving-mean") == 0
    folder = root / "scenes/moving_mean"
    names = ["__init__.py", "drawing.py", "model.py", "scene.py", "test_moving_mean.py"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert capsys.readouterr().out.splitlines() == [
        "made scenes/moving_mean/: model, drawing, scene and test",
        "next: show it on a page with ':::{scene} moving-mean'",
        "then put its own sources in the place of 'toy2020' in scenes/moving_mean/scene.py",
    ]
    assert faults(root) == ()
    done = run_tests(root)
    assert done.returncode == 0, done.stdout


def test_files_of_a_new_scene_begin_with_its_name(tmp_path):
    root = site(tmp_path, index=HOME, **{"references.yml": REFERENCES})
    assert new(root, "scene", "moving-mean") == 0
    texts = {path.name: path.read_text() for path in (root / "scenes/moving_mean").glob("*.py")}
    assert {text.partition(":")[0] for text in texts.values() if text} == {'"""Moving mean'}
    assert not any("running" in text.lower() for text in texts.values())


@pytest.mark.parametrize("name", ["signal", "random", "queue", "token", "json", "numpy", "pytest"])
def test_new_scene_may_be_called_as_a_package_is(tmp_path, name):
    root = site(tmp_path, index=f"{HOME}{CITED}\n:::{{scene}} {name}\n:::\n", **{"references.yml": REFERENCES})
    assert new(root, "scene", name) == 0
    assert faults(root) == ()
    done = run_tests(root)
    assert done.returncode == 0, done.stdout


def test_test_of_a_new_scene_fails_when_its_model_is_wrong(begun, tmp_path):
    root = copy_of(begun, tmp_path)
    model = root / "scenes/running_mean/model.py"
    model.write_text(altered(model.read_text(), ("(number - mean) / count", "(number - mean) / 2")))
    done = run_tests(root)
    assert done.returncode == 1
    assert "test_means_are_those_worked_out_by_hand" in done.stdout
    assert "test_mean_is_the_exact_one_after_every_number" in done.stdout


def test_site_without_references_is_told_what_a_new_scene_needs(tmp_path, capsys):
    root = site(tmp_path, index=f"{HOME}\n:::{{scene}} mean\n:::\n")
    assert new(root, "scene", "mean") == 0
    _, told, entry = capsys.readouterr().out.partition("it rests on a source that content/references.yml lacks; ")
    assert told
    assert [one.message for one in faults(root)] == ["scene 'mean' cites the unknown reference 'welford1962'"]
    (root / "content/references.yml").write_text(entry.removeprefix("write there:\n"))
    page = root / "content/index.md"
    page.write_text(page.read_text() + "\nSee {cite}`welford1962`.\n")
    assert faults(root) == ()


def test_new_scene_with_underscores_is_the_one_with_hyphens(tmp_path):
    root = toy_site(tmp_path, index=HOME)
    assert new(root, "scene", "two_words") == 0
    assert new(root, "scene", "two-words") == 1


def test_broken_references_are_told_before_a_scene_is_made(tmp_path, capsys):
    root = site(tmp_path, index=HOME, **{"references.yml": "- id: [\n"})
    assert new(root, "scene", "mean") == 1
    assert "content/references.yml:" in capsys.readouterr().err
    assert not (root / "scenes/mean").exists()


def test_new_site_passes_check_and_its_test(begun):
    assert faults(begun) == ()
    done = run_tests(begun)
    assert done.returncode == 0, done.stdout
    assert 'title: "My first site"\n' in (begun / "content/site.yml").read_text()
    assert "/.cache/" in (begun / ".gitignore").read_text()


def test_value_of_the_new_site_is_asserted(begun, tmp_path):
    root = copy_of(begun, tmp_path)
    model = root / "scenes/running_mean/model.py"
    model.write_text(altered(model.read_text(), ("6.0, 2.0)", "6.0, 7.0)")))
    assert [(one.path, one.rule) for one in faults(root)] == [("content/index.md", "value")]


def test_new_page_and_scene_fit_into_the_new_site(begun, tmp_path):
    root = copy_of(begun, tmp_path)
    assert new(root, "page", "more") == new(root, "scene", "other") == 0
    page = root / "content/more.md"
    page.write_text(altered(page.read_text(), ("draft: true\n", "")) + "\n:::{scene} other\n:::\n")
    assert faults(root) == ()


def test_site_is_made_in_a_new_or_empty_folder_only(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("here")
    assert main(["new", "site", str(tmp_path / "empty")]) == 0
    assert main(["new", "site", str(tmp_path / "empty")]) == 1
    assert main(["new", "site", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err.count("something is there already\n  hint: name a new or an empty folder") == 2


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Loom as it is installed: built from a copy, so that nothing is left beside the sources."""
    pytest.importorskip("setuptools", minversion="77")
    at = tmp_path_factory.mktemp("wheel")
    for name in ("loom", "templates", "static"):
        shutil.copytree(OWN / name, at / "source" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(OWN / name, at / "source")
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(at)], cwd=at / "source", check=True, capture_output=True)
    (path,) = at.glob("*.whl")
    return path


def test_wheel_holds_all_of_loom_and_nothing_of_its_site(wheel):
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = set()
    for folder, at in (("loom", "loom"), ("templates", "loom/files/templates"), ("static", "loom/files/static")):
        files = [path for path in (OWN / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        expected |= {f"{at}/{path.relative_to(OWN / folder).as_posix()}" for path in files}
    assert found == expected


def test_installed_loom_begins_builds_and_checks_the_site_of_the_current_folder(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    (tmp_path / "elsewhere").mkdir()
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "PYTHONDONTWRITEBYTECODE": "1"}

    def loom(folder, *arguments):
        program = "import sys; from loom.cli import installed; sys.exit(installed())"
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=folder, env=surroundings, capture_output=True, text=True, check=False,
        )  # fmt: skip

    nowhere = loom(tmp_path / "elsewhere")
    assert nowhere.returncode == 1
    assert nowhere.stderr.startswith(f"content: there is no folder 'content' in {tmp_path / 'elsewhere'}")
    assert loom(tmp_path, "new", "site", "x").returncode == 0
    built, checked = loom(tmp_path / "x", "--jobs", "1"), loom(tmp_path / "x", "check", "--jobs", "1")
    assert (built.returncode, checked.returncode) == (0, 0), built.stderr + checked.stderr
    assert (tmp_path / "x/site/index.html").is_file()
    assert checked.stdout.endswith("nothing wrong\n")
    assert "usage: loom" in loom(tmp_path, "--help").stdout
