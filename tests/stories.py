"""Stories of a small site under edits: which edits there are, and how often one follows another."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.edits import (
    FILES,
    PAGES,
    SCENE,
    SHARED,
    SLIPS,
    STYLES,
    TEMPLATES,
    Add,
    Change,
    Edit,
    Mend,
    Remove,
    Rename,
    Step,
    values,
)

STEPS = 12  # bursts of edits, each followed by builds
DATA = ("site.yml", "glossary.yml", "references.yml")
SCENES = ("scenes/bars", "scenes/dots", "scenes/extra")
# Today's faults: what a scene reads besides its own files, and mistakes that a page's parser finds.
HIDDEN = ("reads", "more", "prose")


def changes(names: tuple[str, ...], *whats: str) -> list[Edit]:
    """Every such change of some things."""
    pairs = [(name, what) for name in names for what in whats or values(name) if what in values(name)]
    return [Change(name, what, value) for name, what in pairs for value in values(name)[what]]


def slips(names: tuple[str, ...], *whats: str) -> list[Edit]:
    """Every such mistake."""
    pairs = [(name, what) for name in names for what in whats if what in values(name)]
    return [Change(name, what, value) for name, what in pairs for value in SLIPS[what]]


def comings(names: tuple[str, ...]) -> list[Edit]:
    """Things that come, and that go."""
    return [make(name) for name in names for make in (Add, Remove)]


KINDS: dict[str, list[Edit]] = {
    "prose": changes(PAGES, "text", "prose"),
    "headings": changes((*PAGES, *["part"] * 8), "heading", "section", "section", "another"),  # links lead there
    "front matter": changes(PAGES, "title", "nav", "order", "summary", "date", "listed"),
    "placeholders": changes(PAGES, "link", "term", "cite", "value", "image"),
    "blocks": changes(PAGES, "scene", "list", "more"),
    "drafts": changes(PAGES, "draft"),
    "pages": comings(PAGES),
    "names": [Rename(*two, mended) for two in itertools.permutations(PAGES, 2) for mended in (True, False)],
    "folders": [Add("new/index"), Remove("new/"), Add("deep/down"), Remove("deep/")],
    "data": changes(DATA),
    "templates": [*changes(TEMPLATES, "text") * 2, *comings(TEMPLATES), *slips(TEMPLATES[:2], "jinja")],
    "styles": [*changes(STYLES, "text") * 2, *comings(STYLES), *slips(STYLES, "css")],
    "files": [*changes(FILES, "text"), *comings((*FILES, "glossary.yml"))],
    "scenes": changes((*SCENES, "scenes/_shared"), *(what for what in SCENE if what not in HIDDEN), *SHARED),
    "scenes that come and go": comings((*SCENES, "scenes/_shared")),
    "slips on pages": slips(PAGES, *(what for what in SLIPS if what not in HIDDEN)),
    "slips elsewhere": slips((*DATA, *SCENES, "scenes/_shared"), "yaml", "entry", "python", "draw"),
    "no more slips": [Mend()],
    "hidden": [*changes(SCENES, *HIDDEN), *slips(PAGES, "prose")],
}


@dataclass(frozen=True)
class Story:
    """A site, who looks at it first after an edit, and what is done to it."""

    steps: tuple[Step, ...]
    plain: bool = False
    search: str = ""
    url: str = ""
    jobs: int = 1
    served_first: bool = False


def some(*kinds: str) -> st.SearchStrategy[tuple[Edit, ...]]:
    """One to three edits of some kinds."""
    return st.lists(st.one_of([st.sampled_from(KINDS[kind]) for kind in kinds]), min_size=1, max_size=3).map(tuple)


# Loom has ways of its own for an edit of pages alone, of templates alone and of style sheets alone.
PROSE = some(*["prose", "headings", "placeholders"] * 2, "slips on pages", "no more slips")
ANY = some(*(kind for kind in KINDS if kind != "hidden"))
FACES = some("prose", "pages", "names", "drafts", "folders", "front matter")
BURSTS = [PROSE, PROSE, PROSE, FACES, some("templates"), some("styles"), some("scenes"), ANY, ANY]


def stories(bursts: list[st.SearchStrategy[tuple[Edit, ...]]]) -> st.SearchStrategy[Story]:
    """Anything that may happen to a site."""
    steps = st.builds(Step, st.one_of(bursts), st.sampled_from(["later", "soon", "kept"]), st.booleans())
    first, more = st.lists(steps, min_size=1, max_size=STEPS), st.lists(steps, max_size=STEPS)
    return st.builds(
        Story,
        st.tuples(first, more).map(lambda both: (*both[0], *both[1])),  # one list alone is hardly ever long
        plain=st.booleans(),
        search=st.sampled_from(["", "", "true"]),
        url=st.sampled_from(["", "", "https://example.org/"]),
        jobs=st.sampled_from([1, 1, 2]),
        served_first=st.booleans(),
    )


STORIES = stories([*BURSTS, some("hidden"), some("hidden", "scenes")])
