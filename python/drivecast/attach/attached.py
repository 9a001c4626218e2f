"""An attached design: made, handed to a block, and taken down whatever happens.

    with attached(AttachOptions("raid10(8 * intel-x25-e-32gb)", catalog)) as disk:
        ...                        # a program uses disk.uri, or disk.mount
    disk.outcome                   # as any other, with `lateness` and `attached`

What is made is a socket (or a FUSE file, a loop device and a mount) in a folder of mode 0700, and with `trace` a file.
A supervisor (`drivecast.supervisor`, `mount`) takes all of it down where this process is killed; the device itself ends
with the process.
"""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivecast import _core, files, lock
from drivecast.assess import outcome_interval
from drivecast.attach import guards, rated_writes
from drivecast.attach.attach_options import FOLDER, NAME, AttachOptions
from drivecast.attach.request_trace import RequestTrace
from drivecast.attach.run_clock import OnEvent, OnSnapshot, RunClock
from drivecast.attach.run_counts import RunCounts, mean_read_ns, on_the_way, reads_of, verdict
from drivecast.attach.timetable import Planned, Timetable
from drivecast.document.attached import (
    KINDS,
    Attachment,
    Carried,
    Event,
    Held,
    Lateness,
    Snapshot,
)
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage.simulate import controller_specs, drive_names, drive_specs
from drivecast.supervisor import supervised
from drivecast.thread import beside

if TYPE_CHECKING:
    from drivecast.attach.mount import Place

DEFAULT_FS = "ext4"
MEMORY_SHARE = 0.75
MEMORY_BYTES_UNKNOWN = 1 << 30


