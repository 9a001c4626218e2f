"""A job run by fio, and its figures as a point."""

import os
import re
import stat
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from drivecast.bench.environment import Watch
from drivecast.bench.fio import job_file, program
from drivecast.bench.fio.aggregate import by_completion, outcome
from drivecast.bench.fio.job_file import Written
from drivecast.bench.fio.output import Report, parse, split
from drivecast.bench.fio.series import JobLogs
from drivecast.bench.fio.workload import played
from drivecast.bench.job import Job
from drivecast.bench.progress import Progress, elapsed
from drivecast.bench.target import Target
from drivecast.document.result import Point
from drivecast.errors import HintedError, InputError
from drivecast.lock import temporary_folder
from drivecast.supervisor import supervised

OVERDUE_S = 120
"""fio waits for what is outstanding; longer than this behind its time, and it is stopped."""
PRESSURE = 0.25
"""Share of the time in which some task waits for a processor, above which it is noted; assumed."""
_TICK_S = 0.2
_WORDS = 8
"""Lines of fio's own words in an error."""


class LostError(HintedError):
    """A target that went away, or a part of it, before or while it was measured."""


def measure(job: Job, target: Target, update: Progress) -> Point:
    """Run `job` on `target`.

    Raises `InputError` where fio is missing or too old, cannot play the job there, or fails.
    """
    fio = program.found(job.engine)
    workload = played(job, target.bytes)
    if workload.writes and not target.may_write:
        raise InputError(f"`{job.workload}` writes, and `{target.name}` may only be read")
    _refuse_lost(target)
    started = datetime.now(UTC)
    with (
        temporary_folder("drivecast-fio-") as folder,
        _reached(target) as path,
        Watch(target.path) as watch,
    ):
        written = job_file.write(job, workload, path, fio.knows)
        (folder / "job.fio").write_text(written.text)
        report = _run(fio.path, job, target, folder, update)
        found = outcome(
            report,
            _logs(folder, len(report.jobs)) if written.logged else None,
            name=target.name,
            seed=job.seed,
            depth=workload.depth,
            requested_iops=workload.requested_iops,
        )
        if not found.completed:
            raise HintedError(
                f"fio completed nothing on `{target.name}` behind the ramp of {job.ramp_s:g} s",
                "a longer run, or a shorter ramp",
            )
        # The ramp moves as much in each second, though nothing counts it.
        whole = 1 + job.ramp_s / found.duration_s if found.duration_s else 1.0
        watch.own(whole * found.host_read_bytes, whole * found.host_written_bytes)
    return Point(
        target=target.name,
        settings=dict(job.settings),
        workload=workload.text,
        workload_hash=workload.hash,
        span_bytes=workload.model.span_bytes,
        started=started.isoformat(timespec="milliseconds"),
        ramp_s=job.ramp_s,
        outcome=found,
        processor=watch.processor,
        noise=watch.noise,
        notes=[*_notes(job, written, report), *disturbed(watch.noise)],
    )


def _refuse_lost(target: Target) -> None:
    """Raise `LostError` where the target is gone, or a file that became smaller."""
    try:
        found = target.path.stat()
    except OSError:
        raise LostError(f"`{target.name}` is gone", "`dmesg` shows whether the device was lost") from None
    if stat.S_ISREG(found.st_mode) and found.st_size < target.bytes:
        raise LostError(
            f"`{target.name}` became smaller: expected {target.bytes} B, found {found.st_size} B",
            "nothing else may work on the file while it is measured",
        )


def _notes(job: Job, written: Written, report: Report) -> list[str]:
    notes = [
        f"measured by {report.version}, {job.engine}, {'direct' if job.direct else 'through the page cache'}"
    ]
    if by_completion(report.jobs):
        notes.append("quantiles are of completion without submission: this fio reports no others")
    return [*notes, *written.notes]


