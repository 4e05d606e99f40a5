"""A scene's numbers: as a table, with its columns and its rows, and as values that prose may quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from loom.expected import Between, Checked
from loom.quantity import quantity

Cell = float | str


@dataclass(frozen=True)
class Column(Checked):
    """A column of the data table.

    Parameters
    ----------
    name : str
        The column's name in data files: `share_used`.
    label : str
        The column's heading on the page.
    unit : str
        Stands behind the label: label [unit].
    digits : int
        The number of decimals shown, 0 to 20. Data files hold all of them.
    """

    name: str
    label: str
    unit: str = ""
    digits: Annotated[int, Between(0, 20)] = 0

    @property
    def heading(self) -> str:
        """Its heading in a CSV file: the label, and the unit behind it."""
        return f"{self.label} [{self.unit}]" if self.unit else self.label


@dataclass(frozen=True)
class Table:
    """A scene's numbers, at full precision, for one choice of parameters.

    Parameters
    ----------
    columns : tuple of Column
        The same for every choice of parameters.
    rows : sequence of sequences of float or str
        One cell for each column; numbers are finite.
    """

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Value(Checked):
    """A named result that prose may quote.

    Parameters
    ----------
    value : float
        The number at full precision; finite.
    unit : str
        As it is read: `"B"`, `"%"`, `"tokens"`. Units such as B, s, Hz and FLOP/s are given prefixes: 68.7 GB.
    digits : int
        The number of significant digits shown, 1 to 17; whole numbers are shown whole.
    """

    value: float
    unit: str = ""
    digits: Annotated[int, Between(1, 17)] = 3

    def __str__(self) -> str:
        return quantity(self.value, self.unit, self.digits)
