"""Measures and draws the figures of docs/explanation/health-forecast.md, on simulated drives whose future is known.

Coverage: how often the 80 % interval of a date holds the true day, by kind of workload and length of history, for a
mixed fleet, for fleets of one kind, and for drives on their own. Detection: false changes a drive-year, and the share
of true changes that are found within so many days. Takes some minutes; the tables are printed.
"""

import math
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl

from drivecast.health.forecast import change, trajectory_of
from drivecast.health.forecast.day_grid import Floats
from drivecast.health.forecast.estimate import Estimate, estimate
from drivecast.health.forecast.limit_dates import fleet_prior, outlook
from drivecast.present import style
from drivecast.present.figure.service import written

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/data"))
from drive_histories import FUTURE_DAYS, KINDS, Drive, day_reached, drive, tables  # noqa: E402

IMAGES = ROOT / "docs/images"
LENGTHS = (14, 30, 90, 180, 365, 730)
LEVEL = 0.8


def fleet(
    count: int, kinds: Sequence[str], lengths: Sequence[int], seed: int, *, hourly: bool = False
) -> list[Drive]:
    """Draw drives, kinds and lengths in turn."""
    random = np.random.default_rng(seed)
    return [
        drive(
            kinds[number % len(kinds)],
            lengths[number // len(kinds) % len(lengths)],
            random,
            hourly=hourly,
            resets=hourly,
        )
        for number in range(count)
    ]


def covered(drives: list[Drive], seed: int, *, alone: bool = False) -> pl.DataFrame:
    """Return kind, days and whether the interval held the truth, for `writes` and `media`."""
    known, samples = tables(drives)
    random = np.random.default_rng(seed)
    away = np.exp(random.uniform(math.log(30), math.log(1095), len(drives))) * [
        drive.rate for drive in drives
    ]
    parts: list[Estimate] = []
    if alone:
        for key, some in enumerate(samples.partition_by("drive", maintain_order=True)):
            parts.append(estimate(known[key : key + 1], some))
    else:
        parts.append(estimate(known, samples))
    totals = pl.concat([part.table.select("drive", "total") for part in parts])
    rated = totals.select("drive", rated_bytes=pl.col("total") + pl.Series(away), warranty_years=pl.lit(5.0))
    together = fleet_prior(parts)
    found = pl.concat(
        [outlook(part, fleet_prior([part]) if alone else together, rated, LEVEL) for part in parts],
        how="diagonal_relaxed",
    )
    truth = {
        "writes": [day_reached(drive.future, limit) for drive, limit in zip(drives, away, strict=True)],
        "media": [day_reached(drive.worn, 1.0) for drive in drives],
    }
    rows = []
    for name, days in truth.items():
        columns = (found[f"{name}_days{part}"].to_list() for part in ("_low", "", "_high"))
        for simulated, true, low, middle, high in zip(drives, days, *columns, strict=True):
            if math.isinf(middle):
                continue
            held = low <= true <= high if math.isfinite(true) else low <= FUTURE_DAYS <= high
            early = min(true, FUTURE_DAYS) < low
            rows.append((name, simulated.kind, simulated.days, simulated.wear_step, held, early, high / low))
    return pl.DataFrame(
        rows, schema=["end", "kind", "days", "wear_step", "held", "early", "width"], orient="row"
    )


def summary(rows: pl.DataFrame, by: str | None) -> pl.DataFrame:
    """Coverage by end and another column."""
    keys = ["end"] if by is None else ["end", by]
    return rows.group_by(keys, maintain_order=True).agg(
        pl.len().alias("drives"),
        pl.col("held").mean().round(3),
        pl.col("early").mean().round(3),
        pl.col("width").median().round(2),
    )


def false_changes(seed: int, drives: int = 300, days: int = 365) -> dict[str, float]:
    """False changes a drive-year of each kind that has none, judged within a fleet of its own."""
    found = {}
    for kind in KINDS[:-1]:
        estimates = estimate(*tables(fleet(drives, [kind], [days], seed)))
        found[kind] = estimates.steps.height / drives
    return found


def delays(seed: int, drives: int = 400, days: int = 200) -> pl.DataFrame:
    """Share of changes that are marked, within three days of where they are, so many days after them."""
    rows = []
    for noise in (0.1, 0.3, 1.0):
        for factor in (1.5, 2.0, 4.0):
            row: dict[str, float] = {"noise": noise, "factor": factor}
            for passed in (3, 4, 5, 7, 10, 14, 21, 28):
                random = np.random.default_rng(seed)
                daily = np.exp(noise * random.normal(size=(drives, days))) * 1e11
                daily[:, days - passed :] *= factor
                total: Floats = np.concatenate([np.zeros((drives, 1)), np.cumsum(daily, axis=1)], axis=1)
                step = np.full(drives, 512_000.0)
                z = change.logarithms(total, step)
                flat = change.without_weekdays(z)
                variance = change.long_run_variance(flat, z, step)
                marks = change.changes(change.without_spikes(flat), variance)
                near = slice(max(0, days - passed - 3), days - passed + 4)
                row[f"{passed} d"] = round(float(marks[:, near].any(axis=1).mean()), 2)
            rows.append(row)
    return pl.DataFrame(rows)


def draw_coverage(rows: pl.DataFrame) -> None:
    """Coverage by kind of the mixed fleet and of fleets of one kind."""
    band = alt.Chart(pl.DataFrame({"low": [0.75], "high": [0.85]})).mark_rect(color=style.PEAK)
    scale = alt.Scale(domain=[0.5, 1.0], zero=False)
    x = alt.X(
        "held:Q", title="share of intervals that hold the true day", axis=alt.Axis(format="%"), scale=scale
    )
    y = alt.Y("kind:N", title=None, sort=["all", *KINDS])
    names = ["one of a mixed fleet", "in a fleet of its kind", "on its own"]
    points = (
        alt.Chart(rows)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x,
            y,
            alt.Color(
                "fleet:N", title=None, sort=names, scale=alt.Scale(domain=names, range=style.LINES[:3])
            ),
            alt.Shape("fleet:N", title=None, sort=names, scale=alt.Scale(domain=names)),
        )
    )
    shade = band.encode(alt.X("low:Q", scale=scale), alt.X2("high:Q"))
    _write("coverage", style.layered([shade, points], 230))


