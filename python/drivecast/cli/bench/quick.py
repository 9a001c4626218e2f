"""`drivecast bench quick`: an unknown disk in five minutes."""

from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli.bench.kept import Kept
from drivecast.cli.bench.kind import Engine
from drivecast.cli.verb import Format, OutputFormat, Quiet, Seed, progress


def quick(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A directory on the disk; a file is made in it and removed.")
    ],
    within: Annotated[float, typer.Option(min=20, max=3600, help="Seconds that all of it may take.")] = 300.0,
    engine: Annotated[
        Engine | None, typer.Option(help="How fio asks (default: io_uring, or libaio where that is refused).")
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
    """Look at an unknown disk for five minutes: what it carries, its knee, what a commit costs, limits, evenness.

    Needs no privileges. The file is removed in the end, however that comes.

    Example: `drivecast bench quick /mnt/candidate`
    """
    from datetime import datetime

    from drivecast.bench.fio.measure import measure
    from drivecast.bench.quick.engine import chosen
    from drivecast.bench.quick.look import look
    from drivecast.errors import InputError

    out = out or Path(f"drivecast-quick-{datetime.now().astimezone():%Y%m%d-%H%M%S}.json")
    if out.exists():
        raise InputError(
            f"`{out}` is there already, and a quick look is not gone on with\nhint: another `-o`"
        )
    kept = Kept(out, report or out.with_suffix(".html"), quiet=quiet)
    how = chosen(engine.value if engine else None)
    with progress("quick", quiet=quiet) as update, kept.told():
        result = look(folder, within, measure, how, seed, kept.keep, update)
    kept.shown(result, output_format)
