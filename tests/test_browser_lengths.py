"""How long stories take, by the player's own reckoning: it is run with a clock that takes no time."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from loom.model import Output
from loom.paths import OWN
from loom.scenes.frames import DataFile

MOST = 25.0  # seconds

# The player's clock, run through stories: `[beats of each step, what is said]`, and how long each took in seconds.
RUN = """async ([source, stories]) => {
  const { Play } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const took = [];
  for (const [beats, said] of stories) {
    let now = 0, next = null, playing = false;
    performance.now = () => now;
    globalThis.setTimeout = (act, time) => { next = [act, now + Math.max(0, time)]; };
    globalThis.clearTimeout = () => { next = null; };
    const style = { setProperty() {}, removeProperty() {} };
    const player = { story: { beats, said }, count: said.length, step: said.length, beat: null, untouched: true,
      show: async () => {}, keep() {}, explain(error) { throw error; }, controls: { playing(on) { playing = on; } },
      figure: { querySelector: () => ({ style }) } };
    const play = new Play(player);
    play.start();
    for (let turn = 0; playing && turn < 10000; turn += 1) {
      for (let promise = 0; promise < 12; promise += 1) await null;
      if (next) { const [act, at] = next; next = null; now = at; act(); }
    }
    took.push(playing ? Infinity : now / 1000);
  }
  return took;
}"""


# The step that Play shows first where a reader has gone back to the first one, whose beat is shown or none of them.
BEGUN = """async ([source, beat]) => {
  const { Play } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const style = { setProperty() {}, removeProperty() {} };
  const player = { story: { beats: [[0, 500], [0]], said: ["One.", "Two."] }, count: 2, step: 1, beat, untouched: false,
    show: async () => {}, keep() {}, explain(error) { throw error; }, controls: { playing() {} },
    figure: { querySelector: () => ({ style }) } };
  const play = new Play(player);
  play.start();
  play.stop();
  return player.step;
}"""


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    """A page of no site."""
    page = chromium.new_page(reduced_motion="no-preference")
    page.goto("about:blank")
    yield page
    page.close()


def lengths(page: Page, stories: list[tuple[list[list[int]], list[str]]]) -> list[float]:
    """How long it takes to play each story from its start to its end."""
    source = (OWN / "static/player/play.js").read_text(encoding="utf-8")
    page.goto("about:blank")  # with the browser's own clock again
    return page.evaluate(RUN, [source, stories])


def test_chapter_holds_as_long_as_its_sentence_takes_to_be_read(blank: Page):
    short, long = [[0]], [[0]] * 2
    few, some, both = lengths(blank, [(short, ["Go."]), (short, ["x" * 100]), (long, ["x" * 100, "Go."])])
    assert few == pytest.approx(0.9)
    assert some == pytest.approx(2.4)
    assert both == pytest.approx(few + some)


def test_motion_takes_its_part_of_the_reading(blank: Page):
    still, moving, long = lengths(blank, [([[0]], ["x" * 100]), ([[0, 500, 500]], ["x" * 100]), ([[0, 5000]], ["x"])])
    assert still == moving == pytest.approx(2.4)
    assert long == pytest.approx(5.9)


@pytest.mark.parametrize(("beat", "step"), [(None, 1), (1, 2)], ids=["at rest", "just played"])
def test_play_at_the_first_step_shows_its_motion_unless_that_was_just_played(blank: Page, beat, step):
    blank.goto("about:blank")
    source = (OWN / "static/player/play.js").read_text(encoding="utf-8")
    assert blank.evaluate(BEGUN, [source, beat]) == step


chapter = st.tuples(st.lists(st.integers(0, 900), max_size=8), st.integers(1, 300))


@given(chapters=st.lists(chapter, min_size=1, max_size=11))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_story_whose_beats_may_be_watched_ends_in_time(blank: Page, chapters):
    beats = [[0, *times] for times, _ in chapters]
    while sum(map(sum, beats)) > 20_000:
        beats = [[time // 2 for time in times] for times in beats]
    (took,) = lengths(blank, [(beats, ["x" * length for _, length in chapters])])
    assert sum(map(sum, beats)) / 1000 < took <= MOST


def test_every_story_of_our_own_scenes_ends_in_time(blank: Page, own_site: Output):
    stories, names = [], []
    for path, raw in own_site.items():
        if not path.match("assets/data/*/*.wide.json"):
            continue
        data, file = msgspec.json.decode(raw), DataFile(raw)
        for key in data["variants"]:
            told = file.variant(key)
            stories.append((told["beats"], told["say"]))
            names.append(f"{data['scene']} {key}")
    assert len(names) > 1000
    took = dict(zip(names, lengths(blank, stories), strict=True))
    assert {name: seconds for name, seconds in took.items() if seconds > MOST} == {}
