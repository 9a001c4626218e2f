"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path

from drivecast.errors import InputError


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` under a temporary name beside it, fsync, and rename.

    Raises `InputError` when the directory is missing or read-only, or the disk is full; then nothing is left behind.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise InputError(f"cannot write `{path}`: {error.strerror}; nothing was written") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
