"""`drivecast cache`: what a cache of each size would do for a trace."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.log import Paths
from drivecast.cli.log import reading as reading_of
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
    progress,
    writable,
)
from drivecast.thread import spare_memory

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading


@dataclass(frozen=True)
class Simulated:
    """What is simulated besides, if anything is."""

    backing: Annotated[
        str | None,
        typer.Option(
            "--backing",
            help="What is behind the cache, as a design: 'raid10(8 * DISK)'. Simulates latency by size.",
        ),
    ] = None
    program: Annotated[
        list[str] | None,
        typer.Option(
            "--program",
            help="What caches, with its options as in designs: 'opencas, mode=wb' (default: flashcache). Repeatable.",
        ),
    ] = None


@takes(simulated=Simulated, reading=reading_of)
def curve(
    logs: Paths,
    sizes: Annotated[
        str | None,
        typer.Option(
            help="Sizes of the cache, rising, such as 1GiB,4GiB,16GiB (default: up to the footprint)."
        ),
    ] = None,
    policies: Annotated[
        str | None,
        typer.Option(
            help="Of lru, fifo, clock, 2q, arc, lirs, s3-fifo, sieve, w-tinylfu, random, belady (default: all but"
            " random)."
        ),
    ] = None,
    by: Annotated[
        Literal["block", "object"],
        typer.Option(
            help="What is cached: blocks of 4 KiB, or an object an offset, as large as its first request."
        ),
    ] = "block",
    ram: Annotated[
        str | None,
        typer.Option(help="More memory before the cache, such as 64GB: how many reads it takes away."),
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(help="The buffer pool that the trace was recorded below: bounds what `--ram` may do."),
    ] = None,
    drive: Annotated[
        str | None,
        typer.Option(
            autocompletion=complete.drives,
            help="The drive that would hold the cache, by its name in the catalog: its life.",
        ),
    ] = None,
    *,
    simulated: Simulated,
    reading: "Reading",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write an HTML page with the figure here.")
    ] = None,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Would a cache do? Miss ratio and writes of a trace by size of the cache and by eviction policy.

    With `--drive` and `--backing` also p50 and p99 of reads and writes by size, simulated: six sizes at most.

    Example: `drivecast cache trace.blktrace`

    Example: `drivecast cache trace.vscsi --sizes 128MiB,256MiB --policies lru,arc,belady --by object`

    Example: `drivecast cache trace.csv --ram 64GB --pool 16GB --drive samsung-pm9a3-960gb`

    Example: `drivecast cache sda.blktrace --drive DRIVE --backing 'raid10(8 * DISK)' --program 'opencas, mode=wb'`
    """
    from drivecast.caching import cache_options, curves
    from drivecast.catalog import load
    from drivecast.present import cache_curves

    writable(out)
    writable(report)
    drives = load(catalog or [])
    of = None if drive is None else drives.get(drive)
    devices = cache_options.devices(of, simulated.backing, simulated.program, drives)
    if devices is not None:
        spare_memory()
    question = cache_options.question(sizes, policies, ram, pool, by=by, drive=of, seed=seed, devices=devices)
    with progress("caching", quiet=quiet) as show:
        found = interruptible(lambda: curves.curves(logs, question, reading, show))
    for text in found.notes:
        note(text, quiet=quiet)
    if report is not None:
        from drivecast.present import cache_page

        cache_page.write(found, report)
    emit(found, output_format, text=lambda: cache_curves.lines(found), rows=found.to_rows, out=out)
