"""Check what the reader meets: values, table, words and places on the picture agree with the model."""

import itertools
import json
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._gpus.rates import GPUS, PRECISIONS
from scenes._silicon.results import FOLDER
from scenes.roofline import measured
from scenes.roofline.kernels import KERNELS
from scenes.roofline.model import ANY, ANY_INTENSITIES, MEMORY
from scenes.roofline.scene import SCENE
from scenes.roofline.stage import INTENSITIES, NARROW, RATES, WIDE

GRID = [params for params in SCENE.grid() if params["kernel"] != ANY or params["intensity"] in ANY_INTENSITIES[::9]]
ROOF, MEET, MACHINE = range(3)


def name(params):
    return "-".join(map(str, params.values()))


def values_of(**params):
    return {key: value.value for key, value in SCENE.run(**params).values.items()}


def said(**params):
    return [SCENE.say(state) for state in SCENE.run(**params).steps]


def frame(params, step, width="wide", beat=-1):
    """The marks of one beat of a step, by key."""
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).chapters[step].states[beat], WIDTHS[width])}


def test_grid_has_every_choice_and_any_intensity():
    whole = len(GPUS) * len(PRECISIONS) * (len(KERNELS) + len(ANY_INTENSITIES))
    assert len(list(SCENE.grid())) == whole
    assert (ANY_INTENSITIES[0], ANY_INTENSITIES[-1]) == (0.125, 4100)
    steps = [there / here for here, there in itertools.pairwise(ANY_INTENSITIES)]
    assert steps == pytest.approx([2 ** (1 / 3)] * len(steps), rel=0.01)


def test_opening_is_a_kernel_limited_by_memory_and_says_so_in_large_type():
    found = values_of()
    assert found["peak"] == 989.4e12
    assert found["bandwidth"] == 3352e9
    assert found["attainable"] == pytest.approx(3.352e12, rel=5e-4)
    assert found["share"] == pytest.approx(100 / 295.2, rel=1e-3)
    assert SCENE.opening == MEET + 1
    assert "Memory is the limit" in said()[MEET]
    marks = frame({}, MEET)
    assert (marks["limit"].text, marks["limit"].shape["font-size"]) == ("memory", 32)


# facts/hardware.md, sections 2 and 7: ridges 153.0, 295.2, 206.1, 292.2; gemm-512 has 170.7, gemm-1024 341.3.
@pytest.mark.parametrize(
    ("gpu", "small"), [("A100", "arithmetic"), ("H100", "memory"), ("H200", "memory"), ("B200", "memory")]
)
def test_small_gemm_is_left_of_the_ridge_on_all_but_the_a100(gpu, small):
    rows = {row[0]: row for row in SCENE.run(gpu=gpu).table.rows}
    assert rows["gemm-512"][4] == small
    assert [rows[kernel][4] for kernel in ("gemm-1024", "gemm-4096", "prefill")] == ["arithmetic"] * 3
    assert [rows[kernel][4] for kernel in ("copy", "elementwise", "gemv", "decode")] == ["memory"] * 4


@pytest.mark.parametrize("params", GRID, ids=name)
def test_values_agree_with_each_other_and_with_the_table(params):
    found, table = values_of(**params), SCENE.run(**params).table
    assert [row[0] for row in table.rows] == list(KERNELS)
    if params["kernel"] == ANY:
        assert found["intensity"] == pytest.approx(params["intensity"], rel=1e-14)
        return
    assert [column.name for column in table.columns] == [
        "kernel", "flops", "bytes", "intensity", "bound", "attainable", "share",
    ]  # fmt: skip
    (row,) = [row for row in table.rows if row[0] == params["kernel"]]
    wanted = (found["flops"] / 1e6, found["bytes"] / 1e6, found["intensity"], found["attainable"] / 1e12)
    assert (*row[1:4], row[5]) == pytest.approx(wanted, rel=1e-14)
    assert found["attainable"] <= found["peak"]
    assert found["attainable"] <= found["bandwidth"] * found["intensity"] * (1 + 1e-12)
    assert found["time"] == max(found["memory_time"], found["arithmetic_time"])
    assert row[4] == ("memory" if found["intensity"] < found["ridge"] else "arithmetic")


