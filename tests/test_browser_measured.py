"""The switch between what is modelled and what was measured: style alone, and there where something was measured."""

from __future__ import annotations

import pytest
from browser import Visit
from playwright.sync_api import expect


@pytest.fixture
def visit(visitor, hand_address: str) -> Visit:
    """A visit of the site for the hand."""
    return visitor(hand_address)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_what_was_measured_and_what_is_modelled_are_seen_together_or_alone(visit: Visit, script):
    scene = visit(java_script_enabled=script).locator(".scene[id=ramp]")
    told, seen = (scene.locator(f".stage svg:visible .{manner}") for manner in ("modelled", "measured"))
    for shown, marks in (("both", (1, 1)), ("model", (1, 0)), ("measured", (0, 1))):
        scene.locator(".view select").select_option(shown)
        for mark, there in zip((told, seen), marks, strict=True):
            expect(mark).to_be_visible(visible=bool(there))


def test_scene_in_which_nothing_was_measured_does_not_ask_what_to_show(visit: Visit):
    page = visit()
    assert page.locator(".scene").count() > page.locator(".scene .view").count() > 0


@pytest.mark.parametrize("width", [360, 1280])
def test_switch_goes_where_the_picture_that_is_seen_has_nothing_measured(visit: Visit, width):
    scene = visit(width=width, java_script_enabled=False).locator(".scene[id=ramp]")
    switch = scene.locator(".view")
    expect(switch).to_be_visible()
    scene.locator(".stage svg:visible .measured").evaluate("mark => mark.remove()")  # the other picture keeps its own
    expect(switch).to_be_hidden()
