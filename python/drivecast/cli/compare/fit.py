"""`drivecast compare fit`: a device from its runs."""

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
    note,
    progress,
    writable,
)


def fit(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS", help="What `drivecast bench … -o FILE` wrote, of one target."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The drive's file to write; its name is the name of the drive."),
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--as", help="What to fit: volume, ssd or disk (default: by what the device reports of itself)."
        ),
    ] = None,
    hold_out: Annotated[
        list[str] | None,
        typer.Option(
            "--hold-out",
            help="Runs that decide the error and are not fitted to: a result, or a selector such as "
            "`read_fraction=0.7,iodepth=3|12`. Repeatable.",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Take the points of this target only, where results have several.")
    ] = None,
    capacity: Annotated[
        str | None,
        typer.Option(
            help="What the device holds, such as 1TB (default: what the results state of the disk)."
        ),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Also draw measured against simulated: an `.svg` or `.png` file.")
    ] = None,
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    quiet: Quiet = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Fit a simulated device to measured runs, with intervals, and report its error on runs it was not fitted to.

    The file is one of the catalog: `drivecast simulate my-disk -w LINE --catalog my-disk.toml`.

    Example: `drivecast compare fit depths.json sizes.json --hold-out mixed.json -o my-disk.toml`
    """
    from drivecast.catalog import load
    from drivecast.compare.fit import drive_file
    from drivecast.compare.fit.fit import Request, carry_out, toml
    from drivecast.document import result
    from drivecast.files import write_whole
    from drivecast.present import fit_text as present
    from drivecast.quantity import parse as quantity

    for path in (out, figure):
        writable(path)
    present.suffix(figure)
    requested = Request(
        kind=kind,
        hold_out=hold_out or [],
        target=target,
        capacity_bytes=quantity.option("--capacity", quantity.size_bytes, capacity),
        seed=seed,
        name=drive_file.name_of(out),
    )
    known = load(catalog or [])
    given = [(path, result.read(path)) for path in results]
    with progress("fit", quiet=quiet) as update:
        found = interruptible(lambda: carry_out(requested, given, known, update))
    write_whole(out, toml(found))
    if figure is not None:
        present.draw(found, figure)
    emit(found, output_format, rows=lambda: found.figures, text=lambda: present.lines(found))
    note(f"written to `{out}`: `drivecast simulate {found.name} -w LINE --catalog {out}`", quiet=quiet)