@pytest.mark.parametrize("params", GRID, ids=name)
def test_narration_differs_from_step_to_step_and_quotes_the_numbers(params):
    words, found = said(**params), values_of(**params)
    assert len(set(words)) == len(words) == (3 if params["gpu"] in ("H100", "H200") else 2)
    assert f"{found['bandwidth'] / 1e9:,.0f}\u00a0GB/s" in words[ROOF]
    assert f"{found['peak'] / 1e12:,.1f}".removesuffix(".0") in words[ROOF]
    assert f"{found['ridge']:,.{2 if found['ridge'] < 10 else 1}f}\u00a0FLOP/B" in words[ROOF]
    limit = "memory" if found["intensity"] < found["ridge"] else "arithmetic"
    assert f"{limit} is the limit" in words[MEET].lower()
    for sentence in words:
        assert re.search(r"[^.]\.$", sentence), sentence
        assert len(sentence) <= 190


def test_missing_precision_is_said():
    assert "BF16 tensor cores (there are none for FP8)" in said(gpu="A100", precision="FP8")[ROOF]
    assert "none for" not in said(gpu="H100", precision="FP8")[ROOF]


def test_copy_has_no_intensity_and_says_so():
    assert "its intensity is 0" in said(kernel="copy")[MEET]
    assert frame({"kernel": "copy"}, MEET)["time-arithmetic"].shape["width"] == 0


def decades(value, span, room):
    """Where a value lies on a logarithmic axis: by hand, in natural logarithms."""
    return room * math.log(value / span[0]) / math.log(span[1] / span[0])


@pytest.mark.parametrize("params", GRID, ids=name)
def test_dot_stands_at_its_intensity_and_its_rate(params):
    found, drawn = values_of(**params), frame(params, MEET)
    left, top, right, bottom = (
        bounds(drawn["x-axis"])[0],
        WIDE.plot.y,
        bounds(drawn["x-axis"])[2],
        bounds(drawn["x-axis"])[1],
    )
    here = drawn["intensity" if params["kernel"] == ANY else "here"].shape
    if not found["flops"]:
        assert (here["cx"], here["cy"]) == (left, bottom)
        return
    assert here["cx"] == pytest.approx(left + decades(found["intensity"], INTENSITIES, right - left), abs=0.01)
    assert here["cy"] == pytest.approx(bottom - decades(found["attainable"] / 1e12, RATES, bottom - top), abs=0.01)
    ridge = drawn["ridge-line"].shape["x1"]
    assert ridge == pytest.approx(left + decades(found["ridge"], INTENSITIES, right - left), abs=0.01)
    assert (here["cx"] < ridge) == (found["intensity"] < found["ridge"])


@pytest.mark.parametrize("stage", [NARROW, WIDE])
@pytest.mark.parametrize("params", [{}, {"gpu": "A100", "precision": "FP32", "intensity": 8.0}], ids=str)
def test_dot_is_dragged_along_the_roof(stage, params):
    marks = {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[-1], stage.width)}
    knob, chosen = marks["intensity"], SCENE.run(**params).result
    assert (knob.shape["cx"], knob.shape["cy"]) == knob.handle.rail[ANY_INTENSITIES.index(chosen.any_intensity)]
    for intensity, (x, y) in zip(ANY_INTENSITIES, knob.handle.rail, strict=True):
        rate = min(chosen.case.peak, intensity * chosen.case.bandwidth)
        assert (x, y) == pytest.approx((stage.x(intensity), stage.y(rate)))


def test_the_limit_changes_at_the_ridge():
    limits = [SCENE.run(intensity=at).result.case.bound for at in ANY_INTENSITIES]
    assert [limit == MEMORY for limit in limits] == [at < 295.2 for at in ANY_INTENSITIES]


