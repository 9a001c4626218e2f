"""`drivecast catalog`: list, show, check, rate, import, validate and fit drives."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.calibrate import calibrate
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
from drivecast.errors import HintedError, NoAnswer

app = typer.Typer(
    no_args_is_help=True, help="List, show, check and import the drives that designs are made of."
)


app.command()(calibrate)


@app.command("list")
def list_drives(
    on_sale: Annotated[bool, typer.Option("--on-sale", help="Only what can be ordered today.")] = False,
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """List the drives and volumes of the catalog.

    Example: `drivecast catalog list --on-sale --output-format csv`
    """
    from drivecast.catalog import inventory, load
    from drivecast.present import drives

    found = inventory(load(catalog or []), on_sale=on_sale)
    emit(
        found,
        output_format,
        text=lambda: drives.inventory(found),
        rows=lambda: [*found.drives, *found.volumes],
    )


@app.command()
def part(
    number: Annotated[str, typer.Argument(help="A maker's part number, such as `MZQL21T9HCJR-00A07`.")],
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Find a drive by its part number, with or without what follows the last hyphen.

    Example: `drivecast catalog part MZQL21T9HCJR-00A07`
    """
    from drivecast.catalog import load, parts
    from drivecast.present import drives

    found = parts(load(catalog or []), number)
    emit(found, output_format, text=lambda: drives.inventory(found), rows=lambda: found.drives)


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(help="Such as `samsung-pm893-480gb`.", autocompletion=complete.drives)
    ],
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Show a drive, volume or controller: every parameter, how it is known, and from where.

    Example: `drivecast catalog show samsung-pm893-480gb`
    """
    from drivecast.catalog import load, shown
    from drivecast.present import drives

    found = shown(load(catalog or []), name)
    emit(
        found,
        output_format,
        text=lambda: drives.shown(found),
        rows=lambda: [{**row.model_dump(mode="json"), "value": str(row.value)} for row in found.parameters],
    )


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="With `--simulate`: drives (default: all).", autocompletion=complete.drives),
    ] = None,
    catalog: CatalogPaths = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run the drives through the tests of their data sheets.")
    ] = False,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Find impossible and doubtful data; exit code 1 if something is impossible.

    With `--simulate`, compare simulated drives with their data sheets instead; exit code 1 if one is more than 10 %
    off.

    Example: `drivecast catalog check --catalog my-drives/`

    Example: `drivecast catalog check --simulate samsung-pm893-480gb`
    """
    from drivecast.catalog import findings, load
    from drivecast.present import drives

    if simulate:
        _compare_with_sheets(names or [], catalog or [], output_format, quiet)
        return
    if names:
        raise HintedError(
            f"`{names[0]}`: names of drives go with `--simulate`; without it all drives are checked at once",
            "a file of your own is checked with `--catalog FILE`",
        )
    found = findings(load(catalog or []))
    emit(found, output_format, text=lambda: drives.findings(found), rows=found.findings)
    errors = sum(doubt.severity == "error" for doubt in found.findings)
    if errors:
        raise NoAnswer(f"{errors} figures are impossible")


def _compare_with_sheets(
    names: list[str], paths: list[Path], output_format: OutputFormat, quiet: bool
) -> None:
    from drivecast.calibration import sheet_check
    from drivecast.catalog import load
    from drivecast.present import drives

    catalog = load(paths)
    with progress("simulating", quiet=quiet) as update:
        found = interruptible(lambda: sheet_check.check(catalog, names or list(catalog.drives), update))
    titles = {name: drive.title for name, drive in catalog.drives.items()}
    emit(found, output_format, text=lambda: drives.sheet_check(found, titles), rows=found.tests)
    if found.counts.beyond:
        raise NoAnswer(
            f"{found.counts.beyond} simulated figures are beyond {found.tolerance:.0%} of the sheet"
        )


@app.command()
def rating(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Drives (default: all that are rated).", autocompletion=complete.drives),
    ] = None,
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Compare rated writes with what the flash could take of JESD219, the load of ratings.

    Each kind of drive is filled and written until its write amplification is steady: some minutes for all.

    Example: `drivecast catalog rating samsung-pm893-480gb`
    """
    from drivecast.catalog import load
    from drivecast.present import drives
    from drivecast.stage.jesd219 import ratings

    known = load(catalog or [])
    with progress("rating", quiet=quiet) as update:
        found = interruptible(lambda: ratings(known, names or [], update, seed=seed))
    emit(found, output_format, text=lambda: drives.ratings(found.ratings), rows=found.ratings)


@app.command()
def quotes(
    everything: Annotated[bool, typer.Option("--all", help="Drives that are no longer sold, too.")] = False,
    catalog: CatalogPaths = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the file here.")] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write a file for the prices that suppliers quote you, a row a drive; `plan --quotes` reads it.

    Rows without a price are passed over. Of several quotes for a drive the newest counts, of one day the cheapest.

    Example: `drivecast catalog quotes -o quotes.csv`
    """
    from drivecast.catalog import load
    from drivecast.catalog.quotes import template, template_text
    from drivecast.files import write_whole

    writable(out)
    found = template(load(catalog or []), on_sale=not everything)
    if out is not None:
        write_whole(out, template_text(found))
        note(f"written: {out}; fill in the prices and give it to `plan --quotes`", quiet=quiet)
        return
    emit(found, output_format, text=lambda: template_text(found).rstrip("\n"), rows=found.rows)


