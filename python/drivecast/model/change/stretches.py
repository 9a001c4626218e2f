"""What is played of windows, and the pass that they represent, as requests in time: both are changed alike.

Either is cut into stretches: a window, or what leads into one. A change leaves every request in its stretch, so the
weights of windows hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.document.windows import Cluster, Windows
from drivecast.errors import InputError
from drivecast.stage import windows_file, windows_pass, windows_play
from drivecast.stage.windows_file import Archive

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Timed:
    """Requests in the order of their times."""

    rows: pl.DataFrame
    """As they are played, each with the `window` of the trace that it is of."""
    bounds_ns: Whole
    """Where each stretch begins, and where the last ends."""

    def stretch(self, time_ns: Whole) -> Whole:
        """The number of the stretch at each of these times."""
        found: Whole = np.searchsorted(self.bounds_ns, time_ns, side="right") - 1
        return found


@dataclass(frozen=True)
class Tables:
    """An archive as changes take it."""

    header: Windows
    played: Timed
    whole: Timed

    def each(self, played: pl.DataFrame, whole: pl.DataFrame, **header: object) -> "Tables":
        """The same stretches with other requests."""
        return Tables(
            self.header.model_copy(update=header),
            replace(self.played, rows=played),
            replace(self.whole, rows=whole),
        )


def of(found: Archive) -> Tables:
    """The requests of an archive."""
    header = found.header
    width = round(header.window_s * 1e9)
    rows = windows_pass.trace_again(found)
    every = rows.with_columns((pl.col("time_ns") // width).cast(pl.UInt32).alias("window"))
    whole = Timed(every, np.arange(header.windows + 1, dtype=np.int64) * width)
    return Tables(header, _played(found, width), whole)


def _played(found: Archive, width: int) -> Timed:
    over = windows_play.spans_ns(found.header)
    bounds = np.r_[1, np.array(windows_play.ends_ns(over, width), dtype=np.int64) + 1]
    time = found.rows["time_ns"].to_numpy().astype(np.int64)
    play = np.searchsorted(bounds[::2], time, side="right") - 1
    window = (np.array([begin for begin, _ in over])[play] + time - bounds[::2][play]) // width
    return Timed(found.rows.with_columns(pl.Series("window", window, dtype=pl.UInt32)), bounds)


def archive(found: Archive, changed: Tables, turns: pl.DataFrame, said: str) -> Archive:
    """The archive after a change, with a sentence on it.

    Raises `InputError` where a pass would have more requests than are ever played.
    """
    requests = len(changed.whole.rows)
    if requests > windows_file.PASS_MAX:
        raise InputError(f"a pass of {requests} requests; expected {windows_file.PASS_MAX} at most")
    header = changed.header
    whole = changed.whole.rows
    update = {
        "requests": whole["op"].is_in(["read", "write"]).sum(),
        "clusters": _described(found.order["cluster"], header, whole),
        "changes": [*header.changes, said],
    }
    after = Archive(
        header.model_copy(update=update),
        changed.played.rows.select(*windows_play.REQUEST),
        found.order,
        found.map,
        turns,
    )
    return windows_file.mapped(after, whole)


def _described(order: pl.Series, header: Windows, whole: pl.DataFrame) -> Sequence[Cluster]:
    """The clusters with their figures in these requests; the weights are as they were."""
    of_op = pl.col("op")
    data = whole.filter(of_op.is_in(["read", "write"]))
    figures = data.group_by("window").agg(
        requests=pl.len(), reads=(of_op == "read").sum(), bytes=pl.col("size_bytes").cast(pl.Int64).sum()
    )
    every = pl.DataFrame({"window": pl.Series(range(len(order)), dtype=pl.UInt32), "cluster": order})
    sums = (
        every.join(figures, on="window", how="left")
        .group_by("cluster")
        .agg(pl.len(), pl.col("requests", "reads", "bytes").sum())
    )
    known = {row["cluster"]: row for row in sums.iter_rows(named=True)}
    found = []
    for number, cluster in enumerate(header.clusters):
        row = known.get(number)
        if row is None:
            found.append(cluster)
            continue
        length_s = row["len"] * header.window_s
        update = {
            "iops": row["requests"] / length_s,
            "bytes_per_s": row["bytes"] / length_s,
            "read_fraction": row["reads"] / row["requests"] if row["requests"] else 0.0,
        }
        found.append(cluster.model_copy(update=update))
    return found
