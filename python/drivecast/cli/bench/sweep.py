"""`drivecast bench sweep`: one thing varied, all else constant."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.bench.option import Destroy, Engine, On, Stored, chosen
from drivecast.cli.group import takes

Sweeps = StrEnum("Sweeps", ["DEPTH", "THREADS", "MATRIX", "SYNC", "WARMUP", "JITTER"])
"""What is varied."""
Pattern = StrEnum("Pattern", ["RANDOM", "SEQUENTIAL"])
"""Where requests go."""


@dataclass(frozen=True)
class Varied:
    """What is varied, and what stays."""

    values: Annotated[
        str | None, typer.Option(help="Depths or threads to try, such as 1,8,64 (default: 1,2,4 … 256).")
    ] = None
    sizes: Annotated[
        str | None, typer.Option(help="matrix: request sizes, such as 4KiB,64KiB (default: 4KiB … 1MiB).")
    ] = None
    mixes: Annotated[
        str | None, typer.Option(help="matrix: shares of reads (default: 100%,70%,50%,30%,0%).")
    ] = None
    iodepth: Annotated[
        int | None, typer.Option(min=1, max=65536, help="matrix, warmup, jitter: outstanding (default: 32).")
    ] = None
    pattern: Annotated[Pattern, typer.Option(help="matrix: where requests go.")] = Pattern.RANDOM


@takes(varied=Varied, stored=Stored)
def sweep(
    kind: Annotated[
        Sweeps,
        typer.Argument(
            help="depth: requests outstanding. threads: threads that wait. matrix: sizes and mixes. "
            "sync: waiting or not. warmup: hours. jitter: seconds."
        ),
    ],
    on: On,
    workload: Annotated[
        list[str] | None,
        typer.Option(
            "--workload",
            "-w",
            help="A line or a model; default: random reads, and writes, of 16 KiB. Repeatable.",
            autocompletion=complete.models,
        ),
    ] = None,
    *,
    varied: Varied,
    runtime: Annotated[
        float | None,
        typer.Option(
            min=0.1, help="Seconds of each point (default: 30; matrix 20; jitter 600; warmup 7200)."
        ),
    ] = None,
    ramp: Annotated[float | None, typer.Option(min=0, help="Seconds before each (default: 5).")] = None,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="Sweep so many times over.")] = 1,
    engine: Engine = None,
    size: Annotated[
        str, typer.Option(help="Of the file that is made; of existing targets, at most so much is used.")
    ] = "8GiB",
    destroy: Destroy = None,
    stored: Stored,
) -> None:
    """Measure a target while one thing is varied: queue depth, threads, size and mix, waiting, time.

    Several targets are measured side by side, point by point. The same command resumes an interrupted sweep.

    Example: `drivecast bench sweep depth --on /mnt/a --on /mnt/b -o depth.json --report depth.html`
    """
    from drivecast.bench.campaign import Place, decides
    from drivecast.bench.environment import machine
    from drivecast.bench.fio import program
    from drivecast.bench.fio.measure import measure
    from drivecast.bench.journal import begun, resumed
    from drivecast.bench.sweep.schedule import TITLES, Request, planned, swept
    from drivecast.quantity import parse as quantity

    made = planned(chosen(Request, locals() | vars(varied) | vars(stored)))
    size_bytes = quantity.option("--size", quantity.size_bytes, size) or 0
    place = Place(tuple(on), size_bytes, frozenset(destroy or ()))
    plan = {"sweep": kind.value, **decides(made.jobs, on, size_bytes)}
    environment = {**machine(), "fio": program.found(made.jobs[0].engine).version}
    title = f"{TITLES[made.kind]} on {', '.join(on)}"
    result = resumed(stored.out, begun("sweep", title, plan, stored.seed, environment), fresh=stored.fresh)
    output = stored.output()
    output.of("sweep", lambda update: swept(made, place, result, measure, output.store, update))
