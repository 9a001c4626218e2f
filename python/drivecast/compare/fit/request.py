"""What is requested of a fit, and carrying it out: results read, kind decided, runs split."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from drivecast.catalog.catalog import Catalog
from drivecast.compare.fit import disk_variants, ssd_variants, volume_variants
from drivecast.compare.fit.burst import burst
from drivecast.compare.fit.fit import fit
from drivecast.compare.fit.hold_out import FITTED_MIN, Split, split
from drivecast.compare.fit.observation import Observation, observations
from drivecast.compare.fit.variant import Target, Variant, decide
from drivecast.document import result
from drivecast.document.fit import Fit
from drivecast.document.result import Result
from drivecast.errors import InputError

VARIANTS = {"volume": volume_variants.variants, "ssd": ssd_variants.variants, "disk": disk_variants.variants}
Results = Sequence[tuple[Path, Result]]


@dataclass(frozen=True)
class Request:
    """A fit, as requested."""

    name: str
    kind: str | None = None
    """One of `VARIANTS`; none: as the device reports."""
    hold_out: Sequence[str] = field(default_factory=list)
    target: str | None = None
    capacity_bytes: int | None = None
    seed: int = 0


def _described(results: Results, name: str) -> Mapping[str, Any]:
    """What the results state of the target and of the disk behind it."""
    for _, measured in results:
        for row in measured.targets:
            if row.name == name:
                disks = row.known.get("disks") or [{}]
                return {**row.known, **disks[0], "target_bytes": row.bytes}
    return {}


def _capacity(requested: int | None, described: Mapping[str, Any], found: Sequence[Observation]) -> int:
    """What the device holds: as requested, as its disk reports, or at least what was worked on."""
    spans = [run.span_bytes for run in found if run.span_bytes is not None]
    least = max(spans, default=0)
    capacity = requested or described.get("bytes") or described.get("target_bytes") or least
    if not capacity:
        raise InputError("the results do not state how large the device is\nhint: `--capacity 1TB`")
    if capacity < least:
        raise InputError(f"--capacity: {least} B were worked on, and the device is to hold {capacity} B")
    return int(capacity) // 4096 * 4096


def _variants(kind: str, runs: Split, target: Target) -> tuple[list[Variant], Split]:
    """The devices to try, and the runs to fit them to: a burst's bucket is fitted apart."""
    found = burst(runs.fitted) if kind == "volume" else None
    if found is None:
        return VARIANTS[kind](runs.fitted, target), runs
    if len(found.rest) < FITTED_MIN:
        raise InputError(
            f"{len(found.rest)} of {len(runs.fitted)} settings were measured without burst credits, at least "
            f"{FITTED_MIN} are needed\nhint: a sweep of depths after the credits are spent"
        )
    return volume_variants.variants(found.rest, target, found.estimates), replace(runs, fitted=found.rest)


def carry_out(
    requested: Request, results: Results, catalog: Catalog, update: Callable[[float, str], None]
) -> Fit:
    """The fit that is requested. Raises `InputError` where the results do not allow it."""
    if requested.kind is not None and requested.kind not in VARIANTS:
        raise InputError(f"--as: expected volume, ssd or disk, found `{requested.kind}`")
    files = [Path(one) for one in requested.hold_out if Path(one).exists()]
    selectors = [one for one in requested.hold_out if not Path(one).exists()]
    named = [(path, result.read(path)) for path in files]
    # A result that is both listed and held out is meant once.
    apart = {path.resolve() for path in files}
    results = [(path, one) for path, one in results if path.resolve() not in apart]
    found = observations([*results, *named], requested.target)
    names = {str(path) for path, _ in named}
    ours = [one for one in found if one.file not in names]
    runs = split(ours, [one for one in found if one.file in names], selectors)
    if len({one.depth for one in runs.fitted if one.depth is not None}) < 2:
        raise InputError(
            "all runs left to fit to have one depth: what a request takes and what requests take of each other "
            "cannot be separated\nhint: a sweep of depths: `drivecast bench sweep depth --on DIR -o depth.json`"
        )
    described = _described([*results, *named], found[0].target)
    kind, why = (requested.kind, "as requested") if requested.kind else decide(runs.fitted, described)
    target = Target(found[0].target, _capacity(requested.capacity_bytes, described, found), described)
    variants, runs = _variants(kind, runs, target)
    return fit(requested.name, (kind, why), variants, runs, target, catalog, requested.seed, update)
