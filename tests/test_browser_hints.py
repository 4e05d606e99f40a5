"""Words in a picture that ask for the hand: they are there where the picture answers it."""

from __future__ import annotations

import pytest
from browser import Visit
from playwright.sync_api import expect


@pytest.fixture
def visit(visitor, hand_address: str) -> Visit:
    """A visit of the site for the hand."""
    return visitor(hand_address)


@pytest.mark.parametrize("script", [True, False])
def test_words_that_ask_for_the_hand_are_there_where_a_picture_answers_it(visit: Visit, script):
    page = visit(java_script_enabled=script)
    asks = page.locator("#ramp").get_by_text("drag the knob")
    expect(asks.filter(visible=True)).to_have_count(int(script))
    page.emulate_media(media="print")
    expect(asks.filter(visible=True)).to_have_count(0)


def test_words_that_ask_for_the_hand_wait_for_the_guess(visit: Visit):
    page = visit("guess/")
    asks = page.get_by_text("drag the knob")
    expect(asks).not_to_have_count(0)
    expect(asks.filter(visible=True)).to_have_count(0)
    page.get_by_text("None.").click()
    expect(asks.filter(visible=True)).to_have_count(1)
