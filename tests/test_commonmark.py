"""Every example of the CommonMark Spec, and GitHub's additions beside its own parser: the same, or a reason why not."""

from __future__ import annotations

import json
from pathlib import Path

import cmarkgfm
import pytest
import yaml

from tests.commonmark.reading import ours, shape

FOLDER = Path(__file__).parent / "commonmark"
GFM = json.loads((FOLDER / "gfm.json").read_text(encoding="utf-8"))["examples"]
GFM_REASONS = yaml.safe_load((FOLDER / "gfm_deviations.yml").read_text(encoding="utf-8"))
SPEC = json.loads((FOLDER / "spec.json").read_text(encoding="utf-8"))["examples"]
REASONS = yaml.safe_load((FOLDER / "deviations.yml").read_text(encoding="utf-8"))
DEVIATES = {number: one["reason"] for one in REASONS for number in one["examples"]}


@pytest.mark.parametrize(
    ("number", "markdown", "html"),
    [pytest.param(number, markdown, html, id=f"{number}-{section}") for number, section, markdown, html in SPEC],
)
def test_example_of_the_specification_is_read_as_there_or_has_its_reason(number, markdown, html):
    assert (ours(markdown) == shape(html)) == (number not in DEVIATES)


@pytest.mark.parametrize(
    ("number", "markdown", "html"),
    [pytest.param(number, markdown, html, id=f"{number}-{section}") for number, section, markdown, html in GFM],
)
def test_example_of_an_extension_is_read_as_in_githubs_specification_or_has_its_reason(number, markdown, html):
    deviates = {number for one in GFM_REASONS for number in one["examples"]}
    assert (ours(markdown) == shape(html)) == (number not in deviates)


@pytest.mark.parametrize(("reasons", "examples", "most"), [(REASONS, SPEC, 54), (GFM_REASONS, GFM, 12)])
def test_every_deviation_is_an_example_and_has_one_reason(reasons, examples, most):
    listed = [number for one in reasons for number in one["examples"]]
    assert len(listed) == len(set(listed)) and set(listed) <= {number for number, *_ in examples}
    assert len(listed) <= most and all(one["reason"] for one in reasons)


GITHUB = [
    "| a | b |\n| --- | --- |\n| c | d |\n",
    "| a | b |\n| :-: | --: |\n| c | d |\n| e |\n",
    "| a |\n| --- |\n| c \\| d |\n| `e \\| f` |\n| **g \\| h** |\n",
    "| a | b |\n| --- | --- |\n| c | d |\n> quote\n",
    "| a | b |\n| --- | --- |\n| c | d |\ntext\n\nmore\n",
    "| a | b |\n| --- |\n| c |\n",
    "| a | b |\n| --- | --- |\n| c |\n| d | e | f |\n",
    "| a | b |\n| --- | --- |\n",
    "text\n| a | b |\n| --- | --- |\n| c | d |\n",
    "- [ ] write\n- [x] read\n",
    "- [x] write\n  - [ ] read\n  - [X] more\n- text\n",
    "- [ ]\n- [y] a\n",
    "1. [x] *write*\n",
    "~~Hi~~ there\n",
    "~~This has a\n\nnew paragraph~~.\n",
    "(see https://example.org/a_b?q=x+y(z))\n",
    "https://example.org/a?b=1&c=2&hl; https://example.org.\n",
    "`https://example.org` [https://example.org](/x)\n",
    "http://example.org/a**b** https://example.org/<x\n",
    "a^b and [^a]: no\n",
]
# GitHub's, and not ours: an address without a scheme could be a file's name, and a person's should not be gathered.
OTHERWISE = ["www.example.org\n", "anna@example.org\n", "~one~ tilde\n"]


def github(markdown: str):
    extensions = ["table", "tasklist", "strikethrough", "autolink"]
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    return shape(cmarkgfm.markdown_to_html_with_extensions(markdown, options, extensions))


@pytest.mark.parametrize("markdown", GITHUB)
def test_what_github_adds_is_read_as_there(markdown):
    assert ours(markdown) == github(markdown)


@pytest.mark.parametrize("markdown", OTHERWISE)
def test_what_is_not_read_as_on_github_is_known(markdown):
    assert ours(markdown) != github(markdown)
