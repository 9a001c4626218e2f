"""`drivecast bench database`: sysbench, pgbench or a TPC-C-like load on a private server, on one target or several."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from drivecast.cli import complete
from drivecast.cli.bench.option import Stored, chosen
from drivecast.cli.group import takes
from drivecast.cli.verb import CatalogPaths

Load = StrEnum("Load", ["SYSBENCH", "PGBENCH", "TPCC"])
"""What runs transactions."""
Kind = StrEnum("Kind", ["MARIADB", "MYSQL", "POSTGRESQL"])
"""Which server."""


@dataclass(frozen=True)
class Settings:
    """The server, its data and its settings, and how long it runs."""

    server: Annotated[
        Kind | None,
        typer.Option(help="Database server (default: mariadb; postgresql for pgbench).", show_default=False),
    ] = None
    kind: Annotated[
        str | None,
        typer.Option(
            help="sysbench: read_write (default), read_only, write_only, update_index, update_non_index, "
            "point_select, insert. pgbench: tpcb-like (default), simple-update, select-only."
        ),
    ] = None
    distribution: Annotated[
        str | None,
        typer.Option(help="Key distribution of sysbench: special (default), uniform, gaussian, pareto."),
    ] = None
    size: Annotated[
        str | None,
        typer.Option(help="Approximate data size, such as 100GB (default: the memory size, at most 250GB)."),
    ] = None
    warehouses: Annotated[
        int | None, typer.Option(min=1, help="tpcc: number of warehouses, such as 100, of about 90 MB each.")
    ] = None
    warehouse_scale: Annotated[
        float | None,
        typer.Option(
            min=0.01, max=1.0, help="tpcc: size of a warehouse as a share of a full one, such as 0.1."
        ),
    ] = None
    tpcc: Annotated[
        Path | None,
        typer.Option(
            help="tpcc: run Percona's sysbench-tpcc from this directory instead of the built-in script."
        ),
    ] = None
    buffer: Annotated[
        str | None,
        typer.Option(help="Buffer pools: sizes or shares of the data (default: 5.2%,10%,20%,30%,40%,50%)."),
    ] = None
    flush_at_commit: Annotated[
        str, typer.Option(help="1: flush the log at each commit; 2: once a second; `1,2`: both in turn.")
    ] = "1"
    doublewrite: Annotated[
        str,
        typer.Option(help="Torn-page protection: on, off, or `on,off`. PostgreSQL: full_page_writes."),
    ] = "on"
    io_capacity: Annotated[
        str | None,
        typer.Option(help="innodb_io_capacity, one or several: `200,2000` (its maximum is twice that)."),
    ] = None
    flush_method: Annotated[
        str | None, typer.Option(help="innodb_flush_method, one or several: O_DIRECT (default), fsync, …")
    ] = None
    log_size: Annotated[
        str | None,
        typer.Option(help="Log size, such as 1GB (default: a quarter of the data, 96 MiB to 4 GiB)."),
    ] = None
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another server setting: innodb_read_io_threads=8. Repeatable.",
        ),
    ] = None
    threads: Annotated[
        str | None,
        typer.Option(help="Concurrent connections, one or several: `1,8,32` (default: 32; quick: 8)."),
    ] = None
    runtime: Annotated[
        int | None, typer.Option(min=1, help="Seconds measured (default: 600; quick: 30).")
    ] = None
    ramp: Annotated[
        int | None,
        typer.Option(
            min=0, help="Seconds of ramp-up, while the buffer pool fills (default: 120; quick: 10)."
        ),
    ] = None
    repeats: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Runs of each setting (default: 3; quick: 1).")
    ] = None
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="A quick look in minutes: 512 MiB of data, buffer pools of 10% and 50%."
        ),
    ] = False


@takes(settings=Settings, stored=Stored)
def database(
    load: Annotated[Load, typer.Argument(help="sysbench OLTP, pgbench, or a TPC-C-like load.")],
    on: Annotated[
        list[str],
        typer.Option(
            "--on",
            metavar="DIR|design:LINE",
            autocompletion=complete.targets,
            help="A directory on the storage, for the server's data; or a design, which is attached as a disk (root, "
            "FUSE). Repeatable.",
        ),
    ],
    log_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DIR|design:LINE",
            autocompletion=complete.targets,
            help="Where the log goes, if elsewhere: one for all targets, or one for each `--on`, in order.",
        ),
    ] = None,
    *,
    settings: Settings,
    catalog: CatalogPaths = None,
    stored: Stored,
) -> None:
    """Measure the transactions per second of a private database server on one target or several.

    The server has a data directory of its own, below the target, and a socket of its own. No other instance is
    affected, and nothing is left behind. With `-o`, the same command resumes after an interruption.

    Example: `drivecast bench database sysbench --on /mnt/a --on /mnt/b --size 20GB --flush-at-commit 1,2 -o ab.json`

    Example: `drivecast bench database sysbench --on 'design:raid10(8 * intel-x25-e-32gb)' --on /mnt/a --quick`
    """
    from drivecast.bench.database.configure import Request, planned
    from drivecast.bench.database.session import checked, measure
    from drivecast.bench.journal import begun, resumed
    from drivecast.catalog import load as load_catalog

    output = stored.output()
    drives = load_catalog(catalog) if catalog else None  # the bundled one is read where a design is named
    plan = planned(chosen(Request, locals() | vars(settings) | vars(stored) | {"catalog": drives}))
    new = begun("database", plan.title, plan.described(), stored.seed, checked(plan))
    result = resumed(stored.out, new, fresh=stored.fresh)
    output.of("database", lambda update: measure(plan, result, output.store, update))
