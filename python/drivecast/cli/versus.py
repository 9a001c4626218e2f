"""`drivecast versus`: designs side by side, and whether the first replaces the others."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.log import reading as reading_of
from drivecast.cli.simulate import depth
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    interruptible,
    json_text,
    note,
    progress,
    writable,
)
from drivecast.thread import spare_memory

if TYPE_CHECKING:
    from drivecast.document.array_state import Condition
    from drivecast.document.versus import Versus
    from drivecast.plan.candidate import Options
    from drivecast.stage.trace import Reading
    from drivecast.versus.question import Question

SPEEDUP_MAX = 1000.0


@dataclass(frozen=True)
class Tried:
    """The loads and the conditions."""

    workload: Annotated[
        str,
        typer.Option(
            "--workload",
            "-w",
            help="A trace or a counter log (its busiest stretch), a model, or a line: `random(4KiB, rate=5k)`.",
            autocompletion=complete.models,
        ),
    ]
    speedup: Annotated[
        str | None,
        typer.Option(
            help="Multiples of the load's own rate, such as 1,2,5,10 (the default of a timed load)."
        ),
    ] = None
    iodepth: Annotated[
        str | None,
        typer.Option(
            help="Requests outstanding, such as 1,8,32: a closed loop, or a trace as fast as possible."
        ),
    ] = None
    condition: Annotated[
        str,
        typer.Option(
            help="Of: healthy, degraded (a drive has failed), rebuilding (onto a spare, under the load)."
        ),
    ] = "healthy,degraded,rebuilding"
    peak_window: Annotated[float, typer.Option(min=1, help="Length of the busiest stretch, in seconds.")] = (
        60.0
    )
    threads: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Runs at a time (default: all cores); changes no result."),
    ] = None


@dataclass(frozen=True)
class Served:
    """What life, data loss and cost are of."""

    capacity: Annotated[
        str | None,
        typer.Option(
            help="Usable capacity needed, such as 2TB; a trace of a small part of it is spread over it."
        ),
    ] = None
    years: Annotated[str | None, typer.Option(help="Time in service, such as 5 or 3y.")] = None
    growth: Annotated[str | None, typer.Option(help="Growth of data and load, such as 20%/y.")] = None
    hours_per_day: Annotated[
        float | None, typer.Option(help="Hours of a day that look like the workload.")
    ] = None
    write_per_day: Annotated[
        str | None,
        typer.Option(
            "--write-per-day", help="Host writes a day, such as 151GB (default: the workload's own rate)."
        ),
    ] = None
    scrub: Annotated[
        str | None, typer.Option(help="How often every drive is read whole, such as 7d (the default) or 30d.")
    ] = None
    no_trim: Annotated[
        bool, typer.Option("--no-trim", help="The file system does not discard what is free.")
    ] = False
    quotes: Annotated[
        Path | None,
        typer.Option(help="Prices that suppliers quoted; `catalog quotes` writes a file to fill in."),
    ] = None
    rate: Annotated[
        list[str] | None,
        typer.Option("--rate", help="Dollars for one unit of a currency, such as EUR=1.08. Repeatable."),
    ] = None

    def priced(self, catalog: list[Path] | None) -> "Options":
        """Where prices come from."""
        from drivecast.catalog.quotes import rate
        from drivecast.plan.candidate import Options

        rates = tuple(rate(text) for text in self.rate or ())
        return Options(catalog=tuple(catalog or ()), quotes=self.quotes, rates=rates)


@takes(tried=Tried, served=Served, reading=reading_of)
def versus(
    designs: Annotated[
        list[str],
        typer.Argument(
            metavar="DESIGN", help="The first may replace the others.", autocompletion=complete.designs
        ),
    ],
    *,
    tried: Tried,
    served: Served,
    catalog: CatalogPaths = None,
    reading: "Reading",
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the page here: .html, or .json for the data.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Compare designs side by side under one workload, and say whether the first replaces the others.

    Latency at multiples of the load: healthy, degraded and rebuilding; headroom, life, data loss, price and power.

    Example: `drivecast versus 'raid5(4 * samsung-pm9a3-1.92tb)' 'raid10(8 * samsung-pm893-960gb)' -w sda.blktrace`

    Example: `drivecast versus 'cache(fast=DRIVE, slow=raid6(6 * DISK))' 'raid6(6 * DISK)' -w sda.blktrace`

    Example: `drivecast versus DESIGN DESIGN -w 'random(8KiB, read=0.7)' --iodepth 1,8,32 --condition healthy`
    """
    spare_memory()
    from drivecast.plan import search
    from drivecast.present import side_by_side
    from drivecast.versus import contest
    from drivecast.versus.question import as_log

    writable(out)
    question = asked(designs, tried, served, reading, seed)
    priced, notes, hashes = search.priced(served.priced(catalog))
    with (
        progress("comparing", quiet=quiet) as update,
        as_log(question) as (whole, of_model),
    ):
        for text in of_model:
            note(text, quiet=quiet)
        found = interruptible(lambda: contest.versus(whole, priced, update))
    found = found.model_copy(update={"hashes": {**found.hashes, **hashes}})
    for text in (*notes, *found.workload.notes):
        note(text, quiet=quiet)
    if out is not None:
        write(found, out)
    emit(
        found,
        output_format,
        text=lambda: side_by_side.text(found, report=str(out) if out and out.suffix != ".json" else None),
        rows=found.to_rows,
    )


