"""A scene's grid: every distinct choice once, and no walk through those that a resting parameter makes alike."""

from __future__ import annotations

import itertools

import pytest

from loom.scene import Choice, Range, Scene, Table
from loom.scenes.info import describe

FORMATS = Choice("format", "Format", ("small", "large", "huge"))
CODE = Range("code", "Code", (0, 1, 2), when={"format": ["small"]})
SIGN = Choice("sign", "Sign", ("+", "−"), when={"code": [2], "format": ["small"]})


def scene(*params: Choice) -> Scene:
    return Scene(title="A", summary="B", leaves_out="C", sources=("d",), params=params, steps=lambda **_: [0],
                 draw=lambda *_: [], say=str, table=lambda **_: Table((), []), values=lambda **_: {})  # fmt: skip


@pytest.mark.parametrize("params", list(itertools.permutations([FORMATS, CODE, SIGN])))
def test_grid_is_the_product_without_what_rests_in_the_same_order(params):
    one = scene(*params)
    names = [param.name for param in params]
    product = [dict(zip(names, values, strict=True)) for values in itertools.product(*(p.values for p in params))]
    assert list(one.grid()) == [choice for choice in product if choice == one.resting(choice)]


@pytest.mark.parametrize("params", list(itertools.permutations([FORMATS, CODE, SIGN])))
def test_what_a_parameter_that_rests_decides_about_rests_too_in_any_order(params):
    one = scene(*params)
    grid, info = list(one.grid()), describe("one", "", one)
    for format, code, sign in itertools.product(FORMATS.values, CODE.values, SIGN.values):
        settled = one.resting({"format": format, "code": code, "sign": sign})
        assert settled in grid and one.resting(settled) == settled
        assert settled["sign"] == (sign if (format, code) == ("small", 2) else "+")
        spelled = {"format": format, "code": str(code), "sign": sign}
        assert info.indices(spelled) == one.key(settled)


def test_parameter_that_rests_may_let_another_matter():
    """With `grey` there is no depth, and a depth of 8 it is; of which a palette may be chosen."""
    depth = Choice("depth", "Depth", (8, 16), when={"kind": ["colour"]})
    palette = Range("palette", "Palette", (1, 2, 3), when={"depth": [8]})
    one = scene(palette, depth, Choice("kind", "Kind", ("grey", "colour")))
    assert one.resting({"kind": "grey", "depth": 16, "palette": 3}) == {"kind": "grey", "depth": 8, "palette": 3}


def test_resting_parameters_are_not_gone_through():
    """Ten of a hundred values each would be more choices than there is time for."""
    many = [Range(f"code{i}", "Code", tuple(range(100)), when={"format": ["small"]}) for i in range(10)]
    huge = scene(Choice("format", "Format", ("large", "huge")), *many)
    assert len(list(huge.grid())) == 2
