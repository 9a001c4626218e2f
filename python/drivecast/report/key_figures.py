"""The key figures of a workload as rows: name, figure, what it means, how it is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from drivecast import spindles
from drivecast.report import number
from drivecast.report.document import Burstiness, Latency, Profile


@dataclass(frozen=True)
class Row:
    """One key figure."""

    name: str
    figure: str
    note: str
    provenance: str


def peak(profile: Profile) -> str:
    """Return the peak window in a line: `60 s from 136 s on: 3,900 IOPS, 68 MB/s, 70 % reads, depth 1.6`."""
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
    return f"{number.duration(window.length_s)} from {number.duration(window.start_s)} on: {', '.join(known)}"


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


def _deepest(profile: Profile) -> str:
    return "" if profile.queue_depth_max is None else f"deepest {number.count(profile.queue_depth_max)}"


def _p99(latency: Latency | None) -> str:
    return number.latency(latency.q99 if latency else None)


def _latency(latency: Latency | None) -> str:
    return f"median {number.latency(latency.q50)}, longest {number.latency(latency.max)}" if latency else ""


def _touched(profile: Profile) -> str:
    parts = [(profile.working_set_read_bytes, "read"), (profile.working_set_write_bytes, "written")]
    return ", ".join(f"{number.size(size)} {name}" for size, name in parts if size)


def _burst(interarrival: Burstiness | None) -> str:
    return number.significant(interarrival.cv, 2) if interarrival else number.ABSENT


def _depth(depth: float | None) -> str:
    return number.significant(depth, 2)


def _spindle(measured: dict[str, Any] | None) -> str:
    return number.significant(measured["queue_depth_mean"], 2) if measured else number.ABSENT


def _rule(profile: Profile) -> str:
    return spindles.sentence(profile.spindles) if profile.spindles else ""


def _busiest(profile: Profile) -> str:
    return "" if profile.iops_peak_1s is None else f"busiest second {number.iops(profile.iops_peak_1s)}"


# Key of the profile, name, wording of its value, note: a text or what makes it.
_FIGURES: tuple[tuple[str, str, Callable[[Any], str], str | Callable[[Profile], str]], ...] = (
    ("duration_s", "Length", number.duration, ""),
    ("requests", "Requests", number.count, _tally),
    ("read_fraction", "Reads", number.percent, "of the requests"),
    ("block_size_mean_bytes", "Mean size", number.binary_size, _sizes),
    ("sequential_fraction", "Sequential", number.percent, _by_stream),
    ("iops_mean", "IOPS, mean", number.iops, _busiest),
    ("throughput_mean_bytes_per_s", "Throughput, mean", number.throughput, ""),
    ("queue_depth_mean", "Queue depth, mean", _depth, _deepest),
    ("spindles", "Depth a spindle", _spindle, _rule),
    ("read_latency_ns", "Read latency, p99", _p99, lambda profile: _latency(profile.read_latency_ns)),
    ("write_latency_ns", "Write latency, p99", _p99, lambda profile: _latency(profile.write_latency_ns)),
    ("working_set_bytes", "Touched", number.size, _touched),
    ("extent_bytes", "Highest address", number.size, "the least capacity that holds it"),
    ("overwrite_fraction", "Overwrites", number.percent, "of the writes, to an address written before"),
    ("interarrival", "Burstiness", _burst, "spread of the gaps between requests; 1 is random"),
    ("write_bytes_per_day", "Written a day", number.size, "what wears flash out"),
)


def rows(profile: Profile) -> list[Row]:
    """Return all that is known, in the order of reading; a figure the source cannot tell is left out."""
    found = []
    for key, name, words, note in _FIGURES:
        figure = words(getattr(profile, key))
        if figure != number.ABSENT:
            told = note if isinstance(note, str) else note(profile)
            found.append(Row(name, figure, told, profile.known_as(key)))
    return found
