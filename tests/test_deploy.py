"""What a deployed site needs beside its pages: found by machines, in the form that they expect."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
import yaml

from loom.build.pipeline import build_site
from loom.cli import main
from loom.lint.run import lint
from loom.options import Options
from loom.paths import OWN
from tests.sites import built, faults, page, problem, site, text, toy_site, words

URL = "https://example.org/base/"
SITE = "title: The <Site>\ntagline: A line & more.\nlanguage: en-GB\n"
PAGES = {
    "index": "---\ntitle: Home\nsummary: Where it begins.\n---\n",
    "deep/part": "---\ntitle: A part <of> it\nsummary: Parts & more.\ndate: 2026-03-01\n---\n",
    "late": "---\ntitle: Late\ndate: 2026-11-20\n---\n",
}
NAMES = {"a": "http://www.w3.org/2005/Atom", "s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A site that knows its address, written without the slash at its end."""
    return built(site(tmp_path_factory.mktemp("named"), **PAGES, **{"site.yml": f"{SITE}url: {URL[:-1]}\n"}))


@pytest.fixture(scope="module")
def nameless(tmp_path_factory):
    return built(site(tmp_path_factory.mktemp("nameless"), **PAGES, **{"site.yml": SITE}))


def files(output) -> set[str]:
    return {str(path) for path in output if len(path.parts) == 1}


def test_site_without_an_address_has_what_needs_none(nameless):
    assert files(nameless) == {"404.html", "_headers", "favicon.svg", "index.html", "index.md", "llms.txt",
                               "robots.txt", "site.webmanifest"}  # fmt: skip
    assert text(nameless, "robots.txt") == "User-agent: *\nAllow: /\n"


def test_site_with_an_address_has_a_sitemap_and_a_feed_besides(named, nameless):
    assert files(named) - files(nameless) == {"sitemap.xml", "feed.xml"}


def test_sitemap_lists_every_page_and_nothing_else(named):
    tree = ElementTree.fromstring(text(named, "sitemap.xml"))
    assert tree.tag == f"{{{NAMES['s']}}}urlset"
    found = {one.findtext("s:loc", None, NAMES): one.findtext("s:lastmod", None, NAMES) for one in tree}
    assert found == {URL: None, f"{URL}deep/part/": "2026-03-01", f"{URL}late/": "2026-11-20"}
    assert text(named, "robots.txt").endswith(f"\nSitemap: {URL}sitemap.xml\n")


def test_feed_is_atom_with_the_latest_page_first(named):
    tree = ElementTree.fromstring(text(named, "feed.xml"))
    told = {name: tree.findtext(f"a:{name}", None, NAMES) for name in ("title", "subtitle", "id", "updated")}
    assert told == {"title": "The <Site>", "subtitle": "A line & more.", "id": URL, "updated": "2026-11-20T00:00:00Z"}
    assert tree.findtext("a:author/a:name", None, NAMES) == "The <Site>"
    assert [link.get("href") for link in tree.findall("a:link", NAMES)] == [URL, f"{URL}feed.xml"]
    entries = tree.findall("a:entry", NAMES)
    names = ("id", "title", "updated", "summary")
    assert [[entry.findtext(f"a:{name}", None, NAMES) for name in names] for entry in entries] == [
        [f"{URL}late/", "Late", "2026-11-20T00:00:00Z", None],
        [f"{URL}deep/part/", "A part <of> it", "2026-03-01T00:00:00Z", "Parts & more."],
    ]
    assert entries[0].find("a:link", NAMES).get("href") == f"{URL}late/"
    assert len({entry.findtext("a:id", None, NAMES) for entry in entries}) == len(entries)


def test_page_points_to_its_feed_only_if_there_is_one(named, nameless, tmp_path):
    feed = ".//link[@type='application/atom+xml']"
    assert page(named, "deep/part/index.html").find(feed).get("href") == "../../feed.xml"
    assert page(nameless).find(feed) is None
    undated = built(site(tmp_path, index="# Home\n", **{"site.yml": f"url: {URL}\n"}))
    assert page(undated).find(feed) is None
    assert "feed.xml" not in files(undated)


def test_date_that_is_none_is_told_by_check(tmp_path):
    (found,) = faults(site(tmp_path, index="---\ntitle: Home\nsummary: All.\ndate: soon\n---\n"))
    assert (found.path, found.line) == ("content/index.md", 4)
    assert found.message == "'date' is not read: 'soon' is no day that Loom understands"


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org/", "https://example.org/?a", "https:///x"])
def test_address_that_is_none_is_a_problem(tmp_path, url):
    found = problem(site(tmp_path, index="# Home\n", **{"site.yml": f"title: T\nurl: {url}\n"}))
    assert (found.path, found.line) == ("content/site.yml", 2)
    assert found.message == f"'{url}' is not a site's address"
    assert found.hint.startswith("write it in full")


def test_llms_txt_lists_the_markdown_of_all_pages(named, nameless):
    assert text(named, "llms.txt").splitlines() == [
        "# The <Site>", "", "> A line & more.", "", "## Pages", "",
        f"- [Home]({URL}index.md): Where it begins.",  # the first, whatever it is called
        f"- [A part <of> it]({URL}deep/part/index.md): Parts & more.",
        f"- [Late]({URL}late/index.md)",
    ]  # fmt: skip
    assert "- [Late](late/index.md)" in text(nameless, "llms.txt")


