"""Files within named folders, and nothing else of this machine.

A path is walked part by part, each opened relative to the one before and never through a link (`O_NOFOLLOW`), so that
neither `..` nor a link, nor one that is put there between a check and its use, leads out. What was opened is read
through its handle: the core gets a private folder with links to the handles, under the names that files have. Left out:
links within a folder that stay in it; hard links, which no check sees; systems without `/proc`, where the checked path
is read.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from drivecast.document.served import Entry
from drivecast.errors import InputError, refused
from drivecast.lock import temporary_folder

ENTRIES_MAX = 5_000
FILES_MAX = 1_024
"""Of a trace: one a processor."""


class Opened(NamedTuple):
    """A file that is open."""

    name: str
    handle: int
    bytes: int


def parts_of(path: str) -> tuple[str, ...]:
    """The parts of a path below a folder.

    Raises `InputError` for one that is absolute or leads upwards.
    """
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\0" in path or "\\" in path:
        raise InputError(f"`{path}` is no path below the folder: expected names, without `..`")
    return pure.parts


@contextmanager
def _folder(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    """A handle on a folder below `root`."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    handle = os.open(root, flags)
    try:
        for part in parts:
            below = os.open(part, flags | os.O_NOFOLLOW, dir_fd=handle)
            os.close(handle)
            handle = below
        yield handle
    finally:
        os.close(handle)


def _names(folder: int) -> list[str]:
    return os.listdir(folder)


def listed(root: Path, path: str) -> list[Entry]:
    """What is in a folder, without links, devices and hidden files.

    Raises `InputError` for what is no folder below `root`.
    """
    found = []
    with _explained(path), _folder(root, parts_of(path)) as handle:
        for name in sorted(_names(handle))[:ENTRIES_MAX]:
            status = os.stat(name, dir_fd=handle, follow_symlinks=False)
            is_folder = stat.S_ISDIR(status.st_mode)
            if name.startswith(".") or not (is_folder or stat.S_ISREG(status.st_mode)):
                continue
            found.append(
                Entry(
                    name=name,
                    kind="folder" if is_folder else "file",
                    bytes=None if is_folder else status.st_size,
                    modified=datetime.fromtimestamp(status.st_mtime, UTC),
                )
            )
    return found


@contextmanager
def opened(root: Path, path: str) -> Iterator[list[Opened]]:
    """The files of a log below `root`, open: one, those of a folder, or a set that begins with the name given.

    Raises `InputError` for what is not there, is no file, or is behind a link.
    """
    parts = parts_of(path)
    if not parts:
        raise InputError("expected the name of a file")
    with ExitStack() as stack:
        with _explained(path):
            found = list(_files(stack, root, parts))
        if not found:
            raise InputError(f"there is no file `{path}` in this folder, and none that begins with `{path}.`")
        yield found


def _files(stack: ExitStack, root: Path, parts: tuple[str, ...]) -> Iterator[Opened]:
    with _folder(root, parts[:-1]) as above:
        names = {name for name in _names(above) if name == parts[-1] or name.startswith(f"{parts[-1]}.")}
        if parts[-1] in names:
            if not stat.S_ISDIR(os.stat(parts[-1], dir_fd=above, follow_symlinks=False).st_mode):
                yield _file(stack, above, parts[-1])
                return
            with _folder(root, parts) as within:
                for name in sorted(_names(within))[:FILES_MAX]:
                    if not name.startswith(".") and stat.S_ISREG(
                        os.stat(name, dir_fd=within, follow_symlinks=False).st_mode
                    ):
                        yield _file(stack, within, name)
            return
        for name in sorted(names)[:FILES_MAX]:
            yield _file(stack, above, name)


def _file(stack: ExitStack, folder: int, name: str) -> Opened:
    """Open a regular file; a named pipe would wait for its writer, so nothing waits."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    stack.callback(os.close, handle)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"`{name}` is no regular file")
    return Opened(name, handle, status.st_size)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Raise `InputError` for what the system refuses, without a word of where the folder is."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"there is no `{path}` in this folder") from None
    except NotADirectoryError:
        raise InputError(f"`{path}` is no folder, or is behind a link, which is not followed") from None
    except OSError as error:
        is_link = error.errno == errno.ELOOP
        reason = "it is a link, which is not followed" if is_link else refused(error)
        raise InputError(f"cannot read `{path}`: {reason}") from None


@contextmanager
def readable(root: Path, path: str) -> Iterator[Path]:
    """A log below `root` as a path that leads to the very files that were checked, for as long as the block lasts."""
    with opened(root, path) as files, temporary_folder("drivecast-named-") as folder:
        if not Path("/proc/self/fd").is_dir():
            yield root.joinpath(*parts_of(path))
            return
        place = folder / PurePosixPath(path).name
        single = len(files) == 1 and files[0].name == place.name
        if not single:
            place.mkdir()
        for file in files:
            link = place if single else place / file.name
            with contextlib.suppress(FileExistsError):
                link.symlink_to(f"/proc/self/fd/{file.handle}")
        yield place
