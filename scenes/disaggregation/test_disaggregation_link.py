"""Check what the reader sees of the link: a row for each cache, how long it waits and travels, and where it arrives."""

from itertools import pairwise

import pytest

from loom.scene import WIDTHS
from scenes.disaggregation.lanes import SHOWN
from scenes.disaggregation.model import LINKS
from scenes.disaggregation.scene import SCENE
from scenes.disaggregation.stage import NARROW, WIDE
from scenes.disaggregation.timeline import LETTERS

GRID = list(SCENE.grid())
SOME = [*GRID[::23], GRID[-1]]
STAGES = {"narrow": NARROW, "wide": WIDE}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def chapter(name, **params):
    return next(one for one in SCENE.run(**params).chapters if one.name == name)


def right(mark):
    return mark.shape["x"] + mark.shape["width"]


def bottom(mark):
    return mark.shape["y"] + mark.shape["height"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("link", LINKS)
def test_each_cache_has_a_row_of_its_own_on_the_link(link, width):
    drawn, row = marks(chapter("apart", link=link).states[-1], width), STAGES[width].row("link")
    ways = [drawn[f"link-{letter}"] for letter in LETTERS if f"link-{letter}" in drawn]
    assert all(bottom(one) < other.shape["y"] for one, other in pairwise(ways))
    assert row.y <= ways[0].shape["y"] and bottom(ways[-1]) <= row.bottom


@pytest.mark.parametrize("width", WIDTHS)
def test_a_cache_that_waits_has_a_dashed_line_from_its_prefill_to_when_the_link_is_free(width):
    drawn, stage = marks(chapter("apart", link="10gbe").states[-1], width), STAGES[width]
    queues = {key for key in drawn if key.startswith("queue-")}
    assert queues == {f"queue-{letter}" for letter in "BCDE"}
    line, way = drawn["queue-B"].shape, drawn["link-B"].shape
    assert line["x1"] == pytest.approx(right(drawn["prefill-B"]))
    assert line["x2"] == pytest.approx(way["x"]) == pytest.approx(right(drawn["link-A"]))
    assert line["y1"] == pytest.approx(way["y"] + way["height"] / 2)
    assert drawn["queue-E"].shape["x2"] == stage.right
    assert not any(key.startswith("queue-") for key in marks(chapter("apart").states[-1], width))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME, ids=str)
def test_caches_go_over_the_link_to_where_they_are_read_if_they_come_in_time(params, width):
    states, stage = chapter("send", **params).states, STAGES[width]
    (made, sent, read, end), case = (marks(state, width) for state in states), states[0].result
    for at, (letter, carried) in enumerate(zip(LETTERS, case.apart.lanes["link"], strict=True)):
        key, comes = f"cache-{letter}", carried.end < SHOWN * case.prompt.prefill
        start, way = made[key], stage.way(at)
        assert right(start) == pytest.approx(min(right(made[f"prefill-{letter}"]), stage.right))
        assert right(sent[key]) == pytest.approx(right(start))  # straight down
        assert (sent[key].shape["y"], sent[key].shape["height"]) == (way.y, way.height)
        row = stage.row("decode") if comes else way
        assert row.y <= read[key].shape["y"] and bottom(read[key]) <= row.bottom
        assert right(read[key]) == pytest.approx(stage.x(carried.end / case.prompt.prefill))
        assert end[key] == read[key]
    waits = [read[f"cache-{letter}"].wait for letter in LETTERS]
    assert waits == sorted(set(waits))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", [{}, {"link": "10gbe"}, {"link": "100gbe"}, {"prompt": 131_072}], ids=str)
def test_a_cache_that_has_come_says_whose_it_is(params, width):
    states = chapter("send", **params).states
    drawn, apart = marks(states[-1], width), states[-1].result.apart
    told = {key[6] for key in drawn if key.startswith("cache-") and key.endswith("-letter")}
    assert told == {LETTERS[one.prompt] for one in apart.lanes["link"] if one.end < apart.shown}
    assert all(drawn[f"cache-{letter}-letter"].text == letter for letter in told)
    assert not any(key.startswith("cache-") and key.endswith("-letter") for key in marks(states[1], width))


def test_answer_tells_how_long_a_cache_travels_once_it_has():
    said = [marks(state)["answer"].text for state in chapter("send").states]
    assert said == ["7.47\u00a0ms", "7.47\u00a0ms", "7.47\u00a0ms", "5.37\u00a0ms"]
