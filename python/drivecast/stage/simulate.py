"""A workload on a design: outcomes. Thin over `_core`, which owns the devices and the clock."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from drivecast import _core
from drivecast.catalog import Catalog, Corner, controller_spec, device_spec, volume_spec
from drivecast.document.outcome import AtDepth, Depths, Outcome
from drivecast.document.windows import SUFFIX
from drivecast.files import exists
from drivecast.source.locate import is_url
from drivecast.stage import model_file, trace
from drivecast.timing import timed

if TYPE_CHECKING:
    import polars as pl

LINES = frozenset({"jesd219", "iometer-database", "iometer-fileserver", "iometer-webserver"})
"""Workloads that are a line without options."""

SOFTWARE = "software"
"""The controller of an array that names none."""

REGION_BYTES = 1 << 20
"""What is moved in one piece where a trace is packed. Assumed: no drive's mapping or stripe is coarser."""

NO_TIME_NS = 1
"""What stands for no time: the simulator has time pass with every request."""

KEPT_BYTES_MAX = 320 << 20
"""Memory for drives in steady state, kept for the runs after."""

State = Literal["fresh", "laid-out", "steady", "idle"]


@dataclass(frozen=True)
class Options:
    """How a run is made; `None` leaves the choice to the simulator."""

    seed: int = 0
    duration_s: float | None = None
    requests: int | None = None
    warmup_s: float = 0.0
    """Left out of the figures."""
    speedup: float = 1.0
    """Play a trace this many times as fast."""
    start_s: float = 0.0
    length_s: float | None = None
    """The part of a trace to play; what lies on the drives is always that of the whole trace."""
    iodepth: int | None = None
    """Play a trace as fast as possible with this many outstanding; a line, at this depth instead of its own."""
    own_depth: bool = False
    """Play a trace as fast as possible with as many outstanding as it had at each request."""
    wrap: bool = False
    """Whether requests beyond the end of the device move into it."""
    fill: float = 1.0
    """Share of the capacity that holds data, in [0, 1]."""
    state: State = "steady"
    """Where flash starts from: erased, written once in order as a new test file is, in the steady state of this
    workload, or there and then left alone for long."""
    streams: int = 0
    """Streams whose latencies are held apart: those below this number."""


@dataclass(frozen=True)
class Within:
    """The quantile of reads and of writes that a run must keep within limits, or be given up."""

    quantile: float
    read_ns: int | None
    write_ns: int | None


def workload(text: str, *, reading: trace.Reading = trace.AS_IT_IS, seed: int = 0) -> _core.Workload:
    """The workload that `text` names: a trace on disk, a model (`m.toml`, `m.windows` or the name of one), or a line.

    A line is such as `random(4KiB, read=0.7)`. Raises `InputError` when it is none of these.
    """
    if text.endswith(SUFFIX):
        from drivecast.stage import windows_file, windows_pass  # noqa: PLC0415 (slow to import, and few runs need it)

        return windows_pass.workload(windows_file.read(Path(text)))
    path = model_file.find(text)
    # Some models have the name of a line, and the line has been there for longer.
    if path is not None and (text.endswith(".toml") or text not in LINES):
        return model_file.workload(model_file.read(path), seed=seed)
    if exists(text) or is_path(text) or is_url(text):
        return trace.workload([text], reading)
    return _core.Workload.line(text)


def recast(load: _core.Workload, *, pack: bool, idle_s: float | None) -> _core.Workload:
    """A trace with the regions it touches moved together, and idle time above `idle_s` cut.

    Raises `InputError` where it is no trace.
    """
    if not pack and idle_s is None:
        return load
    return load.recast(region_bytes=REGION_BYTES if pack else None, idle_s=idle_s)


def is_line(text: str) -> bool:
    """Whether `text` is to be read as a line, and is no trace or model."""
    return text in LINES or ("(" in text and not is_url(text) and not exists(text))


def is_path(text: str) -> bool:
    """Whether `text` can only be meant as a path: the prefix of a set need not exist itself."""
    return "/" in text or ("(" not in text and "." in text)


def drive_specs(
    design: str, catalog: Catalog, corner: Corner = "typical", wear: float = 0.0
) -> dict[str, str]:
    """The device specifications, as JSON, of the drives and volumes that `design` names.

    Raises `InputError` for a design that does not parse, or a drive the catalog does not have.
    """
    return {name: json.dumps(_spec(name, catalog, corner, wear)) for name in _core.design_drives(design)}


