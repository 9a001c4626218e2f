"""`drivecast catalog`: list, show, check and import drives."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from drivecast.cli.rating import rating
from drivecast.cli.sheet_test import fit_to_sheets, hold_to_sheets
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    guarded,
    note,
    print_csv,
    print_json,
    print_lines,
    writable,
)
from drivecast.errors import InputError, NoAnswer

app = typer.Typer(
    no_args_is_help=True, help="List, show, check and import the drives that designs are made of."
)

app.command()(rating)

LONGEST_VALUE = 80
"""Characters of a value, such as a table of seek times, that `show` prints; JSON has all."""


class Sold(StrEnum):
    """Which drives to list."""

    TODAY = "today"
    ALL = "all"


def _volume_row(volume: Any) -> dict[str, Any]:
    return {
        "name": volume.name,
        "title": volume.title,
        "class": "volume",
        "available_today": volume.sheet.identity.available_today,
        "user_bytes": volume.user_bytes,
        "dwpd": None,
        "tbw_bytes": None,
        "price_usd": None,
    }


def _row(drive: Any, price: float | None) -> dict[str, Any]:
    return {
        "name": drive.name,
        "title": drive.title,
        "class": drive.drive_class,
        "available_today": drive.available_today,
        "user_bytes": drive.user_bytes,
        "dwpd": drive.dwpd,
        "tbw_bytes": drive.tbw_bytes,
        "price_usd": price,
    }


@app.command("list")
@guarded
def list_drives(
    sold: Annotated[Sold, typer.Option(help="Drives one can order today, or all.")] = Sold.ALL,
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """List the drives and volumes of the catalog.

    Example: `drivecast catalog list --sold today --output-format csv`
    """
    from drivecast.catalog import load

    found = load(catalog or [])
    rows = [
        _row(drive, found.price_usd(name) if name in found.prices.drives else None)
        for name, drive in sorted(found.drives.items())
        if sold is Sold.ALL or drive.available_today
    ]
    volumes = [
        _volume_row(volume)
        for volume in found.volumes.values()
        if sold is Sold.ALL or volume.sheet.identity.available_today
    ]
    match output_format:
        case OutputFormat.JSON:
            controllers = [
                {"name": name, "title": one.title}
                for name, one in sorted(found.controllers.controllers.items())
            ]
            print_json({"schema_version": 1, "drives": rows, "volumes": volumes, "controllers": controllers})
        case OutputFormat.CSV:
            print_csv(rows + volumes)
        case OutputFormat.TEXT:
            for row in rows + volumes:
                price = f"${row['price_usd']:,.0f}" if row["price_usd"] else "-"
                rated = f"{row['dwpd']:.2g} DWPD" if row["dwpd"] else "-"
                old = "" if row["available_today"] else "  no longer sold"
                typer.echo(f"{row['name']:<34} {row['class']:<14} {rated:>10} {price:>9}{old}")
            for name, one in sorted(found.controllers.controllers.items()):
                typer.echo(f"{name:<34} controller     {one.title}")


@app.command()
@guarded
def show(
    name: Annotated[str, typer.Argument(help="Such as `samsung-pm893-480gb`.")],
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Show a drive, volume or controller: every parameter, how it is known, and from where.

    Example: `drivecast catalog show samsung-pm893-480gb`
    """
    from drivecast.catalog import controller_provenance, load, provenance, volume_provenance

    found = load(catalog or [])
    if name in found.controllers.controllers:
        controller = found.controller(name)
        title, kind = controller.title, "controller"
        parameters = controller_provenance(controller, found.controllers.sources)
    elif name in found.volumes:
        volume = found.volumes[name]
        title, kind, parameters = volume.title, "volume", volume_provenance(volume)
    else:
        drive = found.get(name)
        title, kind, parameters = drive.title, drive.drive_class, provenance(drive)
    rows = [
        {"name": one.name, "value": one.value, "provenance": one.provenance, "source": one.source}
        for one in parameters
    ]
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "name": name, "title": title, "parameters": rows})
        case OutputFormat.CSV:
            print_csv([{**row, "value": str(row["value"])} for row in rows])
        case OutputFormat.TEXT:
            typer.echo(f"{title} ({kind})")
            for row in rows:
                value = str(row["value"])
                value = value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"
                typer.echo(f"  {row['name']:<22} {value:<24} {row['provenance']:<10} {row['source']}")


