"""What is made of points: knees, limits, jitter, commits, settling, each on cases worked out by hand."""

from typing import Any

import pytest

from drivecast.bench.sweep import analysis
from drivecast.bench.sweep.cap import caps, same
from drivecast.bench.sweep.commit import commit
from drivecast.bench.sweep.jitter import jitter
from drivecast.bench.sweep.knee import Step, knee
from drivecast.bench.sweep.settle import settled
from drivecast.document.findings import Level
from drivecast.document.measurement import repeated, rows, whole_seconds
from drivecast.document.outcome import LatencyBucket, LatencyHistogram, Outcome, Seconds
from drivecast.document.result import Point


def outcome(iops: float, latency_ns: float = 1e6, op: str = "read") -> Outcome:
    told = {"mean": latency_ns, "q0.5": latency_ns, "q0.95": 2 * latency_ns, "q0.99": 3 * latency_ns}
    side = {"requests": 100, "iops": iops, "latency_ns": told}
    return Outcome.model_validate(
        {"iops": iops, "throughput_bytes_per_s": iops * 4096, "duration_s": 1.0, op: side}
    )


def point(iops: float, target: str = "a", **settings: Any) -> Point:
    chosen = {"series": "random(4KiB, read=1)", "iodepth": 1, "engine": "io_uring", **settings}
    depth = int(chosen["iodepth"]) * int(chosen.get("threads", 1))
    return Point(
        target=target,
        settings=chosen,
        workload=None,
        started="2026-01-01T00:00:00+00:00",
        outcome=outcome(iops, depth / iops * 1e9),
    )


def test_a_sweep_that_still_gains_has_seen_no_most() -> None:
    at = knee([Step(1, 100), Step(2, 200), Step(4, 395)])
    assert not at.reached
    assert at.depth == pytest.approx(3.95)


def test_a_lone_run_that_was_disturbed_does_not_move_the_knee() -> None:
    quiet = [Step(1, 1000), Step(2, 2000), Step(4, 4000), Step(8, 4000)]
    disturbed = [Step(1, 40), *quiet[1:]]
    assert knee(disturbed) == knee(quiet)


def test_throughput_that_falls_is_told() -> None:
    at = knee([Step(1, 100), Step(2, 150), Step(4, 150), Step(8, 120)])
    assert at.fell
    assert at.reached
    assert at.depth_enough == 2


@pytest.mark.parametrize(
    "steps", [[], [Step(1, 100)], [Step(1, 100), Step(1, 110)], [Step(1, 0), Step(2, 5)]]
)
def test_fewer_than_two_depths_have_no_knee(steps: list[Step]) -> None:
    assert knee(steps) is None


def test_limits_on_requests_and_on_bytes_are_found_apart() -> None:
    kib = 1024
    sizes = [(size * kib, min(3000, 125e6 / (size * kib))) for size in (4, 8, 16, 32, 64, 256, 1024)]
    found = caps(sizes)
    assert found.iops.model_dump() == {
        "per_s": pytest.approx(3000),
        "from_bytes": 4 * kib,
        "to_bytes": 32 * kib,
    }
    assert found.bytes_per_s.model_dump() == {
        "per_s": pytest.approx(125e6),
        "from_bytes": 64 * kib,
        "to_bytes": 1024 * kib,
    }


def test_a_medium_with_a_time_for_each_request_and_byte_has_no_limit() -> None:
    sizes = [(size << 10, 1 / (100e-6 + (size << 10) / 500e6)) for size in (4, 16, 64, 256, 1024)]
    assert caps(sizes).iops is None
    assert caps(sizes).bytes_per_s is None


def test_two_sizes_are_alike_by_chance() -> None:
    assert caps([(4096, 100), (1 << 20, 101)]).iops is None


def test_limits_are_one_within_a_twentieth() -> None:
    first, second, third = (Level(per_s=per_s, from_bytes=1, to_bytes=4) for per_s in (100, 104, 106))
    assert same(first, second)
    assert not same(first, third)
    assert not same(None, first)


def second(at: int, reads: float, longest: float | None = None) -> dict[str, Any]:
    return {"second": at, "reads": reads, "writes": 0, "read_latency_ns_max": longest}


def test_jitter_by_hand() -> None:
    found = jitter([second(0, 100, 5e6), second(1, 100, 9e6), second(2, 40), second(3, 160)])
    assert (found.iops_mean, found.iops_median, found.iops_min, found.stalls) == (100, 100, 40, 1)
    assert found.variation == pytest.approx((2 * 60**2 / 4) ** 0.5 / 100)
    assert found.latency_ns_max == 9e6


