"""A browser and a small site for it, once for all browser tests. No other test pays for any of it."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from apart import Apart
    from browser import Visit
    from playwright.sync_api import Browser, Page

    from loom.model import Output

PASSED = pytest.StashKey[bool]()

gc.disable()  # while 30,000 tests are read, of which nothing is garbage


def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: tests of what moves wait a good part of their time."""
    from loom.build.executor import default_jobs

    return default_jobs() * 3 // 2


def pytest_collection_finish() -> None:
    """Let the collector of garbage leave out the tests themselves: walking through them took longer than they did."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    from browser import launch_options
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=15_000)  # for a busy machine: only a test that fails waits so long
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(**launch_options())
        yield running
        running.close()


@pytest.fixture(scope="session")
def asked_scenes(request: pytest.FixtureRequest) -> frozenset[str]:
    """The repository's own scenes that the chosen tests hold to the contract: one of them need not wait for all."""
    chosen = (item.callspec.params for item in request.session.items if hasattr(item, "callspec"))
    return frozenset(params["computed"] for params in chosen if "computed" in params)


@pytest.fixture(scope="session")
def scene_cache(tmp_path_factory: pytest.TempPathFactory, asked_scenes: frozenset[str]) -> Path:
    """Where these scenes lie, computed: the repository's own cache, so that builds and test runs work for each other.

    A result is used only while everything that it was computed from is the same.
    """
    from loom.build.executor import default_jobs
    from loom.build.scenes import compute_all
    from loom.options import Options
    from loom.paths import OWN

    cache = OWN / ".cache" / "loom"
    with alone(shared_folder(tmp_path_factory) / "scenes"):
        compute_all(Options(jobs=default_jobs(), cache=cache), asked_scenes)
    return cache


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all workers of this test run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Let one worker after the other make what all of them share: the second finds it made."""
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    """Processes that know nothing of each other's builds."""
    from tests import engine
    from tests.apart import Apart

    processes = Apart(tmp_path_factory.mktemp("apart"), engine.warm)
    yield processes
    processes.close()


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory, scene_cache: Path) -> Output:
    """Loom's own site, built: by the first worker that comes, and taken from the cache by the others."""
    from loom.build.executor import default_jobs
    from loom.build.pipeline import build_site
    from loom.options import Options

    with alone(shared_folder(tmp_path_factory) / "scenes"):
        return build_site(Options(jobs=default_jobs(), cache=scene_cache))


@pytest.fixture(scope="session")
def spares() -> dict[tuple[str, bool], Page]:
    """Pages that wait to be used again, by their site and whether script is on."""
    return {}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Output:
    """The small site, built."""
    from test_browser_site import small_site

    return small_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def address(site: Output) -> Iterator[str]:
    """Where the small site is served."""
    from browser import serving

    with serving(site, "/") as found:
        yield found


@pytest.fixture(scope="session")
def hand_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the small site for the hand and the clock is served."""
    from browser import serving

    from tests.hand_site import hand_site

    with serving(hand_site(tmp_path_factory.mktemp("hand")), "/") as found:
        yield found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Let fixtures know whether their test has passed."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def visitor(
    chromium: Browser, spares: dict[tuple[str, bool], Page], request: pytest.FixtureRequest
) -> Iterator[Callable[[str], Visit]]:
    """Makes visits. A test that has passed must also have heard nothing from its pages."""
    from browser import Visit

    visits: list[Visit] = []

    def visit(address: str) -> Visit:
        visits.append(Visit(chromium, address, spares))
        return visits[-1]

    yield visit
    passed = request.node.stash.get(PASSED, False)
    for one in visits:
        one.end(clean=passed)
    assert not passed or [sound for one in visits for sound in one.noise] == []


@pytest.fixture
def visit(visitor: Callable[[str], Visit], address: str) -> Visit:
    """A visit of the small site."""
    return visitor(address)


@pytest.fixture
def reader(chromium: Browser) -> Iterator[Callable[[Path, str], Page]]:
    """Opens pages of documentations that show scenes."""
    from tests.other_generators import reading

    with reading(chromium) as read:
        yield read
