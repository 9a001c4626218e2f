"""Measured runs: throughput and latency by depth, by size and mix, by kind of waiting, over time, target by target."""

import altair as alt
import polars as pl

from drivecast.present import style
from drivecast.present.figure import channel
from drivecast.present.figure.channel import STROKE, Look, Timeline, largest, log, ordered
from drivecast.quantity.number import multiple

RATE = "requests per second (IOPS)"
INNER = 780
"""Width of a panel across the page, inside of axes and titles."""
QUANTILES = {"p95": [1, 0], "p99": [2, 2]}
MATRIX = {"mb_per_s": "throughput (MB/s)", "p99_ms": "p99 latency (ms)"}
SIZES = {"iops": RATE, "mb_per_s": "throughput (MB/s)"}
WAITING = ["threads that wait", "one that does not"]


def depth_sweep(
    rows: pl.DataFrame, knees: pl.DataFrame, what: str = "requests outstanding"
) -> alt.VConcatChart:
    """Draw throughput and latency against the requests outstanding, with the knee of each line.

    The dashed bounds meet at the knee: below it the time of a lone request bounds the throughput, above it what the
    target lets through at most. Rows `label`, `depth`, `iops`, `p95_ms`, `p99_ms`; knees `label`, `depth`, `iops_max`,
    `round_s`, `text`.
    """
    color = channel.colours("label", ordered(rows, "label"), columns=2, **STROKE)
    depths = sorted(rows["depth"].unique().to_list())
    scale = alt.Scale(type="log", base=2, domain=[depths[0] / 1.08, depths[-1] * 1.08], nice=False)
    x = alt.X("depth:Q", title=what, scale=scale, axis=alt.Axis(values=depths, format="~g"))
    return alt.vconcat(_throughput(rows, knees, x, color), _latency(rows, x, color), spacing=18)


def _throughput(rows: pl.DataFrame, knees: pl.DataFrame, x: alt.X, color: alt.Color) -> alt.LayerChart:
    y = channel.rate(alt.Y, "iops", RATE, largest(rows["iops"]) * 1.12, 5)
    layers = [alt.Chart(rows).mark_line(strokeWidth=2, point={"size": 36}).encode(x, y, color)]
    inside = knees.filter(pl.col("depth").is_between(rows["depth"].min(), rows["depth"].max()))
    if inside.height:
        bound = alt.Chart(_bounds(inside, rows)).mark_line(strokeDash=[5, 4], strokeWidth=1, opacity=0.75)
        knee = alt.Chart(inside).encode(x, alt.Y("iops_max:Q", title=RATE))
        name = knee.mark_text(align="left", baseline="top", dx=8, dy=6, fontSize=11.5)
        layers += [
            bound.encode(x, y, color, alt.Detail("part:N")),
            knee.mark_point(size=90, filled=True, shape="diamond", opacity=1).encode(color),
            name.encode(alt.Text("text:N")),
        ]
    return channel.stacked(layers, INNER, 210)