@app.command()
@guarded
def check(
    names: Annotated[
        list[str] | None, typer.Argument(help="With `--simulate`: these drives, else all.")
    ] = None,
    catalog: CatalogPaths = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run the drives through the tests of their data sheets.")
    ] = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Find impossible and doubtful data; exit code 1 where something is impossible.

    With `--simulate`, hold simulated drives against their data sheets instead; exit code 1 where one is more than 10 %
    off.

    Example: `drivecast catalog check --catalog my-drives/`

    Example: `drivecast catalog check --simulate samsung-pm893-480gb`
    """
    if simulate:
        hold_to_sheets(names or [], catalog or [], output_format)
        return
    if names:
        raise InputError("names of drives go with `--simulate`; data are checked for all drives at once")
    from rich.text import Text

    from drivecast import catalog as stage

    found = stage.load(catalog or [])
    findings = stage.check(found)
    rows = [
        {"severity": one.severity, "file": one.file, "key": one.key, "what": one.what, "limit": one.limit}
        for one in findings
    ]
    match output_format:
        case OutputFormat.JSON:
            print_json(
                {
                    "schema_version": 1,
                    "drives": len(found.drives),
                    "volumes": len(found.volumes),
                    "findings": rows,
                }
            )
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            for one in findings:
                print_lines(Text(str(one), style="red" if one.severity == "error" else ""))
            typer.echo(f"{len(found.drives)} drives, {len(found.volumes)} volumes, {len(findings)} findings")
    errors = sum(one.severity == "error" for one in findings)
    if errors:
        raise NoAnswer(f"{errors} figures are impossible")


@app.command("import")
@guarded
def import_disk(
    files: Annotated[
        list[Path],
        typer.Argument(help="A disk's `.model`, and its `.seek` and `.diskspecs` where there are."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The catalog file to write, `NAME.toml`.")],
    vendor: Annotated[str, typer.Option(help="Vendor of the disk.")] = "unknown",
    model: Annotated[str | None, typer.Option(help="Model of the disk; else the file's name.")] = None,
    interface: Annotated[
        str, typer.Option(help="A link of the catalog; a measured rate replaces its own.")
    ] = "SAS 3G",
) -> None:
    """Write a catalog file from a disk's published DiskSim or DIXtrac description.

    Example: `drivecast catalog import atlas10k.model atlas10k.seek atlas10k.diskspecs -o atlas10k.toml`
    """
    from drivecast.catalog.described import catalog_file
    from drivecast.catalog.disksim import describe
    from drivecast.files import write_whole

    writable(out)
    found = describe(files)
    write_whole(out, catalog_file(found, vendor=vendor, model=model or out.stem, interface=interface))
    if not found.zones:
        note("the description has no zones this program knows: one rate for the whole disk is taken")
    if found.controller is None:
        note("no `disksim_disk` was given: overheads, buffer and link are assumed")


@app.command()
@guarded
def validate(
    name: Annotated[str, typer.Argument(help="A disk of the catalog.")],
    trace: Annotated[
        Path, typer.Argument(help="Its validation trace: `R|W word LBN sectors service_us think_us`.")
    ],
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Compare a disk with a measurement of the real one: distributions of response times, as demerit figures.

    Example: `drivecast catalog validate atlas10k atlas10k.trace --catalog my-drives/`
    """
    from dataclasses import asdict

    from drivecast.calibration.demerit import demerit
    from drivecast.catalog import device_spec, load

    found = demerit(device_spec(load(catalog or []).get(name)), trace)
    parts = {"all": found.overall, **found.classes}
    rows = [{"class": part, **asdict(distance)} for part, distance in parts.items()]
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "name": name, "classes": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            typer.echo(f"{'requests':<14} {'count':>7} {'demerit':>9} {'measured':>9} {'simulated':>9}")
            for part, of in parts.items():
                typer.echo(
                    f"{part:<14} {of.requests:>7} {of.demerit_ms:>9.3f} "
                    f"{of.mean_measured_ms:>9.3f} {of.mean_simulated_ms:>9.3f}"
                )
            typer.echo("demerit: rms distance of the two distributions; then the mean response times; in ms")


@app.command()
@guarded
def fit(
    names: Annotated[list[str] | None, typer.Argument(help="Drives to fit; none: all.")] = None,
    catalog: CatalogPaths = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put the result into the drives' files, as table `[fitted]`.")
    ] = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Fit the controller times that no sheet states, so that the simulated drive shows its sheet's figures.

    Example: `drivecast catalog fit intel-710-200gb`
    """
    fit_to_sheets(names or [], catalog or [], write, output_format)
