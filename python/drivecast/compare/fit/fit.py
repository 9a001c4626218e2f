"""A fit from beginning to end: results read, kind decided, runs split; a device with its stated error out.

Model. Settings are split into those fitted to and those held out (`hold_out`); each variant of the kind (`kind`) is
fitted shortly, the best one well (`refine`); the figures are rounded as the file has them, and only then the held-out
runs are simulated, longer and with another seed than those of the fit, and decide the error that is stated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from drivecast.catalog.catalog import Catalog
from drivecast.compare.fit import accuracy, disk_variants, drive_file, ssd_variants, volume_variants
from drivecast.compare.fit.burst import burst
from drivecast.compare.fit.forward import Play, Simulator, Spec, figures, play
from drivecast.compare.fit.hold_out import FITTED_MIN, Split, split
from drivecast.compare.fit.observation import Observation, observations
from drivecast.compare.fit.refine import refine, tried
from drivecast.compare.fit.variant import Figure, Target, Values, Variant, decide
from drivecast.document import result
from drivecast.document.fit import Fit, Setting, Together
from drivecast.document.result import Result
from drivecast.errors import HintedError, InputError

TRIED = 0.3
"""Share of the work that goes into choosing the variant."""
LONGER = 4
"""Requests of a held-out simulation over those of one during the fit."""


def _specs(name: str, variant: Variant, catalog: Catalog, *, final: bool = False) -> Callable[[Values], Spec]:
    """The device that a set of parameters makes, by way of its sheet."""

    def spec(values: Values) -> Spec:
        every = {**{estimate.parameter.name: estimate.value for estimate in variant.known}, **values}

        def figure(key: str) -> Figure:
            # What a bucket held when a run began is not known: none of the runs fitted to had credits left.
            spent = not final and key.endswith(".credits")
            return {"value": 0.0 if spent else every[key], "fitted": "on trial"}

        return drive_file.spec(name, variant.content(figure), catalog)

    return spec


def _plays(observations: Sequence[Observation], seed: int, longer: int = 1) -> list[Play]:
    """How each is simulated: with a seed of its own, or all would meet the same stalls and err alike."""
    return [play(observation, seed + i, longer) for i, observation in enumerate(observations)]


def _best(
    name: str,
    found: Sequence[Variant],
    split: Split,
    target: Target,
    catalog: Catalog,
    seed: int,
    update: Callable[[float, str], None],
) -> tuple[Variant, dict[str, float], int]:
    """The variant that agrees best after a short fit, with parameters to start from."""
    plays = _plays(split.fitted, seed)
    rms: dict[str, float] = {}
    starts: list[Variant] = []
    runs = 0
    for i, variant in enumerate(found):
        simulator = Simulator(plays, _specs(name, variant, catalog), target.capacity_bytes)
        update(i / len(found), variant.name)
        values, rms[variant.name] = tried(simulator, variant.parameters)
        runs += simulator.runs
        parameters = tuple(
            replace(parameter, start=values[parameter.name]) for parameter in variant.parameters
        )
        starts.append(replace(variant, parameters=parameters))
    best = min(starts, key=lambda variant: rms[variant.name])
    return best, rms, runs


def fit(
    name: str,
    kind: tuple[str, str],
    found: Sequence[Variant],
    split: Split,
    target: Target,
    catalog: Catalog,
    seed: int,
    update: Callable[[float, str], None],
) -> Fit:
    """Fit the best of the variants, and compare it with the runs that were held out."""
    variant, rms, runs = (
        _best(name, found, split, target, catalog, seed, lambda share, what: update(share * TRIED, what))
        if len(found) > 1
        else (found[0], {}, 0)
    )
    spec = _specs(name, variant, catalog)
    simulator = Simulator(_plays(split.fitted, seed, variant.longer), spec, target.capacity_bytes)
    refined = refine(
        simulator, variant.parameters, lambda share, what: update(TRIED + share * (0.95 - TRIED), what)
    )
    estimates = {estimate.parameter.name: estimate for estimate in (*refined.estimates, *variant.known)}
    values = {key: drive_file.rounded(estimate.value) for key, estimate in estimates.items()}
    update(0.95, "held-out runs")
    made = _specs(name, variant, catalog, final=True)(values)
    plays = _plays(split.held_out, seed + len(split.fitted), LONGER * variant.longer)
    predicted = [figures(made, target.capacity_bytes, play) for play in plays]
    to = f"{len(split.fitted)} settings measured on {target.name}"
    content = variant.content(lambda key: drive_file.figure(estimates[key], to))
    everything = [*split.fitted, *split.held_out]
    noise = accuracy.noise(everything)
    errors = accuracy.errors(split.held_out, predicted, noise)
    if {error.quantity.partition(".")[2] for error in errors} >= {"q0.5", "q0.99"}:
        content["held_out"] = accuracy.table(split.held_out, errors, split.rule, noise)
    simulated = [*refined.simulated, *predicted]
    return Fit(
        content=content,
        model=target.model,
        settings=[
            Setting(
                label=observation.label,
                workload=observation.workload,
                file=observation.file,
                held_out=at >= len(split.fitted),
                measured=dict(observation.figures),
                simulated=row,
            )
            for at, (observation, row) in enumerate(zip(everything, simulated, strict=True))
        ],
        repeated=any(observation.runs > 1 for observation in everything),
        name=name,
        kind=kind[0],
        why_kind=kind[1],
        target=target.name,
        capacity_bytes=target.capacity_bytes,
        variant=variant.name,
        variants=rms,
        residual_rms=refined.cost,
        simulations=runs + simulator.runs + len(predicted),
        settings_fitted=len(split.fitted),
        settings_held_out=len(split.held_out),
        held_out_by=split.rule,
        parameters=[estimate.row() for estimate in estimates.values()],
        together=[
            Together(parameters=(first, second), correlation=correlation)
            for first, second, correlation in refined.together
        ],
        errors=errors,
    )


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
        raise HintedError("the results do not state how large the device is", "`--capacity 1TB`")
    if capacity < least:
        raise InputError(f"--capacity: {least} B were worked on, and the device is to hold {capacity} B")
    return int(capacity) // 4096 * 4096


def _variants(kind: str, runs: Split, target: Target) -> tuple[list[Variant], Split]:
    """The devices to try, and the runs to fit them to: a burst's bucket is fitted apart."""
    found = burst(runs.fitted) if kind == "volume" else None
    if found is None:
        return VARIANTS[kind](runs.fitted, target), runs
    if len(found.rest) < FITTED_MIN:
        raise HintedError(
            f"{len(found.rest)} of {len(runs.fitted)} settings were measured without burst credits, at least "
            f"{FITTED_MIN} are needed",
            "a sweep of depths after the credits are spent",
        )
    return volume_variants.variants(found.rest, target, found.estimates), replace(runs, fitted=found.rest)


