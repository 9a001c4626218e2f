"""Files that are read whole, or written whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Mapping
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


def write_folder(path: Path, contents: Mapping[str, str]) -> None:
    """Write files by their names into a new folder, all of them or none.

    Raises `InputError` if the folder holds something already, or cannot be written.
    """
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError(f"cannot write `{path}`: expected a new or empty folder")
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp"))
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {error.strerror}") from None
    try:
        for name, text in contents.items():
            write_whole(temporary / name, text)
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o777 & ~umask)
        temporary.replace(path)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        raise InputError(f"cannot write `{path}`: {error.strerror}; nothing was written") from None
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
