"""The objects that the stages of one build share."""

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
    """One build.

    Attributes
    ----------
    engine : Engine
        Recalls and keeps results.
    workers : Workers
        Read and render pages.
    pool : Pool
        Runs the code of scenes.
    files : Files
        Digests of files.
    """

    options: Options
    engine: Engine
    workers: Workers
    pool: Pool
    files: Files
    on_progress: OnProgress
