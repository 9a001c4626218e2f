"""Windows of a trace: in slices they are the same, and nothing is counted twice or left out."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast.serve import trace_windows

ROWS = 500
SECONDS = 2.0


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> trace_windows.Table:
    """Requests in bursts, in any order, some at the same time, two without an address."""
    draw = np.random.default_rng(1)
    time_ns = (draw.random(ROWS) ** 3 * SECONDS * 1e9).astype(np.uint64)
    sizes = draw.integers(1, 9, ROWS) * 4096
    sizes[:2] = 0
    columns = {
        "time_ns": time_ns,
        "op": pl.Series(draw.choice(["read", "write", "flush"], ROWS)).cast(pl.Categorical),
        "offset_bytes": draw.integers(0, 1 << 20, ROWS).astype(np.uint64) * 4096,
        "size_bytes": sizes.astype(np.uint32),
        "latency_ns": draw.integers(50_000, 10**8, ROWS).astype(np.uint64),
    }
    path = tmp_path_factory.mktemp("windows") / "requests.parquet"
    pl.DataFrame(columns).write_parquet(path, row_group_size=64)
    return trace_windows.table(path)


WINDOWS = st.tuples(st.floats(0, 1.5), st.floats(0.001, 0.5)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def everything(table: trace_windows.Table, window: tuple[float, float], bins: int) -> list[str]:
    """All that is known of a window."""
    trace_windows.forgotten()
    return [
        trace_windows.series(table, "trace", *window, bins).model_dump_json(),
        trace_windows.heat_map(table, "trace", window, (None, None), (bins, 7), None).model_dump_json(),
        trace_windows.latencies(table, "trace", *window, "read").model_dump_json(),
    ]


@settings(max_examples=20)
@given(WINDOWS, st.integers(1, 300), st.integers(1, 50))
def test_slices_change_nothing(
    table: trace_windows.Table, window: tuple[float, float], bins: int, slice_rows: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace_windows, "SLICE_ROWS", 10**9)
        whole = everything(table, window, bins)
        patch.setattr(trace_windows, "SLICE_ROWS", slice_rows)
        assert everything(table, window, bins) == whole


@given(WINDOWS, st.integers(1, 300))
def test_each_request_counts_once(table: trace_windows.Table, window: tuple[float, float], bins: int) -> None:
    trace_windows.forgotten()
    rows = pl.read_parquet(table[0]).with_columns(pl.col("op").cast(pl.String))
    begin, until = (round(second * 1e9) for second in window)
    within = rows.filter(pl.col("time_ns") >= begin, pl.col("time_ns") < until)
    found = trace_windows.series(table, "trace", *window, bins)
    for name, op in (("reads", "read"), ("writes", "write")):
        counted = sum(getattr(found, f"{name}_per_s")) * found.step_s
        assert counted == pytest.approx(within.filter(op=op).height)
    read_bytes = within.filter(op="read")["size_bytes"].sum()
    assert sum(found.read_bytes_per_s) * found.step_s == pytest.approx(read_bytes)
    heat = trace_windows.heat_map(table, "trace", window, (None, None), (bins, 7), None)
    assert sum(map(sum, heat.counts)) == within.filter(pl.col("size_bytes") > 0).height
    assert trace_windows.latencies(table, "trace", *window, None).requests == within.height