def test_manifest_names_the_site_and_is_linked(named):
    told = json.loads(text(named, "site.webmanifest"))
    assert (told["name"], told["lang"], told["start_url"]) == ("The <Site>", "en-GB", "./")
    assert [icon["src"] in files(named) for icon in told["icons"]] == [True]
    tree = page(named, "deep/part/index.html")
    assert tree.find(".//link[@rel='manifest']").get("href") == "../../site.webmanifest"
    assert "manifest-src 'self'" in tree.find(".//meta[@http-equiv]").get("content")


def test_page_says_of_itself_what_others_show_of_it(named):
    tree = page(named, "deep/part/index.html")
    told = {one.get("property") or one.get("name"): one.get("content") for one in tree.iter("meta")}
    assert told["og:url"] == tree.find(".//link[@rel='canonical']").get("href") == f"{URL}deep/part/"
    assert (told["og:title"], told["og:description"]) == ("A part <of> it", "Parts & more.")
    assert (told["og:site_name"], told["og:type"]) == ("The <Site>", "article")
    assert told["twitter:card"].startswith("summary")


def test_site_without_an_address_has_no_tags_that_need_one(nameless):
    for path in ("index.html", "late/index.html"):
        assert "og:" not in text(nameless, path) and "canonical" not in text(nameless, path)


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("", "", "/"),
        (URL, "", "/base/"),
        ("https://example.org", "", "/"),
        (URL, "/loom", "/loom/"),
        ("", "a/b", "/a/b/"),
    ],
)
def test_page_for_what_is_missing_works_at_any_depth(tmp_path, url, base, expected):
    settings = {"site.yml": f"url: {url}\n"} if url else {}
    options = Options(site(tmp_path, index="# Home\n", other="# Other\n", **settings), base=base)
    output = build_site(options)
    assert [one for one in lint(options).problems if one.path == "404.html"] == []  # its links are checked with all
    tree = page(output, "404.html")
    found = {one.get(name) for one in tree.iter() for name in ("href", "src") if one.get(name)}
    assert {one for one in found if not one.startswith(expected)} == set()
    assert f"{expected}other/" in found
    assert tree.find(".//meta[@name='robots']").get("content").startswith("noindex")
    assert words(tree.find(".//h1")) == "There is no page at this address"


@pytest.mark.parametrize(
    ("url", "base", "told"),
    [
        ("https://example.org/foo/", "/bar/", ["'url' leads to '/foo/', and the site is built for '/bar/'"]),
        ("https://example.org/", "/bar", ["'url' leads to '/', and the site is built for '/bar/'"]),
        ("https://example.org/foo/", "foo", []),
        ("https://example.org/foo/", "", []),
        ("", "/bar/", []),
    ],
)
def test_address_below_another_path_than_the_site_is_told_by_check(tmp_path, url, base, told):
    files = {"site.yml": f"url: {url}\nrules: {{unused: false}}\n" if url else "rules: {unused: false}\n"}
    root = toy_site(tmp_path, index="---\nsummary: A.\n---\n# Home\n", **files)
    assert [one.message for one in lint(Options(root, base=base)).problems] == told


def test_link_of_the_missing_page_that_leads_nowhere_is_found(tmp_path):
    template = (OWN / "templates/404.html").read_text().replace("to(one.url)", "to('gone/')")
    root = site(tmp_path, index="# Home\n", **{"templates/404.html": template})
    assert "the link '/gone/' leads nowhere" in [one.message for one in faults(root) if one.path == "404.html"]


def test_file_of_the_author_stands_for_the_one_that_would_be_made(tmp_path):
    own = {"robots.txt": "User-agent: *\nDisallow: /\n", "static/llms.txt": "# Mine\n"}
    output = built(site(tmp_path, index="# Home\n", **own))
    assert text(output, "robots.txt") == own["robots.txt"]
    assert text(output, "llms.txt") == own["static/llms.txt"]


def test_the_same_site_is_the_same_bytes(named, tmp_path):
    again = build_site(Options(site(tmp_path, **PAGES, **{"site.yml": f"{SITE}url: {URL}\n"})))
    assert again == named


def test_page_count_of_check_leaves_out_the_missing_page(tmp_path, capsys):
    root = site(
        tmp_path, index="---\ntitle: Home\nsummary: A page.\n---\n", **{"references.yml": "", "glossary.yml": ""}
    )
    assert main(["check", "--root", str(root), "--jobs", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 page, ")


def test_address_with_escaped_signs_leads_somewhere(tmp_path):
    front = "---\ntitle: A\nsummary: B.\n---\n"
    root = site(tmp_path, index=front, **{"site.yml": "url: https://e.org/p%C3%A4th/\n"})
    assert faults(root) == ()


def test_gallery_is_not_in_the_sitemap(tmp_path):
    root = toy_site(tmp_path, index="# Home\n\n:::{scene} toy\n:::\n", **{"site.yml": f"url: {URL}\n"})
    assert "gallery" not in text(built(root, gallery=True), "sitemap.xml")


@pytest.mark.parametrize(
    ("path", "command"),
    [("docs/pages.yml", "python build.py"), ("loom/dev/starter/site/.github/workflows/pages.yml", "loom")],
)
def test_workflow_for_github_pages_asks_for_little_and_checks_first(path, command):
    flow = yaml.safe_load((OWN / path).read_text())
    assert flow["permissions"] == {"contents": "read"}
    assert flow["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    steps = [step for job in flow["jobs"].values() for step in job["steps"]]
    (run,) = [step["run"] for step in steps if "check" in step.get("run", "")]
    assert run.index(f"{command} check") < run.index(f"{command} build")
    assert run.count("--base-path") == 2
