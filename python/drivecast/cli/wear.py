"""`drivecast wear`: write amplification and life, without a clock."""

from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.log import takes_log
from drivecast.cli.simulate import Design, Fill, Workload
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Seed,
    flat,
    interruptible,
    print_csv,
    print_json,
)

if TYPE_CHECKING:
    from drivecast.trace import Reading


@takes_log
def wear(
    design: Design,
    workload: Workload,
    fill: Fill = 1.0,
    per_day: Annotated[
        str | None,
        typer.Option(
            "--write-per-day", help="Host writes a day, such as 151GB (default: the trace's own rate)."
        ),
    ] = None,
    *,
    reading: "Reading",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Write amplification and life of a design under a workload.

    No clock: the drive is filled, then the workload's writes are repeated until write amplification is steady.

    Example: `drivecast wear 'ssd(logical=4GiB, spare_factor=0.28, pages_per_block=64)' -w 'random(4KiB, read=0)'`
    """
    from drivecast import wear as stage
    from drivecast.catalog import load
    from drivecast.simulate import workload as open_workload

    played, drives = open_workload(workload, reading=reading), load(catalog or [])
    result = interruptible(
        lambda: stage.wear(design, played, drives, fill=fill, write_per_day=per_day, seed=seed)
    )
    match output_format:
        case OutputFormat.JSON:
            print_json(result)
        case OutputFormat.CSV:
            print_csv([flat(result)])
        case OutputFormat.TEXT:
            from drivecast.report import outcome as page

            typer.echo(page.wear_text(result))
