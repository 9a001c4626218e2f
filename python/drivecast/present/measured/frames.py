"""The rows behind the figures of a result: from points and findings to polars tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from drivecast.document.measurement import Row
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point
from drivecast.present import terminal
from drivecast.present.figure.waiting import KINDS
from drivecast.present.measured import naming
from drivecast.present.table import curve
from drivecast.quantity import number

LABELS_MAX = 6
"""Lines of a figure that can be told apart."""


def labels(found: Sequence[Row]) -> dict[tuple[str, str], str]:
    """The name of each line, by target and workload."""
    keys = list(dict.fromkeys((row.target, row.series) for row in found))
    targets, serieses = len({key[0] for key in keys}), len({key[1] for key in keys})
    return {key: naming.label(*key, targets, serieses) for key in keys}


def depths(found: Sequence[Row]) -> pl.DataFrame:
    """One row a depth: `label`, `depth`, `iops`, `p95_ms`, `p99_ms`."""
    names = labels(found)
    return pl.DataFrame(
        [
            {
                "label": names[row.target, row.series],
                "depth": row.depth,
                "iops": row.iops,
                "p95_ms": _ms(row.latency_ns_p95),
                "p99_ms": _ms(row.latency_ns_p99),
            }
            for row in found
        ],
        schema={
            "label": pl.String,
            "depth": pl.Int64,
            "iops": pl.Float64,
            "p95_ms": pl.Float64,
            "p99_ms": pl.Float64,
        },
    )


def knees(rows: Sequence[Mapping[str, Any]], found: Sequence[Row]) -> pl.DataFrame:
    """One row a line whose knee was seen: `label`, `depth`, `iops_max`, `round_s`, `text`."""
    names = labels(found)
    return pl.DataFrame(
        [
            {
                "label": names[row["target"], row["series"]],
                "depth": row["depth"],
                "iops_max": row["iops_max"],
                "round_s": row["round_ns"] / 1e9,
                "text": f"knee {number.significant(row['depth'], 2)}",
            }
            for row in rows
            if row["reached"] and (row["target"], row["series"]) in names
        ],
        schema={
            "label": pl.String,
            "depth": pl.Float64,
            "iops_max": pl.Float64,
            "round_s": pl.Float64,
            "text": pl.String,
        },
    )


def matrix(found: Sequence[Row]) -> pl.DataFrame:
    """One row a size and mix: `size`, `size_bytes`, `read` (percent), `iops`, `mb_per_s`, `p99_ms`, `label`."""
    return pl.DataFrame(
        [
            {
                "label": naming.kind(row.read_fraction or 0.0),
                "size": number.binary_size(row.block_bytes),
                "size_bytes": row.block_bytes,
                "read": round(100 * (row.read_fraction or 0.0), 1),
                "iops": row.iops,
                "mb_per_s": row.bytes_per_s / 1e6,
                "p99_ms": _ms(row.latency_ns_p99),
            }
            for row in found
            if row.block_bytes is not None and row.iops > 0
        ],
        schema_overrides={"p99_ms": pl.Float64},
    )


def seconds(groups: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> pl.DataFrame:
    """One row a second of each named run: `label`, `second`, `iops`, `latency_max_ms`."""
    made = []
    for label, rows in groups:
        for at, row in enumerate(rows):
            longest = [row.get(f"{op}_latency_ns_max") for op in ("read", "write")]
            known = [one for one in longest if one]
            made.append(
                {
                    "label": label,
                    "second": float(at),
                    "iops": float(row["reads"]) + float(row["writes"]),
                    "latency_max_ms": _ms(max(known, default=None)),
                }
            )
    return pl.DataFrame(made, schema_overrides={"latency_max_ms": pl.Float64})


def stretches(rows: Sequence[Mapping[str, Any]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One row a stretch of each long run, and one a run that settled."""
    many = len(naming.names(rows, "target"))
    names = [naming.label(row["target"], row["series"], many, len(rows) // max(1, many)) for row in rows]
    made = [
        {
            "label": name,
            "start_s": float(at * row["stretch_s"]),
            "end_s": float((at + 1) * row["stretch_s"]),
            "iops": iops,
        }
        for name, row in zip(names, rows, strict=True)
        for at, iops in enumerate(row["iops"])
    ]
    settled = [
        {"label": name, "at_s": float(row["settled_after_s"])}
        for name, row in zip(names, rows, strict=True)
        if row["reached"]
    ]
    return pl.DataFrame(made), pl.DataFrame(settled, schema={"label": pl.String, "at_s": pl.Float64})


def waiting(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Two rows a number outstanding: `depth`, `kind`, `iops`, `p99_ms`."""
    made = [
        {
            "depth": row["depth"],
            "kind": kind,
            "iops": row[f"{key}_iops"],
            "p99_ms": _ms(row[f"{key}_latency_ns_p99"]),
        }
        for row in rows
        for kind, key in zip(KINDS, ("sync", "async"), strict=True)
    ]
    return pl.DataFrame(made, schema_overrides={"p99_ms": pl.Float64})


def ratios(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """One row a point of every target but the first: `label`, `target`, `ratio`."""
    return pl.DataFrame(
        [
            {
                "label": f"{naming.load(row['series'])}, depth {row['depth']}",
                "target": terminal.clean(row["target"]),
                "ratio": row["iops_ratio"],
            }
            for row in rows
        ]
    )


def exceedance(points: Sequence[tuple[str, Point]], op: str) -> pl.DataFrame:
    """One row a point of a curve of each named run: `label`, `latency_ms`, `share` of `op`s that take longer."""
    made = []
    for label, point in points:
        if point.outcome is None or not (point.outcome.get(op) or {}).get("requests"):
            continue
        for latency_ms, share in curve(Outcome.check(point.outcome), op):
            made.append({"label": label, "latency_ms": latency_ms, "share": share})
    return pl.DataFrame(made, schema={"label": pl.String, "latency_ms": pl.Float64, "share": pl.Float64})


def _ms(latency_ns: float | None) -> float | None:
    return None if latency_ns is None else latency_ns / 1e6
