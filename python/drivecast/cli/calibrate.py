"""`drivecast catalog calibrate`: what tables of measured latency add to a drive's sheet."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    interruptible,
    progress,
    writable,
)


def calibrate(
    drive: Annotated[str, typer.Argument(help="A drive of the catalog, such as `samsung-pm9a3-960gb`.")],
    tables: Annotated[
        list[Path],
        typer.Argument(
            metavar="TABLE...",
            help="Latency under load and steady writes, as docs/reference/measured.md says; results of `bench`.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="path", help="Write the drive's file with the result here."),
    ] = None,
    hold_out: Annotated[
        list[int] | None,
        typer.Option(help="Offered writes a second of runs to judge by, not to fit. Repeatable."),
    ] = None,
    by: Annotated[
        str, typer.Option(help="Whose measurements these are: a key of the file's `[sources]`.")
    ] = "measured",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Estimate from measured latency what no data sheet states: waits for programs, batches of cleaning.

    Says how far the drive is then off the runs that were held out. Exit code 1 where the tables cannot carry a fit.

    Example: `drivecast catalog calibrate samsung-pm9a3-960gb load.csv steady.csv --hold-out 60000 -o pm9a3.toml`
    """
    from drivecast.calibration import ssd_calibrate
    from drivecast.catalog import load
    from drivecast.files import write_whole

    writable(out)
    drives = load(catalog or [])
    with progress("calibrating", quiet=quiet) as update:
        found, text = interruptible(
            lambda: ssd_calibrate.run(
                drive, tables, drives, by=by, hold_out=hold_out or [], seed=seed, progress=update
            )
        )
    emit(found, output_format, text=lambda: f"{found.drive}: {found.error}\n\n{found.table}", rows=[found])
    if out is not None:
        write_whole(out, text)
