"""`drivecast bench replay`: a trace, a model or a line at its own times."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.bench.option import Destroy, On, Stored
from drivecast.cli.group import takes
from drivecast.cli.log import reading as reading_of
from drivecast.cli.verb import note

if TYPE_CHECKING:
    from drivecast.bench.replay import Options
    from drivecast.document.result import Result
    from drivecast.stage.trace import Reading


@dataclass(frozen=True)
class Playing:
    """Which part of a trace is played, where, and how fast."""

    speedup: Annotated[float, typer.Option(min=1e-6, help="Play a trace this many times as fast.")] = 1.0
    idle: Annotated[
        str | None, typer.Option(help="Cut idle time of a trace above this, such as 25ms or 0s.")
    ] = None
    iodepth: Annotated[
        int | None,
        typer.Option(min=1, max=65536, help="As fast as possible at this depth, instead of at its times."),
    ] = None
    as_fast_as_possible: Annotated[
        bool,
        typer.Option(
            "--as-fast-as-possible", help="As fast as possible at the depth the trace had at each request."
        ),
    ] = False
    start: Annotated[float, typer.Option(min=0, help="Begin this many seconds into the trace.")] = 0.0
    length: Annotated[float | None, typer.Option(min=0.001, help="Take this many seconds of the trace.")] = (
        None
    )
    duration: Annotated[float | None, typer.Option(min=0.001, help="Stop after this many seconds.")] = None
    requests: Annotated[int | None, typer.Option(min=1, help="Stop after this many requests.")] = None
    ramp: Annotated[float, typer.Option(min=0, help="Leave this many seconds out of the figures first.")] = (
        0.0
    )
    pack: Annotated[
        bool, typer.Option("--pack", help="Move the regions that a trace touches together, in their order.")
    ] = False
    wrap: Annotated[
        bool, typer.Option("--wrap", help="Move requests behind the end of the target into it.")
    ] = False

    def options(self, seed: int) -> "Options":
        """As the stage takes them; raises `InputError` where two of them set the queue depth."""
        from drivecast.bench.replay import Options
        from drivecast.errors import HintedError
        from drivecast.quantity import parse as quantity

        if self.iodepth is not None and self.as_fast_as_possible:
            raise HintedError(
                "`--iodepth` and `--as-fast-as-possible` both set the queue depth", "give one of them"
            )
        return Options(
            seed=seed,
            start_s=self.start,
            length_s=self.length,
            duration_s=self.duration,
            requests=self.requests,
            ramp_s=self.ramp,
            speedup=self.speedup,
            idle_s=quantity.option("--idle", quantity.time_s, self.idle),
            iodepth=self.iodepth,
            own_depth=self.as_fast_as_possible,
            pack=self.pack,
            wrap=self.wrap,
        )


@takes(playing=Playing, reading=reading_of, stored=Stored)
def replay(
    workload: Annotated[
        str,
        typer.Argument(
            help="A trace, a model, or a line such as `random(4KiB, rate=20000iops)`.",
            autocompletion=complete.models,
        ),
    ],
    on: On,
    *,
    playing: Playing,
    repeats: Annotated[int, typer.Option(min=1, help="Play so many times on each target.")] = 1,
    size: Annotated[
        str | None,
        typer.Option(help="Size of the file that is made, such as 8GiB (default: what the trace reaches)."),
    ] = None,
    destroy: Destroy = None,
    reading: "Reading",
    stored: Stored,
) -> None:
    """Play a trace, a model or a line on real targets in turn, each request at its own time.

    Deadlines are absolute, requests bypass the page cache, and how late they were issued is reported. The outcome has
    the form of a simulated one. After Ctrl-C, the same command with `-o` resumes.

    Example: `drivecast bench replay mysql.blktrace --on /mnt/candidate --pack -o candidate.json`
    """
    from drivecast.bench.journal import resumed
    from drivecast.bench.replay import Plan, begun_by, play
    from drivecast.quantity import parse as quantity
    from drivecast.stage.simulate import workload as open_workload

    output = stored.output()
    plan = Plan(
        workload=workload,
        on=tuple(on),
        options=playing.options(stored.seed),
        repeats=repeats,
        size_bytes=quantity.option("--size", quantity.size_bytes, size),
        destroy=tuple(destroy or ()),
    )
    load = open_workload(workload, reading=reading, seed=stored.seed)
    past = resumed(stored.out, begun_by(plan), fresh=stored.fresh)
    result = output.of("replay", lambda update: play(plan, load, past, output.store, update))
    _end(result, stored.out, quiet=stored.quiet)


def _end(result: "Result", out: Path | None, *, quiet: bool) -> None:
    """Raise `InputError` with the reason why a result is partial, and what to do."""
    if result.complete:
        return
    from drivecast.errors import HintedError

    hint = f"the points so far are in `{out}`; the same command resumes" if out else "`-o` stores the points"
    note(f"the figures are of the time before `{result.partial}`", quiet=quiet or not result.points)
    raise HintedError(f"{result.partial}", hint)
