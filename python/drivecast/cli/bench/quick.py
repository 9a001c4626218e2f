"""`drivecast bench quick`: an unknown disk in five minutes."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.bench.option import Engines, Output
from drivecast.cli.verb import Format, OutputFormat, Quiet, Seed


def quick(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A directory on the disk; a file is made in it and removed.")
    ],
    within: Annotated[float, typer.Option(min=30, max=3600, help="Seconds that all of it may take.")] = 300.0,
    engine: Annotated[
        Engines | None, typer.Option(help="Default: io_uring, or libaio where the kernel refuses io_uring.")
    ] = None,
    seed: Seed = 0,
    quiet: Quiet = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The result (default: drivecast-quick-DATE.json, in this directory)."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="The page (default: as the result, with .html).")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Measure an unknown disk in five minutes: throughput, knee, cost of a commit, limits, jitter.

    Needs no privileges. The file is removed at the end, however the run ends.

    Example: `drivecast bench quick /mnt/candidate`
    """
    from datetime import datetime

    from drivecast.bench.fio.measure import measure
    from drivecast.bench.fio.program import chosen
    from drivecast.bench.quick.quick_run import look
    from drivecast.errors import HintedError

    out = out or Path(f"drivecast-quick-{datetime.now().astimezone():%Y%m%d-%H%M%S}.json")
    if out.exists():
        raise HintedError(f"`{out}` exists, and a quick look cannot be resumed", "another `-o`")
    output = Output(out, report or out.with_suffix(".html"), output_format, quiet=quiet)
    how = chosen(engine.value if engine else None)
    output.of("quick", lambda update: look(folder, within, measure, how, seed, output.store, update))
