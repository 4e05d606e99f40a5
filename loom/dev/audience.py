"""The browsers that listen to `serve`."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

HEARTBEAT = 15  # seconds between signs of life, so that a browser that has gone is noticed


class Audience:
    """The browsers that listen."""

    def __init__(self) -> None:
        self.ears: list[queue.SimpleQueue[str]] = []
        self.lock = threading.Lock()

    def tell(self, message: str) -> None:
        with self.lock:
            for ear in self.ears:
                ear.put(message)

    def listen(self, first: str) -> Iterator[str]:
        """Messages as they come; an empty one now and then, to see whether anybody is still there."""
        ear: queue.SimpleQueue[str] = queue.SimpleQueue()
        ear.put(first)
        with self.lock:
            self.ears.append(ear)
        try:
            while True:
                try:
                    yield ear.get(timeout=HEARTBEAT)
                except queue.Empty:
                    yield ""
        finally:
            with self.lock:
                self.ears.remove(ear)