def drive_names(design: str) -> list[str]:
    """The drives and volumes of the catalog that `design` names."""
    return _core.design_drives(design)


def _spec(name: str, catalog: Catalog, corner: Corner, wear: float) -> dict[str, Any]:
    volume = None if name in catalog.drives else catalog.volume(name)
    spec = device_spec(catalog.get(name), corner) if volume is None else volume_spec(volume)
    return spec | {"wear": wear} if wear else spec


def controller_specs(design: str, catalog: Catalog) -> dict[str, str]:
    """The controllers, as JSON, that run the arrays of `design`.

    Software RAID runs an array that names none, so a catalog need not have it: there it costs nothing.
    Raises `InputError` for a design that does not parse, or a controller the catalog does not have.
    """
    known = catalog.controllers.controllers
    names = [name for name in _core.design_controllers(design) if name in known or name != SOFTWARE]
    return {name: json.dumps(controller_spec(catalog.controller(name))) for name in names}


def simulate(
    design: str,
    load: _core.Workload,
    catalog: Catalog,
    options: Options | None = None,
    *,
    corner: Corner = "typical",
    wear: float = 0.0,
    kept: _core.Kept | None = None,
) -> Outcome:
    """The outcome of `load` on `design`.

    `corner` takes flash times from the slow or fast end of their published range; `wear` is the share of its rated
    cycles that the flash has used, in [0, 1]: only SSDs take one. `kept` holds drives in steady state for the runs that
    share it, which changes no figure.
    """
    drives, controllers = drive_specs(design, catalog, corner, wear), controller_specs(design, catalog)
    with timed("simulate %s", design):
        found = _core.simulate(design, drives, load, options or Options(), controllers, kept=kept)
    return Outcome.model_validate(found)


def simulate_each(design: str, load: _core.Workload, catalog: Catalog, options: Options) -> "pl.Series":
    """The latency of each request of a trace on `design`, in ns, in order; null where it did not complete."""
    drives, controllers = drive_specs(design, catalog), controller_specs(design, catalog)
    with timed("simulate %s, each request", design):
        _, latencies = _core.simulate_each(design, drives, load, options, controllers)
    import polars as pl  # noqa: PLC0415 (slow to import, and few runs need it)

    return pl.Series(latencies)


def simulate_depths(
    design: str,
    load: _core.Workload,
    catalog: Catalog,
    options: Options,
    depths: Sequence[int],
    *,
    kept: _core.Kept | None = None,
) -> Depths:
    """The outcomes of `load` at several queue depths, from drives that are brought to steady state once."""
    kept = kept or _core.Kept(KEPT_BYTES_MAX)
    runs = [
        AtDepth(
            iodepth=depth,
            outcome=simulate(design, load, catalog, replace(options, iodepth=depth), kept=kept),
        )
        for depth in depths
    ]
    return Depths(runs=runs)


def simulate_within(
    design: str,
    load: _core.Workload,
    catalog: Catalog,
    options: Options,
    within: Within,
    *,
    kept: _core.Kept | None = None,
) -> Outcome | None:
    """The outcome of a run that keeps `within`; none where it does not, as soon as that is certain.

    A run that comes to its end without the quantiles being certain to be missed is whole: judge its outcome.
    """
    drives, controllers = drive_specs(design, catalog), controller_specs(design, catalog)
    with timed("simulate %s within limits", design):
        found = _core.simulate(design, drives, load, options, controllers, kept=kept, within=within)
    return None if "given_up" in found else Outcome.model_validate(found)


AT_ONCE = "at-once"
"""A drive that takes no time."""


def simulate_alone(load: _core.Workload, catalog: Catalog, options: Options) -> Outcome:
    """The outcome of `load` on drives that take no time: its own rate, sizes and share of reads."""
    return simulate_array(f"raid0(2 * {AT_ONCE})", 1 << 40, load, catalog, options)


def simulate_array(
    line: str, member_bytes: int, load: _core.Workload, catalog: Catalog, options: Options
) -> Outcome:
    """The outcome of `load` on an array of drives `AT_ONCE`: what is left is the array's own work."""
    at_once = {"service_ns": NO_TIME_NS}
    drive = {"kind": "volume", "capacity_bytes": member_bytes, "read": at_once, "write": at_once}
    found = _core.simulate(line, {AT_ONCE: json.dumps(drive)}, load, options, controller_specs(line, catalog))
    return Outcome.model_validate(found)
