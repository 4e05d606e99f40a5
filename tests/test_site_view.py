"""What pages ask of the index depends on nothing but its data, and where links lead on nothing but two addresses."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import product
from urllib.parse import urljoin

import pytest

from loom.addresses import relative
from loom.build.pipeline import Builder
from loom.build.sink import MemorySink
from loom.options import Options
from loom.site.index import SiteIndex
from loom.site.view import index_digest
from tests.sites import toy_site

HOME = "https://example.org/"
ADDRESSES = ["", "a/", "b/", "a/b/", "a/b/c/", "ab/", "a/bc/", "a/b/picture.png", "a b/", "search/", "404.html"]


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> SiteIndex:
    pages = {"index": "# Toys\n\n:::{scene} toy\n:::\n", "more": "# More\n\nMore.\n"}
    root = toy_site(tmp_path_factory.mktemp("toy"), **pages)
    return Builder(Options(root)).build(MemorySink()).index


@pytest.mark.parametrize("name", [one.name for one in fields(SiteIndex)])
def test_digest_of_an_index_holds_each_part_of_it(index, name):
    others = {
        "config": replace(index.config, title="Another"),
        "infos": dict(reversed(index.infos.items())),
        "terms": index.terms[1:],
        "references": {},
        "files": index.files | {"more.png"},
        "sizes": {"more.png": None},
        "drafts": frozenset(["more"]),
        "scenes": index.scenes | {"more"},
        "data": {},
    }
    assert index_digest(replace(index, **{name: others[name]})) != index_digest(replace(index)) == index_digest(index)


@pytest.mark.parametrize(("start", "target"), [*product(ADDRESSES, ADDRESSES)])
def test_relative_address_leads_to_its_target(start, target):
    assert urljoin(HOME + start.replace(" ", "%20"), relative(start, target)) == urljoin(HOME, relative("", target))
    assert not relative(start, target).startswith("/")
