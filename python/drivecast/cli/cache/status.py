"""`drivecast cache status`: what the counters of a running cache mean."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.log import reading
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
from drivecast.errors import HintedError

if TYPE_CHECKING:
    from drivecast.caching.cache_sample import Sample
    from drivecast.caching.sample_period import Given
    from drivecast.catalog import Catalog
    from drivecast.document.cache_status import CacheStatus, WhatIf
    from drivecast.stage.trace import Reading

Drive = Annotated[
    str | None,
    typer.Option(
        "--drive",
        help="The cache drive, by its name in the catalog: its life.",
        autocompletion=complete.drives,
    ),
]


@dataclass(frozen=True)
class Trial:
    """What is simulated besides, if anything is."""

    trace: Annotated[
        str | None,
        typer.Option(
            "--trace",
            help="A recording of the cached device's load: what other settings would do, by simulation ("
            "needs --drive and --backing).",
        ),
    ] = None
    backing: Annotated[
        str | None,
        typer.Option("--backing", help="What is behind the cache, as a design: 'raid10(8 * DISK)'."),
    ] = None
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--try",
            help="A setting to try, such as size=200GB or dirty_thresh_pct=50 (default: half and double the size, "
            "and others). Repeatable.",
        ),
    ] = None

    @property
    def asked(self) -> bool:
        """Whether any of it is."""
        return bool(self.trace or self.backing or self.changes)

    def devices(self, drive: str | None) -> tuple[str, str, str]:
        """The trace, the cache drive and what is behind it. Raises `InputError` where one is missing."""
        if self.trace is None:
            raise HintedError(
                "--backing and --try are of a simulation", "name a recording of the load with `--trace`"
            )
        if drive is None or self.backing is None:
            raise HintedError(
                "--trace needs both devices",
                "`--drive` names the cache drive, `--backing` what is behind it, such as 'raid10(8 * DISK)'",
            )
        return self.trace, drive, self.backing


@takes(trial=Trial, reading=reading)
def status(
    file: Annotated[
        Path,
        typer.Argument(
            help="Statistics of a cache (`-`: standard input), or the folder `/sys/fs/bcache/UUID`, or a copy."
        ),
    ],
    later: Annotated[
        Path | None, typer.Argument(help="A later sample of the same cache: figures are of the time between.")
    ] = None,
    cache: Annotated[
        str | None, typer.Option("--cache", help="Which cache, where the file holds several.")
    ] = None,
    between: Annotated[
        str | None,
        typer.Option(
            "--seconds-between",
            help="Time between the samples, such as 300 or 5min (default: by their own clock, the times in their "
            "files' names, or when the files were written).",
        ),
    ] = None,
    uptime: Annotated[
        str | None,
        typer.Option("--uptime", help="How long the counters of a single sample have run, such as 12d."),
    ] = None,
    drive: Drive = None,
    backing_rate: Annotated[
        str | None,
        typer.Option(
            "--backing-rate",
            help="What the disks take of such writes, such as 40MB/s: the time to drain at that rate.",
        ),
    ] = None,
    host_written: Annotated[
        str | None,
        typer.Option(
            "--host-written",
            help="Bytes that the host wrote in the period (iostat): dm-cache and bcache do not count them.",
        ),
    ] = None,
    *,
    trial: Trial,
    reading: "Reading",
    seed: Seed = 0,
    catalog: CatalogPaths = None,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Explain a cache that runs: hits, dirty data and the time to drain it, wear of its drive, what limits it.

    FlashCache, dm-cache, dm-writecache: `(dmsetup table NAME; dmsetup status NAME) > now.txt`

    bcache: give `/sys/fs/bcache/UUID`, or `grep -R . /sys/fs/bcache/UUID/ > now.txt`

    OpenCAS: `casadm -P -i 1 -o csv > now.csv` (or its tables, without `-o csv`)

    ZFS, ARC and L2ARC: `cat /proc/spl/kstat/zfs/arcstats > now.txt`

    CacheLib Navy: the output of cachebench with `"printNvmCounters": true`, or a JSON object of its counters

    Example: `drivecast cache status now.txt --uptime 12d --drive samsung-pm9a3-960gb`

    Example: `drivecast cache status 10:00.txt 11:00.txt --seconds-between 1h --backing-rate 40MB/s`

    Example: `drivecast cache status now.txt --trace sda.blktrace --drive DRIVE --backing "raid10(8 * DISK)"`
    """
    from drivecast.caching import explanation, sample_period, source_file
    from drivecast.catalog import load
    from drivecast.present import cache_status
    from drivecast.quantity import parse as quantity

    writable(out)
    given = _given(between, uptime, host_written)
    drives = load(catalog or [])
    known = explanation.Known(
        drive=None if drive is None else drives.get(drive),
        backing_bytes_per_s=quantity.option("--backing-rate", quantity.bytes_per_s, backing_rate),
        need_life=trial.trace is None,
    )
    samples = [source_file.read(path, cache) for path in (file, later) if path is not None]
    period = sample_period.of(samples, given)
    result = explanation.explain(period, known)
    if trial.asked:
        found = what_if(trial, drive, (result, period.last), drives, reading, seed, quiet=quiet)
        result = result.model_copy(update={"what_if": found})
    emit(result, output_format, text=lambda: cache_status.lines(result), out=out)


def _given(between: str | None, uptime: str | None, host_written: str | None) -> "Given":
    from drivecast.caching import sample_period
    from drivecast.quantity import parse as quantity

    return sample_period.Given(
        quantity.option("--seconds-between", quantity.seconds, between),
        quantity.option("--uptime", quantity.seconds, uptime),
        quantity.option("--host-written", quantity.size_bytes, host_written),
    )


def what_if(
    trial: Trial,
    drive: str | None,
    running: "tuple[CacheStatus, Sample]",
    drives: "Catalog",
    reading: "Reading",
    seed: int,
    *,
    quiet: bool,
) -> "WhatIf":
    """Simulate the trace on the cache as it is and changed."""
    from drivecast.caching import running_design
    from drivecast.caching import what_if as stage
    from drivecast.stage.simulate import Options, simulate
    from drivecast.stage.workload_input import opened

    trace, fast, slow = trial.devices(drive)
    design = running_design.of(*running, fast, slow)
    changes = [stage.change(text) for text in trial.changes or ()] or [*running_design.usual(design)]
    trials = stage.Trials(design, tuple(changes), drives.get(fast))
    played = opened(trace, Options(seed=seed), reading)
    for text in played.notes:
        note(text, quiet=quiet)
    with progress("Simulating", quiet=quiet) as shown:
        return interruptible(
            lambda: stage.tried(
                trace, trials, lambda line: simulate(line, played.load, drives, played.options), shown
            )
        )
