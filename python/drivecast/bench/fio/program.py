"""The fio that is installed: where it is, its version, and whether it can run a job.

fio 3.0 brought latencies in nanoseconds and the bins of JSON+; older ones are refused. What a version from 3.0 on does
not know (`fio --cmdhelp`) is left out by `job_file`, which notes what is missing. It asks the kernel by io_uring where
that may be used, else by libaio, and says why.
"""

import ctypes
import errno
import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from drivecast.bench.job import Engine
from drivecast.errors import HintedError, InputError

OLDEST = (3, 0)
_IO_URING_SETUP = 425
"""The number of the system call, the same on all architectures that have it."""
_PARAMETERS_BYTES = 120
_INSTALL = "Debian and Ubuntu: `apt-get install fio`; Fedora: `dnf install fio`"
_DISABLED = Path("/proc/sys/kernel/io_uring_disabled")


@dataclass(frozen=True)
class Program:
    """An fio that may be run."""

    path: str
    version: str
    """As fio prints it: `fio-3.33`."""

    def engines(self) -> frozenset[str]:
        """The engines it was built with."""
        return frozenset(line.strip() for line in _printed(self.path, "--enghelp").splitlines())

    def knows(self, option: str) -> bool:
        """Whether a job file may hold the option."""
        # An option that it knows is printed with its type; of another it prints the nearest, under its own name.
        words = _printed(self.path, f"--cmdhelp={option}")
        return re.search(rf"^\s*{option}\s*:", words, re.MULTILINE) is not None


def found(engine: Engine) -> Program:
    """The fio in the search path, with `engine`.

    Raises `InputError` where there is none, where it is older than 3.0, or cannot use the engine.
    """
    path = shutil.which("fio")
    if path is None:
        raise HintedError("fio is not installed", _INSTALL)
    printed = _printed(path, "--version").partition("\n")[0].strip()
    number = parsed(printed)
    if number is None:
        raise HintedError(
            f"`{path} --version`: expected a version such as `fio-3.33`, found `{printed}`", _INSTALL
        )
    if number < OLDEST:
        raise HintedError(
            f"`{path}` is {printed}: expected fio 3.0 or later, which reports nanoseconds", _INSTALL
        )
    program = Program(path, printed)
    if engine not in program.engines():
        others = [name for name in ("io_uring", "libaio", "psync") if name in program.engines()]
        raise HintedError(
            f"{printed} was built without the engine `{engine}`",
            f"a newer fio, or `--engine {(others or ['psync'])[0]}`",
        )
    if engine == "io_uring" and _DISABLED.exists() and _DISABLED.read_text().strip() == "2":
        raise HintedError(
            "the kernel refuses io_uring (`kernel.io_uring_disabled` is 2)",
            "`sysctl kernel.io_uring_disabled=0` as root, or `--engine libaio`",
        )
    return program


def parsed(printed: str) -> tuple[int, int] | None:
    """The version in what `fio --version` prints; none where there is none."""
    match = re.match(r"fio-(\d{1,6})\.(\d{1,6})", printed)
    return (int(match[1]), int(match[2])) if match else None


@functools.cache
def _printed(*argv: str) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=20, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HintedError(f"`{argv[0]}` cannot be run: {error}", _INSTALL) from None
    return done.stdout or done.stderr


def chosen(requested: Engine | None) -> tuple[Engine, list[str]]:
    """The engine, with the reason where it is not io_uring. Raises `InputError` where fio has none that can be used."""
    if requested is not None:
        found(requested)
        return requested, []
    refused = io_uring_refused()
    try:
        if refused is None:
            found("io_uring")
            return "io_uring", []
    except InputError as error:
        refused = str(error).partition("\n")[0]
    found("libaio")
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
