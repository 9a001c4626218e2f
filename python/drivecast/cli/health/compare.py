"""`drivecast health compare`: the wear of drives in service compared with its prediction."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.health.option import Url, moment
from drivecast.cli.verb import EXIT_NO, CatalogPaths, Format, OutputFormat, Quiet, emit
from drivecast.errors import HintedError, InputError

if TYPE_CHECKING:
    import polars as pl

    from drivecast.health.history import History


def compare(
    prediction: Annotated[
        Path, typer.Argument(metavar="PREDICTION.json", help="What `plan` or `wear` wrote as JSON.")
    ],
    design: Annotated[
        str | None,
        typer.Option(help="A design of the plan (default: its winner).", autocompletion=complete.designs),
    ] = None,
    serial: Annotated[
        list[str] | None,
        typer.Option(help="A drive of the array (default: all of the design's kind). Repeatable."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only samples from this date on, such as 2026-03-01.")
    ] = None,
    per_day: Annotated[
        str | None,
        typer.Option(
            "--write-per-day",
            help="What the host writes to the array a day now, such as 1.2TB: separates the load from its share.",
        ),
    ] = None,
    years: Annotated[
        str | None,
        typer.Option(help="Time since the plan's load began (default: the drives' power-on time)."),
    ] = None,
    tolerance: Annotated[
        float, typer.Option(min=0, max=10, help="Deviation of an input that is accepted.")
    ] = 0.1,
    history: Url = None,
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Compare the wear of drives in service with its prediction, input by input.

    Ratios of observed to predicted, with 95 % intervals: the load, its share on a drive, write amplification, wear
    for a byte of flash; which of them was wrong, and what to change in the plan. Exit code 1 where one is.

    Example: `drivecast health compare plan.json --serial S4FNNE0M801234 --since 2026-03-01`
    """
    from drivecast.catalog import load
    from drivecast.health import compare as comparison
    from drivecast.health.history import History
    from drivecast.present import wear_comparison
    from drivecast.quantity import parse as quantity

    known = load(catalog or [])
    predicted = comparison.read(prediction, design, known)
    begin = moment("--since", since)
    written = quantity.option("--write-per-day", quantity.size_bytes, per_day)
    if written == 0:
        raise InputError("--write-per-day: nothing is written, so nothing wears")
    with History.open(history, create=False) as opened:
        drives = _chosen(opened, serial, predicted.drive)
        samples = opened.samples(drives["drive"].to_list(), begin)
    named = drives.select("drive", "serial").rows()
    seen = [comparison.seen(name, samples.filter(drive=key)) for key, name in named]
    made = comparison.compare(
        predicted,
        comparison.observe(seen),
        written_per_day=written,
        years_in_service=quantity.option("--years", quantity.years, years),
        tolerance=tolerance,
    )
    answer = wear_comparison.document(made)
    emit(answer, output_format, text=lambda: wear_comparison.lines(made), rows=answer.factors)
    if made.outcome == "wrong":
        raise typer.Exit(EXIT_NO)


def _chosen(opened: "History", serials: list[str] | None, drive: str) -> "pl.DataFrame":
    """The drives requested, or all of the design's kind; raises `InputError` for none, or an unknown serial number."""
    import polars as pl

    from drivecast.health import warranty

    drives = opened.drives().sort("last_seen").unique(["serial", "model"], keep="last", maintain_order=True)
    if serials:
        missing = sorted({*serials} - {*drives["serial"]})
        if missing:
            raise InputError(f"no drive {', '.join(f'`{name}`' for name in missing)} in the history")
        found = drives.filter(pl.col("serial").is_in(serials))
    else:
        # Tables bring no name of the catalog; the model reports it as it does for a drive that is read.
        named = warranty.ratings(drives).select("drive", by_model="catalog")
        kind = pl.coalesce("catalog", "by_model") == drive
        found = drives.join(named, on="drive", how="left").filter(kind).drop("by_model")
        if not found.height:
            models = ", ".join(f"`{model}`" for model in drives["model"].unique().sort()[:5])
            raise HintedError(
                f"no drive of the history is a `{drive}`; it holds {models or 'no drives at all'}",
                "`--serial` names the drives that serve this design",
            )
    return found.sort("serial")
