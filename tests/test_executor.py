"""The work can be done by any executor: the site has the same bytes, and what is wrong with one is said in words."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from loom.build.executor import CHUNK, WORTH, Workers
from loom.build.pipeline import build_site
from loom.cli import main
from loom.errors import LoomError
from loom.options import Options
from tests.sites import built, toy_site

PAGE = "# Page {0}\n\n{{term}}`warp` $\\sqrt{{{0}}}$ [next](page-{1}.md)\n\n```python\nx = {0}\n```\n"
asked: list[int] = []


def threads(jobs):
    asked.append(jobs)
    return ThreadPoolExecutor(jobs)


def processes(jobs):
    asked.append(jobs)
    return ProcessPoolExecutor(jobs)


def no_executor(jobs):
    return "eight workers"


def unreachable(jobs):
    raise TimeoutError("tcp://nowhere:8786")


class Plain:
    """An executor that knows of cancelling no more than Dask's does."""

    ended = False

    def submit(self, work, *arguments):
        future: Future = Future()
        future.set_result(work(*arguments))
        return future

    def shutdown(self, wait=True):
        self.ended = True


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A site large enough for pages to be spread as well as scenes."""
    pages = {f"page-{at}": PAGE.format(at, (at + 1) % WORTH) for at in range(WORTH)}
    index = "# Home\n\n:::{scene} toy\n:::\n\n{value}`toy.size` {cite}`toy2020`\n\n:::{glossary}\n:::\n"
    return toy_site(tmp_path_factory.mktemp("root"), index=index, **pages)


@pytest.fixture(scope="module")
def expected(root):
    return built(root)


@pytest.mark.parametrize("factory", [threads, processes])
def test_any_executor_gives_the_same_bytes(root, expected, factory):
    asked.clear()
    assert build_site(Options(root, 3, executor=factory)) == expected
    assert asked == [3]  # one executor for the whole build


@pytest.mark.parametrize("command", ["build", "check"])
def test_executor_is_named_on_the_command_line(tmp_path, capsys, command):
    root = toy_site(tmp_path / "root", index="---\nsummary: A.\n---\n# Home\n\n:::{scene} toy\n:::\n{term}`warp`\n")
    asked.clear()
    arguments = [command, "--root", str(root), "--jobs", "2", "--executor", f"{__name__}:threads"]
    main([*arguments, *(["--out", str(tmp_path / "out")] if command == "build" else [])])
    assert asked == [2]
    assert "--executor" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere.at_all:function", "can't import 'nowhere.at_all:function': ModuleNotFoundError: No module"),
        (f"{__name__}:nope", "AttributeError: module"),
        (__name__, f"can't import '{__name__}'"),
        (":threads", "can't import ':threads': ValueError"),
        (".sites:threads", "can't import '.sites:threads': TypeError"),
        (f"{__name__}:asked", "is not a function"),
        (f"{__name__}:no_executor", "the function returned a str, which is no executor"),
        (f"{__name__}:unreachable", "no executor could be made: TimeoutError: tcp://nowhere:8786"),
    ],
)
def test_executor_that_is_none_is_refused_in_words(tmp_path, capsys, path, message):
    root = toy_site(tmp_path / "root", index="# Home\n\n:::{scene} toy\n:::\n")
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--executor", path]) == 1
    first, hint, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith("--executor: ") and message in first
    assert hint.startswith("  hint: ")
    assert not (tmp_path / "out").exists()


def test_module_that_fails_while_it_is_imported_is_told(tmp_path, capsys, monkeypatch):
    (tmp_path / "broken_workers.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    root = toy_site(tmp_path / "root", index="# Home\n")
    assert main(["check", "--root", str(root), "--executor", "broken_workers:x"]) == 1
    assert "can't import 'broken_workers:x': ZeroDivisionError: division by zero" in capsys.readouterr().err


def test_executor_is_ended_even_if_it_can_not_cancel():
    plain = Plain()
    with Workers(1, lambda _: plain) as workers:
        assert list(workers.spread(lambda some: [one * 2 for one in some], range(WORTH), WORTH)) == [
            *range(0, 2 * WORTH, 2)
        ]
    assert plain.ended


def test_mistakes_of_an_author_come_back_from_threads_as_they_do_from_here(tmp_path):
    index = "# Home\n\n{term}`nope` {value}`toy.nope`\n\n:::{scene} toy\n:::\n"
    root = toy_site(tmp_path, index=index, **{f"page-{at}": "{cite}`nope`\n" for at in range(WORTH)})
    told = []
    for executor in (None, threads):
        with pytest.raises(LoomError) as caught:
            build_site(Options(root, executor=executor))
        told.append(caught.value.problems)
    assert told[0] == told[1] and len(told[0]) == WORTH + 2
    assert threading.active_count() < 20  # nobody is left waiting


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("running", [False, True], ids=["a cluster made here", "a cluster that runs"])
def test_dask_cluster_gives_the_same_bytes(root, expected, monkeypatch, running):
    import distributed  # heavy, and only this test needs it

    from examples.dask_executor import executor

    monkeypatch.delenv("DASK_ADDRESS", raising=False)
    if not running:
        assert build_site(Options(root, 2, executor=executor)) == expected
        return
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        monkeypatch.setenv("DASK_ADDRESS", cluster.scheduler_address)
        assert build_site(Options(root, 2, executor=executor)) == expected
        assert cluster.status.name == "running"  # what others opened stays open


def test_large_site_is_never_held_as_a_whole():
    asked: list[int] = []
    items = (asked.append(one) or one for one in range(100 * CHUNK))
    with Workers(2, ThreadPoolExecutor) as workers:
        results = workers.spread(list, items, 100 * CHUNK)
        assert next(results) == 0
        assert len(asked) <= 5 * CHUNK
        assert list(results) == list(range(1, 100 * CHUNK))


def test_process_with_threads_is_not_forked_for_a_fork_would_copy_the_locks_that_they_hold():
    leave = threading.Event()
    beside = threading.Thread(target=leave.wait)
    beside.start()
    try:
        with Workers(2) as workers:
            assert workers.executor.submit(os.getppid).result() != os.getpid()
    finally:
        leave.set()
        beside.join()
