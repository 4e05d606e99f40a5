"""After any edits, the folder and what `serve` holds are those of a build from nothing, or the same problems are told.

Every run tries the same few sequences of edits. `LOOM_SEQUENCES=5000 pytest tests/test_incremental.py` tries so many
others, for as long as that takes, and prints the shortest sequence that goes wrong.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import pytest
from hypothesis import HealthCheck, example, given, settings

from tests import engine
from tests.apart import Apart
from tests.edited_files import files_of
from tests.edited_folder import Folder
from tests.edits import PLAIN, SITE, Change, Remove, Step, after, started
from tests.stories import STORIES, Story

SEQUENCES = int(os.environ.get("LOOM_SEQUENCES", "0"))
PATIENCE = 2  # bursts after which an author who has broken the site goes back to what was good
LATELY = 200  # sites that are remembered

FRESH: dict[int, engine.Built] = {}  # by what is built: a sequence is told many times until it is as short as can be


def fresh(site: engine.Site, files: Mapping[str, str]) -> engine.Built:
    """What a build from nothing makes of these files."""
    key = hash(tuple(sorted(files.items())))
    if key not in FRESH:
        FRESH[key] = site.fresh()
        if len(FRESH) > LATELY:
            del FRESH[next(iter(FRESH))]
    return FRESH[key]


class Telling:
    """A story as it goes: after each step, all who look at the site are to see what a build from nothing makes."""

    def __init__(self, story: Story, site: engine.Site) -> None:
        self.story, self.site, self.folder = story, site, Folder(site.root)
        self.now = self.good = started(PLAIN if story.plain else SITE, {"search": story.search, "url": story.url})
        self.wanted = engine.Built("", 0, "", "", {})
        self.files: engine.Files = {}  # of the last good site
        self.patience = PATIENCE
        self.step(Step(()), site.serve)

    def step(self, step: Step, serve: Callable[[], engine.Built]) -> None:
        self.now = after(self.now if self.patience else self.good, step.edits)
        if files_of(self.now) != self.folder.files:
            self.folder.save(files_of(self.now), step)
            self.wanted = fresh(self.site, self.folder.files)
        if self.wanted.code == 0:
            self.good, self.files, self.patience = self.now, self.wanted.files, PATIENCE
        else:
            self.patience = self.patience - 1 if self.patience else PATIENCE - 1
        looks = [self.site.build, serve]
        for look in reversed(looks) if self.story.served_first else looks:
            self.compare(look())

    def compare(self, seen: engine.Built) -> None:
        """The same mistakes are told; and there is the last good site, byte for byte."""
        assert (seen.problems, seen.code) == (self.wanted.problems, self.wanted.code), seen
        assert seen.who == "serve" or seen.said == self.wanted.said
        names = seen.files.keys() | self.files.keys()
        assert [name for name in sorted(names) if seen.files.get(name) != self.files.get(name)] == [], seen


def tell(story: Story, apart: Apart) -> None:
    site = engine.Site(apart, apart.folder / "told", story.jobs)  # always there: what is told may name the place
    try:
        telling = Telling(story, site)
        for step in story.steps:
            telling.step(step, site.serve_follow)
    finally:
        site.close()


def often(count: int) -> settings:
    """The same sequences in every run, or many others."""
    return settings(max_examples=SEQUENCES or count, derandomize=not SEQUENCES, deadline=None, print_blob=True,
                    suppress_health_check=list(HealthCheck))  # fmt: skip


@often(8)
@given(STORIES)
@example(Story((Step((Change("scenes/bars", "say", "Turn"),), "kept"),)))
@example(Story((Step((Change("scenes/dots", "reads", "a module"),)), Step((Change("scenes/dots", "more", "2"),)))))
@example(Story((Step((Change("templates/base.html", "text", "A"),)), Step((Remove("second"),)))))
def test_after_any_edits_everybody_sees_the_site_that_a_build_from_nothing_makes(apart, story):
    tell(story, apart)


TWO = Change("part", "prose", "{nope}`x`"), Change("plain", "term", "nope")


@pytest.mark.parametrize("steps", [(Step(TWO),), (Step(TWO[:1]), Step(TWO[1:]))], ids=["at once", "one by one"])
def test_all_that_is_wrong_is_told_after_an_edit_of_pages_alone(apart, steps):
    tell(Story(steps), apart)
