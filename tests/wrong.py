"""Values that are not what a scene should give, and a scene into which they can be put."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
import numpy as np
from hypothesis import strategies as st

from loom.draw import Box, Mark, Pen
from loom.errors import LoomError, Problem
from loom.expected import Mistaken
from loom.scene import Choice, Column, Scene, Table, Value
from loom.scenes.combine import combine
from loom.scenes.draw_variants import draw as draw_variants
from loom.scenes.load import LoadedScene, check_scene, scene_problems
from loom.scenes.mark_problems import MarkProblems
from loom.scenes.mark_table import MarkTable, MistypedError
from loom.scenes.run import VariantRun

FOLDER = Path(__file__).parent


class Odd:
    """An object that nothing knows, whose words would be a place in memory."""


class Fresh(NamedTuple):
    """Something that is used up by being looked at, so that it is made where it is given."""

    make: Callable[[], Any]


def fresh(value: Any) -> Any:
    """A value, or what is to be made."""
    return value.make() if isinstance(value, Fresh) else value


def pieces() -> Iterator[Mark]:
    """A part of a drawing."""
    yield Pen(328).text("part", 0, 20, "part")


PLAIN: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10**400, 2.5, float("nan"), float("inf"), 2j, "", "six", "4", "data", "a\x00b",
    "\ud800", b"six", [], (), {}, {1}, [1, 2], (1, None), ["six"], {"six": 6}, {"mode": "fast"}, {1: 2}, range(3),
    Odd, Odd(), [Odd()], repr, pieces,
    Decimal("1.5"), Fraction(1, 3), date(2026, 11, 20), Path("six"), Ellipsis, NotImplemented,
    np.arange(3), np.array(1.5), np.array([]), np.eye(2), np.float32(2.5), np.int64(2), np.bool_(True), np.str_("six"),
    np.array(["six"]), np.array([None]), Box(0, 0, 1, 1), Box("six", None, 1, 1), Value(1),
    Column("a", "b"), ValueError("six"),
]  # fmt: skip
MADE: list[Callable[[], Any]] = [pieces, lambda: iter([1]), lambda: (at for at in "six"), lambda: {}.values()]
odd = st.one_of(
    st.sampled_from(PLAIN),
    st.sampled_from(MADE).map(Fresh),
    st.recursive(
        st.sampled_from([None, 1, 2.5, "six", Odd(), pieces]),
        lambda inner: st.one_of(
            st.lists(inner, max_size=2), st.tuples(inner), st.dictionaries(st.text(max_size=2), inner, max_size=2)
        ),
        max_leaves=4,
    ),
    st.integers(), st.floats(), st.text(max_size=3), st.complex_numbers(), st.binary(max_size=2),
)  # fmt: skip


def draw(state: Any, width: float) -> Iterator[Mark]:
    yield Pen(width).rect("bar", Box(0, 20, 40, 12))


def say(state: Any) -> str:
    return f"Step {state}."


def table(**_: Any) -> Table:
    return Table((Column("at", "step"), Column("share", "share", digits=1)), [(1, 2.5)])


def values(**_: Any) -> dict[str, Value]:
    return {"size": Value(1.5, "B")}


GOOD: dict[str, Any] = {
    "title": "A toy", "summary": "It stands.", "leaves_out": "All.", "sources": ("toy2020",),
    "params": (Choice("mode", "Mode", ("fast", "slow")),), "steps": lambda mode: [1, 2], "draw": draw, "say": say,
    "table": table, "values": values,
}  # fmt: skip


def drawn(draw: Callable[..., Any]) -> list[Problem]:
    """What is said of a drawing at one width."""
    found = LoadedScene("toy", "scenes/toy/scene.py", FOLDER / "toy", Scene(**{**GOOD, "draw": draw}))
    ran, paper = VariantRun(found, {"mode": "fast"}), MarkTable(found.scene, "narrow")
    told, again = MarkProblems(found), partial(ran.again, 1, 328)
    try:
        frame, wrong = paper.frame(ran.frame(1, 328, 1))
    except MistypedError as error:
        return told.mistyped(error.mistakes, again, " (step 1)")
    except LoomError as error:
        return list(error.problems)
    msgspec.json.encode([*paper.marks.rows, frame])
    return told.located(wrong, again, " (step 1)")


def told(**changes: Any) -> tuple[Problem, ...]:
    """What is said of a scene; `make` is called for its fields, as an author's file would be run."""
    make = changes.pop("make", dict)
    try:
        scene = Scene(**{**GOOD, **changes, **make()})
        found = LoadedScene("toy", "scenes/toy/scene.py", FOLDER / "toy", scene)
        check_scene(found)
        with patch("loom.scenes.determinism.load_scene", lambda *_: found):  # it stands in no file
            combine([draw_variants(found, found.scene.grid())])
    except Mistaken as error:
        return tuple(scene_problems(error, "toy", "can't be imported", FOLDER / "toy"))
    except LoomError as error:
        return error.problems
    return ()
