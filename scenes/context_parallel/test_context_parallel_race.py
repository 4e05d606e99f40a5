"""Check how one step of the ring plays: both set out together, and each time is told when it is over."""

import itertools

import pytest

from loom.draw import quantity
from loom.scene import WIDTHS
from scenes.context_parallel.chart import LENGTHS
from scenes.context_parallel.cost import Case
from scenes.context_parallel.model import LAYOUTS
from scenes.context_parallel.scene import SCENE
from tests.beats import drawn_beats

SOME = [dict(zip(("layout", "ranks", "tokens"), one, strict=True))
        for one in itertools.product(LAYOUTS, (2, 8), LENGTHS)]  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("params", SOME)
def test_transfer_and_arithmetic_set_out_together_and_end_in_their_times(params, width):
    chapter, case = next(one for one in SCENE.run(**params).chapters if one.name == "hide"), Case(**params)
    drawn = drawn_beats(SCENE, chapter.states, width)
    lasts = {"transfer": case.step_transfer, "arithmetic": case.step_work}
    unit = max(drawn[-1][f"race-{name}"].shape["width"] for name in lasts) / max(lasts.values())
    start, *ends = chapter.times[1:]
    assert start <= 0.3 and len(drawn) == len(ends) + 2
    for one, end in zip(drawn, [start, *ends, ends[-1]], strict=True):  # as far as it comes until then
        now = (end - start) / (ends[-1] - start) * max(lasts.values())
        for name, long in lasts.items():
            assert one[f"race-{name}"].shape["width"] == pytest.approx(min(now, long) * unit, abs=0.02)
    for one, at in zip(drawn, chapter.times, strict=True):
        now = (at - start) / (ends[-1] - start) * max(lasts.values())
        told = {name: one[f"race-{name}-time"].text.split(",")[0] for name in lasts if f"race-{name}-time" in one}
        assert told == {name: quantity(long, "s") for name, long in lasts.items() if long <= now * (1 + 1e-9)}
    assert ["race-waits" in one for one in drawn] == [False] * (len(drawn) - 1) + [case.step_work < case.step_transfer]
