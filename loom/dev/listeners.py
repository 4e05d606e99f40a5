"""Browsers that listen to `serve` for server-sent events."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

HEARTBEAT = 15  # seconds between empty messages, which show whether a browser is still there


class Listeners:
    """The message queues of all listening browsers."""

    def __init__(self) -> None:
        self.queues: list[queue.SimpleQueue[str]] = []
        self.lock = threading.Lock()

    def send(self, message: str) -> None:
        with self.lock:
            for messages in self.queues:
                messages.put(message)

    def listen(self, first: str) -> Iterator[str]:
        """Messages as they come, with an empty one as a heartbeat."""
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
