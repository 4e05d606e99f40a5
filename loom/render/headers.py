"""The headers that a strict host sends: as a `_headers` file for hosts that read one, and for our own server."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from loom.addresses import FRAMED, SCENES
from loom.model import Output

# Nothing from elsewhere, no inline script, no inline style: what a strict server sends, and every page says itself.
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
# The search page's: its index is read by a WebAssembly module of the site's own.
SEARCH_CSP = CSP.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
STRICT = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
# Said of a scene alone besides what is said of all files. Whoever knows `frame-ancestors` forgets `X-Frame-Options`:
# hosts join the policies of rules that match one file, so that the rule for all files may not name it then.
ANYWHERE = {"Content-Security-Policy": "frame-ancestors *"}
FOR_EVER, ASK = "public, max-age=31536000, immutable", "no-cache"
# Files and folders that are named by their content, see loom.render.assets.fingerprint.
NAMED = re.compile(r"assets/(?:(?:data|cards)/)?[\w.-]+\.[0-9a-f]{10}[./]")


def strict(policy: str, *, embeds: bool = False) -> Mapping[str, str]:
    """What is sent with every file. Pages say their own policies, too, and a browser holds them to both."""
    if embeds:
        return {"Content-Security-Policy": policy, "X-Frame-Options": "DENY", **STRICT}
    return {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'", **STRICT}


def can_embed(files: Collection[PurePosixPath]) -> bool:
    """Whether a site has pages that others may frame: there is what such pages need."""
    return any(str(path).startswith(FRAMED) for path in files)


def headers(path: PurePosixPath, policy: str = CSP, *, embeds: bool = False) -> Mapping[str, str]:
    """What our own server sends with a file."""
    found = {**strict(policy, embeds=embeds), "Cache-Control": FOR_EVER if NAMED.match(f"{path}/") else ASK}
    if embeds and str(path).startswith(SCENES):
        found |= {name: f"{found[name]}, {text}" for name, text in ANYWHERE.items()}
    return found


def headers_file(base: str, files: Output, policy: str = CSP) -> Output:
    """The same for Netlify and Cloudflare. `files` are the assets.

    Where two rules match, these hosts join what they say, so that no rule may speak of caching for all files: what is
    not named here is asked for again at every visit, as both hosts do by themselves. For the same reason the policy is
    one for all files: where a site has a search, it is that of the search page, and the other pages' own are stricter.
    Stars end a path, because Netlify knows no others.
    """
    tops = {PurePosixPath(*path.parts[:2]): len(path.parts) > 2 for path in files if NAMED.match(f"{path}/")}
    named = [f"{top}/*" if folder else str(top) for top, folder in sorted(tops.items())]
    rules = {
        "*": strict(policy, embeds=can_embed(files)),
        **({f"{SCENES}*": ANYWHERE} if can_embed(files) else {}),
        **{one: {"Cache-Control": FOR_EVER} for one in (*named, "assets/data/*", "assets/cards/*")},
    }
    blocks = [f"{base}{where}\n" + "".join(f"  {name}: {text}\n" for name, text in headers.items())
              for where, headers in rules.items()]  # fmt: skip
    return {PurePosixPath("_headers"): "\n".join(blocks).encode()}
