"""The small site that the browser tests visit: it has one of everything."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

from loom.build.pipeline import build_site
from loom.model import Output
from loom.options import Options
from loom.paths import OWN

HOME = """---
title: A page for the tests
summary: It has one of everything.
order: 1
---

## Words

A {term}`warp` runs 32 threads, {term}`lanes <lane>` of one {term}`warp`, as {cite}`fa1 §2.2` says.
There are {value}`online-softmax.tiles` tiles, of eight keys {value}`online-softmax.tiles tile=8` tiles,
and of two, in the order on the page, {value}`online-softmax.rescales tile=2` rescales.
The dots weigh {value}`dots.weight`, and when they are ringed {value}`dots.weight ringed=on`.
Look at [the third step](#online-softmax?step=3), at [twos](#online-softmax?tile=2&step=5) or at
[four dots](#dots?count=4&step=2), or read on about [things](#things).

:::{scene} online-softmax
:::

## Things

:::{aside}
This stands in the margin.
:::

{caption="A machine"}
| machine | bytes in a second |
|---|---:|
| first | 3,350,000,000,000 |

```python
total += weight[key] * "a long line of code that a phone has to scroll to the side"  # a comment
```

$$\\ell = \\sum_{i=1}^{n} e^{s_i - m}$$

:::{check}
How many lanes has a {term}`warp`?

- [ ] 16

  That is half of one.
- [x] 32

  Yes, on every GPU of this maker.
:::

:::{scene} dots
:count: 6
:::
"""

SECOND = """---
title: The second page
order: 2
---

## A guess

See [the state on the other page](home.md#online-softmax?order=descending&step=2) or [here](#dots?step=2).

::::{predict}
How many dots are lit at the end?

- [ ] None.
- [x] All of them.

:::{scene} dots
:count: 6
:::

It was all of them.
::::

"""

TALL = f"""---
title: A tall page
order: 3
---

## Before

[Two dots lit](#dots?step=2)

```text
{chr(10).join(f"line {number}" for number in range(250))}
```

## After

:::{{scene}} dots
:count: 6
:step: 3
:::

It weighs {{value}}`dots.weight`.
"""

GLOSSARY = """
- {term: Warp, definition: A group of 32 threads that a GPU runs together.}
- {term: Lane, definition: One thread's place in a warp.}
"""

REFERENCES = "".join(
    f"- {{id: {name}, title: The title of {name}, authors: Firstname, year: {year}, kind: paper, area: kernels, "
    f"url: 'https://example.org/{name}', takes: What is taken from {name}.}}\n"
    for name, year in (("online-softmax", 2018), ("fa1", 2022), ("fa2", 2023))
)

# A second scene: a slider, a switch, a choice that depends on it, marks to press; its rain takes so many bytes that
# every variant has a file of its own.
DOTS = """
from functools import cache

import numpy as np

from loom.draw import Box, Pen
from loom.scene import Choice, Column, Range, Scene, Table, Toggle, Value

LONG = "A rather long sentence, which takes more than one line on a phone, and says that all of them are lit now"


@cache
def rain(seed, width):
    drops = np.random.default_rng(seed).random((4500, 2)) * (width, 6)
    return Pen(width).path("rain", drops.tolist(), "grid")


def draw(state, width):
    count, ringed, ring, step = state
    pen = Pen(width)
    gap = width / 8
    yield rain(count + 10 * ringed + 100 * (ring == "thick"), width)
    yield pen.line("floor", 0, 90, width, 90, "axis")
    for place, choice in enumerate((2, 4, 6)):
        box = Box(place * gap * 1.5, 100, gap * 1.5 - 8, 30)
        yield pen.rect(f"pick-{choice}", box, "cell", set={"count": choice}, label=f"Show {choice} dots")
        yield pen.text(f"pick-{choice}-text", box.x + 8, 118, str(choice), "value")
    for number in range(1, count + 1):
        yield pen.circle(f"dot-{number}", gap * number, 40, 10, "hot" if number <= step else "data", wait=number % 3)
    if step % 2:
        yield pen.circle("spark", gap * step, 40, 4, "kept")
    more = {} if ringed else {"set": {"ringed": True}, "label": "Ring it"}
    yield pen.rect("runner", Box(gap * step - 5, 60, 10, 10), "hot", **more)
    if ringed:
        yield pen.circle("ring", gap * count, 40, 16, f"hot outline {ring}")
    yield pen.text("said", 3 + step, 150, f"{step} of {count}", "note answer")


SCENE = Scene(
    title="How many dots are lit?",
    summary="Dots light up one by one.",
    params=(
        Range("count", "Dots", (2, 4, 6), default=4, unit="dots"),
        Toggle("ringed", "Ring the last"),
        Choice("ring", "Kind of ring", ("thin", "thick"), when={"ringed": (True,)}),
    ),
    sentence="Show {count} and a ring {ringed}.",
    steps=lambda count, ringed, ring: [(count, ringed, ring, step) for step in range(1, count + 1)],
    draw=draw,
    say=lambda state: f"Dot {state[3]} of {state[0]} is lit." if state[3] < state[0] else f"{LONG}: {state[0]}.",
    table=lambda count, ringed, ring: Table(
        (Column("dot", "dot"), Column("share", "share", "%", digits=1), Column("name", "name, quoted")),
        [(number, -100 * number / 3, f'the "{number}", {ring}') for number in range(1, count + 1)],
    ),
    values=lambda count, ringed, ring: {"weight": Value(1500 * count + ringed + (ring == "thick"), "g")},
    sources=("fa1",),
    leaves_out="Everything.",
    key_steps=(1, -1),
)
"""

SETTINGS = "content/site.yml"
TEXTS = {
    "content/home.md": HOME,
    "content/second.md": SECOND,
    "content/tall.md": TALL,
    "content/glossary.yml": GLOSSARY,
    "content/references.yml": REFERENCES,
    SETTINGS: "title: Tests\nhome: home\n",
    "scenes/dots/scene.py": DOTS,
}


def small_site(root: Path, settings: str = "") -> Output:
    """The small site, built in an empty folder. Its other scene is drawn as ever, on the model of the page's."""
    for name, text in (TEXTS | {SETTINGS: TEXTS[SETTINGS] + settings}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copytree(Path(__file__).parent / "frozen/online_softmax", root / "scenes/online_softmax")
    shutil.copy(OWN / "scenes/online_softmax/model.py", root / "scenes/online_softmax")
    return build_site(Options(root))


def test_the_small_site_has_one_of_everything(site: Output):
    home, second = (site[PurePosixPath(name)].decode() for name in ("index.html", "second/index.html"))
    for sign in ('data-scene="online-softmax"', 'data-scene="dots"', 'class="term"', 'class="cite"', "data-value=",
                 'class="check"', "<math", "<pre", "<caption>", 'class="callout aside"', 'type="range"',
                 'type="checkbox"', "<select", 'class="toc"'):  # fmt: skip
        assert sign in home, sign
    assert 'class="predict"' in second
    assert len({name for name in site if name.match("assets/data/dots.*/*.wide.json")}) == 9
