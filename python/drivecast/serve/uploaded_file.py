"""A body into a file: under a temporary name, flushed to the disk, then renamed, so that what has its name is whole.

Names come from other people: a file gets the last part of the name that was given, in signs that no system takes for
anything else. What was not finished is removed, also by the next server.
"""

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from drivecast.errors import refused
from drivecast.serve.http_error import Refused

AT_ONCE = 1 << 20
RESERVE_BYTES = 1 << 30
"""Of the disk, which is not ours alone."""
NAME_MAX = 120
_ODD = re.compile(r"[^A-Za-z0-9._+-]+")


def name_of(given: str) -> str:
    """A name that is only a name.

    Raises `Refused` where nothing of it is left.
    """
    last = re.split(r"[/\\]", given)[-1]
    found = _ODD.sub("_", last).strip("._")[-NAME_MAX:].lstrip(".-")
    if not found:
        raise Refused(422, "input", "expected the name of a file: `?name=trace.blktrace`")
    return found


async def stored(body: AsyncIterator[bytes], path: Path, incoming: Path) -> int:
    """Write a body to `path`; how many bytes.

    Raises `Refused` where it is cut off, empty, or the disk is full; then nothing is left of it.
    """
    incoming.mkdir(parents=True, exist_ok=True)
    temporary = incoming / f"{secrets.token_hex(8)}.part"
    size, waiting = 0, bytearray()
    try:
        with temporary.open("xb") as file:
            async for part in body:
                waiting += part
                if len(waiting) >= AT_ONCE:
                    await run_in_threadpool(_written, file, waiting, incoming)
                    size += len(waiting)
                    waiting = bytearray()
            await run_in_threadpool(_written, file, waiting, incoming)
            size += len(waiting)
            if size == 0:
                raise Refused(422, "input", "the file is empty")
            await run_in_threadpool(os.fsync, file.fileno())
        await run_in_threadpool(_moved, temporary, path)
    except ClientDisconnect:
        raise Refused(400, "input", "the connection ended before the file did") from None
    except OSError as error:
        raise Refused(507, "full", f"it cannot be stored: {refused(error)}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return size


def _written(file: BinaryIO, content: bytearray, folder: Path) -> None:
    if shutil.disk_usage(folder).free < RESERVE_BYTES + len(content):
        raise Refused(507, "full", "the server's disk is full")
    file.write(content)


def _moved(temporary: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary.replace(path)
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def swept(incoming: Path) -> None:
    """Remove what an earlier server did not finish."""
    for left in incoming.glob("*.part"):
        with contextlib.suppress(OSError):
            left.unlink()
