"""A row of a table by depth, as a run of the simulator.

Represented: the drive behind the controller that the row names, which is the adapter with the operating system's queue
(`catalog/controllers.toml`), or by itself; as many requests of a run as its quantiles need. Flash begins erased, for
such drives had hardly been written before, and none became slower in the hours that their table took.
"""

from dataclasses import dataclass

from drivecast.calibration.depth_table import Depth
from drivecast.catalog import Catalog
from drivecast.catalog.figure import correction
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage import simulate

PATHS = {
    "IBM M1015": "ibm-m1015",
    "P420i HBA mode": "hp-p420i-hba",
    "P420i RAID mode": "hp-p420i-raid",
    "Microserver G8": "hp-microserver-g8-ahci",
    "Microserver G10": "hp-microserver-g10-ahci",
    "HighPoint": "highpoint-hba",
}
"""What the public table calls a path, and what the catalog does."""
ALONE = "alone"
"""A drive without adapter or queue; what `fitted_runs` call such a path, too."""
DIRECT = ("single sdc", ALONE)
WRITTEN_THROUGH = "write cache disabled"
REQUESTS, DISK_REQUESTS = 30_000, 10_000
"""Completed in a run: p99 rests on a hundredth of them."""
ROUNDS = 6
"""Requests of a run for each that is outstanding, at least."""
SECONDS_MIN, WARMUP_MIN_S = 0.4, 0.1
"""Simulated at least, so that slices of the scheduler follow each other."""


@dataclass(frozen=True)
class Length:
    """Simulated time of a run, and what of it comes before the figures."""

    seconds: float
    warmup_s: float


def controller(row: Depth, catalog: Catalog) -> str | None:
    """Return the controller of a row, none for a drive alone. Raises `InputError` for a path that is not known."""
    known = catalog.controllers.controllers
    if row.path in DIRECT:
        return None
    if row.path in known:
        return row.path
    for title, name in PATHS.items():
        if title in row.path:
            return name
    titles = ", ".join(f"`{title}`" for title in PATHS)
    hint = correction(row.path, list(known), "`catalog/controllers.toml` lists them")
    raise HintedError(
        f"{row.place}: array `{row.path}`: expected `{ALONE}`, a controller of the catalog, "
        f"or a path with one of {titles} in its name",
        hint,
    )


def written_through(row: Depth) -> bool:
    """Whether the drive's write cache was off."""
    return WRITTEN_THROUGH in row.path


def name(row: Depth, catalog: Catalog) -> str:
    """Return what `fitted_runs` of a drive call the run: `ibm-m1015 randread 4x32`."""
    return f"{controller(row, catalog) or ALONE} {row.name}"


def design(row: Depth, drive: str, catalog: Catalog) -> str:
    """Return the drive of a row behind its controller."""
    path, option = controller(row, catalog), "[write_cache=off]" if written_through(row) else ""
    return f"{drive}{option}" if path is None else f"raid0(1 * {drive}{option}, controller={path})"


def line(row: Depth, span: float | None = None) -> str:
    """Return the workload of a row, on this share of the device."""
    jobs = f", jobs={row.jobs}" if row.jobs > 1 else ""
    part = "" if span is None else f", span={span:.4f}"
    read = 1 if row.op == "read" else 0
    return f"random({row.block_bytes}B, read={read}, iodepth={row.iodepth}{jobs}{part})"


def length(row: Depth, least: int = REQUESTS) -> Length:
    """Return how long a run of at least so many requests takes at the measured rate."""
    requests = max(least, ROUNDS * row.outstanding)
    return Length(max(requests / row.iops, SECONDS_MIN), max(2 * row.outstanding / row.iops, WARMUP_MIN_S))


def play(row: Depth, drive: str, catalog: Catalog, seed: int = 0) -> Outcome:
    """Simulate a row of an SSD."""
    long = length(row)
    options = simulate.Options(seed=seed, duration_s=long.seconds, warmup_s=long.warmup_s, state="fresh")
    return simulate.simulate(design(row, drive, catalog), simulate.workload(line(row)), catalog, options)


def was_fitted(row: Depth, drive: str, own: list[str], catalog: Catalog) -> bool:
    """Whether the drive, whose file names the runs `own`, or the row's controller was fitted to the row."""
    path = controller(row, catalog)
    of_path = [] if path is None else catalog.controller(path).fitted_runs
    return name(row, catalog) in own or f"{drive} {row.name}" in of_path
