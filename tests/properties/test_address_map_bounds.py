"""A map of addresses: all of a trace where it is small, and what it keeps of one where it is a sample."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast.stage import address_map

CHUNK = address_map.CHUNK_BYTES
WINDOW_NS = 100

REQUEST = st.tuples(
    st.integers(0, 40),
    st.sampled_from(["read", "write", "flush"]),
    st.integers(0, 64 * CHUNK - 1),
    st.integers(1, 2 * CHUNK),
)


def _rows(requests: list[tuple[int, str, int, int]]) -> pl.DataFrame:
    columns = {"gap": pl.UInt64, "op": pl.String, "offset_bytes": pl.UInt64, "size_bytes": pl.UInt32}
    rows = pl.DataFrame(requests, schema=columns, orient="row")
    none = pl.col("op") == "flush"
    return rows.with_columns(
        pl.col("gap").cum_sum().alias("time_ns"),
        pl.when(none).then(0).otherwise(pl.col("offset_bytes")).alias("offset_bytes"),
        pl.when(none).then(0).otherwise(pl.col("size_bytes")).cast(pl.UInt32).alias("size_bytes"),
    )


@given(st.lists(REQUEST, min_size=1, max_size=60))
def test_a_map_of_all_is_the_trace(requests: list[tuple[int, str, int, int]]) -> None:
    rows = _rows(requests)
    table, rate = address_map.sample(rows, WINDOW_NS)
    assert rate == 1
    unfolded = address_map.unfold(table, 66 * CHUNK)
    columns = ("op", "offset_bytes", "size_bytes")
    assert unfolded.select(columns).equals(rows.select(columns))
    assert unfolded["window"].cast(pl.UInt64).equals(rows["time_ns"] // WINDOW_NS)


@given(st.lists(REQUEST, min_size=20, max_size=60), st.integers(4, 15))
def test_a_sample_is_small_and_lies_within_the_span(
    requests: list[tuple[int, str, int, int]], rows_max: int
) -> None:
    rows, span = _rows(requests), 66 * CHUNK
    table, rate = address_map.sample(rows, WINDOW_NS, rows_max)
    assert set(table["copies"].to_list()) <= {1, rate}
    unfolded = address_map.unfold(table, span)
    assert len(unfolded) == (table["copies"] * table["again"]).sum()
    assert unfolded.is_empty() or (unfolded["offset_bytes"] + unfolded["size_bytes"]).max() <= span  # type: ignore[operator]
    assert unfolded["window"].is_sorted()
    parts = unfolded.group_by("op", "size_bytes").len()
    kept = table.group_by("op", "size_bytes").agg((pl.col("copies") * pl.col("again")).sum().alias("len"))
    assert parts.sort("op", "size_bytes")["len"].to_list() == kept.sort("op", "size_bytes")["len"].to_list()


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32))
def test_a_sample_keeps_footprint_and_reuse(seed: int) -> None:
    """Of blocks drawn by Zipf's law over 4,000 chunks: requests, pages and how long ago, in a tenth of the rows."""
    rng = np.random.default_rng(seed)
    chunk = np.minimum(rng.zipf(1.2, 200_000) - 1, 3_999)
    page = chunk * 16 + rng.integers(0, 16, len(chunk))
    rows = pl.DataFrame(
        {
            "time_ns": np.arange(len(page), dtype=np.uint64),
            "op": np.where(rng.random(len(page)) < 0.3, "write", "read"),
            "offset_bytes": (page * 4096).astype(np.uint64),
            "size_bytes": np.full(len(page), 4096, dtype=np.uint32),
        }
    )
    table, rate = address_map.sample(rows, WINDOW_NS, 60_000)
    assert rate > 1
    assert table["again"].max() > 1
    assert len(table) < 65_000
    unfolded = address_map.unfold(table, 4_000 * CHUNK)
    assert abs(len(unfolded) / len(rows) - 1) < 0.1
    assert abs(unfolded["offset_bytes"].n_unique() / rows["offset_bytes"].n_unique() - 1) < 0.15
    writes = [(each["op"] == "write").sum() / len(each) for each in (rows, unfolded)]
    assert abs(writes[0] - writes[1]) < 0.02

    def again(of: pl.DataFrame) -> float:
        turn = pl.int_range(pl.len())
        since = of.select((turn - turn.shift(1).over("offset_bytes")).alias("since"))["since"].drop_nulls()
        return float(since.cast(pl.Float64).log(10).mean())  # type: ignore[arg-type]

    assert abs(again(rows) - again(unfolded)) < 0.1, "decades of requests between two of one page"
