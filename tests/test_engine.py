"""What is made is kept with the questions that making it asked, and holds while they have the same answers."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest

from loom.build.engine import Engine, digest_of
from loom.build.sink import MemorySink, manifest_of
from loom.build.store import Store
from loom.digest import digest
from loom.errors import LoomError
from loom.scenes.importer import recording
from tests.sites import TOY, built, toy_site

ANSWERS = {"warp": b"32 lanes", "block": b"1,024 threads"}


def engine(folder: Path, version: bytes = b"1", **others: bytes) -> Engine:
    """An engine as it is in the next build, in which some answers may be others."""
    found = Engine(Store(folder), version)
    found.answer("term", lambda name: digest((ANSWERS | others)[name]))
    return found


def kept(folder: Path) -> None:
    first = engine(folder)
    first.keep("page", [("term", "warp")], "made", b"files")
    first.flush()


def test_result_holds_while_what_it_read_is_the_same_whatever_else_changes(tmp_path):
    kept(tmp_path)
    (made,) = engine(tmp_path, block=b"512 threads").recall(["page", "other"], str)
    assert (made.task, made.result, made.files()) == ("page", "made", b"files")
    assert list(engine(tmp_path, warp=b"64 lanes").recall(["page"], str)) == []


def test_result_of_another_version_of_loom_does_not_hold(tmp_path):
    kept(tmp_path)
    assert list(engine(tmp_path, b"2").recall(["page"], str)) == []


def test_edit_that_is_undone_finds_what_was_made_before_it(tmp_path):
    kept(tmp_path)
    second = engine(tmp_path, warp=b"64 lanes")
    second.keep("page", [("term", "warp")], "made anew")
    second.flush()
    assert [made.result for made in engine(tmp_path).recall(["page"], str)] == ["made"]


def test_question_that_nobody_answers_any_more_holds_nothing(tmp_path):
    kept(tmp_path)
    assert list(Engine(Store(tmp_path), b"1").recall(["page"], str)) == []


def engine_from_data(folder: Path, data: bytes, asked: list[str], warp: bytes = b"32 lanes") -> Engine:
    """An engine whose terms are read from data, and which records what it is asked."""

    def answer(name: str) -> bytes:
        asked.append(name)
        return digest({**ANSWERS, "warp": warp}.get(name, name.encode()))

    found = Engine(Store(folder), b"1")
    found.answer("file", lambda name: digest(name.encode(), (folder / name).read_bytes()))
    found.answer_from(data, {"term": answer})
    return found


def recalled(one: Engine) -> list[str]:
    found = [made.result for made in one.recall(["page"], str)]
    one.flush()
    return found


def test_answers_from_data_are_not_asked_for_again_while_the_data_is_the_same(tmp_path):
    asked: list[str] = []
    (tmp_path / "page.md").write_text("text")
    first = engine_from_data(tmp_path, b"data", asked)
    first.keep("page", [("term", "warp"), ("file", "page.md")], "made")
    first.flush()
    assert asked == ["warp"]
    assert recalled(engine_from_data(tmp_path, b"data", asked)) == ["made"] and asked == ["warp"]
    # Other data with the same answer: the trace is verified once, and then holds for that data.
    for _ in range(2):
        assert recalled(engine_from_data(tmp_path, b"more data", asked)) == ["made"] and asked == ["warp", "warp"]
    (tmp_path / "page.md").write_text("other text")  # this is no question to the data
    assert recalled(engine_from_data(tmp_path, b"more data", asked)) == []


def test_other_data_with_another_answer_refuses_what_was_made(tmp_path):
    (tmp_path / "page.md").write_text("text")
    first = engine_from_data(tmp_path, b"data", [])
    first.keep("page", [("term", "warp")], "made")
    first.flush()
    assert recalled(engine_from_data(tmp_path, b"other", [], warp=b"64 lanes")) == []
    assert recalled(engine_from_data(tmp_path, b"data", [])) == ["made"]


def test_a_known_answer_refuses_all_that_read_it_before_others_are_found(tmp_path):
    asked: list[str] = []
    first = engine_from_data(tmp_path, b"data", [])
    for at in range(3):
        first.keep(f"page {at}", [("term", f"own {at}"), ("term", "warp")], "made")
    first.flush()
    second = engine_from_data(tmp_path, b"other", asked, warp=b"64 lanes")
    assert not list(second.recall([f"page {at}" for at in range(3)], str))
    assert asked == ["own 0", "warp"]


def test_what_is_made_of_bytes_alone_is_made_once(tmp_path):
    made: list[int] = []
    for _ in range(2):
        one = engine(tmp_path)
        assert one.once("style", lambda: made.append(1) or "sheet", b"css") == "sheet"
        one.flush()
    assert made == [1]


def test_result_keeps_its_order(tmp_path):
    first = engine(tmp_path)
    first.keep("page", (), {"b": 1, "a": 2})
    first.flush()
    assert [list(made.result) for made in engine(tmp_path).recall(["page"], dict)] == [["b", "a"]]


def test_digests_do_not_depend_on_the_order_of_names():
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1}) != digest_of({"a": 1, "b": 3})


def test_sink_refuses_two_files_of_one_name_and_takes_the_same_file_twice():
    sink, path = MemorySink(), PurePosixPath("a.txt")
    for raw in (b"one", b"one"):
        sink.put({path: raw}, manifest_of({path: raw}))
    sink.paths.raise_conflicts()
    sink.put({path: b"two"}, manifest_of({path: b"two"}))
    with pytest.raises(LoomError, match="two sources claim this path"):
        sink.paths.raise_conflicts()


def test_scene_in_a_folder_that_is_a_link_is_compiled_from_its_source(tmp_path):
    root = toy_site(tmp_path / "root", index="# Home\n\n:::{scene} toy\n:::\n")
    (root / "scenes/toy").rename(tmp_path / "elsewhere")
    (root / "scenes/toy").symlink_to(tmp_path / "elsewhere")
    built(root)
    assert not list((tmp_path / "elsewhere").rglob("*.pyc"))
    (tmp_path / "elsewhere/scene.py").write_text(TOY.replace('f"Step ', 'f"Turn '))
    assert b"Turn 1 of 2." in built(root)[PurePosixPath("index.html")]


def test_notes_are_taken_of_what_a_scene_reads_and_of_nothing_else(tmp_path):
    root = toy_site(tmp_path / "root", **{"scenes/toy/more.txt": "3"})
    with recording() as dependencies:
        (root / "scenes/toy/more.txt").read_text()
        Path(os.__file__).read_text()
        (tmp_path / "written").write_text("no")
        os.close(os.open(tmp_path / "appended", os.O_APPEND | os.O_CREAT | os.O_WRONLY))
    assert [Path(path).name for path in dependencies.files] == ["more.txt"]