@pytest.mark.parametrize(
    "params", [{}, {"gpu": "B200", "precision": "FP4"}, {"gpu": "A100", "precision": "FP32"}], ids=str
)
def test_dot_goes_along_the_roof_and_never_leaves_it(params):
    chosen = SCENE.run(**params).result
    places = []
    for beat in range(8):
        probe = frame(params, ROOF, beat=beat)["probe"].shape
        places.append((probe["cx"], probe["cy"]))
    slope, end = WIDE.slope(chosen.case.bandwidth, chosen.case.ridge), WIDE.plot.right
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert min(math.dist(place, slope[1]) for place in places) < 0.5  # a beat on the ridge: no corner is cut
    assert places[-1] == (pytest.approx(end), pytest.approx(WIDE.y(chosen.case.peak)))


@pytest.mark.parametrize("params", [{}, {"intensity": 8.0}, {"kernel": "gemm-512"}, {"kernel": "prefill"}], ids=str)
def test_dot_comes_back_along_the_roof_to_the_chosen_kernel(params):
    assert "chosen" not in frame(params, ROOF)  # nothing stands there without its name
    run = SCENE.run(**params)
    case, beats = run.result.case, len(run.chapters[MEET].states) - 1
    probes = [frame(params, MEET, beat=beat)["probe"].shape for beat in range(beats)]
    places, ridge = [(shape["cx"], shape["cy"]) for shape in probes], (WIDE.x(case.ridge), WIDE.y(case.peak))
    wanted = [*([ridge] if case.bound == MEMORY else []), WIDE.dot(case)]
    assert places[:: max(beats - 1, 1)] == [pytest.approx(place) for place in wanted]
    assert "probe" not in frame(params, MEET)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_gpu_is_tied_to_its_roof_and_one_roof_to_two(width):
    ends = frame({}, MEET, width)["gpu-ends"].shape["d"]
    starts = re.findall(r"M([\d. ]+)", ends)
    assert len(starts) == len(GPUS) and len({*starts}) == len(GPUS) - 1  # the H100 and the H200 compute alike


@pytest.mark.parametrize("params", GRID[::9], ids=name)
def test_bars_are_as_long_as_their_times(params):
    found, drawn = values_of(**params), frame(params, MEET)
    full = drawn["time-memory-track"].shape["width"]
    for key in ("memory", "arithmetic"):
        length = full * found[f"{key}_time"] / found["time"]
        assert drawn[f"time-{key}"].shape["width"] == pytest.approx(max(length, 1 if length else 0))


def test_dots_and_names_of_gpus_can_be_pressed():
    drawn = frame({}, MEET)
    assert drawn["kernel-gemv"].set == {"kernel": "gemv"}
    assert drawn["kernel-gemm-512"].read == "gemm-512: 170.7\u00a0FLOP/B"
    assert drawn["gpu-B200"].set == {"gpu": "B200"}
    assert not drawn["gpu-H100"].set


def test_a_kernel_can_be_let_go_of_where_it_stands():
    drawn = frame({"kernel": "gemm-512"}, MEET)
    assert drawn["here"].set == {"kernel": ANY, "intensity": "161.0"}
    assert "intensity" not in drawn


def test_a_kernel_whose_data_stay_in_l2_seems_to_beat_the_roof():
    """The result as plain JSON: an oracle that shares no code with the scene."""
    (series,) = json.loads((FOLDER / "h100/elementwise.json").read_text())["series"]
    seen = {(one["at"]["mode"], one["at"]["size"]): one["median"] for one in series["points"]}
    found = values_of()
    assert found["measured_again"] == seen["20 launches", 14 << 20] > 1.3 * found["bandwidth"]
    assert found["measured_flushed"] == seen["flushed", 14 << 20]
    assert found["measured_large"] == seen["flushed", 1 << 30] > 0.9 * found["bandwidth"]
    assert f"{found['measured_again'] / 1e12:.2f}\u00a0TB/s" in SCENE.leaves_out


def test_scene_says_nothing_of_what_nobody_measured(monkeypatch):
    monkeypatch.setattr(measured, "results", lambda name: {})
    assert (measured.values(), measured.remark()) == ({}, "")


