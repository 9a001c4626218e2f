"""What `--workload` names, as `simulate` and `wear` play it: a trace, a line, a model, or the peak of a counter log."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from drivecast import _core
from drivecast.assess import outcome_interval
from drivecast.catalog import Catalog
from drivecast.document.outcome import LatencyInterval, Outcome
from drivecast.document.windows import SUFFIX, Estimate
from drivecast.errors import HintedError
from drivecast.files import exists
from drivecast.source.locate import is_url
from drivecast.stage import counter_load, model_file, model_part, trace
from drivecast.stage.simulate import KEPT_BYTES_MAX, Options, drive_names, simulate, workload

PEAK_WINDOW_S = 60.0
"""Length of the busiest stretch of a counter log, as a plan takes it."""


@dataclass(frozen=True)
class WorkloadInput:
    """A load with what is known of it."""

    load: _core.Workload
    options: Options
    write_bytes_per_day: float | None = None
    """Where the load itself does not have it: counters and parts of models."""
    notes: tuple[str, ...] = ()
    windows_hash: str | None = None
    estimates: tuple[Estimate, ...] = ()
    """Of windows: what quantiles of all of the trace may be, over theirs."""

    @property
    def is_timed(self) -> bool:
        """Whether requests come at times of their own, not one as another ends."""
        as_fast_as_possible = self.options.iodepth is not None or self.options.own_depth
        has_times = self.load.rate_iops is not None or self.load.duration_s is not None
        return has_times and not as_fast_as_possible

    def said(self, outcome: Outcome) -> dict[str, object]:
        """What an outcome is to say of windows."""
        return {"windows_hash": self.windows_hash, "by_windows": self.by_windows(outcome)}

    def by_windows(self, outcome: Outcome) -> list[LatencyInterval] | None:
        """The 80 % intervals that the choice of windows brings; none where all of a workload is played."""
        found = []
        for each in self.estimates:
            key = f"q{each.quantile:g}"
            value = outcome.latency(each.op, key)
            if value is not None:
                low, high = value * each.low, value * each.high
                found.append(LatencyInterval(op=each.op, quantile=key, low=low, high=high))
        return found or None


def run(design: str, played: WorkloadInput, catalog: Catalog, *, kept: _core.Kept | None = None) -> Outcome:
    """The outcome of a load on `design`, with how its latency is known and what windows leave open.

    Raises `InputError` for a design that does not parse, or a drive the catalog does not have.
    """
    if played.is_timed:  # it is run again, under other loads
        kept = kept or _core.Kept(KEPT_BYTES_MAX)

    def at(times: float) -> Outcome:
        options = replace(played.options, speedup=played.options.speedup * times)
        return simulate(design, played.load, catalog, options, kept=kept)

    outcome = at(1.0)
    again = outcome_interval.Again(at, played.load.iodepth is not None) if played.is_timed else None
    known = outcome_interval.known(outcome, drive_names(design), catalog, again)
    return outcome.model_copy(update={"latency_known": known, **played.said(outcome)})


def opened(text: str, options: Options, reading: trace.Reading = trace.AS_IT_IS) -> WorkloadInput:
    """The load that `text` names, to be played with `options`.

    Raises `InputError` where it is none, or is asked for what it does not have.
    """
    if text.endswith(SUFFIX):
        from drivecast.stage import windows_file, windows_pass  # noqa: PLC0415 (slow to import, and few runs need it)

        archive = windows_file.read(Path(text))
        return WorkloadInput(
            windows_pass.workload(archive),
            options,
            notes=archive.header.notes,
            windows_hash=windows_file.fingerprint(archive),
            estimates=tuple(archive.header.estimates),
        )
    if exists(text) or is_url(text):
        counters = _counters([text], reading)
        if counters is not None:
            return _peak(counters, options)
    path = model_file.find(text)
    if path is not None and text.endswith(".toml"):
        model = model_file.read(path)
        part = model_part.cut(model)
        if part.note is not None:
            load = model_file.workload(part.model, seed=options.seed)
            return WorkloadInput(load, options, model_part.written_bytes_per_day(model), (part.note,))
    return WorkloadInput(workload(text, reading=reading, seed=options.seed), options)


def _counters(paths: Sequence[str], reading: trace.Reading) -> counter_load.CounterLoad | None:
    """The load of a counter log; none where it is a trace or a model."""
    if any(str(path).endswith(".toml") for path in paths) or trace.samples(paths, reading) is None:
        return None
    return counter_load.of(trace.profile(paths, reading, peak_window_s=PEAK_WINDOW_S))


def _peak(found: counter_load.CounterLoad, options: Options) -> WorkloadInput:
    given = {
        "--iodepth": options.iodepth is not None,
        "--start": options.start_s > 0,
        "--length": options.length_s is not None,
    }
    wrong = [option for option, is_given in given.items() if is_given]
    if wrong:
        raise HintedError(
            f"{wrong[0]} is of a trace: a counter log has no requests of its own",
            "`drivecast model fit` makes a model of it, and `model generate` a trace",
        )
    load = found.workload(options.fill, options.speedup)
    length_s = found.duration_s / options.speedup
    if options.duration_s is None and options.requests is None:
        options = replace(options, duration_s=length_s)
    notes = (
        f"counters have no requests: the busiest {found.duration_s:g} s are made up",
        *(f"assumed: {what}: {why}" for what, why in found.assumed),
    )
    return WorkloadInput(load, replace(options, speedup=1.0), found.write_bytes_per_day, notes)
