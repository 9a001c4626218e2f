"""Logs and traces in: profiles, workloads and Parquet out. Thin over `_core`.

A path may also be `-` for standard input, or a URL: see `drivecast.source.locate`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from pydantic import ValidationError

from drivecast import _core
from drivecast.document.plan_options import LogOptions
from drivecast.document.profile import CounterLog, Profile, TraceLog, summary_of
from drivecast.errors import HintedError
from drivecast.files import written
from drivecast.source import prometheus
from drivecast.source.locate import STANDARD_INPUT, Progress, is_url, located
from drivecast.timing import timed

if TYPE_CHECKING:
    import polars as pl

Event = Literal["Q", "D"]

_ENDINGS = (
    *(".gz", ".xz", ".zst", ".lz4", ".bz2", ".tar"),
    *(".parquet", ".blktrace", ".vscsi", ".csv", ".json", ".txt", ".log", ".trace"),
)


T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a log is to be read: what its reader may choose, and what the content may leave in doubt."""

    event: Event | None = None
    """Which event of a block trace makes a row: `D`, sent to the drive (latency D→C), or `Q`, submitted to the block
    layer (latency Q→C). `None` is `D`, or whatever the log holds."""
    disk: str | None = None
    """The only disk to read: by name in counters (else the busiest), by number in traces (else all)."""
    interval_s: float | None = None
    """Time between the samples, or requests, of a log without times."""
    skip_first: bool = False
    """Leave out the first report of counters, which without `iostat -y` is the average since boot."""
    format: str | None = None
    """A text format by name, as `formats` lists them."""
    csv: str | None = None
    """What the columns of a table are: `time=ts:us,op=type:R/W,offset=lba:512,size=len:1`."""
    strict: bool = False
    """Refuse a log that lacks something or has lines that cannot be read."""
    whole_set: bool = False
    """The per-CPU files are all that was recorded: a CPU without a file, or with an empty one, was idle."""

    @classmethod
    def of(cls, options: LogOptions) -> "Reading":
        """As options have it."""
        given = {each.name: getattr(options, each.name) for each in fields(LogOptions)}
        return cls(interval_s=given.pop("interval"), **given)

    def to_core(self) -> "_core.Reading":
        """As the compiled core takes it."""
        return cast("_core.Reading", asdict(self))


AS_IT_IS = Reading()
"""Nothing chosen."""


def formats() -> list[dict[str, Any]]:
    """The formats of logs, traces and then counters: name, title, how each is recognised, what it has, a sample."""
    return _core.formats()


def convert(
    paths: Sequence[Path | str],
    out: Path,
    reading: Reading = AS_IT_IS,
    progress: Progress | None = None,
) -> TraceLog | CounterLog:
    """Any supported log or trace to Parquet at `out`; the summary of what was read.

    Raises `InputError` for a file that is not understood or an `out` that another run writes; then nothing is left.
    """
    with located(paths, progress) as found, written(out) as file:
        with timed("convert %s", _named(paths)):
            summary = _core.convert(found.files, str(file), reading.to_core(), progress)
        summary["notes"] += found.remarks(reading.strict)
        return _within_bounds(summary_of, summary)


def profile(
    paths: Sequence[Path | str],
    reading: Reading = AS_IT_IS,
    progress: Progress | None = None,
    *,
    peak_window_s: float = 60.0,
) -> Profile:
    """The profile of a trace or counter log, with the reader's summary under `log`.

    Raises `InputError` for a file that is not understood.
    """
    with located(paths, progress) as found:
        with timed("profile %s", _named(paths)):
            result = _core.profile(found.files, peak_window_s, reading.to_core(), progress)
        return _over_mean(_within_bounds(Profile.model_validate, result)).noted(found.remarks(reading.strict))


def _within_bounds(document: Callable[[Any], T], content: object) -> T:
    """The document of what the core found.

    Raises `InputError` where a log adds up to more than any disk does: counters of 1e308 are text like any other.
    """
    try:
        return document(content)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        beyond = next((fault for fault in faults if _is_beyond(fault["type"], fault["input"])), None)
        if beyond is None:
            raise
        where = ".".join(map(str, beyond["loc"]))
        raise HintedError(
            f"the log adds up to more than a disk does: {where}",
            "look for a number of 16 digits or more, or with an exponent",
        ) from None


def _is_beyond(fault: str, found: object) -> bool:
    """Whether a number is too large; what has no end comes from the core as none."""
    return fault in {"less_than_equal", "greater_than_equal"} or (fault == "float_type" and found is None)


def _over_mean(profile: Profile) -> Profile:
    """The profile with the peak's rate over the mean's."""
    window, mean = profile.peak_window, profile.iops_mean
    if window is None or not mean or window.iops_mean is None:
        return profile
    peak = window.model_copy(update={"iops_over_mean": window.iops_mean / mean})
    return profile.model_copy(update={"peak_window": peak})


def workload(paths: Sequence[Path | str], reading: Reading = AS_IT_IS) -> _core.Workload:
    """The requests of a trace, in memory, to be played.

    Raises `InputError` for a file that is not understood, and for counters.
    """
    with located(paths) as found, timed("read %s", _named(paths)):
        return _core.Workload.trace(found.files, reading.to_core())


def samples(paths: Sequence[Path | str], reading: Reading = AS_IT_IS) -> "pl.DataFrame | None":
    """The samples of a counter log, a row an interval; none where it is a trace, which is not read then.

    Raises `InputError` for a file that is not understood.
    """
    import polars as pl  # noqa: PLC0415 (only those who want a table wait for it)

    with located(paths) as found, timed("read the samples of %s", _named(paths)):
        table = _core.samples(found.files, reading.to_core())
    return None if table is None else pl.DataFrame(table)


def _named(paths: Sequence[Path | str]) -> str:
    return ", ".join(map(str, paths))


def log_name(paths: Sequence[Path | str]) -> str:
    """What to call a log: the name of its first file without the endings of formats and compression."""
    first = str(paths[0])
    if first == STANDARD_INPUT:
        return "standard input"
    if prometheus.is_url(first):
        return prometheus.parse(first, time.time()).host
    name = first.rstrip("/").rsplit("/", 1)[-1] if is_url(first) else Path(first).resolve().name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name
