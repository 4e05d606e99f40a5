"""Check that every rung and ring stands where the results say, that words agree, and that texts keep apart."""

import json
import math
from itertools import pairwise

import pytest

from loom.draw.extent import bounds
from loom.scene import WIDTHS
from scenes._silicon.results import FOLDER
from scenes.measured_ladder.climb import stops
from scenes.measured_ladder.drawing import SPEEDS, shown
from scenes.measured_ladder.model import known, solve
from scenes.measured_ladder.rungs import NAMES, RUNGS, UNKNOWN
from scenes.measured_ladder.scene import SCENE
from tests.boxes import answer_lines, beneath


def written(part):
    """The speeds of a result as its file has them: an oracle that shares no code with the scene."""
    series = json.loads((FOLDER / part.lower() / "matmul.json").read_text())["series"]
    points = next(one["points"] for one in series if one["id"] == "speed")
    return {one["at"]["rung"]: one for one in points}


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


@pytest.mark.parametrize("part", known())
def test_ladder_has_every_kernel_that_was_measured_in_its_order(part):
    assert [rung.result for rung in RUNGS] == list(written(part))


@pytest.mark.parametrize("part", known())
@pytest.mark.parametrize("width", WIDTHS)
def test_rings_stand_where_the_result_says_and_rungs_end_at_what_was_expected(part, width):
    drawn = marks(SCENE.run(gpu=part).steps[-1], width)
    one, thousand = drawn["tick-1"].shape["x1"], drawn["tick-1000"].shape["x1"]
    for rung in RUNGS:
        point, bar = written(part)[rung.result], drawn[f"model-{rung.id}"].shape
        for end, speed in ((drawn[f"ring-{rung.id}"].shape["cx"], point["median"]),
                           (bar["x"] + bar["width"], point["predicted"])):  # fmt: skip
            assert (end - one) / (thousand - one) == pytest.approx(math.log10(speed / 1e12) / 3, abs=1e-3)


def test_scale_holds_every_speed():
    low, high = SPEEDS.span
    for part in known():
        assert all(low < one.least <= one.most < high for one in solve(part, "strided").speeds)
        assert all(low < one.predicted < high for one in solve(part, "strided").speeds)


def test_model_stands_alone_before_anything_is_measured():
    first = marks(SCENE.run().steps[0])
    assert not [key for key in first if key.startswith("ring-")]
    assert "measured" not in SCENE.say(SCENE.run().steps[0])


@pytest.mark.parametrize("rung", NAMES)
def test_words_quote_both_numbers_and_are_short(rung):
    run = SCENE.run(rung=rung)
    expected, came = SCENE.say(run.steps[0]), SCENE.say(run.steps[1])
    assert shown(run.values[f"{rung}_model"].value) in expected
    assert came.startswith(shown(run.values[f"{rung}_measured"].value))
    assert max(len(expected), len(came)) <= 190


@pytest.mark.parametrize("part", known())
def test_ratios_that_words_mention_are_those_of_the_numbers(part):
    values = {name: value.value for name, value in SCENE.run(gpu=part).values.items()}
    assert values["coalesced_measured"] / values["strided_measured"] == pytest.approx(12, abs=0.5)
    assert values["triton_128_measured"] / values["wmma_64_measured"] == pytest.approx(9, abs=0.5)
    assert values["cublas_fp32_measured"] / values["registers_8_measured"] == pytest.approx(1.25, abs=0.03)
    assert 7 < values["cublas_tf32_measured"] / values["cublas_fp32_measured"] < 8
    assert values["cublas_tf32_ratio"] == pytest.approx(0.8, abs=0.02)
    assert values["wmma_64_ratio"] < 0.1
    assert values["burst_zeros"] / values["burst_normal"] == pytest.approx(8 / 7, abs=0.02)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda one: one.id)
def test_knob_runs_up_the_stile_from_rung_to_rung(rung, width):
    allowed, came = (marks(state, width) for state in SCENE.run(rung=rung.id).steps)
    knob, ring, wall = came["rung"], came[f"ring-{rung.id}"].shape, allowed["limit"].shape
    assert knob.handle.rail[RUNGS.index(rung)] == (knob.shape["cx"], knob.shape["cy"])
    assert knob.shape["cy"] == ring["cy"] and allowed["rung"].handle.rail == knob.handle.rail
    heights = [y for _, y in knob.handle.rail]
    assert heights == sorted(set(heights), reverse=True)  # as on a ladder
    assert len({x for x, _ in knob.handle.rail}) == 1
    assert wall["x1"] == bounds(allowed[f"model-{rung.id}"])[2]
    assert (came["runner"].shape["cx"], came["runner"].shape["cy"]) == (ring["cx"], ring["cy"])
    assert "hot" in came[f"name-{rung.id}"].role and beneath(came, "rung") == []


