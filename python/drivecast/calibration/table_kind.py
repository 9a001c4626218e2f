"""Which table of measurements a file is, by its columns; and a drive calibrated by whichever fits."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from drivecast.calibration import (
    act_calibrate,
    depth_calibrate,
    path_calibrate,
    ssd_calibrate,
    thread_calibrate,
)
from drivecast.catalog import Catalog
from drivecast.document.calibration import Calibration
from drivecast.errors import HintedError
from drivecast.files import read_text

Kind = Literal["load", "depth", "threads", "act"]
COLUMN: dict[Kind, str] = {"depth": "read_lat_mean_us", "threads": "total_iops", "act": "record_bytes"}
"""What only that table has; others are of latency under load, or results of `bench`."""


def kind(table: Path) -> Kind:
    """Return which table a file is."""
    head = next(csv.reader([read_text(table).partition("\n")[0]]), [])
    return next((known for known, column in COLUMN.items() if column in head), "load")


def calibrate(
    name: str,
    tables: Sequence[Path],
    catalog: Catalog,
    *,
    by: str,
    hold_out: Sequence[int],
    fit: Sequence[str],
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> tuple[Calibration, str]:
    """Calibrate a drive of the catalog, or a controller, to tables of one kind; the result, and the file with it.

    Raises `InputError` for tables of several kinds, and where they cannot carry the fit.
    """
    kinds = {table: kind(table) for table in tables}
    first = kinds[tables[0]]
    odd = next((table for table, found in kinds.items() if found != first), None)
    if odd is not None:
        raise HintedError(
            f"{odd}: expected a table of the kind of {tables[0]} (`{first}`), found one of `{kinds[odd]}`",
            "calibrate with one kind after the other, each to the file that the one before has written",
        )
    if fit and first != "depth":
        raise HintedError(
            f"`--fit` names runs of a table by depth, and {tables[0]} is none", "`--hold-out` names loads"
        )
    if first == "depth" and name in catalog.controllers.controllers:
        made = path_calibrate.run(name, tables, catalog, fit=fit)
        return made, path_calibrate.with_figures(path_calibrate.file_text(name), name, made.table)
    if first == "depth":
        return depth_calibrate.run(name, tables, catalog, by=by, fit=fit, seed=seed, progress=progress)
    if first == "threads":
        return thread_calibrate.run(name, tables, catalog, by=by, seed=seed, progress=progress)
    by_load = act_calibrate.run if first == "act" else ssd_calibrate.run
    return by_load(name, tables, catalog, by=by, hold_out=hold_out, seed=seed, progress=progress)