class Disk:
    """A design that serves, and its outcome once it has ended."""

    def __init__(
        self, setting: AttachOptions, device: "_core.Attached", watched: RunClock, socket: Path | None
    ) -> None:
        self._setting, self._device, self._watched = setting, device, watched
        self.socket = socket
        """Of the NBD server; none with another front."""
        self.device: Path | None = None
        """The loop device, with `device` or `mount`."""
        self.mount: Path | None = None
        self.group: Path | None = None
        """The control group that a program on the loop device is to be in (`mount`)."""
        self.transport_ns: int = device.transport_ns
        """What the front takes there and back."""
        self.size_bytes: int = device.size
        self.exit_code: int | None = None
        """Of the command that ran on it, for the outcome."""
        self._guards: Sequence[subprocess.Popen[bytes]] = ()
        self._outcome: Outcome | None = None
        self._run = RunCounts(setting)
        self._reads = (0, 0)
        self._kernel_read_ns: float | None = None

    @property
    def uri(self) -> str | None:
        """What NBD clients take; none with another front."""
        return None if self.socket is None else f"nbd+unix:///?socket={self.socket}"

    @property
    def vhost_user(self) -> Path | None:
        """The socket that a guest's hypervisor takes; none with another front."""
        given = self._setting.vhost_user
        return None if given is None else given.absolute()

    @property
    def outcome(self) -> Outcome:
        """What it did. Raises `HintedError` while it is attached."""
        if self._outcome is None:
            raise HintedError("the design is still attached", "the outcome is there after the block")
        return self._outcome

    @property
    def last(self) -> Snapshot | None:
        """The last second; none in the first."""
        return self._watched.last

    def begin(self) -> None:
        """Let its time begin, where it waits (`AttachOptions.waits`); earlier requests left no trace in its drives."""
        self._device.start(self.transport_ns)
        self._reads = reads_of(self.device)
        self.carried()
        self._watched.begin()

    def carried(self, holds: Held = "data and log") -> Carried:
        """What it did since the last call: for one run of several on it."""
        seen = self._device.snapshot(run=True)
        return self._run.look(seen, self.device, holds)

    def environment(self) -> dict[str, str]:
        """What a command finds in its environment."""
        named = {
            "DRIVECAST_NBD": self.uri,
            "DRIVECAST_VHOST_USER": self.vhost_user,
            "DRIVECAST_DEVICE": self.device,
            "DRIVECAST_MOUNT": self.mount,
        }
        return os.environ | {name: str(value) for name, value in named.items() if value is not None}

    def must_be_guarded(self) -> None:
        """Raise `HintedError` where a supervisor was killed: nothing would take the disk down after us."""
        guards.must_live(self._guards)

    def fail(self, member: int) -> Event:
        """Have a member fail now. Raises `InputError` where there is none of that number."""
        return self._done(Planned(0.0, "fail", member=member))

    def rebuild(self, bytes_per_s: float) -> Event:
        """Rebuild what failed, from now on at this rate."""
        return self._done(Planned(0.0, "rebuild", bytes_per_s=bytes_per_s))

    def slow(self, member: int, factor: float) -> Event:
        """Have a member take so many times as long from now on. Raises as `fail`."""
        return self._done(Planned(0.0, "slow", member=member, factor=factor))

    def cut(self) -> Event:
        """Cut the power: what was not flushed is gone, and the device answers EIO.

        Raises `InputError` where `cut` was not given: what is not flushed must be held apart from the start.
        """
        if not self._setting.may_be_cut:
            raise HintedError(
                "the power of this disk cannot be cut", "attach it with `cut=True`, or `--cut TIME`"
            )
        return self._done(Planned(0.0, "cut"))

    def _done(self, planned: Planned) -> Event:
        Timetable([planned]).within(self._device.members, self._setting.design)
        return self._watched.do(planned)

    def _waited(self) -> None:
        """Note what reads waited for, as the kernel saw it, while the device is there."""
        self._kernel_read_ns = mean_read_ns(self._reads, reads_of(self.device))

    def _end(self, found: dict[str, Any], trace: Path | None) -> None:
        outcome = Outcome.model_validate(found)
        setting = self._setting
        attachment = Attachment(
            front=setting.front,
            size_bytes=self.size_bytes,
            data=setting.data,
            sync=setting.sync or None,
            speed=setting.speed,
            error_rate=setting.error_rate,
            events=list(self._watched.events),
            fault=outcome.partial,
            rated_writes_used=rated_writes.used(outcome, setting),
            refused_full=(self.last.refused_full or None) if self.last else None,
            trace=None if trace is None else str(trace),
            exit_code=self.exit_code,
        )
        names = drive_names(setting.design)
        self._outcome = outcome.model_copy(
            update={
                "design": setting.design,
                "seed": setting.seed,
                "lateness": judged(outcome, setting.speed, self._kernel_read_ns),
                "attached": attachment,
                "workload": None if trace is None else str(trace),
                "latency_known": outcome_interval.known(outcome, names, setting.catalog),
            }
        )


@contextmanager
def attached(
    setting: AttachOptions,
    *,
    on_snapshot: OnSnapshot = lambda _snapshot: None,
    on_event: OnEvent = lambda _event: None,
    wait: "Callable[[Callable[[], _core.Attached]], _core.Attached]" = beside,
) -> Iterator[Disk]:
    """The design as a disk, for as long as the block lasts; after it, its outcome.

    `on_snapshot` takes what it did, once a second, and `on_event` what was done to it, both on another thread.

    Raises `InputError` for what cannot be attached.
    """
    shape = setting.checked()
    with ExitStack() as stack:
        folder = stack.enter_context(lock.temporary_folder(FOLDER))
        trace = _trace(setting, stack)
        front = stack.enter_context(_front(setting, folder))
        device = wait(lambda: _device(setting, folder, front))
        watched = RunClock(
            device,
            setting.timetable,
            trace,
            on_snapshot=on_snapshot,
            on_event=on_event,
            rated_bytes=rated_writes.by_host(shape, setting),
        )
        disk = Disk(setting, device, watched, front.nbd)
        disk._guards = front.guards
        try:
            with _shown(front, disk):
                if not setting.waits:
                    disk.begin()
                yield disk
                disk._waited()
                disk.must_be_guarded()
        finally:
            found = _stopped(device, watched, trace)
        disk._end(found, setting.trace)


