"""Links in Markdown: where they lead, and what is to be written where they lead nowhere."""

from __future__ import annotations

import pytest

from tests.sites import built, faults, links, page, problem, site

FRONT = "---\nsummary: A.\n---\n\n"
FILES = {
    "guide/index": f"{FRONT}# The guide\n",
    "guide/intro": f"{FRONT}# First steps\n",
    "guide/line.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
}


@pytest.mark.parametrize(
    ("start", "link", "hint"),
    [
        ("index", "guide/", "link to the Markdown file: guide/index.md"),
        ("index", "guide", "link to the Markdown file: guide/index.md"),
        ("index", "guide/intro/", "link to the Markdown file: guide/intro.md"),
        ("guide/other", "intro", "link to the Markdown file: intro.md"),
        ("guide/other", "../", "link to the Markdown file: ../index.md"),
        ("guide/other", "itnro.md", "did you mean 'intro.md'?"),
        ("guide/other", "guide/intro.md", "did you mean 'intro.md'?"),
        ("guide/other", "lnie.svg", "did you mean 'line.svg'?"),
        ("index", "guide/lnie.svg", "did you mean 'guide/line.svg'?"),
    ],
)
def test_hint_can_be_put_in_the_place_of_the_link(tmp_path, start, link, hint):
    home = {"index": f"{FRONT}# Home\n"}
    root = site(tmp_path, **{**home, **FILES, start: f"{FRONT}# Here\n\n[it]({link})\n"})
    assert problem(root).hint == hint
    written = hint.partition("'")[2].partition("'")[0] or hint.rpartition(" ")[2]
    site(root, **{start: f"{FRONT}# Here\n\n[it]({written})\n"})
    assert built(root)


def test_link_to_the_heading_of_level_1_leads_to_the_top_of_the_page(tmp_path):
    here = f"{FRONT}# My project\n\n[there](guide/intro.md#first-steps) [up](#my-project)\n"
    root = site(tmp_path, index=here, **FILES)
    assert links(page(built(root))) == {"there": "guide/intro/", "up": "./"}
    assert faults(root) == ()
