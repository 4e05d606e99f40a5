"""A sentence with a figure rests on something, or says why not."""

from __future__ import annotations

import pytest

from loom.claims import numeric_claims
from loom.cli import main
from loom.content.source import Source
from loom.lint.claims import claim_problems
from loom.lint.run import lint
from loom.markdown.parse import parse_page
from loom.model import Meta
from loom.options import Options
from tests.sites import REFERENCES, built, faults, toy_site

UNITS = ("tokens", "layers")
SHOWN = "\n\n:::{scene} toy\n:::\n"


def claims(text: str):
    """Problems as (line, message), and the counts."""
    page, mistakes = parse_page(Source("index", "content/index.md", Meta(title="Page"), text), stated=True)
    assert not mistakes
    found, counts = claim_problems([page], UNITS)
    return [(problem.line, problem.message) for problem in found], dict(counts)


@pytest.mark.parametrize("text", [
    "It holds 80 GB.", "It moves 3.35 TB/s.", "It takes 5 µs.", "About 30 % are lost.", "It took 3 days.",
    "That came in July 2023.", "That came in 2022.", "Since PyTorch 2.10 it is there.", "Version 3 is faster.",
    "It is 3 times as fast.", "It is 1.5× faster.", "It shrinks by a factor of 8.", "It is 58-fold.",
    "It reads v2.1 files.", "It takes 16 B of 16 KiB/s.", "It grows by a factor of about 80,000.",
    "It sees 131,072 tokens.", "It has 61 transformer layers.", "It does 989 trillion FLOPs.", "It drew 700 W.",
])  # fmt: skip
def test_figure_that_rests_on_nothing_is_found(text):
    (problem,), _ = claims(text)
    assert problem[1].endswith("rests on nothing")


@pytest.mark.parametrize("text", [
    "Take 3 of them.", "See Table 3.1 and Section 2.1.", "A 16-bit float is short.", "Rows of 128-byte lines help.",
    "The H100 and FP8 and A100.", "Step 3 adds 2 and 4.", "Compare 4 × 8 with 8 × 4.", "Nobody counts to a hundred.",
    "With 2.5 or 3.5 it ends.",
    "It sees the W − 1 tokens before it.", "Llama 3 8B is small.", "Since e^(−∞) = 0, nothing is left.",
    "It is called GPT-2.", "The x in x × 2 is free.", "Use `80 GB` here.", "This holds for $3\\,\\mathrm{GB}$.",
])  # fmt: skip
def test_number_that_is_no_figure_is_left_alone(text):
    assert claims(text) == ([], {})


@pytest.mark.parametrize(("text", "kind"), [
    ("It holds 80 GB {cite}`toy2020`.", "cited"),
    ("It holds 80 GB. {cite}`toy2020`", "cited"),
    ("It holds 80 GB {cite:figure}`toy2020 §3`.", "cited"),
    ("With 4 tokens it takes {value}`toy.size`.", "computed"),
    ("[With 4 tokens](#toy?count=4) it grows.", "scene"),
    ("It does 989 ÷ 3.35 = 295 FLOPs with a byte.", "worked out"),
    ("Take 32 tokens{uncited}`example`.", "example"),
    ("It holds 80 GB {uncited}`recap`.", "recap"),
])  # fmt: skip
def test_figure_that_rests_on_something_is_counted(text, kind):
    assert claims(text) == ([], {kind: 1})


@pytest.mark.parametrize(("text", "lines"), [
    ("It holds 80 GB {cite}`toy2020`. It moves 3 TB/s.", [1]),
    ("It holds 80 GB.\nIt moves 3 TB/s {cite}`toy2020`.", [1]),
    ("It holds 80 GB.\ngpt-2 is smaller {cite}`toy2020`.", [1]),
    ("One\nsentence over three lines\nholds 80 GB.\nAnd another has 3 layers.", [1, 4]),
    ("It holds 80 GB. {cite}`toy2020` It moves 3 TB/s.", [1]),
    ("{cite}`toy2020` counts 80 GB. It moves 3 TB/s.", [1]),
    ("It holds, e.g. 80 GB {cite}`toy2020`.", []),
    ("As Fig. 3 of Doe et al. shows, 80 GB are held {cite}`toy2020`.", []),
    ("It moves 3.35 TB/s. “So what?” It holds 80 GB {cite}`toy2020`.", [1]),
    ("- It holds 80 GB.\n- It moves 3 TB/s {cite}`toy2020`.", [1]),
    ("> It holds 80 GB.", [1]),
    ("a[^1]\n\n[^1]: It holds 80 GB.", [3]),
    (":::{note}\nIt holds 80 GB.\n:::", [2]),
])  # fmt: skip
def test_each_sentence_answers_for_itself(text, lines):
    assert [line for line, _ in claims(text)[0]] == lines


