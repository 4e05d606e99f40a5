"""What an author writes becomes what a reader gets: values, citations, terms, questions, markup."""

from __future__ import annotations

import pytest

from tests.sites import GLOSSARY, TOY, altered, built, links, page, toy_site, words

SHOWN = "\n\n:::{scene} toy\n:::\n"


def article(tmp_path, body: str, path: str = "index.html", **files: str):
    """The article of a page with this text."""
    return page(built(toy_site(tmp_path, index=f"---\ntitle: Page\n---\n\n{body}", **files)), path).find(".//article")


def value(tmp_path, body: str):
    return article(tmp_path, body).find(".//*[@class='value']")


def test_value_follows_the_scene_on_its_page(tmp_path):
    found = value(tmp_path, "{value}`toy.size`" + SHOWN)
    assert (words(found), found.get("href")) == ("3 GB", "#toy")
    assert found.get("data-value") == "toy.size"


def test_value_without_pins_is_that_of_the_state_in_which_the_scene_opens(tmp_path):
    found = value(tmp_path, "{value}`toy.size`\n\n:::{scene} toy\n:count: 4\n:twice: on\n:::\n")
    assert words(found) == "12 GB"


def test_pinned_value_leads_to_its_state_which_keeps_its_pins(tmp_path):
    tree = article(tmp_path, "{value}`toy.size count=4 mode='slow way'`" + SHOWN)
    found = tree.find(".//*[@class='value']")
    assert (words(found), found.get("href")) == ("6 GB", "#toy?count=4&mode=slow%20way")
    assert found.get("data-value") == "toy.size"
    assert tree.find(".//span[@id='toy?count=4&mode=slow%20way']") is not None


def test_asserted_value_keeps_its_wording_and_does_not_follow(tmp_path):
    found = value(tmp_path, "{value}`toy.size count=4 | about 6.0 GB`" + SHOWN)
    assert (words(found), found.get("href")) == ("about 6.0 GB", "#toy?count=4")
    assert found.get("data-value") is None


def test_asserted_value_keeps_its_number_with_its_unit(tmp_path):
    assert value(tmp_path, "{value}`toy.size count=4 | about 6.0 GB`" + SHOWN).text == "about 6.0\xa0GB"


def test_value_of_a_scene_on_another_page_leads_there(tmp_path):
    tree = article(tmp_path, "{value}`toy.size count=3`", other=f"# Other{SHOWN}")
    found = tree.find(".//*[@class='value']")
    assert (words(found), found.get("href")) == ("4.50 GB", "other/#toy?count=3")
    assert found.get("data-value") is None


def test_value_of_a_scene_on_another_page_is_that_of_the_state_it_leads_to(tmp_path):
    other = "# Other\n\n:::{scene} toy\n:count: 4\n:::\n"
    found = article(tmp_path, "{value}`toy.size twice=on`", other=other).find(".//*[@class='value']")
    shown = {"other/#toy?twice=on": "12 GB", "other/#toy?count=2&twice=on": "6 GB"}
    assert words(found) == shown[found.get("href")]


def test_value_of_a_scene_that_no_page_shows_is_a_plain_number(tmp_path):
    found = value(tmp_path, "{value}`toy.third`")
    assert (words(found), found.tag, found.get("href")) == ("33.3%", "span", None)


def test_link_to_a_value_with_a_plus_in_it_keeps_the_plus(tmp_path):
    scene = altered(TOY, ('("fast", "slow way")', '("fast", "a+b")'), (', set={"mode": "slow way"}', ""))
    tree = article(tmp_path, "[a](#toy?mode=a%2Bb)" + SHOWN, **{"scenes/toy/scene.py": scene})
    assert links(tree, ".")["a"] == "#toy?mode=a%2Bb"


@pytest.mark.parametrize("written", ["[a](#toy?count=3.0)", "{value}`toy.size count=3.0`"])
def test_state_is_called_as_the_player_calls_it(tmp_path, written):
    assert "#toy?count=3" in links(article(tmp_path, written + SHOWN), ".").values()


def test_citations_are_short_and_numbered_and_lead_to_the_sources(tmp_path):
    tree = article(tmp_path, "{cite}`toy2020 §3.1; pair2021` {cite}`toy2020`")
    assert [(words(node), node.get("id"), node.get("href")) for node in tree.findall(".//a[@class='cite']")] == [
        ("Ames et al., 2020, §3.1", "cite-toy2020-1", "#ref-toy2020"),
        ("Dorn & Eck, 2021", "cite-pair2021-1", "#ref-pair2021"),
        ("Ames et al., 2020", "cite-toy2020-2", "#ref-toy2020"),
    ]  # fmt: skip
    sources = tree.find(".//section[@class='sources']")
    assert [node.get("id") for node in sources.iter("li")] == ["ref-toy2020", "ref-pair2021"]
    said = "Ames et al., 2020 Toys & <games> paper In the beginning"
    assert words(sources.find(".//li")) == said
    assert sources.find(".//li//a").get("href") == "https://example.org/toys"


