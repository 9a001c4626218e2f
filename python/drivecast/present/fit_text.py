"""A fit as text and as a figure: parameters with intervals, what is not determined, residuals, errors held out."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from drivecast.document.fit import QUANTILES, Error, Fit, Setting
from drivecast.document.outcome import OPS
from drivecast.errors import InputError
from drivecast.present import grid, style, table
from drivecast.present.figure import prediction_charts
from drivecast.quantity import number

WITHIN = 0.20
SCALES = {"ns": number.latency, "B/s": number.throughput, "1/s": number.iops}
NS_PER_MS = 1e6
PANELS = {"q0.5": "p50 (ms)", "q0.99": "p99 (ms)"}


def lines(fit: Fit) -> list[grid.Line]:
    """The whole page."""
    others = [f"{name} {rms:.2f}" for name, rms in fit.variants.items()]
    chosen = f", chosen of {', '.join(others)} (residuals in tolerances)" if len(others) > 1 else ""
    head = [
        grid.clean(f"{fit.target} as a {fit.kind}: {fit.why_kind}"),
        f"{fit.variant}{chosen}",
        f"fitted to {fit.settings_fitted} settings; held out: {fit.settings_held_out}, {fit.held_out_by}",
    ]
    parts: list[Sequence[grid.Line]] = [
        head,
        _parameters(fit),
        _undetermined(fit),
        _runs([setting for setting in fit.settings if not setting.held_out]),
        _runs([setting for setting in fit.settings if setting.held_out]),
        _errors(fit.errors) if fit.errors else ["nothing was held out, so the error is not known"],
        [_verdict(fit)] if fit.errors else [],
    ]
    found: list[grid.Line] = []
    for part in parts:
        found += [*([""] if found and part else []), *part]
    return found


def _quantity(quantity: str) -> str:
    op, dot, quantile = quantity.partition(".")
    return f"{op} {number.quantile(quantile)}" if dot else quantity.upper()


def _value(unit: str | None, value: float) -> str:
    scale = SCALES.get(unit or "")
    return scale(value) if scale else f"{number.significant(value)} {unit or ''}".strip()


def _parameters(fit: Fit) -> list[grid.Line]:
    rows = [
        (
            known.name,
            _value(known.unit, known.value),
            f"{_value(known.unit, known.low or 0)} to {_value(known.unit, known.high or 0)}",
            known.meaning,
        )
        for known in fit.parameters
        if known.provenance == "fitted"
    ]
    return [*grid.table(("<fitted", "value", "95 % interval", "<"), rows, indent=2)]


def _undetermined(fit: Fit) -> list[str]:
    found = []
    for known in fit.parameters:
        if known.provenance == "assumed":
            value = "none" if known.value == 0 else _value(known.unit, known.value)
            assumed = f"{value} is assumed; determined by {known.determined_by}"
            found.append(f"  {known.name} ({known.meaning}): {assumed}")
    for pair in fit.together:
        what = "sum" if pair.correlation < 0 else "ratio"
        first, second = pair.parameters
        found.append(f"  {first} and {second} apart: the data determine their {what} better than either")
    return ["not determined by the data:", *found] if found else []


def _runs(settings: Sequence[Setting]) -> list[grid.Line]:
    if not settings:
        return []
    names = ("iops", *QUANTILES)
    rows = [
        (setting.label, number.iops(setting.measured["iops"]), *(_ratio(setting, name) for name in names))
        for setting in settings
    ]
    heads = ("<simulated over measured", "measured", "IOPS", *(number.quantile(name) for name in QUANTILES))
    return [*grid.table(heads, rows, indent=2)]


def _ratio(setting: Setting, name: str) -> str | None:
    """Simulated over measured; of reads and writes the one furthest off."""
    keys = [name] if name == "iops" else [f"{op}.{name}" for op in OPS]
    found = [
        setting.simulated[key] / setting.measured[key]
        for key in keys
        if key in setting.simulated and key in setting.measured
    ]
    return f"{max(found, key=lambda ratio: max(ratio, 1 / ratio)):.2f}" if found else None


def _errors(errors: Sequence[Error]) -> list[grid.Line]:
    rows = [
        (
            _quantity(error.quantity),
            error.settings,
            number.percent(error.error_median),
            number.percent(error.error_max),
            f"{error.within_20_percent} of {error.settings}",
            None if error.noise is None else number.percent(error.noise),
            error.worst,
        )
        for error in errors
    ]
    heads = ("<held out", "settings", "median", "worst", "within 20 %", "noise", "<worst at")
    return [*grid.table(heads, rows, indent=2)]


def _verdict(fit: Fit) -> str:
    judged = [error for error in fit.errors if error.quantity.endswith(("q0.5", "q0.99"))]
    total = sum(error.settings for error in judged)
    within = sum(error.within_20_percent for error in judged)
    noise = "" if fit.repeated else "; nothing was run twice, so how much of it is noise is not known"
    return f"of held-out p50 and p99, {within} of {total} lie within 20 %{noise}"


def suffix(path: Path | None) -> None:
    """Raise `InputError` for a file that no figure is written to."""
    if path is not None and path.suffix not in (".svg", ".png"):
        raise InputError(f"--figure: expected a name that ends in `.svg` or `.png`, found `{path.name}`")


def draw(fit: Fit, path: Path) -> None:
    """Draw measured against simulated into a file, runs fitted to and held out apart."""
    chart = prediction_charts.fitted(_panels(fit), WITHIN)
    if path.suffix == ".png":
        style.to_png(chart, path)
    else:
        style.save_svg(chart, path)


def _panels(fit: Fit) -> dict[str, pl.DataFrame]:
    """Rows `measured`, `simulated`, `op`, `runs` by title of the panel."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for row in fit.figures:
        op, _, quantile = row["figure"].partition(".")
        if quantile in PANELS:
            ends = (row["measured"] / NS_PER_MS, row["simulated"] / NS_PER_MS)
            runs = "held out" if row["held_out"] else "fitted to"
            found.setdefault(PANELS[quantile], []).append((*ends, op, runs))
    return {
        title: table.of(points, measured=float, simulated=float, op=str, runs=str)
        for title, points in found.items()
    }
