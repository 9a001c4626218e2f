"""The nightly backup in a long log: found, named, and either met or left out.

Model. A backup reads in requests far larger than the rest of the day's, for minutes to hours. Minutes are compared: one
belongs to a backup if its mean read is `TIMES_LARGER` times the day's median and `READ_BYTES_MIN` or more; gaps of
`GAP_MIN` minutes are bridged, and of several stretches the one that reads most is the backup. What it reads is what
exceeds the hour around it, since the day's own load continues beneath it.

It is met if a design keeps up with it: the day's load of that stretch, with one sequential stream of the backup's size
and rate on top, is served as fast as it comes. The limits on latency are those of the peak. Left out: backups that read
in small requests, and those of another day. All thresholds are assumed.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from drivecast import _core
from drivecast.document.model import Model, Open, Random, Sequential, Size, Stream
from drivecast.document.nightly_backup import Backup
from drivecast.document.profile import PeakWindow, Profile
from drivecast.quantity import number
from drivecast.stage import model_file
from drivecast.stage.simulate import Options

if TYPE_CHECKING:
    import polars as pl

Handling = Literal["meet", "exclude"]

LOG_S_MIN = 6 * 3600.0
"""Logs shorter than this have no night."""
TIMES_LARGER = 4.0
READ_BYTES_MIN = 64 * 1024
GAP_MIN = 2
LENGTH_MIN, LENGTH_MAX = 5, 8 * 60
"""Minutes of a backup."""
SHARE_MAX = 0.5
"""Of the log; what takes longer is the load itself."""
AROUND_MIN = 60
"""Minutes around it that tell the day's own load."""
PLAYED_S = 60.0
REQUESTS_MAX = 2_000_000
BLOCK_BYTES = 4096


@dataclass(frozen=True)
class Stretch:
    """A backup with the load beneath it."""

    backup: Backup
    reads_per_s: float
    """Of the backup alone."""
    base_read_iops: float
    base_write_iops: float

    def workload(self, profile: Profile, span_bytes: int, seed: int) -> tuple[_core.Workload, Options]:
        """A minute of it over the data: the day's load at random, and the backup in order."""
        rate = self.reads_per_s + self.base_read_iops + self.base_write_iops
        length_s = min(PLAYED_S, REQUESTS_MAX / rate)
        streams = [
            _stream("reads", 1.0, self.base_read_iops, profile.read_size_mean_bytes, Random()),
            _stream("writes", 0.0, self.base_write_iops, profile.write_size_mean_bytes, Random()),
            _stream("backup", 1.0, self.reads_per_s, self.backup.request_bytes, Sequential()),
        ]
        model = Model(
            name="backup",
            span_bytes=max(span_bytes, 1 << 20),
            duration_s=length_s,
            streams=[stream for stream in streams if stream is not None],
        )
        return model_file.workload(model, seed=seed), Options(duration_s=length_s)


def find(profile: Profile, handling: Handling) -> Stretch | None:
    """The backup in a log with this profile; none in a short log, or where nothing stands out."""
    if profile.duration_s < LOG_S_MIN or profile.seconds.is_absent:
        return None
    minutes = _minutes(profile)
    sizes = (minutes["read_bytes"] / minutes["reads"]).fill_nan(0.0)
    usual = sizes.filter(minutes["reads"] > 0).median()
    if not isinstance(usual, float):
        return None
    least = max(READ_BYTES_MIN, TIMES_LARGER * usual)
    stretches = [
        (start, end)
        for start, end in _stretches([size >= least for size in sizes])
        if LENGTH_MIN <= end - start <= min(LENGTH_MAX, SHARE_MAX * len(minutes))
    ]
    if not stretches:
        return None
    start, end = max(stretches, key=lambda ends: float(minutes["read_bytes"][ends[0] : ends[1]].sum()))
    return _stretch(profile, minutes, start, end, handling)


def _minutes(profile: Profile) -> "pl.DataFrame":
    import polars as pl  # noqa: PLC0415 (slow to import, and few plans need it)

    names = ("reads", "writes", "read_bytes")
    frame = profile.seconds.frame.group_by(pl.col("second") // 60).agg(
        *(pl.col(name).sum() for name in names)
    )
    return frame.sort("second")


def _stretches(flags: list[bool]) -> list[tuple[int, int]]:
    """Where flags are set, gaps bridged: first, and first behind."""
    found: list[tuple[int, int]] = []
    for place, flag in enumerate(flags):
        if flag and found and place - found[-1][1] <= GAP_MIN:
            found[-1] = (found[-1][0], place + 1)
        elif flag:
            found.append((place, place + 1))
    return found


