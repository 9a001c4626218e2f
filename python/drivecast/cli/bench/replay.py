"""`drivecast bench replay`: a trace, a model or a line at its own times."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.bench.option import Destroy, Fresh, On, Out, Output, Report
from drivecast.cli.log import takes_log
from drivecast.cli.verb import Format, OutputFormat, Quiet, Seed, note

if TYPE_CHECKING:
    from drivecast.document.result import Result
    from drivecast.stage.trace import Reading


@takes_log
def replay(
    workload: Annotated[
        str, typer.Argument(help="A trace, a model, or a line such as `random(4KiB, rate=20000iops)`.")
    ],
    on: On,
    speedup: Annotated[float, typer.Option(min=1e-6, help="Play a trace this many times as fast.")] = 1.0,
    idle: Annotated[
        str | None, typer.Option(help="Cut idle time of a trace above this, such as 25ms or 0s.")
    ] = None,
    iodepth: Annotated[
        int | None,
        typer.Option(min=1, max=65536, help="As fast as possible at this depth, instead of at its times."),
    ] = None,
    as_fast_as_possible: Annotated[
        bool,
        typer.Option(
            "--as-fast-as-possible", help="As fast as possible at the depth the trace had at each request."
        ),
    ] = False,
    start: Annotated[float, typer.Option(min=0, help="Begin this many seconds into the trace.")] = 0.0,
    length: Annotated[
        float | None, typer.Option(min=0.001, help="Take this many seconds of the trace.")
    ] = None,
    duration: Annotated[float | None, typer.Option(min=0.001, help="Stop after this many seconds.")] = None,
    requests: Annotated[int | None, typer.Option(min=1, help="Stop after this many requests.")] = None,
    ramp: Annotated[
        float, typer.Option(min=0, help="Leave this many seconds out of the figures first.")
    ] = 0.0,
    repeats: Annotated[int, typer.Option(min=1, help="Play so many times on each target.")] = 1,
    size: Annotated[
        str | None,
        typer.Option(help="Size of the file that is made, such as 8GiB (default: what the trace reaches)."),
    ] = None,
    pack: Annotated[
        bool, typer.Option("--pack", help="Move the regions that a trace touches together, in their order.")
    ] = False,
    wrap: Annotated[
        bool, typer.Option("--wrap", help="Move requests behind the end of the target into it.")
    ] = False,
    destroy: Destroy = None,
    fresh: Fresh = False,
    *,
    reading: "Reading",
    seed: Seed = 0,
    quiet: Quiet = False,
    out: Out = None,
    report: Report = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Play a trace, a model or a line on real targets in turn, each request at its own time.

    Deadlines are absolute, requests bypass the page cache, and how late they were issued is reported. The outcome has
    the form of a simulated one. After Ctrl-C, the same command with `-o` resumes.

    Example: `drivecast bench replay mysql.blktrace --on /mnt/candidate --pack -o candidate.json`
    """
    from drivecast.bench.journal import resumed
    from drivecast.bench.replay import Options, Plan, begun_by, play
    from drivecast.errors import InputError
    from drivecast.quantity import parse as quantity
    from drivecast.stage.simulate import workload as open_workload

    output = Output(out, report, output_format, quiet=quiet)
    if iodepth is not None and as_fast_as_possible:
        raise InputError(
            "`--iodepth` and `--as-fast-as-possible` both set the queue depth\nhint: give one of them"
        )
    plan = Plan(
        workload=workload,
        on=tuple(on),
        options=Options(
            seed=seed,
            start_s=start,
            length_s=length,
            duration_s=duration,
            requests=requests,
            ramp_s=ramp,
            speedup=speedup,
            idle_s=quantity.option("--idle", quantity.time_s, idle),
            iodepth=iodepth,
            own_depth=as_fast_as_possible,
            pack=pack,
            wrap=wrap,
        ),
        repeats=repeats,
        size_bytes=quantity.option("--size", quantity.size_bytes, size),
        destroy=tuple(destroy or ()),
    )
    load = open_workload(workload, reading=reading, seed=seed)
    past = resumed(out, begun_by(plan), fresh=fresh)
    result = output.of("replay", lambda update: play(plan, load, past, output.store, update))
    _end(result, out, quiet=quiet)


def _end(result: "Result", out: Path | None, *, quiet: bool) -> None:
    """Raise `InputError` with the reason why a result is partial, and what to do."""
    from drivecast.errors import InputError

    if result.complete:
        return
    hint = f"the points so far are in `{out}`; the same command resumes" if out else "`-o` stores the points"
    note(f"the figures are of the time before `{result.partial}`", quiet=quiet or not result.points)
    raise InputError(f"{result.partial}\nhint: {hint}")
