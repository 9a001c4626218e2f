"""URLs that the server may fetch from.

A URL from a browser makes this server call another, with its place in the network. So only protocols that reach
servers are taken, never files of this machine or chains of protocols (`simplecache::file://…`), and only hosts that
were named, where any were or where the server is open to others. What comes back is never shown: it becomes a trace,
or an error with its first bytes. Left out: where a named host redirects to.
"""

import re
from urllib.parse import urlsplit

from drivecast.errors import HintedError
from drivecast.serve.settings import Settings

SCHEMES = ("http", "https", "s3", "prometheus+http", "prometheus+https")
URL_MAX = 2_000


def check(url: str, settings: Settings) -> None:
    """Raise `InputError` for a URL that must not be fetched."""
    scheme = url.partition(":")[0].lower()
    if scheme not in SCHEMES or "::" in url or len(url) > URL_MAX or re.search(r"[\x00-\x20\\*]", url):
        raise HintedError(
            "this is no URL that the server fetches from",
            f"expected one of {', '.join(f'{each}://…' for each in SCHEMES)}, without `*`",
        )
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        host = ""
    allowed = settings.fetch if settings.fetch is not None else (None if settings.loopback else ())
    if not host or (allowed is not None and host not in {name.lower() for name in allowed}):
        raise HintedError(
            f"the server may not fetch from `{host}`", "start it with `--fetch-from HOST`, or upload the file"
        )
