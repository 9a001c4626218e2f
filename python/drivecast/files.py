"""Files that are read whole, or written whole or not at all."""

import contextlib
import errno
import getpass
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from drivecast import lock
from drivecast.errors import HintedError, InputError, MissingError, refused, unreadable
from drivecast.timing import LOG

BYTES_MAX = 256 << 20
"""Of a file that is read whole; documents of drivecast are far smaller."""

TOML_BYTES_MAX = 4 << 20
"""Of a file of TOML: the parser takes seconds a megabyte, and no drive or rule has ten kilobytes."""
SOCKET_BYTES_MAX = 107
"""Of the path of a Unix socket: `sun_path` has 108 with the NUL (unix(7))."""
_FULL_BYTES = 64 << 10
"""A disk with less is full: a file system needs some for itself."""
_OF_ROOT = "/usr/local/sbin:/usr/sbin:/sbin"
"""Where Debian has `mkfs.ext4`, `mariadbd` and `smartctl`; the PATH of a user, or after `su`, has no such folder."""
_WRITER_S = 1.0
"""A writer of a named pipe that was started beside us has opened it by then."""


def program(name: str) -> str | None:
    """The path of a program that is installed: in PATH, or else where those of root are."""
    return shutil.which(name) or shutil.which(name, path=_OF_ROOT)


def state_folder() -> Path:
    """Where drivecast keeps things for its user (XDG Base Directory); raises `InputError` where he has no home."""
    given = os.environ.get("XDG_STATE_HOME")
    try:
        # An empty HOME is none, and not the root directory.
        home = "~" if os.environ.get("HOME", "~") else f"~{getpass.getuser()}"
        return Path(given or f"{home}/.local/state").expanduser() / "drivecast"
    except (RuntimeError, LookupError, OSError):
        raise HintedError("the user has no home directory", "set XDG_STATE_HOME to a folder") from None


def read_bytes(path: Path, most: int = BYTES_MAX) -> bytes:
    """Return what is in a file or a pipe.

    Raises `MissingError` where there is none, and `InputError` where it cannot be read, is a device, is a named pipe
    without a writer, or holds more than `most` bytes.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:  # noqa: PTH123 (of a descriptor)
            status = os.fstat(handle)
            if stat.S_ISDIR(status.st_mode):
                raise unreadable(path, "it is a directory")
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
                raise unreadable(path, "it is a device or a socket; expected a file or a pipe")
            if status.st_size > most:
                raise _too_long(path, most)
            begin = _of_writer(path, handle) if stat.S_ISFIFO(status.st_mode) else b""
            data = begin + file.read(most + 1)
    except InputError:  # a `ValueError`, too
        raise
    except FileNotFoundError:
        raise MissingError(path) from None
    except (OSError, ValueError) as error:  # a name with a NUL is a `ValueError`
        raise unreadable(path, str(getattr(error, "strerror", None) or error)) from None
    if len(data) > most:
        raise _too_long(path, most)
    return data


def read_text(path: Path, most: int = BYTES_MAX) -> str:
    """Return the text of a file without its byte-order mark; raises as `read_bytes`, and where it is not UTF-8."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"is not text: expected UTF-8, found other bytes at offset {error.start}"
        raise unreadable(path, found) from None


def exists(text: str | Path) -> bool:
    """Whether text that may be a path, or may be a design or a workload, names something that is there."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def _of_writer(path: Path, handle: int) -> bytes:
    """Wait for the writer of a named pipe: without one it reads as ended, with one it has bytes or would block."""
    until = time.monotonic() + _WRITER_S
    try:
        while not (begin := os.read(handle, 1)):
            if time.monotonic() > until:
                raise unreadable(path, "it is a named pipe that no program writes to; start the writer first")
            time.sleep(0.01)
    except BlockingIOError:
        begin = b""
    if sys.platform != "win32":  # which has no such pipes among its files
        os.set_blocking(handle, True)
    return begin


def _too_long(path: Path, most: int) -> InputError:
    return unreadable(path, f"it has more than {most >> 20:,} MiB, and no document of drivecast has")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` under a temporary name next to it, fsync, and rename.

    A link is followed; a pipe or a character device such as `/dev/stdout` is written to. Raises `InputError` if the
    directory is missing or read-only, the disk is full, or another run writes the file; then nothing is left behind.
    """
    data = content.encode() if isinstance(content, str) else content
    LOG.info("write %s, %d bytes", path, len(data))
    try:
        if is_stream(path):
            with path.open("wb") as file:
                file.write(data)
            return
        with held(path.resolve() if path.is_symlink() else path) as (final, temporary):
            handle = os.open(
                temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
            )
            with open(handle, "wb") as file:  # noqa: PTH123 (of a descriptor)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(final)
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {refused(error)}; nothing was written") from None


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A name for a library to write a file under, which is moved to `path` if the block succeeds, or into it if a pipe.

    What it says of that name is said of `path`. Raises `InputError` as `write_whole`.
    """
    try:
        if is_stream(path):
            with lock.temporary_folder("drivecast-out-") as folder, _called(folder / path.name, path) as file:
                yield file
                with file.open("rb") as made, path.open("wb") as out:
                    shutil.copyfileobj(made, out)
            return
        with held(path.resolve() if path.is_symlink() else path) as (final, temporary):
            temporary.mkdir()
            with _called(temporary / final.name, path) as file:
                yield file
            file.replace(final)
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {refused(error)}; nothing was written") from None


@contextmanager
def full_disk_told(folder: Path) -> Iterator[None]:
    """Raise `OSError` of a full disk for any error of a library on one: some say something else of it."""
    try:
        yield
    except Exception:
        if is_full(folder):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        raise


def is_full(folder: Path) -> bool:
    """Whether the disk of a folder has next to no space left."""
    try:
        return shutil.disk_usage(folder).free < _FULL_BYTES
    except OSError:
        return False


@contextmanager
def _called(file: Path, path: Path) -> Iterator[Path]:
    try:
        yield file
    except InputError as error:
        if str(file) not in str(error):
            raise
        raise InputError(str(error).replace(str(file), str(path))) from None


def write_folder(path: Path, contents: Mapping[str, str]) -> None:
    """Write files by their names into a new folder, all of them or none.

    Raises `InputError` if the folder holds something already, cannot be written, or another run writes it.
    """
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError(f"cannot write `{path}`: expected a new or empty folder")
        with held(path) as (final, temporary):
            temporary.mkdir()
            for name, text in contents.items():
                write_whole(temporary / name, text)
            temporary.replace(final)
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {refused(error)}; nothing was written") from None


def is_stream(path: Path) -> bool:
    """Whether what is written to `path` goes to a program or a terminal, and cannot be renamed to it.

    Raises `InputError` for a block device, which holds data.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    if stat.S_ISBLK(mode):
        raise InputError(f"cannot write `{path}`: it is a block device; expected the name of a file")
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


@contextmanager
def held(path: Path) -> Iterator[tuple[Path, Path]]:
    """The path and its temporary name, which nobody else uses, and which is gone afterwards.

    Raises `InputError` where another run writes it, or nothing can be written.
    """
    temporary = lock.temporary(path)
    try:
        new = lock.hold(path)
    except OSError as error:
        raise InputError(f"cannot write `{path}`: {refused(error)}; nothing was written") from None
    try:
        yield path, temporary
    finally:
        with contextlib.suppress(OSError):
            lock.remove(temporary)
        if new:
            lock.release(path)
