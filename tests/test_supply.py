"""What is installed or run from elsewhere is told by its content: packages by hashes, actions by commits."""

from __future__ import annotations

import re
import tomllib

import pytest

from loom.paths import OWN

LOCKS = ("requirements.txt", "requirements-test.txt")
WORKFLOWS = ("docs/pages.yml", "loom/dev/starter/site/.github/workflows/pages.yml")
NAME = re.compile(r"[A-Za-z0-9._-]+")
ENTRY = re.compile(r"^(\S+)==(\S+?)(?: ; .*?)?((?: \\\n    --hash=sha256:[0-9a-f]{64})*)$", re.M)


def entries(lock: str) -> dict[str, str]:
    """The hashes of each package, as one text; none if one of its versions for several Pythons has none."""
    text = (OWN / lock).read_text(encoding="utf-8")
    told = ENTRY.findall(text)
    assert len(told) == len(re.findall("^[A-Za-z]", text, re.M))
    found: dict[str, str] = {}
    for name, _, hashes in told:
        found[name] = found.get(name, hashes) and hashes
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_its_hashes(lock):
    assert [name for name, hashes in entries(lock).items() if not hashes] == []


@pytest.mark.parametrize(
    ("lock", "extras"), [(LOCKS[0], ("cards", "formats", "search")), (LOCKS[1], ("cards", "search", "test"))]
)
def test_what_the_project_asks_for_is_locked(lock, extras):
    project = tomllib.loads((OWN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    names = {NAME.match(one)[0].lower().replace("_", "-") for one in asked}
    assert names <= entries(lock).keys()


def test_tests_run_with_what_readers_run():
    versions = [set(re.findall(r"^\S+==[^ \n]+", (OWN / lock).read_text(encoding="utf-8"), re.M)) for lock in LOCKS]
    assert versions[0] <= versions[1]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_actions_are_pinned_by_commit(workflow):
    used = re.findall(r"uses: (\S+)", (OWN / workflow).read_text(encoding="utf-8"))
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one)] == []


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_workflow_installs_nothing_that_is_not_locked(workflow):
    locked, *loom = re.findall(r"pip install (.*)", (OWN / workflow).read_text(encoding="utf-8"))
    assert locked == "--require-hashes -r requirements.txt"
    assert all(one.startswith("--no-deps ") and one.endswith('@$COMMIT"') for one in loom)
