"""Markdown becomes plain, strict HTML; a scene becomes a figure that explains itself without script."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest

from tests.sites import TOY, altered, built, page, site, text, toy_site, words

SVG, MATH = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1998/Math/MathML}"


def article(tmp_path, body: str):
    return page(built(site(tmp_path, index=f"---\ntitle: Page\n---\n\n{body}"))).find(".//article")


def test_footnotes_lead_there_and_back(tmp_path):
    tree = article(tmp_path, "One[^a] and two[^b].\n\n[^b]: Second *note*.\n[^a]: First.\n\n[to it](#fn2)")
    notes = tree.find("section[@class='footnotes']")
    assert [(node.get("id"), words(node)) for node in notes.iter("li")] == [
        ("fn1", "First. ↩︎"), ("fn2", "Second note. ↩︎"),
    ]  # fmt: skip
    assert [node.get("href") for node in notes.iter("a")] == ["#fnref1", "#fnref2"]
    assert [(node.get("id"), node.get("href")) for node in tree.findall(".//sup/a")] == [
        ("fnref1", "#fn1"), ("fnref2", "#fn2"),
    ]  # fmt: skip


def test_table_has_a_caption_column_heads_and_classes_for_alignment(tmp_path):
    rows = "| a | b | c | d |\n|:--|--:|:-:|---|\n| 1 | 2 | 3 | 4 |\n"
    box = article(tmp_path, '{caption="The numbers"}\n' + rows).find("div[@class='table']")
    assert (box.get("role"), box.get("tabindex"), box.get("aria-label")) == ("region", "0", "The numbers")
    assert words(box.find("table/caption")) == "The numbers"
    assert [(node.get("scope"), node.get("class")) for node in box.iter("th")] == [
        ("col", "align-left"), ("col", "align-right"), ("col", "align-center"), ("col", None),
    ]  # fmt: skip
    assert [node.get("class") for node in box.iter("td")] == ["align-left", "align-right", "align-center", None]


def test_table_without_caption_is_still_named(tmp_path):
    box = article(tmp_path, "| a |\n|---|\n| 1 |\n").find("div[@class='table']")
    assert box.get("aria-label") == "Table" and box.find("table/caption") is None


def test_tables_of_a_page_have_names_of_their_own(tmp_path):
    table, captioned = "| a |\n|---|\n| 1 |\n\n", '{caption="Sizes"}\n| a |\n|---|\n| 1 |\n\n'
    text = table * 2 + captioned * 2 + "- in a list\n\n  | a |\n  |---|\n\n<table><tr><td>1</td></tr></table>\n"
    names = [box.get("aria-label") for box in article(tmp_path, text).iter("div") if box.get("class") == "table"]
    assert names == ["Table", "Table 2", "Sizes", "Sizes 2", "Table 3", "Table 4"]


def test_math_is_mathml_that_keeps_its_source(tmp_path):
    tree = article(tmp_path, "So $x^2 < 3$.\n\n$$\n\\frac{a}{b}\n$$\n")
    inline, block = tree.iter(f"{MATH}math")
    assert (inline.get("display"), inline.get("alttext")) == ("inline", "x^2 < 3")
    assert (block.get("display"), block.get("alttext")) == ("block", r"\frac{a}{b}")
    assert [words(node) for node in block.find(f".//{MATH}mfrac")] == ["a", "b"]
    assert tree.find("div[@class='equation']").get("tabindex") == "0"


def test_code_is_highlighted_with_classes_and_captioned(tmp_path):
    tree = article(tmp_path, '{caption="A test"}\n```python\nif a < 1:\n    pass\n```\n')
    figure = tree.find("figure[@class='code']")
    assert words(figure.find("figcaption")) == "A test"
    assert figure.find("pre").get("tabindex") == "0"
    assert "".join(figure.find("pre/code").itertext()) == "if a < 1:\n    pass\n"
    assert [node.text for node in figure.iter("span") if node.get("class") == "k"] == ["if", "pass"]


@pytest.mark.parametrize("language", ["", "text", "txt", "plaintext", "mermaid", None])
def test_plain_code_is_shown_as_written(tmp_path, language):
    fence = "    a <b> & c\n" if language is None else f"```{language}\na <b> & c\n```\n"
    code = article(tmp_path, fence).find("figure[@class='code']/pre/code")
    assert (code.text, len(code)) == ("a <b> & c\n", 0)


@pytest.mark.parametrize(
    ("written", "name", "title"),
    [
        (":::{note}", "note", "Note"),
        (":::{note} What else", "note", "What else"),
        (":::{mnemonic}", "mnemonic", "Remember"),
        (":::{aside}", "aside", None),
    ],
)
def test_call_outs_have_their_titles(tmp_path, written, name, title):
    box = article(tmp_path, f"{written}\nText.\n:::\n").find(f"div[@class='callout {name}']")
    assert box.get("role") == "note"
    titles = [words(node) for node in box.findall("p[@class='callout-title']")]
    assert titles == ([title] if title else [])


TITLES = {
    "alone": "# Page\n\nWords.\n",
    "underlined": "Page\n====\n\nWords.\n",
    "behind words": "Words.\n\n# Page\n",
    "behind a remark": "<!-- ours -->\n\n# Page\n\nWords.\n",
    "in front matter as well": "---\ntitle: Page\n---\n\n# Page\n\nWords.\n",
}


@pytest.mark.parametrize("written", TITLES.values(), ids=TITLES)
def test_title_stands_once_wherever_it_is_written(tmp_path, written):
    output = built(site(tmp_path, index=written))
    tree = page(output)
    assert [words(node) for node in tree.iter("h1")] == ["Page"]
    assert tree.find("head/title").text.startswith("Page")
    assert [words(node) for node in tree.find(".//article").iter("p")] == ["Words."]
    assert output[PurePosixPath("index.md")].decode() == "# Page\n\nWords.\n"


def test_call_outs_nest_and_hold_lists_and_code(tmp_path):
    tree = article(tmp_path, "::::{note}\n- one\n\n:::{aside}\nText.\n:::\n\n```text\nx\n```\n::::\n\nAfter.\n")
    outer = tree.find("div[@class='callout note']")
    assert outer.find("div[@class='callout aside']/p").text == "Text."
    assert outer.find("figure[@class='code']") is not None
    assert words(tree.find("p")) == "After."


def test_call_out_in_a_quote_ends_in_it(tmp_path):
    tree = article(tmp_path, "> :::{note}\n> Text.\n> :::\n>\n> After.\n")
    assert words(tree.find("blockquote/div[@class='callout note']")) == "Note Text."
    assert words(tree.find("blockquote/p")) == "After."


def test_headings_have_anchors_that_a_reader_can_guess(tmp_path):
    tree = article(tmp_path, "## What is `it`, then?\n\n### Größe & 2 × 3\n\n## Same\n\n### Same\n")
    found = [(node.tag, node.get("id")) for node in tree if node.tag in ("h2", "h3")]
    assert found[:2] == [("h2", "what-is-it-then"), ("h3", "größe-2-3")]
    assert len({name for _, name in found}) == 4
    assert tree.find("h2/a").get("aria-label") == "Link to “What is it, then?”"


def test_equal_headings_are_counted_around_the_names_that_others_have(tmp_path):
    tree = article(tmp_path, "## Use\n\n## Use\n\n## Use 2\n\n## Use\n\n## Use {#use-3}\n\n## Use\n\n## !\n")
    names = [node.get("id") for node in tree if node.tag == "h2"]
    assert names == ["use", "use-1", "use-2", "use-4", "use-3", "use-5", "section"]


def test_words_are_set_as_a_printer_would(tmp_path):
    tree = article(tmp_path, 'A "word" -- it\'s ~~gone~~...\n\nTerm\n: Definition <!-- unseen -->\n')
    assert words(tree.find("p")) == "A “word” – it’s gone…"
    assert (words(tree.find("dl/dt")), words(tree.find("dl/dd"))) == ("Term", "Definition")


@pytest.fixture(scope="module")
def figure(tmp_path_factory):
    scene = altered(TOY, ("    steps=steps", "    opening=-1, key_steps=(1, -2, -1),\n    steps=steps"))
    body = "# Page\n\n:::{scene} toy\n:count: 4\n:::\n"
    output = built(toy_site(tmp_path_factory.mktemp("site"), index=body, **{"scenes/toy/scene.py": scene}))
    return output, page(output).find(".//figure[@class='scene']")


def test_scene_holds_its_picture_at_both_widths_with_a_text_alternative(figure):
    wide = {node.get("class"): node for node in figure[1].find("div[@class='stage']")}
    widths = {name: node.get("viewBox").split()[2] for name, node in wide.items()}
    assert widths == {"picture narrow": "328", "picture wide": "840"}
    assert {node.get("aria-label") for node in wide.values()} == {"A bar grows."}
    bar, name = wide["picture narrow"]
    assert (bar.tag, bar.get("class"), bar.get("width")) == (f"{SVG}rect", "data", "160")
    assert (name.text, name.get("x"), name.get("y")) == ("step 4", "0", "14")


def test_scene_tells_every_step_in_words(figure):
    story = figure[1].find("ol[@class='story']")
    assert [words(node) for node in story] == [f"Step {step} of 4." for step in (1, 2, 3, 4)]
    assert words(figure[1].find(".//p[@data-part='say']")) == "Step 4 of 4."


def test_step_that_is_shown_is_marked_in_the_story(figure):
    assert [node.get("aria-current") for node in figure[1].find("ol[@class='story']")] == [None, None, None, "step"]


def test_scene_shows_its_numbers_rounded_with_units_and_offers_them_exactly(figure):
    output, tree = figure
    rows = [[words(cell) for cell in row] for row in tree.find(".//details[@class='numbers']").iter("tr")]
    assert rows == [["step", "share [%]"], ["0", "0.0"], ["1", "25.0"], ["2", "50.0"], ["3", "75.0"]]
    csv = PurePosixPath(tree.find(".//a[@data-part='csv']").get("href"))
    assert output[csv].decode() == "step,share [%]\r\n0,0.0\r\n1,25.0\r\n2,50.0\r\n3,75.0\r\n"


def test_scene_says_what_it_leaves_out_and_after_whom(figure):
    folded = figure[1].find(".//details[@class='leaves-out']")
    assert [words(part) for part in folded][:2] == ["Limits and sources", "What this leaves out. Everything."]
    assert (folded[0].tag, folded.get("open")) == ("summary", None)
    assert words(figure[1].find(".//p[@class='from']")) == "After Ames et al., 2020"


def test_controls_are_native_and_rest_until_script_wakes_them(figure):
    assert [node.get("disabled") is not None for node in figure[1].iter("fieldset")] == [True, True]
    count = figure[1].find(".//input[@id='toy-count']")
    assert (count.get("type"), count.get("value"), count.get("aria-valuetext")) == ("range", "2", "4 steps")
    assert words(figure[1].find(".//fieldset[@class='params controls']/p")) == "Grow in 4 steps."
    assert {words(node) for node in figure[1].find(".//select[@id='toy-mode']")} == {"fast", "slow way"}
    controls = [node for node in figure[1].iter() if node.tag in ("button", "select", "input")]
    assert all(node.get("aria-label") or words(node) for node in controls if node.get("data-part") != "speed")


def test_key_steps_print_each_with_its_words(figure):
    prints = figure[1].find("div[@class='prints']")
    assert [words(node.find("p")) for node in prints] == ["1 Step 1 of 4.", "3 Step 3 of 4.", "4 Step 4 of 4."]
    assert all(node.find(f"{SVG}svg") is not None for node in prints)


def test_player_finds_its_settings_and_its_data(figure):
    output, tree = figure
    config = json.loads(tree.get("data-config"))
    assert (config["start"], config["step"], config["digits"]) == ([2, 0, 0], 4, [0, 1])
    assert config["params"][1] == {"name": "mode", "values": ["fast", "slow way"], "rest": 0}
    assert config["files"] == {"narrow": [0], "wide": [0]}
    assert config["params"][0]["values"] == ["2", "3", "4"]
    assert json.loads(text(output, config["data"] + "0.narrow.json"))["variants"].keys() >= {"2.0.0"}
