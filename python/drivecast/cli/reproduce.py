"""`drivecast reproduce`: the published experiments, figure by figure, beside ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    interruptible,
    print_csv,
    print_json,
    print_text,
    progress,
    writable,
)
from drivecast.errors import InputError, NoAnswer

if TYPE_CHECKING:
    from drivecast.reproduce import Experiment


def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME…]", help="Experiments; without any, all of them.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="DRIVECAST_CORPUS",
            help="Folder of DiskSim's disks (`.model`, `.seek`, `.diskspecs`, `.trace`), for `disks`.",
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments and stop.")] = False,
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Also write the JSON here.")] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Run published experiments and print published, ours, ratio, and why they differ.

    Exit code 1 where fewer than 80 % of the ratios are within 25 %, or an ordering is wrong.

    Example: `drivecast reproduce intel-it x25e --output-format csv`
    """
    import json

    from drivecast import reproduce as stage
    from drivecast.catalog import load
    from drivecast.files import write_whole
    from drivecast.reproduce import document

    chosen = _chosen(names or [], data)
    if listed:
        _list(chosen, output_format)
        return
    writable(out)
    drives = load(catalog or [])
    with progress("reproducing", quiet=quiet) as tell:
        report = interruptible(lambda: stage.run(chosen, drives, seed=seed, progress=tell))
    if out is not None:
        write_whole(out, json.dumps(document.json(report), indent=2, ensure_ascii=False) + "\n")
    match output_format:
        case OutputFormat.JSON:
            print_json(document.json(report))
        case OutputFormat.CSV:
            print_csv(stage.table(report.rows).to_dicts())
        case OutputFormat.TEXT:
            print_text(document.text(report), plain=False)
    if not stage.passed(report.rows, report.orderings):
        raise NoAnswer(document.verdict(report))


def _chosen(names: list[str], data: Path | None) -> "list[Experiment]":
    """The experiments asked for, each once, in the order of their names given.

    Raises `InputError` for a name there is not, with the nearest, and for one that needs data it was not given.
    """
    from difflib import get_close_matches

    from drivecast.reproduce import EXPERIMENTS, with_data

    known = with_data(data) if data is not None else EXPERIMENTS
    for name in names:
        if name == "disks" and data is None:
            raise InputError("`disks` needs DiskSim's disks\nhint: `--data DIR` names their folder")
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean `{near[0]}`?" if near else "`drivecast reproduce --list` lists them"
            raise InputError(f"no experiment `{name}`\nhint: {hint}")
    return [known[name] for name in dict.fromkeys(names or known)]


def _list(experiments: "list[Experiment]", output_format: OutputFormat) -> None:
    rows = [{"name": one.name, "title": one.title, "tasks": len(one.tasks)} for one in experiments]
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "experiments": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            for row in rows:
                typer.echo(f"{row['name']:<14} {row['title']}")
