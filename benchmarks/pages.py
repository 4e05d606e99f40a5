"""Make a site of ordinary Markdown pages, the same for every generator.

What stands on a page is as often there as on 1,025 pages of the documentation of PowerShell. A page of 9 kB has twenty
paragraphs with forty pieces of code and nine links, four of them by reference, 18 headings, ten list items, six blocks
of code in a dozen languages, and a table or a quotation now and then. Half of the pages are smaller than 6 kB, and one
in twenty is larger than 28 kB.
"""

from __future__ import annotations

import math
import random
from pathlib import Path
from statistics import NormalDist

MEDIAN, SPREAD, LONGEST = 5_500, 1.0, 84_000  # bytes of Markdown; their logarithms are distributed normally
GOLDEN = (math.sqrt(5) - 1) / 2  # so that the sizes of a few pages are spread as those of many
PER_FOLDER = 50
SMALL = [
    "the", "of", "a", "to", "and", "is", "in", "that", "for", "it", "as", "with", "on", "this", "are", "be",
    "by", "can", "or", "an", "not", "from", "you", "when", "if", "which",
]  # fmt: skip
WORDS = [
    "command", "value", "object", "parameter", "module", "property", "script", "name", "type", "file",
    "default", "session", "output", "string", "method", "example", "function", "list", "path", "remote",
    "current", "user", "system", "variable", "error", "option", "member", "service", "process", "array", "set",
    "call", "return", "run", "create", "use", "specify", "contain", "support", "include", "change", "add",
    "remove", "start", "stop", "import", "convert", "available", "different", "multiple", "optional",
    "following", "previous", "single", "local", "additional", "required", "specific", "empty", "configuration",
    "environment", "information", "reference", "expression", "container", "cluster", "resource", "ownership",
    "compiler",
]  # fmt: skip
PUNCTUATION = [", ", " ", " ", " ", " ", " ", " ", " ", " ", "; ", " - ", " (or not) ", ' "quoted" ', ", it's "]
CODE = {
    "powershell": "$items = Get-ChildItem -Path {a} -Filter '*.{b}' |\n    Where-Object {{ $_.Length -gt {n} }} |\n"
    "    Sort-Object -Property Name -Descending\nforeach ($one in $items) {{\n"
    '    Write-Output "$($one.FullName): {a}"  # {b}\n}}\n',
    "yaml": 'apiVersion: v1\nkind: {a}\nmetadata:\n  name: {b}-{n}\n  labels:\n    app: "{a}"\nspec:\n'
    "  replicas: {n}\n  containers:\n    - name: {b}\n      image: registry.example/{a}:{n}.1\n",
    "python": 'def {a}_{b}(rows: int, columns: list[float]) -> dict:\n    """The {a} of a {b}."""\n    total = 0\n'
    "    for at in range(rows):\n        total += columns[at] * {n}  # {b}\n"
    "    return {{'{a}': total, \"{b}\": None}}\n",
    "bash": "for name in {a} {b}; do\n  echo \"$name\" | sed 's/{a}/{b}/' >> log-{n}.txt\ndone\n"
    "kubectl get pods --namespace={a} -o wide | grep -v {b}\n",
    "json": '{{\n  "{a}": [{n}, true, null],\n  "{b}": {{"size": {n}.5, "name": "{a}"}}\n}}\n',
    "c": "static int {a}(const float *{b}, int n) {{\n  float sum = {n}.0f;\n"
    "  for (int i = 0; i < n; i++) sum += {b}[i];\n  return (int)sum; /* {a} */\n}}\n",
    "rust": "fn {a}(rows: &[u32]) -> Option<String> {{\n    let {b} = rows.iter().filter(|&&r| r > {n}).count();\n"
    '    match {b} {{\n        0 => None, // {a}\n        n => Some(format!("{{n}} of {a}")),\n    }}\n}}\n',
    "go": "func {a}(rows []int) (string, error) {{\n\tif len(rows) > {n} {{\n"
    '\t\treturn "", fmt.Errorf("{b}: %d", len(rows))\n\t}}\n\treturn `{a}`, nil // {b}\n}}\n',
    "csharp": 'public class {a}{n} : IDisposable\n{{\n    private readonly string _{b} = "{a}";\n'
    "    public int Size {{ get; set; }} = {n};\n    public void Dispose() => Console.WriteLine(_{b});\n}}\n",
    "xml": '<?xml version="1.0"?>\n<{a} id="{n}">\n  <!-- {b} -->\n  <{b} kind="{a}">{n}</{b}>\n</{a}>\n',
    "sql": "SELECT {a}, count(*) AS n FROM {b}_table\nWHERE size > {n} AND name LIKE '{a}%'\nGROUP BY {a};\n",
    "text": "Name            Size  {a}\n----            ----  -----\n{b}              {n}  True\n",
}


