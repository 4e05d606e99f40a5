"""Strict HTTP headers: as a `_headers` file for hosts that read one, and for our own server."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from loom.addresses import FRAMED, SCENES
from loom.model import Output

# Nothing from other sites, no inline scripts or styles. Every page has this policy in a <meta> element, too.
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
# The policy of the search page: the site's own WebAssembly module reads the index.
SEARCH_CSP = CSP.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
STRICT = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
# Added for the pages of single scenes. Browsers that know `frame-ancestors` ignore `X-Frame-Options`. Hosts join the
# policies of all matching rules, so the rule for all files must not have `frame-ancestors` then.
ANYWHERE = {"Content-Security-Policy": "frame-ancestors *"}
FOR_EVER, ASK = "public, max-age=31536000, immutable", "no-cache"
# Files and folders with a hash in their names, see loom.render.assets.fingerprint.
HASHED = re.compile(r"assets/(?:(?:data|cards)/)?[\w.-]+\.[0-9a-f]{10}[./]")


def strict(policy: str, *, embeds: bool = False) -> Mapping[str, str]:
    """The headers of every file. Pages have their own policies, too, and browsers enforce both."""
    if embeds:
        return {"Content-Security-Policy": policy, "X-Frame-Options": "DENY", **STRICT}
    return {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'", **STRICT}


def can_embed(files: Collection[PurePosixPath]) -> bool:
    """Whether a site has pages of single scenes, which others may embed: their assets are among the files."""
    return any(str(path).startswith(FRAMED) for path in files)


def headers(path: PurePosixPath, policy: str = CSP, *, embeds: bool = False) -> Mapping[str, str]:
    """The headers that our own server sends with a file."""
    found = {**strict(policy, embeds=embeds), "Cache-Control": FOR_EVER if HASHED.match(f"{path}/") else ASK}
    if embeds and str(path).startswith(SCENES):
        found |= {name: f"{found[name]}, {text}" for name, text in ANYWHERE.items()}
    return found


def headers_file(base: str, files: Output, policy: str = CSP) -> Output:
    """The `_headers` file for Netlify and Cloudflare. `files` are the assets.

    If two rules match a file, these hosts join their headers. So no rule sets caching for all files: those without a
    rule are revalidated at every visit, the default of both hosts. For the same reason there is one policy for all
    files: on a site with a search it is that of the search page, and the other pages' own policies are stricter.
    Wildcards are only at the end of a path, because Netlify supports no others.
    """
    tops = {PurePosixPath(*path.parts[:2]): len(path.parts) > 2 for path in files if HASHED.match(f"{path}/")}
    named = [f"{top}/*" if folder else str(top) for top, folder in sorted(tops.items())]
    rules = {
        "*": strict(policy, embeds=can_embed(files)),
        **({f"{SCENES}*": ANYWHERE} if can_embed(files) else {}),
        **{one: {"Cache-Control": FOR_EVER} for one in (*named, "assets/data/*", "assets/cards/*")},
    }
    blocks = [f"{base}{where}\n" + "".join(f"  {name}: {text}\n" for name, text in headers.items())
              for where, headers in rules.items()]  # fmt: skip
    return {PurePosixPath("_headers"): "\n".join(blocks).encode()}
