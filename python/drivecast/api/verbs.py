"""One log or one design: profile, simulate, wear, compare."""

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivecast.api import catalog_mapping, views
from drivecast.api.workload_value import workload
from drivecast.stage import workload_input as stage
from drivecast.stage.simulate import Options, State

if TYPE_CHECKING:
    from drivecast.api.workload_value import Source
    from drivecast.document.comparison import Comparison
    from drivecast.document.outcome import Outcome
    from drivecast.document.profile import Profile
    from drivecast.document.wear import Wear

views.register()


def profile(log: "Source", *, peak_window_s: float = 60.0, seed: int = 0, **reading: Any) -> "Profile":
    """The profile of a trace, a counter log or a model: mix, sizes, runs, load over time, working set, reuse.

    Parameters
    ----------
    log
        A path, a URL, a frame of requests, or a model: a file, or the name of a shipped one.
    peak_window_s
        Length of the busiest stretch in seconds.
    seed
        Of the trace that is made from a model.
    reading
        How the log is read: `event`, `disk`, `interval_s`, `skip_first`, `format`, `csv`, `strict`.

    Raises
    ------
    InputError
        For a log that is not understood.
    """
    from drivecast.stage import model_trace  # noqa: PLC0415

    load = workload(log, **reading)
    with load.place() as place:
        return model_trace.profile([place], load.reading, peak_window_s=peak_window_s, seed=seed)


def simulate(
    design: str,
    load: "Source",
    *,
    iodepth: int | None = None,
    requests: int | None = None,
    duration_s: float | None = None,
    speedup: float = 1.0,
    start_s: float = 0.0,
    length_s: float | None = None,
    fill: float = 1.0,
    state: State = "steady",
    seed: int = 0,
    catalog: catalog_mapping.Paths = (),
) -> "Outcome":
    """A workload on a design: IOPS, latency, write amplification.

    Parameters
    ----------
    design
        Such as `"raid10(8 * intel-710-100gb, chunk=64KiB)"`.
    load
        A line such as `"random(16KiB, read=0.3, iodepth=16)"`, a trace, counters (their busiest minute), a model.
    iodepth
        Play a trace as fast as possible with this many outstanding, or a line at this depth.
    requests, duration_s
        Where the run ends.
    speedup
        Play a trace or a rate this many times as fast.
    start_s, length_s
        The part of a trace to play.
    fill
        Share of the capacity that holds data, in [0, 1].
    state
        Where flash starts from: `"fresh"`, `"laid-out"`, `"steady"`, `"idle"`.
    seed
        Of all random numbers; equal seeds give equal bytes.
    catalog
        Further catalog files or folders.

    Raises
    ------
    InputError
        For a design or a workload that does not parse, or a drive the catalog does not have.

    Examples
    --------
    >>> import drivecast as dc
    >>> run = dc.simulate("samsung-pm893-960gb", "random(4KiB, read=1, iodepth=8)", requests=2000)
    >>> run.requests, run.saturated
    (2000, False)
    """
    given = Options(
        seed=seed,
        duration_s=duration_s,
        requests=requests,
        start_s=start_s,
        length_s=length_s,
        speedup=speedup,
        iodepth=iodepth,
        fill=fill,
        state=state,
    )
    value = workload(load)
    with value.place() as place:
        opened = stage.opened(place, given, value.reading)
    return stage.run(design, opened, catalog_mapping.of(catalog)).model_copy(update={"workload": value.text})


def wear(
    design: str,
    load: "Source",
    *,
    write_per_day: str | float | None = None,
    growth: str | float | None = None,
    years: float | None = None,
    fill: float = 1.0,
    seed: int = 0,
    explain: bool = False,
    catalog: catalog_mapping.Paths = (),
) -> "Wear":
    """Write amplification of a workload on a design, and how long its flash lasts.

    Parameters
    ----------
    design, load, fill, seed, catalog
        As `simulate` takes them.
    write_per_day
        Host writes a day, as `"151GB"` or in bytes; by default the log's own rate.
    growth
        Growth of the writes a year, as `"20%/y"` or a fraction.
    years
        In service.
    explain
        Whether `steps` are there: the ten steps from host writes to the ends of life.

    Raises
    ------
    InputError
        As `simulate`, and where the design has drives that are no flash.
    """
    from drivecast.stage import wear as wearing  # noqa: PLC0415

    value = workload(load)
    with value.place() as place:
        opened = stage.opened(place, Options(fill=fill, seed=seed), value.reading)
    use = wearing.Use(
        write_per_day=None if write_per_day is None else str(write_per_day),
        growth=None if growth is None else str(growth),
        years=None if years is None else f"{years:g}",
        measured_per_day=opened.write_bytes_per_day,
    )
    return wearing.wear(
        design, opened.load, catalog_mapping.of(catalog), use, fill=fill, seed=seed, explain=explain
    )


def compare(
    measured: str | PathLike[str],
    prediction: str | PathLike[str],
    *,
    load: str | None = None,
    tolerance: float = 0.2,
    fill: float = 1.0,
    duration_s: float | None = None,
    seed: int = 0,
    catalog: catalog_mapping.Paths = (),
) -> "Comparison":
    """A measured result next to a prediction, quantile by quantile, noise included.

    Parameters
    ----------
    measured
        What `drivecast bench … -o FILE` wrote.
    prediction
        A design, on which each point is simulated; or what `simulate` or `bench` wrote.
    load
        What was run, where the result does not state it.
    tolerance
        What a prediction may be off by, as a fraction.
    fill, duration_s, seed, catalog
        Of the simulation, as `simulate` takes them.

    Raises
    ------
    InputError
        For files that are no results, and for runs that are unlike.
    """
    from drivecast.compare import compared_with, comparison, predict  # noqa: PLC0415

    given = predict.Conditions(catalog_mapping.of(catalog), fill=fill, duration_s=duration_s, workload=load)
    rule = comparison.Rule(tolerance, comparison.Q_OF["p99"], seed)
    return compared_with.compared(Path(measured), fspath(prediction), given, rule, lambda _share, _what: None)
