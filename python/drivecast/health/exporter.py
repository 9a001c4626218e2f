"""The state behind `drivecast health serve`: refreshed every so often, reported to whoever asks in between.

A refresh reads its sources, stores the records, forecasts, and replaces the snapshot. A refresh that fails is counted
by its stage and leaves the last good snapshot in place, whose age every scrape reports. Bodies are made once a refresh
for each format that was requested before, so that a scrape copies bytes and computes nothing.
"""

import gzip
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import polars as pl
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from drivecast import __version__
from drivecast.health import metrics

STAGES = ("read", "history", "forecast")
FORMATS_KEPT = 4
EXPORTER_HELP = {
    "drivecast_exporter_drives": "Drives that are served.",
    "drivecast_exporter_duplicate_serials": "Drives left out because another drive has the same serial number.",
    "drivecast_exporter_up": "1 where the last refresh succeeded in every stage.",
    "drivecast_exporter_refresh_seconds": "How long the last refresh took.",
    "drivecast_exporter_last_refresh_timestamp_seconds": "When the last refresh ended, well or not.",
    "drivecast_exporter_last_success_timestamp_seconds": "When the last refresh that succeeded ended.",
    "drivecast_exporter_refreshes_total": "Refreshes so far.",
    "drivecast_exporter_errors_total": "Refreshes in which a stage failed, by stage.",
    "drivecast_place_unreadable": "1 for each place at which a drive was expected and could not be read.",
    "drivecast_build_info": "Version of the program.",
}
"""Metrics of the exporter itself."""


class StageError(Exception):
    """A stage of a refresh failed; what was made until then is served."""

    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(f"{stage}: {reason}")
        self.stage = stage


@dataclass(frozen=True)
class Found:
    """What one refresh found."""

    drives: pl.DataFrame
    """One row a drive: what `drives_in_service` gives."""
    unreadable: Sequence[str] = ()
    """Places at which a drive could not be read."""
    errors: Sequence[StageError] = ()
    notes: Sequence[str] = ()
    """What a person should read in the journal: why a place could not be read, what the history refused."""


@dataclass(frozen=True)
class Snapshot(Collector):
    """What a scrape reports; never changed once made."""

    found: Found
    values: dict[str, float]
    """Of the exporter's own metrics without labels."""
    errors: dict[str, int]
    _bodies: dict[tuple[str, bool], bytes] = field(default_factory=dict)
    _making: threading.Lock = field(default_factory=threading.Lock)
    """A burst of scrapes makes a body once."""

    def collect(self) -> Iterator[Metric]:
        """All families: the drives', then the exporter's own."""
        yield from metrics.families(self.found.drives)
        name = "drivecast_place_unreadable"
        places = dict.fromkeys(self.found.unreadable, 1.0)
        yield metrics.labelled(name, EXPORTER_HELP[name], "place", places.items())
        build = InfoMetricFamily("drivecast_build", EXPORTER_HELP["drivecast_build_info"])
        build.add_metric([], {"version": __version__})
        yield build
        name = "drivecast_exporter_errors_total"
        yield metrics.labelled(name, EXPORTER_HELP[name], "stage", self.errors.items())
        for name, value in self.values.items():
            kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            yield kind(name, EXPORTER_HELP[name], value=value)

    def body(self, accept: str, *, zipped: bool) -> tuple[bytes, str]:
        """The exposition in the format that the header `Accept` asks for, and its content type."""
        encode, content_type = choose_encoder(accept)
        with self._making:
            made = self._bodies.get((content_type, zipped))
            if made is None:
                made = self._bodies.get((content_type, False)) or encode(self)
                made = gzip.compress(made, compresslevel=1, mtime=0) if zipped else made
                if len(self._bodies) < FORMATS_KEPT:  # a client may request any version: not all are stored
                    self._bodies[content_type, zipped] = made
        return made, content_type


