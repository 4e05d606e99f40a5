"""One HTTP request to another site. This is the only module that uses the network."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

TIMEOUT = 20.0
UNREACHED, NO_ADDRESS, NOT_ASKED = 0, -1, -2
SIGNED = "holds a name and a password, which do not belong in a link"


@dataclass(frozen=True)
class Answer:
    """A status, or `UNREACHED`; its reason; and the `Retry-After` header."""

    status: int
    reason: str = ""
    later: str = ""

    @property
    def wrong(self) -> str:
        """The mistake; empty if there is none."""
        if self.status <= 0:
            return self.reason if self.status == NOT_ASKED else f"can't be reached: {self.reason}"
        return "" if self.status < 300 else f"answers {self.status} {self.reason}".rstrip()


Fetch = Callable[[str, str, str], Answer]  # address, method, user agent


def fetch(address: str, method: str, agent: str) -> Answer:
    """One request; redirections are followed."""
    try:
        place = quote(address, safe="%/:=&?~#+!$,;'@()*[]")
        request = urllib.request.Request(place, method=method, headers={"User-Agent": agent, "Accept": "*/*"})
        if "@" in urlsplit(place).netloc:
            return Answer(NOT_ASKED, SIGNED)
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return Answer(response.status)
    except urllib.error.HTTPError as error:
        with error:
            if 300 <= error.code < 400:  # a redirection that can't be followed
                return Answer(error.code, str(error.reason).splitlines()[0])
            return Answer(error.code, str(error.reason), error.headers.get("Retry-After", ""))
    except (ValueError, http.client.InvalidURL) as error:
        return Answer(NO_ADDRESS, str(error))
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        return Answer(UNREACHED, getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)
