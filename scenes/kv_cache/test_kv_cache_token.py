"""Check one token's keys and values: how many there are, how large, and which query heads read them."""

import itertools

import pytest

from loom.scene import WIDTHS
from scenes._serving.shapes import SHAPES
from scenes.kv_cache.model import kv_heads
from scenes.kv_cache.scene import SCENE


def marks(state, width="wide"):
    return {mark.key: mark for mark in SCENE.draw(state, WIDTHS[width])}


def lines(mark):
    """The lines of a path, as points."""
    return [tuple(tuple(map(float, point.split())) for point in line.split("L"))
            for line in mark.shape["d"].split("M")[1:]]  # fmt: skip


def size_of(rival, phase):
    return rival.token if phase == "token" else rival.layer_token / (4 if rival.scheme == "CSA" else 1)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", SHAPES)
def test_boxes_of_one_token_are_together_as_wide_as_what_it_leaves(width, model):
    for state in SCENE.run(model=model).steps[:2]:
        drawn, rivals = marks(state, width), state.result.cache.rivals
        widths = {}
        for rival in rivals:
            boxes = set(lines(drawn[f"{rival.scheme}-token"]))
            assert len(boxes) == max(kv_heads(rival.shape, rival.scheme), 1)
            each = sum(right[0] - left[0] for left, right, *_ in boxes) / len(boxes)
            widths[rival.scheme] = len(boxes) * (each + min(1, each / 3))  # with the gap behind each
        for rival in rivals:
            left, most = size_of(rival, state.phase), size_of(rivals[0], state.phase)
            assert widths[rival.scheme] == pytest.approx(max(left / most * widths["MHA"], 2), rel=0.12, abs=1.2)
            said = drawn[f"{rival.scheme}-token-size"].text
            assert said.endswith("B") and (left >= 10**6 or said == f"{round(left):,}\u00a0B")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", SHAPES)
def test_a_thread_leads_from_each_query_head_to_the_keys_that_it_shares_with_its_neighbours(width, model):
    state = SCENE.run(model=model).steps[0]
    drawn = marks(state, width)
    for rival in state.result.cache.rivals:
        threads = lines(drawn[f"{rival.scheme}-threads"])
        boxes = sorted({(left[0], right[0]) for left, right, *_ in lines(drawn[f"{rival.scheme}-token"])})
        heads, keys = rival.shape.heads, max(kv_heads(rival.shape, rival.scheme), 1)
        assert len(threads) == heads and [line[0] for line in threads] == sorted(line[0] for line in threads)
        for query, thread in enumerate(threads):
            left, right = boxes[query * keys // heads]
            assert left <= thread[-1][0] <= right
    assert not any(key.endswith("-threads") for key in marks(SCENE.run(model=model).steps[1], width))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("model", SHAPES)
def test_threads_run_upright_or_along_one_line_so_that_many_are_no_patch(width, model):
    state = SCENE.run(model=model).steps[0]
    drawn = marks(state, width)
    for rival in state.result.cache.rivals:
        for thread in lines(drawn[f"{rival.scheme}-threads"]):
            steps = list(itertools.pairwise(thread))
            assert all(before[0] == after[0] or before[1] == after[1] for before, after in steps)


@pytest.mark.parametrize("model", SHAPES)
def test_heads_of_the_model_are_first_apart_and_then_share(model):
    before, after = (marks(state) for state in SCENE.run(model=model).chapters[0].states)
    own = SHAPES[model].shipped
    assert len(set(lines(before[f"{own}-token"]))) == SHAPES[model].heads
    assert len(lines(before[f"{own}-token"])) == len(lines(after[f"{own}-token"]))
    assert f"{own}-token-size" not in before and f"{own}-token-size" in after
    assert before["MHA-token"] == after["MHA-token"]
