"""Measurements are told in full or not at all: what a result holds, and what is refused. No test needs a GPU."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from loom.paths import OWN
from measurements.harness import build, results, runner, schema
from measurements.harness.counters import Launch, read
from measurements.harness.datasheet import SHEETS
from measurements.harness.effect import Effect, MeasurementError, Place, Sample, Series
from measurements.harness.gpu import Gpu, State
from measurements.harness.machine import parse
from scenes._gpus.memory import GPUS

HOME = OWN / "measurements"
RESULTS = sorted((HOME / "results").glob("*/*.json"))
H100 = Gpu("NVIDIA H100 80GB HBM3", "580.1", "9.0", 132, 85_000_000_000, 52_428_800, 700.0, 1.98e9, 2.619e9)
PACKAGES: dict[str, str | None] = {"cuda": "13.0", "nvcc": None, "python": "3.12.3", "torch": None, "triton": None}
LINE = '{"series": "time", "at": {"n": 1}, "samples": [3e-6, 1e-6, 2e-6], "checked": true}'


@dataclass
class Replay:
    """A machine that prints lines once written down."""

    lines: Sequence[str] = (LINE,)
    gpu: Gpu = H100
    quick: bool = False
    folder: Path = Path()
    vectors: Path = Path()
    launches: list[Launch] = field(default_factory=list)

    def state(self) -> State:
        return State(1.98e9, 2.619e9, 120.0)

    def program(self, source: str, *arguments: object) -> Iterator[Sample]:
        return (parse(line, source) for line in self.lines)

    def counters(
        self, source: str, *arguments: object, metrics: Sequence[str], kernels: str = ".*", cold: bool = True
    ) -> list[Launch]:
        return self.launches


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    return float(at["n"]) / gpu.sheet.bandwidth


def effect(*more: Series) -> Effect:
    series = (Series("time", "time of n bytes", "s", ("n",), ("B",)), *more)
    return Effect("Bytes", "How long?", series, "Bytes over bandwidth.", predict, lambda one: one.program("x.cu"))


def record(*lines: str) -> dict[str, object]:
    return runner.record("launches", effect(), Replay(lines or (LINE,)), PACKAGES)


def test_result_of_a_measurement_fits_the_schema_and_comes_back_from_its_file(tmp_path: Path):
    made = record()
    assert list(schema.problems(made)) == []
    results.write(made, tmp_path / "h100" / "launches.json")
    assert json.loads((tmp_path / "h100" / "launches.json").read_text()) == made


def test_point_holds_what_was_predicted_and_the_least_middle_and_greatest_of_what_was_measured():
    ((point,),) = [series["points"] for series in record()["series"]]
    assert point == {
        "at": {"n": 1}, "predicted": pytest.approx(1 / 3.352e12, rel=1e-5), "min": 1e-6, "median": 2e-6, "max": 3e-6,
        "repetitions": 3, "checked": True,
    }  # fmt: skip


def test_every_point_has_a_line_of_its_own(tmp_path: Path):
    lines = [LINE.replace('"n": 1', f'"n": {n}') for n in range(1, 6)]
    results.write(record(*lines), tmp_path / "x.json")
    assert sum('"median"' in line for line in (tmp_path / "x.json").read_text().splitlines()) == 5


@pytest.mark.parametrize(("line", "told"), [
    ("hello", "prints what is no sample: hello"),
    ('{"series": "time"}', "prints what is no sample"),
    (LINE[:-1] + ', "more": 1}', "prints more than a sample"),
    (LINE.replace("time", "tme"), "no series 'tme': there are time"),
    (LINE.replace('"n"', '"m"'), "the axes are n, not m"),
    (LINE.replace('"n": 1', '"n": "one"'), "n is 'one', and its unit is 'B'"),
    (LINE.replace("[3e-6, 1e-6, 2e-6]", "[]"), "no finite numbers"),
    (LINE.replace("3e-6", "NaN"), "no finite numbers"),
    (LINE.replace("true", "1"), "checked is 1"),
    (LINE + "\n" + LINE, "was measured twice"),
])  # fmt: skip
def test_what_is_no_sample_of_the_effect_is_refused_with_its_reason(line, told):
    with pytest.raises(MeasurementError, match=told):
        record(*line.splitlines())


def test_series_without_points_is_a_mistake_unless_counters_were_to_fill_it():
    counted = Series("sectors", "sectors a request", "sectors", ("n",), ("B",), counted=True)
    assert [one["id"] for one in results.collect(effect(counted), H100, [parse(LINE, "x")])] == ["time"]
    other = Series("rate", "rate", "B/s", ("n",), ("B",))
    with pytest.raises(MeasurementError, match="nothing was measured for rate"):
        results.collect(effect(other), H100, [parse(LINE, "x")])


@pytest.mark.parametrize(("unit", "axes", "units"), [
    ("ms", ("n",), ("B",)), ("s", ("n",), ("kB",)), ("s", ("n", "m"), ("B",)), ("s", (), ()), ("name", ("n",), ("B",)),
])  # fmt: skip
def test_series_has_units_that_everybody_knows(unit, axes, units):
    with pytest.raises(MeasurementError):
        Series("time", "time", unit, axes, units)


@pytest.mark.parametrize(("path", "value", "told"), [
    (("schema",), 2, "result.schema is 2"),
    (("date",), "23 November", "result.date is '23 November'"),
    (("gpu", "sms"), 132.5, "gpu.sms is 132.5"),
    (("clocks", "sm_after"), 0, "clocks.sm_after is 0"),
    (("source", "launches/launches.cu"), "abc", "result.source is {"),
    (("series", 0, "unit"), "ms", "series[0].unit is 'ms'"),
    (("series", 0, "axes", 0, "unit"), "kB", "series[0].axes[0].unit is 'kB'"),
    (("series", 0, "points", 0, "median"), 4e-6, "series[0].points[0]: min 1e-06, median 4e-06, max 3e-06"),
    (("series", 0, "points", 0, "at"), {"m": 1}, "series[0].points[0].at is {'m': 1}, and the axes are n"),
    (("series", 0, "points", 0, "at"), {"n": "1"}, "series[0].points[0].at is {'n': '1'}, with a place"),
    (("series", 0, "points", 0, "repetitions"), 0, "series[0].points[0].repetitions is 0"),
    (("colour",), "red", "result.colour is nothing that we know"),
])  # fmt: skip
def test_result_that_breaks_the_schema_is_a_problem_with_its_place(path, value, told):
    broken = copy.deepcopy(record())
    *way, last = path
    inside = broken
    for step in way:
        inside = inside[step]
    inside[last] = value
    (found,) = schema.problems(broken)
    assert found.startswith(told)


def test_result_that_is_too_large_is_not_written(tmp_path: Path):
    with pytest.raises(MeasurementError, match="measure fewer points"):
        results.write({"x": "x" * results.LARGEST}, tmp_path / "x.json")
    assert not (tmp_path / "x.json").exists()


def test_counters_are_read_past_what_ncu_remarks():
    report = [
        "==PROF== Connected to process 1", '"ID","Kernel Name","l1.sum"', '"","","sector"',
        '"0","load(int)","1,024"', "==PROF== Disconnected", '"1","load(int)","32"',
    ]  # fmt: skip
    assert read(report, ["l1.sum"]) == [Launch("load(int)", {"l1.sum": 1024}), Launch("load(int)", {"l1.sum": 32})]


def test_hopper_s_own_instructions_are_compiled_for():
    assert [build.target(capability) for capability in ("9.0", "8.0", "10.0")] == ["90a", "80", "100a"]


def test_without_a_gpu_one_sentence_is_said(tmp_path: Path):
    command = [sys.executable, str(HOME / "run.py"), "--quick", "--out", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)})
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "there is no NVIDIA GPU here that could be measured: nvidia-smi was not found\n"


def test_unknown_effect_is_told_with_those_that_there_are():
    with pytest.raises(MeasurementError, match=r"no such effect: launch; there are .*launches"):
        runner.load("launch")


@pytest.mark.parametrize("name", runner.names())
def test_effect_is_told_in_sentences(name):
    one = runner.load(name)
    assert one.question.endswith("?")
    assert list((HOME / name).glob("*.cu")) or list((HOME / name).glob("*.py"))
    assert set(one.flags) <= {path.name for path in (HOME / name).iterdir()}


def test_data_sheet_and_the_scenes_say_the_same_of_an_h100():
    scene, sheet = GPUS["H100"], SHEETS["h100"]
    assert (sheet.bandwidth, sheet.clock, sheet.l1) == (scene.hbm_rate, scene.clock, scene.l1)
    assert (sheet.l1_cycles, sheet.l2_near_cycles, sheet.l2_far_cycles, sheet.hbm_cycles) == (
        scene.l1_cycles, scene.near, scene.far, scene.hbm_cycles,
    )  # fmt: skip


FAKE_NVCC = """#!/bin/sh
case "$*" in *--version*) echo "release 13.0, V13.0.88"; exit;; esac
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\ncat <<END\\n%s\\nEND\\nexit %s\\n' "$LINES_OF_PROGRAM" "${CODE_OF_PROGRAM:-0}" >"$2"
chmod +x "$2"
"""
FAKE_SMI = """#!/bin/sh
case "$*" in *query*) echo "1980, 2619, 120.5";; *) echo "| CUDA Version: 13.0 |";; esac
"""


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose compiler makes programs that print what LINES_OF_PROGRAM holds."""
    for name, script in (("nvcc", FAKE_NVCC), ("nvidia-smi", FAKE_SMI)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("MEASURE_BUILD", str(tmp_path / "build"))
    monkeypatch.setattr(build, "KEPT", tmp_path / "build")
    return tmp_path


def test_run_builds_measures_and_writes(workshop: Path, monkeypatch: pytest.MonkeyPatch):
    series = runner.load("launches").series
    lines = [json.dumps({"series": one.id, "at": {one.axes[0]: 1}, "samples": [1], "checked": True}) for one in series]
    monkeypatch.setenv("LINES_OF_PROGRAM", "\n".join(lines))
    assert runner.run(["launches"], H100, True, workshop)
    found = json.loads((workshop / "h100/launches.json").read_text())
    assert list(schema.problems(found)) == []
    assert (found["quick"], found["software"]["nvcc"], found["power"]["after"]) == (True, "13.0.88", 120.5)
    assert [one["id"] for one in found["series"]] == [one.id for one in series]


def test_effect_whose_program_prints_nonsense_is_told_and_writes_nothing(workshop: Path, monkeypatch, capfd):
    monkeypatch.setenv("LINES_OF_PROGRAM", "segmentation fault")
    assert not runner.run(["launches"], H100, False, workshop)
    assert "launches: launches.cu prints what is no sample: segmentation fault" in capfd.readouterr().err
    assert not (workshop / "h100/launches.json").exists()


def test_effect_whose_program_fails_at_last_writes_nothing(workshop: Path, monkeypatch, capfd):
    monkeypatch.setenv("LINES_OF_PROGRAM", LINE.replace("time", "stream").replace('"n"', '"launches"'))
    monkeypatch.setenv("CODE_OF_PROGRAM", "7")
    assert not runner.run(["launches"], H100, False, workshop)
    assert "launches: launches.cu failed with code 7" in capfd.readouterr().err


def test_effect_is_stopped_after_its_limit(workshop: Path, monkeypatch, capfd):
    monkeypatch.setenv("LINES_OF_PROGRAM", "$(sleep 60)")
    begun = time.monotonic()
    assert not runner.apart("launches", 1.5, H100, False, workshop)
    assert time.monotonic() - begun < 30
    assert "launches: stopped after 2 s" in capfd.readouterr().err


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_committed_result_is_whole_and_made_by_the_programs_beside_it(path):
    found = json.loads(path.read_text(encoding="utf-8"))
    assert list(schema.problems(found)) == []
    assert (found["gpu"]["slug"], found["name"], found["quick"]) == (path.parent.name, path.stem, False)
    assert found["source"] == results.sources(path.stem)
    assert len(path.read_bytes()) <= results.LARGEST
    one = runner.load(path.stem)
    for series in found["series"]:
        expected = one.find(series["id"])
        assert (series["unit"], tuple(axis["name"] for axis in series["axes"])) == (expected.unit, expected.axes)
    if "vectors" in found:
        assert results.digest(path.with_name(found["vectors"]["file"])) == found["vectors"]["sha256"]


@pytest.mark.parametrize("path", sorted(HOME.rglob("*.py")), ids=lambda path: path.relative_to(HOME).as_posix())
def test_module_has_at_most_200_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 200
