"""Ranked designs for a workload, and designs side by side."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from drivecast.api import views
from drivecast.api.workload_value import Workload, workload
from drivecast.document.plan_options import Where
from drivecast.plan import modelled, search
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.quantity import parse as quantity
from drivecast.versus import contest
from drivecast.versus.question import Question, as_log

if TYPE_CHECKING:
    from drivecast.api.catalog_mapping import Paths
    from drivecast.api.workload_value import Source
    from drivecast.document.array_state import Condition
    from drivecast.document.plan import Plan
    from drivecast.document.versus import Versus

T = TypeVar("T")
Amount = str | float
"""A quantity as on the command line (`"320GB"`, `"5ms"`, `"20%/y"`), or a number: bytes, seconds or a share."""

views.register()


def plan(
    log: "Source | Sequence[str | PathLike[str]]",
    *,
    capacity: Amount | None = None,
    p99_read: Amount | None = None,
    p99_write: Amount | None = None,
    years: float | None = None,
    growth: Amount | None = None,
    budget: Amount | None = None,
    power_w: float | None = None,
    drive_losses: int | None = None,
    data_loss: Amount | None = None,
    headroom: float | None = None,
    hours_per_day: float | None = None,
    designs: Sequence[str] = (),
    today: str | None = None,
    where: Where = "metal",
    together: bool = False,
    caches: bool | None = None,
    peak_window_s: float = 60.0,
    accept_model: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[float, str], None] = lambda _share, _what: None,
    seed: int = 0,
    catalog: "Paths" = (),
    **reading: Any,
) -> "Plan":
    """Rank storage designs for a measured workload, with reasons; what is not required is derived from it.

    Parameters
    ----------
    log
        A trace, a counter log, a model, a `random(…)` line with a rate, or a frame of requests; several paths are parts
        of one log.
    capacity
        Usable capacity needed, as `"320GB"` or in bytes.
    p99_read, p99_write
        Longest 99th percentiles, as `"5ms"` or in seconds.
    years, growth
        In service, and growth a year as `"20%/y"` or a fraction.
    budget, power_w, drive_losses, data_loss, headroom, hours_per_day
        Limits, as the options of `drivecast plan`.
    peak_window_s
        Length of the busiest stretch in seconds.
    designs
        Designs to judge besides those searched.
    today
        The design that runs now.
    where
        `"metal"` is bought, `"cloud"` is rented, `"any"` is either.
    together
        Superpose several logs on one array.
    caches
        Whether flash caches before disks are considered; by default where there are disks and a trace.
    accept_model
        Plan for a model that is not validated.
    threads
        Runs at a time; changes no result.
    executor
        Where designs are tried: any `concurrent.futures.Executor`, such as that of a Dask client
        (`client.get_executor()`), by default threads of this process; changes no result.
    progress
        Takes the share that is done, in [0, 1], and what is being done.
    seed, catalog
        As `drivecast.simulate` takes them.
    reading
        How the log is read: `event`, `disk`, `interval_s`, `skip_first`, `format`, `csv`, `strict`.

    Returns
    -------
    Plan
        `winner` is None where nothing fits; `ranked()` has the designs that do.

    Raises
    ------
    InputError
        For logs, requirements or designs that cannot be used.
    """
    given = Given(
        capacity_bytes=_of("capacity", quantity.size_bytes, capacity),
        p99_read_ns=_of("p99_read", quantity.time_ns, _seconds(p99_read)),
        p99_write_ns=_of("p99_write", quantity.time_ns, _seconds(p99_write)),
        years=years,
        growth_per_year=_of("growth", quantity.growth_per_year, growth),
        budget_usd=_of("budget", quantity.money_usd, budget),
        power_w_max=power_w,
        drive_losses=drive_losses,
        headroom=headroom,
        hours_per_day=hours_per_day,
        data_loss=_of("data_loss", quantity.fraction_or_more, data_loss),
    )
    with (
        _logs(log, reading) as (paths, how),
        modelled.played(paths, seed, peak_window_s, accepted=accept_model) as of,
    ):
        options = Options(
            reading=how,
            peak_window_s=peak_window_s,
            designs=tuple(designs),
            today=today,
            where=where,
            together=together,
            caches=caches,
            catalog=tuple(Path(path) for path in catalog),
            threads=threads,
            executor=executor,
            seed=seed,
        )
        hours = given.hours_per_day if given.hours_per_day is not None else of.hours
        return search.plan(of.logs, replace(given, hours_per_day=hours), of.over(options), progress)


def versus(
    designs: Sequence[str],
    load: "Source",
    *,
    speedup: Sequence[float] = (),
    iodepth: Sequence[int] = (),
    condition: "Sequence[Condition]" = ("healthy", "degraded", "rebuilding"),
    capacity: Amount | None = None,
    years: float | None = None,
    growth: Amount | None = None,
    write_per_day: Amount | None = None,
    peak_window_s: float = 60.0,
    threads: int | None = None,
    progress: Callable[[float, str], None] = lambda _share, _what: None,
    seed: int = 0,
    catalog: "Paths" = (),
    **reading: Any,
) -> "Versus":
    """Compare designs side by side under one workload, and whether the first replaces the others.

    Parameters
    ----------
    designs
        Two or more; the first may replace the others.
    load
        A trace, counters, a model, or a line.
    speedup, iodepth
        Multiples of the load's own rate, or queue depths: one of them.
    condition
        Of `"healthy"`, `"degraded"`, `"rebuilding"`.
    capacity, years, growth, peak_window_s, threads, progress, seed, catalog, reading
        As `plan` takes them.
    write_per_day
        Host writes a day, as `"151GB"` or in bytes; by default the load's own rate.

    Raises
    ------
    InputError
        For designs that cannot be compared, or a load that is none.
    """
    value = workload(load, **reading)
    given = Given(
        capacity_bytes=_of("capacity", quantity.size_bytes, capacity),
        years=years,
        growth_per_year=_of("growth", quantity.growth_per_year, growth),
    )
    with value.place() as place:
        question = Question(
            designs=designs,
            workload=place,
            speedups=speedup,
            iodepths=iodepth,
            conditions=condition,
            given=given,
            write_bytes_per_day=_of("write_per_day", quantity.size_bytes, write_per_day),
            peak_window_s=peak_window_s,
            reading=value.reading,
            seed=seed,
            threads=threads,
        )
        priced, _, hashes = search.priced(Options(catalog=tuple(Path(path) for path in catalog)))
        with as_log(question) as (whole, _):
            found = contest.versus(whole, priced, progress)
    return found.model_copy(update={"hashes": {**found.hashes, **hashes}})


@contextmanager
def _logs(log: Any, reading: dict[str, Any]) -> "Iterator[tuple[list[Path], Any]]":
    """The paths of a log and how it is read, while the block runs."""
    several = isinstance(log, Sequence) and not isinstance(log, str)
    values: list[Workload] = [workload(each, **reading) for each in (log if several else [log])]
    with ExitStack() as stack:
        paths = [Path(stack.enter_context(value.place())) for value in values]
        yield paths, values[0].reading


def _of(name: str, parse: Callable[[str], T], amount: Amount | None) -> T | None:
    if amount is None:
        return None
    return quantity.option(name, parse, amount if isinstance(amount, str) else f"{amount:.12g}")


def _seconds(amount: Amount | None) -> Amount | None:
    """A time as the parser takes it: a number is seconds."""
    return amount if amount is None or isinstance(amount, str) else f"{round(amount * 1e9)}ns"
