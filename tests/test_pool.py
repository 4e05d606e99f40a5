"""Who does which piece of work: a scene is imported, and its model run, as seldom as can be."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from loom.build.pipeline import build_site
from loom.build.pool import FILES, FIRST, REST, URGENT, Pool
from loom.build.process_pool import ProcessPool
from loom.options import Options
from tests.sites import REFERENCES, TOY, site


def sleep(report: object) -> None:
    time.sleep(60)


def waiting(*pieces: tuple[tuple[int, ...], str]) -> Pool:
    pool = Pool()
    for order, scene in pieces:
        pool.submit(order, print, scene=scene)
    return pool


def taken(pool: Pool, imported: str = "", others: tuple[str, ...] = ()) -> str:
    job = pool.next(imported, others)
    return f"{job.scene} {job.order}" if job else ""


def test_who_has_imported_a_scene_goes_on_with_it():
    pool = waiting(((FIRST, 0), "tea"), ((REST, 1), "mate"), ((FIRST, 2), "cola"))
    assert taken(pool, "mate") == "mate (3, 1)"
    assert taken(pool, "mate") == "tea (2, 0)"


def test_scene_that_nobody_has_comes_before_one_that_others_have():
    pool = waiting(((REST, 0), "tea"), ((REST, 1), "mate"))
    assert taken(pool, "", ("tea",)) == "mate (3, 1)"
    assert taken(pool, "", ("tea",)) == "tea (3, 0)"  # rather help than wait
    assert taken(pool) == ""


@pytest.mark.parametrize("order", [URGENT, (FILES, 9)])
def test_what_somebody_waits_for_comes_first_whoever_has_it(order):
    pool = waiting(((REST, 0), "tea"), (order, "mate"))
    assert taken(pool, "tea", ("mate",)) == f"mate {order}"


@pytest.mark.parametrize(("jobs", "limit", "most"), [(1, None, 2), (1, 60, 2), (2, 60, 3)])
def test_scenes_are_imported_once_by_who_computes_them_and_once_more_to_be_compared(tmp_path, jobs, limit, most):
    root = site(tmp_path / "root", **{"references.yml": REFERENCES})
    names = [f"toy-{number}" for number in range(6)]
    for name in names:
        note = f"import os\nos.write(os.open({str(tmp_path / name)!r}, os.O_APPEND | os.O_CREAT | os.O_WRONLY), b'x')\n"
        folder = root / "scenes" / name.replace("-", "_")
        folder.mkdir(parents=True)
        (folder / "scene.py").write_text(note + TOY, encoding="utf-8")
    text = "# Home\n\n" + "".join(f":::{{scene}} {name}\n:::\n\n" for name in names)
    (root / "content/index.md").write_text(text, encoding="utf-8")
    build_site(Options(root, jobs, scene_timeout=limit))
    counts = [len(Path(tmp_path / name).read_bytes()) for name in names]
    assert all(2 <= count <= most for count in counts)
    assert sum(counts) <= 2 * len(names) + 2 * (jobs - 1)


def test_jobs_that_are_cancelled_are_done_by_nobody():
    pool = waiting(((REST, 0), "tea"), ((REST, 2), "mate"))
    pool.cancel([pool.submit((REST, 1), print, scene="tea")])
    assert [taken(pool, "tea"), taken(pool), taken(pool)] == ["tea (3, 0)", "mate (3, 2)", ""]


def test_process_that_is_reserved_for_what_is_urgent_does_nothing_else():
    pool = ProcessPool(1, 0)
    try:
        pool.submit(URGENT, sleep)
        pool.submit((REST, 0), sleep)
        pool.poll(0)
        assert len(pool._processes) == 1
    finally:
        pool.close()