def carry_out(
    requested: Request, results: Results, catalog: Catalog, update: Callable[[float, str], None]
) -> Fit:
    """The fit that is requested. Raises `InputError` where the results do not allow it."""
    if requested.kind is not None and requested.kind not in VARIANTS:
        raise InputError(f"--as: expected volume, ssd or disk, found `{requested.kind}`")
    files = [Path(text) for text in requested.hold_out if Path(text).exists()]
    selectors = [text for text in requested.hold_out if not Path(text).exists()]
    named = [(path, result.read(path)) for path in files]
    # A result that is both listed and held out is meant once.
    apart = {path.resolve() for path in files}
    results = [(path, listed) for path, listed in results if path.resolve() not in apart]
    found = observations([*results, *named], requested.target)
    names = {str(path) for path, _ in named}
    ours = [run for run in found if run.file not in names]
    runs = split(ours, [run for run in found if run.file in names], selectors)
    if len({run.depth for run in runs.fitted if run.depth is not None}) < 2:
        raise HintedError(
            "all runs left to fit to have one depth: what a request takes and what requests take of each other "
            "cannot be separated",
            "a sweep of depths: `drivecast bench sweep depth --on DIR -o depth.json`",
        )
    described = _described([*results, *named], found[0].target)
    kind, why = (requested.kind, "as requested") if requested.kind else decide(runs.fitted, described)
    target = Target(found[0].target, _capacity(requested.capacity_bytes, described, found), described)
    variants, runs = _variants(kind, runs, target)
    return fit(requested.name, (kind, why), variants, runs, target, catalog, requested.seed, update)


def toml(found: Fit) -> str:
    """The drive's file."""
    heading = (
        f"{found.model} as a {found.kind}, fitted to runs by `drivecast compare fit`: {found.why_kind}.\n"
        f"{found.variant}; {found.settings_fitted} settings fitted to; held out: {found.held_out_by or 'nothing'}."
    )
    return drive_file.text(found.content, heading)
