"""The kernel's `blk` tracer through tracefs: on for one device, read, and off again whatever happens.

MODEL. With `current_tracer` = blk, `options/bin` = 1 and `options/context-info` = 0 the kernel writes what
blktrace writes: `struct blk_io_trace`, one record an event, from a ring buffer a CPU. Reading
`per_cpu/cpuN/trace_pipe` takes them out. Times are of `trace_clock` = mono, one clock for all CPUs.
`act_mask` leaves out what no reader needs (plugs, merges). A buffer that runs full loses its oldest
records; `per_cpu/cpuN/stats` counts them. The tracer is one for the whole system: there is no `blk` in
`instances/`. So a capture refuses while anything else traces, and puts every setting back. What it changes
is written beforehand to a file that is locked meanwhile; a start that finds the file of a capture that
died restores the settings first. Source: kernel/trace/blktrace.c, Documentation/trace/ftrace.rst.
"""

import contextlib
import fcntl
import json
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from drivecast.capture.block_device import Device
from drivecast.errors import HintedError, InputError

_ROOTS = (Path("/sys/kernel/tracing"), Path("/sys/kernel/debug/tracing"))
_MASK = "queue,requeue,issue,complete"
_READ_BYTES = 1 << 20
# Text between the records, where some were overwritten; a read never ends within it.
_LOST = re.compile(rb"CPU:\d+ \[LOST (?:\d+ )?EVENTS\]\n")
_RETRY = "wait for it to end, or switch it off"

# In the order of setting; put back in the reverse order. Changing the clock empties the buffer, so it comes early.
_SETTINGS = (
    "trace_clock",
    "buffer_size_kb",
    "current_tracer",
    "options/bin",
    "options/context-info",
    "tracing_on",
)


def root() -> Path:
    """Return where tracefs is mounted.

    Raises `InputError` when it is not, or may not be used.
    """
    if os.geteuid() != 0:
        raise HintedError(
            "recording block events needs root",
            "run it with `sudo`, or leave out `--trace` to record counters, which anyone may",
        )
    for place in _ROOTS:
        if (place / "current_tracer").exists():
            return place
    raise HintedError(
        "tracefs is not mounted, so the kernel's block tracer cannot be reached",
        "mount -t tracefs nodev /sys/kernel/tracing",
    )


def _value(place: Path) -> str:
    text = place.read_text().strip()
    chosen = [word.strip("[]") for word in text.split() if word.startswith("[")]
    return chosen[0] if chosen else text.split()[0] if text else ""


def _memory() -> Path:
    folder = Path("/run") if os.access("/run", os.W_OK) else Path(tempfile.gettempdir())
    return folder / "drivecast-capture.json"


