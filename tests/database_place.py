"""Places for private database servers in tests, and whether anything of them is left."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import leftovers
from waiting import PATIENCE_S


@contextmanager
def folder() -> Iterator[Path]:
    """A directory that accounts other than ours may pass through, as a mounted disk is: pytest's are closed."""
    with leftovers.in_tmp("db") as name:
        Path(name).chmod(0o755)
        work = Path(name) / "tmp"
        work.mkdir(mode=0o755)
        yield Path(name)


@contextmanager
def target() -> Iterator[tuple[Path, dict[str, str]]]:
    """A directory to name as `--on`, and the environment in which what is temporary lies beside it."""
    with folder() as top:
        on = top / "on"
        on.mkdir(mode=0o755)
        yield on, {**os.environ, "TMPDIR": str(top / "tmp"), "NO_COLOR": "1", "COLUMNS": "120"}
        shutil.rmtree(on, ignore_errors=True)


def left(on: Path) -> list[str]:
    """What is still there: directories of servers, and processes that name them."""
    tops = [on, on.parent / "tmp"]
    found = [str(path) for top in tops for path in top.iterdir()]
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
            except OSError:
                continue
            if any(f"{top}/drivecast-" in command for top in tops):
                found.append(command[:200])
    return found


def must_be_gone(on: Path) -> None:
    """Wait until nothing is left, for as long as that may take."""
    until = time.monotonic() + PATIENCE_S
    while found := left(on):
        assert time.monotonic() < until, found
        time.sleep(0.1)
