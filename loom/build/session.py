"""What the stages of one build share: what was asked for, and who and what does the work."""

from __future__ import annotations

from dataclasses import dataclass

from loom.build.engine import Engine
from loom.build.executor import Workers
from loom.build.files import Files
from loom.build.pool import Pool
from loom.options import Options
from loom.progress import OnProgress


@dataclass(frozen=True)
class Session:
    """One build, from the first file that is read to the last that is given away.

    Attributes
    ----------
    engine : Engine
        Knows what was made before, and whether it still holds.
    workers : Workers
        Read and render pages.
    pool : Pool
        Runs what the authors of scenes wrote.
    files : Files
        What is in the site's own files in this build.
    """

    options: Options
    engine: Engine
    workers: Workers
    pool: Pool
    files: Files
    on_progress: OnProgress
