"""One question to another site, and its answer. The only module that goes out."""

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
    """A status, or `UNREACHED`; what is said of it, and how long we are to wait (`Retry-After`)."""

    status: int
    reason: str = ""
    later: str = ""

    @property
    def wrong(self) -> str:
        """What is wrong with it; empty: nothing."""
        if self.status <= 0:
            return self.reason if self.status == NOT_ASKED else f"can't be reached: {self.reason}"
        return "" if self.status < 300 else f"answers {self.status} {self.reason}".rstrip()


Fetch = Callable[[str, str, str], Answer]  # address, method, who asks


def fetch(address: str, method: str, agent: str) -> Answer:
    """One question to another site; redirections are followed."""
    try:
        place = quote(address, safe="%/:=&?~#+!$,;'@()*[]")
        request = urllib.request.Request(place, method=method, headers={"User-Agent": agent, "Accept": "*/*"})
        if "@" in urlsplit(place).netloc:
            return Answer(NOT_ASKED, SIGNED)
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return Answer(response.status)
    except urllib.error.HTTPError as error:
        with error:
            if 300 <= error.code < 400:  # those that can be followed have been
                return Answer(error.code, str(error.reason).splitlines()[0])
            return Answer(error.code, str(error.reason), error.headers.get("Retry-After", ""))
    except (ValueError, http.client.InvalidURL) as error:
        return Answer(NO_ADDRESS, str(error))
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        return Answer(UNREACHED, getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)