def disturbed(noise: Mapping[str, float]) -> list[str]:
    """What makes a point one of the machine more than of the target.

    fio sleeps between completions: where it must wait for a processor to see them, that is in its latencies.
    """
    waited = noise.get("processor_pressure", 0.0)
    if waited < PRESSURE:
        return []
    return [
        f"some task waited for a processor in {100 * PRESSURE:g} % of the time or more: latencies hold such waits too"
    ]


@contextmanager
def _reached(target: Target) -> Iterator[str]:
    """The path that fio opens.

    A file that is there is named by our own open one: fio cannot take its name away then, as it does with a file that
    turns out too small, and no character of the name means anything to it.
    """
    if target.made or not stat.S_ISREG(target.path.stat().st_mode):
        yield str(target.path).replace(":", "\\:")
        return
    handle = os.open(target.path, os.O_RDONLY)
    try:
        yield f"/proc/{os.getpid()}/fd/{handle}"
    finally:
        os.close(handle)


def _run(fio: str, job: Job, target: Target, folder: Path, update: Progress) -> Report:
    """The report, when fio has run to its end."""
    argv = [fio, "--output-format=json+", "--output=report.json", "--eta=never", "job.fio"]
    with (
        (folder / "words").open("wb") as words,
        supervised(argv, cwd=folder, stdout=words, stderr=words, scratch=[folder]) as process,
    ):
        _wait(process, job, target, update)
        code = process.returncode
        printed = _text(folder / "report.json")
        own, _document = split(printed)
        own = [*_text(folder / "words").splitlines(), *own]
    # Behind the end of a file fio reads nothing, at once and without an error.
    _refuse_lost(target)
    report = None if code else parse(printed)
    if report is None or any(job_.error for job_ in report.jobs):
        raise _failed(job, target, code, own)
    return report


def _wait(process: "subprocess.Popen[bytes]", job: Job, target: Target, update: Progress) -> None:
    """Wait until fio has ended, and report how far it is."""
    tick = elapsed(job.length_s, update)
    overdue_s = time.monotonic() + job.length_s + OVERDUE_S
    while process.poll() is None:
        if time.monotonic() > overdue_s:
            raise HintedError(
                f"fio did not end: `{target.name}` has not answered for {OVERDUE_S} s after the end of the run",
                "`dmesg` shows whether the device is lost",
            )
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TICK_S)
            return
        tick()


def _failed(job: Job, target: Target, code: int, words: Sequence[str]) -> InputError:
    """Why fio failed, in its own last words."""
    last = [line for line in dict.fromkeys(word.strip() for word in words) if line][-_WORDS:]
    text = "\n".join(last)
    reason = re.findall(r"\berror=([^\n,]+)", text)
    head = f"fio failed on `{target.name}`: {reason[-1].strip() if reason else f'exit code {code}'}"
    return HintedError("\n".join([head, *(f"  {line}" for line in last)]), _hint(job, text))


def _hint(job: Job, words: str) -> str:
    """What to do about the faults that are met most."""
    known = {
        "No space left": "free some room, or give another directory",
        "O_DIRECT": "this file system does not pass the page cache by: another directory, or `--buffered`",
        "Input/output error": "the device reports errors: `dmesg` and `drivecast health check` report more",
        "No such file|No such device|file creation disallowed": "the target is gone",
        "Bad option": "this fio does not know an option: a newer one is needed",
        "memory|mlock": "fewer threads or a smaller depth; `ulimit -l` limits locked memory",
    }
    if job.engine == "io_uring":
        refused = "Operation not permitted|Function not implemented|init failed|queue_init"
        known[refused] = (
            "io_uring cannot be used here (a container or kernel that refuses it): `--engine libaio`"
        )
    return next((hint for marks, hint in known.items() if re.search(marks, words)), "")


def _logs(folder: Path, jobs: int) -> list[JobLogs]:
    """The logs of each job, which are numbered from 1; a job that completed nothing has none."""
    prefix = folder / job_file.LOG
    return [
        JobLogs(_text(Path(f"{prefix}_clat_hist.{at}.log")), _text(Path(f"{prefix}_lat.{at}.log")))
        for at in range(1, jobs + 1)
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except FileNotFoundError:
        return ""
