"""A plan as it is typed, and as it is meant: defaults by the kind of load, lists, sizes and shares.

The default buffers are those of Percona's measurements, 13 to 125 GiB for 250 GB of data, as shares of the data. A
quick plan has less of everything, and is for a first look: a buffer pool is not filled in ten seconds.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TypeVar

from drivecast.bench.database import pgbench, sysbench, tpcc
from drivecast.bench.database.design_target import Design, Target, target
from drivecast.bench.database.directory import Site
from drivecast.bench.database.generator import Load
from drivecast.bench.database.mariadb import MariaDB, MySQL
from drivecast.bench.database.matrix import Plan
from drivecast.bench.database.postgresql import PostgreSQL
from drivecast.bench.database.server import Server
from drivecast.bench.database.tuning import MIB, Tuning, log_bytes
from drivecast.catalog import Catalog, load
from drivecast.errors import HintedError, InputError
from drivecast.quantity import parse as quantity

T = TypeVar("T")

SERVERS: dict[str, type[Server]] = {server.name: server for server in (MariaDB, MySQL, PostgreSQL)}
SHARES = "5.2%,10%,20%,30%,40%,50%"
SHARES_QUICK = "10%,50%"
SIZE_BYTES_MAX = 250_000_000_000
SIZE_BYTES_QUICK = 512 << 20
BUFFER_BYTES_MIN = 16 * MIB

OURS = (
    "basedir", "bind_address", "config_file", "data_directory", "datadir", "defaults_file", "external_pid_file",
    "hba_file", "ident_file", "init_file", "innodb_data_home_dir", "innodb_log_group_home_dir", "innodb_undo_directory",
    "listen_addresses", "networking", "pid_file", "port", "skip_networking", "socket", "tmpdir",
    "unix_socket_directories", "unix_socket_permissions", "user",
)  # fmt: skip
"""Settings of the server that keep it private, and so are not the user's."""


@dataclass(frozen=True)
class Request:
    """The options of the verb, as typed; `None` is what was not."""

    load: str
    on: Sequence[str | Path | Design]
    """Directories, and designs: `design:` and a line."""
    log_on: Sequence[str | Path | Design] | None = None
    server: str | None = None
    kind: str | None = None
    distribution: str | None = None
    size: str | None = None
    warehouses: int | None = None
    warehouse_scale: float | None = None
    tpcc: Path | None = None
    buffer: str | None = None
    flush_at_commit: str = "1"
    doublewrite: str = "on"
    io_capacity: str | None = None
    flush_method: str | None = None
    log_size: str | None = None
    set_: Sequence[str] | None = None
    threads: str | None = None
    runtime: int | None = None
    ramp: int | None = None
    repeats: int | None = None
    quick: bool = False
    seed: int = 0
    catalog: Catalog | None = None
    """Of the drives of designs; none: the one that is bundled."""


def planned(request: Request) -> Plan:
    """The plan. Raises `InputError` that names the option that is wrong."""
    server, loading, quick = _server(request), _load(request), request.quick
    sites = tuple(_sites(request))
    is_bundled = request.catalog is None and any(site.designs for site in sites)
    return Plan(
        server=server,
        load=loading,
        sites=sites,
        tunings=tuple(_tunings(request, server, loading)),
        threads=tuple(_list("--threads", _count, request.threads or ("8" if quick else "32"))),
        ramp_s=request.ramp if request.ramp is not None else (10 if quick else 120),
        time_s=request.runtime if request.runtime is not None else (30 if quick else 600),
        repeats=request.repeats or (1 if quick else 3),
        seed=request.seed,
        catalog=load([]) if is_bundled else request.catalog,
    )


def _server(request: Request) -> Server:
    name = request.server or ("postgresql" if request.load == "pgbench" else "mariadb")
    if request.load == "pgbench" and name != "postgresql":
        raise InputError(f"--server: pgbench knows PostgreSQL alone, found `{name}`")
    if request.tpcc and name == "postgresql":
        raise HintedError("--tpcc: Percona's scripts are run on MariaDB and MySQL here", "leave `--tpcc` out")
    return SERVERS[name]()


def _sites(request: Request) -> list[Site]:
    logs: Sequence[Target | None] = [*map(target, request.log_on or [])] or [None]
    count = len(request.on)
    if len(logs) not in (1, count):
        raise InputError(f"--log-on: expected one, or one for each of {count} `--on`, found {len(logs)}")
    sites = list(map(Site, map(target, request.on), [*logs] * count if len(logs) == 1 else logs))
    twice = next((site for site in sites if sites.count(site) > 1), None)
    if twice is not None:
        raise HintedError(f"--on: `{twice.name}` is given twice", "`--repeats` measures a target again")
    return sites