def _stretch(
    profile: Profile, minutes: "pl.DataFrame", start: int, end: int, handling: Handling
) -> Stretch | None:
    before, after = minutes[max(0, start - AROUND_MIN) : start], minutes[end : end + AROUND_MIN]
    within, around = minutes[start:end], before.vstack(after)
    if not len(around):
        return None

    def usual(name: str) -> float:
        return float(around[name].sum()) / len(around)

    length = end - start
    # A backup only reads, so that what exceeds of all requests is its own, even where a log splits them by the bytes.
    reads = sum(float(within[name].sum()) - usual(name) * length for name in ("reads", "writes"))
    read_bytes = float(within["read_bytes"].sum()) - usual("read_bytes") * length
    if reads <= 0 or read_bytes <= 0:
        return None
    start_s = 60.0 * float(minutes["second"][start])
    backup = Backup(
        start_s=start_s,
        length_s=60.0 * length,
        start=_clock(profile, start_s),
        end=_clock(profile, start_s + 60.0 * length),
        bytes=round(read_bytes),
        requests=round(reads),
        request_bytes=read_bytes / reads,
        throughput_bytes_per_s=read_bytes / (60.0 * length),
        handling=handling,
    )
    return Stretch(backup, reads / (60.0 * length), usual("reads") / 60.0, usual("writes") / 60.0)


def _clock(profile: Profile, at_s: float) -> str | None:
    """A time of the log on the clock of its place; none where the log has no times."""
    stated = getattr(profile.log, "start", None)
    if not isinstance(stated, str):
        return None
    hours, minutes, seconds = (int(part) for part in stated.split(" ")[-1].split(":"))
    minute = round((hours * 3600 + minutes * 60 + seconds + at_s) / 60) % (24 * 60)
    return f"{minute // 60:02d}:{minute % 60:02d}"


def without(profile: Profile, stretch: Stretch) -> Profile:
    """The profile of the log without its backup."""
    backup = stretch.backup
    reads, requests = profile.reads - backup.requests, profile.requests - backup.requests
    bytes_read = profile.bytes_read - backup.bytes
    moved = bytes_read + profile.bytes_written
    found = profile.model_copy(
        update={
            "reads": reads,
            "requests": requests,
            "bytes_read": bytes_read,
            "read_fraction": reads / requests if requests else None,
            "read_size_mean_bytes": bytes_read / reads if reads else None,
            "block_size_mean_bytes": moved / requests if requests else None,
            "iops_mean": requests / profile.duration_s,
            "throughput_mean_bytes_per_s": moved / profile.duration_s,
        }
    )
    window = profile.peak_window
    ends = backup.start_s + backup.length_s
    if window and window.start_s < ends and window.start_s + window.length_s > backup.start_s:
        found = found.model_copy(update={"peak_window": _peak(profile, backup, window.length_s)})
    return found


def _peak(profile: Profile, backup: Backup, length_s: float) -> PeakWindow | None:
    """The busiest stretch outside of the backup."""
    import polars as pl  # noqa: PLC0415 (as above)

    width = max(1, round(length_s))
    frame = profile.seconds.frame.sort("second")
    sums = frame.with_columns(
        *(
            pl.col(name).rolling_sum(width).alias(f"{name}_sum")
            for name in ("reads", "writes", "read_bytes", "written_bytes")
        ),
        pl.col("queue_depth").cast(pl.Float64).rolling_mean(width).alias("depth"),
        (pl.col("second") - (width - 1)).alias("start"),
    ).filter(
        pl.col("reads_sum").is_not_null()
        & ((pl.col("second") < backup.start_s) | (pl.col("start") >= backup.start_s + backup.length_s))
    )
    if not len(sums):
        return None
    requests = sums["reads_sum"] + sums["writes_sum"]
    row = sums.row(int(requests.arg_max() or 0), named=True)
    count = row["reads_sum"] + row["writes_sum"]
    return PeakWindow(
        start_s=float(row["start"]),
        length_s=float(width),
        requests=count,
        iops_mean=count / width,
        iops_over_mean=None,
        throughput_bytes_per_s=(row["read_bytes_sum"] + row["written_bytes_sum"]) / width,
        read_fraction=row["reads_sum"] / count if count else None,
        queue_depth_mean=row["depth"],
    )


def _stream(
    name: str, read: float, rate: float, mean_bytes: float | None, address: Random | Sequential
) -> Stream | None:
    if rate <= 0 or not mean_bytes:
        return None
    size = max(BLOCK_BYTES, round(mean_bytes / BLOCK_BYTES) * BLOCK_BYTES)
    sizes = [Size(bytes=size, share=1.0)]
    return Stream(name=name, read=read, sizes=sizes, address=address, arrivals=Open(rate_iops=rate))


def noted(backup: Backup) -> str:
    """What is said of it."""
    when = (
        f"from {backup.start} to {backup.end}"
        if backup.start
        else f"{backup.start_s / 3600:.1f} h into the log"
    )
    what = (
        f"{number.duration(backup.length_s)}, {number.size(backup.bytes)} read in requests of "
        f"≈ {number.binary_size(backup.request_bytes)}, {number.throughput(backup.throughput_bytes_per_s)}"
    )
    handled = {
        "meet": "a design must keep up with it (`--backup exclude` leaves it out)",
        "exclude": "it is left out, as `--backup exclude` says",
    }
    return f"the log has a backup {when}: {what}; {handled[backup.handling]}"
