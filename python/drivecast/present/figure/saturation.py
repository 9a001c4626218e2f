"""Write saturation: IOPS and latency of random writes against how often the span was written, with the cliff."""

import altair as alt
import polars as pl

from drivecast.document.findings import Cliff
from drivecast.present import style
from drivecast.quantity import number

HEIGHTS = (190, 110)
PANEL_WIDTH = 790


def chart(series: pl.DataFrame, span_bytes: int, cliff: Cliff | None) -> alt.VConcatChart:
    """Draw the series of a write saturation test: rows `written_bytes`, `iops`, `latency_ns_mean`, `latency_ns_max`."""
    source = series.with_columns((pl.col("written_bytes") / span_bytes).alias("spans"))
    ends = float(source["spans"].max() or 1.0)  # type: ignore[arg-type]
    scale = alt.Scale(domain=[0, ends], nice=False)
    iops = alt.Chart(source).encode(
        alt.X("spans:Q", title=None, scale=scale, axis=alt.Axis(labels=False)),
        alt.Y("iops:Q", title="IOPS of random writes of 4 KiB", scale=alt.Scale(zero=True)),
    )
    upper = [
        iops.mark_line(color=style.WRITE, strokeWidth=1.6),
        iops.mark_point(color=style.WRITE, filled=True, size=14, opacity=1),
        *_cliff(cliff),
    ]
    return alt.vconcat(
        alt.LayerChart(layer=upper).properties(width=PANEL_WIDTH, height=HEIGHTS[0]),
        _latency(source, scale),
        spacing=12,
    )


def _latency(source: pl.DataFrame, scale: alt.Scale) -> alt.LayerChart:
    parts = [
        source.select(
            "spans", pl.lit(kind).alias("kind"), (pl.col(f"latency_ns_{key}") / 1e6).alias("latency_ms")
        )
        for kind, key in (("mean", "mean"), ("max", "max"))
    ]
    rows = pl.concat(parts).filter(pl.col("latency_ms") > 0)
    domain = style.log_domain(rows["latency_ms"].to_list())
    dash = alt.StrokeDash(
        "kind:N", legend=None, scale=alt.Scale(domain=["mean", "max"], range=[[1, 0], [2, 2]])
    )
    last = rows.group_by("kind", maintain_order=True).last()
    base = alt.Chart(rows).encode(
        alt.X("spans:Q", title="written, times the span", scale=scale),
        alt.Y(
            "latency_ms:Q",
            title="latency in each step (ms)",
            scale=alt.Scale(type="log", domain=domain, nice=False),
            axis=alt.Axis(values=style.log_values(*domain), format="~g", labelOverlap=True),
        ),
    )
    names = base.encode(alt.Text("kind:N"))
    layers = [
        base.mark_line(color=style.WRITE, strokeWidth=1.4).encode(dash),
        *(
            names.properties(data=last.filter(pl.col("kind") == kind)).mark_text(
                align="right", dy=dy, color=style.MUTED
            )
            for kind, dy in (("mean", 12), ("max", -10))
        ),
    ]
    return alt.LayerChart(layer=layers).properties(width=PANEL_WIDTH, height=HEIGHTS[1])


def _cliff(cliff: Cliff | None) -> list[alt.Chart]:
    if cliff is None:
        return []
    fall = f"{number.iops(cliff.iops_before)} to {number.iops(cliff.iops_settled)} IOPS"
    row = {
        "spans": cliff.spans,
        "name": f"cliff after {number.duration(cliff.start_s)}, {number.size(cliff.written_bytes)}: {fall}",
    }
    base = alt.Chart(pl.DataFrame([row])).encode(alt.X("spans:Q"))
    name = base.mark_text(align="left", baseline="top", dx=6, color=style.LIMIT).encode(
        alt.Text("name:N"), y=alt.value(2)
    )
    return [base.mark_rule(color=style.LIMIT, strokeDash=[5, 3]), name]
