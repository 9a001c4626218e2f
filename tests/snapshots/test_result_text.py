"""All the words of a measured result in the terminal.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

from agreed import agreed
from drivecast.bench.fio.aggregate import outcome
from drivecast.bench.fio.output import parse
from drivecast.bench.run import findings
from drivecast.document.findings import Findings
from drivecast.document.result import Point, Result, Transactions
from drivecast.present.measured import repeats
from fio_recorded import LOGS, REPORT

DISK = {"name": "nvme0n1", "model": "Model 9", "firmware": "1.0"}


def result() -> Result:
    found = outcome(parse(REPORT), LOGS, name="t", seed=0)
    slower = found.model_copy(update={"iops": found.iops / 2})
    points = [
        Point(
            target=target,
            settings={"series": "random(4KiB)", "iodepth": depth, "threads": 1, "repeat": repeat},
            workload=f"random(4KiB, iodepth={depth})",
            started="2026-01-02T03:04:05.678+00:00",
            outcome=slower if repeat and depth == 8 else found,
            notes=["measured by fio-3.33, io_uring, direct", "a note " * 20],
        )
        for repeat in (0, 1)
        for depth in (1, 8)
        for target in ("/mnt/a", "/mnt/b\x1b[31m")
    ]
    return Result(
        kind="run",
        title="random(4KiB), 2 × 3 s after 1 s of ramp, io_uring",
        version="0.1.0",
        seed=0,
        plan_hash="0",
        command=[],
        started="2026-01-02T03:04:05+00:00",
        partial="interrupted after 7 of 8 points",
        environment={"kernel": "6.1", "processor": "Processor X", "processors": 8, "fio": "fio-3.33"},
        targets=[
            {
                "name": "/mnt/a",
                "bytes": 1 << 30,
                "made": True,
                "mount": {"file_system": "ext4"},
                "disks": [DISK],
            },
            {"name": "/mnt/b", "bytes": 1 << 30, "made": True},
        ],
        points=points[:-1],
        findings=findings(points[:-1]),
    )


def database() -> Result:
    of = Transactions(per_s=123.4, errors=1, latency_ns={"mean": 8e6, "q0.95": 2e7}, seconds=[])
    single = Point(target="/a", settings={"buffer": "13GiB"}, workload=None, started="", transactions=of)
    two = single.model_copy(update={"settings": {"buffer": "25GiB"}})
    return result().model_copy(
        update={
            "complete": True,
            "points": [single, two],
            "findings": Findings(),
            "targets": [],
            "environment": {},
        }
    )


def test_the_words_are_the_ones_agreed_on() -> None:
    agreed("result-text.txt", f"{repeats.text(result())}\n\n{repeats.text(database())}\n")


def test_a_row_for_each_point_and_kind_of_request() -> None:
    rows = repeats.rows(result())
    assert len(rows) == 7 * 3
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert [row["op"] for row in rows[:3]] == ["read", "write", "flush"]
    assert [row["iops"] for row in repeats.rows(database())] == [123.4, 123.4]
