"""How much is taken in from elsewhere, and how slowly it may come: servers and pipes decide neither.

A log that is fetched, or read from standard input, lies in the temporary folder: it ends at `DRIVECAST_FETCH_MAX`
(64 GB unless it is set), and where the folder's disk has 1 GiB left. An answer that is held in memory ends at 256 MiB.
Whoever sends nothing for a minute, or less than 1 KiB a second over two, is given up. Left out: what a protocol of
fsspec reads before it hands anything on.
"""

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivecast.errors import HintedError, InputError
from drivecast.files import BYTES_MAX
from drivecast.quantity.parse import size_bytes

if TYPE_CHECKING:
    import httpx

MOST = "DRIVECAST_FETCH_MAX"
"""The variable that sets the limit."""
_MOST = "64GB"
_RESERVE_BYTES = 1 << 30
"""Of the disk of the temporary folder, which is not ours alone."""
CONNECT_S = 15.0
"""So long it may take to be reached."""
SILENT_S = 60.0
"""So long a server may send nothing."""
SLOW_S = 120.0
_SLOW_BYTES_PER_S = 1024


class Intake:
    """What has come so far, from `shown`, and how much may."""

    def __init__(self, shown: str, most_bytes: int, hint: str) -> None:
        self.shown, self.most_bytes, self.hint = shown, most_bytes, hint
        self.bytes = 0
        self.began_s = time.monotonic()

    def announced(self, size: int | None) -> None:
        """Raise `InputError` where more is announced than may come."""
        if size is not None and self.bytes + size > self.most_bytes:
            raise HintedError(f"`{self.shown}` is larger than {_gb(self.most_bytes)}", self.hint)

    def more(self, size: int) -> None:
        """Count what came; raises `InputError` where it is too much, or comes too slowly."""
        self.bytes += size
        if self.bytes > self.most_bytes:
            raise HintedError(f"`{self.shown}` does not end within {_gb(self.most_bytes)}", self.hint)
        passed_s = time.monotonic() - self.began_s
        if passed_s > SLOW_S and self.bytes < passed_s * _SLOW_BYTES_PER_S:
            raise InputError(
                f"`{self.shown}` sends less than 1 KiB a second: {self.bytes:,} bytes in {passed_s:.0f} s"
            )


def onto_disk(shown: str, folder: Path) -> Intake:
    """What may come into files of `folder`.

    Raises `InputError` where the limit that is set is none.
    """
    given = os.environ.get(MOST) or _MOST
    try:
        most = size_bytes(given)
    except InputError:
        raise InputError(f"{MOST}: expected a size such as 200GB, found `{given}`") from None
    free = max(0, shutil.disk_usage(folder).free - _RESERVE_BYTES)
    if free < most:
        hint = f"that is what `{folder.parent}` can hold; name a folder with more space: TMPDIR=/FOLDER"
        return Intake(shown, free, hint)
    return Intake(shown, most, f"to fetch more, set {MOST}=200GB, or fetch it yourself and give the file")


def into_memory(shown: str, hint: str) -> Intake:
    """What may come into memory."""
    return Intake(shown, BYTES_MAX, hint)


def patience() -> "httpx.Timeout":
    """How long a server may be silent."""
    import httpx  # noqa: PLC0415

    return httpx.Timeout(SILENT_S, connect=CONNECT_S)


def answered(
    client: "httpx.Client", method: str, url: str, intake: Intake, **request: Any
) -> "httpx.Response":
    """The whole answer of a server.

    Raises `InputError` where it does not end, and what `httpx` raises.
    """
    import httpx  # noqa: PLC0415 (only who asks a server waits for it)

    with client.stream(method, url, **request) as answer:
        parts = []
        for part in answer.iter_bytes():
            intake.more(len(part))
            parts.append(part)
    return httpx.Response(answer.status_code, content=b"".join(parts))


def _gb(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"
