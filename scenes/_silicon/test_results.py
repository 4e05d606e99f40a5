"""Check that results are read strictly: one that is not what it says it is becomes a mistake with its file."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from loom.draw import Axis, Box, Pen, Plot
from loom.errors import LoomError
from scenes._silicon.drawing import Dot, rings
from scenes._silicon.results import results
from tests.sites import TOY, built, problems, toy_site

GPU = {"name": "NVIDIA H100 80GB HBM3", "slug": "h100", "sms": 132, "memory": 8.5e10, "l2": 5.2e7, "power_limit": 700.0,
       "clock_sm_max": 1.98e9, "clock_memory_max": 2.619e9, "driver": "580.159.04"}  # fmt: skip
POINT = {"at": {"stride": 2}, "predicted": 1.6e12, "min": 1.4e12, "median": 1.5e12, "max": 1.6e12, "repetitions": 20,
         "checked": True}  # fmt: skip
SERIES = {"id": "useful", "label": "useful bandwidth", "unit": "B/s", "points": [POINT],
          "axes": [{"name": "stride", "unit": "elements"}]}  # fmt: skip
RESULT = {
    "schema": 1, "name": "coalescing", "title": "T", "question": "Q?", "gpu": GPU, "software": {"cuda": "13.0"},
    "date": "2026-11-23", "command": "python measurements/run.py coalescing", "quick": False,
    "clocks": {"sm_before": 1.98e9}, "power": {"before": 80.0},
    "source": {"coalescing/effect.py": hashlib.sha256(b"EFFECT").hexdigest()},
    "predicted_from": "Sectors.", "series": [SERIES],
}  # fmt: skip


def put(place, text):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


@pytest.fixture
def folder(tmp_path):
    def written(result, slug="h100", name="coalescing", program="EFFECT"):
        place = tmp_path / "measurements/results" / slug / f"{name}.json"
        put(place, json.dumps(result))
        put(tmp_path / "measurements/coalescing/effect.py", program)
        return place.parents[1]

    return written


def mistake(folder):
    with pytest.raises(LoomError) as caught:
        results("coalescing", folder)
    (problem,) = caught.value.problems
    return problem


def test_a_result_is_found_by_the_name_of_its_gpu_and_the_place_of_its_points(folder):
    found = results("coalescing", folder(RESULT))["H100"].of("useful", "B/s")
    assert found.one(stride=2).median == 1.5e12
    assert found.where(stride=3) == ()


def test_nothing_measured_is_no_mistake(tmp_path):
    assert results("coalescing", tmp_path) == results("coalescing", tmp_path / "nowhere") == {}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({**RESULT, "schema": 2}, "$.schema"),
        ({**RESULT, "quick": True}, "$.quick"),
        ({**RESULT, "series": [{**SERIES, "points": [{**POINT, "median": "fast"}]}]}, "$.series[0].points[0].median"),
        ({key: value for key, value in RESULT.items() if key != "gpu"}, "missing required field `gpu`"),
        ({**RESULT, "name": "copying"}, "is the result of copying on h100"),
    ],
)
def test_what_is_no_result_is_told_with_its_file_and_its_place_in_it(folder, wrong, told):
    problem = mistake(folder(wrong))
    assert problem.path == "measurements/results/h100/coalescing.json"
    assert told in problem.message
    assert problem.hint == "measure again: python measurements/run.py"


def test_result_of_another_program_than_the_one_beside_it_is_told_with_the_program(folder):
    problem = mistake(folder(RESULT, program="EFFECT  # changed, if only in a comment"))
    assert problem.path == "measurements/results/h100/coalescing.json"
    assert "$.source: coalescing/effect.py is not the file" in problem.message
    gone = mistake(folder({**RESULT, "source": {"coalescing/loads.cu": "0" * 64}}))
    assert "coalescing/loads.cu" in gone.message


@pytest.mark.parametrize(("series", "unit"), [("useful", "GB/s"), ("useless", "B/s")])
def test_a_scene_gets_a_series_in_the_unit_that_it_draws_or_not_at_all(folder, series, unit):
    found = results("coalescing", folder(RESULT))["H100"]
    with pytest.raises(LoomError, match=r"coalescing\.json: has"):
        found.of(series, unit)


def test_a_site_whose_scene_reads_a_broken_result_is_told_the_result_s_file(tmp_path, folder):
    scenes = tmp_path / "site/scenes"
    shutil.copytree(Path(__file__).parent, scenes / "_silicon", ignore=shutil.ignore_patterns("test_*", "__pycache__"))
    reading = "from .._silicon.results import results\n" + TOY.replace(
        "def steps", 'MEASURED = results("coalescing")\n\n\ndef steps', 1
    )
    site = toy_site(tmp_path / "site", index="# A\n\n:::{scene} toy\n:::\n", **{"scenes/toy/scene.py": reading})
    built(site)
    place = site / "measurements/results/h100/coalescing.json"
    put(place, json.dumps({**RESULT, "schema": 2}))
    put(site / "measurements/coalescing/effect.py", "EFFECT")
    (found,) = problems(site)
    assert (found.path, "$.schema" in found.message) == ("measurements/results/h100/coalescing.json", True)
    put(place, json.dumps(RESULT))
    built(site)
    put(site / "measurements/coalescing/effect.py", "EFFECT2")  # what a scene was drawn from has changed
    (found,) = problems(site)
    assert (found.path, "$.source" in found.message) == ("measurements/results/h100/coalescing.json", True)


def test_a_spread_that_its_ring_would_hide_is_not_drawn():
    pen = Pen(100)
    plot = Plot(pen, Box(0, 0, 100, 100), Axis("x", span=(0, 100)), Axis("y", span=(0, 100)))
    narrow, wide = Dot(10, 50, 48, 52, "narrow"), Dot(90, 50, 48, 60, "wide")
    marks = {mark.key: mark for mark in rings(pen, plot, "seen", (narrow, wide), radius=3)}
    assert [marks[f"seen-{at}"].shape["cx"] for at in range(2)] == [10, 90]
    assert marks["seen-spread"].shape["d"].count("M") == 1
    assert "seen-spread" not in {mark.key for mark in rings(pen, plot, "seen", (narrow,), radius=3)}
