"""What a test run leaves behind makes it fail: processes, which are killed, mounts, loop devices, sockets, files.

A run has a folder of its own for what is temporary and for a home, so that neither the user's home nor what others do
on the machine meanwhile has a part in it. Tests' own folders (`tmp_path`) stay where pytest has them, and may keep
files. Looked through at the end:

- processes that have the run's mark in their environment, descend from this one, or name a folder of the run;
- mounts, loop devices and sockets that name one;
- in the folder for what is temporary, what has our name;
- the checkout, except what builds, caches and people write;
- by name, `/tmp`, `/dev/shm` and `/run`, for what asks for no such folder.

A file counts if it was not there before. Without `/proc`, files are all that is looked for.
"""

import contextlib
import fcntl
import os
import re
import secrets
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from drivecast import lock

VARIABLE = "DRIVECAST_TEST_RUN"
"""The mark of a run; what a test makes in `/tmp` itself has it in its name."""
GRACE_S = 3.0
"""How long what is just ending may take."""
ROOT = Path(__file__).parents[1]
PREFIX = "drivecast-tests-"
OWN = {"TMPDIR": "tmp", "HOME": "home", "XDG_RUNTIME_DIR": "run"}
"""Where programs write that were given no place."""
ELSEWHERE = (
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
    *("IPYTHONDIR", "DRIVECAST_HISTORY"),
)
"""What would lead away from that home."""
BUILT = re.compile(r"\.(?!drivecast).*|__pycache__|dist|node_modules|out|pages|target|drivecast\.data")
"""Folders that builds and caches write."""
WRITTEN = re.compile(r".*(\.(css|js|md|mjs|pyi?|pyc|rs|so|sw.|toml|tsx?)|~)|4913|\.#.*|\.testmondata.*")
"""Files that builds and people write, their editors' copies included: no test's results have these names."""
ENDING = re.compile(r"multiprocessing\.(resource_tracker|forkserver)")
"""Processes that Python ends with the one that has them."""


class Run:
    """A test run, from before its first test until after its last."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.mark = secrets.token_hex(4)
        self.before = {*self.files()}
        patch = self.stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        patch.setenv(VARIABLE, self.mark)
        if (git := Path.home() / ".gitconfig").exists():  # which may say that this checkout is to be trusted
            patch.setenv("GIT_CONFIG_GLOBAL", str(git))
        self.folder = self.stack.enter_context(lock.temporary_folder(PREFIX))
        self.folder.chmod(0o711)  # tests become other accounts, too
        for variable, name in OWN.items():
            (self.folder / name).mkdir(mode=0o700)
            patch.setenv(variable, str(self.folder / name))
        (self.folder / "tmp").chmod(0o1777)
        for variable in ELSEWHERE:
            patch.delenv(variable, raising=False)
        patch.setattr(tempfile, "tempdir", None)

    def ours(self, base: Path) -> re.Pattern[str]:
        """What names a folder of the run, or a file in it."""
        return re.compile("|".join(re.escape(str(folder)) + r"\b" for folder in (self.folder, base)))

    def left(self, base: Path) -> list[str]:
        """What there is of the run, besides files below pytest's folder `base`."""
        ours = self.ours(base)
        new = {*self.files()} - self.before
        for place in ("tmp", "run"):
            new |= {path for path in _within(self.folder / place) if "drivecast" in path.name}
        return [
            *(f"process {pid}: {words}" for pid, words, _ in self.processes(ours)),
            *(f"mount {place}" for place in _fields("/proc/self/mountinfo", 4) if ours.search(place)),
            *(f"socket {place}" for place in _fields("/proc/net/unix", 7) if ours.search(place)),
            *(
                f"loop device {file.parts[3]}: {place}"
                for file in Path("/sys/block").glob("loop*/loop/backing_file")
                for place in _fields(file, 0)
                if ours.search(place)
            ),
            *(f"file {path}" for path in sorted(new) if not _in_use(path)),
        ]

    def files(self) -> Iterator[Path]:
        """The files of the checkout, and what lies elsewhere that a test may have left."""
        for top, folders, names in os.walk(ROOT):
            folders[:] = [name for name in folders if not BUILT.fullmatch(name)]
            yield from (Path(top, name) for name in [*folders, *names] if not WRITTEN.fullmatch(name))
        yield from (path for path in _within(Path("/tmp")) if self.mark in path.name)  # noqa: S108
        for place in (Path("/dev/shm"), Path("/run")):  # noqa: S108
            yield from (path for path in _within(place) if "drivecast" in path.name)

    def processes(self, ours: re.Pattern[str]) -> Iterator[tuple[int, str, bool]]:
        """The processes of the run, but for this one, those it came from, and what Python ends with it.

        A process that names a folder of the run is not surely one: somebody may look at a file there.
        """
        alive, mark = {}, f"{VARIABLE}={self.mark}".encode()
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                words = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                marked = False
                with contextlib.suppress(PermissionError):  # another account's
                    marked = mark in (entry / "environ").read_bytes().split(b"\0")
                if state != "Z":
                    alive[int(entry.name)] = int(parent), marked, words

        def line(pid: int) -> Iterator[int]:
            while pid in alive:
                yield pid
                pid = alive[pid][0]

        us = os.getpid()
        above = {*line(us)}
        for pid, (_, marked, words) in alive.items():
            sure = marked or us in line(pid)
            if pid not in above and (sure or ours.search(words)) and not ENDING.search(words):
                yield pid, words[:300], sure


def _fields(file: str | Path, at: int) -> list[str]:
    """The words at one place of the lines of a file of the kernel's."""
    with contextlib.suppress(OSError):
        lines = Path(file).read_text(errors="replace").splitlines()
        return [words[at] for line in lines if len(words := line.split()) > at]
    return []


def _within(folder: Path) -> list[Path]:
    """What is in a folder that may be missing, or closed to us."""
    with contextlib.suppress(OSError):
        return [*folder.iterdir()]
    return []


def _in_use(path: Path) -> bool:
    """Whether another run of the product holds a folder."""
    try:
        if not path.is_dir() or path.is_mount():
            return path.is_dir()
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


_KEY = pytest.StashKey[Run]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin in the process that runs the tests or leads the workers, before anything asks for a temporary place."""
    if not hasattr(config, "workerinput"):
        run = config.stash[_KEY] = Run()
        config.add_cleanup(run.stack.close)


def in_tmp(name: str) -> tempfile.TemporaryDirectory[str]:
    """A folder in `/tmp` itself: other accounts may pass through, and paths of sockets in it are short."""
    return tempfile.TemporaryDirectory(prefix=f"{name}-{os.environ[VARIABLE]}-", dir="/tmp")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Look, once fixtures and workers are gone and results are printed."""
    yield
    run = session.config.stash.get(_KEY, None)
    if run is None:
        return
    base = session.config._tmp_path_factory.getbasetemp()  # as xdist has it
    until = time.monotonic() + GRACE_S
    while (left := run.left(base)) and time.monotonic() < until:
        time.sleep(0.05)
    if left:
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        for line in (f"left behind by this run, see tests/{Path(__file__).name}:", *left):
            reporter.write_line(line, red=True)
        for pid, _, sure in run.processes(run.ours(base)):
            if sure:  # it would go on until somebody saw it
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
