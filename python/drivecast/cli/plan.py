"""`drivecast plan`: the main job."""

import shlex
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.log import Loads
from drivecast.cli.log import reading as reading_of
from drivecast.cli.verb import (
    EXIT_NO,
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    json_text,
    note,
    progress,
    writable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from drivecast.document.carried import WhatIf
    from drivecast.document.plan import Plan
    from drivecast.plan.candidate import Options
    from drivecast.plan.requirement import Given
    from drivecast.stage.trace import Reading

Where = Literal["metal", "cloud", "any"]
"""Whether designs are bought, rented, or either."""

Prices = Literal["low", "typical", "high"]
"""The end of their bounds at which drives are bought."""


@dataclass(frozen=True)
class Required:
    """The limits that a design must meet; what is not given is derived."""

    capacity: Annotated[str | None, typer.Option(help="Usable capacity needed, such as 320GB.")] = None
    p99_read: Annotated[str | None, typer.Option(help="Longest 99th percentile of reads, such as 5ms.")] = (
        None
    )
    p99_write: Annotated[str | None, typer.Option(help="Longest 99th percentile of writes.")] = None
    years: Annotated[str | None, typer.Option(help="Time in service, such as 5 or 3y.")] = None
    growth: Annotated[str | None, typer.Option(help="Growth of data and load, such as 20%/y.")] = None
    budget: Annotated[str | None, typer.Option(help="Most that may be spent over the years, in USD.")] = None
    power: Annotated[float | None, typer.Option(help="Most that the drives may draw, in watts.")] = None
    drive_losses: Annotated[
        int | None, typer.Option(help="Drives that may fail without loss of data: 0, 1 or 2.")
    ] = None
    data_loss: Annotated[
        str | None,
        typer.Option(
            help="Greatest chance of losing data over the years, such as 1e-4 (the default) or 0.01%."
        ),
    ] = None
    scrub: Annotated[
        str | None, typer.Option(help="How often every drive is read whole, such as 7d (the default) or 30d.")
    ] = None
    headroom: Annotated[float | None, typer.Option(help="Load to sustain, as a multiple of the peak.")] = None
    headroom_margin: Annotated[
        float | None,
        typer.Option(help="Load to sustain over the peak's after growth: 1.2 unless `--headroom` is given."),
    ] = None
    endurance_tolerance: Annotated[
        str | None,
        typer.Option(
            help="Share of the years by which a life may fall short, such as 5% (the default) or 0."
        ),
    ] = None
    hours_per_day: Annotated[float | None, typer.Option(help="Hours of a day that look like the log.")] = None

    def given(self) -> "Given":
        """As the search takes them; raises `InputError` for what is no quantity."""
        from drivecast.plan.requirement import Given
        from drivecast.quantity import parse as quantity

        return Given(
            capacity_bytes=quantity.option("--capacity", quantity.size_bytes, self.capacity),
            p99_read_ns=quantity.option("--p99-read", quantity.time_ns, self.p99_read),
            p99_write_ns=quantity.option("--p99-write", quantity.time_ns, self.p99_write),
            years=quantity.option("--years", quantity.years, self.years),
            growth_per_year=quantity.option("--growth", quantity.growth_per_year, self.growth),
            budget_usd=quantity.option("--budget", quantity.money_usd, self.budget),
            power_w_max=self.power,
            drive_losses=self.drive_losses,
            headroom=self.headroom,
            headroom_margin=self.headroom_margin,
            endurance_tolerance=quantity.option(
                "--endurance-tolerance", quantity.fraction_or_more, self.endurance_tolerance
            ),
            hours_per_day=self.hours_per_day,
            data_loss=quantity.option("--data-loss", quantity.fraction_or_more, self.data_loss),
            scrub_days=quantity.option("--scrub", quantity.days, self.scrub),
        )


@dataclass(frozen=True)
class Searched:
    """Which designs are considered, and what they are judged by."""

    peak_window: Annotated[float, typer.Option(min=1, help="Length of the busiest stretch, in seconds.")] = (
        60.0
    )
    design: Annotated[
        list[str] | None,
        typer.Option(
            "--design",
            help="A design to judge besides those searched. Repeatable.",
            autocompletion=complete.designs,
        ),
    ] = None
    volume: Annotated[
        list[str] | None,
        typer.Option(
            "--volume",
            help="Search for volumes apart, and say which requests go to one: `log=range:0..64GiB`,"
            " `log=process:ib_log*`, `log=stream:1204+1207` or `log=disk:8:16`; one may be without, for what is"
            " left. Repeatable.",
        ),
    ] = None
    today: Annotated[
        str | None,
        typer.Option(
            help="The design that runs now: judged beside the others, with what was recorded on it.",
            autocompletion=complete.designs,
        ),
    ] = None
    where: Annotated[
        Where,
        typer.Option(help="Drives that are bought (metal), volumes that are rented (cloud), or both (any)."),
    ] = "metal"
    instance: Annotated[
        str | None,
        typer.Option(help="The instance whose limits rented volumes are behind, such as m6i.2xlarge."),
    ] = None
    no_trim: Annotated[
        bool,
        typer.Option(
            "--no-trim",
            help="The file system does not discard what is free (no fstrim, no `discard` option).",
        ),
    ] = False
    prices: Annotated[
        Prices, typer.Option(help="Drives at the low, typical or high end of their prices.")
    ] = "typical"
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            help="Superpose several logs in time on one array, each with addresses of its own; else they are parts of"
            " one log.",
        ),
    ] = False
    spread: Annotated[
        bool,
        typer.Option(
            "--spread/--no-spread",
            help="Spread a trace that covers a small part of `--capacity` over it: a small part of a disk is fast.",
        ),
    ] = True
    backup: Annotated[
        Literal["meet", "exclude"],
        typer.Option(
            help="What to do with a backup found in a log of six hours or more: designs must keep up with it, or it is"
            " left out."
        ),
    ] = "meet"
    quotes: Annotated[
        Path | None,
        typer.Option(
            help="Prices that suppliers quoted (CSV: drive, price, currency, date, supplier); `catalog quotes` writes a"
            " file to fill in."
        ),
    ] = None
    rate: Annotated[
        list[str] | None,
        typer.Option("--rate", help="Dollars for one unit of a currency, such as EUR=1.08. Repeatable."),
    ] = None
    caches: Annotated[
        bool | None,
        typer.Option(
            "--caches/--no-caches",
            help="Consider flash caches before disks (default: where there are disks, and a trace says what is met"
            " again).",
        ),
    ] = None
    include_old: Annotated[bool, typer.Option("--include-old", help="Consider drives no longer sold.")] = (
        False
    )
    accept_model: Annotated[
        bool, typer.Option("--accept-model", help="Plan with a model that is not validated, or failed.")
    ] = False
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Runs at a time (default: all cores); changes no result."),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Try designs on the workers of a Dask cluster, such as tcp://10.0.0.1:8786 (extra `dask`); changes no"
            " result."
        ),
    ] = None

    @contextmanager
    def executor(self) -> "Iterator[Executor | None]":
        """Where designs are tried: none for threads of this process."""
        from drivecast import crew

        if self.cluster is None:
            yield None
            return
        with crew.cluster(self.cluster) as executor:
            yield executor

    def options(
        self,
        reading: "Reading",
        catalog: list[Path] | None,
        seed: int,
        history: Path | None,
        what_if: "WhatIf",
    ) -> "Options":
        """As the search takes them."""
        from drivecast.catalog import Scenario
        from drivecast.catalog.quotes import rate
        from drivecast.plan.candidate import Options

        return Options(
            reading=reading,
            peak_window_s=self.peak_window,
            designs=tuple(self.design or ()),
            volumes=tuple(self.volume or ()),
            today=self.today,
            where=self.where,
            instance=self.instance,
            include_old=self.include_old,
            trimmed=not self.no_trim,
            catalog=tuple(catalog or ()),
            prices=Scenario(self.prices),
            together=self.together,
            spread=self.spread,
            backup=self.backup,
            quotes=self.quotes,
            rates=tuple(rate(text) for text in self.rate or ()),
            seed=seed,
            caches=self.caches,
            threads=self.threads,
            history=history,
            what_if=what_if,
        )


