"""Check what the reader meets: values, table, words and places on the picture agree with the model."""

import itertools
import math
import re

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes.roofline.kernels import KERNELS
from scenes.roofline.machines import GPUS, PRECISIONS
from scenes.roofline.scene import SCENE
from scenes.roofline.stage import INTENSITIES, RATES

GRID = list(SCENE.grid())
SLOPE, CEILING, INTENSITY, MEET = range(4)
NAMES = [re.compile(pattern) for pattern in (r"name-", r"here-name", r"gpu-")]


def name(params):
    return "-".join(map(str, params.values()))


def values_of(**params):
    return {key: value.value for key, value in SCENE.run(**params).values.items()}


def said(**params):
    return [SCENE.say(state) for state in SCENE.run(**params).steps]


def frame(params, step, width="wide"):
    """The marks of one step, by key."""
    return {mark.key: mark for mark in SCENE.draw(SCENE.run(**params).steps[step], WIDTHS[width])}


def test_grid_has_every_choice():
    assert len(GRID) == len(GPUS) * len(PRECISIONS) * len(KERNELS) == 128


def test_opening_is_a_kernel_limited_by_memory():
    found = values_of()
    assert found["peak"] == 989.4e12
    assert found["bandwidth"] == 3352e9
    assert found["attainable"] == pytest.approx(3.351e12, rel=5e-4)
    assert found["share"] == pytest.approx(100 / 295.2, rel=1e-3)
    assert "Memory is the limit" in said()[SCENE.opening - 1]


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
    assert len(set(words)) == len(words) == 4
    assert f"{found['bandwidth'] / 1e9:,.0f}\u00a0GB/s" in words[SLOPE]
    assert f"{found['peak'] / 1e12:,.1f}".removesuffix(".0") in words[CEILING]
    assert f"{found['ridge']:,.{2 if found['ridge'] < 10 else 1}f}\u00a0FLOP/B" in words[CEILING]
    limit = "Memory" if found["intensity"] < found["ridge"] else "Arithmetic"
    assert words[MEET].startswith(f"{limit} is the limit")
    for sentence in words:
        assert re.search(r"[^.]\.$", sentence), sentence
        assert len(sentence) < 340


def test_missing_precision_is_said_and_drawn_as_missing():
    assert "the A100 has no FP8 tensor-core rate and falls back to BF16" in said(gpu="A100", precision="FP8")[
        CEILING].replace("The", "the")  # fmt: skip
    drawn = frame({"gpu": "H100", "precision": "FP4"}, MEET)
    assert drawn["peak-head"].text == "no FP4: peak in FP8"
    assert " ".join(mark.text for key, mark in drawn.items() if key.startswith("lacking")) == (
        "No FP4; drawn instead: A100 in BF16; H100, H200 in FP8"
    )
    assert not any(key.startswith("lacking") for key in frame({"precision": "BF16"}, MEET))


def test_copy_has_no_intensity_and_says_so():
    words = said(kernel="copy")
    assert "0\u00a0FLOP/B" in words[INTENSITY]
    assert "no arithmetic" in words[MEET]
    assert "across" not in frame({"kernel": "copy"}, MEET)


def decades(value, span, room):
    """Where a value lies on a logarithmic axis: by hand, in natural logarithms."""
    return room * math.log(value / span[0]) / math.log(span[1] / span[0])


@pytest.mark.parametrize("params", GRID, ids=name)
def test_dot_stands_at_its_intensity_and_its_rate(params):
    found, drawn = values_of(**params), frame(params, MEET)
    left, top, right, bottom = bounds(drawn["x-axis"])[0], 46, bounds(drawn["x-axis"])[2], bounds(drawn["x-axis"])[1]
    here = drawn["here"].shape
    if not found["flops"]:
        assert (here["cx"], here["cy"]) == (left, bottom)
        return
    assert here["cx"] == pytest.approx(left + decades(found["intensity"], INTENSITIES, right - left), abs=0.01)
    assert here["cy"] == pytest.approx(bottom - decades(found["attainable"] / 1e12, RATES, bottom - top), abs=0.01)
    ridge = drawn["ridge"].shape
    assert ridge["cx"] == pytest.approx(left + decades(found["ridge"], INTENSITIES, right - left), abs=0.01)
    assert (here["cx"] < ridge["cx"]) == (found["intensity"] < found["ridge"])


def boxes(drawn):
    """The room of every name on the plot."""
    return {key: bounds(mark) for key, mark in drawn.items() if any(pattern.match(key) for pattern in NAMES)}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", GRID, ids=name)
def test_names_keep_apart_from_each_other_and_off_the_line_of_the_chosen_kernel(params, width):
    drawn = frame(params, MEET, width)
    found = boxes(drawn)
    assert len(found) == len(KERNELS) + len(GPUS)
    for (one, a), (other, b) in itertools.combinations(found.items(), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 3 or b[3] <= a[1] + 3
        assert apart, (one, other)
    here = drawn["here"].shape
    for key, (left, _, right, bottom) in found.items():
        assert not (left < here["cx"] < right and bottom > here["cy"] + 2) or params["kernel"] == "copy", key


@pytest.mark.parametrize("params", GRID[::9], ids=name)
def test_bars_are_as_long_as_their_times(params):
    found, drawn = values_of(**params), frame(params, MEET)
    full = drawn["time-memory-track"].shape["width"]
    for key in ("memory", "arithmetic"):
        length = full * found[f"{key}_time"] / found["time"]
        assert drawn[f"time-{key}"].shape["width"] == pytest.approx(max(length, 1 if length else 0))


def test_dots_and_ridges_can_be_pressed():
    drawn = frame({}, MEET)
    assert drawn["kernel-gemv"].set == {"kernel": "gemv"}
    assert drawn["ridge-B200"].set == {"gpu": "B200"}
    assert "kernel-decode" not in drawn
    assert "ridge-H100" not in drawn


def test_slope_alone_is_read_at_three_places_before_there_is_a_ceiling():
    drawn = frame({}, SLOPE)
    assert drawn["read-10-label"].text == "10 FLOP/B: 33.52\u00a0TFLOP/s"
    assert "ceiling" not in drawn
    assert "here" not in drawn
