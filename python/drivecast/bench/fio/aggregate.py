"""fio's figures as the outcome that `drivecast simulate` prints, key by key.

| key | here |
|---|---|
| `latency_ns` | from submission to completion (fio's `lat` = `slat` + `clat`) of all jobs; see `histogram` |
| `duration_s` | the longest of the jobs, behind the ramp |
| `queue_depth_mean` | by Little's law: the sum of all latencies over the duration |
| `littles_law_error` | closed loops only: how far that is from the requested depth; the rest is fio's own time |
| `saturated` | loops at a rate only: less than 1/1.05 of the rate was carried |
| `generated`, `completed`, `in_flight` | fio counts what completed; it waits for the rest at the end |
| `utilization`, `write_amplification`, `device_…`, `scale` | null: the target does not report it |
"""

from collections.abc import Sequence

from drivecast.bench.fio.histogram import Histogram, merged
from drivecast.bench.fio.output import JobReport, Report
from drivecast.bench.fio.series import JobLogs, by_second, table
from drivecast.document.outcome import OPS, LatenciesBySecond, LatencyHistogram, Outcome, Seconds, Stream

SATURATED = 1.05


def outcome(
    report: Report,
    logs: Sequence[JobLogs] | None,
    *,
    name: str,
    seed: int,
    depth: int | None = None,
    requested_iops: float | None = None,
) -> Outcome:
    """The outcome of all jobs together; `logs` in the order of the jobs, or none where none were kept.

    Raises `InputError` for a damaged log.
    """
    jobs = report.jobs
    duration_s = max(getattr(job, op).runtime for job in jobs for op in OPS) / 1000
    found = {op: merged(getattr(job, op).histogram() for job in jobs) for op in OPS}
    flushes = merged(job.sync.lat_ns.histogram() for job in jobs)
    moved = {op: sum(getattr(job, op).io_bytes for job in jobs) for op in OPS}
    requests = sum(side.count for side in found.values())
    outstanding_ns = sum(side.sum_ns for side in (*found.values(), flushes))

    def per_s(amount: float) -> float:
        return amount / duration_s if duration_s > 0 else 0.0

    def of_op(side: Histogram) -> Stream:
        return Stream(requests=side.count, iops=per_s(side.count), latency_ns=side.latency())

    mean = per_s(outstanding_ns / 1e9)
    return Outcome(
        design=name,
        seed=seed,
        requests=requests,
        duration_s=duration_s,
        iops=per_s(requests),
        throughput_bytes_per_s=per_s(sum(moved.values())),
        read=of_op(found["read"]),
        write=of_op(found["write"]),
        flush=of_op(flushes),
        queue_depth_mean=mean,
        saturated=requested_iops is not None and per_s(requests + flushes.count) * SATURATED < requested_iops,
        littles_law_error=abs(mean - depth) / depth if depth else None,
        generated=requests + flushes.count,
        completed=requests + flushes.count,
        host_read_bytes=moved["read"],
        host_written_bytes=moved["write"],
        seconds=Seconds(table(jobs, logs, duration_s) if logs is not None else []),
        latencies=LatencyHistogram([row for op in OPS for row in found[op].rows(op)]),
        latencies_by_second=LatenciesBySecond(by_second(logs) if logs is not None else []),
    )


def by_completion(jobs: Sequence[JobReport]) -> bool:
    """Whether latencies are of completion only, because this fio has no others in bins."""
    sides = [getattr(job, op) for job in jobs for op in OPS]
    return any(not side.lat_ns.bins and side.clat_ns.bins for side in sides)
