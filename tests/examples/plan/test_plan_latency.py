"""How a plan says what it knows of a design's latency, from trials that are made up: nothing is simulated here."""

from typing import Any, cast

import pytest

from bundled import CATALOG
from drivecast.assess import latency_interval
from drivecast.catalog.latency_error import Op
from drivecast.document.outcome import Latency, LatencyHistogram, Outcome, Stream
from drivecast.plan.latencies import chance, latencies

ERRORS = CATALOG.get("samsung-pm9a3-1.92tb").latency_errors
P99_NS = {"read": 300e3, "write": 20e3}


def limits(read_ns: int, write_ns: int) -> list[tuple[Op, float | None]]:
    return [("read", read_ns), ("write", write_ns)]


def _outcome() -> Outcome:
    streams: dict[str, Any] = {}
    buckets = []
    for op, p99 in P99_NS.items():
        figures = {"q0.5": p99 / 3, "q0.99": p99, "q0.999": 1.4 * p99}
        streams[op] = Stream(requests=100_000, iops=1000.0, latency_ns=Latency.model_validate(figures))
        counts = ((p99 / 3, 60_000), (p99, 39_500), (1.4 * p99, 500))
        buckets += [
            {"op": op, "latency_ns": round(at), "count": count, "quantile": 0.0} for at, count in counts
        ]
    return Outcome(iops=2000.0, latencies=LatencyHistogram(cast("Any", buckets)), **streams)


def test_each_quantile_has_the_interval_of_its_errors() -> None:
    found = latencies([_outcome()], ERRORS)
    for op, p99 in P99_NS.items():
        for name, value in (("p50", p99 / 3), ("p99", p99), ("p999", 1.4 * p99)):
            span = found[cast("Any", op), cast("Any", name)]
            low, high = latency_interval.bounds(ERRORS.of(cast("Any", op), cast("Any", name)), value)
            assert span.value == pytest.approx(value)
            assert span.low == pytest.approx(low)
            assert span.high == pytest.approx(high)


def test_a_limit_within_the_interval_holds_with_a_chance() -> None:
    found = latencies([_outcome()], ERRORS)
    assert chance(found, ERRORS, limits(50_000_000, 50_000_000)) is None, "both intervals lie within"
    reads = latency_interval.chance(ERRORS.of("read", "p99"), 300e3, 400e3)
    writes = latency_interval.chance(ERRORS.of("write", "p99"), 20e3, 1e6)
    assert 0 < reads < 1
    assert 0 < writes < 1
    assert chance(found, ERRORS, limits(400_000, 50_000_000)) == pytest.approx(reads)
    assert chance(found, ERRORS, limits(400_000, 1_000_000)) == pytest.approx(reads * writes)
    assert chance(found, ERRORS, limits(200_000, 50_000_000)) is None, "a limit that is missed has no chance"
    assert chance(found, None, limits(400_000, 1_000_000)) is None, "nothing is known of a disk"
