"""What a server does between the products, as GPUs did it: launches, and choosing tokens. For prose to quote."""

from __future__ import annotations

from loom.scene import Value

from .._silicon.results import results

MANY = 1000  # launches in a row, after which one costs what the next will
KERNELS = 800  # of ten in each of 80 layers
USERS = 256


def values(part: str) -> dict[str, Value]:
    """Seconds; nothing of what nobody measured on this GPU."""
    return {name: Value(seconds, "s") for name, seconds in {**_launches(part), **_tokens(part)}.items()}


def _launches(part: str) -> dict[str, float]:
    """One launch after another, each waiting for the one before: by the host, and replayed as a graph."""
    found = results("launches").get(part)
    if found is None:
        return {}
    stream, graph = (found.of(name, "s").one(launches=MANY).median for name in ("stream", "graph"))
    waited = found.of("synchronised", "s").one(launches=1).median
    return {"launch": stream, "launches": KERNELS * stream, "replayed": graph, "replays": KERNELS * graph,
            "launch_waited": waited}  # fmt: skip


def _tokens(part: str) -> dict[str, float]:
    """A token for each of 256 users out of 128,256 logits."""
    found = results("sampling").get(part)
    if found is None:
        return {}
    times = found.of("time", "s")
    asked = {"greatest": ("hand", "argmax"), "sorted": ("torch", "top-p"), "drawn": ("hand", "top-p"),
             "once": ("hand", "sample")}  # fmt: skip
    points = {name: times.one(by=by, method=method, batch=USERS) for name, (by, method) in asked.items()}
    read = points["greatest"].predicted or 0  # every logit once, at the data sheet's bandwidth
    return {"token_read": read, **{f"token_{name}": point.median for name, point in points.items()}}