@app.command("import")
def import_disk(
    files: Annotated[
        list[Path],
        typer.Argument(help="A disk's `.model`, and its `.seek` and `.diskspecs` if there are any."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The catalog file to write, `NAME.toml`.")],
    vendor: Annotated[str, typer.Option(help="Vendor of the disk.")] = "unknown",
    model: Annotated[str | None, typer.Option(help="Model of the disk (default: the file's name).")] = None,
    interface: Annotated[
        str, typer.Option(help="A link of the catalog; a measured rate replaces its own.")
    ] = "SAS 3G",
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Write a catalog file from a disk's published DiskSim or DIXtrac description.

    Example: `drivecast catalog import atlas10k.model atlas10k.seek atlas10k.diskspecs -o atlas10k.toml`
    """
    from drivecast.catalog.disk_file import catalog_file
    from drivecast.catalog.disksim import describe
    from drivecast.document.catalog import Imported
    from drivecast.files import write_whole

    writable(out)
    disk = describe(files)
    write_whole(out, catalog_file(disk, vendor=vendor, model=model or out.stem, interface=interface))
    found = Imported(path=str(out), zones=len(disk.zones), controller=disk.controller is not None)
    if not found.zones:
        note("the description has no zones of a known layout: one rate is taken for the disk", quiet=quiet)
    if not found.controller:
        note("no `disksim_disk` was given: overheads, buffer and link are assumed", quiet=quiet)
    emit(found, output_format, text=lambda: f"written: {out}")


@app.command()
def add(
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file (default: MODEL.toml).")] = None,
    from_smart: Annotated[
        Path | None, typer.Option(help="What `smartctl -x -j` prints of the drive.")
    ] = None,
    from_nvme_id: Annotated[
        Path | None, typer.Option(help="What `nvme id-ctrl -o json` prints of the drive.")
    ] = None,
    from_fio: Annotated[Path | None, typer.Option(help="What `fio --output-format=json` measured.")] = None,
    drive_class: Annotated[
        str | None, typer.Option("--class", help="Its class (default: from link and capacity).")
    ] = None,
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Enter a drive that the catalog lacks, from what you have of it; what is not known is assumed by class.

    Example: `drivecast catalog add --from-smart smart.json --from-fio runs.json -o my-drive.toml`
    """
    from drivecast.catalog import entry, load
    from drivecast.document.catalog import Imported
    from drivecast.files import write_whole

    known, seen = load(catalog or []), entry.Seen()
    for take, path in ((seen.smart, from_smart), (seen.nvme_id, from_nvme_id), (seen.fio, from_fio)):
        if path is not None:
            take(path)
    for drive in entry.known_as(known, seen):
        note(f"the catalog has it: {drive.title}, `{drive.name}`", quiet=quiet)
    made = entry.made(known, seen, drive_class)
    path = out or Path(f"{entry.name_of(seen)}.toml")
    writable(path)
    write_whole(path, made)
    note("its price is not known: give a quote with `plan --quotes`", quiet=quiet)
    emit(Imported(path=str(path), zones=0, controller=False), output_format, text=lambda: f"written: {path}")


@app.command()
def validate(
    name: Annotated[str, typer.Argument(help="A disk of the catalog.", autocompletion=complete.drives)],
    trace: Annotated[
        Path, typer.Argument(help="Its validation trace: `R|W word LBN sectors service_us think_us`.")
    ],
    catalog: CatalogPaths = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Compare a disk with a measurement of the real one: distributions of response times, as demerit figures.

    Example: `drivecast catalog validate atlas10k atlas10k.trace --catalog my-drives/`
    """
    from drivecast.calibration.demerit import demerit
    from drivecast.catalog import device_spec, load
    from drivecast.document.calibration import DiskValidation
    from drivecast.present import drives

    distances = demerit(device_spec(load(catalog or []).get(name)), trace)
    found = DiskValidation(name=name, classes=[distances.overall, *distances.classes.values()])
    emit(found, output_format, text=lambda: drives.validation(found), rows=found.classes)


@app.command()
def fit(
    names: Annotated[
        list[str] | None, typer.Argument(help="Drives to fit (default: all).", autocompletion=complete.drives)
    ] = None,
    catalog: CatalogPaths = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the result into the drives' files, as table `[fitted]`.")
    ] = False,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Fit the controller times that no sheet states, so that the simulated drive shows its sheet's figures.

    Example: `drivecast catalog fit intel-710-200gb`
    """
    from drivecast.calibration.fitting import fit_all
    from drivecast.catalog import load
    from drivecast.present import drives

    known = load(catalog or [])
    with progress("fitting", quiet=quiet) as update:
        found = interruptible(lambda: fit_all(known, names or list(known.drives), update, written=write))
    emit(found, output_format, text=lambda: drives.sheet_fits(found), rows=found.fits)
