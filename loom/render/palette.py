"""Simplify the style sheet for a rasteriser: selectors without functions, and colours of one theme evaluated."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tinycss2

PAINT = re.compile(r"fill|stroke(-\w+)?|paint-order|opacity|font-(family|weight|style)|text-anchor")
HARD = frozenset(":[*")  # signs of selectors that depend on more than classes: their rules are left out
THEMES = ("light", "dark")  # in the order of `light-dark()`
MOST = 9  # the deepest nesting of variables
Nodes = Sequence[Any]


def variables(css: str) -> dict[str, str]:
    """The custom properties of `:root`, outside media queries."""
    found: dict[str, str] = {}
    for rule in _rules(tinycss2.parse_stylesheet(css)):
        if tinycss2.serialize(rule.prelude).strip() == ":root":
            found |= {one.name: _text(one.value) for one in _declarations(rule) if one.name.startswith("--")}
    return found


def picture_rules(css: str) -> str:
    """The rules that paint marks."""
    rules = []
    for rule in _rules(tinycss2.parse_stylesheet(css)):
        paint = ";".join(
            f"{one.name}:{_text(one.value)}" for one in _declarations(rule) if PAINT.fullmatch(one.lower_name)
        )
        if paint and ".picture" in tinycss2.serialize(rule.prelude):
            rules += [f"{one}{{{paint}}}" for one in _alternatives(rule.prelude) if not HARD & set(one)]
    return "\n".join(rules)


def worked_out(css: str, names: Mapping[str, str], theme: str = "light") -> str:
    """CSS with `var()`, `light-dark()` and `color-mix()` evaluated."""
    return _worked_out(tinycss2.parse_component_value_list(css), names, THEMES.index(theme), MOST)


def _rules(nodes: Nodes) -> Iterator[Any]:
    """The style rules of all layers, outside media queries."""
    for node in nodes:
        if node.type == "qualified-rule":
            yield node
        elif node.type == "at-rule" and node.lower_at_keyword == "layer" and node.content:
            yield from _rules(tinycss2.parse_rule_list(node.content))


def _declarations(rule: Any) -> list[Any]:
    return [one for one in tinycss2.parse_blocks_contents(rule.content) if one.type == "declaration"]


def _alternatives(prelude: Nodes) -> Iterator[str]:
    """Each selector, with `:is()` expanded."""
    for selector in _split(prelude):
        choices = [[""]]
        for node in selector:
            if node.type == "function" and node.lower_name == "is":
                choices[-1:] = [[_text(one) for one in _split(node.arguments)]]  # in the place of its colon
            else:
                choices.append([node.serialize()])
        yield from ("".join(chosen).strip() for chosen in itertools.product(*choices))


def _split(nodes: Nodes) -> list[list[Any]]:
    """The parts between commas."""
    parts: list[list[Any]] = [[]]
    for node in nodes:
        if node == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _text(nodes: Nodes) -> str:
    return str(tinycss2.serialize(nodes)).strip()


def _worked_out(nodes: Nodes, names: Mapping[str, str], theme: int, most: int) -> str:
    pieces = []
    for node in nodes:
        inside = node.arguments if node.type == "function" else getattr(node, "content", None)
        name = node.lower_name if node.type == "function" else ""
        if inside is None:
            pieces.append(node.serialize())
        elif name == "var":
            value = names.get(_text(_split(inside)[0]), "none") if most else "none"
            pieces.append(_worked_out(tinycss2.parse_component_value_list(value), names, theme, most - 1))
        elif name == "light-dark":
            pieces.append(_worked_out(_split(inside)[theme], names, theme, most).strip())
        elif name == "color-mix":
            pieces.append(_mixed(*(_worked_out(one, names, theme, most).strip() for one in _split(inside))))
        else:
            before, after = (f"{node.name}(", ")") if name else (node.type[0], node.type[1])
            pieces.append(before + _worked_out(inside, names, theme, most) + after)
    return "".join(pieces)


def _share(part: str) -> tuple[str, float | None]:
    """A colour of a mixture, and the percentage behind it."""
    colour, _, last = part.rpartition(" ")
    return (colour, float(last[:-1])) if colour and last.endswith("%") else (part, None)


def _mixed(space: str, *parts: str) -> str:
    """The result of `color-mix()`; each colour may have a percentage behind it."""
    from coloraide import Color

    try:
        (one, first), (other, second) = map(_share, parts)
        first = first if first is not None else 100 - (50 if second is None else second)
        second = second if second is not None else 100 - first
        mixture = Color(one).mix(other, second / (first + second), space=space.split()[1])
        return str(mixture.convert("srgb").to_string(hex=True))
    except (ValueError, LookupError, ZeroDivisionError):  # a colour that only a browser knows, such as `currentColor`
        return "none"
