"""Metrics of drives for Prometheus: one table of them, and the families made from a table of drives.

Base units throughout: bytes, seconds, ratios. Only the serial number distinguishes drives; all other labels of identity
are in `drivecast_drive_info`, to be joined with `* on (job, instance, serial) group_left (…)`, so that a drive that
moves to another host continues as the same series. What a drive does not report has no sample: a missing figure is
never a zero. The number of series is that of the metrics below times the drives; nothing that changes by itself is a
label.

The bounds of an interval are metrics of their own (`_low`, `_high`): a label would let `sum` add them up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric

INFO_LABELS = ("model", "firmware", "bus", "vendor", "host", "device", "group")
STATUSES = ("alarm", "soon", "ok", "not enough data")
SECONDS_PER_HOUR = 3600.0
SECONDS_PER_DAY = 86_400.0


@dataclass(frozen=True)
class Described:
    """One metric: where its values come from, and what it means."""

    name: str
    """Without `drivecast_drive_` and, for a counter, without `_total`."""
    kind: Literal["counter", "gauge"]
    column: str
    """Of the table of drives."""
    help: str
    scale: float = 1.0
    """From the column's unit to the base unit."""

    @property
    def family(self) -> str:
        """The name as Prometheus shows it."""
        return f"drivecast_drive_{self.name}" + ("_total" if self.kind == "counter" else "")


def _dated(name: str, column: str, what: str) -> tuple[Described, ...]:
    """A date with the bounds of its interval."""
    return tuple(
        Described(f"{name}{end}_timestamp_seconds", "gauge", column + end, f"{what}{wording}.")
        for end, wording in (
            ("", ""),
            ("_low", ", earliest of the interval"),
            ("_high", ", latest of the interval"),
        )
    )


DRIVE_METRICS: tuple[Described, ...] = (
    Described("host_written_bytes", "counter", "host_written_bytes", "Bytes that the host has written."),
    Described("host_read_bytes", "counter", "host_read_bytes", "Bytes that the host has read."),
    Described(
        "nand_written_bytes", "counter", "nand_written_bytes", "Bytes that were programmed into flash."
    ),
    Described("media_errors", "counter", "media_errors", "Media errors that the drive counted."),
    Described("reallocated_sectors", "counter", "reallocated_sectors", "Sectors that the drive replaced."),
    Described("power_cycles", "counter", "power_cycles", "How often the drive was powered on."),
    Described(
        "power_on_seconds", "counter", "power_on_hours", "Time the drive was powered.", SECONDS_PER_HOUR
    ),
    Described("wear_ratio", "gauge", "wear_ratio", "Wear of the flash: 1 at the end of its rated cycles."),
    Described("spare_ratio", "gauge", "spare_ratio", "Share of the spare blocks that is left."),
    Described("temperature_celsius", "gauge", "temperature_c", "Temperature of the drive."),
    Described("passed", "gauge", "passed", "1 where the drive judges itself healthy, 0 where it does not."),
    Described("capacity_bytes", "gauge", "capacity_bytes", "Usable capacity."),
    Described(
        "rated_writes_bytes", "gauge", "rated_bytes", "Host writes that the maker rates the drive for (TBW)."
    ),
    *(
        Described(
            f"write{end}_bytes_per_second",
            "gauge",
            f"written_bytes_per_day{end}",
            f"Host writes of the recent workload{wording}.",
            1 / SECONDS_PER_DAY,
        )
        for end, wording in (
            ("", ""),
            ("_low", ", low end of the interval"),
            ("_high", ", high end of the interval"),
        )
    ),
    Described(
        "lifetime_write_bytes_per_second",
        "gauge",
        "lifetime_bytes_per_day",
        "Host writes over the whole life of the drive.",
        1 / SECONDS_PER_DAY,
    ),
    Described(
        "write_amplification_ratio",
        "gauge",
        "write_amplification",
        "Flash bytes for each host byte, of the recent workload.",
    ),
    Described(
        "lifetime_write_amplification_ratio",
        "gauge",
        "write_amplification_lifetime",
        "Flash bytes for each host byte, over the whole life of the drive.",
    ),
    *_dated("media_end", "media_end", "When the flash reaches its rated cycles, as forecast"),
    *_dated(
        "warranty_end", "warranty_end", "When the warranty ends, by rated writes or by its term, as forecast"
    ),
    Described(
        "workload_changed_timestamp_seconds",
        "gauge",
        "changed_at",
        "When the workload last changed its pace.",
    ),
    Described(
        "first_sample_timestamp_seconds", "gauge", "first_seen", "Time of the first sample in the history."
    ),
    Described("last_sample_timestamp_seconds", "gauge", "time", "Time of the last sample in the history."),
)

INFO_HELP = "Which drive this is: 1, with what it is called in labels."
STATUS_HELP = "1 for the one status that the drive is in, 0 for the others."


def seconds(column: pl.Expr, kind: pl.DataType) -> pl.Expr:
    """Dates and times as seconds since the epoch; other columns as they are."""
    return column.cast(pl.Datetime("us")).dt.epoch("us") / 1e6 if kind.is_temporal() else column


def families(drives: pl.DataFrame) -> Iterator[Metric]:
    """The metrics of a table of drives, one family at a time: a large fleet is never held as samples at once.

    A serial number that two rows share would make the whole scrape invalid, so the caller sees to it that none does.
    """
    serials = drives["serial"].to_list()
    info = InfoMetricFamily("drivecast_drive", INFO_HELP, labels=["serial"])
    for row in drives.select("serial", *(c for c in INFO_LABELS if c in drives.columns)).iter_rows(
        named=True
    ):
        serial = row.pop("serial")
        info.add_metric([serial], {name: str(row.get(name) or "") for name in INFO_LABELS})
    yield info
    if "status" in drives.columns:
        states = GaugeMetricFamily("drivecast_drive_status", STATUS_HELP, labels=["serial", "status"])
        for serial, status in zip(serials, drives["status"], strict=True):
            for name in STATUSES if status is not None else ():
                states.add_metric([serial, name], float(name == status))
        yield states
    for metric in DRIVE_METRICS:
        if metric.column in drives.columns:
            yield _family(metric, serials, drives)


def _family(metric: Described, serials: list[str], drives: pl.DataFrame) -> Metric:
    values = drives.select(
        seconds(pl.col(metric.column), drives.schema[metric.column]).cast(pl.Float64) * metric.scale
    ).to_series()
    make = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    made = make(f"drivecast_drive_{metric.name}", metric.help, labels=["serial"])
    for serial, value in zip(serials, values, strict=True):
        if value is not None:
            made.add_metric([serial], value)
    return made
