"""A fit as a document: what `drivecast compare fit --output-format json` prints."""

from typing import Any

from drivecast.compare.fit import accuracy
from drivecast.compare.fit.fit import Fit, residuals
from drivecast.compare.fit.observation import QUANTILES, Observation
from drivecast.document.measurement import OPS

FIGURES = ("iops", *(f"{op}.q{quantile}" for op in OPS for quantile in QUANTILES))


def rows(fit: Fit) -> list[dict[str, Any]]:
    """One row a setting and figure, measured beside simulated."""
    found = []
    for observation, held_out, simulated in residuals(fit):
        for name in FIGURES:
            measured = observation.figures.get(name)
            if measured is None or name not in simulated:
                continue
            found.append(
                {
                    "workload": observation.workload,
                    "file": observation.file,
                    "held_out": held_out,
                    "figure": name,
                    "measured": measured,
                    "simulated": simulated[name],
                    "ratio": simulated[name] / measured,
                }
            )
    return found


def _all(fit: Fit) -> list[Observation]:
    return [*fit.split.fitted, *fit.split.held_out]


def document(fit: Fit) -> dict[str, Any]:
    """All of it."""
    noise = accuracy.noise(_all(fit))
    return {
        "schema_version": 1,
        "name": fit.name,
        "kind": fit.kind,
        "why_kind": fit.why_kind,
        "target": fit.target.name,
        "capacity_bytes": fit.target.capacity_bytes,
        "variant": fit.variant,
        "variants": fit.variants,
        "residual_rms": fit.refined.cost,
        "simulations": fit.simulations,
        "settings_fitted": len(fit.split.fitted),
        "settings_held_out": len(fit.split.held_out),
        "held_out_by": fit.split.rule,
        "parameters": [
            {
                "name": one.parameter.name,
                "meaning": one.parameter.meaning,
                "unit": one.parameter.unit or None,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "provenance": "fitted" if one.is_fitted else "assumed",
                "told_by": one.parameter.told_by,
            }
            for one in fit.refined.estimates
        ],
        "together": [
            {"parameters": [one, other], "correlation": correlation}
            for one, other, correlation in fit.refined.together
        ],
        "errors": [
            {
                "quantity": one.quantity,
                "settings": one.settings,
                "error_median": one.median,
                "error_max": one.worst,
                "bias": one.bias,
                "within_20_percent": one.within,
                "worst": one.worst_setting,
                "noise": noise.get(one.quantity),
            }
            for one in fit.errors
        ],
        "figures": rows(fit),
    }
