"""Files and folders that one process uses at a time, by locks that end with it, however it ends.

Who writes `report.html` holds a lock on `.report.html.lock` beside it, and writes `.report.html.drivecast.tmp`, which
is renamed in the end. What a killed process left there goes when the next one holds the lock. A temporary folder is
locked itself, and those whose lock is free are removed when the next is made. Left out: file systems and systems
without `flock`, where nothing is excluded.
"""

import atexit
import contextlib
import errno
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivecast.errors import HintedError

if sys.platform == "win32":
    fcntl = None
else:
    try:
        import fcntl
    except ImportError:
        fcntl = None  # type: ignore[assignment]

_NEW_S = 60.0
"""A folder is made before it is locked and gets its name: younger ones are left alone."""
_DRAWN = re.compile("[a-z0-9_]{8}")
"""What `tempfile` adds to a prefix: a folder that a person named is none of ours."""
_held: dict[Path, int] = {}


def temporary(path: Path) -> Path:
    """The name under which a file is written before it gets its own."""
    return path.with_name(f".{path.name}.drivecast.tmp")


def hold(path: Path) -> bool:
    """Be the only one that writes `path`, until `release` or the end of the process; whether this is new.

    Removes what a killed process left. Raises `InputError` where another process writes it, `OSError` where nothing can
    be made beside it.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 (a link stays a link)
    if path in _held:
        return False
    name = path.with_name(f".{path.name}.lock")
    while True:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        if not _locked(handle):
            os.close(handle)
            raise HintedError(
                f"cannot write `{path}`: another run of drivecast is going to write it",
                "wait for it, or give another name",
            )
        # Who held it until now may have removed the name from under the lock.
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.lstat(name)):
                break
        os.close(handle)
    _held[path] = handle
    remove(temporary(path))
    return True


def release(path: Path) -> None:
    """Let others write `path`."""
    path = Path(os.path.abspath(path))  # noqa: PTH100
    handle = _held.pop(path, None)
    if handle is not None:
        with contextlib.suppress(OSError):
            path.with_name(f".{path.name}.lock").unlink()
        os.close(handle)


@atexit.register
def release_all() -> None:
    """Let others write whatever this process held."""
    for path in list(_held):
        release(path)


def wait(handle: int) -> None:
    """Be the only one that uses an open file, once nobody else does, until it is closed."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def temporary_folder(prefix: str, within: Path | None = None) -> Iterator[Path]:
    """A folder for as long as the block lasts; those of its prefix that killed processes left are removed.

    Raises `OSError` where none can be made.
    """
    within = within or Path(tempfile.gettempdir())
    for name in (prefix, f".{prefix}"):
        for left in within.glob(f"{name}*"):
            if _DRAWN.fullmatch(left.name.removeprefix(name)):
                _sweep(left, 0.0 if name == prefix else _NEW_S)
    # Under its own name it is locked from the start: another process may look for what is left at any moment.
    new = Path(tempfile.mkdtemp(prefix=f".{prefix}", dir=within))
    folder = new.with_name(new.name[1:])
    try:
        with _directory(new) as handle:
            _locked(handle)
            new.rename(folder)
            yield folder
    finally:
        for each in (new, folder):
            shutil.rmtree(each, ignore_errors=True)


def _sweep(folder: Path, age_s: float) -> None:
    with contextlib.suppress(OSError):
        status = folder.lstat()
        own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
        if own and time.time() - status.st_mtime >= age_s:
            with _directory(folder) as handle:
                if fcntl is not None and _locked(handle, unsure=False):
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _directory(folder: Path) -> Iterator[int]:
    """A handle on a folder that is no link; -1 on Windows, which has none."""
    if fcntl is None:
        yield -1
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


def _locked(handle: int, *, unsure: bool = True) -> bool:
    """Lock it, or see that another process has; `unsure` where nobody can."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return unsure and error.errno not in {errno.EWOULDBLOCK, errno.EACCES}
    return True
