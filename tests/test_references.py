"""References that other programs keep are cited as those of references.yml are, and told by their lines."""

from __future__ import annotations

import json
import sys

import pytest

from loom.cli import main
from loom.content.references import read_references
from loom.errors import LoomError
from tests.sites import REFERENCES, built, faults, page, site

BIBTEX = r"""% what a reference manager wrote
@article{schroedinger1926,
  author = {Schr{\"o}dinger, Erwin},
  title = {Quantisierung als {Eigenwertproblem}},
  year = 1926, doi = {10.1002/andp.19263840404}, keywords = {waves, atoms},
  annote = {The equation.}
}

@book{courant1924, author = {Courant, Richard and von Neumann, John and Hilbert, David and others},
  title = {Methoden}, date = {1924-05}, publisher = {Springer}}

@misc{kingma2014, author={Kingma, Diederik P. and Ba, Jimmy}, title={Adam}, year={2014}, eprint={1412.6980},
  archivePrefix={arXiv}, urldate={2026-11-02}}
"""
CSL = [
    {"id": "noether1918", "type": "article-journal", "title": "Invariante Variationsprobleme", "keyword": "waves",
     "author": [{"family": "Noether", "given": "Emmy"}], "issued": {"date-parts": [[1918]]}, "page": "235-257",
     "URL": "https://eudml.org/doc/59024", "accessed": {"date-parts": [["2026", 11, 2]]}},
    {"id": 7, "type": "webpage", "title": "Units", "author": [{"literal": "BIPM"}], "issued": {"raw": "2019-05-20"}},
]  # fmt: skip
TENFOLD = "@string{{a{0} = a{1} # a{1} # a{1} # a{1} # a{1} # a{1} # a{1} # a{1} # a{1} # a{1}}}\n"
STRINGS = "@string{a0 = {ten signs }}\n" + "".join(TENFOLD.format(number + 1, number) for number in range(9))
CITED = ("toy2020", "pair2021", "schroedinger1926", "courant1924", "kingma2014", "noether1918", "7")
PAGE = "---\nsummary: All.\n---\n# Home\n\n" + "".join(f"{{cite}}`{name}`\n" for name in CITED) + "\n"