Asks = Annotated[
    Literal["simulate", "rank", "nothing"],
    typer.Option(
        "--what-if",
        help="What the .html report answers by itself in a browser: with `simulate` other requirements, prices and "
        "designs, for which it carries times, addresses and sizes of the recording; with `rank` other requirements and "
        "prices as far as the runs reach, without the recording; or nothing.",
    ),
]


@takes(required=Required, searched=Searched, reading=reading_of)
def plan(
    logs: Loads,
    *,
    required: Required,
    searched: Searched,
    history: Annotated[
        str | None,
        typer.Option(
            "--history",
            help="Say how far predictions have been off so far, from what `compare` kept in this file (`default`: "
            "its own).",
        ),
    ] = None,
    catalog: CatalogPaths = None,
    reading: "Reading",
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the report here: .html, or .json for the data.")
    ] = None,
    what_if: Asks = "simulate",
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Rank storage designs for a measured workload, with reasons.

    What is not required is derived from the workload, and shown. Exit code 1 when nothing fits.

    `--where any` sets volumes of clouds, sized and priced by the month, beside drives that are bought.

    Example: `drivecast plan trace.blktrace --capacity 320GB --p99-read 5ms --years 5 -o report.html`

    Example: `drivecast plan web.blktrace db.blktrace --together --capacity 2TB`

    Example: `drivecast plan trace.blktrace --capacity 40TB --design 'cache(fast=raid1(2 * a), slow=raid10(8 * b))'`

    Example: `drivecast plan trace.blktrace --cluster tcp://10.0.0.1:8786`

    Example: `drivecast plan sa21.json --disk sdb --capacity 2TB --quotes quotes.csv --rate EUR=1.08`
    """
    from drivecast.compare import error_log as kept
    from drivecast.plan import modelled, search
    from drivecast.present import error_history, terminal
    from drivecast.thread import spare_memory

    spare_memory()
    writable(out)
    asks = answered(what_if, out, quiet=quiet)
    errors = kept.place(history) if history else None
    if errors is not None:
        kept.read(errors)  # it is used last, and a plan takes minutes
    given = required.given()
    with (
        progress("planning", quiet=quiet) as update,
        searched.executor() as executor,
        modelled.played(logs, seed, searched.peak_window, accepted=searched.accept_model) as of,
    ):
        for text in of.notes:
            note(text, quiet=quiet)
        result = search.plan(
            of.logs,
            given if given.hours_per_day is not None else replace(given, hours_per_day=of.hours),
            replace(
                searched.options(reading, catalog, seed, errors, asks),
                whole_log=of.whole_log,
                executor=executor,
            ),
            update,
        )
    result = error_history.worded(result)
    if searched.accept_model and modelled.is_of_model(logs):
        note("the model is not proved to resemble a trace: `--accept-model`", quiet=quiet)
    for text in aged(result, date.today()):
        note(text, quiet=quiet)
    for text in result.workload.notes:
        note(text, quiet=quiet)
    if out is not None:
        write(result, out)
    emit(
        result,
        output_format,
        text=lambda: terminal.render(result, report=str(out) if out else None),
        rows=result.to_rows,
    )
    if result.winner is None:
        raise typer.Exit(EXIT_NO)


def answered(asked: "WhatIf", out: Path | None, *, quiet: bool) -> "WhatIf":
    """What the report answers by itself: nothing where it is no page; says so where the page is not built."""
    from drivecast.present import embedded

    if out is None or out.suffix == ".json":
        return "nothing"
    if asked != "nothing" and (lack := embedded.lacking()) is not None:
        note(lack, quiet=quiet)
    return asked


def aged(result: "Plan", today: date) -> list[str]:
    """What is said where prices of rent are older than a year."""
    dates = [design.rent.priced_on for design in result.designs if design.rent is not None]
    if not dates or today - min(dates) <= timedelta(days=365):
        return []
    return [f"prices of rent are of {min(dates)}, more than a year old: edit `[cloud]` in prices.toml"]


def write(result: "Plan", out: Path) -> None:
    """The report as a page, or as JSON where the name ends so."""
    if out.suffix == ".json":
        from drivecast.files import write_whole

        write_whole(out, json_text(result) + "\n")
        return
    from drivecast.present import page

    page.write(result.model_copy(update={"command": shlex.join(["drivecast", *sys.argv[1:]])}), out)
