"""`drivecast model change` and `model join`: windows of more load, more data, another mix or length, or several."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli.archive import check_names, written
from drivecast.cli.verb import CatalogPaths, Format, OutputFormat, Quiet, Seed, progress, writable
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.stage.windows_file import Archive

Out = Annotated[Path, typer.Option("--out", "-o", help="The archive to write, `NAME.windows`.")]


def change(
    path: Annotated[Path, typer.Argument(metavar="MODEL", help="Windows of a trace, `NAME.windows`.")],
    out: Out,
    rate: Annotated[
        str, typer.Option(help="So many times the requests, such as 2 or 0.5, at the same length.")
    ] = "1",
    by: Annotated[
        Literal["copies", "time"],
        typer.Option(help="Superpose copies of windows or thin them out; or divide all times."),
    ] = "copies",
    same_data: Annotated[
        bool,
        typer.Option("--same-data", help="Copies have the addresses of the first, and none of their own."),
    ] = False,
    reads: Annotated[
        str | None, typer.Option(help="The share of reads among as many requests, as 80%.")
    ] = None,
    footprint: Annotated[str, typer.Option(help="So many times the data at the same rate, 1 or more.")] = "1",
    more: Annotated[
        list[str] | None,
        typer.Option(
            help="A cluster so many times as often, such as `busy scan 1=2`; 0 leaves it out. Repeatable."
        ),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option(help="A pass of this length, such as 7d, by the transitions between clusters."),
    ] = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write windows of more or less load, more data, another mix, or another length.

    Each change says what it preserves, in the archive and wherever it is used. Rate and reads are changed first, then
    the footprint, then how often clusters come, then the length. The error and the intervals stay those of the fit:
    they do not know the change.

    Example: `drivecast model change m.windows -o next-year.windows --rate 1.5 --footprint 2`

    Example: `drivecast model change m.windows -o reports.windows --more 'busy scan 1=2' --length 7d`
    """
    from drivecast.model.change.changes import Wanted, changed
    from drivecast.quantity import parse as quantity

    check_names(path, out)
    writable(out)
    times = {
        name: quantity.option(f"--{name}", quantity.fraction_or_more, text) or 0.0
        for name, text in (("rate", rate), ("footprint", footprint))
    }
    wanted = Wanted(
        rate=times["rate"],
        by=by,
        reads=quantity.option("--reads", quantity.fraction_or_more, reads),
        same_data=same_data,
        footprint=times["footprint"],
        more=dict(_cluster(text) for text in more or ()),
        length_s=quantity.option("--length", quantity.time_s, length),
    )
    found = _read(path)
    with progress("changing", quiet=quiet) as update:
        update(0.0, "changing")
        after = changed(found, wanted, seed)
    written(out, after, output_format)


def join(
    paths: Annotated[
        list[Path], typer.Argument(metavar="MODEL...", help="Windows of traces, `NAME.windows`.")
    ],
    out: Out,
    within: Annotated[
        str, typer.Option(help="What p50 and p99 on a design may be off, as estimated.")
    ] = "10%",
    seed: Seed = 0,
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write windows of several workloads together on one array, each with data of its own.

    They begin together and count for as long as the shortest pass; `model change --length` makes one longer.

    Example: `drivecast model join web.windows db.windows -o both.windows`
    """
    from drivecast.catalog import load as load_catalog
    from drivecast.model.change.join import joined
    from drivecast.quantity import parse as quantity

    check_names(*paths, out)
    writable(out)
    error = quantity.option("--within", quantity.fraction_or_more, within) or 0.0
    parts = {path.stem: _read(path) for path in paths}
    if len(parts) < len(paths):
        raise InputError("two archives have the same name: rename one of the files")
    with progress("joining", quiet=quiet) as update:
        found = joined(parts, load_catalog(catalog or []), within=error, seed=seed, update=update)
    written(out, found, output_format)


def _read(path: Path) -> "Archive":
    from drivecast.stage import windows_file

    return windows_file.read(path)


def _cluster(text: str) -> tuple[str, float]:
    """A cluster and how many times as often it is to come."""
    from drivecast.quantity import parse as quantity

    name, equals, times = text.rpartition("=")
    if not equals:
        raise InputError(f"--more: expected a cluster and a number such as `busy scan 1=2`, found `{text}`")
    return name.strip(), quantity.option("--more", quantity.fraction_or_more, times) or 0.0
