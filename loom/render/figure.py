"""An embedded scene as the template shows it: picture, words, controls, table and the player's settings."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from loom.content.blocks import Embed
from loom.draw.svg import svg
from loom.scene import WIDTHS, Choice, Column, spelling
from loom.scenes.discover import Found
from loom.scenes.parameters import from_end
from loom.scenes.results import KnownScene, Variant
from loom.scenes.run import frame_of, states_of
from loom.site.embeds import opening


@dataclass(frozen=True)
class Control:
    """A native input for one parameter."""

    id: str
    param: Choice
    at: int

    @property
    def options(self) -> list[tuple[int, str]]:
        return [(index, self.param.label_of(value)) for index, value in enumerate(self.param.values)]


@dataclass(frozen=True)
class KeyStep:
    """A step that prints: its picture and what is said of it."""

    picture: Markup
    say: str
    number: int


@dataclass(frozen=True)
class Figure:
    """Everything that the template needs to show a scene in its opening state."""

    found: Found
    variant: Variant
    step: int
    pictures: Sequence[Markup]
    key_steps: Sequence[KeyStep]
    controls: Sequence[Control]
    longest: str  # keeps room for the longest sentence, so that the page does not jump
    folder: str
    config: str

    @property
    def id(self) -> str:
        return self.found.id

    @property
    def phrase(self) -> Sequence[str | Control]:
        """The scene's sentence, with controls where it names parameters."""
        by_name = {control.param.name: control for control in self.controls}
        pieces = self.found.scene.sentence.replace("}", "{").split("{")
        return [by_name.get(piece, piece) for piece in pieces if piece]

    @property
    def labelled(self) -> Sequence[Control]:
        """The controls that the sentence does not hold, each to stand behind its label."""
        return [control for control in self.controls if control not in self.phrase]

    @property
    def csv(self) -> str:
        """The file of the opening state's table; another page may open the scene in another state."""
        return f"table.{'.'.join(map(str, self.found.scene.key(self.variant.params)))}.csv"

    @property
    def shown_rows(self) -> list[list[str]]:
        """The data table as it is read: rounded."""
        columns = self.variant.table.columns
        return [
            [shown(cell, column) for cell, column in zip(row, columns, strict=True)] for row in self.variant.table.rows
        ]


def shown(cell: float | str, column: Column) -> str:
    """A table's cell, rounded as its column says. The player does the same."""
    return cell if isinstance(cell, str) else f"{cell:,.{column.digits}f}".replace("-", "−")


def figure(known: KnownScene, embed: Embed, path: str, folder: str) -> Figure:
    """Draw an embed's opening state and its key steps. `folder` is where the page finds the scene's data."""
    found, data, scene = known.found, known.data, known.scene
    params, step, _ = opening(known, embed, path)
    variant = data.variants[scene.key(params)]
    states = states_of(found, params)
    count = len(states)

    def picture(number: int, width_name: str, label: str = "") -> Markup:
        frame = frame_of(found, states[number - 1], WIDTHS[width_name], params, number)
        return svg(frame, WIDTHS[width_name], data.heights[width_name], label=label, name=width_name)

    numbers = sorted({from_end(number, count) for number in scene.key_steps})
    return Figure(
        found=found,
        variant=variant,
        step=step,
        pictures=[picture(step, width_name, scene.summary) for width_name in WIDTHS],
        key_steps=[KeyStep(picture(n, "narrow"), variant.say[n - 1], n) for n in numbers],
        controls=[
            Control(f"{found.id}-{param.name}", param, param.values.index(params[param.name])) for param in scene.params
        ],
        longest=max((say for one in data.variants.values() for say in one.say), key=len),
        folder=folder,
        config=_config(found, params, step, variant, folder),
    )


def _config(found: Found, params: Mapping[str, Any], step: int, variant: Variant, folder: str) -> str:
    """What the player has to know before it has any data."""
    scene = found.scene
    names = [param.name for param in scene.params]
    described = [
        {
            "name": param.name,
            "values": [spelling(value) for value in param.values],
            "rest": param.values.index(param.start),
            "when": [
                [names.index(other), [scene.param(other).values.index(value) for value in values]]
                for other, values in param.when.items()
            ],
        }
        for param in scene.params
    ]
    return json.dumps(
        {
            "params": described,
            "split": [names.index(name) for name in scene.split],
            "start": list(scene.key(params)),
            "step": step,
            "digits": [column.digits for column in variant.table.columns],
            "data": folder,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def table_csv(variant: Variant) -> bytes:
    """The data table at full precision, for a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    columns = variant.table.columns
    writer.writerow(f"{column.label} [{column.unit}]" if column.unit else column.label for column in columns)
    writer.writerows(variant.table.rows)
    return text.getvalue().encode()
