"""A recording: counters every interval, block events all the time, until the time is over or a stop is requested."""

import contextlib
import resource
import signal
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from drivecast.capture.block_device import Device
from drivecast.capture.scope import Cgroup, Process
from drivecast.capture.tracefs import Tracer
from drivecast.document.profile import TraceLog
from drivecast.document.recording import RecordedCounters, RecordedTrace, Recording, Tally
from drivecast.errors import InputError
from drivecast.lock import temporary_folder
from drivecast.stage import trace
from drivecast.thread import heard

_STATISTICS = Path("/proc/diskstats")
_DRAIN_S = 0.02
"""Rest between two looks at the buffers: 8 MiB a CPU hold ≈ 100,000 events, more than any disk makes in that time."""
_RECORD = struct.Struct("=II Q Q I I I I I H H")
_COMPLETE = 8
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Plan:
    """What is to be recorded."""

    device: Device
    seconds: float
    interval_s: float
    out: Path
    trace: bool = False
    scope: Process | Cgroup | None = None
    buffer_kib: int = 8192

    @property
    def counters_out(self) -> Path:
        """Where the counter log goes: `out`, or next to it where that is the trace."""
        return self.out.with_name(f"{self.out.stem}-counters.parquet") if self.trace else self.out

    def steps(self) -> list[str]:
        """Return what will be done, in words."""
        whole = f"{self.seconds:g} s" if self.seconds else "until Ctrl-C"
        source = self.scope.folder if isinstance(self.scope, Cgroup) else _STATISTICS
        found = [f"read {source} for {self.device.name} every {self.interval_s:g} s, {whole}"]
        if self.trace:
            found += [
                f"switch on the kernel's `blk` tracer for {self.device.name}, {self.buffer_kib} KiB a CPU",
                "read the block events of each CPU; switch the tracer off and put its settings back",
                f"write the requests to {self.out}",
            ]
        if self.scope is not None and self.trace:
            found.append(f"drop the requests of other threads than those of {_whose(self.scope)}")
        return [*found, f"write the counters to {self.counters_out}"]


def _whose(scope: Process | Cgroup) -> str:
    return f"process {scope.pid}" if isinstance(scope, Process) else f"control group {scope.folder}"


def record(plan: Plan, progress: Callable[[float, str], None]) -> Recording:
    """Record, write the Parquet files whole, and return what was recorded.

    Raises `InputError` where the tracer cannot be used, or nothing was recorded.
    """
    stop = threading.Event()
    with (
        temporary_folder(".drivecast-capture-", plan.out.parent) as folder,
        heard(lambda _number, _frame: stop.set(), *_STOPPING),
    ):
        tracer = Tracer(plan.device, plan.buffer_kib, folder) if plan.trace else None
        woken = plan.scope.wake(plan.device.number) if isinstance(plan.scope, Cgroup) else None
        used_s = _cpu_s()
        with tracer or contextlib.nullcontext(), (folder / "counters.txt").open("w", buffering=1) as samples:
            lasted_s = _watch(plan, tracer, samples.write, stop, progress)
        used_s = _cpu_s() - used_s
        notes = [*([woken] if woken else []), *(tracer.notes if tracer else [])]
        requests = _requests(plan, folder, tracer.lost, notes) if tracer is not None else None
        return Recording(
            device=plan.device.name,
            seconds=lasted_s,
            interrupted=stop.is_set(),
            cpu_s=used_s,
            cpu_fraction=used_s / lasted_s if lasted_s > 0 else 0.0,
            counters=_counters(plan, folder / "counters.txt", notes),
            notes=notes,
            trace=requests,
        )


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _snapshot(plan: Plan) -> str:
    if isinstance(plan.scope, Cgroup):
        rows = plan.scope.totals(plan.device.number)
    else:
        major, minor = plan.device.number.split(":")
        lines = _STATISTICS.read_text().splitlines()
        rows = "".join(f"{line}\n" for line in lines if line.split()[:2] == [major, minor])
    if plan.scope is not None:
        plan.scope.look()
    return f"{time.time():.6f}\n{rows}"


def _watch(
    plan: Plan,
    tracer: Tracer | None,
    write: Callable[[str], object],
    stop: threading.Event,
    progress: Callable[[float, str], None],
) -> float:
    """Take snapshots and events until the time is over; how long that was, in seconds."""
    write(_snapshot(plan))
    began = time.monotonic()
    due, end = began + plan.interval_s, began + plan.seconds if plan.seconds else float("inf")
    while not stop.is_set() and (now := time.monotonic()) < end:
        if tracer is not None:
            tracer.drain()
        if now >= due:
            write(_snapshot(plan))
            due += plan.interval_s * max(1, int((now - due) / plan.interval_s) + 1)
            taken = f"{tracer.written_bytes / 2**20:.1f} MiB of events" if tracer else ""
            progress(min(1.0, (now - began) / plan.seconds) if plan.seconds else 0.0, taken)
        nap = min(due, end) - time.monotonic()
        time.sleep(max(0.0, min(nap, _DRAIN_S) if tracer is not None else min(nap, 0.2)))
    write(_snapshot(plan))
    return time.monotonic() - began


def _counters(plan: Plan, samples: Path, notes: list[str]) -> RecordedCounters:
    name = plan.device.number if isinstance(plan.scope, Cgroup) else plan.device.name
    summary = trace.convert([samples], plan.counters_out, trace.Reading(disk=name))
    notes += summary.notes
    profile = trace.profile([plan.counters_out])
    return RecordedCounters.model_validate(
        {**dict(profile), "path": str(plan.counters_out), "rows": summary.rows}
    )


def _requests(plan: Plan, folder: Path, lost: int, notes: list[str]) -> RecordedTrace:
    event: trace.Event | None = None
    if plan.scope is not None:
        event = "Q"
        notes.append(
            f"requests of {len(plan.scope.threads)} threads of {_whose(plan.scope)}, as submitted to the block "
            "layer; what the page cache writes later belongs to the kernel"
        )
        for file in folder.glob("events.blktrace.*"):
            file.write_bytes(of_threads(file.read_bytes(), plan.scope.threads))
    files = sorted(folder.glob("events.blktrace.*"))
    if lost:
        notes.append(f"{lost} events were lost: the trace lacks requests; a larger `--buffer` loses fewer")
    if not any(file.stat().st_size for file in files):
        notes.append(f"there was no request on {plan.device.name}: no trace was written")
        return RecordedTrace(lost=lost)
    try:
        summary = trace.convert(files, plan.out, trace.Reading(event=event, whole_set=True))
    except InputError as error:
        raise InputError(f"the events could not be read: {error}") from None
    if not isinstance(summary, TraceLog):
        raise TypeError("block events are a trace")
    notes += summary.notes
    return RecordedTrace(
        path=str(plan.out),
        rows=summary.rows,
        lost=lost,
        event=summary.event,
        tallies={tally.event: Tally.model_validate(dict(tally)) for tally in summary.tallies},
    )


def of_threads(events: bytes, threads: set[int]) -> bytes:
    """Return the records of these threads, and all completions.

    A completion is recorded by whoever ran when it came; the reader finds the request it belongs to.
    """
    records = bytearray()
    at = 0
    while at + _RECORD.size <= len(events):
        fields = _RECORD.unpack_from(events, at)
        end = at + _RECORD.size + fields[10]
        if fields[5] & 0xFF == _COMPLETE or fields[6] in threads:
            records += events[at:end]
        at = end
    return bytes(records)
