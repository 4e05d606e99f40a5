"""Check that what is said of multicast on a GPU is what the result says."""

import json

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.tma_multicast import measured
from scenes.tma_multicast.scene import SCENE
from tests.beats import drawn_beats


def test_measured_reads_are_those_of_the_result_and_bear_out_what_is_said_of_them():
    told = json.loads((FOLDER / "h100/tma.json").read_text())
    points = next(one["points"] for one in told["series"] if one["id"] == "sectors")
    read = {(at["how"], at["blocks"]): one["median"] for one in points if (at := one["at"])["asking"] == "SMs"}
    values = SCENE.run().values
    for blocks in (2, 4, 8):
        assert values[f"measured_alone_{blocks}"].value == read["each for itself", blocks]
        assert values[f"measured_multicast_{blocks}"].value == read["multicast", blocks] == pytest.approx(1, abs=0.01)
    assert read["each for itself", 4] < 1.1 < 2 <= read["each for itself", 8] < 8 / 3
    rates = [values[f"measured_{how}_8_rate"].value for how in ("alone", "multicast")]
    assert rates[0] == pytest.approx(rates[1], rel=0.05)


def test_scene_stands_without_results(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    assert not any(name.startswith("measured") for name in SCENE.run().values)
    assert [chapter.name for chapter in SCENE.run().chapters] == ["alone", "together"]


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_are_as_long_as_reads_were_counted_beside_a_square_for_each_block(width):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run().steps[-1], WIDTHS[width])}
    found = measured.alone()
    assert marks["answer"].text == f"{found[4]:.2f}" == "1.00"
    long = {blocks: bounds(marks[f"counted-{blocks}"]) for blocks in found}
    every = {blocks: bounds(marks[f"each-{blocks}"]) for blocks in found}
    for blocks, reads in found.items():
        share = (long[blocks][2] - long[blocks][0]) / (every[blocks][2] - every[blocks][0])
        assert share == pytest.approx(reads / blocks, rel=0.15)  # less the gaps between squares
        assert f"{reads:.2f}" in marks[f"blocks-{blocks}"].text


@pytest.mark.parametrize("width", WIDTHS)
def test_bars_grow_one_after_the_other_and_each_is_told_when_it_has_grown(width):
    states = SCENE.run().chapters[-1].states
    drawn = drawn_beats(SCENE, states, width)
    for at, (blocks, reads) in enumerate(measured.alone().items(), 1):
        widths = [one[f"counted-{blocks}"].shape["width"] for one in drawn]
        assert widths == [0] * at + [widths[-1]] * (len(drawn) - at)
        told = [f"{reads:.2f}" in one[f"blocks-{blocks}"].text for one in drawn]
        assert told == [False] * (at + 1) + [True] * (len(drawn) - at - 1)
        if blocks == measured.MERGED:
            assert ["answer" in one for one in drawn] == told
