"""Check bytes against ZeRO's and Megatron's published tables, a simulation of who owns what, and counted tensors."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes._clusters.models import MODELS, VOCABULARY, Model
from scenes.training_memory.model import (
    CAPACITIES,
    MEGATRON,
    SPLITS,
    STAGES,
    TOKENS,
    ZERO,
    Training,
    floor,
    kept_for_a_token,
    layers_in_flight,
    smallest,
    states,
)

GB = 1e9
example_budget = settings(max_examples=100, deadline=None, derandomize=True)


# ZeRO paper, figure 1: 7.5B parameters on 64 GPUs. The others by its formulas, facts/scaling.md, section 1.
@pytest.mark.parametrize(
    ("parameters", "ranks", "expected"),
    [
        (7.5e9, 64, (120.00, 31.41, 16.64, 1.88)),
        (70_553_706_496, 8, (1128.9, 388.0, 264.6, 141.1)),
        (70_553_706_496, 64, (1128.9, 295.4, 156.5, 17.64)),
        (70_553_706_496, 512, (1128.9, 283.9, 143.0, 2.20)),
        (405_853_388_800, 1024, (6493.7, 1628.2, 817.3, 6.34)),
    ],
)
def test_states_are_those_of_the_zero_paper(parameters, ranks, expected):
    for stage, gigabytes in zip(STAGES, expected, strict=True):
        assert sum(states(parameters, ranks, stage)) / GB == pytest.approx(
            gigabytes, abs=0.05 if gigabytes > 100 else 0.005
        )


@pytest.mark.parametrize("ranks", [1, 8, 64])
def test_megatron_s_recipe_is_its_own_formula(ranks):
    # Megatron Core's distributed optimizer, fp32 gradients: 6 + 12/d bytes for each parameter.
    assert sum(states(1.0, ranks, 1, MEGATRON)) == pytest.approx(6 + 12 / ranks)
    assert sum(states(70_553_706_496, 64, 1, MEGATRON)) / GB == pytest.approx(436.6, abs=0.05)


def owned(parameters, ranks, stage):
    """Oracle: bytes dealt out to ranks one parameter at a time, each kind to all of them or to one in turn."""
    held = [0] * ranks
    for parameter in range(parameters):
        for size, divided_from in ((2, 3), (2, 2), (4, 1), (4, 1), (4, 1)):
            for rank in [parameter % ranks] if stage >= divided_from else range(ranks):
                held[rank] += size
    return held


@pytest.mark.parametrize(("ranks", "stage"), [*itertools.product((1, 2, 8), STAGES)])
def test_bytes_dealt_out_one_by_one_come_to_the_same(ranks, stage):
    assert owned(64, ranks, stage) == [pytest.approx(sum(states(64, ranks, stage)))] * ranks


@given(parameters=st.integers(1, 10**12), ranks=st.integers(1, 4096), stage=st.sampled_from(STAGES))
@example_budget
def test_more_ranks_never_take_more_and_never_less_than_the_floor(parameters, ranks, stage):
    here, twice = (sum(states(parameters, some, stage)) for some in (ranks, 2 * ranks))
    left = floor(parameters, stage)
    assert left <= twice <= here <= 16 * parameters * (1 + 1e-12)
    assert sum(states(parameters, 10**9, stage)) == pytest.approx(left, abs=16e-9 * parameters + 1e-6)
    assert left == parameters * (16, 4, 2, 0)[stage]


def test_largest_model_takes_81_gpus_before_the_first_token():
    one = Training("405B", 0, 1)
    assert one.states / 1e12 == pytest.approx(6.494, abs=0.0005)
    assert one.states / CAPACITIES["H100"] == pytest.approx(81.2, abs=0.05)


def tensors_of_a_layer(model: Model):
    """Oracle: each tensor that the way back needs, by its name, as numbers for a token."""
    head = model.hidden // model.heads
    return {
        "input of the first norm": model.hidden,
        "its output": model.hidden,
        "queries": model.heads * head,
        "keys": model.kv_heads * head,
        "values": model.kv_heads * head,
        "output of attention": model.heads * head,
        "input of the second norm": model.hidden,
        "its output, too": model.hidden,
        "gate": model.ffn,
        "up": model.ffn,
        "their product": model.ffn,
    }


# facts/scaling.md, section 1: bytes for a token and layer, and how near GPT's 34 h they come.
@pytest.mark.parametrize(
    ("name", "expected", "hidden"), [("8B", 139_264, 34.0), ("70B", 274_432, 33.5), ("405B", 520_192, 31.75)]
)
def test_a_layer_keeps_what_its_tensors_add_up_to(name, expected, hidden):
    model = MODELS[f"Llama 3 {name}"]
    assert kept_for_a_token(model) == expected == 2 * sum(tensors_of_a_layer(model).values())
    assert expected / model.hidden == pytest.approx(hidden, abs=0.005)


def test_recomputing_all_of_gpt_3_keeps_its_layers_inputs():
    # Korthikanti et al., table 2: 2 s b h for each layer; GPT-3 with 2,048 tokens, 96 layers of 12,288: 4.5 GiB.
    assert 2 * 2048 * 12_288 * layers_in_flight(96, 1) / 2**30 == 4.5
    one = Training("405B", 0, 1)
    assert one.recomputed == 2 * TOKENS * 16_384 * 126
    assert one.recomputed / GB == pytest.approx(33.8, abs=0.05)
    assert one.activations / GB == pytest.approx(537, abs=0.5)


def test_first_stage_of_llama_s_pipeline_holds_as_much_as_the_facts_say():
    # 8 layers, 16 microbatches, a layer of 0.533 GB: 68.2 GB; with gradients and optimizer divided, 74.9 GB.
    one = Training("405B", 2, 128, "tp8pp16")
    assert kept_for_a_token(one.shape) * TOKENS / 8 / GB == pytest.approx(0.533, abs=0.0005)
    assert one.activations / GB == pytest.approx(68.2, abs=0.05)
    assert (one.states + one.activations) / GB == pytest.approx(74.9, abs=0.05)


def in_flight(stage, pipeline, microbatches):
    """Oracle: the most forwards without their backward that a stage of 1F1B has, by its order of work."""
    warm = min(pipeline - 1 - stage, microbatches)
    order = "F" * warm + "FB" * (microbatches - warm) + "B" * warm
    depths = list(itertools.accumulate(1 if work == "F" else -1 for work in order))
    return max(depths)


@pytest.mark.parametrize("pipeline", [1, 2, 4, 16])
def test_first_stage_has_as_many_microbatches_under_way_as_there_are_stages(pipeline):
    assert layers_in_flight(128, pipeline) == 128 // pipeline * in_flight(0, pipeline, 64)


@pytest.mark.parametrize("params", [*itertools.product(("8B", "70B", "405B"), STAGES, SPLITS)], ids=str)
def test_fewest_gpus_fit_and_one_rank_less_does_not(params):
    name, stage, split = params
    for capacity, again in itertools.product(CAPACITIES.values(), (False, True)):
        one = Training(name, stage, 1, split)
        activations = one.recomputed if again else one.activations

        def fits(ranks, one=one, room=capacity - activations):
            return sum(states(one.parameters, ranks, one.stage)) <= room

        ranks, rest = divmod(one.fewest(activations, capacity), SPLITS[split].gpus)
        assert rest == 0
        assert fits(ranks) if ranks else not fits(10**12)
        assert ranks < 2 or not fits(ranks - 1)


def test_zero_2_never_fits_70b_into_80_gb():
    # Its floor is 141 GB: stages 1 and 2 leave at least the weights.
    one = Training("70B", 2, 1024)
    assert floor(one.parameters, 2) / GB == pytest.approx(141, abs=0.5)
    assert one.fewest(0) == 0


def test_smallest_gpu_is_named():
    assert [smallest(size * GB) for size in (80, 80.1, 141, 180, 181)] == ["H100", "H200", "H200", "B200", ""]


def test_vocabulary_s_scores_are_as_large_as_the_limits_say():
    scores = 4 * TOKENS * VOCABULARY
    assert scores / GB == pytest.approx(4.2, abs=0.005)
    assert sum(ZERO) == 16 and sum(MEGATRON) == 18
    assert 2 * MODELS["Llama 3 405B"].layer_weights / GB == pytest.approx(6.4, abs=0.05)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="a stage is one of"):
        states(1e9, 8, 4)
    with pytest.raises(ValueError, match="at least 1 rank"):
        states(1e9, 0, 1)
    with pytest.raises(ValueError, match="a split is one of"):
        Training("8B", 0, 1, "tp2")
