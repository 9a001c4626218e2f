"""The figure of a fit: measured against simulated, runs fitted to and held out apart."""

from pathlib import Path

import polars as pl

from drivecast.compare.fit.accuracy import WITHIN
from drivecast.compare.fit.document import rows
from drivecast.compare.fit.fit import Fit
from drivecast.errors import InputError
from drivecast.present import style
from drivecast.present.figure import fitted

NS_PER_MS = 1e6
PANELS = {"q0.5": "p50 (ms)", "q0.99": "p99 (ms)"}


def suffix(path: Path | None) -> None:
    """Raise `InputError` for a file that no figure is written to."""
    if path is not None and path.suffix not in (".svg", ".png"):
        raise InputError(f"--figure: expected a name that ends in `.svg` or `.png`, found `{path.name}`")


def panels(fit: Fit) -> dict[str, pl.DataFrame]:
    """Rows `measured`, `simulated`, `op`, `runs` by title of the panel."""
    found: dict[str, list[dict[str, object]]] = {}
    for row in rows(fit):
        op, _, quantile = str(row["figure"]).partition(".")
        if quantile not in PANELS:
            continue
        found.setdefault(PANELS[quantile], []).append(
            {
                "measured": row["measured"] / NS_PER_MS,
                "simulated": row["simulated"] / NS_PER_MS,
                "op": op,
                "runs": "held out" if row["held_out"] else "fitted to",
            }
        )
    return {title: pl.DataFrame(points) for title, points in found.items()}


def write(fit: Fit, path: Path) -> None:
    """Draw it into a file."""
    chart = fitted.beside(panels(fit), WITHIN)
    if path.suffix == ".png":
        style.to_png(chart, path)
    else:
        path.write_text(style.to_svg(chart))
