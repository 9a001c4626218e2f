"""A result of a database as it would be measured on two targets, made up: figures from formulas, noise from a seed."""

import random

from drivecast.document.result import Point, Processor, Result, Transactions

TARGETS = {"/mnt/a": 1.0, "/mnt/b, log on /mnt/a": 1.9}
BUFFERS_GIB = (13, 25, 50, 75, 100, 125)


def made(targets: int = 2, flushes: tuple[int, ...] = (1, 2), repeats: int = 3, seconds: int = 60) -> Result:
    """Two targets, six buffers, two ways to flush, three repeats, or less of it."""
    noise = random.Random(1)
    points = [
        _point(target, buffer, flush, repeat, seconds, noise)
        for target in list(TARGETS)[:targets]
        for repeat in range(1, repeats + 1)
        for buffer in BUFFERS_GIB
        for flush in flushes
    ]
    return Result(
        kind="database",
        title="sysbench oltp_read_write on MariaDB",
        version="0.1.0",
        seed=0,
        plan_hash="0" * 32,
        command=["bench", "database", "sysbench"],
        started="2026-11-21T12:00:00+00:00",
        ended="2026-11-21T18:00:00+00:00",
        complete=True,
        environment={"programs": {"mariadb": "mariadbd  Ver 10.11.19-MariaDB"}},
        targets=[{"name": name, "bytes": 10**12, "made": True} for name in list(TARGETS)[:targets]],
        points=points,
    )


def _point(
    target: str, buffer_gib: int, flush: int, repeat: int, seconds: int, noise: random.Random
) -> Point:
    mean = TARGETS[target] * (60 + 2 * buffer_gib) * (1.4 if flush == 2 else 1.0)
    rows = [
        {
            "second": float(second),
            "per_s": mean * (1 - 0.5 * 2 ** (-second / (seconds / 8))) * noise.gauss(1, 0.05),
            "latency_ns_q0.95": 6.4e10 / mean,
        }
        for second in range(1, seconds + 1)
    ]
    return Point(
        target=target,
        settings={
            "server": "mariadb",
            "load": "oltp_read_write",
            "buffer_bytes": buffer_gib << 30,
            "flush_at_commit": flush,
            "doublewrite": True,
            "threads": 32,
            "repeat": repeat,
        },
        workload=None,
        span_bytes=250 * 10**9,
        started="2026-11-21T12:00:00+00:00",
        ramp_s=120,
        transactions=Transactions(
            per_s=mean * noise.gauss(1, 0.03),
            latency_ns={
                "mean": 3.2e10 / mean,
                "q0.5": 3e10 / mean,
                "q0.95": 6.4e10 / mean,
                "q0.99": 9e10 / mean,
            },
            seconds=rows,
        ),
        processor=Processor(user=0.3, system=0.1, iowait=0.4, steal=0.0),
        devices={
            "sda": {
                "reads_per_s": 30 * mean / buffer_gib,
                "read_bytes_per_s": 30 * 16384 * mean / buffer_gib,
                "writes_per_s": 4 * mean,
                "written_bytes_per_s": 4 * 16384 * mean,
                "flushes_per_s": mean,
                "queue_depth_mean": 8.0,
                "busy": 0.97,
            }
        },
    )
