"""What is said of an element: its natural coordinate, the inner product, the bits that a swizzle changes, its banks."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Moment, Phase, evenly

from .banks import BANKS, Read
from .layout import leaves, spell
from .model import CURE, PICK, ROW_MAJOR, SIDE, SWIZZLES, Element, Placement, cured
from .pace import stops, walking

NOTES = {
    "row": "row-major: a row lies in one piece",
    "column": "column-major: a column lies in one piece",
    "padded": "row-major, one unused word after each row",
    "nested": "columns counted as 4 pairs",
    "tiled": "2 × 2 tiles, each in one piece",
    "zipped": f"= zipped_divide({ROW_MAJOR}, <2:1,4:1>)",
    "composition": f"= A ∘ B = {ROW_MAJOR} ∘ {PICK}",
}
PACE = 4.5  # seconds in which the words of a column land
CURED = 3.2  # seconds in which a swizzle moves them


def title(placed: Placement) -> str:
    """The layout as CuTe writes it."""
    return str(placed.layout) if placed.swizzled == "off" else f"Swizzle{placed.swizzled} ∘ {placed.layout}"


def remark(placed: Placement) -> str:
    """What kind of layout it is."""
    return NOTES[placed.name] if placed.swizzled == "off" else "row-major, then XOR"


def bits(offset: int) -> str:
    """Six bits in two groups of three: the row's and the column's."""
    return f"{offset >> 3:03b}\u00a0{offset & 7:03b}"


def in_passes(read: Read) -> str:
    """How long a read takes."""
    return count(read.degree, "pass", "passes")


def inner_product(element: Element) -> tuple[str, str]:
    """The coordinate, and the inner product as it is worked out: 2·8 + 3·1 = 19."""
    terms = " + ".join(f"{c}·{d}" for c, d in element.terms)
    return spell(element.coordinate, " "), f"{terms} = {element.plain}"


def aloud(words: str) -> str:
    """A sum as a sentence has it: screen readers say a cross, and are silent about a dot."""
    return words.replace("·", " × ")


def is_nested(element: Element) -> bool:
    """Whether the shape splits rows or columns further."""
    return len(leaves(element.at.layout.shape)) > len(element.at.layout.modes)


def picked(element: Element) -> tuple[int, int, tuple[int, int]]:
    """The number of a composition's element, counted down the columns, what the inner layout makes of it, and where
    that is in the outer layout."""
    number = element.row + len(element.at.rows) * element.column
    place, rows = PICK(number), ROW_MAJOR.modes[0].size
    return number, place, (place % rows, place // rows)


def lines(element: Element, brief: bool) -> tuple[str, str]:
    """The two lines of arithmetic; the second one ends with the offset. A brief one says what a composition does."""
    here, inner = inner_product(element)
    if element.at.name == "composition" and brief:
        number, place, outer = picked(element)
        return f"{here}: {number} → {place} = {outer}", f"offset = {inner}"
    if element.at.swizzled != "off":
        return f"{here} → {inner}", f"{bits(element.plain)} → {bits(element.offset)} = {element.offset}"
    if is_nested(element):
        return f"{here} → {spell(element.natural, ' ')}", f"offset = {inner}"
    return f"{here} · {spell(element.at.layout.stride, ' ')}", f"offset = {inner}"


def so_far(element: Element, stop: int) -> str:
    """The sum as it is at a stop of the way to the offset; a swizzle is told when it has been."""
    taken, total = stops(element)[stop]
    terms = " + ".join(f"{c}·{d}" for c, d in element.terms[:taken])
    return f"offset = {terms} = {total}" if terms and element.at.swizzled == "off" else ""


def factors(element: Element) -> tuple[str, str, str]:
    """What the two layouts of a composition do, one after the other."""
    number, place, (row, column) = picked(element)
    here, rows = spell(element.coordinate, " "), len(element.at.rows)
    return (
        f"{here} is element {element.row} + {rows}·{element.column} = {number}",
        f"B = {PICK} picks element {place} of A, which is ({row}, {column})",
        f"A = {ROW_MAJOR} places it at {row}·8 + {column}·1 = {ROW_MAJOR((row, column))}",
    )


def say_offset(moment: Moment) -> str:
    element, placed, taken = moment.result, moment.result.at, SWIZZLES[moment.result.at.swizzled]
    here, inner = map(aloud, inner_product(element))
    if placed.name == "composition":
        return say_composition(element, inner)
    if taken is not None:
        number, base, shift = taken
        return (
            f"The strides place {here} at {inner}, {bits(element.plain)}. XOR of bits {base + shift} to "
            f"{base + shift + number - 1} into bits {base} to {base + number - 1} makes it {bits(element.offset)}, "
            f"word {element.offset}."
        )
    if placed.name == "zipped":
        place, tile = (spell(part, " ") for part in element.natural)
        return (
            f"A row is a place in a 2 × 4 tile, a column a tile: element {element.row} is {place}, tile "
            f"{element.column} is {tile}. Each times its stride: {inner}."
        )
    if is_nested(element):
        return f"{splits(element)} Each number times its stride: {inner}."
    ((_, down), (_, along)), (rows, columns) = element.terms, placed.offsets.shape
    return (
        f"{placed.layout} is Shape:Stride: {rows} rows, {count(down, 'word')} apart, and {columns} columns, "
        f"{count(along, 'word')} apart. So {here} lies at offset {inner}."
    )


def splits(element: Element) -> str:
    """How a row or a column becomes a coordinate of the nested shape."""
    told = []
    pairs = zip(("row", "column"), element.coordinate, element.natural, element.at.parts, strict=True)  # type: ignore[arg-type]
    for name, index, natural, part in pairs:
        if not isinstance(part, int):
            first, second = leaves(natural)
            told.append(f"{name} {index} = {first} + {leaves(part)[0]} × {second} is {spell(natural, ' ')}")
    return f"In {spell(element.at.layout.shape)}, {', '.join(told)}."


def say_composition(element: Element, inner: str) -> str:
    (number, place, outer), row = picked(element), element.row
    less = "" if element.asked == row else f"There are {len(element.at.rows)} rows: see row {row}. "
    return (
        f"{less}B = {PICK} sends element {row} + 4 × {element.column} = {number} to element {place} of A, {outer}, "
        f"which A has at {ROW_MAJOR(outer)}. A ∘ B: {inner}."
    )


def say_banks(moment: Moment) -> str:
    element = moment.result
    return (
        f"Word {element.offset} lies in bank {element.offset} mod {BANKS} = {element.bank}. A bank hands out one word "
        f"a pass: column {element.column} takes {in_passes(element.down)}, "
        f"row {element.row} takes {element.along.degree}."
    )


def say_cure(moment: Moment) -> str:
    element = cured(moment.result)
    return (
        f"Swizzle{CURE}: XOR of row and bank. Each word keeps its row of memory and changes its bank: column "
        f"{element.column} takes {in_passes(element.down)}, row {element.row} still {element.along.degree}."
    )


def seen(moment: Moment) -> Element:
    """The element as the picture has it: in the last chapter the swizzle comes down the rows, two with each beat."""
    return cured(moment.result, 2 * moment.beat + 2) if moment.phase == "cure" else moment.result


def curable(element: Element) -> tuple[int, ...]:
    """The chapter of the cure is told where nothing is swizzled yet, and a swizzle can be chosen."""
    return (0,) if (element.at.name, element.at.swizzled) == ("row", "off") else ()


PHASES = (
    Phase("offset", say_offset, beats=walking),
    Phase("banks", say_banks, beats=lambda moment: evenly(len(moment.result.down.words) + 2, PACE)),
    Phase("cure", say_cure, curable, beats=lambda _: evenly(SIDE // 2, CURED)),
)
