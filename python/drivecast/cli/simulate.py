"""`drivecast simulate`: a workload on a design."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.log import takes_log
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    Out,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    interruptible,
    note,
    writable,
)

Design = Annotated[
    str,
    typer.Argument(
        help="Such as `raid10(8 * intel-710-100gb, chunk=64KiB)`.", autocompletion=complete.designs
    ),
]
Workload = Annotated[
    str,
    typer.Option(
        "--workload",
        "-w",
        help="A trace, a counter log (its busiest minute), a model, or a line: `random(4KiB, read=0.7, iodepth=32)`.",
        autocompletion=complete.models,
    ),
]
Fill = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="Share of the capacity that holds data before the run starts.")
]
State = Literal["fresh", "laid-out", "steady", "idle"]

IODEPTH_MAX = 65536
REQUESTS_MAX = 1_000_000_000
"""A quarter of an hour on a fast machine; more would not end."""
Requests = Annotated[
    int | None,
    typer.Option(
        min=1, max=REQUESTS_MAX, help="Stop after this many requests; a million take about a second."
    ),
]

if TYPE_CHECKING:
    from pathlib import Path

    from drivecast.document.outcome import Depths
    from drivecast.stage.trace import Reading


@takes_log
def simulate(
    design: Design,
    workload: Workload,
    duration: Annotated[
        float | None, typer.Option(min=0.001, help="Stop after this many simulated seconds.")
    ] = None,
    requests: Requests = None,
    speedup: Annotated[float, typer.Option(min=1e-6, help="Speed a trace or a rate up so much.")] = 1.0,
    iodepth: Annotated[
        str | None,
        typer.Option(
            help="Play a trace as fast as possible at this depth, or a line at it; several, as 1,2,4, make a table."
        ),
    ] = None,
    start: Annotated[float, typer.Option(min=0, help="Begin this many seconds into the trace.")] = 0.0,
    length: Annotated[
        float | None, typer.Option(min=0.001, help="Take this many seconds of the trace.")
    ] = None,
    fill: Fill = 1.0,
    state: Annotated[
        State,
        typer.Option(
            help="Start from erased flash, from data written once in order as a new test file is, from the steady"
            " state of this workload, or from there after long rest."
        ),
    ] = "steady",
    *,
    catalog: CatalogPaths = None,
    reading: "Reading",
    seed: Seed = 0,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Simulate a workload on a design: IOPS, latency, write amplification.

    Example: `drivecast simulate 'raid10(8 * intel-710-100gb)' -w 'random(16KiB, read=0.3, iodepth=16)'`

    Example: `drivecast simulate 'raid1(2 * samsung-pm9a3-1.92tb)' -w sar.txt --disk sdb,sdc`
    """
    from drivecast.catalog import load
    from drivecast.present import simulated
    from drivecast.quantity import parse as quantity
    from drivecast.stage import simulate as stage
    from drivecast.stage.workload_input import opened, run

    writable(out)
    depths = () if iodepth is None else quantity.several("--iodepth", depth, iodepth)
    options = stage.Options(
        seed=seed,
        duration_s=duration,
        requests=requests,
        start_s=start,
        length_s=length,
        speedup=speedup,
        iodepth=depths[0] if depths else None,
        fill=fill,
        state=state,
    )
    played = opened(workload, options, reading)
    for text in played.notes:
        note(text, quiet=quiet)
    drives = load(catalog or [])
    if len(depths) > 1:
        several = interruptible(
            lambda: stage.simulate_depths(design, played.load, drives, played.options, depths)
        )
        emit_depths(several, output_format, out)
        return
    outcome = interruptible(lambda: run(design, played, drives))
    outcome = outcome.model_copy(update={"workload": workload})
    emit(outcome, output_format, text=lambda: simulated.run(outcome), out=out)


def emit_depths(found: "Depths", output_format: OutputFormat, out: "Path | None") -> None:
    """Print the runs at several depths."""
    from drivecast.present import simulated

    emit(
        found,
        output_format,
        text=lambda: simulated.depths(found),
        rows=found.to_rows,
        out=out,
    )


def depth(text: str) -> int:
    """A queue depth."""
    from drivecast.quantity import parse as quantity

    return quantity.count(text, IODEPTH_MAX)
