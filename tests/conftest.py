"""A small site, a browser and what they need, once for all browser tests. No other test pays for any of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from browser import Visit
    from playwright.sync_api import Browser

    from loom.model import Output

PASSED = pytest.StashKey[bool]()

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


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    from browser import launch_options
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=3000)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(**launch_options())
        yield running
        running.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Output:
    """The small site, built."""
    from browser import DOTS

    from loom.pipeline import OWN, Options, build_site

    root: Path = tmp_path_factory.mktemp("site")
    texts = {"home.md": HOME, "second.md": SECOND, "tall.md": TALL, "glossary.yml": GLOSSARY,
             "references.yml": REFERENCES, "site.yml": "title: Tests\nhome: home\n"}  # fmt: skip
    for folder in ("content", "scenes/dots"):
        (root / folder).mkdir(parents=True)
    for name, text in texts.items():
        (root / "content" / name).write_text(text)
    (root / "scenes/dots/scene.py").write_text(DOTS)
    (root / "scenes/online_softmax").symlink_to(OWN / "scenes/online_softmax")
    return build_site(Options(root))


@pytest.fixture(scope="session")
def address(site: Output) -> Iterator[str]:
    """Where the small site is served."""
    from browser import serving

    with serving(site, "/") as found:
        yield found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Let fixtures know whether their test has passed."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report


@pytest.fixture
def visitor(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Visit]]:
    """Makes visits. A test that has passed must also have heard nothing from its pages."""
    from browser import Visit

    visits: list[Visit] = []

    def visit(address: str) -> Visit:
        visits.append(Visit(chromium, address))
        return visits[-1]

    yield visit
    for context in chromium.contexts:
        context.close()
    if request.node.stash.get(PASSED, False):
        assert [sound for one in visits for sound in one.noise] == []


@pytest.fixture
def visit(visitor: Callable[[str], Visit], address: str) -> Visit:
    """A visit of the small site."""
    return visitor(address)
