"""`drivecast wear`: write amplification and life, without a clock."""

from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.log import takes_log
from drivecast.cli.simulate import Design, Fill, Workload
from drivecast.cli.verb import CatalogPaths, Format, Out, OutputFormat, Quiet, Seed, emit, interruptible, note

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading


@takes_log
def wear(
    design: Design,
    workload: Workload,
    fill: Fill = 1.0,
    per_day: Annotated[
        str | None,
        typer.Option(
            "--write-per-day",
            help="Host writes a day, such as 151GB (default: the log's own rate, or the line's).",
        ),
    ] = None,
    read_per_day: Annotated[
        str | None,
        typer.Option("--read-per-day", help="Host reads a day: reads disturb flash, which is written again."),
    ] = None,
    growth: Annotated[str | None, typer.Option(help="Growth of the writes, such as 20%/y.")] = None,
    years: Annotated[str | None, typer.Option(help="Time in service, such as 5 or 3y (default: 5).")] = None,
    keep_months: Annotated[
        float | None,
        typer.Option(
            "--keep-months",
            help="How long data are to keep without power at the end (default: the maker's rule).",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the ten steps from host writes to the two ends of life.")
    ] = False,
    *,
    catalog: CatalogPaths = None,
    reading: "Reading",
    seed: Seed = 0,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write amplification and life of a design under a workload.

    No clock: the drive is filled, then the workload's writes are repeated until write amplification is steady.

    Example: `drivecast wear 'ssd(logical=4GiB, spare_factor=0.28, pages_per_block=64)' -w 'random(4KiB, read=0)'`

    Example: `drivecast wear 'raid10(4 * intel-320-120gb)' -w jesd219 --write-per-day 151GB --explain`
    """
    from drivecast.catalog import load
    from drivecast.stage import wear as stage
    from drivecast.stage.simulate import Options
    from drivecast.stage.workload_input import opened

    played, drives = opened(workload, Options(fill=fill, seed=seed), reading), load(catalog or [])
    for text in played.notes:
        note(text, quiet=quiet)
    use = stage.Use(per_day, read_per_day, growth, years, keep_months, played.write_bytes_per_day)
    result = interruptible(
        lambda: stage.wear(design, played.load, drives, use, fill=fill, seed=seed, explain=explain)
    )
    result = result.model_copy(update={"windows_hash": played.windows_hash})
    from drivecast.present import simulated

    emit(
        result,
        output_format,
        text=lambda: simulated.steps(result) if explain else simulated.wear(result),
        rows=result.steps if explain else None,
        out=out,
    )
