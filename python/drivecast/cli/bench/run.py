"""`drivecast bench run`: a workload on targets, depths and repeats, measured by fio."""

from typing import Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.bench.option import Destroy, Engine, On, Stored, Threads
from drivecast.cli.group import takes


@takes(stored=Stored)
def run(
    workload: Annotated[
        str,
        typer.Argument(
            help="A model, or a line such as `random(4KiB, read=0.7, iodepth=32)`.",
            autocompletion=complete.models,
        ),
    ],
    on: On,
    iodepth: Annotated[
        str | None,
        typer.Option(help="Queue depths, such as `1,8,32`, instead of the workload's own."),
    ] = None,
    ramp: Annotated[
        float, typer.Option(min=0, help="Seconds at the start of each run that are left out.")
    ] = 120.0,
    runtime: Annotated[float, typer.Option(min=0.1, help="Seconds of each run that are measured.")] = 600.0,
    repeats: Annotated[
        int, typer.Option(min=1, max=1000, help="How many times the whole plan is measured.")
    ] = 3,
    threads: Threads = 1,
    engine: Engine = None,
    buffered: Annotated[
        bool, typer.Option("--buffered", help="Use the page cache, which measures memory too.")
    ] = False,
    size: Annotated[
        str | None,
        typer.Option(
            help="How much to work on, such as 8GiB (default: a model's own, or 1GiB of a directory)."
        ),
    ] = None,
    destroy: Destroy = None,
    *,
    stored: Stored,
) -> None:
    """Run a workload with fio at several depths, several times, and report how far the repeats are apart.

    The same command resumes after the last point of an interrupted run. The defaults (two minutes of ramp, ten of
    run, three repeats within 5 %) are those of Intel IT's evaluations.

    Example: `drivecast bench run 'random(4KiB, read=0.7)' --on /mnt/candidate --iodepth 1,8,32 -o result.json`
    """
    from drivecast.bench import run as stage
    from drivecast.bench.environment import machine
    from drivecast.bench.fio import measure
    from drivecast.bench.fio.program import found
    from drivecast.bench.journal import begun, resumed
    from drivecast.quantity import parse as quantity

    output = stored.output()
    plan = stage.Plan(
        workload,
        tuple(on),
        stage.depths(iodepth),
        ramp_s=ramp,
        runtime_s=runtime,
        repeats=repeats,
        threads=threads,
        engine=engine.value if engine else "io_uring",
        direct=not buffered,
        seed=stored.seed,
        size_bytes=quantity.option("--size", quantity.size_bytes, size),
    )
    environment = {**machine(), "fio": found(plan.engine).version}
    new = begun("run", plan.title(), plan.decides(), stored.seed, environment)
    result = resumed(stored.out, new, fresh=stored.fresh)
    output.of("run", lambda update: stage.run(plan, destroy or [], result, measure, output.store, update))
