"""Bounds that hold whatever was measured."""

import math

from hypothesis import given
from hypothesis import strategies as st

from drivecast.bench.sweep.cap import SAME, caps
from drivecast.bench.sweep.commit import commit
from drivecast.bench.sweep.knee import ENOUGH, Step, bounds, knee
from drivecast.document.outcome import Outcome

RATES = st.floats(1e-3, 1e9)
LATENCIES = st.integers(1, 10**9)


@given(st.lists(st.tuples(st.integers(1, 65536), RATES), min_size=2, max_size=12))
def test_no_depth_carries_more_than_the_bounds_of_its_sweep(rows: list[tuple[int, float]]) -> None:
    found = knee([Step(*row) for row in rows])
    if found is None:
        assert len({depth for depth, _ in rows}) < 2
        return
    assert all(iops <= bounds(found, depth) * (1 + 1e-9) for depth, iops in rows)
    assert any(depth == found.depth_enough and iops >= ENOUGH * found.iops_max for depth, iops in rows)
    # The bounds meet where both are the most.
    assert math.isclose(found.depth / (found.round_ns / 1e9), found.iops_max, rel_tol=1e-9)


@given(st.lists(st.tuples(st.integers(1, 1 << 30), RATES), max_size=12, unique_by=lambda row: row[0]))
def test_a_limit_is_a_rate_of_all_its_sizes(rows: list[tuple[int, float]]) -> None:
    found = caps(rows)
    for level, is_bytes in ((found.iops, False), (found.bytes_per_s, True)):
        if level is not None:
            within = [row for row in rows if level.from_bytes <= row[0] <= level.to_bytes]
            rates = [size * iops if is_bytes else iops for size, iops in within]
            assert len(rates) >= 3
            assert max(rates) <= min(rates) * (1 + SAME) * (1 + 1e-12)
            assert min(rates) * (1 - 1e-12) <= level.per_s <= max(rates) * (1 + 1e-12)


@given(st.lists(st.tuples(LATENCIES, LATENCIES), min_size=1, max_size=400))
def test_the_bound_on_commits_holds_however_writes_and_flushes_hang_together(
    pairs: list[tuple[int, int]],
) -> None:
    rows = [("write", write, 1) for write, _ in pairs] + [("flush", flush, 1) for _, flush in pairs]
    table = [{"op": op, "latency_ns": ns, "count": count, "quantile": 1.0} for op, ns, count in rows]
    found = commit(Outcome.model_validate({"iops": 1.0, "write": {"iops": 1.0}, "latencies": table}))
    assert found.commit_ns_p99_most is not None
    slower = sum(write + flush > found.commit_ns_p99_most for write, flush in pairs)
    assert slower <= 0.01 * len(pairs)
