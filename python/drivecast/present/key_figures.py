"""The key figures of a workload as rows: name, figure, what it means, how it is known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from drivecast.document.outcome import Latency
from drivecast.document.profile import Alignment, Detail, MissRatioCurve, Popularity, Profile, Succession
from drivecast.quantity import number

ALL = ("all", "all", "request")
"""The curve of one cache for all requests."""


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
    return f"{number.duration(window.length_s)} from {number.duration(round(window.start_s, 3))}: {', '.join(known)}"


def _at(profile: Profile, path: str) -> Any:
    """Return what lies at a path such as `runs.bytes.q99`; none where a part of the way is unknown."""
    return reduce(
        lambda found, name: found if found is None else getattr(found, name), path.split("."), profile
    )


def _two(value: float | None) -> str:
    return number.significant(value, 2)


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
    inferred, share = profile.sequential_share, profile.sequential_fraction_by_stream
    if inferred is not None:
        merges = "sizes" if profile.reads_merged is None else "sizes and merges"
        return f"{number.between_percent(inferred.all)}, inferred from request {merges}"
    return "" if share is None else f"{number.percent(share)} within a stream"


def _depth_max(profile: Profile) -> str:
    return "" if profile.queue_depth_max is None else f"maximum {number.count(profile.queue_depth_max)}"


def _latency(profile: Profile, op: str) -> str:
    latency: Latency | None = getattr(profile, f"{op}_latency_ns")
    return f"median {number.latency(latency.q50)}, maximum {number.latency(latency.max)}" if latency else ""


def _footprint(profile: Profile) -> str:
    parts = [(profile.working_set_read_bytes, "read"), (profile.working_set_write_bytes, "written")]
    return ", ".join(f"{number.size(size)} {name}" for size, name in parts if size)


def _spindles(profile: Profile) -> str:
    """Return the queue depth per spindle against the rule, in a line."""
    measured = profile.spindles
    if measured is None:
        return ""
    if measured.verdict is None:
        return "the log has no queue depth"
    peak, most = measured.queue_depth_peak_window, measured.queue_depth_max_1s
    low, high = measured.rule
    depth = f"at the peak {peak:.2f}, at most {most:.2f}; "
    if measured.verdict == "within":
        return f"{depth}within the rule of {low:g} to {high:g}"
    return f"{depth}above the rule of {low:g} to {high:g} for {measured.above_rule_longest_s:,} s"


SECOND_S_MAX = 1.1
"""Samples up to this long count as a second: tools sleep a second between them and take a little longer."""


def _busiest(profile: Profile) -> str:
    if profile.iops_peak_1s is None:
        return ""
    sampled = profile.interval_s is not None and profile.interval_s > SECOND_S_MAX
    stretch = f"sample of {number.duration(profile.interval_s)}:" if sampled else "second"
    return f"busiest {stretch} {number.iops(profile.iops_peak_1s)}"


def _runs(profile: Profile) -> str:
    runs = profile.runs
    return f"requests, mean; 1 in 100 longer than {number.binary_size(runs.bytes.q99)}" if runs else ""


def _cache(curves: list[MissRatioCurve] | None) -> str:
    curve = Detail(miss_ratio_curves=curves).curve(*ALL)
    if curve is None or curve.miss_ratio_min == 1:
        return number.ABSENT
    enough = 1 - 0.9 * (1 - curve.miss_ratio_min)
    found = (point.size_bytes for point in curve.points if point.miss_ratio <= enough)
    return next((number.size(size) for size in found), number.ABSENT)


def _most_hits(profile: Profile) -> str:
    curve = profile.curve(*ALL)
    most = number.percent(1 - curve.miss_ratio_min) if curve else number.ABSENT
    return f"LRU, of the hits achievable at any size: {most} of the requests"


def _hottest(rows: list[Popularity] | None) -> str:
    found = (row for row in rows or [] if row.of == "all" and row.blocks_fraction == 0.1)
    return next((number.percent(row.accesses_fraction) for row in found), number.ABSENT)


def _after_write(rows: list[Succession] | None) -> str:
    found = (row for row in rows or [] if (row.access, row.after) == ("read", "write"))
    return next((number.percent(row.fraction) for row in found), number.ABSENT)


def _again(interval_ns: float | None) -> str:
    return number.duration(interval_ns / 1e9) if interval_ns else number.ABSENT


def _hurst(value: float | None) -> str:
    return number.ABSENT if value is None else f"{value:.2f}"


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


def _sampled(rate: float | None) -> str:
    return number.ABSENT if rate is None or rate >= 1 else f"1 in {round(1 / rate):,}"


# Path in the profile, name, wording of its value, note: a text or what makes it.
_FIGURES: tuple[tuple[str, str, Callable[[Any], str], str | Callable[[Profile], str]], ...] = (
    ("duration_s", "Duration", number.duration, ""),
    ("requests", "Requests", number.count, _tally),
    ("read_fraction", "Reads", number.percent, "of the requests"),
    ("block_size_mean_bytes", "Mean size", number.binary_size, _sizes),
    ("sequential_fraction", "Sequential", number.percent, _by_stream),
    ("iops_mean", "IOPS, mean", number.iops, _busiest),
    ("throughput_mean_bytes_per_s", "Throughput, mean", number.throughput, ""),
    ("queue_depth_mean", "Queue depth, mean", _two, _depth_max),
    ("spindles.queue_depth_mean", "Depth per spindle", _two, _spindles),
    ("read_latency_ns.q99", "Read latency, p99", number.latency, partial(_latency, op="read")),
    ("write_latency_ns.q99", "Write latency, p99", number.latency, partial(_latency, op="write")),
    ("working_set_bytes", "Footprint", number.size, _footprint),
    ("extent_bytes", "Highest address", number.size, "the smallest capacity that holds it"),
    ("overwrite_fraction", "Overwrites", number.percent, "of the writes, to an address written before"),
    ("update_interval_ns.q50", "Update interval", _again, "median time to the next write of a block"),
    ("succession", "Read after write", _after_write, "of the repeated block accesses"),
    ("miss_ratio_curves", "Cache for 90 % of hits", _cache, _most_hits),
    ("popularity", "Hottest 10 %", _hottest, "of the blocks receive this share of the accesses"),
    ("followed.rate", "Blocks sampled", _sampled, "the four figures above are estimates from this sample"),
    ("runs.requests.mean", "Sequential run", _two, _runs),
    (
        "seek.distance_bytes.q50",
        "Seek distance, median",
        number.size,
        "between requests that are not sequential",
    ),
    ("alignment", "Aligned to 4 KiB", _aligned, "share of requests, reads / writes"),
    ("interarrival.cv", "Burstiness", _two, "coefficient of variation of interarrival times; 1 is random"),
    ("hurst.wavelet.value", "Hurst parameter", _hurst, _hurst_range),
    ("write_bytes_per_day", "Written per day", number.size, "what wears flash"),
)


def rows(profile: Profile) -> list[Row]:
    """Return all known figures in reading order."""
    found = []
    for path, name, words, note in _FIGURES:
        figure = words(_at(profile, path))
        if figure != number.ABSENT:
            text = note if isinstance(note, str) else note(profile)
            found.append(Row(name, figure, text, profile.known_as(path.partition(".")[0])))
    return found
