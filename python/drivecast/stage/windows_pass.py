"""A workload of windows: what is played, and a pass of the whole trace that it represents."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast import _core
from drivecast.errors import HintedError
from drivecast.files import write_whole
from drivecast.lock import temporary_folder
from drivecast.stage import address_map, trace, windows_file, windows_play
from drivecast.stage.windows_excerpt import excerpt
from drivecast.stage.windows_file import Archive

WHOLE_MAX = 4_000_000
"""Requests of a pass above which a part of it brings devices into the state that the windows meet."""
_ALONE = pl.lit(0, pl.UInt32).alias("stream")
"""What a trace has, and windows do not keep."""


def workload(found: Archive) -> _core.Workload:
    """The windows, to be played; after a pass, or a part of one of more than `WHOLE_MAX` requests."""
    weight = windows_play.weights(found.header)
    counts = [weight[number] for number in windows_play.kept(found.header)]
    short = excerpt(found, 0.0, WHOLE_MAX)
    return weighed(found.rows, played(whole(short)), windows_play.parts_ns(found.header), counts)


def weighed(
    rows: pl.DataFrame, whole: _core.Workload, ends: Sequence[int], counts: Sequence[int]
) -> _core.Workload:
    """What is played, with what it represents, the ends of its parts, and how often each window counts."""
    parts = list(zip(ends, (times for count in counts for times in (0, count)), strict=True))
    return _core.Workload.windows(played(rows), whole=whole, parts=parts)


def whole(found: Archive) -> pl.DataFrame:
    """A pass: the windows of the trace in turn, or as its length was changed.

    A window that comes again has the same addresses. Raises `InputError` for more than `PASS_MAX` requests.
    """
    requests = windows_file.requests_by_window(found)[found.turns["window"].to_numpy()].sum()
    if requests > windows_file.PASS_MAX:
        raise HintedError(
            f"a pass of {requests:.0f} requests; expected {windows_file.PASS_MAX} at most",
            "`drivecast model change --length` makes a shorter one",
        )
    rows, turns = trace_again(found), found.turns["window"].to_numpy().astype(np.int64)
    if np.array_equal(turns, np.arange(found.header.windows)):
        return rows
    width = round(found.header.window_s * 1e9)
    begin = np.searchsorted(rows["time_ns"].to_numpy(), np.arange(found.header.windows + 1) * width)
    counts = (begin[1:] - begin[:-1])[turns]
    since = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    picked: pl.DataFrame = rows[np.repeat(begin[turns], counts) + since]
    later = np.repeat((np.arange(len(turns)) - turns) * width, counts)
    time = picked["time_ns"].to_numpy().astype(np.int64) + later
    return picked.with_columns(pl.Series("time_ns", time, dtype=pl.UInt64))


def trace_again(found: Archive) -> pl.DataFrame:
    """The whole trace: the addresses of the map, at the times of the windows that are kept.

    A window that is kept has its own times. Any other has those of one of its cluster: the n-th of its N requests comes
    when the share n/N of the other's have come; at even distances where the other has none.
    """
    header = found.header
    window = round(header.window_s * 1e9)
    rows = address_map.unfold(found.map, header.span_bytes)
    number = rows["window"].to_numpy().astype(np.int64)
    count = np.bincount(number, minlength=header.windows)
    rank = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    times, begin = _times(found)
    place = {number: at for at, number in enumerate(windows_play.kept(header))}
    of = np.array([place[other] for other in _by_turns(found)])[number]
    have = (begin[1:] - begin[:-1])[of]
    even = (2 * rank + 1) * window // (2 * count[number])
    at = begin[of] + rank * have // count[number]
    since = np.where(have > 0, times[np.minimum(at, len(times) - 1)] if len(times) else 0, even)
    time = pl.Series("time_ns", number * window + since, dtype=pl.UInt64)
    return rows.select(time, "op", "offset_bytes", "size_bytes", pl.lit(value=False).alias("fua"))


def _times(found: Archive) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """When requests of the windows that are kept come, in ns from the start of each; where each begins in these."""
    ends = np.array(windows_play.parts_ns(found.header), dtype=np.int64)
    time = found.rows["time_ns"].to_numpy().astype(np.int64)
    part = np.searchsorted(ends, time)
    inside = part % 2 == 1
    part, time = part[inside], time[inside]
    begin = np.searchsorted(part, np.arange(1, len(ends) + 1, 2))
    return time - ends[part - 1] - 1, np.r_[begin, len(time)]


def _by_turns(archive: Archive) -> Sequence[int]:
    """For each window of the trace one that is kept: itself, or those of its cluster by turns."""
    clusters = archive.header.clusters
    turns = [0] * len(clusters)
    found = []
    for number, cluster in enumerate(archive.order["cluster"].to_list()):
        windows = clusters[cluster].windows
        found.append(number if number in windows else windows[turns[cluster] % len(windows)])
        turns[cluster] += 1
    return found


def played(rows: pl.DataFrame) -> _core.Workload:
    """Requests of a trace, to be played."""
    with temporary_folder("drivecast-windows-") as folder:
        path = folder / windows_file.ROWS
        rows.select(*windows_play.REQUEST, _ALONE).write_parquet(path)
        return trace.workload([path], trace.AS_IT_IS)


def as_trace(found: Archive) -> pl.DataFrame:
    """A pass with the columns of a trace."""
    return whole(found).with_columns(_ALONE)


def generate(found: Archive, out: Path) -> tuple[int, float]:
    """Write a pass of the whole trace as Parquet, whole or not at all; how many requests it has, and how long it is.

    Raises `InputError` for a file that cannot be written.
    """
    rows = as_trace(found)
    write_whole(out, windows_file.parquet(rows))
    return len(rows), found.header.duration_s