@dataclass
class Tracer:
    """The tracer on one device, for the length of a `with`."""

    device: Device
    buffer_kib: int
    folder: Path
    """Where the records go, a file a CPU."""
    notes: list[str] = field(default_factory=list)
    lost: int = 0
    """Events that the kernel overwrote before they were read, or did not write for lack of room."""
    written_bytes: int = 0

    def __enter__(self) -> Self:
        """Check, remember the settings, and switch on."""
        self._root = root()
        recovered = recover()
        self.notes += [recovered] if recovered else []
        for obstacle in self._in_the_way():
            raise obstacle
        self._before = {name: _value(self._root / name) for name in _SETTINGS}
        self._pipes: list[tuple[int, int]] = []
        memory = {
            "pid": os.getpid(),
            "root": str(self._root),
            "device": str(self.device.trace_folder),
            "before": self._before,
        }
        self._held = _memory().open("a")
        if not _locked(self._held):
            raise _running()
        self._held.write(json.dumps(memory))
        self._held.flush()
        try:
            self._switch_on()
        except BaseException:
            self._switch_off()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the events, read what is left, and put every setting back."""
        try:
            with contextlib.suppress(OSError):
                (self.device.trace_folder / "enable").write_text("0")
            with contextlib.suppress(OSError):
                while self.drain():
                    pass
            self.lost = max(0, self._lost_so_far() - self._lost_before)
        finally:
            self._switch_off()

    def _in_the_way(self) -> Iterator[InputError]:
        """What keeps the tracer from being used."""
        enabled = self.device.trace_folder / "enable"
        if (active := _value(self._root / "current_tracer")) != "nop":
            yield HintedError(
                f"the kernel's tracer `{active}` is active",
                f"{_RETRY}: echo nop > {self._root}/current_tracer",
            )
        if _value(self._root / "events/enable") != "0":
            yield HintedError(
                "trace events are active (perf, trace-cmd, bpftrace)", f"{_RETRY}: {self._root}/events/enable"
            )
        if not enabled.exists():
            yield InputError(
                f"the kernel has no block tracer for `{self.device.name}` (CONFIG_BLK_DEV_IO_TRACE)"
            )
        if _value(enabled) != "0":
            yield HintedError(
                f"`{self.device.name}` is being traced already (blktrace)", f"{_RETRY}: blktrace -k"
            )
        if "blk" not in (self._root / "available_tracers").read_text().split():
            yield InputError("the kernel has no tracer `blk` (CONFIG_BLK_DEV_IO_TRACE)")

    def _switch_on(self) -> None:
        values = ("mono", str(self.buffer_kib), "blk", "1", "0", "1")
        for name, value in zip(_SETTINGS, values, strict=True):
            (self._root / name).write_text(value)
        (self._root / "trace").write_text("")
        cpus = sorted(int(place.name[3:]) for place in (self._root / "per_cpu").glob("cpu*"))
        self._lost_before = self._lost_so_far()
        for cpu in cpus:
            pipe = os.open(self._root / f"per_cpu/cpu{cpu}/trace_pipe", os.O_RDONLY | os.O_NONBLOCK)
            out = os.open(
                self.folder / f"events.blktrace.{cpu}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600
            )
            self._pipes.append((pipe, out))
        try:
            (self.device.trace_folder / "enable").write_text("1")
            (self.device.trace_folder / "act_mask").write_text(_MASK)
        except OSError as error:
            raise HintedError(
                f"cannot trace `{self.device.name}`: {error.strerror}",
                f"{_RETRY} (is blktrace running on it?)",
            ) from None

    def _switch_off(self) -> None:
        for pair in self._pipes:
            for handle in pair:
                os.close(handle)
        self._pipes = []
        _restore(self._root, self.device.trace_folder, self._before)
        _memory().unlink(missing_ok=True)
        self._held.close()

    def drain(self) -> int:
        """Take what the buffers hold, and return how many bytes that was."""
        taken = 0
        for pipe, out in self._pipes:
            with contextlib.suppress(BlockingIOError):
                while data := os.read(pipe, _READ_BYTES):
                    records = _LOST.sub(b"", data)
                    os.write(out, records)
                    taken += len(records)
        self.written_bytes += taken
        return taken

    def _lost_so_far(self) -> int:
        lost = 0
        for place in (self._root / "per_cpu").glob("cpu*/stats"):
            rows = dict(line.split(":", 1) for line in place.read_text().splitlines() if ":" in line)
            lost += sum(int(rows.get(name, 0)) for name in ("overrun", "commit overrun", "dropped events"))
        return lost


def _restore(place: Path, device: Path, before: dict[str, str]) -> None:
    """Put every setting back that can be; one that cannot does not keep the others."""
    with contextlib.suppress(OSError):
        (device / "enable").write_text("0")
    for name in reversed(_SETTINGS):
        with contextlib.suppress(OSError, KeyError):
            if _value(place / name) != before[name]:
                (place / name).write_text(before[name])


def _locked(file: IO[str]) -> bool:
    """Lock the file unless another process has it. A lock ends with its process, whose number another may get."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _running(pid: int | None = None) -> InputError:
    which = f" (process {pid})" if pid else ""
    return HintedError(f"another capture is running{which}", "wait for it to end, or stop it with Ctrl-C")


def recover() -> str | None:
    """Put back what a capture that died left behind, and say so.

    Raises `InputError` while another capture runs.
    """
    memory = _memory()
    try:
        with memory.open() as file:
            running = not _locked(file)
            left = json.loads(file.read())
        pid, place, device = int(left["pid"]), Path(left["root"]), Path(left["device"])
        before = {str(name): str(value) for name, value in left["before"].items()}
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        memory.unlink(missing_ok=True)
        return f"`{memory}` of an earlier capture could not be read and was removed"
    if running:
        raise _running(pid)
    _restore(place, device, before)
    memory.unlink(missing_ok=True)
    return f"an earlier capture (process {pid}) ended without switching its tracer off; that was done now"