def test_how_far_the_ladder_leads_is_the_last_over_the_first():
    points = written("H100")
    expected = points["cuBLAS bf16"]["median"] / points["strided"]["median"]
    assert marks(SCENE.run(gpu="H100").steps[-1])["times"].text.startswith(f"{expected:,.0f}×")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda one: one.id)
def test_large_number_is_how_much_of_what_was_expected_came(rung, width):
    model, measured = SCENE.run(gpu="H100", rung=rung.id).steps
    point = written("H100")[rung.result]
    assert float(marks(model, width)["answer"].text) == pytest.approx(point["predicted"] / 1e12, rel=5e-3)
    answer = marks(measured, width)["answer"]
    share = point["median"] / point["predicted"]
    assert float(answer.text.rstrip("%")) == pytest.approx(100 * share, rel=5e-3)
    assert ("dropped" in answer.role) == (share < 0.9)


@pytest.mark.parametrize("rung", ["strided", "wmma_64", "cublas_bf16"])
def test_runner_goes_up_as_fast_as_before_and_then_as_far_as_the_kernel_came(rung):
    chapter = SCENE.run(rung=rung).chapters[1]
    came = [point["median"] for point in written("H100").values()]
    ends = [drawn[f"ring-{one.id}"].shape["cx"] for one in RUNGS for drawn in [marks(chapter.states[-1])]]
    for beat, state in enumerate(chapter.states[: 2 * len(RUNGS)]):
        drawn, place = marks(state), beat // 2
        assert sum(key.startswith("ring-") for key in drawn) == place  # it is on its way to the next
        bar, runner = drawn[f"came-{RUNGS[place].id}"].shape, drawn["runner"].shape
        assert bar["x2"] == runner["cx"] and "steady" in drawn["runner"].role
        wall = bounds(drawn[f"model-{RUNGS[place].id}"])[2]
        assert beat == 0 or runner["cx"] == (ends[place] if beat % 2 else min(ends[place - 1], wall))
        if place:
            assert float(drawn["answer"].text.rstrip("%")) < 130 and f"ring-{RUNGS[place - 1].id}" in drawn
    took = [b - a for a, b in pairwise(stop.time for stop in stops(SCENE.run(rung=rung).result))][1::2]
    allowed = [point["predicted"] for point in written("H100").values()]
    far = [abs(math.log10(b / min(a, most))) for a, b, most in zip(came, came[1:], allowed[1:], strict=False)]
    assert took[1:13] == pytest.approx([0.3 + 0.25 * tens for tens in far])
    assert chapter.times[1] <= 0.3 and chapter.times[-1] <= 12


@pytest.mark.parametrize("width", WIDTHS)
def test_large_number_is_that_of_the_rung_where_something_has_landed(width):
    model, measured = SCENE.run(gpu="H100").chapters
    for beat, state in enumerate(model.states[:-1]):
        drawn = marks(state, width)
        assert sum(key.startswith("model-") for key in drawn) == beat
        told = f"{written('H100')[RUNGS[beat - 1].result]['predicted'] / 1e12:.3g}"
        assert drawn["answer"].text == told if beat else "answer" not in drawn
    for state in measured.states[2:-1]:
        drawn = marks(state, width)
        done = sum(key.startswith("ring-") for key in drawn)
        point = written("H100")[RUNGS[done - 1].result]
        assert float(drawn["answer"].text[:-1]) == pytest.approx(100 * point["median"] / point["predicted"], rel=5e-3)


def test_opens_on_the_kernel_that_falls_shortest_of_what_was_expected():
    ladder = SCENE.run().result
    assert ladder.chosen.ratio == min(one.ratio for one in ladder.speeds)


def test_limits_are_plain_words_without_marks_of_a_text_format():
    assert not set("`*_[]") & set(SCENE.leaves_out)


