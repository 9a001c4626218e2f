"""Metrics of drives for Prometheus: one table of them, and the families made from a table of drives.

Base units throughout: bytes, seconds, ratios. Only the serial number distinguishes drives; all other labels of identity
are in `drivecast_drive_info`, to be joined with `* on (job, instance, serial) group_left (…)`, so that a drive that
moves to another host continues as the same series. What a drive does not report has no sample: a missing figure is
never a zero. The number of series is that of the metrics below times the drives; nothing that changes by itself is a
label.

The bounds of an interval are metrics of their own (`_low`, `_high`): a label would let `sum` add them up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric

from drivecast.document.drive_health import Status
from drivecast.quantity.year import DAY_S

INFO_LABELS = ("model", "firmware", "bus", "vendor", "host", "device", "group")
STATUSES = get_args(Status)
HOUR_S = 3600.0


@dataclass(frozen=True)
class Described:
    """One metric: where its values come from, and what it means."""

    kind: Literal["counter", "gauge"]
    name: str
    """Without `drivecast_drive_` and, for a counter, without `_total`."""
    help: str
    of: str = ""
    """Column of the table of drives, where its name is another."""
    scale: float = 1.0
    """From the column's unit to the base unit."""

    @property
    def column(self) -> str:
        """Of the table of drives."""
        return self.of or self.name

    @property
    def family(self) -> str:
        """The name as Prometheus shows it."""
        return f"drivecast_drive_{self.name}" + ("_total" if self.kind == "counter" else "")


def _bounded(name: str, of: str, what: str, bounds: Sequence[str], scale: float = 1.0) -> list[Described]:
    """A gauge with the bounds of its interval."""
    wordings = ("", *(f", {bound} of the interval" for bound in bounds))
    return [
        Described("gauge", name.format(end), f"{what}{wording}.", of + end, scale)
        for end, wording in zip(("", "_low", "_high"), wordings, strict=True)
    ]


DRIVE_METRICS: tuple[Described, ...] = (
    Described("counter", "host_written_bytes", "Bytes that the host has written."),
    Described("counter", "host_read_bytes", "Bytes that the host has read."),
    Described("counter", "nand_written_bytes", "Bytes that were programmed into flash."),
    Described("counter", "media_errors", "Media errors that the drive counted."),
    Described("counter", "reallocated_sectors", "Sectors that the drive replaced."),
    Described("gauge", "pending_sectors", "Sectors that wait to be replaced."),
    Described(
        "gauge",
        "recent_errors",
        "New errors of the last 30 days; longer where it is read seldom, 90 where they come slowly.",
        "errors_recent",
    ),
    Described("counter", "power_cycles", "How often the drive was powered on."),
    Described("counter", "power_on_seconds", "Time the drive was powered.", "power_on_hours", HOUR_S),
    Described("gauge", "wear_ratio", "Wear of the flash: 1 at the end of its rated cycles."),
    Described("gauge", "spare_ratio", "Share of the spare blocks that is left."),
    Described("gauge", "spare_threshold_ratio", "Spare at which the drive itself expects to fail."),
    Described("gauge", "temperature_celsius", "Temperature of the drive.", "temperature_c"),
    Described("gauge", "passed", "1 where the drive judges itself healthy, 0 where it does not."),
    Described("gauge", "capacity_bytes", "Usable capacity."),
    Described(
        "gauge", "rated_writes_bytes", "Host writes that the maker rates the drive for (TBW).", "rated_bytes"
    ),
    *_bounded(
        "write{}_bytes_per_second",
        "written_bytes_per_day",
        "Host writes of the recent workload",
        ("low end", "high end"),
        1 / DAY_S,
    ),
    Described(
        "gauge",
        "lifetime_write_bytes_per_second",
        "Host writes over the whole life of the drive.",
        "lifetime_bytes_per_day",
        1 / DAY_S,
    ),
    Described(
        "gauge",
        "write_amplification_ratio",
        "Flash bytes for each host byte, of the recent workload.",
        "write_amplification",
    ),
    Described(
        "gauge",
        "lifetime_write_amplification_ratio",
        "Flash bytes for each host byte, over the whole life of the drive.",
        "write_amplification_lifetime",
    ),
    *_bounded(
        "media_end{}_timestamp_seconds",
        "media_end",
        "When the flash reaches its rated cycles, as forecast",
        ("earliest", "latest"),
    ),
    *_bounded(
        "spare_end{}_timestamp_seconds",
        "spare_end",
        "When the spare reaches its threshold, as forecast",
        ("earliest", "latest"),
    ),
    *_bounded(
        "warranty_end{}_timestamp_seconds",
        "warranty_end",
        "When the warranty ends, by rated writes or by its term, as forecast",
        ("earliest", "latest"),
    ),
    Described(
        "gauge",
        "workload_changed_timestamp_seconds",
        "When the workload last changed its pace.",
        "changed_at",
    ),
    Described(
        "gauge", "first_sample_timestamp_seconds", "Time of the first sample in the history.", "first_seen"
    ),
    Described("gauge", "last_sample_timestamp_seconds", "Time of the last sample in the history.", "time"),
    Described(
        "gauge",
        "silent_after_seconds",
        "Age of the last sample from which the drive is silent: three usual gaps of its host, two days at least.",
        "silent_after_s",
    ),
)

