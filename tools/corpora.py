"""Build folders of other people's Markdown; count what is refused, by kind, and what reads otherwise than on GitHub.

    PYTHONPATH=. python tools/corpora.py mkdocs=../mkdocs/docs book=../book/src --pages 300 --compare
    PYTHONPATH=. python tools/corpora.py mkdocs=../mkdocs/docs --table table.md

Each NAME=FOLDER is copied into a site of its own, with a home page where there is none. Nothing is fetched, and nothing
is kept but the table, which has a row for each page. The comparison and the table need cmarkgfm, which is among the
packages for tests.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

from loom.build.pipeline import Builder
from loom.build.sink import MemorySink
from loom.content.files import page_files
from loom.content.source import FRONT
from loom.errors import LoomError, Problem
from loom.options import Options

# What stands for any name in a message.
QUOTED = re.compile(r"'(?:[^']|'(?=\w))*'|#\S+|\b\d+\b")


def pages(folder: Path, most: int) -> Iterator[Path]:
    """The first pages of a folder, in order. A link that leads nowhere is none."""
    yield from islice((path for path in sorted(folder.rglob("*.md")) if path.is_file()), most)


def copied(folder: Path, root: Path, most: int) -> int:
    """Make a site of a folder; the number of its pages."""
    content = root / "content"
    chosen = list(pages(folder, most))
    for path in folder.rglob("*"):
        if path.is_file() and (path.suffix != ".md" or path in chosen):
            target = content / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix not in (".yml", ".yaml"):
                shutil.copyfile(path, target)
    if "index" not in page_files(path.name for path in content.iterdir()):
        (content / "index.md").write_text("# Home\n", encoding="utf-8")
    (root / "scenes").mkdir()
    return len(chosen)


def kind(problem: Problem) -> str:
    """What a problem says, whatever it says it of; of HTML, of which element."""
    tag = re.match(r"raw HTML '(</?[A-Za-z!?-]+)", problem.message)
    return f"raw HTML {tag[1].lower().replace('/', '')}>" if tag else QUOTED.sub("…", problem.message)


def refused(root: Path) -> list[Problem]:
    """Everything for which a build of this site is refused."""
    sink = MemorySink()
    try:
        built = Builder(Options(root)).build(sink, strict=False)
    except LoomError as error:
        return list(error.problems)
    return list(LoomError(*built.problems).problems)


def compared(path: Path) -> tuple[int, int, bool]:
    """How many blocks of a page read as with GitHub's parser, of how many, and whether nothing reads otherwise."""
    import cmarkgfm

    from tests.commonmark.reading import ours, shape

    extensions = ["table", "tasklist", "strikethrough", "autolink"]
    text = path.read_text(encoding="utf-8", errors="replace")
    body = FRONT.sub("", text, count=1) if text.startswith("---") else text
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    theirs = [repr(one) for one in shape(cmarkgfm.markdown_to_html_with_extensions(body, options, extensions))]
    mine = [repr(one) for one in ours(body)]
    same = sum(one.size for one in SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks())
    return same, len(theirs), mine == theirs


def alike(root: Path) -> tuple[int, float]:
    """How many pages read as GitHub's parser does, and what share of all their blocks does."""
    read = [compared(path) for path in pages(root / "content", 10_000)]
    blocks = sum(of for _, of, _ in read)
    return sum(whole for *_, whole in read), sum(same for same, *_ in read) / max(1, blocks)


def table(name: str, folder: Path, root: Path, most: int, found: Sequence[Problem]) -> Iterator[str]:
    """A table in Markdown with a row for each page of a folder, of which `root` is the site."""
    yield from (f"| page of {name} | build | beside GitHub |", "|---|---|---|")
    for path in pages(folder, most):
        page = path.relative_to(folder)
        reasons = dict.fromkeys(kind(one) for one in found if one.path == f"content/{page.as_posix()}")
        why = "; ".join(f"`{one.replace('|', '/').replace('`', '')}`" for one in reasons)
        same, blocks, whole = compared(root / "content" / page)
        read = "the same" if whole else f"{same} of {blocks} blocks alike"
        yield f"| `{path.relative_to(folder).as_posix()}` | {f'refused: {why}' if why else 'built'} | {read} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what is refused of each corpus, and write the table of its pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--pages", type=int, default=300, help="of each at most so many")
    parser.add_argument("--compare", action="store_true", help="with GitHub's parser, too")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write a table in Markdown with a row for each page")
    options = parser.parse_args(arguments)
    tables: list[str] = []
    for given in options.corpora:
        name, _, folder = given.partition("=")
        with tempfile.TemporaryDirectory() as made:
            root = Path(made)
            count = copied(Path(folder), root, options.pages)
            found = refused(root)
            faulty = len({one.path for one in found})
            print(f"\n{name}: {count} pages, {faulty} refused for {len(found)} reasons")
            for what, times in Counter(map(kind, found)).most_common(15):
                print(f"{times:6}  {what}")
            if options.compare:
                whole, share = alike(root)
                print(f"{whole} pages read as on GitHub; {share:.1%} of all blocks do")
            if options.table:
                tables += [*table(name, Path(folder), root, options.pages, found), ""]
    if options.table:
        options.table.write_text("\n".join(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