CYCLES = 132 * 1.98e9 / 1e12  # of all SMs, in a second [10^12]
ALLOWED = {  # by hand: multiplications of a wavefront of 128 bytes, two operations each; and peaks [TFLOP/s]
    "strided": 2 * 32 / 33 * CYCLES,
    "coalesced": 2 * 32 / 2 * CYCLES,
    "shared_16": 2 * 32 / 2 * CYCLES,
    "shared_32": 2 * 32 / 2 * CYCLES,
    "registers_4": 2 * 32 / 0.5 * CYCLES,
    "wmma_16": 2 * 16**3 / 8 * CYCLES,
}
PEAKS = {"FP32 peak": 66.9, "TF32 peak": 494.7, "BF16 peak": 989.4}


@pytest.mark.parametrize("part", known())
def test_limit_of_a_rung_is_what_its_expected_speed_was_worked_out_from(part):
    for one in solve(part, "strided").speeds:
        if one.rung.id in ALLOWED:
            assert one.rung.limit == ("shared memory" if one.rung.id[:2] in ("sh", "re") else "L1")
            assert one.predicted == pytest.approx(ALLOWED[one.rung.id], rel=1e-3)
        else:  # all of the peak, but for a last wave that is not full
            assert 0.96 * PEAKS[one.rung.limit] <= one.predicted <= PEAKS[one.rung.limit]


@pytest.mark.parametrize("part", known())
def test_every_kernel_that_fell_short_of_its_limit_is_told_why_and_no_other(part):
    for one in solve(part, "strided").speeds:
        assert bool(one.rung.cause) == one.short == (one.ratio < 0.9)
        assert one.held_by == (one.rung.cause or one.rung.limit)


@pytest.mark.parametrize("part", known())
def test_what_held_a_kernel_up_appears_with_its_ring_and_only_a_known_loss_is_red(part):
    for state in SCENE.run(gpu=part).chapters[1].states:
        drawn = marks(state)
        for one in state.result.speeds:
            held = drawn.get(f"held-{one.rung.id}")
            assert bool(held) == (one.short and f"ring-{one.rung.id}" in drawn)  # else the limit's own name says it
            red = one.held_by != UNKNOWN
            assert not held or (held.text, "dropped" in held.role) == (one.held_by, red)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_rung_has_its_limit_behind_it_and_neighbours_share_one(width):
    drawn = marks(SCENE.run().steps[0], width)
    limits = [(rung.limit, drawn.get(f"limit-{rung.id}-words")) for rung in RUNGS]
    for before, (limit, words) in zip([None, *limits], limits, strict=False):
        assert (words is None) == (before is not None and before[0] == limit)
        assert words is None or limit.startswith(words.text)
    ends = {rung.id: bounds(drawn[f"model-{rung.id}"])[2] for rung in RUNGS}
    for rung in RUNGS:
        if words := drawn.get(f"limit-{rung.id}-words"):
            assert bounds(words)[0] > ends[rung.id]
            assert f"limit-{rung.id}" not in drawn or bounds(drawn[f"limit-{rung.id}"])[0] > ends[rung.id]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda one: one.id)
def test_beside_the_large_number_stands_what_held_the_chosen_kernel_up(rung, width):
    state = SCENE.run(rung=rung.id).steps[-1]
    assert answer_lines(marks(state, width))[-1].endswith(f"held up by: {state.result.chosen.held_by}")


def test_what_is_written_on_a_rung_keeps_clear_of_its_name_and_limits_part_the_lines_of_the_scale():
    for part in known():
        drawn = marks(SCENE.run(gpu=part).steps[-1])
        for rung in RUNGS:
            first = drawn.get(f"held-{rung.id}", drawn[f"measured-{rung.id}"])
            assert bounds(first)[0] - bounds(drawn[f"name-{rung.id}"])[2] >= 10
        limits = [mark.role for key, mark in drawn.items() if key.startswith("limit-") and mark.text]
        assert limits and all("halo" in role for role in limits)


def test_nothing_measured_is_seen_in_the_model_alone():
    drawn = marks(SCENE.run().steps[-1])
    of_runs = [mark for key, mark in drawn.items() if key.startswith(("came-", "ring-", "gap-", "held-", "measured-"))]
    assert len(of_runs) > 3 * len(RUNGS) and all("measured" in mark.role.split() for mark in of_runs)