def made(root, **files):
    root = site(root, index=f"{PAGE}:::{{references}}\n:::\n", **{"references.yml": REFERENCES})
    for name, text in files.items():
        (root / f"content/references.{name}").write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("name", "text"), [("bib", BIBTEX), ("json", json.dumps([{**CSL[0], "id": "schroedinger1926"}]))]
)
def test_file_of_another_program_is_read_again_when_it_comes_changes_or_goes(tmp_path, capsys, name, text):
    start = "---\nsummary: All.\n---\n# Home\n\n{cite}`toy2020` {cite}`pair2021`"
    root = site(tmp_path, index=f"{start}\n", **{"references.yml": REFERENCES})
    arguments = ["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(arguments) == 0
    (root / "content/index.md").write_text(f"{start} {{cite}}`schroedinger1926`\n", encoding="utf-8")
    file = root / f"content/references.{name}"
    file.write_text(text, encoding="utf-8")
    assert main(arguments) == 0, capsys.readouterr().err
    file.write_text(text.replace("year = 1926", "year = 1927").replace("1918", "1927"), encoding="utf-8")
    assert main(arguments) == 0
    assert ", 1927" in (tmp_path / "out/index.html").read_text()
    file.unlink()
    assert main(arguments) == 1
    assert "unknown reference 'schroedinger1926'" in capsys.readouterr().err


def test_all_files_are_cited_alike_and_stand_in_one_list(tmp_path):
    root = made(tmp_path / "root", bib=BIBTEX, json=json.dumps(CSL, indent=1))
    assert faults(root) == ()
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 0
    html = (tmp_path / "out/index.html").read_text()
    assert "Schrödinger, 1926" in html
    assert (
        '<a href="https://doi.org/10.1002/andp.19263840404"><cite>Quantisierung als Eigenwertproblem</cite></a>' in html
    )
    assert '<a href="https://arxiv.org/abs/1412.6980"><cite>Adam</cite></a>' in html
    assert "</b> <cite>Methoden</cite>" in html  # a book that lies nowhere on the web
    assert not (tmp_path / "out/references.json").exists()  # it is read, not published
    assert "- Courant et al., 1924. Methoden." in (tmp_path / "out/index.md").read_text()


@pytest.mark.parametrize("issued", ["12 May 2020", "5/2020", "2020-05-12", "2020-05", "2020"])
def test_year_of_a_date_in_words_is_the_number_that_can_be_one(tmp_path, issued):
    entry = {"id": "b", "title": "T", "author": [{"family": "Ames"}], "issued": {"raw": issued}}
    assert read_references(made(tmp_path, json=json.dumps([entry])) / "content")["b"].short == "Ames, 2020"


def test_names_kinds_areas_and_days_are_carried_over(tmp_path):
    found = read_references(made(tmp_path, bib=BIBTEX, json=json.dumps(CSL)) / "content")
    assert [found[name].short for name in ("courant1924", "kingma2014", "noether1918", "7")] == [
        "Courant et al., 1924", "Kingma & Ba, 2014", "Noether, 1918", "BIPM, 2019",
    ]  # fmt: skip
    assert [found[name].kind for name in ("schroedinger1926", "courant1924", "kingma2014", "7")] == [
        "paper", "book", "page", "page",
    ]  # fmt: skip
    assert found["courant1924"].authors == "Courant, von Neumann, Hilbert, others"
    assert (found["schroedinger1926"].area, found["kingma2014"].area) == ("waves", "other")
    assert str(found["kingma2014"].seen) == str(found["noether1918"].seen) == "2026-11-02"
    assert found["schroedinger1926"].takes == "The equation."


def test_area_of_several_words_is_one_part_of_the_list(tmp_path):
    references = REFERENCES.replace("area: games", "area: board games")
    text = "# Home\n\n{cite}`toy2020` {cite}`pair2021`\n\n:::{references}\n:::\n"
    root = site(tmp_path, index=f"---\nsummary: All.\n---\n{text}", **{"references.yml": references})
    assert not faults(root)
    assert page(built(root)).find(".//h2[@id='area-board-games']") is not None


@pytest.mark.parametrize(
    ("kind", "text", "place", "expected"),
    [
        ("bib", "@article{a,\n title = {T\n", "content/references.bib:", "not valid BibTeX"),
        ("bib", "\n@article{a, title = {T}, year = 2020}", "content/references.bib:2", "'a' has no authors"),
        ("bib", "@article{a, author = {B, C}}", "content/references.bib:1", "'a' has no title and no year"),
        ("bib", "\n@misc{a, author={A, B, C, D}, title={T}, year=2020}", "references.bib:2", "Too many commas in"),
        ("bib", 2 * "@misc{a, author={A}, title={T}, year=2020}\n", "references.bib:2", "repeated bibliography entry"),
        ("bib", STRINGS, "references.bib:5", "'@string' inserts more than 1,000,000 characters"),
        ("json", "{", "content/references.json:1", "not CSL-JSON"),
        ("json", '[\n{"id": "a"},\n{"id": "b", "title": 3}]', "content/references.json:3", "not an entry of CSL-JSON"),
        ("json", '[{"id": "b", "issued": {"date-parts": [["x"]]}}]', "content/references.json:1", "not an entry"),
        ("json", '[\n\n{"id": "toy2020", "title": "T", "author": [{"family": "A"}], "issued": {"raw": "2020"}}]',
         "content/references.json:3", "'toy2020' is given twice"),
        ("json", '[{"id": "b", "title": "T", "author": [{"family": "A"}], "issued": {"raw": "2020"},\n"URL": "x"}]',
         "content/references.json:2", "'x' is not an address"),
    ],
)  # fmt: skip
def test_what_can_not_be_read_is_told_with_its_place(tmp_path, capsys, kind, text, place, expected):
    root = made(tmp_path, **{kind: text})
    assert main(["build", "--root", str(root), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 1
    told = capsys.readouterr().err
    assert place in told
    assert expected in told
    assert "Traceback" not in told


def test_bibtex_without_its_package_is_told_what_to_install(tmp_path, monkeypatch):
    root = made(tmp_path, bib=BIBTEX)
    monkeypatch.setitem(sys.modules, "pybtex.database.input.bibtex", None)
    with pytest.raises(LoomError, match="not installed"):
        read_references(root / "content")


def test_reference_that_nobody_cites_is_told_in_its_own_file(tmp_path):
    root = made(tmp_path, json=json.dumps([*CSL, CSL[0] | {"id": "idle"}], indent=1), bib=BIBTEX)
    (found,) = faults(root)
    line = (root / found.path).read_text().split('"idle"')[0].count("\n")
    assert (found.path, found.line) == ("content/references.json", line)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bib", "@misc{a, author={A}, title={T}, year=2020, urldate={2020-13-01}}", "'a' can't be read: month"),
        ("bib", "@misc{a, author={A, B, C, D}, title={T}, year=2020}", "not valid BibTeX: Too many commas in"),
        ("bib", "@misc{a, author={A}, title={T \\}, year=2020}", "'a' can't be read: 'latex' codec"),
        ("json", json.dumps([{**CSL[0], "accessed": {"date-parts": [[2020, 13, 1]]}}]), "not an entry of CSL-JSON: m"),
        ("json", json.dumps([{**CSL[0], "accessed": {"date-parts": [[2**40, 1, 1]]}}]), "not an entry of CSL-JSON: "),
        ("json", json.dumps([{**CSL[0], "issued": {"date-parts": [[10**30]]}}]), "'noether1918' can't be read: this n"),
        ("json", json.dumps([{**CSL[0], "title": "a\0b"}]), "'noether1918' can't be read: the character U+0000"),
        ("json", "[" * 100_000, "not CSL-JSON: maximum recursion"),
    ],
)  # fmt: skip
def test_what_no_date_or_name_can_be_is_told(tmp_path, name, text, said):
    path = tmp_path / f"references.{name}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LoomError) as found:
        read_references(tmp_path)
    (problem,) = found.value.problems
    assert (problem.path, problem.message.startswith(said)) == (f"content/{path.name}", True), problem