REFS = {"refs": "# Refs\n\n:::{references}\n:::\n"}


def claims(tree, reference: str = "toy2020"):
    """What the list of sources says of one: each sentence that rests on it, where it leads, and in which role."""
    entry = tree.find(f".//li[@id='ref-{reference}']/ul[@class='claims']")
    return [(words(one.find("a")), one.find("a").get("href"), words(one.find("span"))) for one in entry.iter("li")]


def test_references_list_every_sentence_that_cites_them_and_lead_to_it(tmp_path):
    body = "## Size\n\nToys *are* {term}`warps`, big {cite}`toy2020 §3`. They weigh 3 GB {cite}`toy2020`." + SHOWN
    tree = article(tmp_path, body, "refs/index.html", **REFS)
    assert claims(tree) == [
        ("Toys are warps, big.", "../#cite-toy2020-1", "method in §3 · Page, Size"),
        ("They weigh 3 GB.", "../#cite-toy2020-2", "figure · Page, Size"),
        ("A toy", "../#toy", "scene · Page"),
    ]
    assert tree.find(".//li[@id='ref-pair2021']/ul") is None


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("They weigh 3 GB {cite}`toy2020`.", "figure"),
        ("They are heavy {cite}`toy2020`.", "method"),
        ("They weigh 3 GB. They are heavy {cite}`toy2020`.", "method"),
        ("They weigh 3 GB {cite:definition}`toy2020`.", "definition"),
        ("They came in May 2020 {cite:history}`toy2020`.", "history"),
        ("| a |\n|---|\n| 3 GB {cite}`toy2020` |", "figure"),
        ("| a | b |\n|---|---|\n| 3 GB | {cite:method}`toy2020` |", "method"),
    ],
)
def test_role_of_a_source_is_said_by_the_author_or_seen_in_the_sentence(tmp_path, text, role):
    tree = article(tmp_path, text)
    assert tree.find(".//a[@class='cite']").get("data-role") == role
    here = tree.find(".//li[@id='ref-toy2020']/p[@class='backlinks']")
    assert [(words(one), one.get("href")) for one in here.iter("a")] == [("the beginning", "#cite-toy2020-1")]


def test_claim_is_quoted_without_what_is_no_word(tmp_path):
    body = "It ends at {value}`toy.size` or $x$, e.g. in `code` {cite}`toy2020`.\nThe rest is other." + SHOWN
    assert claims(article(tmp_path, body, "refs/index.html", **REFS))[0][0] == "It ends at … or …, e.g. in …"


def test_name_of_a_source_on_a_page_leads_to_all_that_rests_on_it(tmp_path):
    name = ".//li[@id='ref-toy2020']/p/b"
    tree = article(tmp_path, "Big {cite}`toy2020`.", **REFS)
    assert tree.find(f"{name}/a").get("href") == "refs/#ref-toy2020"
    alone = article(tmp_path / "alone", "Big {cite}`toy2020`.")
    assert alone.find(name) is not None and alone.find(f"{name}/a") is None
    assert article(tmp_path / "list", "Big {cite}`toy2020`.", "refs/index.html", **REFS).find(f"{name}/a") is None


def test_definition_in_the_glossary_rests_on_its_sources(tmp_path):
    glossary = GLOSSARY + "  sources: [toy2020]\n"
    files = {**REFS, "glossary.md": "# Terms\n\n:::{glossary}\n:::\n", "glossary.yml": glossary}
    body = "{term}`Cache line`"
    assert claims(article(tmp_path, body, "refs/index.html", **files)) == [
        ("Cache line", "../glossary/#term-cache-line", "definition · Terms")
    ]
    term = article(tmp_path, body, "glossary/index.html", **files).find(".//div[@id='term-cache-line']")
    assert [(words(one), one.get("href")) for one in term.iter("a")] == [
        ("Page", "../#use-term-cache-line"), ("Ames et al., 2020", "../refs/#ref-toy2020"),
    ]  # fmt: skip


def test_excuse_for_citing_nothing_leaves_nothing_in_the_text(tmp_path):
    tree = article(tmp_path, "It holds 80 GB{uncited}`example`, and 3 GB {uncited}`recap`.")
    assert words(tree.find("p")) == "It holds 80 GB, and 3 GB."


def test_sources_of_a_scene_are_sources_of_its_page(tmp_path):
    tree = article(tmp_path, SHOWN)
    assert [node.get("id") for node in tree.find(".//section[@class='sources']").iter("li")] == ["ref-toy2020"]
    assert tree.find(".//p[@class='from']/a").get("href") == "#ref-toy2020"


