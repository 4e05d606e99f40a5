"""The data of an embedded scene for the template: pictures, narration, controls, table and the player's settings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from markupsafe import Markup

from loom.content.blocks import Embed
from loom.draw.text import text_width
from loom.render.player_settings import settings, written
from loom.scene import WIDTHS, Column
from loom.scenes.frames import Pictures
from loom.scenes.info import Param, SceneInfo
from loom.scenes.parameters import absolute_step
from loom.scenes.results import KnownScene, Variant
from loom.site.states import opening

FILLER = "what is said takes as much room as this, "


@dataclass(frozen=True)
class Control:
    """An input for one parameter."""

    id: str
    param: Param
    at: int
    applies: bool = True  # whether it matters in the opening state
    lead: str = ""  # the word before it, if a no-break space keeps them together
    sign: str = ""  # punctuation behind it, which must stay on its line

    @property
    def options(self) -> list[tuple[int, str]]:
        return list(enumerate(self.param.labels))


@dataclass(frozen=True)
class Segment:
    """A part of the sentence. If it is `about` some parameters, it is shown while one of these matters."""

    pieces: Sequence[str | Control]
    about: tuple[str, ...]
    shown: bool


@dataclass(frozen=True)
class KeyStep:
    """A step that is printed: its picture and its narration."""

    picture: Markup
    say: str
    number: int


@dataclass(frozen=True)
class SceneFigure:
    """Everything that the template needs to show a scene in its opening state."""

    id: str  # the scene's name on the page
    info: SceneInfo
    key: str
    variant: Variant
    say: Sequence[str]
    step: int
    pictures: Sequence[Markup]
    heights: Mapping[str, float]  # of the pictures, by width
    key_steps: Sequence[KeyStep]
    controls: Sequence[Control]
    filler: str  # reserves room for the longest narration, so that the page does not jump
    settings: Mapping[str, Any]  # the player's
    folder: str  # the address of the scene's data, relative to the page
    plays: bool  # whether any variant has more than one picture
    reads: bool  # whether any mark has a read-out
    measured: bool  # whether there are measured marks, which the reader may show alone or hide
    scaled: bool  # whether any mark has a colour of the scales

    @property
    def config(self) -> Markup:
        """The player's settings as an attribute of the page."""
        return written(self.settings, self.folder)

    @property
    def phrase(self) -> list[Segment]:
        """The scene's sentence, divided into segments, with controls in place of parameter names."""
        by_name = {control.param.name: control for control in self.controls}
        found = []
        for number, text in enumerate(re.split(r"[\[\]]", self.info.sentence)):
            parts = re.split(r"([^ }]*\u00a0)?\{(\w+)\}([.,;:]*)", text)  # text, lead, name, sign, text …
            pieces: list[str | Control] = []
            for words, lead, name, sign in zip_longest(parts[::4], parts[1::4], parts[2::4], parts[3::4]):
                pieces += [words] if words else []
                pieces += [replace(by_name[name], lead=lead or "", sign=sign)] if name in by_name else []
            named = [piece for piece in pieces if isinstance(piece, Control)]
            if pieces:
                found.append(Segment(pieces, tuple(one.param.name for one in named) if number % 2 else (), not named
                                     or any(one.applies for one in named)))  # fmt: skip
        return found

    @property
    def labelled(self) -> list[Control]:
        """The controls that are not part of the sentence; they are shown as a list with labels."""
        spoken = {piece.id for segment in self.phrase for piece in segment.pieces if isinstance(piece, Control)}
        return [control for control in self.controls if control.id not in spoken]

    @property
    def csv(self) -> str:
        """The name of the table's file, by the opening variant: other pages may open the scene in other states."""
        return f"table.{self.key}.csv"

    @property
    def shown_rows(self) -> list[list[str]]:
        """The rows of the data table, rounded."""
        return [
            [shown(cell, column) for cell, column in zip(row, self.info.columns, strict=True)]
            for row in self.variant.rows
        ]


def shown(cell: float | str, column: Column) -> str:
    """A table's cell, rounded to the decimals of its column. The player does the same."""
    return cell if isinstance(cell, str) else f"{cell:,.{column.digits}f}".replace("-", "−")


def scene_figure(known: KnownScene, embed: Embed, folder: str) -> SceneFigure:
    """The figure of an embed in its opening state. `folder` is the address of the scene's data."""
    params, step, _ = opening(known, embed, "")
    data = known.at(params)
    info = data.info
    say = data.say(params)
    numbers = sorted({absolute_step(number, len(say)) for number in info.key_steps})
    pictures = {width: Pictures(data, params, width) for width in WIDTHS}
    at = info.indices(params)
    return SceneFigure(
        id=embed.name,
        info=info,
        key=data.key(params),
        variant=data.variant(params),
        say=say,
        step=step,
        pictures=[one.step(step, info.summary) for one in pictures.values()],
        heights=data.heights,
        key_steps=[KeyStep(pictures["narrow"].step(number), say[number - 1], number) for number in numbers],
        controls=[
            Control(f"{embed.name}-{one.name}", one, place, one.matters(at))
            for one, place in zip(info.params, at, strict=True)
        ],
        plays=data.plays,
        reads=data.reads,
        measured=data.measured,
        scaled=known.summary.scaled,
        filler=filler(data.longest),
        settings=settings(data, params, step),
        folder=folder,
    )


def filler(words: str) -> str:
    """Invisible text, slightly longer than `words` as lines may break differently. Repeated text compresses well."""
    wanted, found = 1.03 * text_width(words, 1), FILLER
    while text_width(found, 1) < wanted:
        found += FILLER
    return found[: next(end for end in range(len(found) + 1) if text_width(found[:end], 1) >= wanted)]


def table_csv(figure: SceneFigure) -> bytes:
    """The data table at full precision, for a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(column.heading for column in figure.info.columns)
    writer.writerows(figure.variant.rows)
    return text.getvalue().encode()
