"""Type as it is set: words and formulas keep their distances at every size."""

from __future__ import annotations

import pytest
from browser import Visit


@pytest.mark.parametrize("face", ["", "font-style: italic", "font-weight: 600"])
def test_gap_between_words_is_as_wide_before_an_a_as_before_an_n(visit: Visit, face):
    """The space is narrow: where it is narrowed further, "on it. A" reads as one word."""
    script = """(face) => document.fonts.ready.then(() => {
      const width = (words) => {
        const span = document.createElement("span");
        span.style = `white-space: pre; font-size: 200px; ${face}`;
        document.querySelector("article p").append(Object.assign(span, { textContent: words }));
        return span.getBoundingClientRect().width;
      };
      const gaps = [..."nAJTVWXYvwy"].map((letter) => width(`. ${letter}`) - width(".") - width(letter));
      return document.fonts.load(`${face.includes("italic") ? "italic" : ""} 200px "Loom Serif"`).then(() => gaps);
    })"""
    page = visit()
    page.evaluate(script, face)  # its font is fetched
    gaps = page.evaluate(script, face)
    assert min(gaps) > 20 and max(gaps) - min(gaps) < 1


@pytest.mark.parametrize("place", ["article p", "[data-switch]", ".picture text"])
def test_small_words_are_spaced_as_large_ones_are(visit: Visit, place: str):
    """Where each letter is moved to a whole pixel, "32 passes" reads as one word."""
    script = """(place) => document.fonts.ready.then(() => {
      const old = document.querySelector(place), one = old.cloneNode();
      old.parentElement.append(one);
      const width = (words, size) => {
        one.textContent = words;
        one.style = `position: absolute; inline-size: max-content; min-inline-size: 0; max-inline-size: none;
          padding: 0; font-size: ${size}px`;
        return one.getBoundingClientRect().width;
      };
      return ["thread 31", "32 passes", "illicit"].map((words) => 100 * width(words, 12) / width(words, 1200));
    })"""
    assert visit().evaluate(script, place) == pytest.approx([1, 1, 1], abs=0.005)


def test_nothing_stands_between_a_root_and_what_follows(visit: Visit):
    """Chromium leaves room for the widest shape of the sign, so all of them are equally wide."""
    page = visit()
    page.evaluate("""() => document.querySelector("article").insertAdjacentHTML("beforeend",
        "<p><math><msqrt><mi id=under>d</mi></msqrt><mo id=next stretchy=false>)</mo></math></p>")""")
    page.evaluate("document.fonts.ready")
    under, after = (page.locator(f"#{name}").bounding_box() for name in ("under", "next"))
    assert 0 <= after["x"] - (under["x"] + under["width"]) < 2
