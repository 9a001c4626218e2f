"""The rows behind the figures of a profile's details, one function a figure."""

import polars as pl

from drivecast.document.profile import Detail, Distribution, Profile
from drivecast.present import table
from drivecast.quantity.number import binary_size

STREAMS_MAX = 12
CACHES = {
    "all": "one cache for all requests",
    "reads": "a cache for reads only",
    "writes": "a cache for writes only",
}
SUCCESSIONS = {
    ("read", "read"): "read after read",
    ("read", "write"): "read after write",
    ("write", "read"): "write after read",
    ("write", "write"): "write after write",
}


def miss_ratios(detail: Detail) -> pl.DataFrame:
    """One row a point: `cache`, `of`, `by`, `size_mib`, `miss_ratio`; sizes from a ten-thousandth of the largest on."""
    largest = max((c.points[-1].size_bytes for c in detail.miss_ratio_curves or [] if c.points), default=0)
    rows = (
        (CACHES[curve.cache], curve.of, curve.by, point.size_bytes / 2**20, point.miss_ratio)
        for curve in detail.miss_ratio_curves or []
        for point in curve.points
        if point.size_bytes * 10_000 >= largest
    )
    return table.of(rows, cache=str, of=str, by=str, size_mib=float, miss_ratio=float)


def cumulative(parts: dict[str, Distribution | None], scale: float) -> pl.DataFrame:
    """One row a point of a distribution: `name`, `value` (times `scale`) and the `share` below it."""
    rows = (
        (name, row.below * scale, row.share)
        for name, part in parts.items()
        for row in (part.cumulative if part else [])
    )
    return table.of(rows, name=str, value=float, share=float)


def successions(detail: Detail) -> dict[str, Distribution | None]:
    """Return the times between accesses of a block, by what comes after what, with its share."""
    return {
        f"{SUCCESSIONS[row.access, row.after]}, {row.fraction:.0%}": row.interval_ns
        for row in detail.succession or []
    }


def growth(detail: Detail) -> pl.DataFrame:
    """One row a moment and kind: `time_s`, `kind`, `gb`."""
    kinds = {"all": "touched_bytes", "read": "read_bytes", "write": "written_bytes"}
    rows = (
        (row.time_s, kind, getattr(row, key) / 1e9)
        for row in detail.working_set_growth or []
        for kind, key in kinds.items()
    )
    return table.of(rows, time_s=float, kind=str, gb=float)


def alignment(detail: Detail) -> pl.DataFrame:
    """One row an operation and boundary: `op`, `boundary`, `order`, `share` of its requests."""
    rows = (
        (row.op, binary_size(row.boundary_bytes), row.boundary_bytes, row.request_fraction)
        for row in detail.alignment or []
    )
    return table.of(rows, op=str, boundary=str, order=int, share=float)


def streams(profile: Profile) -> pl.DataFrame:
    """One row a stream and operation: `stream`, `order`, `op`, `requests`; the smaller ones together."""
    known = profile.streams or []
    first = [row for row in known if row.stream is not None][:STREAMS_MAX]
    rest = [row for row in known if row not in first]
    groups = [(str(row.stream), [row]) for row in first] + ([("others", rest)] if rest else [])
    rows = (
        (name, order, op, sum(getattr(row, f"{op}s") for row in group))
        for order, (name, group) in enumerate(groups)
        for op in ("read", "write")
    )
    return table.of(rows, stream=str, order=int, op=str, requests=int)


def responses(detail: Detail) -> pl.DataFrame:
    """One row a class: `op`, `size`, `size_order`, `depth`, `latency_ms`."""
    rows = (
        (
            row.op,
            binary_size(row.size_bytes_max) if row.size_bytes_max else "more",
            row.size_bytes_max or 2**62,
            row.depth_max or 0,
            row.latency_ns_mean / 1e6,
        )
        for row in detail.latency_by_size_and_depth or []
    )
    return table.of(rows, op=str, size=str, size_order=int, depth=int, latency_ms=float)