class Exporter:
    """Refreshes on a thread of its own and hands out snapshots."""

    def __init__(
        self, look: Callable[[], Found], interval_s: float, report: Callable[[str], None] = lambda _text: None
    ) -> None:
        self._look, self._report = look, report
        self._reported: set[str] = set()
        self.interval_s = interval_s
        self._errors = dict.fromkeys(STAGES, 0)
        self._refreshes = 0
        self._last_success_s: float | None = None
        self._requested: set[tuple[str, bool]] = set()
        self._stop = threading.Event()
        self.last_errors: Sequence[StageError] = ()
        none = Found(pl.DataFrame(schema={"serial": pl.String}))
        self.snapshot = Snapshot(none, self._values(None), {**self._errors})

    def refresh(self) -> None:
        """Look once; whatever goes wrong, a snapshot stands afterwards."""
        began = time.monotonic()
        try:
            found = self._look()
        except Exception as error:  # whatever a drive or database does, the others are still to be reported
            known = error if isinstance(error, StageError) else None
            failed = known or StageError("forecast", f"{type(error).__name__}: {error}")
            found = replace(self.snapshot.found, errors=(failed,), notes=())
        self._refreshes += 1
        self._report_new([*(str(error) for error in found.errors), *found.notes])
        self.last_errors = found.errors
        for stage in {error.stage for error in found.errors}:
            self._errors[stage] += 1
        if not found.errors:
            self._last_success_s = time.time()
        drives = found.drives.unique("serial", keep="last", maintain_order=True)
        duplicates = found.drives.height - drives.height
        values = self._values(time.monotonic() - began, drives.height, duplicates)
        made = Snapshot(replace(found, drives=drives), values, {**self._errors})
        for accept, zipped in [*self._requested]:
            made.body(accept, zipped=zipped)
        self.snapshot = made

    def _report_new(self, lines: Sequence[str]) -> None:
        """Report what has changed since the last refresh: a journal wants changes."""
        for text in lines:
            if text not in self._reported:
                self._report(text)
        self._reported = {*lines}

    def _values(self, took_s: float | None, drives: int = 0, duplicates: int = 0) -> dict[str, float]:
        values: dict[str, float] = {
            "drivecast_exporter_drives": drives,
            "drivecast_exporter_duplicate_serials": duplicates,
            "drivecast_exporter_up": float(took_s is not None and not self.last_errors),
            "drivecast_exporter_refreshes_total": self._refreshes,
        }
        if took_s is not None:
            values["drivecast_exporter_refresh_seconds"] = took_s
            values["drivecast_exporter_last_refresh_timestamp_seconds"] = time.time()
        if self._last_success_s is not None:
            values["drivecast_exporter_last_success_timestamp_seconds"] = self._last_success_s
        return values

    def body(self, accept: str, *, zipped: bool) -> tuple[bytes, str]:
        """What a scrape gets; a format that is requested once is stored ready from then on."""
        made = self.snapshot.body(accept, zipped=zipped)
        if len(self._requested) < FORMATS_KEPT:
            self._requested.add((accept, zipped))
        return made

    def problem(self) -> str | None:
        """Why this exporter is not healthy, or `None`: it has looked, and did so not long ago."""
        if self._last_success_s is not None and time.time() - self._last_success_s <= 3 * self.interval_s:
            return None
        if self.last_errors:
            return "; ".join(str(error) for error in self.last_errors)
        if self._last_success_s is None:
            return "the first refresh is still under way"
        return f"no refresh succeeded for {time.time() - self._last_success_s:,.0f} s"

    def run(self) -> None:
        """Refresh until stopped, an interval after the last refresh began."""
        while not self._stop.is_set():
            began = time.monotonic()
            self.refresh()
            self._stop.wait(max(1.0, self.interval_s - (time.monotonic() - began)))

    def stop(self) -> None:
        """End `run` at once, or when the refresh under way ends."""
        self._stop.set()
