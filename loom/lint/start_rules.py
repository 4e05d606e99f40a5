"""Check that a scene sets out soon when it is played, and does not stand in the first picture of its first chapter."""

from __future__ import annotations

from itertools import accumulate

from loom.lint.finding import Finding
from loom.scenes.frames import DataFile
from loom.scenes.results import SceneData

LATEST = 300  # milliseconds from Play until something moves
HINT = "let the beats begin with a short one, as evenly(…, lead=0.3) does"


def late_start(data: SceneData) -> list[Finding]:
    """The variants that stand still for too long, told once."""
    late: dict[str, int] = {}
    for raw in data.files.values():
        file = DataFile(raw)
        late |= {key: time for key in file.variants if (time := _start(file, key)) > LATEST}
    if not late:
        return []
    variant = next(key for key in data.variants if key in late)
    message = f"when the scene is played, {late[variant] / 1000:g} s pass until anything moves"
    return [Finding(message, HINT, variant, 1, states=len(late) - 1)]


def _start(file: DataFile, variant: str) -> int:
    """When the first picture is followed by another one [ms]; 0 where the whole first chapter is one picture.

    Of such a scene, the second chapter is played at once.
    """
    beats = zip(accumulate(file.times(variant, 1)), file.changes(variant), strict=False)
    return next((time for time, (_, new, gone) in beats if time and (new or gone)), 0)
