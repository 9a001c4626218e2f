"""`drivecast bench pts`: SNIA's tests of solid state storage, to steady state."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.bench.kind import Engine, Tests
from drivecast.cli.bench.option import Fresh, Out, Report, Threads
from drivecast.cli.verb import (
    EXIT_NO,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    note,
    progress,
)

if TYPE_CHECKING:
    from drivecast.bench.pts.specification import Choice, Plan
    from drivecast.bench.target import Progress, Target
    from drivecast.cli.bench.kept import Kept
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
    engine: Annotated[Engine, typer.Option(help="How fio asks the kernel.")] = Engine.IO_URING,
    destroy: Annotated[
        str | None,
        typer.Option(help="The target's full name again, where all it holds may be overwritten."),
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
    """Test by SNIA's Solid State Storage Performance Test Specification 2.0.2, in rounds until they agree.

    Purges and preconditions first, and writes all over the target. Ends with code 1 where steady state was not reached,
    which is a result too; write saturation is a record and always ends with 0.

    Example: `drivecast bench pts --on /mnt/candidate --test iops --quick -o iops.json`
    """
    from drivecast import quantity
    from drivecast.bench.fio.program import found
    from drivecast.bench.journal import plan_hash, unfinished
    from drivecast.bench.pts.procedure import decided_by
    from drivecast.bench.target import opened
    from drivecast.cli.bench.kept import Kept

    kept = Kept(out, report, quiet=quiet)
    choice = _choice(test, engine, quick, step, rounds, iodepth, threads, seed)
    # What is missing is told before a file is laid out.
    fio = found(choice.engine).version
    whole = _whole_bytes(on, quantity.option("--size", quantity.size_bytes, size), quick)
    decided = decided_by(choice, on, _span_bytes(whole, active_range, on, quick))
    past = unfinished(out, plan_hash(decided), fresh=fresh)
    with (
        progress(f"pts {test}", quiet=quiet) as update,
        kept.told(),
        opened(on, need_bytes=whole, writes=True, destroy=destroy, update=update) as target,
    ):
        plan = _plan(choice, decided["span_bytes"], target)
        note(_announced(plan, past), quiet=quiet)
        result = _run(plan, target, past or _begun(plan, decided, target, on, fio), kept, update, purged)
    kept.shown(result, output_format)
    if test is not Tests.SATURATION and not getattr(result.findings, "reached", False):
        raise typer.Exit(EXIT_NO)


def _choice(
    test: Tests,
    engine: Engine,
    quick: bool,
    step: float | None,
    rounds: int | None,
    iodepth: int | None,
    threads: int,
    seed: int,
) -> "Choice":
    from drivecast.bench.pts.specification import Choice
    from drivecast.errors import InputError

    if test is Tests.LATENCY and (iodepth or threads) != 1:
        raise InputError(
            "the latency test has one request outstanding\nhint: leave out `--iodepth` and `--threads`"
        )
    return Choice(test.value, quick, step, rounds, iodepth, threads, seed, engine=engine.value)


def _whole_bytes(on: str, size_bytes: int | None, quick: bool) -> int:
    """How large the target is, or is made."""
    from drivecast import _core
    from drivecast.errors import InputError

    path = Path(on)
    if path.is_dir():
        return size_bytes or (1 << 30 if quick else 8 << 30)
    if size_bytes is not None:
        raise InputError(
            "`--size` is of a file that is made in a directory\n"
            "hint: `--active-range` takes a part of a file or device that is there"
        )
    # A target that is not there is told of where it is opened.
    return _core.target_size(path)[0] if path.exists() else 0


def _span_bytes(whole: int, active_range: float, on: str, quick: bool) -> int:
    """How much of it is worked on: whole MiB, since blocks are up to that large."""
    from drivecast.bench.pts.specification import QUICK_SPAN_BYTES, SPAN_BYTES_MIN
    from drivecast.errors import InputError

    span = int(whole * active_range / 100) >> 20 << 20
    if quick and active_range == 100:
        span = min(span, QUICK_SPAN_BYTES)
    if whole and span < SPAN_BYTES_MIN:
        raise InputError(
            f"`{on}`: the part to work on is {span / (1 << 20):.0f} MiB, and at least {SPAN_BYTES_MIN >> 20} MiB "
            "are needed\nhint: a larger `--size`, target or `--active-range`"
        )
    return span


def _plan(choice: "Choice", span: int, target: "Target") -> "Plan":
    from drivecast import _core
    from drivecast.bench.pts.specification import planned

    return planned(choice, span, _core.target_size(target.path)[1])


def _announced(plan: "Plan", past: "Result | None") -> str:
    from drivecast.bench.pts.specification import TITLES, expected_s
    from drivecast.quantity import number

    low, high = expected_s(plan)
    cells = sum(len(part.cells) for part in plan.parts)
    of = "not SNIA PTS" if plan.quick else "SNIA PTS"
    size = number.binary_size(plan.span_bytes)
    words = f"{TITLES[plan.test]}, {of}: {size}, {cells} cell{'s' * (cells > 1)} of {plan.step_s:g} s"
    takes = f"{number.duration(low)} to {number.duration(high)}" if low < high else number.duration(high)
    again = f"; going on behind {len(past.points)} points" if past else ""
    assumed = ", with preconditioning at an assumed 500 MB/s" if any(one.passes for one in plan.parts) else ""
    return f"{words}; takes {takes}{assumed}{again}"


def _begun(plan: "Plan", decided: dict[str, Any], target: "Target", on: str, fio: str) -> "Result":
    """A result without points."""
    from drivecast.bench.environment import machine
    from drivecast.bench.journal import begun
    from drivecast.bench.pts.specification import SPECIFICATION, TITLES

    name = f"{TITLES[plan.test]} of {target.name}"
    title = f"quick {name}, not {SPECIFICATION}" if plan.quick else f"{name}, {SPECIFICATION}"
    environment = {**machine(), "fio": fio}
    kind = "device" if Path(on).is_block_device() else "file"
    return begun("steady-state", title, decided, plan.seed, environment, {**target.row(on), "kind": kind})


def _run(
    plan: "Plan", target: "Target", begun: "Result", kept: "Kept", update: "Progress", purged: bool
) -> "Result":
    from drivecast.bench.fio import measure
    from drivecast.bench.pts.procedure import run
    from drivecast.bench.pts.purge import erased, purge
    from drivecast.bench.pts.stretch import Tools

    return run(plan, target, begun, Tools(measure, erased(purge) if purged else purge), kept.keep, update)
