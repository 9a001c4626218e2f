"""The loads below a buffer pool and of two cache engines are what their descriptions say."""

import polars as pl
import pytest

from drivecast.reproduce.cachelib_engines import PAGE as BUCKET
from drivecast.reproduce.cachelib_engines import REGION_PAGES, Engines
from drivecast.reproduce.scaled import PAGE, BehindPool

GIB = 1 << 30


def test_only_writes_reach_pages_that_the_pool_holds() -> None:
    load = BehindPool(data_bytes=8 * GIB, pool_bytes=GIB / 2, tables=4, read=0.75, requests=20_000)
    rows = pl.DataFrame(load.made(8, seed=3).rows())
    page = rows["offset_bytes"] // PAGE
    pages = GIB // PAGE // 4
    rank = (page % pages) / pages
    is_read = rows["op"].cast(pl.String).str.to_lowercase() == "read"
    assert is_read.mean() == pytest.approx(0.75, abs=0.02)
    assert rank.filter(is_read).min() >= 1 / 16 - 1 / pages
    assert (rank.filter(~is_read) < 0.2).mean() == pytest.approx(0.8, abs=0.03)
    assert (page // pages).n_unique() == 4


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_engines_write_their_shares_in_their_places(share: float) -> None:
    engines = Engines(use=0.25, streams=2, small_bytes=share)
    rows = engines.writes(seed=5)
    small, large = (rows.filter(pl.col("stream") == stream) for stream in (0, 1))
    assert small["size_bytes"].sum() / rows["size_bytes"].sum() == pytest.approx(share, abs=0.001)
    assert small["offset_bytes"].max() < large["offset_bytes"].min()
    steps = large["offset_bytes"].diff().drop_nulls().unique().to_list()
    assert steps == [REGION_PAGES * BUCKET]
    every = rows["stream"].to_numpy().nonzero()[0]
    gaps = every[1:] - every[:-1]
    assert abs(gaps - len(rows) / len(every)).max() < 1
