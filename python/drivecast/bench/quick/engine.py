"""How fio asks the kernel: by io_uring where that may be used, else by libaio, and why."""

import ctypes
import errno
import os

from drivecast.bench.fio import program
from drivecast.bench.job import Engine
from drivecast.errors import InputError

_IO_URING_SETUP = 425
"""The number of the system call, the same on all architectures that have it."""
_PARAMETERS_BYTES = 120


def chosen(requested: Engine | None) -> tuple[Engine, list[str]]:
    """The engine, with the reason where it is not io_uring. Raises `InputError` where fio has none that can be used."""
    if requested is not None:
        program.found(requested)
        return requested, []
    refused = io_uring_refused()
    try:
        if refused is None:
            program.found("io_uring")
            return "io_uring", []
    except InputError as error:
        refused = str(error).partition("\n")[0]
    program.found("libaio")
    return "libaio", [f"libaio instead of io_uring: {refused}"]


def io_uring_refused() -> str | None:
    """Why this process may not use io_uring; none where it may."""
    libc = ctypes.CDLL(None, use_errno=True)
    handle = libc.syscall(_IO_URING_SETUP, 1, ctypes.create_string_buffer(_PARAMETERS_BYTES))
    if handle >= 0:
        os.close(handle)
        return None
    error = ctypes.get_errno()
    known = {
        errno.EPERM: "the kernel or the container refuses it",
        errno.ENOSYS: "the kernel or the container does not have it",
    }
    return known.get(error, os.strerror(error))
