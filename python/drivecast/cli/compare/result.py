"""`drivecast compare RESULT PREDICTION`: predicted beside measured."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.log import takes_log
from drivecast.cli.simulate import Fill, State
from drivecast.cli.verb import (
    EXIT_NO,
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    interruptible,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)

if TYPE_CHECKING:
    from drivecast.catalog import Catalog
    from drivecast.compare.comparison import Comparison, Rule
    from drivecast.compare.predict import Conditions, Progress
    from drivecast.stage.trace import Reading

History = Annotated[
    str | None,
    typer.Option(
        "--history",
        help="File that errors are kept in (default: $DRIVECAST_ERRORS, or drivecast/errors.jsonl in the state "
        "folder); `none` keeps nothing.",
    ),
]


class Quantile(StrEnum):
    """The highest quantile that decides."""

    P50 = "p50"
    P90 = "p90"
    P95 = "p95"
    P99 = "p99"
    P999 = "p99.9"
    P9999 = "p99.99"
    P99999 = "p99.999"


class Unlike(StrEnum):
    """What makes runs unlike, and may be accepted."""

    PARTIAL = "partial"
    SEED = "seed"
    SPAN = "span"


@takes_log
def result(
    measured: Annotated[
        Path, typer.Argument(metavar="RESULT", help="What `drivecast bench … -o FILE` wrote.")
    ],
    prediction: Annotated[
        str,
        typer.Argument(
            metavar="PREDICTION",
            help="A design such as `raid1(2 * DRIVE)`, on which each point is simulated; what `drivecast simulate -o` "
            "wrote; or another result.",
        ),
    ],
    tolerance: Annotated[
        float, typer.Option(min=0.001, max=10, help="What a prediction may be off by, as a fraction.")
    ] = 0.2,
    up_to: Annotated[
        Quantile, typer.Option("--up-to", help="The highest quantile that decides; others are shown.")
    ] = Quantile.P99,
    workload: Annotated[
        str | None, typer.Option("--workload", "-w", help="What was run, where RESULT does not say.")
    ] = None,
    state: Annotated[
        State | None,
        typer.Option(
            help="Where flash of a design starts from (default: laid-out on a file made for the run, else steady)."
        ),
    ] = None,
    fill: Fill = 1.0,
    duration: Annotated[
        float | None,
        typer.Option(min=0.001, help="Simulate each point for this long (default: as it was measured)."),
    ] = None,
    accept: Annotated[
        list[Unlike] | None,
        typer.Option("--accept", help="Compare although this makes the runs unlike. Repeatable."),
    ] = None,
    history: History = None,
    *,
    reading: "Reading",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a page here: .html, or .json for the data.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Put predicted beside measured, quantile by quantile, with what is noise; the errors are kept in a file.

    A file that has the name of one of the commands below is given as `./fit`. Exit code 0 where all that is judged is
    within the tolerance, 1 where some is not or cannot be told, 2 for wrong use and for runs that are unlike.

    Example: `drivecast compare measured.json my-drive --catalog drive.toml -o comparison.html`
    """
    from drivecast.catalog import load
    from drivecast.compare import document, predict
    from drivecast.compare.comparison import Rule
    from drivecast.compare.judge import Q_OF

    writable(out)
    drives = load(catalog or [])
    rule = Rule(tolerance, Q_OF[up_to.value], seed, tuple(one.value for one in accept or ()))
    given = predict.Conditions(
        drives,
        state=state.value if state else None,
        fill=fill,
        duration_s=duration,
        workload=workload,
        reading=reading,
    )
    with progress("comparing", quiet=quiet) as update:
        made = interruptible(lambda: compared(measured, prediction, given, rule, update))
    for text in [*made.notes, *_held_out(prediction, drives)]:
        note(text, quiet=quiet)
    if out is not None:
        write(made, out)
    keep(made, history, drives, quiet=quiet)
    match output_format:
        case OutputFormat.JSON:
            print_json(document.json(made))
        case OutputFormat.CSV:
            print_csv(document.rows(made))
        case OutputFormat.TEXT:
            typer.echo(document.text(made))
    if made.outcome != "within":
        raise typer.Exit(EXIT_NO)


def compared(
    measured: Path, prediction: str, given: "Conditions", rule: "Rule", update: "Progress"
) -> "Comparison":
    """The comparison with a file, or else with a design.

    Raises `InputError` for what is neither.
    """
    from drivecast.compare import comparison, side
    from drivecast.errors import InputError

    ours = side.read(measured)
    if Path(prediction).exists():
        return comparison.with_side(ours, side.read(Path(prediction)), rule, given.reading)
    if prediction.endswith(".json"):
        raise InputError(f"cannot read `{prediction}`: No such file or directory")
    return comparison.with_design(ours, prediction, given, rule, update)


def _held_out(prediction: str, catalog: "Catalog") -> list[str]:
    """What the files of fitted devices say of their own error."""
    from drivecast import _core
    from drivecast.catalog.held_out import stated

    if Path(prediction).exists():
        return []
    found = []
    for name in _core.design_drives(prediction):
        device = catalog.volumes.get(name) or catalog.drives.get(name)
        if device is not None and device.sheet.held_out is not None:
            found.append(stated(name, device.sheet.held_out))
    return found


def keep(made: "Comparison", history: str | None, catalog: "Catalog", *, quiet: bool) -> None:
    """Keep the errors of a prediction, and say where."""
    from drivecast.compare import error_log as kept
    from drivecast.compare import record

    place = kept.place(history)
    if place is None:
        return
    found = record.records(made, catalog)
    if not found:
        return
    added = kept.add(place, found)
    what = f"{added} kept in" if added else "the same as before in"
    note(f"errors of {len(found)} predictions, {what} `{place}`; `--history none` keeps nothing", quiet=quiet)


def write(made: "Comparison", out: Path) -> None:
    """The comparison as a page, or as JSON where the name ends so."""
    import json

    from drivecast.compare import document
    from drivecast.files import write_whole

    if out.suffix == ".json":
        write_whole(
            out, json.dumps(document.json(made), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        )
        return
    from drivecast.present import comparison_page

    comparison_page.write(made, out)
