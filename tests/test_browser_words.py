"""A German site in a browser: what the player, the switches and the style sheet say is German."""

from __future__ import annotations

import re

import pytest
from browser import Figure, Visit, serving
from playwright.sync_api import expect

from tests.sites import built, toy_site


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """Where a site in German is served."""
    text = "# Probe\n\n{cite:figure}`toy2020`\n\n:::{scene} toy\n:::\n"
    home = toy_site(tmp_path_factory.mktemp("german"), index=text, **{"site.yml": "language: de\n"})
    with serving(built(home), "/") as address:
        yield address


@pytest.fixture
def visit(visitor, german) -> Visit:
    return visitor(german)


def test_pressed_button_says_that_it_stops(visit):
    figure = Figure(visit(), "toy")
    play = figure.part("play")
    expect(play).to_have_attribute("aria-label", "Abspielen")
    play.click()
    expect(play).to_have_attribute("aria-label", "Anhalten")
    expect(play).to_have_attribute("aria-label", "Abspielen", timeout=10_000)  # at the end of the story
    expect(figure.part("scrub")).to_have_attribute("aria-valuetext", "Schritt 2 von 2")
    expect(figure.part("dots").locator("button").first).to_have_attribute("title", re.compile("^Schritt 1: "))


def test_switches_say_their_choices(visit):
    switch = visit().locator("[data-switch=theme]")
    for words in ("automatisch", "hell", "dunkel", "automatisch"):
        expect(switch).to_have_text(f"Licht: {words}")
        switch.click()


def test_card_says_what_a_source_is_for(visit):
    page = visit()
    page.locator("a.cite").first.click()
    said = page.locator("#-card").evaluate("(card) => getComputedStyle(card, '::before').content")
    assert said == '"Wo diese Zahl steht"'


def test_scene_that_has_no_data_says_so(visit):
    page = visit()
    page.route("**/*.json", lambda route: route.fulfill(status=500))
    page.reload()
    expect(page.locator(".trouble")).to_have_text(
        "Diese Szene lässt sich hier nicht abspielen (Status 500). Bild und Worte bleiben."
    )
    noise = [sound for sound in visit.noise if "Failed to load resource" not in sound]
    visit.noise.clear()
    assert noise == []
