"""The style sheet as a rasteriser reads it: selectors without functions, colours of the light theme worked out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
CONDITION = re.compile(r"@(?:media|container|supports|starting-style)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
PAINT = re.compile(r"(?:fill|stroke(?:-\w+)?|opacity|font-family|font-weight|font-style|text-anchor):")
VARIABLE = re.compile(r"var\((--[\w-]+)\)")
THEMES = re.compile(r"light-dark\(\s*([^(),]+?)\s*,[^()]+\)")
MIXTURE = re.compile(r"color-mix\(in oklab,\s*#(\w+) ([\d.]+)%,\s*#(\w+)\)")
MOST = 9  # variables within variables


def variables(css: str) -> dict[str, str]:
    """What `:root` names, whatever the reader's device or wishes."""
    found: dict[str, str] = {}
    for selector, declarations in RULE.findall(CONDITION.sub("", css)):
        if selector.strip() == ":root":
            pairs = (one.partition(":") for one in declarations.split(";"))
            found |= {name.strip(): value.strip() for name, _, value in pairs if name.strip().startswith("--")}
    return found


def picture_rules(css: str) -> str:
    """How marks are painted."""
    rules = []
    for selectors, declarations in RULE.findall(CONDITION.sub("", css)):
        paint = ";".join(one for one in declarations.split(";") if PAINT.match(one.strip()))
        if paint and ".picture" in selectors:
            rules += [f"{one}{{{paint}}}" for one in _plain(selectors) if not re.search(r"[:\[*]", one)]
    return "\n".join(rules)


def _plain(selectors: str) -> Iterator[str]:
    """Each selector, with every choice that `:is()` gives written out."""
    for selector in re.split(r",(?![^()]*\))", selectors.strip()):
        pieces = re.split(r":is\(([^()]*)\)", selector)
        choices = [piece.split(",") if at % 2 else [piece] for at, piece in enumerate(pieces)]
        for chosen in itertools.product(*choices):
            yield "".join(part.strip() if at % 2 else part for at, part in enumerate(chosen))


def worked_out(text: str, names: Mapping[str, str]) -> str:
    """A text with its variables, themes and mixtures replaced by what they come to."""
    for _ in range(MOST):
        text = VARIABLE.sub(lambda found: names.get(found[1], "none"), text)
        text = MIXTURE.sub(_mixed, THEMES.sub(r"\1", text))
    return text


def _mixed(found: re.Match[str]) -> str:
    share = float(found[2]) / 100
    one, other = _oklab(found[1]), _oklab(found[3])
    return _hex([share * a + (1 - share) * b for a, b in zip(one, other, strict=True)])


# OKLab, after Björn Ottosson, "A perceptual color space for image processing", 2020.
TO_CONE = [(0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
           (0.0883024619, 0.2817188376, 0.6299787005)]  # fmt: skip
TO_LAB = [(0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
          (0.0259040371, 0.7827717662, -0.8086757660)]  # fmt: skip
FROM_LAB = [(1.0, 0.3963377774, 0.2158037573), (1.0, -0.1055613458, -0.0638541728), (1.0, -0.0894841775, -1.2914855480)]
FROM_CONE = [(4.0767416621, -3.3077115913, 0.2309699292), (-1.2684380046, 2.6097574011, -0.3413193965),
             (-0.0041960863, -0.7034186147, 1.7076147010)]  # fmt: skip


def _oklab(code: str) -> list[float]:
    code = code if len(code) == 6 else "".join(digit * 2 for digit in code)
    shares = [int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    light = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return _times(TO_LAB, [value ** (1 / 3) for value in _times(TO_CONE, light)])


def _hex(lab: list[float]) -> str:
    light = _times(FROM_CONE, [value**3 for value in _times(FROM_LAB, lab)])
    shares = [12.92 * one if one <= 0.0031308 else 1.055 * one ** (1 / 2.4) - 0.055 for one in light]
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, share))):02x}" for share in shares)


def _times(matrix: list[tuple[float, float, float]], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
