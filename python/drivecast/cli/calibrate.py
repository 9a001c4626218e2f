"""`drivecast catalog calibrate`: what tables of measured latency add to a drive's sheet."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete
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

if TYPE_CHECKING:
    from drivecast.document.calibration import Calibration


def calibrate(
    drive: Annotated[
        str,
        typer.Argument(
            help="A drive of the catalog, such as `samsung-pm9a3-960gb`; with a table by depth, a controller, too.",
            autocompletion=complete.drives,
        ),
    ],
    tables: Annotated[
        list[Path],
        typer.Argument(
            metavar="TABLE...",
            help="Tables as docs/reference/measured.md says: under load and steady writes, or results of `bench`; "
            "fio by depth and processes; rates by threads; ACT. All of one kind.",
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
    fit: Annotated[
        list[str] | None,
        typer.Option(
            help="Runs by depth to fit to, such as `ibm-m1015 randread 1x32` or `ibm-m1015 rand* 1x*`; others judge "
            "(default: a depth of 1 on the first path). Repeatable."
        ),
    ] = None,
    by: Annotated[
        str, typer.Option(help="Whose measurements these are: a key of the file's `[sources]`.")
    ] = "measured",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Estimate from measurements what no data sheet states, and say what they do not determine.

    Says how far the drive is then off the runs that were held out. Exit code 2 where the tables cannot carry a fit, and
    nothing is written.

    Example: `drivecast catalog calibrate samsung-pm9a3-960gb load.csv steady.csv --hold-out 60000 -o pm9a3.toml`
    """
    from drivecast.calibration import table_kind
    from drivecast.catalog import load
    from drivecast.files import write_whole

    writable(out)
    drives = load(catalog or [])
    with progress("calibrating", quiet=quiet) as update:
        found, text = interruptible(
            lambda: table_kind.calibrate(
                drive,
                tables,
                drives,
                by=by,
                hold_out=hold_out or [],
                fit=fit or [],
                seed=seed,
                progress=update,
            )
        )
    emit(found, output_format, text=lambda: _text(found), rows=[found])
    if out is not None:
        write_whole(out, text)


def _text(found: "Calibration") -> list[str]:
    unknown = ["", "not determined by the data:", *(f"  {line}" for line in found.undetermined)]
    return [
        f"{found.drive}: {found.error}",
        "",
        *found.table.splitlines(),
        *(unknown if found.undetermined else []),
    ]
