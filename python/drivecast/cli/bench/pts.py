"""`drivecast bench pts`: SNIA's tests of solid state storage, to steady state."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.bench.option import Engine, Stored, Tests, Threads
from drivecast.cli.group import takes
from drivecast.cli.verb import EXIT_NO, note

if TYPE_CHECKING:
    from drivecast.bench.progress import Progress
    from drivecast.bench.pts.specification import Choice
    from drivecast.document.result import Result


@dataclass(frozen=True)
class Method:
    """Which test, and how long and how deep its steps are."""

    test: Annotated[Tests, typer.Option(help="Which of its tests.")] = Tests.IOPS
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Within the hour: fewer cells, shorter steps, a smaller span; not PTS."),
    ] = False
    step: Annotated[
        float | None, typer.Option(min=0.1, help="Seconds that a cell is measured (default: 60; quick: 12).")
    ] = None
    rounds: Annotated[
        int | None,
        typer.Option(min=5, help="Stop after so many rounds (default: 25; write saturation: 6 hours)."),
    ] = None
    iodepth: Annotated[
        int | None, typer.Option(min=1, max=65536, help="Requests outstanding of each thread (default: 32).")
    ] = None
    threads: Threads = 1
    engine: Engine = None

    def choice(self, seed: int) -> "Choice":
        """What was chosen; raises `InputError` for a depth that the test does not have."""
        from drivecast.bench.pts.specification import Choice
        from drivecast.errors import HintedError

        if self.test is Tests.LATENCY and (self.iodepth or self.threads) != 1:
            raise HintedError(
                "the latency test has one request outstanding", "leave out `--iodepth` and `--threads`"
            )
        choice = Choice(self.test.value, self.quick, self.step, self.rounds, self.iodepth, self.threads, seed)
        return replace(choice, engine=self.engine.value) if self.engine else choice


@takes(method=Method, stored=Stored)
def pts(
    on: Annotated[
        str,
        typer.Option(
            "--on", help="What to test: a directory (a file is made in it), a file, or a block device."
        ),
    ],
    *,
    method: Method,
    size: Annotated[
        str | None, typer.Option(help="Size of the file that is made (default: 8GiB; quick: 1GiB).")
    ] = None,
    active_range: Annotated[
        float, typer.Option(min=1, max=100, help="Percent of the file or device that is worked on.")
    ] = 100.0,
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
    stored: Stored,
) -> None:
    """Test by SNIA's Solid State Storage Performance Test Specification 2.0.2, in rounds until steady state.

    Purges and preconditions first, and overwrites the whole target. Exits with code 1 where steady state was not
    reached, which is a result too; write saturation is a record and always exits with 0.

    Example: `drivecast bench pts --on /mnt/candidate --test iops --quick -o iops.json`
    """
    from drivecast.bench.fio import measure, program
    from drivecast.bench.journal import plan_hash, unfinished
    from drivecast.bench.pts import procedure
    from drivecast.bench.pts.pts_run import Tools
    from drivecast.bench.pts.purge import erased, purge
    from drivecast.bench.target import opened
    from drivecast.quantity import parse as quantity

    output = stored.output()
    choice = method.choice(stored.seed)
    fio = program.found(choice.engine).version  # a missing fio is reported before a file is laid out
    whole = procedure.whole_bytes(
        on, quantity.option("--size", quantity.size_bytes, size), quick=choice.quick
    )
    span = procedure.span_bytes(whole, active_range, on, quick=choice.quick)
    past = unfinished(stored.out, plan_hash(procedure.decided_by(choice, on, span)), fresh=stored.fresh)
    tools = Tools(measure, erased(purge) if purged else purge)

    def measured(update: "Progress") -> "Result":
        with opened(on, need_bytes=whole, writes=True, destroy=destroy, update=update) as target:
            plan = procedure.plan_of(choice, span, target)
            note(procedure.announced(plan, past), quiet=stored.quiet)
            result = past or procedure.begun_by(plan, choice, target, on, fio)
            return procedure.run(plan, target, result, tools, output.store, update)

    result = output.of(f"pts {method.test}", measured)
    if method.test is not Tests.SATURATION and not getattr(result.findings, "reached", False):
        raise typer.Exit(EXIT_NO)
