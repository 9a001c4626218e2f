"""Archives of windows made by hand: of few requests, and without a fit."""

from collections.abc import Sequence

import polars as pl

from drivecast.document.windows import Cluster, Windows
from drivecast.stage import address_map, windows_file, windows_play
from drivecast.stage.windows_file import Archive

WINDOWS, WIDTH_NS = 10, 1_000_000
SPAN_BYTES = 1 << 30
KEPT = (3, 8)
"""Windows that are played, of the first seven and of the last three."""
Request = tuple[int, str, int, int]
"""Time in ns, operation, offset and size."""

STEADY: Sequence[Request] = [
    (at * WIDTH_NS // 10, ("read", "write")[at % 2], at * 8192, 4096) for at in range(100)
]
"""Ten requests in each window, by turns."""


def trace(requests: Sequence[Request]) -> pl.DataFrame:
    """Requests as an archive has them."""
    time, op, offset, size = zip(*requests, strict=True)
    return pl.DataFrame(
        {
            "time_ns": pl.Series(time, dtype=pl.UInt64),
            "op": pl.Series(op, dtype=pl.String),
            "offset_bytes": pl.Series(offset, dtype=pl.UInt64),
            "size_bytes": pl.Series(size, dtype=pl.UInt32),
            "fua": [False] * len(time),
        }
    )


def archive(requests: Sequence[Request] = STEADY) -> Archive:
    """Two clusters, of each of which one window is kept."""
    header = Windows(
        name="made",
        trace_hash="",
        requests=len(requests),
        duration_s=WINDOWS * WIDTH_NS / 1e9,
        span_bytes=SPAN_BYTES,
        window_s=WIDTH_NS / 1e9,
        windows=WINDOWS,
        map_rate=1,
        error=0.1,
        estimates=[],
        remarks=[],
        clusters=[_cluster("busy 1", 7.0, KEPT[0], 0.001), _cluster("quiet 1", 3.0, KEPT[1], 0.001)],
    )
    rows = trace(requests)
    table, _rate = address_map.sample(rows, WIDTH_NS)
    order = pl.DataFrame({"cluster": pl.Series([0] * 7 + [1] * 3, dtype=pl.UInt16)})
    turns = pl.DataFrame({"window": pl.Series(range(WINDOWS), dtype=pl.UInt32)})
    played = windows_play.play(rows, windows_play.spans_ns(header))
    return windows_file.Archive(header, played, order, table, turns)


def _cluster(name: str, weight: float, window: int, lead_s: float) -> Cluster:
    return Cluster(
        name=name,
        weight=weight,
        windows=[window],
        leads_s=[lead_s],
        iops=1000.0,
        bytes_per_s=4096e3,
        read_fraction=0.5,
    )
