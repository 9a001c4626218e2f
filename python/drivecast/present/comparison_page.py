"""A comparison as one self-contained HTML page: verdict, a table and four figures a point, and what was noted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
from markupsafe import Markup

from drivecast.document.comparison import Comparison, Point
from drivecast.document.outcome import QUANTILES, Second
from drivecast.files import write_whole
from drivecast.present import comparison_text, style
from drivecast.present.caption import CAPTIONS
from drivecast.present.comparison_wording import NAMES
from drivecast.present.figure import beside, latency
from drivecast.present.page import environment

DRAWN_MAX = 12
"""Points with figures; more make a page that no browser likes, and nobody reads."""
POINTS_MAX = 600
"""Of a curve, or seconds; more cannot be seen apart on paper."""
OPS = ("read", "write")


@dataclass(frozen=True)
class Drawn:
    """A figure of one point; `name` is its id on the page."""

    name: str
    caption: str
    chart: alt.TopLevelMixin

    @property
    def svg(self) -> Markup:
        """The drawing; the text in it was escaped when it was drawn."""
        return Markup(style.to_svg(self.chart))  # noqa: S704 (vl-convert escapes all text)


def write(made: Comparison, path: Path) -> None:
    """Write the page, whole or not at all."""
    predicted = made.predicted
    drawn = [
        figures(place, point, predicted=predicted) for place, point in enumerate(made.points[:DRAWN_MAX])
    ]
    text = (
        environment()
        .get_template("comparison.html")
        .render(
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
    )
    write_whole(path, text)


def figures(place: int, point: Point, *, predicted: bool) -> list[Drawn]:
    """The figures of one point; those without data are left out."""
    names = ["measured", "predicted" if predicted else "other"]
    found: list[tuple[str, alt.TopLevelMixin]] = []
    curves = {op: _curves(point, op, names) for op in OPS}
    curves = {op: curve for op, curve in curves.items() if curve["side"].n_unique() == 2}
    if curves:
        found.append(("beside-distribution", beside.distribution(curves, names)))
        tails = {
            op: curve.select(label="side", latency_ms="latency_ms", share=1 - pl.col("share")).filter(
                pl.col("share") >= 1e-5
            )
            for op, curve in curves.items()
        }
        found.append(("beside-tail", latency.chart(tails, {})))
    quantiles = {op: _quantiles(point, op) for op in OPS}
    quantiles = {op: table for op, table in quantiles.items() if table.height > 1}
    if quantiles:
        found.append(("beside-quantiles", beside.quantiles(quantiles, point.tolerance)))
    tables = _seconds(point, names)
    if tables:
        found.append(("beside-seconds", beside.seconds(tables, names)))
    return [Drawn(f"{name}-{place}", " ".join(CAPTIONS[name].split()), chart) for name, chart in found]


def _title(made: Comparison) -> str:
    against = "Predicted and measured" if made.predicted else "Measured twice"
    outcome = {"within": "within the tolerance", "beyond": "off", "untold": "hidden by noise"}[made.outcome]
    return f"{against}: {outcome}"


def _machine(machine: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The plain figures of the machine."""
    return [
        (name.replace("_", " "), str(value))
        for name, value in machine.items()
        if isinstance(value, str | int)
    ]


def _curves(point: Point, op: str, names: Sequence[str]) -> pl.DataFrame:
    """The cumulative distribution of both sides, over all repeats: `side`, `latency_ms`, `share`."""
    parts = []
    for name, run in zip(names, (point.run, point.prediction), strict=True):
        rows = [row for one in run.outcomes for row in one.latencies if row["op"] == op]
        if not rows:
            continue
        table = (
            pl.DataFrame(
                {"at": [float(row["latency_ns"]) for row in rows], "n": [float(row["count"]) for row in rows]}
            )
            .group_by("at")
            .agg(pl.col("n").sum())
            .sort("at")
            .filter(pl.col("at") > 0)
        )
        shares = table.select(
            pl.lit(name).alias("side"),
            (pl.col("at") / 1e6).alias("latency_ms"),
            (pl.col("n").cum_sum() / pl.col("n").sum()).alias("share"),
        )
        step = -(-shares.height // POINTS_MAX)
        parts.append(
            shares.with_row_index()
            .filter((pl.col("index") % step == 0) | (pl.col("share") > 0.9))
            .drop("index")
        )
    empty = pl.DataFrame(schema={"side": pl.String, "latency_ms": pl.Float64, "share": pl.Float64})
    return pl.concat([empty, *parts])


def _quantiles(point: Point, op: str) -> pl.DataFrame:
    rows = [
        {
            "name": NAMES[figure.figure],
            "measured_ms": figure.measured / 1e6,
            "predicted_ms": figure.predicted / 1e6,
        }
        for figure in point.figures
        if figure.op == op and figure.figure in QUANTILES
    ]
    schema = {"name": pl.String, "measured_ms": pl.Float64, "predicted_ms": pl.Float64}
    return pl.DataFrame(rows, schema=schema)


def _seconds(point: Point, names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Requests, and mean latencies of reads and writes, second by second; of the first repeat."""
    found = {}
    for title, value in (
        ("requests a second", _requests),
        ("mean read latency (ms)", _mean("read")),
        ("mean write latency (ms)", _mean("write")),
    ):
        rows = []
        for name, run in zip(names, (point.run, point.prediction), strict=True):
            whole = run.outcomes[0].seconds.whole(run.outcomes[0].duration_s)
            step = -(-len(whole) // POINTS_MAX) or 1
            rows += [
                {"side": name, "second": float(row["second"]), "value": at}
                for row in whole[::step]
                if (at := value(row)) is not None
            ]
        table = pl.DataFrame(rows, schema={"side": pl.String, "second": pl.Float64, "value": pl.Float64})
        if table["side"].n_unique() == 2 and table.height > 3 and table["value"].max():
            found[title] = table
    return found


def _requests(row: Second) -> float | None:
    reads, writes = row.get("reads"), row.get("writes")
    return None if reads is None or writes is None else float(reads + writes)


def _mean(op: str) -> Any:
    def value(row: Second) -> float | None:
        found = row.get("read_latency_ns_mean") if op == "read" else row.get("write_latency_ns_mean")
        return float(found) / 1e6 if found else None

    return value
