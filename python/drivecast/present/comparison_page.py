"""A comparison as one self-contained HTML page: verdict, a table and four figures a point, and what was noted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from drivecast.document.comparison import Comparison, Point, Run
from drivecast.document.outcome import OPS, QUANTILES
from drivecast.files import write_whole
from drivecast.present import comparison_text, table
from drivecast.present.drawing import Figure
from drivecast.present.figure import design_comparison, prediction_charts
from drivecast.present.page import filled

DRAWN_MAX = 12
"""Points with figures; more make a page that no browser likes, and nobody reads."""
POINTS_MAX = 600
"""Of a curve, or seconds; more cannot be seen apart on paper."""
SECONDS = {"requests a second": pl.col("reads") + pl.col("writes")} | {
    f"mean {op} latency (ms)": pl.col(f"{op}_latency_ns_mean").replace(0, None) / 1e6 for op in OPS
}
"""What is drawn second by second, by title; a latency of 0 is of a second without such a request."""


def write(made: Comparison, path: Path) -> None:
    """Write the page, whole or not at all."""
    predicted = made.predicted
    drawn = [
        figures(place, point, predicted=predicted) for place, point in enumerate(made.points[:DRAWN_MAX])
    ]
    text = filled(
        "comparison.html",
        made=made,
        title=_title(made),
        other="predicted" if predicted else "other",
        points=[
            {
                "is": point,
                "rows": [comparison_text.cells(figure) for figure in point.figures],
                "figures": drawn[place] if place < DRAWN_MAX else [],
            }
            for place, point in enumerate(made.points)
        ],
        undrawn=max(0, len(made.points) - DRAWN_MAX),
        machine=_machine(made.side.machine),
    )
    write_whole(path, text)


def figures(place: int, point: Point, *, predicted: bool) -> list[Figure]:
    """The figures of one point; those without data are left out."""
    names = ["measured", "predicted" if predicted else "other"]
    found: list[tuple[str, alt.TopLevelMixin]] = []
    every = ((op, _curves(point, op, names)) for op in OPS)
    if curves := {str(op): curve for op, curve in every if curve["side"].n_unique() == 2}:
        found.append(("beside-distribution", prediction_charts.distribution(curves, names)))
        tail = {"label": pl.col("side"), "latency_ms": pl.col("latency_ms"), "share": 1 - pl.col("share")}
        drawn = {op: curve.select(**tail).filter(pl.col("share") >= 1e-5) for op, curve in curves.items()}
        found.append(("beside-tail", design_comparison.latency(drawn, {})))
    known = ((op, _quantiles(point, op)) for op in OPS)
    if quantiles := {str(op): rows for op, rows in known if rows.height > 1}:
        found.append(("beside-quantiles", prediction_charts.quantiles(quantiles, point.tolerance)))
    if tables := _seconds(point, names):
        found.append(("beside-seconds", prediction_charts.seconds(tables, names)))
    return [Figure(f"{name}-{place}", chart) for name, chart in found]


def _title(made: Comparison) -> str:
    against = "Predicted and measured" if made.predicted else "Measured twice"
    outcome = {"within": "within the tolerance", "beyond": "off", "untold": "hidden by noise"}[made.outcome]
    return f"{against}: {outcome}"


def _machine(machine: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The plain figures of the machine."""
    plain = {name: value for name, value in machine.items() if isinstance(value, str | int)}
    return [(name.replace("_", " "), str(value)) for name, value in plain.items()]


def _curves(point: Point, op: str, names: Sequence[str]) -> pl.DataFrame:
    """The cumulative distribution of both sides, over all repeats: `side`, `latency_ms`, `share`."""
    sides = zip(names, (point.run, point.prediction), strict=True)
    return pl.concat(
        [_curve(run, op).select(pl.lit(name).alias("side"), "latency_ms", "share") for name, run in sides]
    )


def _curve(run: Run, op: str) -> pl.DataFrame:
    columns = pl.col("op").cast(pl.String), pl.col("latency_ns", "count").cast(pl.Float64)
    rows = pl.concat([outcome.latencies.frame.select(columns) for outcome in run.outcomes])
    shares = (
        rows.filter((pl.col("op") == op) & (pl.col("latency_ns") > 0))
        .group_by("latency_ns")
        .agg(pl.col("count").sum())
        .sort("latency_ns")
        .select(
            latency_ms=pl.col("latency_ns") / 1e6, share=pl.col("count").cum_sum() / pl.col("count").sum()
        )
    )
    step = max(-(-shares.height // POINTS_MAX), 1)
    return shares.with_row_index().filter((pl.col("index") % step == 0) | (pl.col("share") > 0.9))


def _quantiles(point: Point, op: str) -> pl.DataFrame:
    rows = (
        (comparison_text.NAMES[figure.figure], figure.measured / 1e6, figure.predicted / 1e6)
        for figure in point.figures
        if figure.op == op and figure.figure in QUANTILES
    )
    return table.of(rows, name=str, measured_ms=float, predicted_ms=float)


def _seconds(point: Point, names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Requests, and mean latencies of reads and writes, second by second; of the first repeat."""
    found = {}
    for title, value in SECONDS.items():
        parts = []
        for name, run in zip(names, (point.run, point.prediction), strict=True):
            seconds, duration_s = run.outcomes[0].seconds.frame, run.outcomes[0].duration_s
            whole = seconds.head(int(duration_s)) if duration_s else seconds
            columns = {"second": pl.col("second").cast(pl.Float64), "value": value.cast(pl.Float64)}
            step = max(-(-whole.height // POINTS_MAX), 1)
            parts.append(whole.gather_every(step).select(pl.lit(name).alias("side"), **columns))
        rows = pl.concat(parts).drop_nulls()
        if rows["side"].n_unique() == 2 and rows.height > 3 and rows["value"].max():
            found[title] = rows
    return found