def test_terms_lead_to_their_definitions_on_the_page(tmp_path):
    tree = article(tmp_path, "{term}`warps` and {term}`the lines <cache line>`")
    assert [(words(node), node.get("id"), node.get("href")) for node in tree.find("p").iter("a")] == [
        ("warps", "use-term-warp", "#term-warp"),
        ("the lines", "use-term-cache-line", "#term-cache-line"),
    ]
    definitions = tree.find(".//section[@class='terms']")
    assert [words(node) for node in definitions.iter("dt")] == ["Cache line", "Warp"]
    assert words(definitions.find(".//div[@id='term-warp']/dd")) == "Thirty-two threads that step together."


def test_term_is_explained_once_in_each_section(tmp_path):
    body = "{term}`warps`, {term}`Warp`\n\n## A\n\n{term}`Warp`\n\n### B\n\n{term}`Warp`\n\n## C\n\nthe {term}`warps`"
    tree = article(tmp_path, body)
    assert [(words(one), one.get("id")) for one in tree.findall("p/a")] == [
        ("warps", "use-term-warp"), ("Warp", None), ("warps", None),
    ]  # fmt: skip
    assert [words(one) for one in tree.findall("p")] == ["warps, Warp", "Warp", "Warp", "the warps"]


def test_glossary_lists_where_terms_are_used_and_shown(tmp_path):
    files = {"glossary.md": "# Terms\n\n:::{glossary}\n:::\n", "glossary.yml": GLOSSARY + "  scene: toy\n"}
    tree = article(tmp_path, "{term}`warps`" + SHOWN, "glossary/index.html", **files)
    assert words(tree.find(".//div[@id='term-warp']/dt")) == "Warp warps"
    used = tree.find(".//div[@id='term-warp']//a")
    assert (words(used), used.get("href")) == ("Page", "../#use-term-warp")
    shown = tree.find(".//div[@id='term-cache-line']//a")
    assert (words(shown), shown.get("href")) == ("A toy", "../#toy")


def test_definition_on_a_page_leads_to_the_glossary(tmp_path):
    tree = article(tmp_path, "{term}`warps`", **{"glossary.md": "# Terms\n\n:::{glossary}\n:::\n"})
    assert tree.find(".//dt/a").get("href") == "glossary/#term-warp"


def test_page_with_the_glossary_may_use_a_term(tmp_path):
    tree = article(tmp_path, "{term}`warps`\n\n:::{glossary}\n:::\n")
    assert len(tree.findall(".//*[@id='term-warp']")) == 1


def test_check_shows_what_is_said_of_each_answer(tmp_path):
    answers = "- [x] *This* one\n\n  Because {term}`warp`.\n- [ ] That one\n\n  No.\n"
    body = f":::{{check}}\nWhich is it?\n\n{answers}:::\n\n[a](#check-which-is-it)"
    section = article(tmp_path, body).find(".//div[@class='check']")
    assert section.get("id") == "check-which-is-it"
    assert words(section.find("div")) == "Which is it?"
    assert [(node.get("class"), node.get("name"), words(node.find("summary")), words(node.find("div")))
            for node in section.iter("details")] == [
        ("right", "check-which-is-it", "This one", "Yes.Because warp."),
        ("wrong", "check-which-is-it", "That one", "No.No."),
    ]  # fmt: skip


def test_prediction_asks_before_its_scene(tmp_path):
    body = f"::::{{predict}}\nMore or less?\n\n- [ ] Less\n- [x] More{SHOWN}\nIt is {{value}}`toy.count`.\n::::\n"
    section = article(tmp_path, body).find(".//div[@class='predict']")
    answers = section.findall(".//input[@type='radio']")
    assert [answer.get("data-right") is not None for answer in answers] == [False, True]
    assert {answer.get("name") for answer in answers} == {"predict-more-or-less"}
    opened = section.find("div[@class='opened']")
    assert opened.find("figure[@data-scene='toy']") is not None
    assert words(opened.find("p")) == "It is 2."


def test_scene_of_a_toggle_and_a_condition_opens_in_the_state_asked_for(tmp_path):
    scene = altered(TOY, ('("fast", "slow way"))', '("fast", "slow way"), when={"count": (4,)})'))
    body = ":::{scene} toy\n:count: 3\n:mode: slow way\n:twice: on\n:step: 2\n:::\n"
    figure = article(tmp_path, body, **{"scenes/toy/scene.py": scene}).find(".//figure")
    assert words(figure.find(".//p[@data-part='say']")) == "Step 2 of 3."
    assert figure.find(".//input[@id='toy-twice']").get("checked") is not None
    assert figure.find(".//select[@id='toy-mode']/option[@selected]").get("value") == "0"  # it rests: count is not 4