def _bounds(knees: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The two asymptotes of each knee, each from the edge of the drawing to the knee."""
    low, high = float(rows["depth"].min() or 1), largest(rows["depth"])  # type: ignore[arg-type]
    made = []
    for label, depth, iops_max, round_s in knees.select("label", "depth", "iops_max", "round_s").iter_rows():
        rising = [low * (depth / low) ** (step / 24) for step in range(25)]
        made += [(label, f"{label} rising", at, at / round_s) for at in rising]
        made += [(label, f"{label} flat", at, iops_max) for at in (depth, high)]
    return pl.DataFrame(made, schema=["label", "part", "depth", "iops"], orient="row")


def _latency(rows: pl.DataFrame, x: alt.X, color: alt.Color) -> alt.LayerChart:
    parts = [
        rows.select("label", "depth", pl.lit(name).alias("quantile"), latency_ms=f"{name}_ms")
        for name in QUANTILES
    ]
    source = pl.concat(parts).filter(pl.col("latency_ms") > 0)
    domain = style.log_domain(source["latency_ms"].to_list(), 1.25)
    y = log(alt.Y, "latency_ms", "latency that 95 % and 99 % keep (ms)", domain)
    legend = {**STROKE, "symbolStrokeColor": style.INK}
    dash = channel.dashes("quantile", list(QUANTILES), list(QUANTILES.values()), **legend)
    base = alt.Chart(source).encode(x, y, color)
    layers = [base.mark_line(strokeWidth=1.8).encode(dash), base.mark_circle(size=26, opacity=1)]
    return channel.stacked(layers, INNER, 190)


def size_sweep(rows: pl.DataFrame) -> alt.HConcatChart:
    """Draw requests and bytes a second against the size: a line that stays level is a limit that somebody set.

    Rows `label`, `size`, `size_bytes`, `iops`, `mb_per_s`.
    """
    x = channel.classes("size:N", "request size", ordered(rows, "size", by="size_bytes"))
    color = channel.colours("label", ordered(rows, "label"), least=1, **STROKE)
    base = alt.Chart(rows).mark_line(strokeWidth=2, point={"size": 40})
    panels = []
    for field, title in SIZES.items():
        y = log(alt.Y, field, title, style.log_domain(rows[field].to_list(), 1.25), format=",.10~g")
        panels.append(channel.sized(base.encode(x, y, color), 366, 190))
    return alt.hconcat(*panels, spacing=24)


def mix_matrix(rows: pl.DataFrame) -> alt.HConcatChart:
    """Draw throughput beside p99 by request size and share of reads, in shades of equal ratio.

    Rows `size`, `size_bytes`, `read` (percent), `mb_per_s`, `p99_ms` of one target.
    """
    mixes = rows["read"].unique().sort(descending=True).to_list()
    axes = (
        channel.classes("size:N", "request size", ordered(rows, "size", by="size_bytes"), labelAngle=-45),
        alt.Y("read:O", title="reads (%)", sort=mixes),
    )
    look: Look = {"anchor": "start", "fontSize": 12.5, "fontWeight": "normal", "color": style.INK}
    panels = []
    for measure, title in MATRIX.items():
        known = rows.filter(pl.col(measure) > 0)
        if rows[measure].null_count() < rows.height:
            domain = style.log_domain(known[measure].to_list(), 1.0)
            layers = channel.cells(known, axes, measure, domain, 11, None, stroke="white", strokeWidth=1)
            panel = channel.stacked(layers, 350, 30 * len(mixes)).resolve_scale(color="independent")
            panels.append(panel.properties(title=alt.Title(title, **look)))
    return alt.hconcat(*panels, spacing=26)


def waiting(rows: pl.DataFrame) -> alt.VConcatChart:
    """Draw threads that wait for each request beside one thread that does not, at the same number outstanding.

    Rows `depth`, `kind` (of `WAITING`), `iops`, `p99_ms`.
    """
    depths = sorted(rows["depth"].unique().to_list())
    parts = [("iops", RATE, 190)]
    if rows["p99_ms"].null_count() < rows.height:
        parts.append(("p99_ms", "p99 latency (ms)", 140))
    base = alt.Chart(rows).mark_bar()
    base = base.encode(
        channel.classes("depth:O", "requests outstanding", depths),
        alt.XOffset("kind:N", sort=WAITING),
        channel.colours("kind", WAITING, [style.READ, style.WRITE]),
    )
    panels = [
        channel.sized(base.encode(channel.rate(alt.Y, field, title)), INNER, height)
        for field, title, height in parts
    ]
    return alt.vconcat(*panels, spacing=16)


def warm_up(rows: pl.DataFrame, settled: pl.DataFrame) -> alt.LayerChart:
    """Draw throughput over a long run in equal stretches, with the moment from which on it is settled.

    Rows `label`, `start_s`, `end_s`, `iops`; settled `label`, `at_s`, where it was reached.
    """
    time = Timeline(largest(rows["end_s"]))
    color = channel.colours("label", ordered(rows, "label"), **STROKE)
    line = alt.Chart(rows.with_columns(time.of("start_s"))).mark_line(
        interpolate="step-after", strokeWidth=1.8
    )
    layers = [line.encode(time.axis(), channel.rate(alt.Y, "iops", RATE, ticks=5), color)]
    if settled.height:
        marks = settled.with_columns(time.of("at_s"), name=pl.lit("settled"))
        base = alt.Chart(marks).encode(alt.X("start:Q"))
        name = base.mark_text(align="left", baseline="top", dx=5, color=style.MUTED)
        layers += [
            base.mark_rule(strokeDash=[5, 3]).encode(color),
            name.encode(alt.Text("name:N"), y=alt.value(2)),
        ]
    return style.layered(layers, 230)


def jitter(rows: pl.DataFrame) -> alt.VConcatChart:
    """Draw every second's throughput as a dot, with the density of the seconds beside it.

    An even target is a narrow band and one sharp peak; several peaks are several states (a cache, a rate limit,
    cleaning). Rows `label`, `second`, `iops`, `latency_max_ms`.
    """
    names = ordered(rows, "label")
    x = alt.X("second:Q", title="time (s)", scale=alt.Scale(nice=False))
    top = largest(rows["iops"]) * 1.05
    panels = []
    for at, name in enumerate(names):
        color = style.LINES[at % len(style.LINES)]
        title = f"{name}: {RATE}" if len(names) > 1 else RATE
        panels.append(_seconds(rows.filter(pl.col("label") == name), x, title, top, color))
    source = rows.filter(pl.col("latency_max_ms") > 0)
    if rows["latency_max_ms"].null_count() < rows.height:
        domain = style.log_domain(source["latency_max_ms"].to_list())
        dots = alt.Chart(source).mark_circle(size=16, opacity=0.55)
        dots = dots.encode(
            x,
            log(alt.Y, "latency_max_ms", "longest latency in each second (ms)", domain),
            channel.colours("label", names, columns=2, symbolType="circle"),
        )
        panels.append(alt.hconcat(channel.sized(dots, 620, 130)))
    return alt.vconcat(*panels, spacing=14)


def _seconds(rows: pl.DataFrame, x: alt.X, title: str, top: float, color: str) -> alt.HConcatChart:
    y = channel.rate(alt.Y, "iops", title, top)
    dots = alt.Chart(rows).mark_circle(size=16, opacity=0.55, color=color).encode(x, y)
    axes = (
        alt.X("density:Q", title="density", stack=None, axis=alt.Axis(labels=False, ticks=False)),
        alt.Y(
            "rate:Q",
            title=None,
            scale=alt.Scale(domain=[0, top], nice=False),
            axis=alt.Axis(labels=False, grid=True, tickCount=4),
        ),
    )
    base = alt.Chart(rows).transform_density("iops", as_=["rate", "density"], extent=[0, top], steps=200)
    layers = [
        base.mark_area(color=color, opacity=0.3, orient="horizontal").encode(*axes),
        base.mark_line(color=color, strokeWidth=1.2).encode(*axes, alt.Order("rate:Q")),
    ]
    return alt.hconcat(channel.sized(dots, 620, 150), channel.stacked(layers, 118, 150), spacing=6)


def target_ratio(rows: pl.DataFrame, first: str) -> alt.LayerChart:
    """Draw how many times what the first target carries the others do, from rows `label`, `target`, `ratio`.

    Bars start at 1×, so what carries less points left.
    """
    source = channel.worded(rows.filter(pl.col("ratio") > 0), "ratio", multiple)
    names, others = ordered(source, "label"), ordered(source, "target")
    low, high = style.log_domain([1.0, *source["ratio"].to_list()], 1.3)
    title, ticks = f"throughput, times that of {first}", style.log_values(low, high)
    base = alt.Chart(source.with_columns(unity=pl.lit(1.0))).encode(
        channel.times("ratio", title, (low, high * 1.15), values=ticks),
        channel.named("label", names),
        alt.YOffset("target:N", sort=others),
    )
    shades = style.LINES[1:] + style.LINES[:1]
    text = base.encode(alt.Text("text:N"))
    more, less = (text.transform_filter(f"datum.ratio {sign} 1") for sign in (">=", "<"))
    words = [
        more.mark_text(align="left", dx=5, color=style.MUTED),
        less.mark_text(align="right", dx=-5, color=style.MUTED),
    ]
    bars = base.mark_bar().encode(alt.X2("unity:Q"), channel.colours("target", others, shades, columns=1))
    return style.layered([bars, *words, channel.unity("ratio")], 70 + 22 * max(1, len(others)) * len(names))
