"""Quotes, dashes and ellipses are set as a printer does; what may be code, a path or a number is as it was written."""

from __future__ import annotations

import pytest

from tests.sites import built, page, site, words


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("so -- *perhaps* -- it is", "so – perhaps – it is"),
        ("1990--2000 and word---word", "1990–2000 and word—word"),
        ("and so on... or *not*...", "and so on… or not…"),
        ("`a` -- `b`...", "a – b…"),
        ("\"word\" and 'word'", "“word” and ‘word’"),
    ],
)
def test_dashes_ellipses_and_quotes_are_set(tmp_path, written, shown):
    assert words(page(built(site(tmp_path, index=f"# A\n\n{written}\n"))).find(".//article/p")) == shown


@pytest.mark.parametrize(
    "written",
    ["cd ../a and ../../b", "0..n and 0..=n and 1....2", "the cases (a), (b), (c) and (r)", "--all is an option",
     "or --all", "card--wide", "why????? no!!!!!", "a,, b", "2 +- 1", "https://example.org/a...b--c", ".../a"],
)  # fmt: skip
def test_what_may_mean_something_else_is_as_it_was_written(tmp_path, written):
    assert words(page(built(site(tmp_path, index=f"# A\n\n{written}\n"))).find(".//article/p")) == written
