"""A fit from beginning to end: runs in, a device with its stated error out.

Model. Settings are split into those fitted to and those held out (`hold_out`); each variant of the kind (`kind`) is
fitted shortly, the best one well (`refine`); the figures are rounded as the file has them, and only then the held-out
runs are simulated, longer and with another seed than those of the fit, and decide the error that is stated.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from drivecast.catalog.catalog import Catalog
from drivecast.compare.fit import accuracy, drive_file
from drivecast.compare.fit.forward import Play, Simulator, Spec, figures, play
from drivecast.compare.fit.hold_out import Split
from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.refine import refine, tried
from drivecast.compare.fit.variant import Figure, Target, Values, Variant
from drivecast.document.fit import Fit, Setting, Together

TRIED = 0.3
"""Share of the work that goes into choosing the variant."""
LONGER = 4
"""Requests of a held-out simulation over those of one during the fit."""


def _specs(name: str, variant: Variant, catalog: Catalog, *, final: bool = False) -> Callable[[Values], Spec]:
    """The device that a set of parameters makes, by way of its sheet."""

    def spec(values: Values) -> Spec:
        every = {**{estimate.parameter.name: estimate.value for estimate in variant.known}, **values}

        def one(key: str) -> Figure:
            # What a bucket held when a run began is not known: none of the runs fitted to had credits left.
            spent = not final and key.endswith(".credits")
            return {"value": 0.0 if spent else every[key], "fitted": "on trial"}

        return drive_file.spec(name, variant.content(one), catalog)

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


def toml(found: Fit) -> str:
    """The drive's file."""
    heading = (
        f"{found.model} as a {found.kind}, fitted to runs by `drivecast compare fit`: {found.why_kind}.\n"
        f"{found.variant}; {found.settings_fitted} settings fitted to; held out: {found.held_out_by or 'nothing'}."
    )
    return drive_file.text(found.content, heading)
