"""Check two sources against waves that are added up moment by moment, and against geometry."""

import itertools
import math

import numpy as np
import pytest

from loom.draw import bounds
from loom.scene import WIDTHS

from .model import DISTANCES, SIDE, Pair, still_angles, strength, wave
from .scene import SCENE


@pytest.mark.parametrize("distance", DISTANCES)
def test_strength_is_the_mean_square_of_many_moments(distance):
    draws = np.random.default_rng(1)
    x, y = draws.uniform(0, SIDE, 50), draws.uniform(-3, 3, 50)
    times = np.linspace(0, 1, 64, endpoint=False)
    squares = [(wave(distance / 2, x, y, at) + wave(-distance / 2, x, y, at)) ** 2 for at in times]
    assert np.mean(squares, axis=0) / 2 == pytest.approx(strength(distance, x, y), abs=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
def test_far_away_nothing_arrives_in_the_still_directions_and_something_between_them(distance):
    far = 1e5
    angles = np.radians(still_angles(distance))
    assert strength(distance, far * np.cos(angles), far * np.sin(angles)) == pytest.approx(0, abs=1e-6)
    between = np.radians(np.array([0, *still_angles(distance)]))
    middles = np.arcsin((np.sin(between[:-1]) + np.sin(between[1:])) / 2)
    assert (strength(distance, far * np.cos(middles), far * np.sin(middles)) > 0.2).all()


def test_sources_half_a_wavelength_apart_are_still_along_their_line():
    assert still_angles(0.5) == [pytest.approx(90)]  # Feynman I, section 29-4: no intensity along their own axis
    assert still_angles(2) == pytest.approx([math.degrees(math.asin(0.25)), math.degrees(math.asin(0.75))])


def test_number_of_still_directions_never_falls_with_the_distance():
    counts = [len(still_angles(distance)) for distance in DISTANCES]
    assert counts == sorted(counts) and counts[0] == 1


def test_square_has_its_lowest_row_first():
    pair = Pair(2.0)
    x, y = pair.places
    assert pair.picture("one")[-1, 0] == pytest.approx(wave(1.0, x[0], y[-1]))


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("distance", (DISTANCES[0], 2.0, DISTANCES[-1]))
def test_words_keep_apart_at_every_step(width, distance):
    for step in SCENE.run(distance=distance).steps:
        texts = [bounds(mark) for mark in SCENE.draw(step, width) if mark.tag == "text"]
        for one, other in itertools.combinations(texts, 2):
            wide, tall = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
            assert wide <= 0.5 or tall <= 2.5