def test_row_of_a_table_is_one_claim_and_may_rest_on_its_heading():
    rows = "|---|---|\n| a | 80 GB |\n| b | 40 GB {cite}`toy2020` |\n"
    assert [line for line, _ in claims(f"| x | y |\n{rows}")[0]] == [3]
    assert claims(f"| x | y {{cite}}`toy2020` |\n{rows}")[0] == []
    assert claims(f"| x | y {{uncited}}`arithmetic` |\n{rows}") == ([], {"arithmetic": 1, "cited": 1})


def test_headings_code_and_the_answers_to_choose_from_make_no_claims():
    assert claims("## It holds 80 GB\n\n```text\nIt holds 80 GB.\n```\n") == ([], {})
    question = (
        ":::{check}\nDoes it hold 80 GB?\n\n- [x] 80 GB\n\n  It does.\n- [ ] 40 GB\n\n  No: it moves 3 TB/s.\n:::"
    )
    assert claims(question)[0] == [(9, "'3 TB/s' rests on nothing")]


def test_sum_that_does_not_come_out_is_wrong_even_with_a_source():
    assert claims("Then 989 ÷ 3.35 = 259 {cite}`toy2020`.")[0] == [
        (1, "'989 ÷ 3.35 = 259' does not hold: the left side is 295.224")
    ]


def test_excuse_without_a_figure_is_a_mistake():
    assert claims("It holds much{uncited}`example`.")[0] == [
        (1, "there is no figure here that needs 'example' as an excuse")
    ]


def test_units_of_the_site_count_with_one_word_before_them():
    assert numeric_claims("It has 32 KV heads and 61 layers.", ("heads", "layers")) == ["32 KV heads", "61 layers"]
    assert numeric_claims("It has 32 KV heads and 61 layers.") == []


# The rule as `check` applies it.

ON = "title: Toys\nhome: index\nclaims: true\nunits: [tokens]\n"
HEAD = "---\ntitle: Page\nsummary: One.\n---\n"
REST = {"site.yml": ON, "references.yml": REFERENCES, "glossary.yml": ""}


def site(tmp_path, text: str, **files: str):
    cites = " {cite}`toy2020; pair2021`"
    return toy_site(tmp_path, **{**REST, **files}, index=f"{HEAD}\n{text}{SHOWN}\nFrom{cites}.\n")


def test_check_reports_claims_at_their_lines_with_all_other_problems(tmp_path):
    root = site(tmp_path, "It sees 8 tokens.\nSee [this](nowhere.md).\nIt holds 80 GB.")
    assert [(one.line, one.message) for one in faults(root)] == [
        (6, "'8 tokens' rests on nothing"),
        (7, "there is no page 'nowhere.md'"),
        (8, "'80 GB' rests on nothing"),
    ]


def test_build_and_sites_that_do_not_ask_for_it_do_without_the_rule(tmp_path):
    assert built(site(tmp_path, "It holds 80 GB."))
    quiet = site(tmp_path / "quiet", "It holds 80 GB.", **{"site.yml": "title: Toys\nhome: index\n"})
    assert (lint(Options(quiet)).problems, lint(Options(quiet)).figures) == ((), {})


def test_check_says_what_the_figures_rest_on(tmp_path, capsys):
    root = site(
        tmp_path, "It holds 80 GB{uncited}`example`. It moves 3 TB/s {cite}`toy2020`. It has 3 GB {cite}`toy2020`."
    )
    assert main(["check", "--root", str(root), "--jobs", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "3 sentences with a figure: 2 cited, 1 example"


def test_check_reports_sources_that_nothing_rests_on_and_terms_that_no_page_uses(tmp_path):
    glossary = "- term: Warp\n  definition: Threads.\n- term: Tile\n  definition: A part.\n"
    root = toy_site(tmp_path, **{**REST, "glossary.yml": glossary}, index=f"{HEAD}\nA {{term}}`tile`.{SHOWN}")
    assert [(one.path, one.line, one.message) for one in faults(root)] == [
        ("content/glossary.yml", 1, "no page uses the term 'Warp'"),
        ("content/references.yml", 10, "nothing rests on the reference 'pair2021'"),
    ]
    assert built(root)


def test_every_option_of_the_command_reaches_the_check(tmp_path):
    root = site(tmp_path, "It holds 80 GB {cite}`toy2020`.")
    plain, gallery = (lint(Options(root, 1, gallery=gallery)) for gallery in (False, True))
    assert plain.problems == gallery.problems == ()
    assert (plain.pages, gallery.pages, gallery.figures) == (1, 2, {"cited": 1})
