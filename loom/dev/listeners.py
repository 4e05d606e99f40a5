"""The browsers that listen to `serve`."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

HEARTBEAT = 15  # seconds between signs of life, so that a browser that has gone is noticed


class Listeners:
    """The browsers that listen."""

    def __init__(self) -> None:
        self.queues: list[queue.SimpleQueue[str]] = []
        self.lock = threading.Lock()

    def send(self, message: str) -> None:
        with self.lock:
            for messages in self.queues:
                messages.put(message)

    def listen(self, first: str) -> Iterator[str]:
        """Messages as they come; an empty one now and then, to see whether anybody is still there."""
        messages: queue.SimpleQueue[str] = queue.SimpleQueue()
        messages.put(first)
        with self.lock:
            self.queues.append(messages)
        try:
            while True:
                try:
                    yield messages.get(timeout=HEARTBEAT)
                except queue.Empty:
                    yield ""
        finally:
            with self.lock:
                self.queues.remove(messages)
