"""What stays in a drawing: a piece that is kept is drawn once, and is told once to the player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from loom.draw import Box, Mark, Pen, memoized
from loom.scene import Scene
from loom.scenes.combine import combine
from loom.scenes.draw_variants import draw as draw_variants
from loom.scenes.load import LoadedScene
from tests.wrong import FOLDER, GOOD


def weight(steps: int, layer: int) -> tuple[int, int]:
    """The bytes of a scene with so many steps and a static layer of so many marks, and how often that was drawn."""
    drawn = []

    @memoized
    def ground(width: float) -> Iterator[Mark]:
        drawn.append(width)
        for at in range(layer):
            yield Pen(width).rect(f"stone-{at}", Box(at % 20 * 10, 20 + at // 20 * 8, 8, 6))

    def draw(state: int, width: float) -> Iterator[Mark]:
        yield from ground(width)
        yield Pen(width).rect("bar", Box(0, 0, 40 + state, 12))

    changes: dict[str, Any] = {"steps": lambda mode: [*range(steps)], "draw": draw, "say": lambda state: "The same."}
    found = LoadedScene("toy", "scenes/toy/scene.py", FOLDER / "toy", Scene(**{**GOOD, **changes}))
    with patch("loom.scenes.determinism.load_scene", lambda *_: found):  # it stands in no file
        data = combine([draw_variants(found, found.scene.grid())])
    return sum(map(len, data.files.values())), len(drawn)


def test_layer_that_stays_costs_nothing_after_the_first_step():
    still, moving = weight(1, 500)[0] - weight(1, 0)[0], weight(50, 500)[0] - weight(50, 0)[0]
    assert still > 10_000 and abs(moving - still) < 500


def test_layer_that_stays_is_drawn_once_for_each_width():
    assert weight(50, 3)[1] <= 4  # and once more each, to see that the scene gives the same twice