def measured_points(effect, series):
    """A series of the result as plain JSON."""
    told = json.loads((FOLDER / f"h100/{effect}.json").read_text())
    return next(one["points"] for one in told["series"] if one["id"] == series)


@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_under_on_and_over_the_roof_as_kernels_ran(width):
    drawn = frame({"precision": "BF16"}, MACHINE, width)
    rings = {
        mark.read.split(",")[0]: mark.shape for key, mark in drawn.items() if key.startswith("measured-") and mark.read
    }
    ten, thousand = drawn["y-grid-10"].shape["y1"], drawn["y-grid-1000"].shape["y1"]
    decade = (thousand - ten) / 2
    one_tera = ten - decade
    moved = {(one["at"]["mode"], one["at"]["size"]): one["median"] for one in measured_points("elementwise", "moved")}
    product = next(one["median"] for one in measured_points("precision", "rate") if one["at"]["format"] == "bf16")
    wanted = {
        "2 x + 1 of 1 MiB": 0.25 * moved["flushed", 1 << 20],
        "2 x + 1 of 1 GiB": 0.25 * moved["flushed", 1 << 30],
        "2 x + 1 of 14 MiB": 0.25 * moved["20 launches", 14 << 20],
        "8": product,
    }
    for name, rate in wanted.items():
        assert rings[name]["cy"] == pytest.approx(one_tera + math.log10(rate / 1e12) * decade), name
    low, roof, high = (wanted[f"2 x + 1 of {size}"] / 0.25 for size in ("1 MiB", "1 GiB", "14 MiB"))
    assert low < 0.2 * 3.352e12 < 0.9 * 3.352e12 < roof < 3.352e12 < high


def test_rings_belong_to_the_gpu_and_the_precision():
    def told(**params):
        drawn = frame(params, MACHINE)
        return [mark.read for key, mark in drawn.items() if key.startswith("measured-") and mark.read]

    assert len(told(precision="BF16")) == 5 and len(told(precision="FP8")) == 4 and len(told(precision="FP4")) == 3
    assert all("H200" in one for one in told(gpu="H200", precision="BF16")) and told(gpu="H200")
    assert [one.name for one in SCENE.run(gpu="B200").chapters] == ["roof", "meet"]


def test_what_was_measured_has_a_step_of_its_own_and_says_what_came():
    assert not [key for key in frame({}, MEET) if key.startswith("measured")]
    reached = max(one["median"] for one in measured_points("precision", "rate") if one["at"]["format"] == "bf16")
    assert f"reached {reached / 1e12:.0f}\u00a0TFLOP/s, {100 * reached / 989.4e12:.0f}% of the peak" in said()[MACHINE]
    assert "a product" not in said(precision="FP4")[MACHINE]


def test_roofs_of_other_gpus_are_whole_while_the_roof_is_built_and_then_only_their_heights():
    roofs, heights = (frame({}, step) for step in (ROOF, MEET))
    for gpu in {*GPUS} - {"H100"}:
        left, _, right, _ = bounds(roofs[f"ghost-{gpu}"])
        assert right - left == pytest.approx(WIDE.plot.width, abs=1)
        left, top, right, bottom = bounds(heights[f"ghost-end-{gpu}"])
        assert right - left < 30 and top == pytest.approx(bottom, abs=2)


def test_rings_have_the_sizes_beside_them_that_the_sentence_names():
    marks = frame({}, MACHINE, "narrow")
    assert {marks[f"measured-{at}-name"].text for at in (2, 3, 4)} == {"14 MiB", "8,192²", "4,097²"}
    marks = frame({}, MACHINE, "wide")
    names = [mark.text for key, mark in marks.items() if re.fullmatch(r"measured-\d-name", key)]
    assert names == ["1 MiB", "1 GiB", "14 MiB", "8,192²", "4,097²"]
    assert (
        marks["measured-2-name"].shape["y"] < marks["measured-1-name"].shape["y"] < marks["measured-0-name"].shape["y"]
    )
