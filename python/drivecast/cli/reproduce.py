"""`drivecast reproduce`: the published experiments, figure by figure, next to ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete, reproduce_live
from drivecast.cli.group import takes
from drivecast.cli.reproduce_live import Really
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    Out,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    interruptible,
    progress,
    writable,
)
from drivecast.errors import HintedError, NoAnswer

if TYPE_CHECKING:
    from drivecast.catalog import Catalog
    from drivecast.document.measured_drives import MeasuredDrives
    from drivecast.document.reproduction import Listed
    from drivecast.reproduce import Experiment


@takes(really=Really)
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME…]",
            help="Experiments, such as `x25e` (default: all).",
            autocompletion=complete.experiments,
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="DRIVECAST_CORPUS",
            help="Directory, such as corpus/: of DiskSim's disks (`.model`, `.seek`, `.diskspecs`, `.trace`) for "
            "`disks`, of tables of measured drives for `measured`.",
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments and exit.")] = False,
    latency_errors: Annotated[
        Path | None,
        typer.Option(metavar="path", help="With `measured`: write the catalog's `latency.toml` here."),
    ] = None,
    *,
    really: Really,
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Run published experiments and print published, ours, ratio, and why they differ.

    Exit code 1 if fewer than 80 % of the ratios are within 25 %, or an ordering is wrong. With `--live`, points
    that were not served on time do not count.

    `measured` simulates real drives as others measured them: `reproduce measured --data FOLDER`, with tables as
    docs/reference/measured.md describes. Exit code 1 if the errors are above the goals.

    Example: `drivecast reproduce intel-it x25e --output-format csv`
    """
    from drivecast.catalog import load
    from drivecast.present import measured_drives, reproduction
    from drivecast.reproduce import run

    if really.live:
        if listed:
            _list(reproduce_live.listed(names or []), output_format)
            return
        reproduce_live.run(names or [], really, load(catalog or []), seed, out, output_format, quiet=quiet)
        return
    really.is_left_out()
    if names == ["measured"] and not listed:
        real = _measured(data, load(catalog or []), seed, out, latency_errors, quiet=quiet)
        emit(real, output_format, text=lambda: measured_drives.text(real), rows=real.figures, out=out)
        if not real.passed:
            raise NoAnswer(measured_drives.verdict(real))
        return
    chosen = _chosen(names or [], data)
    if listed:
        _list([_listed(each) for each in chosen], output_format)
        return
    writable(out)
    drives = load(catalog or [])
    with progress("reproducing", quiet=quiet) as update:
        found = interruptible(lambda: run(chosen, drives, seed=seed, progress=update))
    emit(found, output_format, text=lambda: reproduction.text(found), rows=found.rows, out=out)
    if not found.passed:
        raise NoAnswer(reproduction.verdict(found))


def _measured(
    data: Path | None, drives: "Catalog", seed: int, out: Path | None, errors: Path | None, *, quiet: bool
) -> "MeasuredDrives":
    """Simulate the rows of tables of measured drives."""
    from drivecast.files import write_whole
    from drivecast.reproduce import latency_file, real_drives

    if data is None:
        raise HintedError("`measured` needs tables of measured drives", "`--data DIR` names their folder")
    folder = data / "measured" if (data / "measured").is_dir() else data
    for path in (out, errors):
        writable(path)
    with progress("reproducing", quiet=quiet) as update:
        found = interruptible(lambda: real_drives.run(folder, drives, seed=seed, progress=update))
    if errors is not None:
        write_whole(errors, latency_file.toml(found.figures))
    return found


def _chosen(names: list[str], data: Path | None) -> "list[Experiment]":
    """The experiments named, each once, in the order given.

    Raises `InputError` for an unknown name, with the nearest, and for one that needs data it was not given.
    """
    from drivecast.reproduce import EXPERIMENTS, with_data
    from drivecast.reproduce.live import LIVE

    if "disks" in names and data is None:
        raise HintedError("`disks` needs DiskSim's disks", "`--data DIR` names their folder")
    known = with_data(data) if data is not None else EXPERIMENTS
    return reproduce_live.named(names or known, known, LIVE, live=False)


def _listed(experiment: "Experiment") -> "Listed":
    from drivecast.document.reproduction import Listed

    return Listed(name=experiment.name, title=experiment.title, tasks=len(experiment.tasks))


def _list(rows: "list[Listed]", output_format: OutputFormat) -> None:
    from drivecast.document.reproduction import Experiments
    from drivecast.present import grid

    emit(
        Experiments(experiments=rows),
        output_format,
        text=lambda: grid.table(("<", "<"), [(row.name, row.title) for row in rows]),
        rows=rows,
    )
