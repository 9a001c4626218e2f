"""`drivecast plan`: the main job."""

import shlex
import signal
import sys
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.group import options_of, takes
from drivecast.cli.log import Loads
from drivecast.cli.verb import (
    EXIT_NO,
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    emit,
    json_text,
    note,
    progress,
    writable,
)
from drivecast.document.plan_options import PlanOptions
from drivecast.quantity.year import today
from drivecast.thread import spare_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from drivecast.document.plan import Plan
    from drivecast.document.report_payload import WhatIf

Asked = options_of(PlanOptions, {"designs": complete.designs, "today": complete.designs})


@takes(options=Asked)
def plan(
    logs: Loads,
    *,
    options: PlanOptions,
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Runs at a time (default: all cores); changes no result."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Try designs on the workers of a Dask cluster, such as tcp://10.0.0.1:8786 (extra `dask`); changes no"
            " result."
        ),
    ] = None,
    catalog: CatalogPaths = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the report here: .html, or .json for the data.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Rank storage designs for a measured workload, with reasons.

    What is not required is derived from the workload, and shown. Exit code 1 when nothing fits.

    `--where any` sets volumes of clouds, sized and priced by the month, beside drives that are bought.

    Example: `drivecast plan trace.blktrace --capacity 320GB --p99-read 5ms --years 5 -o report.html`

    Example: `drivecast plan 'random(8KiB, read=0, rate=4000iops)' --capacity 200GB`

    Example: `drivecast plan web.blktrace db.blktrace --together --capacity 2TB`

    Example: `drivecast plan trace.blktrace --capacity 40TB --design 'cache(fast=raid1(2 * a), slow=raid10(8 * b))'`

    Example: `drivecast plan trace.blktrace --cluster tcp://10.0.0.1:8786`

    Example: `drivecast plan sa21.json --disk sdb --capacity 2TB --quotes quotes.csv --rate EUR=1.08`
    """
    spare_memory()
    from drivecast.compare import error_log
    from drivecast.plan import modelled, requirement, search
    from drivecast.plan.candidate import Options
    from drivecast.present import error_history, terminal
    from drivecast.thread import heard

    writable(out)
    asks = answered(options.what_if, out, quiet=quiet)
    searched = Options.of(options, catalog=tuple(catalog or ()), threads=threads)
    if searched.history is not None:
        error_log.read(searched.history)  # it is used last, and a plan takes minutes
    given = requirement.given(options)
    with (
        progress("planning", quiet=quiet) as update,
        executor_of(cluster) as executor,
        heard(searched.deadline.interrupt, signal.SIGINT),
        modelled.played(logs, options.seed, options.peak_window, accepted=options.accept_model) as of,
    ):
        for text in of.notes:
            note(text, quiet=quiet)
        result = search.plan(
            of.logs,
            given if given.hours_per_day is not None else replace(given, hours_per_day=of.hours),
            replace(of.over(searched), what_if=asks, executor=executor),
            update,
        )
    if result.partial == "interrupt" and result.winner is None:
        raise KeyboardInterrupt
    result = error_history.worded(result)
    if options.accept_model and modelled.is_of_model(logs):
        note("the model is not proved to resemble a trace: `--accept-model`", quiet=quiet)
    for text in aged(result, today()):
        note(text, quiet=quiet)
    for text in result.workload.notes:
        note(text, quiet=quiet)
    if out is not None:
        write(result, out, detail=options.detail)
    emit(
        result if options.detail else result.without_seconds(),
        output_format,
        text=lambda: terminal.render(result, report=str(out) if out else None),
        rows=result.to_rows,
    )
    if result.winner is None:
        raise typer.Exit(EXIT_NO)


@contextmanager
def executor_of(cluster: str | None) -> "Iterator[Executor | None]":
    """Where designs are tried: none for threads of this process."""
    from drivecast import executors

    if cluster is None:
        yield None
        return
    with executors.cluster(cluster) as executor:
        yield executor


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


def write(result: "Plan", out: Path, *, detail: bool = False) -> None:
    """The report as a page, or as JSON where the name ends so; `detail`: with every second."""
    if out.suffix == ".json":
        from drivecast.files import write_whole

        write_whole(out, json_text(result if detail else result.without_seconds()) + "\n")
        return
    from drivecast.present import page

    page.write(result.model_copy(update={"command": shlex.join(["drivecast", *sys.argv[1:]])}), out)
