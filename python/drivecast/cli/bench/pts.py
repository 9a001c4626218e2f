"""`drivecast bench pts`: SNIA's tests of solid state storage, to steady state."""

from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.bench.option import Engine, Fresh, Out, Output, Report, Tests, Threads
from drivecast.cli.verb import EXIT_NO, Format, OutputFormat, Quiet, Seed, note

if TYPE_CHECKING:
    from drivecast.bench.progress import Progress
    from drivecast.document.result import Result


def pts(
    on: Annotated[
        str,
        typer.Option(
            "--on", help="What to test: a directory (a file is made in it), a file, or a block device."
        ),
    ],
    test: Annotated[Tests, typer.Option(help="Which of its tests.")] = Tests.IOPS,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Within the hour: fewer cells, shorter steps, a smaller span; not PTS."),
    ] = False,
    size: Annotated[
        str | None, typer.Option(help="Size of the file that is made (default: 8GiB; quick: 1GiB).")
    ] = None,
    active_range: Annotated[
        float, typer.Option(min=1, max=100, help="Percent of the file or device that is worked on.")
    ] = 100.0,
    step: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds that a cell is measured (default: 60; quick: 12).")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(min=5, help="Stop after so many rounds (default: 25; write saturation: 6 hours)."),
    ] = None,
    iodepth: Annotated[
        int | None, typer.Option(min=1, max=65536, help="Requests outstanding of each thread (default: 32).")
    ] = None,
    threads: Threads = 1,
    engine: Engine = None,
    destroy: Annotated[
        str | None,
        typer.Option(help="The target's full name again, to overwrite everything it holds."),
    ] = None,
    purged: Annotated[
        bool,
        typer.Option(
            "--purged", help="The device was just erased by its own command: do not discard it first."
        ),
    ] = False,
    fresh: Fresh = False,
    seed: Seed = 0,
    quiet: Quiet = False,
    out: Out = None,
    report: Report = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Test by SNIA's Solid State Storage Performance Test Specification 2.0.2, in rounds until steady state.

    Purges and preconditions first, and overwrites the whole target. Exits with code 1 where steady state was not
    reached, which is a result too; write saturation is a record and always exits with 0.

    Example: `drivecast bench pts --on /mnt/candidate --test iops --quick -o iops.json`
    """
    from dataclasses import replace

    from drivecast.bench.fio import measure, program
    from drivecast.bench.journal import plan_hash, unfinished
    from drivecast.bench.pts import procedure
    from drivecast.bench.pts.purge import erased, purge
    from drivecast.bench.pts.specification import Choice
    from drivecast.bench.pts.stretch import Tools
    from drivecast.bench.target import opened
    from drivecast.errors import InputError
    from drivecast.quantity import parse as quantity

    if test is Tests.LATENCY and (iodepth or threads) != 1:
        raise InputError(
            "the latency test has one request outstanding\nhint: leave out `--iodepth` and `--threads`"
        )
    output = Output(out, report, output_format, quiet=quiet)
    choice = Choice(test.value, quick, step, rounds, iodepth, threads, seed)
    choice = replace(choice, engine=engine.value) if engine else choice
    fio = program.found(choice.engine).version  # a missing fio is reported before a file is laid out
    whole = procedure.whole_bytes(on, quantity.option("--size", quantity.size_bytes, size), quick=quick)
    span = procedure.span_bytes(whole, active_range, on, quick=quick)
    past = unfinished(out, plan_hash(procedure.decided_by(choice, on, span)), fresh=fresh)
    tools = Tools(measure, erased(purge) if purged else purge)

    def measured(update: "Progress") -> "Result":
        with opened(on, need_bytes=whole, writes=True, destroy=destroy, update=update) as target:
            plan = procedure.plan_of(choice, span, target)
            note(procedure.announced(plan, past), quiet=quiet)
            result = past or procedure.begun_by(plan, choice, target, on, fio)
            return procedure.run(plan, target, result, tools, output.store, update)

    result = output.of(f"pts {test}", measured)
    if test is not Tests.SATURATION and not getattr(result.findings, "reached", False):
        raise typer.Exit(EXIT_NO)
