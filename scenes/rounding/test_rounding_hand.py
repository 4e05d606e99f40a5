"""Check the arrow of an update, which the reader drags: its knob, its label, and the view around it."""

import itertools
import re

import pytest

from loom.draw.extent import letters
from loom.scene import WIDTHS
from scenes.rounding.lens import lens
from scenes.rounding.story import UPDATES
from scenes.rounding.test_rounding_scene import GRID_OF_ALL, ROUND, STATES, SUM, marks, state, values


@pytest.mark.parametrize("width", WIDTHS)
def test_label_of_the_update_is_not_struck_through_by_its_arrow(width):
    for drawn in (marks(shown, width) for _, shown in STATES if shown.phase != "grid"):
        label, arrow = letters(drawn["update-label"]), drawn["update"].shape
        assert not (label[0] < arrow["x2"] and label[2] > arrow["x1"] and label[1] < arrow["y1"] < label[3])


def test_view_stays_while_the_arrow_is_dragged_through_two_steps():
    views = {lens(state(SUM, update=update).result.story, WIDTHS["wide"]).span for update in UPDATES if update <= 0.01}
    assert len(views) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_arrow_ends_in_a_knob_on_a_rail_that_runs_to_the_right_through_every_size(width):
    for update, format in itertools.product(UPDATES, ("E4M3", "BF16", "FP16")):
        knob = marks(state(SUM, update=update, format=format), width)["hand"]
        assert knob.handle.params == ("update",)
        place = knob.handle.rail[UPDATES.index(update)]
        assert place == pytest.approx((knob.shape["cx"], knob.shape["cy"]), abs=0.5)
        xs = [x for x, _ in knob.handle.rail]
        assert len(xs) == len(UPDATES) and xs == sorted(xs) and xs[0] >= 0 and xs[-1] <= WIDTHS[width]


def test_sum_is_one_of_ones_and_has_no_knob():
    assert "hand" not in marks(state(SUM, task="sum"))
    assert values(task="sum", format="BF16")["final"] == 256
    assert {params["update"] for params in GRID_OF_ALL if params["task"] == "sum"} == {0.001}  # where it rests


def test_knob_keeps_off_the_field_and_lines_lead_down_from_both_ends_of_its_arrow():
    drawn = marks(state(ROUND, update=0.006), "narrow")
    assert drawn["hand"].shape["cy"] + drawn["hand"].shape["r"] + 8 <= drawn["field"].shape["y"]
    ends = [float(x) for x in re.findall(r"M([\d.]+)", drawn["drop"].shape["d"])]
    assert ends == pytest.approx([drawn["update"].shape[x] for x in ("x1", "x2")], abs=0.5)
