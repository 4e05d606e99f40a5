"""Check the number of bits and the words beside it, which belong together while it grows."""

import pytest

from loom.scene import WIDTHS
from scenes.k_quants.scene import SCENE


@pytest.mark.parametrize("width", WIDTHS)
def test_words_beside_the_bits_stay_where_they_are_while_the_number_grows(width):
    for params in ({}, {"type": "Q2_K"}, {"type": "Q6_K"}, {"type": "Q4_1"}):
        pictures = [SCENE.draw(state, WIDTHS[width]) for one in SCENE.run(**params).chapters for state in one.states]
        found = {mark.shape["x"] for marks in pictures for mark in marks if mark.key.startswith("answer-words")}
        assert len(found) == 1, params
