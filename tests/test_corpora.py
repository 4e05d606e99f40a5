"""Other people's pages in a table: built or refused, and how much of each reads as on GitHub."""

from __future__ import annotations

import importlib.util

import pytest

from loom.paths import OWN


@pytest.fixture
def corpora():
    spec = importlib.util.spec_from_file_location("corpora", OWN / "tools/corpora.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_table_has_a_row_for_each_page_also_for_one_that_is_a_link(tmp_path, corpora):
    folder = tmp_path / "docs"
    (folder / "part").mkdir(parents=True)
    (folder / "part/_index.md").write_text("# A\n\nText.\n", encoding="utf-8")
    (folder / "b.md").write_text("# B\n\nText.\n\n<script>1</script>\n\n[c](nope.md) [d](lost.md)\n", encoding="utf-8")
    (tmp_path / "OUTSIDE.md").write_text("# C\n\n==Text==.\n\nMore.\n", encoding="utf-8")
    (folder / "c.md").symlink_to(tmp_path / "OUTSIDE.md")
    (folder / "lost.md").symlink_to(tmp_path / "nowhere.md")
    corpora.main([f"small={folder}", "--table", str(tmp_path / "table.md")])
    head, _, b, c, part = (tmp_path / "table.md").read_text(encoding="utf-8").splitlines()
    assert head == "| page of small | build | beside GitHub |"
    assert b.startswith("| `b.md` | refused: `") and "`there is no page …`" in b and "`raw HTML <script>`" in b
    assert c == "| `c.md` | built | 2 of 3 blocks alike |"
    assert part == "| `part/_index.md` | built | the same |"
