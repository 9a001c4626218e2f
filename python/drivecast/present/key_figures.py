"""The key figures of a workload as rows: name, figure, what it means, how it is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from drivecast.document.outcome import Latency
from drivecast.document.profile import (
    Alignment,
    Burstiness,
    Distribution,
    Followed,
    Hurst,
    MissRatioCurve,
    Popularity,
    Profile,
    Runs,
    Seek,
    Spindles,
    Succession,
)
from drivecast.quantity import number


@dataclass(frozen=True)
class Row:
    """One key figure."""

    name: str
    figure: str
    note: str
    provenance: str


def peak(profile: Profile) -> str:
    """Return the peak window in a line: `60 s from 136 s: 3,900 IOPS, 68 MB/s, 70 % reads, depth 1.6`."""
    window = profile.peak_window
    if window is None:
        return number.ABSENT
    parts = [
        f"{number.iops(window.iops_mean)} IOPS",
        number.throughput(window.throughput_bytes_per_s),
        f"{number.percent(window.read_fraction)} reads",
        f"depth {number.significant(window.queue_depth_mean, 2)}",
    ]
    if window.iops_over_mean is not None:
        parts.append(f"{number.significant(window.iops_over_mean, 2)} × the mean")
    known = [part for part in parts if number.ABSENT not in part]
    return f"{number.duration(window.length_s)} from {number.duration(window.start_s)}: {', '.join(known)}"


def _tally(profile: Profile) -> str:
    parts = [
        (profile.reads, "reads"),
        (profile.writes, "writes"),
        (profile.flushes, "flushes"),
        (profile.discards, "discards"),
    ]
    return ", ".join(f"{number.count(count)} {name}" for count, name in parts if count)


def _sizes(profile: Profile) -> str:
    parts = [(profile.read_size_mean_bytes, "reads"), (profile.write_size_mean_bytes, "writes")]
    return ", ".join(f"{name} {number.binary_size(size)}" for size, name in parts if size)


def _by_stream(profile: Profile) -> str:
    share = profile.sequential_fraction_by_stream
    return "" if share is None else f"{number.percent(share)} within a stream"


def _depth_max(profile: Profile) -> str:
    return "" if profile.queue_depth_max is None else f"maximum {number.count(profile.queue_depth_max)}"


def _p99(latency: Latency | None) -> str:
    return number.latency(latency.q99 if latency else None)


def _latency(latency: Latency | None) -> str:
    return f"median {number.latency(latency.q50)}, maximum {number.latency(latency.max)}" if latency else ""


def _footprint(profile: Profile) -> str:
    parts = [(profile.working_set_read_bytes, "read"), (profile.working_set_write_bytes, "written")]
    return ", ".join(f"{number.size(size)} {name}" for size, name in parts if size)


def _burst(interarrival: Burstiness | None) -> str:
    return number.significant(interarrival.cv, 2) if interarrival else number.ABSENT


def _depth(depth: float | None) -> str:
    return number.significant(depth, 2)


def _spindle(measured: Spindles | None) -> str:
    return number.significant(measured.queue_depth_mean, 2) if measured else number.ABSENT


def _rule(profile: Profile) -> str:
    return _spindles(profile.spindles) if profile.spindles else ""


def _busiest(profile: Profile) -> str:
    return "" if profile.iops_peak_1s is None else f"busiest second {number.iops(profile.iops_peak_1s)}"


def _run(runs: Runs | None) -> str:
    return f"{number.significant(runs.requests.mean, 2)}" if runs else number.ABSENT


def _runs(profile: Profile) -> str:
    runs = profile.runs
    return f"requests, mean; 1 in 100 longer than {number.binary_size(runs.bytes.q99)}" if runs else ""


def _jump(seek: Seek | None) -> str:
    return number.size(seek.distance_bytes.q50) if seek else number.ABSENT


def _requests(curves: list[MissRatioCurve] | None) -> MissRatioCurve | None:
    wanted = ("all", "all", "request")
    return next((curve for curve in curves or [] if (curve.cache, curve.of, curve.by) == wanted), None)


def _cache(curves: list[MissRatioCurve] | None) -> str:
    curve = _requests(curves)
    if curve is None or curve.miss_ratio_min == 1:
        return number.ABSENT
    enough = 1 - 0.9 * (1 - curve.miss_ratio_min)
    found = (point.size_bytes for point in curve.points if point.miss_ratio <= enough)
    return next((number.size(size) for size in found), number.ABSENT)


def _most_hits(profile: Profile) -> str:
    curve = _requests(profile.miss_ratio_curves)
    most = number.percent(1 - curve.miss_ratio_min) if curve else number.ABSENT
    return f"LRU, of the hits achievable at any size: {most} of the requests"


def _hottest(rows: list[Popularity] | None) -> str:
    found = (row for row in rows or [] if row.of == "all" and row.blocks_fraction == 0.1)
    return next((number.percent(row.accesses_fraction) for row in found), number.ABSENT)


def _after_write(rows: list[Succession] | None) -> str:
    found = (row for row in rows or [] if (row.access, row.after) == ("read", "write"))
    return next((number.percent(row.fraction) for row in found), number.ABSENT)


def _again(interval: Distribution | None) -> str:
    return number.duration(interval.q50 / 1e9) if interval and interval.q50 else number.ABSENT


def _hurst(hurst: Hurst | None) -> str:
    return f"{hurst.wavelet.value:.2f}" if hurst else number.ABSENT


def _hurst_range(profile: Profile) -> str:
    if profile.hurst is None:
        return ""
    found = profile.hurst.wavelet
    scales = f"{number.significant(found.from_s, 2)} s to {number.significant(found.to_s, 2)} s"
    return (
        f"{found.low:.2f} to {found.high:.2f}, over {scales}; 0.5 is random, near 1 is bursty at all scales"
    )


def _aligned(rows: list[Alignment] | None) -> str:
    return (
        " / ".join(number.percent(row.request_fraction) for row in rows or [] if row.boundary_bytes == 4096)
        or number.ABSENT
    )


def _sampled(followed: Followed | None) -> str:
    return f"1 in {round(1 / followed.rate):,}" if followed and followed.rate < 1 else number.ABSENT


# Key of the profile, name, wording of its value, note: a text or what makes it.
_FIGURES: tuple[tuple[str, str, Callable[[Any], str], str | Callable[[Profile], str]], ...] = (
    ("duration_s", "Duration", number.duration, ""),
    ("requests", "Requests", number.count, _tally),
    ("read_fraction", "Reads", number.percent, "of the requests"),
    ("block_size_mean_bytes", "Mean size", number.binary_size, _sizes),
    ("sequential_fraction", "Sequential", number.percent, _by_stream),
    ("iops_mean", "IOPS, mean", number.iops, _busiest),
    ("throughput_mean_bytes_per_s", "Throughput, mean", number.throughput, ""),
    ("queue_depth_mean", "Queue depth, mean", _depth, _depth_max),
    ("spindles", "Depth per spindle", _spindle, _rule),
    ("read_latency_ns", "Read latency, p99", _p99, lambda profile: _latency(profile.read_latency_ns)),
    ("write_latency_ns", "Write latency, p99", _p99, lambda profile: _latency(profile.write_latency_ns)),
    ("working_set_bytes", "Footprint", number.size, _footprint),
    ("extent_bytes", "Highest address", number.size, "the smallest capacity that holds it"),
    ("overwrite_fraction", "Overwrites", number.percent, "of the writes, to an address written before"),
    ("update_interval_ns", "Update interval", _again, "median time to the next write of a block"),
    ("succession", "Read after write", _after_write, "of the repeated block accesses"),
    ("miss_ratio_curves", "Cache for 90 % of hits", _cache, _most_hits),
    ("popularity", "Hottest 10 %", _hottest, "of the blocks receive this share of the accesses"),
    ("followed", "Blocks sampled", _sampled, "the four figures above are estimates from this sample"),
    ("runs", "Sequential run", _run, _runs),
    ("seek", "Seek distance, median", _jump, "between requests that are not sequential"),
    ("alignment", "Aligned to 4 KiB", _aligned, "share of requests, reads / writes"),
    ("interarrival", "Burstiness", _burst, "coefficient of variation of interarrival times; 1 is random"),
    ("hurst", "Hurst parameter", _hurst, _hurst_range),
    ("write_bytes_per_day", "Written per day", number.size, "what wears flash"),
)


def rows(profile: Profile) -> list[Row]:
    """Return all known figures in reading order."""
    found = []
    for key, name, words, note in _FIGURES:
        figure = words(getattr(profile, key))
        if figure != number.ABSENT:
            text = note if isinstance(note, str) else note(profile)
            found.append(Row(name, figure, text, profile.known_as(key)))
    return found


def _spindles(measured: Spindles) -> str:
    """Return the queue depth per spindle against the rule, in a line."""
    if measured.verdict is None:
        return "the log has no queue depth"
    peak, most = measured.queue_depth_peak_window, measured.queue_depth_max_1s
    low, high = measured.rule
    depth = f"at the peak {peak:.2f}, at most {most:.2f}; "
    if measured.verdict == "within":
        return f"{depth}within the rule of {low:g} to {high:g}"
    return f"{depth}above the rule of {low:g} to {high:g} for {measured.above_rule_longest_s:,} s"