def page_name(index: int) -> str:
    """Where page `index` lies: the first is the home page, the others in folders of fifty."""
    return "index" if index == 0 else f"part-{index // PER_FOLDER:03}/page-{index:04}"


def page_text(index: int, count: int) -> str:
    """One page's Markdown without front matter; of the index alone, so that every run makes the same."""
    share = (index + 0.5) * GOLDEN % 1
    return _Page(random.Random(index), index, count).text(MEDIAN * math.exp(SPREAD * NormalDist().inv_cdf(share)))


def write_pages(folder: Path, count: int, front: str = "") -> None:
    """Write `count` pages; `front` is front matter with a place for the title."""
    for index in range(count):
        path = folder / f"{page_name(index)}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(front.format(title=f"Page {index}") + page_text(index, count))


class _Page:
    """Writes one page. Shares and numbers are those of the documentation named above."""

    def __init__(self, rng: random.Random, index: int, count: int) -> None:
        self.rng, self.index, self.count = rng, index, count
        self.links: list[str] = []  # that are defined at the end

    def text(self, size: float) -> str:
        parts = [f"# Page {self.index} on {self.word()}s\n", self.paragraph()]
        written, section = sum(map(len, parts)), 0
        while written < min(size, LONGEST):
            section += 1
            parts.append(f"{'##' if section % 3 else '###'} {self.words(3).capitalize()} {section}\n")
            parts += [self.paragraph() for _ in range(self.rng.choice((1, 1, 1, 2)))]
            block = self.rng.random()
            for share, make in ((0.38, self.fence), (0.16, self.items), (0.07, self.table), (0.1, self.quotation)):
                if 0 <= block < share:
                    parts.append(make())
                block -= share
            written = sum(map(len, parts))
        return "\n".join([*parts, *self.links, ""])

    def word(self) -> str:
        return self.rng.choice(WORDS)

    def words(self, length: int) -> str:
        """About as many small words as others."""
        return " ".join(self.rng.choice(SMALL if self.rng.random() < 0.4 else WORDS) for _ in range(length))

    def sentence(self) -> str:
        """A sentence, perhaps with code, emphasis or a link."""
        first, last = self.words(self.rng.randrange(4, 9)).capitalize(), self.words(self.rng.randrange(3, 8))
        chance = self.rng.random()
        if chance < 0.45:
            middle = f"`{self.word().capitalize()}-{self.word()}`"
        elif chance < 0.58:
            middle = f"{'**' if chance < 0.5 else '*'}{self.words(2)}{'**' if chance < 0.5 else '*'}"
        elif chance < 0.68:
            middle = self.link()
        else:
            middle = self.word()
        return f"{first} {middle}{self.rng.choice(PUNCTUATION)}{last}."

    def link(self) -> str:
        """To another page: there, or defined at the end."""
        other = f"{'' if self.index == 0 else '../'}{page_name(self.rng.randrange(self.count))}.md"
        if self.rng.random() < 0.6:
            return f"[{self.words(2)}]({other})"
        self.links.append(f"[{len(self.links)}-{self.index}]: {other}")
        return f"[the {self.words(2)}][{len(self.links) - 1}-{self.index}]"

    def paragraph(self) -> str:
        return "\n".join(self.sentence() for _ in range(self.rng.randrange(2, 5))) + "\n"

    def fence(self) -> str:
        language = self.rng.choice(list(CODE))
        body = ""
        for _ in range(self.rng.choice((1, 1, 2, 4))):
            body += CODE[language].format(a=self.word(), b=self.word(), n=self.rng.randrange(1, 99))
        return f"```{language}\n{body}```\n"

    def items(self) -> str:
        sign = self.rng.choice(("-", "-", "-", "1."))
        listed = [f"{sign} {self.sentence()}" for _ in range(self.rng.randrange(3, 6))]
        if self.rng.random() < 0.3:
            listed[1:1] = [f"{' ' * len(sign)} - {self.sentence()}" for _ in range(2)]
        return "\n".join(listed) + "\n"

    def table(self) -> str:
        rows = [f"| `{self.word()}` | {self.sentence()} | {self.rng.random():.3f} |" for _ in range(4)]
        return "\n".join(["| Name | What it is | Size |", "|---|---|--:|", *rows]) + "\n"

    def quotation(self) -> str:
        return f"> **Note:** {self.sentence()}\n> {self.sentence()}\n"
