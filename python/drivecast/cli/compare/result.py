"""`drivecast compare RESULT PREDICTION`: predicted and measured."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.log import reading as reading_of
from drivecast.cli.simulate import Fill, State
from drivecast.cli.verb import (
    EXIT_NO,
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

if TYPE_CHECKING:
    from drivecast.catalog import Catalog
    from drivecast.compare.comparison import Rule
    from drivecast.document.comparison import Comparison
    from drivecast.stage.trace import Reading

History = Annotated[
    str | None,
    typer.Option(
        "--history",
        help="The log of errors (default: $DRIVECAST_ERRORS, or drivecast/errors.jsonl in the state folder); "
        "`none` for no log.",
    ),
]

Workload = Annotated[
    str | None,
    typer.Option(
        "--workload",
        "-w",
        help="What was run, where RESULT does not state it.",
        autocompletion=complete.models,
    ),
]

Quantile = Literal["p50", "p90", "p95", "p99", "p99.9", "p99.99", "p99.999"]


class Unlike(StrEnum):
    """Differences between runs that may be accepted."""

    PARTIAL = "partial"
    SEED = "seed"
    SPAN = "span"


@dataclass(frozen=True)
class Judged:
    """By which rule a prediction agrees with a measurement."""

    tolerance: Annotated[
        float, typer.Option(min=0.001, max=10, help="What a prediction may be off by, as a fraction.")
    ] = 0.2
    up_to: Annotated[
        Quantile, typer.Option("--up-to", help="The highest quantile that decides; others are shown.")
    ] = "p99"
    accept: Annotated[
        list[Unlike] | None,
        typer.Option("--accept", help="Compare although this makes the runs unlike. Repeatable."),
    ] = None

    def rule(self, seed: int) -> "Rule":
        """As the stage takes it."""
        from drivecast.compare.comparison import Q_OF, Rule

        return Rule(
            self.tolerance, Q_OF[self.up_to], seed, tuple(unlike.value for unlike in self.accept or ())
        )


@takes(judged=Judged, reading=reading_of)
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
            autocompletion=complete.designs,
        ),
    ],
    *,
    judged: Judged,
    workload: Workload = None,
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
    history: History = None,
    catalog: CatalogPaths = None,
    reading: "Reading",
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write a page here: .html, or .json for the data.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Compare predicted with measured, quantile by quantile, noise included; the errors are added to a log.

    A file with the name of one of the commands below is given as `./fit`. Exit code 0 where all that is judged is
    within the tolerance, 1 where some is not or noise hides it, 2 for wrong use and for runs that are unlike.

    Example: `drivecast compare measured.json my-drive --catalog drive.toml -o comparison.html`
    """
    from drivecast.catalog import load
    from drivecast.compare import compared_with, predict
    from drivecast.present import comparison_page, comparison_text
    from drivecast.present.comparison_text import worded

    writable(out)
    drives = load(catalog or [])
    rule = judged.rule(seed)
    given = predict.Conditions(
        drives, state=state, fill=fill, duration_s=duration, workload=workload, reading=reading
    )
    with progress("comparing", quiet=quiet) as update:
        made = worded(
            interruptible(lambda: compared_with.compared(measured, prediction, given, rule, update))
        )
    for text in [*made.notes, *_held_out(prediction, drives)]:
        note(text, quiet=quiet)
    if out is not None and out.suffix != ".json":
        comparison_page.write(made, out)
    keep(made, history, drives, quiet=quiet)
    emit(
        made,
        output_format,
        rows=made.to_rows,
        text=lambda: comparison_text.lines(made),
        out=out if out is not None and out.suffix == ".json" else None,
    )
    if made.outcome != "within":
        raise typer.Exit(EXIT_NO)


def _held_out(prediction: str, catalog: "Catalog") -> list[str]:
    """The errors that the files of fitted devices state."""
    from drivecast import _core
    from drivecast.files import exists

    if exists(prediction):
        return []
    found = []
    for name in _core.design_drives(prediction):
        device = catalog.volumes.get(name) or catalog.drives.get(name)
        if device is not None and device.sheet.held_out is not None:
            error = device.sheet.held_out
            found.append(
                f"`{name}` was fitted to runs: on {error.runs} settings held out, p50 was off by "
                f"{error.p50_error_median:.0%} in the median and {error.p50_error_max:.0%} at most, p99 by "
                f"{error.p99_error_median:.0%} and {error.p99_error_max:.0%}"
            )
    return found


def keep(made: "Comparison", history: str | None, catalog: "Catalog", *, quiet: bool) -> None:
    """Add the errors of a prediction to the log, and note where."""
    from drivecast.compare import error_log

    place = error_log.place(history)
    found = error_log.records(made, catalog) if place else []
    if place is None or not found:
        return
    added = error_log.add(place, found)
    what = f"{added} added to" if added else "all of them already in"
    note(f"errors of {len(found)} predictions, {what} `{place}`; `--history none` keeps no log", quiet=quiet)
