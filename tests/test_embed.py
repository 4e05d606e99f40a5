"""Each scene that a page shows has a page of its own, which other sites may frame, and which nobody else is led to."""

from __future__ import annotations

import pytest

from loom.build.pipeline import build_site
from loom.options import Options
from loom.paths import OWN
from loom.render.headers import CSP
from tests.sites import altered, built, faults, page, problem, text, toy_site, words
from tests.test_headers import rules, sent_by_a_host
from tests.test_serve import ask, serving

ALONE = "scenes/toy/index.html"
FILES = {
    "index": "---\ntitle: Home\nsummary: S.\n---\n{term}`warp`, [on](other.md)\n\n"
    ":::{scene} toy\n:count: 3\n:step: 2\n:::\n",
    "other": "---\ntitle: Other\nsummary: T.\n---\n{cite}`pair2021`\n\n:::{scene} toy\n:::\n",
    "site.yml": "embeds: true\nurl: https://example.org/\n",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    files = FILES | {"site.yml": FILES["site.yml"] + "search: true\n"}
    return build_site(Options(toy_site(tmp_path_factory.mktemp("site"), **files)))


def test_scene_alone_is_the_scene_as_the_first_page_shows_it(output):
    alone, home = (page(output, path).find(".//figure[@data-scene='toy']") for path in (ALONE, "index.html"))
    for part in ("div[@class='stage']", "fieldset[@class='transport controls']", "ol[@class='story']"):
        assert words(alone.find(part)) == words(home.find(part))
    assert alone.get("data-config") == home.get("data-config").replace('"assets/', '"../../assets/')
    assert "".join(alone.find("figcaption/h1").itertext()) == "A toy"
    assert alone.find("div[@class='prints']") is None  # a page prints its key steps, and would hold them twice


def test_scene_alone_leads_back_to_the_page_that_explains_it_in_a_window_of_its_own(output):
    tree = page(output, ALONE)
    leading = [a for a in tree.iter("a") if not a.get("href").startswith(("#", "../../assets/data/"))]
    assert {a.get("href") for a in leading} == {"../../#toy", "../../#ref-toy2020"}
    assert all(a.get("target") == "_blank" for a in leading)
    canonical = next(one for one in tree.iter("link") if one.get("rel") == "canonical")
    assert canonical.get("href") == "https://example.org/"


def test_page_leads_to_the_scene_alone_where_its_limits_are_told(output):
    for path, way in (("index.html", "scenes/toy/"), ("other/index.html", "../scenes/toy/")):
        fold = page(output, path).find(".//details[@class='leaves-out']")
        assert way in [a.get("href") for a in fold.iter("a")]


def test_nobody_is_led_to_a_scene_alone_by_search_engines_lists_or_the_index(output):
    assert 'name="robots" content="noindex, nofollow"' in text(output, ALONE)
    for path in ("sitemap.xml", "llms.txt", "index.md"):
        assert "scenes/toy" not in text(output, path)
    pages = [path for path in output if str(path).startswith("pagefind/fragment/")]
    assert len(pages) == 2  # one for each page: those of scenes alone are none


def test_check_holds_scenes_alone_to_the_rules_of_pages_and_counts_them_as_none(tmp_path):
    assert [one for one in faults(toy_site(tmp_path, **FILES)) if one.rule != "unused"] == []


def test_check_tells_a_link_of_a_scene_alone_that_leads_nowhere(tmp_path):
    template = altered((OWN / "templates/embed.html").read_text(), ("#{{ figure.id }}", "#nowhere"))
    found = faults(toy_site(tmp_path, **FILES, **{"templates/embed.html": template}))
    assert ("anchor", ALONE) in {(one.rule, one.path) for one in found}


def test_mistake_on_a_page_is_not_told_again_of_links_to_the_scene_that_it_would_show_alone(tmp_path):
    broken = toy_site(tmp_path, **FILES | {"index": FILES["index"] + "\n:::{scene} nope\n:::\n"})
    assert {one.rule for one in faults(broken)} <= {"scene", "unused"}


def test_without_the_setting_there_is_no_trace_of_scenes_alone(tmp_path):
    output = built(toy_site(tmp_path, **FILES | {"site.yml": ""}))
    assert not [path for path in output if path.parts[0] == "scenes" or "framed" in str(path)]
    assert "for your page" not in text(output, "index.html")
    assert "scenes/*" not in text(output, "_headers")


def test_page_that_would_lie_where_a_scene_stands_alone_is_told(tmp_path):
    found = problem(toy_site(tmp_path, **FILES, **{"content/scenes/toy.md": "# Mine\n"}))
    assert found.path == "content/scenes/toy.md"
    assert "the address of the scene 'toy' alone" in found.message


def test_scenes_alone_may_be_framed_by_anybody_and_no_other_page_by_anyone(output):
    written = text(output, "_headers")
    others = [path for path in map(str, output) if not path.startswith("scenes/")]
    assert all(sent_by_a_host(written, f"/{path}")["X-Frame-Options"] == "DENY" for path in others)
    assert not any(
        "frame-ancestors" in sent_by_a_host(written, f"/{path}").get("Content-Security-Policy") for path in others
    )
    # One that knows `frame-ancestors` does not ask for `X-Frame-Options`; the policy for all files names neither.
    assert sent_by_a_host(written, f"/{ALONE}")["Content-Security-Policy"].endswith(", frame-ancestors *")
    assert [where for where, told in rules(written) if "frame-ancestors" in str(told)] == ["/scenes/*"]
    meta = next(one for one in page(output, ALONE).iter("meta") if one.get("http-equiv"))
    assert meta.get("content") == CSP  # which holds besides


def test_server_sends_what_hosts_send(output):
    with serving(output=output) as port:
        for path in (ALONE, "index.html", "other/index.html", "404.html"):
            answer, _ = ask(port, f"/{path}")
            expected = sent_by_a_host(text(output, "_headers"), f"/{path}")
            assert {name: answer.headers[name] for name in expected} == expected, path


def test_page_that_shows_the_scene_first_decides_how_it_opens_alone(tmp_path):
    root = toy_site(tmp_path, **FILES)
    before = text(built(root), ALONE)
    output = built(toy_site(root, index=FILES["index"].replace(":count: 3", ":count: 4")))
    assert '"start":[2,' in text(output, ALONE)
    assert '"start":[1,' in before
    output = built(toy_site(root, index="---\ntitle: Home\nsummary: S.\n---\n[on](other.md)\n"))
    assert "../../other/#toy" in text(output, ALONE)