INFO_HELP = "Which drive this is: 1, with what it is called in labels."
STATUS_HELP = "1 for the list of `health report` that the drive is in, 0 for the others."

CONCERN_HELP = "1 for everything to report about the drive, with the list that it puts the drive in."


def families(drives: pl.DataFrame) -> Iterator[Metric]:
    """The metrics of a table of drives, one family at a time: a large fleet is never held as samples at once.

    A serial number that two rows share would make the whole scrape invalid, so the caller sees to it that none does.
    """
    serials = drives["serial"].to_list()
    info = InfoMetricFamily("drivecast_drive", INFO_HELP, labels=["serial"])
    known = drives.select("serial", *(name for name in INFO_LABELS if name in drives.columns))
    for row in known.iter_rows(named=True):
        info.add_metric([row["serial"]], {name: str(row.get(name) or "") for name in INFO_LABELS})
    yield info
    yield from _lists(drives)
    for metric in DRIVE_METRICS:
        if metric.column in drives.columns:
            column = pl.col(metric.column)
            if drives.schema[metric.column].is_temporal():
                column = column.cast(pl.Datetime("us")).dt.epoch("us") / 1e6
            values = drives.select(column.cast(pl.Float64) * metric.scale).to_series()
            yield labelled(metric.family, metric.help, "serial", zip(serials, values, strict=True))


def _lists(drives: pl.DataFrame) -> Iterator[Metric]:
    """The list that each drive is in, and everything that puts it there."""
    serials = drives["serial"].to_list()
    if "status" in drives.columns:
        states = GaugeMetricFamily("drivecast_drive_status", STATUS_HELP, labels=["serial", "status"])
        for serial, status in zip(serials, drives["status"], strict=True):
            for name in STATUSES if status is not None else ():
                states.add_metric([serial, name], float(name == status))
        yield states
    if "concerns" in drives.columns:
        told = GaugeMetricFamily(
            "drivecast_drive_concern", CONCERN_HELP, labels=["serial", "concern", "status"]
        )
        for serial, concerns in zip(serials, drives["concerns"].to_list(), strict=True):
            for concern in concerns or ():
                told.add_metric([serial, concern["kind"], concern["status"]], 1.0)
        yield told


def labelled(name: str, text: str, label: str, values: Iterable[tuple[str, float | None]]) -> Metric:
    """A family with one label, a counter by its name; no sample where there is no value."""
    kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
    made = kind(name, text, labels=[label])
    for of, value in values:
        if value is not None:
            made.add_metric([of], value)
    return made
