"""Make a site of ordinary Markdown pages, the same for every generator: headings, tables, lists, links and code."""

from __future__ import annotations

import random
from pathlib import Path

SIZE = 9_000  # bytes of Markdown, a real page's
FENCES = 6
PER_FOLDER = 50
WORDS = [
    "lane", "tile", "block", "warp", "cycle", "store", "fetch", "queue", "merge", "split", "carry", "shift",
    "weight", "score", "query", "value", "cache", "table", "layer", "matrix", "vector", "kernel", "memory", "thread",
    "fabric", "signal", "buffer", "stage", "register", "column", "stride", "offset", "bank", "page", "word",
]  # fmt: skip
CODE = {
    "python": "def {0}_{1}(rows, columns):\n    total = 0\n    for at in range(rows):\n"
    "        total += columns[at] * {2}  # {0} of the {1}\n    return {{'{0}': total, \"{1}\": None}}\n",
    "bash": "for name in {0} {1}; do\n  echo \"$name\" | sed 's/{0}/{1}/' >> log-{2}.txt\ndone\n",
    "json": '{{"{0}": [{2}, true, null], "{1}": {{"size": {2}.5, "name": "{0}"}}}}\n',
    "c": "static int {0}(const float *{1}, int n) {{\n  float sum = {2}.0f;\n"
    "  for (int i = 0; i < n; i++) sum += {1}[i];\n  return (int)sum; /* {0} */\n}}\n",
}


def page_name(index: int) -> str:
    """Where page `index` lies: the first is the home page, the others in folders of fifty."""
    return "index" if index == 0 else f"part-{index // PER_FOLDER:03}/page-{index:04}"


def page_text(index: int, count: int) -> str:
    """One page's Markdown without front matter; of the index alone, so that every run makes the same."""
    rng = random.Random(index)
    parts, size, section = [f"# Page {index} on {rng.choice(WORDS)}s\n"], 0, 0
    while size < SIZE:
        section += 1
        parts.append(f"## {_sentence(rng, 3)[:-1]} {section}\n")
        parts += [_paragraph(rng, index, count) + "\n" for _ in range(3)]
        if section <= FENCES:
            language = list(CODE)[(index + section) % len(CODE)]
            body = CODE[language].format(rng.choice(WORDS), rng.choice(WORDS), rng.randrange(99))
            parts.append(f"```{language}\n{body}```\n")
        if section % 3 == 0:
            parts.append(
                "\n".join(
                    ["| a | b |", "|---|---|", *(f"| {_sentence(rng, 2)} | {rng.random():.3f} |" for _ in range(4))]
                )
                + "\n"
            )
        if section % 2 == 0:
            parts.append("\n".join(f"- {_sentence(rng, 8)}" for _ in range(4)) + "\n")
        size = sum(len(part) for part in parts)
    return "\n".join(parts)


def write_pages(folder: Path, count: int, front: str = "") -> None:
    """Write `count` pages; `front` is front matter with a place for the title."""
    for index in range(count):
        path = folder / f"{page_name(index)}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(front.format(title=f"Page {index}") + page_text(index, count))


def _sentence(rng: random.Random, length: int) -> str:
    words = rng.choices(WORDS, k=length)
    return " ".join(words).capitalize() + "."


def _paragraph(rng: random.Random, index: int, count: int) -> str:
    other = rng.randrange(count)
    up = "" if index == 0 else "../"
    link = f"See [{rng.choice(WORDS)}]({up}{page_name(other)}.md) and `{rng.choice(WORDS)}`, *{rng.choice(WORDS)}*."
    return " ".join([_sentence(rng, rng.randrange(8, 16)) for _ in range(4)] + [link])
