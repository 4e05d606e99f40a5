"""The headers that a strict host sends: as a `_headers` file for hosts that read one, and for our own server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from loom.model import POLICY, Output

STRICT = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
FOR_EVER, ASK = "public, max-age=31536000, immutable", "no-cache"
# Files and folders that are named by their content, see loom.assets.fingerprint.
NAMED = re.compile(r"assets/(?:(?:data|cards)/)?[\w.-]+\.[0-9a-f]{10}[./]")


def strict(policy: str) -> Mapping[str, str]:
    """What is sent with every file. Pages say their own policies, too, and a browser holds them to both."""
    return {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'", **STRICT}


def headers(path: PurePosixPath, policy: str = POLICY) -> Mapping[str, str]:
    """What our own server sends with a file."""
    return {**strict(policy), "Cache-Control": FOR_EVER if NAMED.match(f"{path}/") else ASK}


def headers_file(base: str, files: Output, policy: str = POLICY) -> Output:
    """The same for Netlify and Cloudflare. `files` are the assets.

    Where two rules match, these hosts join what they say, so that no rule may speak of caching for all files: what is
    not named here is asked for again at every visit, as both hosts do by themselves. For the same reason the policy is
    one for all files: where a site has a search, it is that of the search page, and the other pages' own are stricter.
    Stars end a path, because Netlify knows no others.
    """
    tops = {PurePosixPath(*path.parts[:2]): len(path.parts) > 2 for path in files if NAMED.match(f"{path}/")}
    named = [f"{top}/*" if folder else str(top) for top, folder in sorted(tops.items())]
    rules = {
        "*": strict(policy),
        **{one: {"Cache-Control": FOR_EVER} for one in (*named, "assets/data/*", "assets/cards/*")},
    }
    blocks = [f"{base}{where}\n" + "".join(f"  {name}: {text}\n" for name, text in told.items())
              for where, told in rules.items()]  # fmt: skip
    return {PurePosixPath("_headers"): "\n".join(blocks).encode()}
