"""What runs by depth say of a host path: what a command takes of its port.

Model. The requests of s bytes that a drive does with its queue full, x a second, are what the port at B bytes a
second carries: `port_read_us` and `port_write_us` are 1/x - s/B. That holds where the path is the limit, which no
single run shows: the drive must do more on another path, or the figure is a bound from above. Scheduler, coalescing,
places and depths of the queue are not estimated: each shows in runs of another kind.
"""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from drivecast.calibration import depth_fit, depth_run, depth_table
from drivecast.calibration.depth_table import Depth
from drivecast.calibration.drive_title import drive_titled
from drivecast.catalog import Catalog
from drivecast.catalog.catalog import bundled
from drivecast.catalog.controller import MB, Controller
from drivecast.document.calibration import Calibration
from drivecast.errors import HintedError, InputError
from drivecast.files import read_text

NOT_NAMED = "model not named"
FIGURES = {"read": "port_read_us", "write": "port_write_us"}
UNKNOWN = ("scheduler", "coalesce_us", "coalesce_from", "device_depth")


def run(name: str, tables: Sequence[Path], catalog: Catalog, *, fit: Sequence[str] = ()) -> Calibration:
    """Find what a command takes of a controller's port, from the runs that `fit` names, or that its `fitted_runs` do.

    `fit` are patterns such as `samsung-860-pro-512gb randread 1x32`.

    Raises `InputError` where no such run fills the queue.
    """
    path = catalog.controller(name)
    if path.port_mb_s is None:
        raise InputError(f"`{name}`: expected a controller with `port_mb_s`, found none")
    rows = [
        (f"{drive_titled(row.device, table, catalog)} {row.name}", row)
        for table in tables
        for row in depth_table.depths(table)
        if NOT_NAMED not in row.device and depth_run.controller(row, catalog) == name
    ]
    patterns = fit or path.fitted_runs
    chosen = [row for run_name, row in rows if any(fnmatchcase(run_name, pattern) for pattern in patterns)]
    full = [row for row in chosen if row.outstanding >= path.member_queue_depth.value]
    if not full:
        found = ", ".join(sorted({run_name for run_name, _ in rows})[:3]) or "none on this path"
        raise HintedError(
            f"`{name}`: expected runs to fit to with {path.member_queue_depth.value} or more outstanding, found none",
            f"`--fit` names them, such as {found}",
        )
    lines = [
        f'{FIGURES[op]} = {{ value = {_port_us(of_op, path):.4g}, fitted = "{_to(of_op)}" }}'
        for op in FIGURES
        if (of_op := [row for row in full if row.op == op])
    ]
    return Calibration(
        drive=name,
        error="no run was held out",
        table="\n".join(lines) + "\n",
        undetermined=[f"{figure}: not estimated from rates at a full queue" for figure in UNKNOWN],
    )


def _port_us(rows: Sequence[Depth], path: Controller) -> float:
    """Return 1/x - s/B. Raises `InputError` where the port alone takes longer."""
    rate = depth_fit.mean([row.iops for row in rows])
    port = 1.0 if path.port_mb_s is None else path.port_mb_s.value * MB
    left_us = (1 / rate - rows[0].block_bytes / port) * 1e6
    if left_us < 0:
        raise HintedError(
            f"{rows[0].place}: {rate:,.0f} a second are more than the port's {port / MB:g} MB/s carry",
            "is the path the one that it was measured on?",
        )
    return left_us


def _to(rows: Sequence[Depth]) -> str:
    rate = depth_fit.mean([row.iops for row in rows])
    drives = ", ".join(dict.fromkeys(row.device.partition(" (")[0] for row in rows))
    return f"{rate:,.0f} {rows[0].op}s a second of the {drives} at {rows[0].outstanding} outstanding"


def file_text(name: str) -> str:
    """Return the bundled `controllers.toml`. Raises `InputError` where it does not have the controller."""
    text = read_text(bundled() / "controllers.toml")
    if f"[controllers.{name}]\n" not in text:
        raise InputError(f"`{name}`: expected a controller of the bundled catalog, found one of another file")
    return text


def with_figures(text: str, name: str, figures: str) -> str:
    """Return `controllers.toml` with these figures of a controller in place of those it has."""
    start = text.index(f"[controllers.{name}]\n")
    end = text.find("\n[", start)
    section = text[start : end if end >= 0 else len(text)]
    changed = section
    for line in figures.splitlines():
        key = line.partition(" =")[0]
        changed = re.sub(rf"^{key} = .*$", line, changed, flags=re.MULTILINE)
    return text.replace(section, changed)
