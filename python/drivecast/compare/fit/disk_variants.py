"""A rotating disk from outside: arm, rotation, the rate of the outermost tracks, the controller's time.

Model. The disk of the simulator. A lone random read takes overhead + seek + a part of a turn, uniform on one turn, +
its transfer: so the spread of lone reads gives the rotation, which is one of the speeds that disks are built with, and
the rest is the mean seek. Starting values: seek = median of lone reads − half a turn; the rate of sequential reads.
Writes that return in a fraction of a read's time fell into a cache, so the cache is on and the settling time is not
visible. Left out: zones, skews and the seek curve beyond its three points, which the catalog's table `[measured]`
holds.
"""

from collections.abc import Sequence

import numpy as np

from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.variant import NOT_MEASURED, Content, Parameter, Target, Variant, assumed, identity
from drivecast.errors import HintedError

SPEEDS_RPM = (5400, 7200, 10_000, 15_000)
CACHED = 0.25
"""A lone write in less of a lone read's time than this was not on the medium."""
INNER = 0.5
"""Rate of the innermost zone over the outermost one: radii differ about twofold."""
LONE = "random reads at depth 1 over the whole disk"


def _lone(observations: Sequence[Observation], op: str) -> list[Observation]:
    return [
        run
        for run in observations
        if run.depth == 1 and not run.is_sequential and f"{op}.q0.5" in run.figures and run.is_line
    ]


def _stream_mb_s(observations: Sequence[Observation]) -> float | None:
    rates = [run.figures["bytes_per_s"] / 1e6 for run in observations if run.is_sequential]
    return max(rates) if rates else None


def _is_cached(reads: Sequence[Observation], writes: Sequence[Observation]) -> bool:
    if not writes:
        return False
    read = np.median([run.figures["read.q0.5"] for run in reads])
    return bool(np.median([run.figures["write.q0.5"] for run in writes]) < CACHED * read)


def _parameters(observations: Sequence[Observation], rpm: int, *, cached: bool) -> tuple[Parameter, ...]:
    reads, writes = _lone(observations, "read"), _lone(observations, "write")
    lone_ms = float(np.median([run.figures["read.q0.5"] for run in reads])) / 1e6
    seek_ms = max(lone_ms - 30e3 / rpm, 1.0)
    stream = _stream_mb_s(observations)
    found = [
        Parameter("disk.seek_mean_ms", seek_ms, 0.5, 50.0, "ms", "mean seek", LONE),
        Parameter("disk.seek_track_ms", seek_ms / 8, 0.05, 5.0, "ms", "seek to the next track", LONE, seek_ms / 8),
        Parameter("disk.seek_full_ms", seek_ms * 2, 1.0, 100.0, "ms", "seek across the disk", LONE, seek_ms * 2),
        Parameter("disk.overhead_us", 200.0, 1.0, 1e4, "", "controller's time of a request, µs", LONE, 200.0),
    ]  # fmt: skip
    if stream is not None:
        outer, by = "rate of the outermost zone", "sequential reads from the start of the disk"
        found.append(Parameter("disk.outer_mb_s", stream, stream / 4, stream * 4, "MB/s", outer, by))
    if writes and not cached:
        by = "random writes at depth 1, the cache off"
        found.append(Parameter("disk.write_settle_ms", 0.5, 0.01, 20.0, "ms", "settling of a write", by, 0.5))
    return tuple(found)


def _content(target: Target, rpm: int, parameters: Sequence[Parameter], *, cached: bool) -> Content:
    """All of a disk's file but the fitted figures."""
    disk: Content = {
        "rpm": {"value": rpm, "fitted": "the speed, of those that disks are built with, that agrees best"},
        "surfaces": assumed(4, NOT_MEASURED),
        "head_switch_ms": assumed(1.0, "as disks of its kind"),
        "cache_mib": assumed(64, NOT_MEASURED),
        "write_cache": {"value": cached, "fitted": "lone writes against lone reads"},
        "queue_depth": assumed(32, "native command queueing, 32 commands"),
    }
    fitted = {parameter.name for parameter in parameters}
    if "disk.outer_mb_s" not in fitted:
        disk["outer_mb_s"] = assumed(150.0, "no sequential run shows it")
    if "disk.write_settle_ms" not in fitted:
        disk["write_settle_ms"] = assumed(0.5, "no write to the medium shows it")
    return {
        "kind": "hdd",
        "identity": identity(target, "nearline", "SATA 6G"),
        "capacity": {"user_gb": assumed(target.capacity_bytes / 1e9, "size of the target")},
        "disk": disk,
        "endurance": {"warranty_years": assumed(5, NOT_MEASURED)},
        "reliability": {"mtbf_mh": assumed(1.0, NOT_MEASURED), "uber": assumed(1e-15, NOT_MEASURED)},
        "power": {"idle_w": assumed(5.0, NOT_MEASURED), "active_w": assumed(8.0, NOT_MEASURED)},
    }


def _completed(made: Content) -> None:
    """Add the innermost zone; keep the three points of a seek curve in order, whatever the search tries."""
    disk = made["disk"]
    inner_mb_s = disk["outer_mb_s"]["value"] * INNER
    disk["inner_mb_s"] = assumed(inner_mb_s, "half the outermost zone's, as radii differ")
    track, mean, full = (disk[f"seek_{name}_ms"] for name in ("track", "mean", "full"))
    track["value"] = min(track["value"], mean["value"] * 0.9)
    full["value"] = max(full["value"], mean["value"] * 1.2)


def variants(observations: Sequence[Observation], target: Target) -> list[Variant]:
    """One for each speed. Raises `InputError` where there is no lone read."""
    reads, writes = _lone(observations, "read"), _lone(observations, "write")
    if not reads:
        raise HintedError(
            f"a disk is fitted to {LONE}, and there are none", "run a sweep that begins at depth 1"
        )
    cached = _is_cached(reads, writes)
    found = []
    for rpm in SPEEDS_RPM:
        parameters = _parameters(observations, rpm, cached=cached)
        content = _content(target, rpm, parameters, cached=cached)
        found.append(Variant(f"{rpm} rpm", parameters, content, _completed))
    return found
