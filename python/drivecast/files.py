"""Files that are read whole, or written whole or not at all."""

import os
import tempfile
from pathlib import Path

from drivecast.errors import InputError, unreadable


def read_text(path: Path) -> str:
    """Return the text of a file; raises `InputError` where it cannot be read or is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise unreadable(path, str(error.strerror)) from None
    except UnicodeDecodeError:
        raise unreadable(path, "is not text") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` under a temporary name next to it, fsync, and rename.

    Raises `InputError` if the directory is missing or read-only, or the disk is full; then nothing is left behind.
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
