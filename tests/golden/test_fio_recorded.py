"""A recorded run of fio reads as fio itself summed it up."""

import json

import pytest

from drivecast.bench.fio.aggregate import outcome
from drivecast.bench.fio.histogram import QUANTILES, merged
from drivecast.bench.fio.output import parse
from fio_recorded import LOGS, REPORT


def test_quantiles_are_those_that_fio_prints() -> None:
    compared = 0
    for job in parse(REPORT).jobs:
        for direction in (job.read, job.write):
            told = direction.lat_ns.percentile
            if not direction.lat_ns.count:
                continue
            shares = [float(name) / 100 for name in told]
            # A bin's middle may lie beyond the longest request, which fio prints all the same.
            longest = direction.lat_ns.longest
            assert direction.lat_ns.histogram().at(shares) == [min(value, longest) for value in told.values()]
            compared += len(shares)
    assert compared > 60


def test_jobs_together_are_the_sum_of_jobs() -> None:
    report = parse(REPORT)
    whole = outcome(report, LOGS, name="target", seed=1)
    raw = json.loads(REPORT)["jobs"]
    assert [job["jobname"] for job in raw] == ["a", "b", "b"]
    for op in ("read", "write"):
        latencies = [job[op]["lat_ns"] for job in raw]
        count = sum(latency["N"] for latency in latencies)
        assert whole.stream(op).requests == count
        assert whole.latency(op, "max") == max(latency["max"] for latency in latencies)
        mean = sum(latency["N"] * latency["mean"] for latency in latencies) / count
        assert whole.latency(op, "mean") == pytest.approx(mean)
        assert sum(row["count"] for row in whole.latencies if row["op"] == op) == count
    assert whole.flush.requests == sum(job["sync"]["lat_ns"]["N"] for job in raw)
    assert whole.host_read_bytes == sum(job["read"]["io_bytes"] for job in raw)
    # fio divides by each job's own milliseconds, and counts what was issued.
    assert whole.iops == pytest.approx(
        sum(job[op]["iops"] for job in raw for op in ("read", "write")), rel=0.02
    )


def test_seconds_add_up_to_the_totals() -> None:
    whole = outcome(parse(REPORT), LOGS, name="target", seed=1)
    rows = whole.seconds
    assert [row["second"] for row in rows] == [0, 1, 2]
    # fio paces the two sizes of `b` in bytes of the smaller, so that 40 + 2 × 30 reads asked for are ≈ 64.
    assert [row["reads"] for row in rows] == [67, 64, 59]
    assert [row["writes"] for row in rows] == [22, 20, 18]
    for op, reads, moved, letters in (
        ("read", "reads", "read_bytes", "host_read_bytes"),
        ("write", "writes", "written_bytes", "host_written_bytes"),
    ):
        assert sum(row[reads] for row in rows) == whole.stream(op).requests
        assert sum(row[moved] for row in rows) == getattr(whole, letters)
        assert max(row[f"{op}_latency_ns_max"] for row in rows) == whole.latency(op, "max")
        time_ns = sum(row[reads] * row[f"{op}_latency_ns_mean"] for row in rows)
        assert time_ns / whole.stream(op).requests == pytest.approx(whole.latency(op, "mean"))


def test_the_longest_quantile_told_is_one_in_a_hundred_thousand() -> None:
    whole = merged(job.read.histogram() for job in parse(REPORT).jobs)
    latency = whole.latency()
    told = latency.figures()
    assert list(told) == ["mean", *QUANTILES, "max"]
    assert "q0.99999" in told
    assert told["q0.99999"] <= told["max"] == whole.longest_ns


def test_a_seconds_mean_is_completion_by_its_bins_and_submission_by_the_run() -> None:
    sums = [(42, 42_557_696), (13, 10_406_400), (12, 9_560_960)]  # the first rows of the three histogram logs
    reads = [job["read"] for job in json.loads(REPORT)["jobs"]]
    submission = [job["lat_ns"]["mean"] - job["clat_ns"]["mean"] for job in reads]
    whole = sum(clat + count * slat for (count, clat), slat in zip(sums, submission, strict=True))
    rows = outcome(parse(REPORT), LOGS, name="target", seed=1).seconds
    assert rows[0]["read_latency_ns_mean"] == pytest.approx(whole / 67, rel=1e-9)
    assert min(submission) > 1000
