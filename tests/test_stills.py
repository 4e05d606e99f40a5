"""A state of a scene as a small picture: what it shows, where it leads, and what is refused."""

from __future__ import annotations

import pytest

from loom.content.source import Source
from loom.markdown.parse import parse_page
from loom.model import Meta
from loom.site.page_info import page_info
from tests.sites import TOY, altered, built, page, problems, text, toy_site

OTHER = "# Other\n\nHere: ![the second step](index.md#toy?count=3&step=2)\n"
HOME = "# Home\n\n:::{scene} toy\n:::\n"


def still(tmp_path, body: str = OTHER, scene: str = TOY):
    """The small picture of the page `other`, whose scene stands on the home page; the link around it."""
    output = built(toy_site(tmp_path, index=HOME, other=body, **{"scenes/toy/scene.py": scene}))
    return page(output, "other/index.html").find(".//article/p/a[@class='stage']")


def named(mark) -> str:
    return mark.tag.rpartition("}")[2]


def drawn(link):
    """The marks of the picture in a link, each with its width or its words."""
    return [(named(one), one.get("width") or one.text) for one in link[0]]


def test_picture_of_a_state_shows_its_step_and_leads_to_it(tmp_path):
    link = still(tmp_path)
    assert link.get("href") == "../#toy?count=3&step=2"
    assert (link[0].get("role"), link[0].get("aria-label")) == ("img", "the second step")
    assert drawn(link) == [("rect", "80"), ("text", "step 2")]


def test_picture_on_the_page_of_its_scene_leads_to_its_state_there(tmp_path):
    output = built(toy_site(tmp_path, index=f"{HOME}\n![slow](#toy?mode=slow%20way&count=4&step=4)\n"))
    link = page(output, "index.html").find(".//article/p/a[@class='stage']")
    assert (link.get("href"), drawn(link)[1]) == ("#toy?mode=slow%20way&count=4&step=4", ("text", "step 4"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_picture_of_a_scene_that_has_another_name_on_its_page_is_that_of_the_scene(tmp_path, monkeypatch, jobs):
    monkeypatch.setattr("loom.build.executor.WORTH", 1)  # so that pages are rendered by workers, which are sent scenes
    home = f"{HOME}\n:::{{scene}} toy\n:as: more\n:count: 4\n:::\n"
    root = toy_site(tmp_path, index=home, other=OTHER.replace("#toy?count=3&", "#more?"))
    link = page(built(root, jobs=jobs), "other/index.html").find(".//article/p/a[@class='stage']")
    assert (link.get("href"), drawn(link)[1]) == ("../#more?step=2", ("text", "step 2"))


def test_picture_of_a_state_without_a_step_shows_the_one_that_the_scene_opens_with(tmp_path):
    body = OTHER.replace("&step=2", "")
    assert drawn(still(tmp_path / "first", body))[1] == ("text", "step 1")
    last = altered(TOY, ('sources=("toy2020",)', 'sources=("toy2020",), opening=-1'))
    assert drawn(still(tmp_path / "last", body, last))[1] == ("text", "step 3")


def test_picture_is_drawn_for_phones_as_far_down_as_its_scene_says(tmp_path):
    whole = still(tmp_path / "whole")[0].get("viewBox").split()
    assert (whole[2], float(whole[3]) > 32) == ("328", True)  # the bar ends at 32
    link = still(tmp_path / "part", scene=altered(TOY, ('sources=("toy2020",)', 'sources=("toy2020",), still=18')))
    assert link[0].get("viewBox") == "0 0 328 18"
    assert drawn(link) == [("text", "step 2")]  # the bar begins at 20


def test_paths_begin_where_their_pen_is_set_down(tmp_path):
    line = (
        '    yield pen.path("way", [(0, 24), (9, 2)], "grid")\n    yield pen.path("roof", [(0, 2), (9, 24)], "grid")\n'
    )
    scene = altered(
        TOY,
        ("    yield pen.text(", f"{line}    yield pen.text("),
        ('sources=("toy2020",)', 'sources=("toy2020",), still=18'),
    )
    assert [named(one) for one in still(tmp_path, scene=scene)[0]] == ["path", "text"]


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("\n\n![a](index.md#toy?count=9)", 3, "'count' can't be '9'"),
        ("![a](index.md#toy?count=3&step=4)", 1, "there is no step 4: the scene has 3 here"),
        ("![ ](index.md#toy?count=3)", 1, "the picture 'index.md#toy?count=3' has no text alternative"),
        ("[see ![a](index.md#toy?count=3)](index.md)", 1, "a picture that leads to a state stands in a link"),
        ("\n## ![a](index.md#toy?count=3)", 2, "a picture that leads to a state stands in a heading"),
        ("![a](#toy?count=3)", 1, "there is no scene 'toy' in content/other.md"),
    ],
)
def test_picture_of_a_state_that_is_not_there_is_a_mistake(tmp_path, body, line, message):
    told = problems(toy_site(tmp_path, index=HOME, other=body))
    assert [(one.path, one.line, one.message) for one in told] == [("content/other.md", line, message)]


def test_picture_of_a_scene_with_a_mistake_is_no_second_mistake(tmp_path):
    broken = altered(TOY, ("def say(state):", "def say(state):\n    raise ValueError('no words')"))
    told = problems(toy_site(tmp_path, index=HOME, other=OTHER, **{"scenes/toy/scene.py": broken}))
    assert {one.path for one in told} == {"scenes/toy/scene.py"}


def test_first_look_of_an_edited_scene_draws_what_pages_have_pictures_of():
    parsed, _ = parse_page(Source("other", "content/other.md", Meta(), OTHER))
    assert [(one.scene, one.pairs, one.options["step"][0]) for one in page_info(parsed).stills] == [
        ("toy", [("count", "3")], "2")
    ]


def test_question_marks_of_other_addresses_name_no_scene():
    text = "# A\n\n[far](https://example.org/find?q=1#rope?x=1) [here](a.pdf?v=2#page=1) ![what it shows](a.png?v=2)\n"
    parsed, _ = parse_page(Source("other", "content/other.md", Meta(), text))
    assert (page_info(parsed).scenes, page_info(parsed).states, page_info(parsed).stills) == ((), (), ())


@pytest.mark.parametrize("reach", ["-1", "float('nan')", "float('inf')"])
def test_small_picture_reaches_so_far_or_it_is_a_mistake(tmp_path, reach):
    scene = altered(TOY, ('sources=("toy2020",)', f'sources=("toy2020",), still={reach}'))
    told = problems(toy_site(tmp_path, index=HOME, **{"scenes/toy/scene.py": scene}))
    assert [one.message.partition(" is ")[0] for one in told] == ["scene 'toy': 'still'"]


def test_plain_markdown_has_a_link_in_place_of_the_picture(tmp_path):
    output = built(toy_site(tmp_path, index=HOME, other=OTHER))
    assert text(output, "other/index.md").splitlines()[-1] == "Here: [the second step](../#toy?count=3&step=2)"
