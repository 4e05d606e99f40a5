"""Other sites are asked politely, once, and rarely; what they answer is reported where the link is written."""

from __future__ import annotations

import json
import threading

import pytest

from loom.cli import main
from loom.lint.external import DAY, HOSTS, PATIENCE, PAUSE, LinkChecker
from loom.lint.fetch import UNREACHED, Answer
from loom.lint.run import lint
from loom.options import Options
from tests.sites import REFERENCES, altered, toy_site

GONE = Answer(404, "Not Found")


class World:
    """Other sites, a clock that runs only while somebody waits, and what was asked of whom."""

    def __init__(self, answers: dict[str, list[Answer]] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[tuple[str, str]] = []
        self.waited: list[float] = []
        self.time = 1_000_000.0

    def fetch(self, address: str, method: str, agent: str) -> Answer:
        self.asked.append((method, address))
        left = self.answers.get(address, [Answer(200)])
        return left.pop(0) if len(left) > 1 else left[0]

    def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.time += seconds

    def checker(self, **options: object) -> LinkChecker:
        return LinkChecker(fetch=self.fetch, now=lambda: self.time, sleep=self.sleep, **options)  # type: ignore[arg-type]

    def verdict(self, *addresses: str) -> list[str]:
        return list(self.checker().check(addresses).values())


A = "https://a.example/1"


def test_each_address_is_asked_for_once_without_its_body():
    world = World()
    assert world.verdict(A, A) == [""]
    assert world.asked == [("HEAD", A)]


@pytest.mark.parametrize("status", [403, 404, 405, 501])
def test_site_that_refuses_the_short_question_is_asked_the_long_one(status):
    world = World({A: [Answer(status), Answer(200)]})
    assert world.verdict(A) == [""]
    assert world.asked == [("HEAD", A), ("GET", A)]
    assert world.waited == [PAUSE]


def test_missing_page_is_told_when_the_long_question_has_the_same_answer():
    world = World({A: [GONE]})
    assert world.verdict(A) == ["answers 404 Not Found"]
    assert world.asked == [("HEAD", A), ("GET", A)]


@pytest.mark.parametrize("answer", [Answer(429), Answer(503), Answer(UNREACHED, "timed out")])
def test_site_that_fails_for_the_moment_is_asked_again_after_growing_pauses(answer):
    world = World({A: [answer, answer, Answer(200)]})
    assert world.verdict(A) == [""]
    assert world.waited == [PAUSE, 2 * PAUSE]


def test_site_that_goes_on_failing_is_reported():
    assert World({A: [Answer(UNREACHED, "no such host")]}).verdict(A) == ["can't be reached: no such host"]


@pytest.mark.parametrize("later", ["7", "Mon, 12 Jan 1970 13:46:47 GMT"])
def test_wish_to_be_asked_later_is_honoured(later):
    world = World({A: [Answer(429, "", later), Answer(200)]})
    assert world.verdict(A) == [""]
    assert world.waited == [7]


def test_who_wants_to_be_left_alone_for_long_is_not_asked_for_anything_else():
    world = World({A: [Answer(429, "Too Many Requests", str(int(PATIENCE) + 1))]})
    first, second, third = world.verdict(A, "https://a.example/2", "https://a.example:81/")
    assert first == "answers 429 Too Many Requests: a.example asked to wait 61 s"
    assert second == "was not asked for: a.example asked to wait 61 s"
    assert third == ""  # another host
    assert len(world.asked) == 2


def test_wish_that_can_not_be_read_is_no_wish():
    world = World({A: [Answer(503, "", "soon"), Answer(200)]})
    assert world.verdict(A) == [""]
    assert world.waited == [PAUSE]


def test_one_host_is_asked_one_thing_at_a_time_with_pauses_and_few_hosts_at_once():
    lock, at_once, busy, most = threading.Lock(), 0, set(), 0

    def slowly(address: str, method: str, agent: str) -> Answer:
        nonlocal at_once, most
        host = address.split("/")[2]
        with lock:
            assert host not in busy
            busy.add(host)
            at_once += 1
            most = max(most, at_once)
        threading.Event().wait(0.01)
        with lock:
            busy.remove(host)
            at_once -= 1
        return Answer(200)

    waited: list[float] = []
    asked = [f"https://{host}.example/{page}" for host in "abcdefgh" for page in range(3)]
    found = LinkChecker(fetch=slowly, sleep=waited.append).check(asked)
    assert set(found.values()) == {""} and len(found) == 24
    assert 1 < most <= HOSTS
    assert waited == [PAUSE] * 16


# What was answered before.


def test_good_answers_count_for_a_week_and_bad_ones_are_asked_for_again(tmp_path):
    world = World({"https://b.example/": [GONE]})
    both = [A, "https://b.example/"]
    for days, expected in ((0, both + both[1:]), (6.9, both[1:] * 2), (0.2, both + both[1:])):
        world.asked.clear()
        world.time += days * DAY
        world.checker(cache_file=tmp_path / "deep/external.json").check(both)
        assert sorted(address for _, address in world.asked) == expected


@pytest.mark.parametrize("text", ["", "[]", "{", '{"https://a.example/1": "x"}', '{"https://a.example/1": 9e99}'])
def test_damaged_memory_is_no_memory(tmp_path, text):
    memory, world = tmp_path / "external.json", World()
    memory.write_text(text)
    world.checker(cache_file=memory).check([A])
    assert len(world.asked) == 1
    assert json.loads(memory.read_text()) == {A: world.time}


def test_answers_are_kept_when_a_later_question_is_broken_off(tmp_path):
    world = World()

    def say(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.checker(cache_file=tmp_path / "external.json").check([A], say)
    assert A in json.loads((tmp_path / "external.json").read_text())


# What is asked, and where it is reported.

PAGE = """\
---
title: Home
summary: One.
---

Some text {cite}`toy2020; pair2021`.
See [this](https://a.example/1#part), [that](https://b.example/x) and
[mail](mailto:a@example.org), or [this again](https://a.example/1).
"""


def reported(root, world: World, **options: object) -> list[tuple[str, int, int, str]]:
    found = lint(Options(root), checker=world.checker(**options)).problems
    assert {one.rule for one in found} <= {"external"}
    return [(one.path, one.line, one.column, one.message) for one in found]


def test_dead_link_is_reported_at_each_of_its_places(tmp_path):
    references = altered(REFERENCES, ("https://example.org/pairs", "https://c.example/"))
    root = toy_site(
        tmp_path, index=PAGE, **{"references.yml": references, "site.yml": "repository: https://d.example\n"}
    )
    world = World({A: [GONE], "https://c.example/": [Answer(UNREACHED, "no such host")]})
    assert reported(root, world) == [
        ("content/index.md", 7, 12, f"'{A}' answers 404 Not Found"),
        ("content/index.md", 8, 47, f"'{A}' answers 404 Not Found"),
        ("content/references.yml", 10, 0, "'https://c.example/' can't be reached: no such host"),
    ]
    expected = {A, "https://b.example/x", "https://c.example/", "https://d.example", "https://example.org/toys"}
    assert {address for _, address in world.asked} == expected


def test_links_that_the_site_ignores_are_not_asked_for(tmp_path):
    settings = "ignore_links:\n- https://a.example/\n- https://example.org\n"
    world = World({A: [GONE]})
    assert reported(toy_site(tmp_path, index=PAGE, **{"site.yml": settings}), world) == []
    assert [address for _, address in world.asked] == ["https://b.example/x"]


def test_nothing_is_asked_unless_that_is_wished(tmp_path, monkeypatch, capsys):
    def refuse(*_: str) -> Answer:
        raise AssertionError("a check without --external went out")

    monkeypatch.setattr(LinkChecker, "check", refuse)
    assert main(["check", "--root", str(toy_site(tmp_path, index=PAGE)), "--jobs", "1"]) == 0
