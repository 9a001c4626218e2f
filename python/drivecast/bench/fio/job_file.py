"""The job file: the sections that `exchange.fio` writes, below a head with how it is measured.

Figures are of what completes behind `ramp_time`. Besides the sums of JSON+, two logs are requested, a row a second: the
histogram of completion latencies (how many completed, and their mean), and the longest latency. fio holds a row of the
histogram whole in memory, so both are left out where that would be more than a gigabyte.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivecast.bench.fio.workload import Played
from drivecast.bench.job import Job
from drivecast.document.model import Closed, Open
from drivecast.exchange.fio_export import sections
from drivecast.exchange.losses import Losses

LOG = "log"
"""What the names of logs begin with."""
_USERS = "numjobs="
_ROW_BYTES = 15 << 10
_ROWS_BYTES_MAX = 1 << 30
_LOGS = {
    "log_avg_msec": 1000,
    "log_max_value": 1,
    "write_lat_log": LOG,
    "write_hist_log": LOG,
    "log_hist_msec": 1000,
    "per_job_logs": 1,
}


@dataclass(frozen=True)
class Written:
    """A job file, and the notes on its figures."""

    text: str
    logged: bool
    """Whether there is a row a second."""
    notes: list[str]


def write(job: Job, workload: Played, path: str, knows: Callable[[str], bool]) -> Written:
    """The job file for the target at `path`, for an fio that `knows` these options."""
    losses = Losses()
    # Users with a think time are jobs of their own, and there are as many for each thread.
    jobs = [
        f"{_USERS}{int(line.removeprefix(_USERS)) * workload.threads}" if line.startswith(_USERS) else line
        for line in sections(losses, workload.model)
    ]
    clones = _clones(jobs, workload.threads)
    rows = 2 * clones * (job.runtime_s + 1)
    logged = rows * _ROW_BYTES <= _ROWS_BYTES_MAX and all(map(knows, _LOGS))
    lines = [
        "[global]",
        f"filename={path}",
        f"ioengine={job.engine}",
        f"direct={int(job.direct)}",
        "thread",
        "norandommap",
        # It never makes, extends or removes what it works on.
        *(["allow_file_create=0"] if knows("allow_file_create") else []),
        f"randseed={job.seed + 1}",
        *(["time_based"] if job.bytes_at_most is None else [f"io_size={-(-job.bytes_at_most // clones)}"]),
        f"runtime={round(job.runtime_s * 1000)}ms",
        *([f"ramp_time={round(job.ramp_s * 1000)}ms"] if job.ramp_s else []),
        *([f"fdatasync={job.flush_every}"] if job.flush_every else []),
        *([f"{_USERS}{workload.threads}"] if workload.threads > 1 else []),
        *(["lat_percentiles=1"] if knows("lat_percentiles") else []),
        *(f"{name}={value}" for name, value in _LOGS.items() if logged),
        *jobs,
    ]
    notes = [*workload.notes, *losses.lines, *_notes(job, workload)]
    if not logged:
        size = f"{clones} jobs of {job.runtime_s:g} s"
        notes.append(f"no table of seconds: {size} would take too much of fio's memory")
    return Written("\n".join(lines) + "\n", logged, notes)


def _clones(jobs: Sequence[str], threads: int) -> int:
    """How many jobs run at once."""
    users = [int(line.removeprefix(_USERS)) for line in jobs if line.startswith(_USERS)]
    return sum(users) + threads * (sum(line.startswith("[") for line in jobs) - len(users))


def _notes(job: Job, workload: Played) -> list[str]:
    """Return where fio plays the workload otherwise than described."""
    arrivals = [stream.arrivals for stream in workload.model.streams]
    notes = []
    if any(isinstance(loop, Open) for loop in arrivals):
        notes.append(
            "fio counts a latency from when a request is issued, not from when it was due: "
            "where the target falls behind, the wait is not in it (`bench replay` counts it)"
        )
    if job.engine == "psync" and any(isinstance(loop, Closed) and loop.iodepth > 1 for loop in arrivals):
        notes.append("psync keeps one request outstanding for each thread, whatever the depth")
    return notes
