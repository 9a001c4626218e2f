"""Several logs as one, superposed in time: what an array serves that takes the place of several.

Model. Traces begin together, each at its first request, and count for as long as the shortest of them lasts. Their
addresses lie one log behind the other, as volumes on one array do. Counter logs are laid on one clock, and count for
the time that all of them cover; their steps are as long as the longest interval among them, and the requests of an
interval are spread evenly over it. Logs without times begin together. A request's stream is the number of its log.
Left out: what one workload would do otherwise because another slows it down.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from drivecast.document.profile import CounterLog, Profile, TraceLog
from drivecast.errors import HintedError, InputError
from drivecast.lock import temporary_folder
from drivecast.quantity import number
from drivecast.source.locate import Progress
from drivecast.stage import trace
from drivecast.stage.counter_load import Share

if TYPE_CHECKING:
    import polars as pl

LOGS_MAX = 64
BOUNDARY_BYTES = 1 << 20
"""What the addresses of a log begin at a multiple of."""
AMOUNTS = ("reads", "writes", "read_bytes", "written_bytes")
MERGES = ("reads_merged", "writes_merged")
NEVER = datetime(1970, 1, 1)
"""When logs without dates begin."""
OR_ALONE = "or plan for each alone, without `--together`"
NS_PER_S = 1_000_000_000

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Superposed:
    """Several logs in one file, for as long as the file is there."""

    file: Path
    names: tuple[str, ...]
    logs: tuple[TraceLog | CounterLog, ...]
    notes: tuple[str, ...]
    start: str | None = None
    """When counting begins, where the logs have times."""
    steps: "tuple[pl.DataFrame, ...]" = ()
    """Of counter logs: what each does in each step."""

    def profile(self, peak_window_s: float) -> Profile:
        """The profile of all; its log has the files and notes of all."""
        found = trace.profile([self.file], peak_window_s=peak_window_s)
        digest = hashlib.sha256("\n".join(log.hash for log in self.logs).encode()).hexdigest()
        update = {
            "format": "+".join(dict.fromkeys(log.format for log in self.logs)),
            "files": [file for log in self.logs for file in log.files],
            "hash": digest,
            "notes": list(self.notes),
            **({"start": self.start} if self.start else {}),
        }
        return found.model_copy(update={"log": found.log and found.log.model_copy(update=update)})

    def shares(self, profile: Profile) -> tuple[Share, ...]:
        """What each counter log has of the busiest stretch; nothing of traces, whose requests have streams."""
        import polars as pl  # noqa: PLC0415 (slow to import, and few plans need it)

        window = profile.peak_window
        if window is None:
            return ()
        start_ns, end_ns = (round(at * NS_PER_S) for at in (window.start_s, window.start_s + window.length_s))
        during = (pl.col("time_ns") > start_ns) & (pl.col("time_ns") <= end_ns)
        sums = (steps.filter(during).drop("time_ns").sum() for steps in self.steps)
        return tuple(Share(*each.select(pl.col(*AMOUNTS, f"^({'|'.join(MERGES)})$")).row(0)) for each in sums)


@contextmanager
def superposed(
    logs: Sequence[Path | str], reading: trace.Reading, progress: Progress | None = None
) -> Iterator[Superposed]:
    """The logs as one file.

    Raises `InputError` for logs that were not recorded at one time, and for traces beside counters.
    """
    if not 2 <= len(logs) <= LOGS_MAX:
        raise InputError(f"--together: expected 2 to {LOGS_MAX} logs, found {len(logs)}")
    with temporary_folder("drivecast-together-") as folder:
        files = [folder / f"{at}.parquet" for at in range(len(logs))]
        read = [trace.convert([log], file, reading, progress) for log, file in zip(logs, files, strict=True)]
        yield _joined(files, read, _names(logs), folder / "together.parquet")


def _joined(
    files: Sequence[Path], logs: Sequence[TraceLog | CounterLog], names: Sequence[str], out: Path
) -> Superposed:
    notes = [f"{name}: {note}" for name, log in zip(names, logs, strict=True) for note in log.notes]
    counters = [log for log in logs if isinstance(log, CounterLog)]
    if not counters:
        note = _join_traces(files, [log.duration_ns for log in logs], names, out)
        return Superposed(out, tuple(names), tuple(logs), (note, *notes))
    if len(counters) < len(logs):
        trace_ = next(name for name, log in zip(names, logs, strict=True) if isinstance(log, TraceLog))
        counter = next(name for name, log in zip(names, logs, strict=True) if isinstance(log, CounterLog))
        raise HintedError(
            f"--together: `{trace_}` is a trace and `{counter}` a counter log, which has no requests",
            f"give logs of one kind, {OR_ALONE}",
        )
    starts_ns = _starts_ns(counters, names)
    start_ns, end_ns = _covered(starts_ns, counters, names)
    step_ns = max(log.interval_ns for log in counters)
    edges_ns = np.arange((end_ns - start_ns) // step_ns + 1) * np.float64(step_ns)
    steps = tuple(
        _stepped(file, edges_ns, start_ns - begun_ns) for file, begun_ns in zip(files, starts_ns, strict=True)
    )
    start = None if counters[0].start is None else _time(start_ns)
    _write(_sum(steps, "+".join(names)), counters, start, out)
    together = number.duration(float(edges_ns[-1]) / NS_PER_S)
    note = (
        f"{len(files)} logs are superposed for the {together} that all of them cover"
        f"{f', from {start}' if start else ', as if they had begun together: they have no times'}"
    )
    return Superposed(out, tuple(names), tuple(logs), (note, *notes), start, steps)


def _names(logs: Sequence[Path | str]) -> list[str]:
    """What the logs are called, each name once."""
    names = [trace.log_name([log]) for log in logs]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: at + 1].count(name)})"
        for at, name in enumerate(names)
    ]


def _join_traces(files: Sequence[Path], lengths_ns: Sequence[int], names: Sequence[str], out: Path) -> str:
    """Write the requests of all traces in order of time; what is to be said of it."""
    import polars as pl  # noqa: PLC0415 (slow to import, and few plans need it)

    shortest_ns, base, parts = min(lengths_ns), 0, []
    for stream, file in enumerate(files):
        rows = pl.scan_parquet(file)
        ends = rows.select((pl.col("offset_bytes") + pl.col("size_bytes")).max()).collect().item() or 0
        parts.append(
            rows.filter(pl.col("time_ns") <= shortest_ns).with_columns(
                pl.col("op").cast(pl.String),
                pl.col("offset_bytes") + pl.lit(base, pl.UInt64),
                pl.lit(stream, pl.UInt32).alias("stream"),
            )
        )
        base += -(-ends // BOUNDARY_BYTES) * BOUNDARY_BYTES
    reduce(lambda all_, more: all_.merge_sorted(more, key="time_ns"), parts).sink_parquet(out)
    longer = [name for name, length in zip(names, lengths_ns, strict=True) if length > shortest_ns + NS_PER_S]
    rest = f"; what {', '.join(longer)} did later is left out" if longer else ""
    return f"{len(files)} traces begin together and count for {number.duration(shortest_ns / 1e9)}{rest}"


def _starts_ns(logs: Sequence[CounterLog], names: Sequence[str]) -> list[int]:
    """When the logs begin, on one clock.

    Raises `InputError` where some have dates, or times, and others do not.
    """
    kinds = [
        "no times" if log.start is None else "dates" if "-" in log.start else "times of day alone"
        for log in logs
    ]
    for name, kind in zip(names, kinds, strict=True):
        if kind != kinds[0]:
            raise HintedError(
                f"--together: logs of different clocks: `{names[0]}` has {kinds[0]}, `{name}` has {kind}",
                f"record each with dates (`iostat -t`), {OR_ALONE}",
            )
    day = "" if kinds[0] == "dates" else f"{NEVER:%Y-%m-%d} "
    begun = (datetime.fromisoformat(f"{day}{log.start or '00:00:00'}") for log in logs)
    return [(time - NEVER) // timedelta(seconds=1) * NS_PER_S for time in begun]


def _covered(starts_ns: Sequence[int], logs: Sequence[CounterLog], names: Sequence[str]) -> tuple[int, int]:
    """From when to when all logs run.

    Raises `InputError` where that is less than an interval.
    """
    ends_ns = [begun + log.duration_ns for begun, log in zip(starts_ns, logs, strict=True)]
    start_ns, end_ns = max(starts_ns), min(ends_ns)
    if end_ns - start_ns < max(log.interval_ns for log in logs):
        first, last = names[ends_ns.index(end_ns)], names[starts_ns.index(start_ns)]
        raise HintedError(
            f"--together: the logs do not overlap: `{first}` ends at {_time(end_ns)}, `{last}` begins at "
            f"{_time(start_ns)}",
            f"give logs of one time, {OR_ALONE}",
        )
    return start_ns, end_ns


def _time(since_ns: int) -> str:
    time = NEVER + timedelta(microseconds=since_ns / 1e3)
    return f"{time:%H:%M:%S}" if time - NEVER < timedelta(days=2) else f"{time:%Y-%m-%d %H:%M:%S}"


def _stepped(file: Path, edges_ns: Values, from_ns: int) -> "pl.DataFrame":
    """What a log does in each step; `from_ns` is when the steps begin, from its own start.

    Between the ends of an interval its requests come evenly; where the log pauses there are none.
    """
    import polars as pl  # noqa: PLC0415 (slow to import, and few plans need it)

    rows = pl.read_parquet(file).sort("time_ns")
    ends = rows["time_ns"].to_numpy().astype(float)
    lengths = rows["interval_ns"].to_numpy().astype(float)
    knots = np.maximum.accumulate(np.column_stack([ends - lengths, ends]).ravel())

    def within(values: Values) -> Values:
        total = np.cumsum(values)
        return np.diff(np.interp(edges_ns + from_ns, knots, np.column_stack([total - values, total]).ravel()))

    def column(name: str) -> Values:
        return rows[name].fill_null(0).to_numpy().astype(float)

    found = {name: within(column(name)) for name in AMOUNTS}
    for name in ("flushes", *MERGES):
        if name in rows.columns and rows[name].null_count() == 0:
            found[name] = within(column(name))
    if rows["queue_depth"].null_count() == 0:
        found["queue_depth"] = within(column("queue_depth") * lengths) / np.diff(edges_ns)
    return pl.DataFrame({"time_ns": edges_ns[1:].astype(np.uint64), **found})


def _sum(steps: "Sequence[pl.DataFrame]", disk: str) -> "pl.DataFrame":
    """The counters of all logs as those of one disk; latencies are left out, for each was another disk's."""
    import polars as pl  # noqa: PLC0415 (slow to import, and few plans need it)

    known = [name for name in steps[0].columns if all(name in each.columns for each in steps)]
    amounts = [name for name in known if name != "time_ns"]
    absent: dict[str, type[pl.DataType]] = dict.fromkeys(
        ("flushes", "queue_depth", "utilization", *MERGES), pl.Float64
    )
    absent |= dict.fromkeys(("read_latency_ns", "write_latency_ns"), pl.UInt64)
    total = pl.concat(steps, how="diagonal").group_by("time_ns").agg(pl.col(amounts).sum()).sort("time_ns")
    return total.with_columns(
        (pl.col("time_ns") - pl.col("time_ns").shift(1, fill_value=0)).alias("interval_ns"),
        pl.lit(disk).alias("disk"),
        *(pl.lit(None, kind).alias(name) for name, kind in absent.items() if name not in amounts),
    )


def _write(samples: "pl.DataFrame", logs: Sequence[CounterLog], start: str | None, out: Path) -> None:
    """Write samples as a counter log, with its summary."""
    known = [log.interval_origin for log in logs]
    summary = logs[0].model_copy(
        update={
            "disk": samples["disk"][0],
            "disks": [],
            "rows": len(samples),
            "duration_ns": int(samples["time_ns"][-1]),
            "interval_ns": int(samples["interval_ns"][0]),
            "interval_origin": next((how for how in known if how != "measured"), "measured"),
            "start": start,
            "merged": None,
            "notes": [],
        }
    )
    text = summary.model_dump_json(by_alias=True, exclude_none=True)
    samples.write_parquet(out, metadata={"drivecast.counters": text})
