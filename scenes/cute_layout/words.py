"""What is said of an element: its natural coordinate, the inner product, the bits that a swizzle changes, its banks."""

from __future__ import annotations

from .banks import BANKS, degree
from .layout import leaves, spell
from .model import PICK, ROW_MAJOR, SWIZZLES, State

NOTES = {
    "row": "row-major: a row lies in one piece",
    "column": "column-major: a column lies in one piece",
    "padded": "row-major, one unused word after each row",
    "nested": "columns counted as 4 pairs",
    "tiled": "2 × 2 tiles, each in one piece",
    "zipped": f"= zipped_divide({ROW_MAJOR}, <2:1,4:1>)",
    "composition": f"= A ∘ B = {ROW_MAJOR} ∘ {PICK}",
}
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def product(state: State) -> str:
    """The inner product as it is worked out: 2·8 + 3·1."""
    return " + ".join(f"{c}·{d}" for c, d in state.terms)


def bits(offset: int) -> str:
    """Six bits in two groups of three: the row's and the column's."""
    return f"{offset >> 3:03b}\u00a0{offset & 7:03b}"


def title(state: State) -> str:
    """The layout as CuTe writes it."""
    plain = str(state.at.layout)
    return plain if state.at.swizzled == "off" else f"Swizzle{state.at.swizzled} ∘ {plain}"


def remark(state: State) -> str:
    """What kind of layout it is."""
    return NOTES[state.at.name] if state.at.swizzled == "off" else "row-major, then XOR"


def lines(state: State, brief: bool) -> tuple[str, str]:
    """The two lines of arithmetic; the second one ends with the offset. A brief one says what a composition does."""
    here, inner = spell(state.coordinate, " "), f"{product(state)} = {state.plain}"
    if state.at.name == "composition" and brief:
        number, place = picked(state)
        row, column = divmod_back(place)
        return f"{here}: {number} → {place} = ({row}, {column})", f"offset = {inner}"
    if state.at.swizzled != "off":
        return f"{here} → {inner}", f"{bits(state.plain)} → {bits(state.offset)} = {state.offset}"
    if is_nested(state):
        return f"{here} → {spell(state.natural, ' ')}", f"offset = {inner}"
    return f"{here} · {spell(state.at.layout.stride, ' ')}", f"offset = {inner}"


def factors(state: State) -> tuple[str, str, str]:
    """What the two layouts of a composition do, one after the other."""
    number, place = picked(state)
    row, column = divmod_back(place)
    return (
        f"{spell(state.coordinate, ' ')} is element {state.row} + {len(state.at.offsets)}·{state.column} = {number}",
        f"B = {PICK} picks element {place} of A, which is ({row}, {column})",
        f"A = {ROW_MAJOR} places it at {row}·8 + {column}·1 = {ROW_MAJOR((row, column))}",
    )


def is_nested(state: State) -> bool:
    """Whether the shape splits rows or columns further."""
    return len(leaves(state.at.layout.shape)) > len(state.at.layout.modes)


def picked(state: State) -> tuple[int, int]:
    """The element's number, counted down the columns, and the number that the inner layout makes of it."""
    number = state.row + state.at.offsets.shape[0] * state.column
    return number, PICK(number)


def divmod_back(number: int) -> tuple[int, int]:
    """The row and column of a number that counts down the columns of the outer layout."""
    rows = ROW_MAJOR.modes[0].size
    return number % rows, number // rows


def say(state: State) -> str:
    return say_offset(state) if state.phase == "offset" else say_banks(state)


def say_offset(state: State) -> str:
    here, inner = spell(state.coordinate, " "), f"{product(state)} = {state.plain}"
    if state.at.name == "composition":
        return say_composition(state, inner)
    bits_of = SWIZZLES[state.at.swizzled]
    if bits_of is not None:
        count, base, shift = bits_of
        return (
            f"The strides place {here} at {inner}, in binary {bits(state.plain)}. "
            f"Swizzle{state.at.swizzled} XORs bits {base + shift} to {base + shift + count - 1} "
            f"into bits {base} to {base + count - 1}: {bits(state.offset)} is word {state.offset}."
        )
    if state.at.name == "zipped":
        place, tile = (spell(part, " ") for part in state.natural)  # type: ignore[union-attr]
        return (
            f"A row of this grid is a place in a 2 × 4 tile, a column is a tile: element {state.row} is {place}, "
            f"tile {state.column} is {tile}. Each number times its stride: {inner}."
        )
    if is_nested(state):
        return f"{splits(state)} Each number times its stride: {here} lies at {inner}."
    (row, column), (rows, columns) = state.terms, state.at.offsets.shape
    return (
        f"{state.at.layout} is Shape:Stride: a step down the {rows} rows moves {count_of(row[1])} of 4 bytes through "
        f"memory, a step along the {columns} columns {count_of(column[1])}. Element {here} lies at offset {inner}."
    )


def count_of(words: int) -> str:
    return f"{words} word" if words == 1 else f"{words} words"


def splits(state: State) -> str:
    """How a row or a column becomes a coordinate of the nested shape."""
    told = []
    pairs = zip(("row", "column"), state.coordinate, state.natural, state.at.parts, strict=True)  # type: ignore[arg-type]
    for name, index, natural, part in pairs:
        if not isinstance(part, int):
            first, second = leaves(natural)
            told.append(f"{name} {index} = {first} + {leaves(part)[0]}·{second} is {spell(natural, ' ')}")
    return f"In the shape {spell(state.at.layout.shape)}, {' and '.join(told)}."


def say_composition(state: State, inner: str) -> str:
    number, place = picked(state)
    row, column = divmod_back(place)
    less = "" if state.asked == state.row else f"There are only {state.at.offsets.shape[0]} rows: see row {state.row}. "
    return (
        f"{less}B = {PICK} picks and A = {ROW_MAJOR} places: element {state.row} + 4·{state.column} = {number} "
        f"of the result is element {place} of A, ({row}, {column}), at {ROW_MAJOR((row, column))}. "
        f"A ∘ B = {state.at.layout} does both at once: {inner}."
    )


def say_banks(state: State) -> str:
    word, bank = state.offset, state.bank
    column, row = in_turns(degree(state.column_words)), in_turns(degree(state.row_words))
    down, along = WORDS[len(state.column_words)], WORDS[len(state.row_words)]
    return (
        f"Memory deals its words of 4 bytes out to {BANKS} banks: "
        f"word {word} lies in bank {word} mod {BANKS} = {bank}. "
        f"A bank hands out one word a turn, so {down} threads that read column {state.column} at once need {column}, "
        f"numbered here; {along} that read row {state.row} need {row}."
    )


def in_turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"