def test_the_first_and_last_second_may_be_cut() -> None:
    assert [row["second"] for row in whole_seconds([second(at, 1) for at in range(5)])] == [1, 2, 3]
    assert len(whole_seconds([second(at, 1) for at in range(3)])) == 3
    assert jitter([]) is None
    assert jitter([second(0, 0)]) is None


def test_a_commit_is_a_write_and_a_flush() -> None:
    write = {"requests": 1000, "iops": 500.0, "latency_ns": {"q0.99": 2e6, "q0.999": 3e6, "q0.9999": 4e6}}
    flush = {"requests": 1000, "latency_ns": {"q0.5": 1e6, "q0.99": 5e6, "q0.999": 6e6}}
    found = commit(Outcome.model_validate({"iops": 1, "write": write, "flush": flush}))
    assert found.commit_ns_mean == 2e6
    # One in a thousand writes is slower than 3 ms; flushes slower than 6 ms have the rest of one in a hundred.
    assert found.commit_ns_p99_most == 9e6
    assert commit(Outcome.model_validate({"iops": 1, "read": write})) is None


def test_quantiles_of_both_kinds_together_come_from_the_buckets() -> None:
    table = [("read", 10, 90), ("write", 100, 8), ("write", 1000, 2)]
    buckets: list[LatencyBucket] = [
        {"op": op, "latency_ns": ns, "count": count, "quantile": 0.0} for op, ns, count in table
    ]
    outcome = Outcome(iops=1, latencies=LatencyHistogram(buckets))
    assert outcome.quantile(0.9) == 10
    assert outcome.quantile(0.95) == 100
    assert outcome.quantile(0.99) == 1000
    assert outcome.quantile(0.5, "write") == 100
    assert outcome.quantile(0.5, "flush") is None
    assert Outcome(iops=1).quantile(0.5) is None


def test_repeats_are_one_row_of_medians() -> None:
    found = repeated(rows([point(iops, repeat=at) for at, iops in enumerate((100, 500, 120))]))
    assert [(row.iops, row.repeats) for row in found] == [(120, 3)]


def test_a_knee_says_how_well_the_depth_was_kept() -> None:
    points = [point(100), point(200, iodepth=2), point(200, iodepth=4)]
    starved = points[2].model_copy(update={"outcome": outcome(200, 5e6)})
    row = analysis.of_sweep(
        "depth", [points[0], points[1].model_copy(update={"outcome": outcome(190, 1e7)}), starved]
    )
    assert row.knees[0].depth_kept == pytest.approx(200 * 5e-3 / 4)


def test_targets_are_told_beside_the_first() -> None:
    points = [point(100, "a"), point(300, "b"), point(200, "a", iodepth=2), point(300, "b", iodepth=2)]
    found = analysis.of_sweep("depth", points).ratios
    assert [(row.target, row.over, row.iops_ratio) for row in found] == [
        ("b", "a", 3),
        ("b", "a", 1.5),
    ]


def test_waiting_is_told_at_the_same_number_outstanding() -> None:
    points = [point(100, threads=4, engine="psync"), point(250, iodepth=4), point(90, iodepth=8)]
    found = analysis.of_sweep("sync", points).waits
    assert [(row.depth, row.ratio) for row in found] == [(4, 2.5)]


def long(values: list[float], started: str = "2026-01-01T00:00:00+00:00") -> Point:
    seconds = [second(at, reads) for at, reads in enumerate(values)]
    of_long = outcome(values[0]).model_copy(update={"duration_s": len(values), "seconds": Seconds(seconds)})
    return point(1).model_copy(update={"outcome": of_long, "started": started})


def test_a_run_settles_at_the_end_of_the_first_steady_window() -> None:
    falling = [1000.0 * 0.8**at for at in range(10)]
    found = settled([long([value for value in [*falling, *[100.0] * 20] for _ in range(60)])])
    assert found.stretch_s == 60
    assert found.reached
    # The last stretch that falls tells 134: with four of 100 it spreads by 32 % of the mean.
    assert found.settled_after_s == 15 * 60
    assert found.iops_first == pytest.approx(sum(falling[:5]) / 5)


def test_a_rest_begins_the_warm_up_again() -> None:
    before = long([500.0] * 120)
    after = long([100.0] * 600, "2026-01-01T01:00:00+00:00")
    found = settled([before, after])
    assert found.rested
    assert found.iops_settled == 100
    assert not settled([before, long([500.0] * 600, "2026-01-01T00:02:05+00:00")]).rested
