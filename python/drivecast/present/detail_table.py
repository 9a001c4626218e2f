"""The rows behind the figures of a profile's details, one function a figure."""

import polars as pl

from drivecast.document.profile import Detail, Distribution, Profile
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
    rows = [
        {
            "cache": CACHES[curve.cache],
            "of": curve.of,
            "by": curve.by,
            "size_mib": point.size_bytes / 2**20,
            "miss_ratio": point.miss_ratio,
        }
        for curve in detail.miss_ratio_curves or []
        for point in curve.points
        if point.size_bytes * 10_000 >= largest
    ]
    text = dict.fromkeys(("cache", "of", "by"), pl.String)
    return pl.DataFrame(rows, schema={**text, "size_mib": pl.Float64, "miss_ratio": pl.Float64})


def cumulative(parts: dict[str, Distribution | None], scale: float) -> pl.DataFrame:
    """One row a point of a distribution: `name`, `value` (times `scale`) and the `share` below it."""
    rows = [
        {"name": name, "value": row.below * scale, "share": row.share}
        for name, part in parts.items()
        for row in (part.cumulative if part else [])
    ]
    return pl.DataFrame(rows, schema={"name": pl.String, "value": pl.Float64, "share": pl.Float64})


def successions(detail: Detail) -> dict[str, Distribution | None]:
    """Return the times between accesses of a block, by what comes after what, with its share."""
    return {
        f"{SUCCESSIONS[row.access, row.after]}, {row.fraction:.0%}": row.interval_ns
        for row in detail.succession or []
    }


def growth(detail: Detail) -> pl.DataFrame:
    """One row a moment and kind: `time_s`, `kind`, `gb`."""
    rows = [
        {"time_s": row.time_s, "kind": kind, "gb": value / 1e9}
        for row in detail.working_set_growth or []
        for kind, value in (
            ("all", row.touched_bytes),
            ("read", row.read_bytes),
            ("write", row.written_bytes),
        )
    ]
    return pl.DataFrame(rows, schema={"time_s": pl.Float64, "kind": pl.String, "gb": pl.Float64})


def alignment(detail: Detail) -> pl.DataFrame:
    """One row an operation and boundary: `op`, `boundary`, `order`, `share` of its requests."""
    rows = [
        {
            "op": row.op,
            "boundary": binary_size(row.boundary_bytes),
            "order": row.boundary_bytes,
            "share": row.request_fraction,
        }
        for row in detail.alignment or []
    ]
    schema = {"op": pl.String, "boundary": pl.String, "order": pl.Int64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema)


def streams(profile: Profile) -> pl.DataFrame:
    """One row a stream and operation: `stream`, `order`, `op`, `requests`; the smaller ones together."""
    known = profile.streams or []
    first = [row for row in known if row.stream is not None][:STREAMS_MAX]
    rest = [row for row in known if row not in first]
    groups = [(str(row.stream), [row]) for row in first] + ([("others", rest)] if rest else [])
    rows = [
        {"stream": name, "order": order, "op": op, "requests": sum(getattr(row, f"{op}s") for row in group)}
        for order, (name, group) in enumerate(groups)
        for op in ("read", "write")
    ]
    return pl.DataFrame(
        rows, schema={"stream": pl.String, "order": pl.Int64, "op": pl.String, "requests": pl.Int64}
    )


def responses(detail: Detail) -> pl.DataFrame:
    """One row a class: `op`, `size`, `size_order`, `depth`, `latency_ms`."""
    rows = [
        {
            "op": row.op,
            "size": binary_size(row.size_bytes_max) if row.size_bytes_max else "more",
            "size_order": row.size_bytes_max or 2**62,
            "depth": row.depth_max or 0,
            "latency_ms": row.latency_ns_mean / 1e6,
        }
        for row in detail.latency_by_size_and_depth or []
    ]
    return pl.DataFrame(
        rows,
        schema={
            "op": pl.String,
            "size": pl.String,
            "size_order": pl.Int64,
            "depth": pl.Int64,
            "latency_ms": pl.Float64,
        },
    )