def judged(outcome: Outcome, speed: float, kernel_read_ns: float | None = None) -> Lateness | None:
    """The lateness of a run, with what it means for its latencies, which are in time of the design.

    `kernel_read_ns` is the mean wait of a read as the kernel saw it, by the clock.
    """
    if outcome.lateness is None:
        return None
    late = verdict(outcome.lateness, {op: outcome.latency(op, "q0.99") for op in KINDS}, speed)
    return on_the_way(late, outcome.latency("read", "mean"), speed, kernel_read_ns)


def _stopped(device: "_core.Attached", watched: RunClock, trace: RequestTrace | None) -> dict[str, Any]:
    try:
        watched.end()
        if trace is not None:
            trace.add(device.records())
    finally:
        found = device.stop()
    return found


def _trace(setting: AttachOptions, stack: ExitStack) -> RequestTrace | None:
    """The trace that is written, and gets its name when all is over."""
    if setting.trace is None:
        return None
    final, temporary = stack.enter_context(files.held(setting.trace))
    temporary.mkdir()
    trace = RequestTrace(temporary)

    def join() -> None:
        trace.join(whole := temporary / "whole")
        whole.replace(final)

    stack.callback(join)
    return trace


@dataclass(frozen=True)
class _Front:
    """Where the device is to appear."""

    nbd: Path | None = None
    vhost_user: Path | None = None
    fuse: Path | None = None
    place: "Place | None" = None
    guards: "Sequence[subprocess.Popen[bytes]]" = ()
    """Processes without which it would outlive us."""


@contextmanager
def _front(setting: AttachOptions, folder: Path) -> Iterator[_Front]:
    """What is there before the device, and goes with us however we end."""
    if setting.is_local:
        from drivecast.attach.mount import disk_place  # noqa: PLC0415 (it is of Linux)

        with (
            supervised(["sleep", "infinity"], remove=[folder]) as remover,
            disk_place(mount=setting.mount, fs=setting.fs or DEFAULT_FS, again=setting.again) as place,
        ):
            yield _Front(fuse=place.fuse, place=place, guards=[remover, place.supervisor])
        return
    socket = (setting.vhost_user or setting.nbd or folder / NAME).absolute()
    with supervised(["sleep", "infinity"], remove=[folder, socket]) as remover:
        if setting.vhost_user is not None:
            yield _Front(vhost_user=socket, guards=[remover])
        else:
            yield _Front(nbd=socket, guards=[remover])


@contextmanager
def _shown(front: _Front, disk: Disk) -> Iterator[None]:
    """Between the device and programs, besides a socket: a loop device, and a file system on it."""
    if front.place is None:
        yield
        return
    with front.place.device() as made:
        disk.device, disk.mount, disk.group = made.path, made.mount, made.group
        disk.transport_ns = made.transport_ns
        yield


def _device(setting: AttachOptions, folder: Path, front: _Front) -> "_core.Attached":
    path = (setting.file or folder / "data") if setting.data == "file" else None
    return _core.Attached(
        setting.design,
        drive_specs(setting.design, setting.catalog),
        controller_specs(setting.design, setting.catalog),
        size=setting.blocks_bytes,
        state=setting.state,
        fill=setting.fill,
        seed=setting.seed,
        speed=setting.speed,
        data=setting.data,
        memory_max=_memory_bytes(),
        path=path,
        cut=setting.may_be_cut,
        error=setting.error_rate,
        record=setting.trace is not None,
        sync=setting.sync,
        nbd=front.nbd,
        fuse=front.fuse,
        vhost_user=front.vhost_user,
    )


def _memory_bytes() -> int:
    """What data in memory may take: a share of what is free, so that the machine lives; more is a full disk."""
    for line in files.read_text(Path("/proc/meminfo")).splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(MEMORY_SHARE * int(value.split()[0]) * 1024)
    return MEMORY_BYTES_UNKNOWN