def draw_drive() -> None:
    """One drive with two changes of workload, beside a fleet that has them too."""
    drives = fleet(60, ["steps"], [540], 4)
    known, samples = tables(drives)
    place = next(
        number for number, drive in enumerate(drives) if len(drive.changed) == 2 and drive.wear_step == 0.01
    )
    rated = pl.DataFrame(
        {
            "drive": range(60),
            "rated_bytes": [
                float(drive.samples["host_written_bytes"][-1]) + drive.rate * 900 for drive in drives
            ],
            "warranty_years": 5.0,
        }
    )
    now = datetime(2026, 6, 1, tzinfo=UTC)
    last = samples.group_by("drive").agg(pl.col("time").last().alias("last"))
    moved = samples.join(last, on="drive", maintain_order="left").with_columns(
        time=pl.lit(now) + (pl.col("time") - pl.col("last"))
    )
    found = trajectory_of(f"SIM{place:06d}", [(known, moved.drop("last"))], lambda _drives: rated, now=now)
    if found is not None:
        _write("drive", written(found))


def _write(name: str, chart: alt.LayerChart) -> None:
    style.save_svg(chart, IMAGES / f"health-forecast-{name}.svg")
    if folder := os.environ.get("FIGURE_PNG"):
        style.to_png(chart, Path(folder) / f"health-forecast-{name}.png")


def main() -> None:
    """Measure, print, draw."""
    pl.Config.set_tbl_rows(60)
    pl.Config.set_tbl_cols(20)
    mixed = covered(fleet(3600, KINDS, LENGTHS, 1), 2)
    print(
        "mixed fleet",
        summary(mixed, None),
        summary(mixed, "kind"),
        summary(mixed, "days"),
        summary(mixed, "wear_step"),
    )
    hourly = covered(fleet(360, KINDS, (14, 90, 180), 3, hourly=True), 4)
    print("by the hour, counters reset", summary(hourly, None))
    same = pl.concat([covered(fleet(600, [kind], LENGTHS, 5), 6) for kind in KINDS])
    print("fleets of one kind", summary(same, None), summary(same, "kind"))
    alone = covered(fleet(720, KINDS, LENGTHS, 7), 8, alone=True)
    print("on their own", summary(alone, None), summary(alone, "kind"))
    print("false changes a drive-year", false_changes(9))
    print("found", delays(10))
    rows = []
    for name, part in (
        ("one of a mixed fleet", mixed),
        ("in a fleet of its kind", same),
        ("on its own", alone),
    ):
        writes = part.filter(pl.col("end") == "writes")
        rows.append({"fleet": name, "kind": "all", "held": writes["held"].mean()})
        rows += [
            {"fleet": name, "kind": kind, "held": writes.filter(pl.col("kind") == kind)["held"].mean()}
            for kind in KINDS
        ]
    draw_coverage(pl.DataFrame(rows))
    draw_drive()


if __name__ == "__main__":
    main()
