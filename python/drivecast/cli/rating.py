"""`drivecast catalog rating`: rated writes of the drives beside what their flash could take of JESD219."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Seed,
    guarded,
    interruptible,
    print_csv,
    print_json,
    progress,
)

if TYPE_CHECKING:
    from drivecast.stage.rating import Rating


def row(one: "Rating") -> dict[str, Any]:
    """A rating as one row of JSON or CSV."""
    return {
        "drive": one.drive,
        "rated_tb": one.rated_tb,
        "provenance": one.provenance,
        "write_amplification": round(one.write_amplification, 4),
        "rounding_factor": round(one.rounding_factor, 4),
        "pe_cycles": one.pe_cycles.value,
        "pe_cycles_low": one.pe_cycles.low,
        "pe_cycles_high": one.pe_cycles.high,
        "raw_tb": one.raw_tb,
        "computed_tb": float(f"{one.computed_tb.value:.5g}"),
        "computed_tb_low": float(f"{one.computed_tb.low:.5g}"),
        "computed_tb_high": float(f"{one.computed_tb.high:.5g}"),
        "ratio": round(one.ratio, 4),
        "pe_cycles_implied": round(one.cycles_implied, 1),
        "reason": one.reason,
    }


@guarded
def rating(
    names: Annotated[
        list[str] | None, typer.Argument(help="Drives to rate; none: all that are rated.")
    ] = None,
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Hold the rated writes of drives against what their flash could take of JESD219, the load of ratings.

    Each kind of drive is filled and written until its write amplification is steady: some minutes for all.

    Example: `drivecast catalog rating samsung-pm893-480gb`
    """
    from drivecast.catalog import load
    from drivecast.stage import rating as stage

    found = load(catalog or [])
    with progress("rating") as update:
        ratings = interruptible(lambda: stage.ratings(found, names or [], update, seed=seed))
    rows = [row(one) for one in ratings]
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "load": stage.LOAD, "seed": seed, "ratings": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            typer.echo(f"{'drive':<34}{'rated TB':>10}{'computed TB':>13}{'(low-high)':>17}{'ratio':>7}  why")
            for one in ratings:
                span = f"{one.computed_tb.low:,.0f}-{one.computed_tb.high:,.0f}"
                typer.echo(
                    f"{one.drive:<34}{one.rated_tb:>10,.0f}{one.computed_tb.value:>13,.0f}{span:>17}"
                    f"{one.ratio:>7.2f}  {one.reason}"
                )