def _load(request: Request) -> Load:
    _refuse(request)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    most = SIZE_BYTES_QUICK if request.quick else min(SIZE_BYTES_MAX, memory)
    size = quantity.option("--size", quantity.size_bytes, request.size) or most
    if request.load == "pgbench":
        return pgbench.builtin(_one_of("--kind", pgbench.KINDS, request.kind or pgbench.KINDS[0]), size)
    if request.load == "sysbench":
        kind = _one_of("--kind", sysbench.OLTP, (request.kind or sysbench.OLTP[0]).removeprefix("oltp_"))
        named = request.distribution or sysbench.DISTRIBUTIONS[0]
        return sysbench.oltp(kind, size, _one_of("--distribution", sysbench.DISTRIBUTIONS, named))
    scale = request.warehouse_scale or 1.0
    warehouses = request.warehouses or max(1, round(size / (scale * tpcc.WAREHOUSE_BYTES)))
    return tpcc.percona(warehouses, request.tpcc) if request.tpcc else tpcc.ours(warehouses, scale)


def _refuse(request: Request) -> None:
    """Raise `InputError` for an option that means nothing to the load."""
    applies = {
        "warehouses": ("tpcc",),
        "warehouse_scale": ("tpcc",),
        "tpcc": ("tpcc",),
        "kind": ("sysbench", "pgbench"),
        "distribution": ("sysbench",),
    }
    for name, loads in applies.items():
        if getattr(request, name) and request.load not in loads:
            raise InputError(f"--{name.replace('_', '-')}: does not apply to {request.load}")
    if request.warehouses and request.size:
        raise InputError("--size: `--warehouses` sets the size of the data")
    if request.warehouse_scale is not None and request.tpcc:
        raise InputError("--warehouse-scale: Percona's scripts know whole warehouses alone")


def _tunings(request: Request, server: Server, load: Load) -> list[Tuning]:
    if isinstance(server, PostgreSQL):
        for name in ("io_capacity", "flush_method"):
            if getattr(request, name) is not None:
                raise InputError(f"--{name.replace('_', '-')}: PostgreSQL has no such setting")
    methods = _list("--flush-method", str, request.flush_method or "O_DIRECT")
    log = quantity.option("--log-size", quantity.size_bytes, request.log_size) or log_bytes(load.data_bytes)
    shares = SHARES_QUICK if request.quick else SHARES
    every = product(
        _list("--buffer", lambda text: _buffer(text, load), request.buffer or shares),
        _list("--flush-at-commit", lambda text: int(_one_of("", ("1", "2"), text)), request.flush_at_commit),
        _list("--doublewrite", lambda text: _one_of("", ("on", "off"), text) == "on", request.doublewrite),
        _list("--io-capacity", _count, request.io_capacity) if request.io_capacity else [None],
        [None] if isinstance(server, PostgreSQL) else methods,
    )
    further = tuple(map(_further, request.set_ or ()))
    return [
        Tuning(buffer, log, flush, double, io, method, further) for buffer, flush, double, io, method in every
    ]


def _list(option: str, parse: Callable[[str], T], text: str) -> list[T]:
    """The parts of a list, each once. Raises `InputError` that names the option."""
    try:
        found = [parse(part.strip()) for part in text.split(",") if part.strip()]
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
    if not found:
        raise InputError(f"{option}: expected a list such as `a,b`, found `{text}`")
    return list(dict.fromkeys(found))


def _buffer(text: str, load: Load) -> int:
    if text.endswith("%"):
        size = quantity.fraction_or_more(text) * load.data_bytes
        if not size > 0 or size > 1e18:
            raise InputError(f"expected a share of the data such as 20%, found `{text}`")
    else:
        size = quantity.size_bytes(text)
    return max(BUFFER_BYTES_MIN, round(size / MIB) * MIB)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) > 0):
        raise InputError(f"expected a whole number from 1 to 99999, found `{text}`")
    return int(text)


def _further(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name or not all(sign.isalnum() or sign in "_-." for sign in name):
        raise InputError(f"--set: expected NAME=VALUE, by the server's own name, found `{text}`")
    plain = name.lower().replace("-", "_").removeprefix("loose_")
    # MariaDB takes the beginning of a name for the whole.
    if any(setting.startswith(plain) for setting in OURS):
        raise InputError(
            f"--set: `{name}` cannot be set: it decides where the private server runs or who reaches it"
        )
    return name, value


def _one_of(option: str, known: Sequence[str], text: str) -> str:
    if text not in known:
        where = f"{option}: " if option else ""
        raise InputError(f"{where}expected one of {', '.join(known)}, found `{text}`")
    return text
