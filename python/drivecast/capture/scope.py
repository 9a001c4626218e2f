"""Whose requests: those of a device, of a process with its threads and children, or of a control group.

The kernel offers no filter by process that keeps completions (`/sys/block/DEV/trace/pid` compares with
whoever runs when the interrupt comes), so all events of the device are recorded and those of other
processes dropped afterwards: what the wanted threads submitted to the block layer (Q) stays, with every
completion for it to find its own. Writes that the page cache does later belong to the kernel's threads, not
to the process.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from drivecast.errors import HintedError, InputError

_PROC = Path("/proc")
_BLKIO = Path("/sys/fs/cgroup/blkio")
_UNIFIED = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
_BYTES = "blkio.throttle.io_service_bytes_recursive"
_REQUESTS = "blkio.throttle.io_serviced_recursive"
_LIMIT = "blkio.throttle.read_iops_device"
_NO_LIMIT = 4_000_000_000


@dataclass
class Process:
    """A process, its threads and children, as they come and go."""

    pid: int
    threads: set[int] = field(default_factory=set)

    def look(self) -> None:
        """Remember the threads that are there now; of a process that has ended, those that were seen."""
        self._look(self.pid)

    def _look(self, pid: int) -> None:
        with suppress(OSError):
            tasks = list((_PROC / str(pid) / "task").iterdir())
            self.threads |= {int(task.name) for task in tasks}
            for child in [word for task in tasks for word in (task / "children").read_text().split()]:
                self._look(int(child))


def process(pid: int) -> Process:
    """Return the process `pid`. Raises `InputError` when there is none."""
    if not (_PROC / str(pid)).exists():
        raise InputError(f"there is no process {pid}")
    return Process(pid)


@dataclass
class Cgroup:
    """A control group, of either version of the kernel's interface."""

    folder: Path
    unified: bool
    threads: set[int] = field(default_factory=set)

    def look(self) -> None:
        """Remember the threads that are in it now, or in a group below."""
        name = "cgroup.threads" if self.unified else "tasks"
        for file in self.folder.rglob(name):
            with suppress(OSError):
                self.threads |= {int(word) for word in file.read_text().split()}

    def wake(self, number: str) -> str | None:
        """Have the kernel count the group's requests on device `number`, and say what that took.

        Recent kernels count for version 1 only where a limit was ever set: one that limits nothing is set and
        removed.
        """
        if self.unified or f"{number} " in (self.folder / _REQUESTS).read_text():
            return None
        limit = self.folder / _LIMIT
        if f"{number} " in limit.read_text():
            return None
        try:
            limit.write_text(f"{number} {_NO_LIMIT}")
            limit.write_text(f"{number} 0")
        except OSError as error:
            return f"the kernel may not count this group's requests, and cannot be made to ({error.strerror})"
        return f"a limit was set and removed at `{limit}`, without which the kernel counts nothing"

    def totals(self, number: str) -> str:
        """Return the group's totals on device `number` as version 2's `io.stat` has them; nothing while idle."""
        if self.unified:
            lines = (self.folder / "io.stat").read_text().splitlines()
            return "".join(f"{line}\n" for line in lines if line.startswith(f"{number} "))
        counts: dict[str, str] = {}
        for name, reads, writes in ((_BYTES, "rbytes", "wbytes"), (_REQUESTS, "rios", "wios")):
            rows = [line.split() for line in (self.folder / name).read_text().splitlines()]
            values = {row[1]: row[2] for row in rows if len(row) == 3 and row[0] == number}
            counts |= {reads: values.get("Read", "0"), writes: values.get("Write", "0")}
        return f"{number} {' '.join(f'{key}={value}' for key, value in counts.items())}\n"


def cgroup(path: str) -> Cgroup:
    """Return the control group at `path`, absolute or below the mount of the block controller.

    Raises `InputError` when there is none, or it does not count block requests.
    """
    relative = path.lstrip("/")
    for folder in (Path(path), _BLKIO / relative, *(root / relative for root in _UNIFIED)):
        if (folder / _REQUESTS).exists():
            return Cgroup(folder, unified=False)
        if (folder / "io.stat").exists():
            return Cgroup(folder, unified=True)
    raise HintedError(
        f"there is no control group `{path}` that counts block requests",
        "give its directory; version 2 needs the controller `io` (`cgroup.subtree_control`), version 1 `blkio`",
    )
