"""Shapes of models against their published sizes, and links against how they are made up."""

from __future__ import annotations

import pytest

from scenes._clusters.links import NETWORK, NVLINK
from scenes._clusters.models import LLAMA_405B, MODELS


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("Llama 3 8B", 8_030_261_248), ("Llama 3 70B", 70_553_706_496), ("Llama 3 405B", 405_853_388_800)],
)
def test_parameters_are_those_of_the_released_weights(name, parameters):
    assert MODELS[name].parameters == parameters


def test_a_layer_of_405b_has_three_billion_weights():
    assert LLAMA_405B.layer_weights == 3_187_671_040


def test_links_are_counted_in_one_direction():
    assert NVLINK == 18 * 25e9
    assert NETWORK == 400e9 / 8