def asked(designs: list[str], tried: Tried, served: Served, reading: "Reading", seed: int) -> "Question":
    """The question that the options are; raises `InputError` for what is no quantity."""
    from drivecast.document.plan_options import PlanOptions
    from drivecast.plan.requirement import given
    from drivecast.quantity import parse as quantity
    from drivecast.versus.question import Question

    return Question(
        designs=designs,
        workload=tried.workload,
        speedups=quantity.several("--speedup", speed, tried.speedup) if tried.speedup is not None else (),
        iodepths=quantity.several("--iodepth", depth, tried.iodepth) if tried.iodepth is not None else (),
        conditions=quantity.several("--condition", state, tried.condition),
        given=given(
            PlanOptions(
                capacity=served.capacity,
                years=served.years,
                growth=served.growth,
                hours_per_day=served.hours_per_day,
                scrub=served.scrub,
            )
        ),
        write_bytes_per_day=quantity.option("--write-per-day", quantity.size_bytes, served.write_per_day),
        peak_window_s=tried.peak_window,
        trimmed=not served.no_trim,
        reading=reading,
        seed=seed,
        threads=tried.threads,
    )


def speed(text: str) -> float:
    """A multiple of a load."""
    from drivecast.errors import InputError

    try:
        value = float(text.removesuffix("x"))
    except ValueError:
        value = 0.0
    if not 0 < value <= SPEEDUP_MAX:
        raise InputError(
            f"expected multiples above 0 and at most {SPEEDUP_MAX:g} such as `1,2,5,10`, found `{text}`"
        )
    return value


def state(text: str) -> "Condition":
    """A condition by its name."""
    from drivecast.document.array_state import CONDITIONS
    from drivecast.errors import InputError

    for name in CONDITIONS:
        if text == name:
            return name
    raise InputError(f"expected of {', '.join(CONDITIONS)}, found `{text}`")


def write(found: "Versus", out: Path) -> None:
    """The comparison as a page, or as JSON where the name ends so."""
    if out.suffix == ".json":
        from drivecast.files import write_whole

        write_whole(out, json_text(found) + "\n")
        return
    from drivecast.present import side_by_side_page

    command = shlex.join(["drivecast", *sys.argv[1:]])
    side_by_side_page.write(found.model_copy(update={"command": command}), out)
